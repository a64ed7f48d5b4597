"""The environments of tox that a list names, and those that a condition holds for.

`py{38,39}-{a,b}` and `py3{8-11}` are four names each; `py39-a,!b: X = 1` is for environments whose names have both
parts `py39` and `a`, and for those without `b`.
"""

from __future__ import annotations

import itertools
import math

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

LISTS = (("tox", "envlist"), ("tox", "env_list"), ("env_list",), ("tool", "tox", "env_list"))
GENERATED = later(r"\{([^{}]*)\}")
RANGE = later(r"(\d{1,6})-(\d{1,6})")
MOST = 10_000
ITEM = later(r"(?:\{[^{}]*\}|[^,\s{}])+")


def listed_in(node: Node) -> set[str]:
    """The names of the environments that run when nobody names one, as far as a list is given."""
    value = next((found for key in LISTS if (found := node.at(*key)) is not None), None)
    return {name for item in value.items for name in names_in(canonical(item))} if value is not None else set()


def is_asked_for(condition: str, name: str) -> bool:
    """`py39-a,!b` holds for names with both parts `py39` and `a`, and for those without `b`."""
    parts = name.split("-")
    ways = (way.split("-") for way in names_in(condition))
    return not condition or any(
        all((part.lstrip("!") in parts) != part.startswith("!") for part in way) for way in ways
    )


def names_in(item: str) -> list[str]:
    """`py{38,39}-{a,b}` and `py3{8-11}` are four names; a list of more than anybody runs stays as it is written."""
    found: list[str] = []
    for name in ITEM.findall(item):
        parts = [_choices(part) if index % 2 else [part] for index, part in enumerate(GENERATED.split(name))]
        if math.prod(map(len, parts)) > MOST:
            return [item]
        found += ["".join(word.strip() for word in words) for words in itertools.product(*parts)]
    return found


def _choices(part: str) -> list[str]:
    """`9-11` is `9`, `10` and `11`."""
    found: list[str] = []
    for word in part.split(","):
        ends = RANGE.fullmatch(word.strip())
        first, last = sorted((int(ends[1]), int(ends[2]))) if ends is not None else (0, MOST)
        found += [word] if last - first >= MOST else map(str, range(first, last + 1))
    return found
