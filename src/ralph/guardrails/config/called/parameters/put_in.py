"""A pipeline with what its parts are given in the place of their parameters, line by line."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ralph.guardrails.checks.readers.copies import CIRCLE
from ralph.guardrails.config.called import chosen
from ralph.guardrails.config.called.parameters import circle, containers, gitlab, gradle, groovy, matrices
from ralph.guardrails.config.called.parameters.blocks import SETTING, Filled, filled
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

DEFAULT = later(r"\bos\.(?:environ\.get|getenv)\(\s*[\"']\w+[\"']\s*,\s*(?P<default>[\"'][^\"'\n]*[\"'])\s*\)")
"""What a task is told by its environment, or else by itself."""


class PutIn(NamedTuple):
    lines: Sequence[str]
    put: Mapping[int, Filled]
    """By their numbers, counted from 0, the lines in which something was put in."""

    def text(self, other: PutIn, *, after: bool) -> str:
        """With what stands in the other side at the same lines (`after`: the other side is the base).

        A command that is called in several ways is told only where it is on both sides. One that is still called in
        all the ways of before is what it was: what it is called with besides takes nothing away.
        """
        there = {other.lines[number]: filled for number, filled in other.put.items()}
        return "\n".join(self._line(number, line, there, after=after) for number, line in enumerate(self.lines))

    def _line(self, number: int, line: str, there: Mapping[str, Filled], *, after: bool) -> str:
        filled, other = self.put.get(number), there.get(line)
        if filled is None or (other is None and len(filled.texts) > 1):
            return line
        return other.text if after and other is not None and set(other.texts) <= set(filled.texts) else filled.text


def put_in(path: str, side: Side, caller: str) -> PutIn:
    """`caller`: the file that gives it something."""
    lines = (side.text(path) or "").split("\n")
    if posixpath.basename(path).lower().startswith("jenkinsfile"):
        return PutIn(lines, filled(lines, groovy.blocks(lines)))
    if path != caller and containers.is_part(path):
        return PutIn(lines, filled(lines, containers.blocks(path, lines, side.text(caller) or "")))
    if path in gradle.NAMES:
        return PutIn(lines, gradle.filled(lines, gradle.properties(side.text(caller) or "", side)))
    if path.endswith(".bazelrc"):
        return PutIn(lines, chosen.with_configurations(lines))
    if gitlab.is_template(side.text(path) or ""):
        lines, blocks = gitlab.template(path, lines, side)
        return PutIn(lines, filled(lines, blocks))
    if path != caller:
        return PutIn(lines, filled(lines, gitlab.handed_down(path, lines, side.node(caller))))
    if path.endswith(".py"):
        return PutIn(
            lines,
            {
                number: Filled("", (DEFAULT.sub(r"\g<default>", line),), "")
                for number, line in enumerate(lines)
                if DEFAULT.search(line)
            },
        )
    node = side.node(path)
    if node is None:
        return PutIn(lines, {})
    if CIRCLE.search(path):
        return PutIn(lines, filled(lines, circle.blocks(lines, node)))
    return PutIn(lines, {**filled(lines, matrices.blocks(path, lines, node, side)), **gitlab.referenced(lines, node)})


def is_setting(filled: Filled) -> bool:
    """What the line says counts in other lines."""
    return SETTING.match(filled.head) is not None


def parts_of(path: str, *sides: Side) -> Iterator[str]:
    """The file itself, and the templates, images and services of the tree to which it gives something."""
    found = {path: None}
    for side in sides:
        if containers.SAYS.search(text := side.text(path) or "") is not None:
            found |= {part: None for part in containers.parts(text, side) if all(part in each.paths for each in sides)}
    for side in sides if path.endswith(gitlab.ENDS) and "include" in (sides[-1].text(path) or "") else ():
        found |= {template: None for template, _ in gitlab.called_by(side.node(path)) if _is_there(template, sides)}
        started = (child for child, _ in gitlab.triggered(side.node(path)))
        found |= {child: None for child in started if all(child in each.paths for each in sides)}
    if path.endswith("gradle.properties") or any("gradle" in (side.text(path) or "") for side in sides):
        found |= {name: None for name in gradle.NAMES if all(name in side.paths for side in sides)}
    yield from found


def _is_there(path: str, sides: Sequence[Side]) -> bool:
    return all(path in side.paths and gitlab.is_template(side.text(path) or "") for side in sides)
