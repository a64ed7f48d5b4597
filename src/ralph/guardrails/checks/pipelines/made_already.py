"""Targets of a Makefile that check, and that `make` takes for made already (policy set v2, class G16).

Rules:

- A target that is not `.PHONY` is up to date as soon as a file or folder of its name lies beside the Makefile, unless
  something that it needs is always made. So a check is off where it is no longer phony, and where such a file arrives.
- Where it needs files alone, their times decide: that is shown; so is a build, which may well make a folder.
- With `--always-make`, and where only running could tell what is phony, everything is made.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.reach import MAKEFILES, Reach
from ralph.guardrails.checks.readers import makesyntax
from ralph.guardrails.checks.readers.make import included_by
from ralph.guardrails.checks.readers.makesyntax import Makefile
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

ALWAYS = later(r"(?:^|\s)(?:-\w*B\w*|--always-make)(?=\s|$)")
MADE, PERHAPS = "check.switched-off", "check.condition-added"


def made_already(change: Change, before: Reach, after: Reach) -> Iterator[Hit]:
    for path, arrived in _makefiles(change, before.side, after.side).items():
        now = _made(after.side, path)
        known = _made(before.side, path) if now else {}
        had = {gate.slot for gate in before.of_file(path)} if now else set()
        for gate in after.of_file(path) if now else ():
            rule, old = now.get(gate.slot), known.get(gate.slot)
            if rule is None or gate.slot not in had or old in (rule, MADE) or not after.is_check(gate):
                continue
            rule = PERHAPS if gate.kind == "build" else rule
            text = f"{gate.slot} is a file or folder, too, and counts as made: {gate.text} is not run"
            cause = arrived.get(posixpath.normpath(gate.slot), arrived.get("", path))
            line = gate.line if cause == path else 0
            yield hit_at(rule, cause, line, text, gate.text)


def _makefiles(change: Change, before: Side, after: Side) -> dict[str, dict[str, str]]:
    """Each Makefile of both sides that the change may be about; by name what arrives beside it, and the file that does.

    The name of a Makefile that changes itself is empty.
    """
    found: dict[str, dict[str, str]] = {}
    for file in change.files:
        folder, name = posixpath.split(file.path)
        if name in MAKEFILES:
            found.setdefault(file.path, {})[""] = file.path
        elif file.path not in before.paths:
            while folder not in before.directories:
                folder, name = posixpath.split(folder)
            for makefile in MAKEFILES:
                found.setdefault(posixpath.join(folder, makefile), {})[name] = file.path
    return {path: arrived for path, arrived in found.items() if path in before.paths and path in after.paths}


def _made(side: Side, path: str) -> dict[str, str]:
    """The rule that speaks of each target which counts as made."""
    made = makesyntax.parse(side.text(path) or "", included_by(side, path))
    phony = {need for rule in made.rules.get(".PHONY", ()) for need in rule.needs}
    if any("$" in need for need in phony) or ALWAYS.search(made.variables.get("MAKEFLAGS", "")):
        return {}
    folder = posixpath.dirname(path)
    there = {name for name in made.rules if _is_there(side, folder, name)} - phony
    found = {name: _judged(made, name, there, phony, side, folder) for name in there if not re.match(r"\.[A-Z]", name)}
    return {name: rule for name, rule in found.items() if rule is not None}


def _judged(
    made: Makefile, name: str, there: set[str], phony: set[str], side: Side, folder: str, above: Sequence[str] = ()
) -> str | None:
    rules = made.rules[name]
    if name in above or any(rule.adds and not rule.needs and rule.recipe for rule in rules):
        return None
    needs = [need for rule in rules for need in rule.needs]
    for need in needs:
        if need in phony or "$" in need or not _is_there(side, folder, need):
            return None
        if need in there and _judged(made, need, there, phony, side, folder, (*above, name)) is None:
            return None
    return PERHAPS if needs else MADE


def _is_there(side: Side, folder: str, name: str) -> bool:
    whole = posixpath.normpath(posixpath.join(folder, name))
    return whole in side.paths or (whole != "." and whole in side.directories)
