"""A linter that is no longer run by itself, as golangci-lint runs it (policy set v2, class G16).

Rules:

- golangci-lint of the head has the linter on: by default, under `linters` or under `formatters`, in the configuration
  at the root.
- It is run where the linter was, unconditionally, on everything and with no option that could choose linters or
  findings.
- Its configuration leaves nothing out that the linter saw: no rule and no path of exclusions, no files of tests, no
  older findings, no checks of that linter; no preset that speaks of what that linter finds.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import program
from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import Settings, names
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.golangci import GOLANGCI, enabled
from ralph.system.patterns import later

GATHERER = "golangci-lint"
CALLED = {
    **{name: name for name in names("gofumpt gofmt goimports staticcheck errcheck ineffassign misspell revive gosec")},
    "go vet": "govet",
}
"""The linters by the program that runs each of them alone."""
SPOKEN_OF = names("errcheck gosec revive")
"""Presets of exclusions are about what these find."""
HARMLESS = later(r"run|\.{1,3}/?(?:\.\.\.)?|-v|--verbose|--timeout(?:[= ]?\w+)?|\d+[smh]|--color(?:=\w+)?")
CHOOSES = later(r"(?m)^\s*(?:-\s*)?(?:args|only-new-issues|working-directory)\s*:(?!\s*false\s*$)")
"""What a workflow hands to the action that changes what it looks at."""
LEAVES_OUT = later(r"(?:(?:linters|formatters)\.exclusions|issues|run)\.(?:rules|paths\S*|new\S*|exclude\S*|skip\S*)")
OF_LINTER = later(r"checks|excludes?|disable\S*|ignore\S*|skip\S*|include\S*|rules|confidence|severity")


def gathered(was: Gate, others: Iterable[Gate], after: Side) -> Gate | None:
    """The run of golangci-lint that holds what the linter did; None where that cannot be told."""
    linter = CALLED.get(program(was))
    if linter is None or not _has_on(linter, after):
        return None
    return next((gate for gate in others if program(gate) == GATHERER and _on_everything(gate, after)), None)


def _on_everything(gate: Gate, after: Side) -> bool:
    if gate.flaws:
        return False
    if gate.words[0] == "uses":
        return CHOOSES.search(after.text(gate.path) or "") is None
    return all(HARMLESS.fullmatch(word) for word in gate.words[1:])


def _has_on(linter: str, after: Side) -> bool:
    units = GOLANGCI.find_units(after)
    settings: Settings = units[""].settings if "" in units else {}
    if linter not in enabled(settings):
        return False
    return not any(_takes_away(linter, key, settings) for key in settings)


def _takes_away(linter: str, key: tuple[str, ...], settings: Settings) -> bool:
    path, node = ".".join(key), settings[key]
    if path == "run.tests":
        return node.value is False
    if path == "linters.exclusions.presets":
        return linter in SPOKEN_OF and bool(words(node))
    if linter in key:
        return bool(OF_LINTER.fullmatch(key[-1]))
    return LEAVES_OUT.match(path) is not None and node.value not in (None, False, [])
