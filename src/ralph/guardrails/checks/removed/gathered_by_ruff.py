"""A linter or formatter of Python that is no longer run by itself, as ruff does its work (policy set v2, class G16).

Rules:

- ruff of the head selects all rules of that linter, in the configuration at the root; `ruff format --check` does what
  `black --check` did.
- It is run where the other was, unconditionally, on no fewer paths and with no option that could choose rules or files.
- Its configuration leaves nothing out: no rule of that linter is ignored, in some files or in all, and no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import program
from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import Settings, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.ruff import RUFF
from ralph.guardrails.ruff_codes import RUFF_DEFAULT
from ralph.system.patterns import later

SELECTED = {
    "isort": ("I",),
    "pydocstyle": ("D",),
    "pyflakes": ("F",),
    "pycodestyle": ("E", "W"),
    "flake8": ("E", "F", "W"),
    "bandit": ("S",),
}
"""The rules of ruff that are those of a linter."""
CHECKS, FORMATS = frozenset({"ruff", "ruff check", "ruff-check"}), frozenset({"ruff format", "ruff-format"})
HARMLESS = later(r"check|format|--check|--diff|--output-format(?:=\S+)?|--show-\w+|-q|--quiet|-v|--verbose|--no-cache")
LEFT_OUT = frozenset({"exclude", "extend-exclude"})


def gathered_by_ruff(was: Gate, others: Iterable[Gate], after: Side) -> Gate | None:
    """The run of ruff that holds what the other did; None where that cannot be told."""
    name = program(was)
    units = RUFF.find_units(after)
    settings: Settings = units[""].settings if "" in units else {}
    runs = FORMATS if name == "black" else CHECKS if name in SELECTED else frozenset[str]()
    if not runs or any(_leaves_out(key, settings) for key in settings):
        return None
    if name in SELECTED and not all(_has_on(code, settings) for code in SELECTED[name]):
        return None
    return next((gate for gate in others if program(gate) in runs and _on_as_much(was, gate)), None)


def _on_as_much(was: Gate, gate: Gate) -> bool:
    if gate.flaws or gate.words[0] == "uses":
        return False
    if gate.words[0] == "hook":
        return True
    rest = [word for word in gate.words[1:] if not HARMLESS.fullmatch(word)]
    if any(word.startswith("-") for word in rest):
        return False
    return not rest or "." in rest or set(_paths(was.words)) <= set(rest)


def _paths(called: Sequence[str]) -> list[str]:
    return [word for word in called[1:] if not word.startswith("-")] or ["."]


def _has_on(code: str, settings: Settings) -> bool:
    chosen = [canonical(node) for node in words(settings.get(("lint", "select")))] or list(RUFF_DEFAULT)
    chosen += [canonical(node) for node in words(settings.get(("lint", "extend-select")))]
    muted = [canonical(node) for key in ("ignore", "extend-ignore") for node in words(settings.get(("lint", key)))]
    muted += [canonical(node) for key in settings if "per-file-ignores" in key[1:2] for node in words(settings[key])]
    on = any(code.startswith(wide) or wide == "ALL" for wide in chosen)
    return on and not any(each.startswith(code) or code.startswith(each) for each in muted)


def _leaves_out(key: tuple[str, ...], settings: Settings) -> bool:
    return key[-1] in LEFT_OUT and bool(words(settings[key]))
