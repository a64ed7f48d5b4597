"""Checks that run in another folder than before, or with fewer files checked out, where they find less (class G09).

Rules: without paths a program looks at the folder that it runs in, and paths are read from there. What it looked at
before and no run of the file looks at now is left out, where both folders are known and the new one is there. A path
that is gone, and one that only running could tell, takes nothing away. A sparse checkout leaves the files of the root
there, and those that its patterns fit, of which the last one counts.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.scope.looked_at import (
    EVERYTHING,
    LANGUAGE,
    NAMES_TESTS,
    UNKNOWN,
    exists,
    is_minor,
    matters,
    plain,
    targets,
    within,
)
from ralph.guardrails.config import PYTHON_TASKS
from ralph.guardrails.texts import cut

OF_FOLDERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("mvn", "mvnw", "mvnd", "gradle", "gradlew"), (".java", ".kt", ".scala", ".groovy")),
    "dotnet": (".cs", ".fs", ".vb"),
    "swift": (".swift",),
    "mix": (".exs",),
    "dart": (".dart",),
    "flutter": (".dart",),
    "sbt": (".scala",),
}
"""The files of programs that find their project in the folder they run in."""


def is_elsewhere(was: Gate, now: Gate, paths: frozenset[str]) -> bool:
    """True if it runs in a folder of the tree that is another one, or with other files checked out."""
    if was.checked_out != now.checked_out:
        return True
    old, new = _folder(was), _folder(now)
    return old != new and old is not None and new is not None and (not new or exists(new, paths))


def left_behind(
    was: Gate, now: Gate, runs: Sequence[Gate], before: frozenset[str], after: frozenset[str]
) -> tuple[str, bool] | None:
    """In words, and whether it is sure."""
    suffixes = OF_FOLDERS.get(was.words[0]) or LANGUAGE.get(was.words[0])
    if suffixes is None:
        return None
    old, new = _places(was, after), [(run, _places(run, after)) for run in (now, *runs)]
    kept = [path for path in sorted(before & after) if path.endswith(suffixes) and matters(was, path)]
    seen = (path for path in kept if _sees(was, old, path))
    lost = [path for path in seen if not any(_sees(run, places, path) for run, places in new)]
    if not lost:
        return None
    named = list(dict.fromkeys(place for run, places in new for place in (*places, *run.checked_out)))
    certain = not all(map(is_minor, lost)) and not any(UNKNOWN.search(place) for place in named)
    return f"looks at {cut(' '.join(named), 100)} only and no longer at {lost[0]}", certain


def _folder(gate: Gate) -> str | None:
    """From the root of the tree. What a person or another file runs by name runs beside its file, but for scripts."""
    if gate.folder is None:
        return None
    folder, name = posixpath.split(gate.path)
    # A script of Python runs where its caller does, unlike a file of tasks.
    script = gate.slot == name and name.lower() not in PYTHON_TASKS
    beside = folder if gate.place == "local" and gate.slot and not script else ""
    found = posixpath.normpath(posixpath.join(beside, gate.folder))
    return "" if found == "." else found


def _places(gate: Gate, paths: frozenset[str]) -> list[str]:
    folder, named = _folder(gate) or "", targets(gate)
    if gate.words[0] in NAMES_TESTS or gate.words[0] in OF_FOLDERS:
        # Other words than paths choose among the tests of the folder.
        named = [target for target in named if exists(posixpath.join(folder, plain(target)), paths)]
    return [_place(folder, plain(target)) for target in named] or [folder or "."]


def _place(folder: str, target: str) -> str:
    if target in EVERYTHING or not folder:
        return folder or target
    return posixpath.normpath(posixpath.join(folder, target))


def _sees(gate: Gate, places: Sequence[str], path: str) -> bool:
    return any(within(path, place) for place in places) and _is_checked_out(gate.checked_out, path)


def _is_checked_out(patterns: Sequence[str], path: str) -> bool:
    there = not patterns or "/" not in path
    for pattern in patterns:
        if within(path, pattern.removeprefix("!").strip("/") or "."):
            there = not pattern.startswith("!")
    return there
