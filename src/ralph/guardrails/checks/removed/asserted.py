"""Programs that a script which is a test itself runs to assert something about them (policy set v2, class G09).

Rule: what `tests/add.sh` runs is a check of that script (`./add 2 2`), and the inventory of tests says what the script
asserts of it. Where it knows an assertion about what is no longer run, it also knows what became of that.
"""

from __future__ import annotations

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.inventory.readers import before
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change
from ralph.guardrails.source import Source


class Asserted:
    def __init__(self, change: Change) -> None:
        self._side = before(change)
        self._there = frozenset(file.path for file in change.files if file.status != "A")
        self._subjects: dict[str, str] = {}

    def knows(self, gate: Gate) -> bool:
        """What a gate runs is looked at by an assertion of its script."""
        if gate.kind != "named" or gate.path not in self._there or language_of(gate.path) != "shell":
            return False
        if gate.path not in self._subjects:
            self._subjects[gate.path] = self._of(gate.path)
        return gate.text in self._subjects[gate.path]

    def _of(self, path: str) -> str:
        from ralph.guardrails.plainshell.inventory import collect

        source = Source(path, "shell", self._side.read(path) or b"")
        tests = (test for test in collect(source, self._side).tests if test.kind == "test")
        return "\n".join(check.subject for test in tests for check in test.facts().checks if check.grade)
