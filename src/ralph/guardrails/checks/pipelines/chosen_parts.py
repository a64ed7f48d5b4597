"""A value of a matrix that says what is run, and that no run has any more (policy set v2, class G09).

Rule: `npm run test:${{ matrix.suite }}` runs a script by the name that the axis gives. Where no entry of the head's
matrix has a value that the base's had, and the script, target or folder that it names is still there, and no other
script, target or file of CI names it, what it ran is run no more. A version or a system is no such value: it says with
what a check is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.readers.matrix import entries
from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NAME = later(r"[A-Za-z][A-Za-z_-]*")
"""No version."""
OF_SYSTEMS = later(r"(?i)os|runner|platform|arch|version|shell|browser|toolchain|channel|image")
WORD = later(r"[\w./:@-]+")
DECLARES = r"(?m)\"{0}\"[ \t]*:|^[ \t]*(?:{0}[ \t]*:(?!=)|\[testenv:{0}\]|def {0}\b|\[tasks\.{0}\])"


def left_out(was: Node, now: Node, key: str, side: Side) -> Iterator[str]:
    """The values of the axis that no entry of the job has any more, with the name of what they ran."""
    had, has = entries(was), entries(now)
    if had is None or has is None or not has or OF_SYSTEMS.search(key):
        return
    axis = key.lower()
    kept = {str(entry.get(axis)) for entry in has}
    lost = sorted({str(entry[axis]) for entry in had if axis in entry} - kept)
    for value in lost:
        named = list(_named(now, key, value)) if NAME.fullmatch(value) else []
        if any(_is_there(name, side) and not _is_named_elsewhere(name, side) for name in named):
            yield cut(value, 80)


def _named(job: Node, key: str, value: str) -> Iterator[str]:
    """The words of commands that have the value in them."""
    place = re.compile(rf"\$\{{\{{\s*matrix\.{re.escape(key)}\s*\}}\}}")
    steps = job.at("steps")
    for step in steps.items if steps is not None and isinstance(steps.value, list) else ():
        run = step.at("run")
        text = canonical(run) if run is not None else ""
        if place.search(text):
            yield from (word for word in WORD.findall(place.sub(f"{value}", text)) if value in word)


def _is_there(name: str, side: Side) -> bool:
    """A script or target of that name, or a folder or file."""
    bare = name.removeprefix("./").rstrip("/")
    if "/" in bare and (bare in side.paths or bare in side.directories):
        return True
    declares = re.compile(DECLARES.format(re.escape(bare)))
    return any(declares.search(side.text(path) or "") for path in _files(side))


def _is_named_elsewhere(name: str, side: Side) -> bool:
    bare = re.escape(name.removeprefix("./").rstrip("/"))
    declares, says = re.compile(DECLARES.format(bare)), re.compile(rf"(?<![\w:./-]){bare}(?![\w:-])")
    return any(says.search(declares.sub("", side.text(path) or "")) for path in _files(side))


def _files(side: Side) -> Iterator[str]:
    yield from command_files(side)
