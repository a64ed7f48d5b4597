"""Sentences about checks that passed, printed where the checks were run before them (policy set v2, class G17).

Rule: `echo "All tests passed"` says what was measured if a check stands above it in the same script or target, or in
the same step of CI, and nothing there loses its failure, or if the script compares what it got and leaves with a
failure where that is something else. A number of tests, or a tool's own last line, is never printed by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.readers.files import gates_of
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.spoken import Spoken
from ralph.guardrails.config.command_files.scripts import is_shell
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

SENTENCE = later(r"(?i)\ball (?P<what>tests|checks) pass")
OF_TESTS = frozenset(("test", "coverage", "named"))
COMPARES = later(
    r"\b(?:[ef]?grep|rg|diff|cmp|jq)\s|\bcurl\s+-\w*f|\$\{?\w+\}?[\"']?\s*(?:[!=]?=~?|-(?:eq|ne|gt|ge|lt|le))\s"
)
"""Conditions that look at something that was made or answered."""
LEAVES = later(r"\bexit\s+[1-9]")


def is_measured(said: Spoken, shown: str, path: str, side: Side) -> bool:
    sentence = SENTENCE.search(shown)
    if sentence is None:
        return False
    of_tests = sentence["what"].lower() == "tests"
    for gate in gates_of(side, path):
        heard = not gate.flaws and gate.certain and gate.kind != "build"
        if heard and (gate.kind in OF_TESTS or not of_tests) and _above(gate, said):
            return True
    return said.first == 1 and is_shell(side, path) and any(_comparisons(side.text(path) or "", said.line - 1))


def _above(gate: Gate, said: Spoken) -> bool:
    """In the same script, target or step, and before it."""
    if gate.slot != said.slot or (said.in_ci and gate.line < said.first):
        return False
    if gate.line == said.line:
        start = said.line_text.find(gate.words[0])
        return 0 <= start < said.line_text.find(said.words[0])
    return gate.line < said.line


def _comparisons(text: str, row: int) -> Iterator[tree_sitter.Node]:
    """Statements above the row that leave if something is not as it should be; none if the row is in one of them."""
    script = Script(text)
    inside = ("if_statement", "case_statement", "list", "function_definition")
    for statement in script.root.named_children:
        if statement.end_point.row >= row:
            if statement.start_point.row < row or statement.type in inside:
                return
            break
    for node in script.walk():
        if node.end_point.row < row and node.type in ("if_statement", "list") and LEAVES.search(script.of(node)):
            asked = node.child_by_field_name("condition") or node.named_children[0]
            if COMPARES.search(script.of(asked)):
                yield node
