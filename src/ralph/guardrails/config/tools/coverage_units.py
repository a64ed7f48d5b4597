"""What a coverage floor of JaCoCo, Kover or coverlet counts, and how (policy set v2, class G11).

Rules, for floors that stay and do not rise:

- Classes and methods that were touched once are no branches, lines or instructions; a number of covered ones is no
  part of all: such a floor means nothing. With lines or instructions for branches, or one sum for what was asked of
  each class, a person is asked.
- Coverlet compares lines, branches and methods unless it is told which; the lowest of all modules unless it is told to
  take them together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import number, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.tools.counted_tests import tests_counted
from ralph.system.patterns import later

THRESHOLD, COARSER = "cfg.coverage.threshold", "cfg.coverage.precision"
KINDS: Mapping[str, str] = {
    "counter": "counter",
    "metric": "counter",
    "coverageUnits": "counter",
    "value": "value",
    "aggregation": "value",
    "aggregationForGroup": "value",
    "valueType": "value",
    "element": "element",
    "groupBy": "element",
    "entity": "element",
}
USUAL = {"counter": "INSTRUCTION", "value": "COVEREDRATIO", "element": "BUNDLE"}
RANKS: Mapping[str, Mapping[str, int]] = {
    "counter": {"CLASS": 0, "METHOD": 1, "COMPLEXITY": 4, "INSTRUCTION": 4, "LINE": 4, "BRANCH": 5},
    "value": {"COVEREDCOUNT": 0, "TOTALCOUNT": 0, "COVEREDRATIO": 4, "COVEREDPERCENTAGE": 4},
    "element": {"BUNDLE": 4, "APPLICATION": 4, "GROUP": 4, "PACKAGE": 5, "SOURCEFILE": 6, "CLASS": 7, "METHOD": 8},
}
PLAIN = 4
"""What ranks lower than this is met by nearly everything."""
WORD = later(r"[A-Z][A-Z_]+$")
TYPES = ("line", "branch", "method")
AS_ONE = ("average", "total")


def said(kind: str, text: str) -> str:
    """`CoverageUnit.BRANCH` is a branch."""
    found = WORD.search(text.strip("\"' "))
    word = found[0].replace("_", "") if found is not None else ""
    return word if word in RANKS[kind] else USUAL[kind]


def judge(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    floors = [key for key in before if key[0] == "floor"]
    if len(floors) > sum(key[0] == "floor" for key in after):
        return  # that one is gone is said already
    for kind in RANKS:
        yield from _coarser(kind, before, after)


def _coarser(kind: str, before: Settings, after: Settings) -> Iterator[Loss]:
    """What each floor counted is compared with what some floor of the head counts, finest first."""
    old, new = (sorted(_counted(kind, side), key=lambda each: -each[0]) for side in (before, after))
    for (was, old_floor, old_node), (now, new_floor, node) in zip(old, new, strict=False):
        plain = now < PLAIN <= was or (now < was and was < PLAIN)
        if now >= was or (new_floor > old_floor and not plain):
            continue
        yield Loss(
            rule=THRESHOLD if plain else COARSER,
            key=f"coverage {kind}",
            text=f"counts {canonical(node)} instead of {canonical(old_node)}",
            node=node,
            old=old_node,
        )


def _counted(kind: str, settings: Settings) -> Iterator[tuple[int, float, Node]]:
    for key, node in settings.items():
        if key[0] == kind:
            floor = number(settings.get(("floor", key[1])), None)
            yield RANKS[kind][canonical(node)], floor if isinstance(floor, float) else 0.0, node


def of_coverlet(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    if ("Threshold",) not in before or ("Threshold",) not in after:
        return
    old, new = (_types(side.get(("ThresholdType",))) for side in (before, after))
    place = after.get(("ThresholdType",))
    for name in sorted(old - new):
        was = before.get(("ThresholdType",)) or before[("Threshold",)]
        rule = COARSER if new & {"line", "branch"} else THRESHOLD
        yield Loss(rule=rule, key="ThresholdType", text=f"loses {name}", node=place, old=was)
    yield from tests_counted(("IncludeTestAssembly",), ("Threshold",), before, after)
    key: Key = ("ThresholdStat",)
    taken, takes = (canonical(side[key]).lower() if key in side else "minimum" for side in (before, after))
    if takes in AS_ONE and taken not in AS_ONE:
        yield Loss(rule=COARSER, key=key[0], text=f"is {takes}", node=after[key], old=before.get(key))


def _types(node: Node | None) -> set[str]:
    found = {name.lower() for item in words(node) for name in re.split(r"[,;\s]+", canonical(item)) if name}
    return found or set(TYPES)
