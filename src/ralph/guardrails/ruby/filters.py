"""Settings of Ruby's test runners and tasks (policy set v2, classes G09, G10, G13, G14).

Rules:

- An excluding filter or pattern in `RSpec.configure` blocks; under a condition it is for a person. So does a Rake task
  that runs files by their names.
- A run that only lists its tests, or whose exit status tells of no failure, a task that does not fail with its tests
  or checks, failing tests that are run again, and a recorder that writes anew whatever it is asked, block.
- A hook around examples that never runs them, or only if the environment asks for it, blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (
    r"filter_run|exclusion_filter|inclusion_filter|exclude_pattern|\bpattern\s*=|test_files",
    r"fail_on_error|retry|record|\baround\b|example|exit_code\s*=|dry_run|files_to_run|fail_if_no_examples",
)
SETS = later(rb"pattern|test_files|fail_on|retry|record|around|exit_code|dry_run|files_to_run|fail_if_no")
AROUND = later(r"(?:\w+\.)?around\b[^|{]*(?:\{|\bdo\b)\s*\|\s*(?P<name>\w+)[^|]*\|(?P<body>.*)", re.DOTALL)
IF_ASKED = r"\.(?:run|call)\b[^\n]*\b(?:if|unless)\b[^\n]*\bENV\b"
IF_LATER = r"\b(?:if|unless)\b[^\n]*\bENV\b[^\n]*\n\s*"
NAMED = later(r"\w+\.(?:pattern|test_files)\s*=\s*(?:FileList)?\[?\s*[\"'][^*\"']*[\"']")
OTHERS = (
    ("ruby.failures-ignored", later(r"\w+\.(?:fail_on_error|fail_on_failure)\s*=\s*(?:false|nil)")),
    ("ruby.failures-ignored", later(r"(?:\w+\.)+(?:failure|error)_exit_code\s*=\s*(?:0(?:[xb_]?0)*|false|nil)")),
    ("ruby.tests-filtered", later(r"(?:\w+\.)+(?:dry_run\s*=\s*true|files_to_run\s*=\s*\[\s*\])")),
    ("ruby.failures-ignored", later(r"(?:\w+\.)+fail_if_no_examples\s*=\s*(?:false|nil)")),
    ("ruby.failures-retried", later(r"\w+\.default_retry_count\s*=\s*[1-9]\d*")),
    ("ruby.failures-retried", later(r"(?:\w+\.run_with_retry|\w+\.around\b.*\brun_with_retry)\b.*", re.DOTALL)),
    (
        "ruby.recorded-anew",
        later(r"[^\n]*\brecord(?:_mode)?(?::|\s*=>|\s*=)\s*:(?:all|new_episodes)\b.*", re.DOTALL),
    ),
)
FILTER = later(
    r"\w+\.(?:filter_run(?:_excluding|_including)?\b(?!_)|(?:ex|in)clusion_filter\s*(?:\[|=)|exclude_pattern\s*=|pattern\s*=)"
)


def settings(source: Source) -> Iterator[Hit]:
    for node in source.walk() if SETS.search(source.data) else ():
        if node.type == "assignment":
            text = text_of(node)
            rule = next((rule for rule, form in OTHERS if form.fullmatch(text)), None)
            if rule is None and source.path.lower().endswith(("rakefile", ".rake")) and NAMED.match(text):
                rule = "ruby.tests-filtered"
            if rule is not None:
                yield source.hit(rule, node, text)


def around(source: Source) -> Iterator[Hit]:
    """`around { |example| … }` that leaves the example out."""
    for node in source.walk() if b"around" in source.data else ():
        match = AROUND.fullmatch(text_of(node)) if node.type == "call" else None
        if match is None:
            continue
        name, body = match["name"], match["body"]
        runs = re.search(rf"\b{name}(?:\.(?:run|call)\b|\))|&{name}\b|\({name}\b|\s{name}\b(?=\s*[,\n])", body)
        if runs is None or re.search(rf"\b{name}{IF_ASKED}", body) or re.search(rf"{IF_LATER}{name}\.run", body):
            yield source.hit("ruby.skip", node, "a hook around examples that does not run them")


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
