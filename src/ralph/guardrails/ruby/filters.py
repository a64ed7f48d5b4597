"""RSpec's settings that leave tests out (policy set v2, class G09).

Rules: an excluding filter or pattern in `RSpec.configure` blocks; under a condition it is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source

WORDS = (r"filter_run|exclusion_filter|inclusion_filter|exclude_pattern|\bpattern\s*=",)
FILTER = re.compile(
    r"\w+\.(?:filter_run_excluding\b|exclusion_filter\s*(?:\[|=)|exclude_pattern\s*=|filter_run_including\b|pattern\s*=)"
)


def filters(source: Source) -> Iterator[Hit]:
    if b"RSpec.configure" not in source.data:
        return
    for node in source.walk():
        if node.type in ("call", "assignment") and FILTER.match(text_of(node)):
            above, conditional = node.parent, False
            while above is not None:
                conditional = conditional or above.type in ("if", "unless", "if_modifier", "unless_modifier", "case")
                above = above.parent
            conditional = conditional or re.search(r"focus|->|lambda|platform|RUBY_|ENV", text_of(node)) is not None
            rule = "ruby.tests-filtered-at-times" if conditional else "ruby.tests-filtered"
            yield source.hit(rule, node, text_of(node))
