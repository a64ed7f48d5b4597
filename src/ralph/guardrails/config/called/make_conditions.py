"""A Makefile without the branches that do not hold: `ifeq ($(FAST),1)` where a caller says `FAST=1`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.system.patterns import later

ASKS = later(r"[ \t]*(?P<how>ifn?eq|ifn?def)[ \t]*(?P<said>[^#\n]*)")
OTHERWISE = later(r"[ \t]*else\b[ \t]*(?P<rest>[^#\n]*)")
ENDS = later(r"[ \t]*endif\b")
PAIR = later(
    r"\((?P<one>[^,]*),(?P<other>[^()]*(?:\([^()]*\)[^()]*)?)\)"
    r"|[\"'](?P<quoted>[^\"']*)[\"'][ \t]*[\"'](?P<last>[^\"']*)[\"']"
)
NAME = later(r"\$[({](?:strip[ \t]+)?(?:\$[({])?(?P<name>\w+)[)}]{1,2}")
GIVEN = later(r"(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*(?P<how>[?:]{0,2}=)[ \t]*(?P<value>[^\n#]*)")


def conditioned(text: str, given: Mapping[str, str]) -> str:
    """`given`: what the caller says, which goes before what the file says. A name that nothing sets is empty."""
    values, kept = dict(given), list[str]()
    holds: list[tuple[bool, bool]] = []
    """For each open condition whether its branch holds, and whether one before it did."""
    for line in text.split("\n"):
        if (asks := ASKS.fullmatch(line)) is not None:
            now = _truth(asks, values)
            holds.append((now, now))
        elif (otherwise := OTHERWISE.fullmatch(line)) is not None and holds:
            asks = ASKS.fullmatch(otherwise["rest"])
            before = holds[-1][1]
            now = not before and (asks is None or _truth(asks, values))
            holds[-1] = now, before or now
        elif ENDS.match(line) is not None and holds:
            holds.pop()
        elif all(now for now, _ in holds):
            kept.append(line)
            found = GIVEN.fullmatch(line)
            if (
                found is not None
                and found["name"] not in given
                and (found["how"] != "?=" or found["name"] not in values)
            ):
                values[found["name"]] = found["value"].strip()
    return "\n".join(kept)


def _truth(asks: re.Match[str], values: Mapping[str, str]) -> bool:
    if asks["how"].endswith("def"):
        return bool(values.get(asks["said"].strip())) is (asks["how"] == "ifdef")
    pair = PAIR.fullmatch(asks["said"].strip())
    if pair is None:
        return True
    one, other = (
        _filled(pair[first] or pair[second] or "", values) for first, second in (("one", "quoted"), ("other", "last"))
    )
    return (one == other) is (asks["how"] == "ifeq")


def _filled(text: str, values: Mapping[str, str]) -> str:
    return NAME.sub(lambda found: values.get(found["name"], ""), text).strip()
