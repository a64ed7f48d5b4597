"""What behave's hooks and steps decide about the scenarios of a feature (policy set v2, classes G02, G08 and G14).

Rules, for `environment.py` and steps:

- Who sets the status of a step or a scenario, or runs none (`dry_run`), decides the outcome instead of the steps.
- A scenario or a feature that is skipped is so like a test; where its tags, the platform or the environment are asked
  for, it is for a person.
- A scenario that is run again when it fails is a test that is retried.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.python.layout import STEPS
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (
    r"\b(?:step|scenario|feature|rule)\.(?:status\s*=|set_status|mark_skipped|skip)",
    r"autoretry",
    r"\bdry_run\s*=",
)
TOLD = later(
    rb"(?m)^(?P<line>[^#\n]*(?:(?P<outcome>\b(?:step|scenario|feature)\.(?:status\s*=(?!=)|set_status\()|\bdry_run\s*=\s*True)"
    rb"|(?P<skips>\b(?:scenario|feature|rule)\.(?:skip|mark_skipped)\()|(?P<again>\bpatch_scenario_with_autoretry\())[^\n]*)"
)
ASKED = later(rb"\b(?:if|elif|unless)\b[^\n]*(?:tag|platform|version|environ|getenv|userdata)")
NEAR = 3
"""Lines above, in which a condition is looked for."""


def scenarios(source: Source) -> Iterator[Hit]:
    if STEPS.search(source.path) is None:
        return
    for match in TOLD.finditer(source.data):
        row = source.data.count(b"\n", 0, match.start())
        above = b"\n".join(source.lines[max(0, row - NEAR) : row + 1])
        asked = ASKED.search(above) is not None
        rule = "py.runner-outcome" if match["outcome"] else "py.skip-condition" if asked else "py.skip"
        line = source.lines[row]
        indent = len(line) - len(line.lstrip())
        node = source.tree.root_node.descendant_for_point_range((row, indent), (row, indent))
        if node is not None and "string" not in node.type:
            yield source.hit("test.retried" if match["again"] else rule, node, line.decode("utf-8", "replace").strip())
