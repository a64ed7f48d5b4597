"""What a file of commands sets for the calls in it: `env:` and `variables:` around them, and `export NAME=`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ralph.guardrails.texts import depth
from ralph.system.patterns import later

HEADER = later(r"\s*(?:- )?(?:env|variables|environment)\s*:\s*(?:\{(?P<listed>[^{}]*)\})?\s*")
NAMED = later(r"\s*(?P<name>[A-Za-z_]\w*)\s*:\s+(?P<value>\S.*?)\s*")
LISTED = later(r"(?P<name>[A-Za-z_]\w*)\s*:\s*(?P<value>\"[^\"]*\"|'[^']*'|[^,]+)")
EXPORTED = later(r"\s*export\s+(?P<name>[A-Za-z_]\w*)=(?P<value>[^\n]*?)\s*")
VARIABLE = later(r"\$\{(?P<braced>[A-Za-z_]\w*)(?::?-(?P<default>[^}\n]*))?\}|\$(?P<bare>[A-Za-z_]\w*)")


class Given(NamedTuple):
    """Values, and the lines for which they hold, counted from 0; the second one is the first for which they do not."""

    start: int
    end: int
    values: dict[str, str]


def environments(lines: Sequence[str]) -> list[Given]:
    """Those that hold for most lines first."""
    found = [*_headers(lines), *_exports(lines)]
    return sorted(found, key=lambda given: given.start - given.end)


def environment(number: int, found: Sequence[Given]) -> dict[str, str]:
    """What is set for a line."""
    values: dict[str, str] = {}
    for given in found:
        if given.start <= number < given.end:
            values |= given.values
    return values


def with_values(text: str, values: Mapping[str, str]) -> str:
    """A line of shell with the variables that are set; without a value a variable has its default."""

    def value(found: re.Match[str]) -> str:
        name = found["braced"] or found["bare"]
        return values[name] if name in values else found["default"] if "-" in found[0] else found[0]

    return VARIABLE.sub(value, text) if "$" in text else text


def _headers(lines: Sequence[str]) -> Iterator[Given]:
    for number, line in enumerate(lines):
        header = HEADER.fullmatch(line)
        if header is None:
            continue
        own = _column(line)
        if "{" in line:
            values = {found["name"]: _plain(found["value"]) for found in LISTED.finditer(header["listed"])}
        else:
            values = dict(_below(lines, number, own))
        if values:
            yield Given(_start(lines, number, own), _end(lines, number, own), values)


def _below(lines: Sequence[str], number: int, own: int) -> Iterator[tuple[str, str]]:
    for line in lines[number + 1 :]:
        if line.strip() and depth(line) <= own:
            return
        named = NAMED.fullmatch(line)
        if named is not None:
            yield named["name"], _plain(named["value"])


def _start(lines: Sequence[str], number: int, own: int) -> int:
    """The first line of the block that has a key of this column; before that of an item stands a dash."""
    for above in range(number, -1, -1):
        line = lines[above]
        if line.strip() and _column(line) <= own:
            if _column(line) < own:
                return above + 1
            if depth(line) < own:
                return above
    return 0


def _end(lines: Sequence[str], number: int, own: int) -> int:
    for later_number in range(number + 1, len(lines)):
        if lines[later_number].strip() and depth(lines[later_number]) < own:
            return later_number
    return len(lines)


def _column(line: str) -> int:
    """Where the first word begins, behind the dash of an item."""
    return depth(line) + (2 if line.lstrip().startswith("- ") else 0)


def _exports(lines: Sequence[str]) -> Iterator[Given]:
    """They hold for the rest of their script."""
    for number, line in enumerate(lines):
        if "export" in line and (found := EXPORTED.fullmatch(line)) is not None:
            yield Given(number, _end(lines, number, depth(line)), {found["name"]: _plain(found["value"])})


def _plain(value: str) -> str:
    return value.partition(" #")[0].strip().strip("\"'")
