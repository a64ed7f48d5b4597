"""Comparisons of pictures that accept more than before, or are left out (policy set v2, classes G02 and G05).

Rules, for a comparison that the base had, told by its test, its name and its number there:

- A share, a number of points or a distance of colours that lets anything through blocks; one that is somewhat higher is
  for a person (`common.assertions.pictures`). So is another size of the picture that is accepted now.
- What a story or a call says to leave it out (`chromatic: { disableSnapshot: true }`) blocks, and so does a mask over
  the whole page. Parts that are masked now are for a person: what always differs is masked, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.common.assertions.pictures import TOLERANCES, raised
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.model import Hit
from ralph.system.patterns import later

WORDS = (
    r"(?i)threshold|tolerance|maxDiffPixel|allowedMismatchedPixel|allowSizeMismatch|disableSnapshot|ignoreSnapshots",
    r"\b(?:mask|blackout|hideSelectors|removeSelectors|ignoreRegions?|ignoreSelectors)\b",
    r"\b(?:chromatic|percy|happo|lostpixel|loki|creevey|argos|eyes)\b",
)
CALLS = later(
    r"toHaveScreenshot|toMatchSnapshot|toMatchScreenshot|toMatchImageSnapshot|configureToMatchImageSnapshot"
    r"|matchImageSnapshot|matchScreenshot|compareSnapshot|compareScreenshot|argosScreenshot|percySnapshot|visualSnapshot"
    r"|happoScreenshot|check(?:Screen|Element|FullPageScreen)|match(?:Screen|Element|FullPage)Snapshot|assertVisual\w*"
)
SERVICES = frozenset({"chromatic", "percy", "happo", "lostpixel", "loki", "creevey", "argos", "eyes"})
LEFT_OUT = frozenset({"disableSnapshot", "disable", "skip", "ignore", "exclude"})
INNER = frozenset({"customDiffConfig", "comparatorOptions", "diffOptions", "comparisonOptions"})
ANY_SIZE = "allowSizeMismatch"
MASKS = frozenset({"mask", "blackout", "hideSelectors", "removeSelectors", "ignoreRegions", "ignoreSelectors"})
"""Lists of what is covered on both pictures."""
ALL_COVERED = "a mask over everything"
EVERYTHING = later(
    r"[\"'`](?:\*|html|body|main|:root|#root|#app|#__next|html body)[\"'`]|\bpage\.locator\([\"'`]/{1,2}\*"
)


Known = dict[str, tuple[float | bool, tree_sitter.Node]]
"""What a comparison says, by the names of its options, with the place of each."""
Place = tuple[str, str, int]
"""The test or story that a comparison stands in, its name, and its number among those of that name."""


def pictures(files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        if len(sides.before.sources) != 1 or len(sides.after.sources) != 1:
            continue
        head, base = code(sides.after.sources[0]), sides.before.sources[0]
        old = dict(_comparisons(code(base)))
        for key, now in _comparisons(head):
            told_now = key[1] in SERVICES and key[0].encode() in base.data
            was = old.get(key, {} if told_now else None)
            for hit in _losses(head, was, now) if was is not None else ():
                yield sides.after.in_git_lines(hit)


def _losses(code: Code, was: Known, now: Known) -> Iterator[Hit]:
    for name, (value, place) in now.items():
        before = was[name][0] if name in was else None
        if name in MASKS:
            if value > (before or 0) and ALL_COVERED not in now:
                yield code.source.hit("test.somewhat-weaker", place, f"{name} covers more of a picture")
            continue
        if name in TOLERANCES:
            far = raised(name, before, value)
            if far is not None:
                rule = "test.weakened" if far else "test.somewhat-weaker"
                yield code.source.hit(rule, place, f"{name} rises to {value:g}")
        elif value is True and before is not True:
            rule = "test.somewhat-weaker" if name == ANY_SIZE else "js.test-skip"
            yield code.source.hit(rule, place, f"{name} of a picture")


def _comparisons(code: Code) -> Iterator[tuple[Place, Known]]:
    seen: Counter[tuple[str, str]] = Counter()
    for node in (*code.calls, *code.names.of_types("pair")):
        found = _of_call(code, node) if node.type == "call_expression" else _of_service(code, node)
        if found is not None:
            where, name, literals = found
            seen[where, name] += 1
            yield (
                (where, name, seen[where, name]),
                {option: (value, place) for literal in literals for option, value, place in _settings(code, literal)},
            )


def _of_call(code: Code, call: tree_sitter.Node) -> tuple[str, str, list[tree_sitter.Node]] | None:
    function = unwrapped(call.child_by_field_name("function"))
    name = code.text(function).rpartition(".")[2] if function is not None else ""
    if not CALLS.fullmatch(name):
        return None
    given = arguments(call)
    texts = [value for each in given if isinstance(value := code.constants.value(each), str)]
    literals = [literal for each in given if (literal := code.constants.object_of(each)) is not None]
    return _title(code, call), f"{name} {texts[0] if texts else ''}", literals


def _of_service(code: Code, pair: tree_sitter.Node) -> tuple[str, str, list[tree_sitter.Node]] | None:
    """`parameters: { chromatic: { diffThreshold: 0.3 } }` of a story."""
    key, value = pair.child_by_field_name("key"), code.constants.object_of(pair.child_by_field_name("value"))
    name = code.text(key).strip("\"'")
    if value is None or name not in SERVICES:
        return None
    around = [each for each in code.names.above(pair) if each.type in ("variable_declarator", "assignment_expression")]
    owner = around[-1].child_by_field_name("name") or around[-1].child_by_field_name("left") if around else None
    return code.text(owner), name, [value]


def _title(code: Code, call: tree_sitter.Node) -> str:
    around = [case for case in code.cases.all if case.node.start_byte <= call.start_byte < case.node.end_byte]
    return " ".join(around[-1].title) if around else ""


def _settings(
    code: Code, literal: tree_sitter.Node, inside: bool = False
) -> Iterator[tuple[str, float | bool, tree_sitter.Node]]:
    for name, value, place in code.constants.options(literal):
        if name in INNER and (inner := code.constants.object_of(value)) is not None and not inside:
            yield from _settings(code, inner, inside=True)
        if name in MASKS:
            listed = unwrapped(value)
            held = [each for each in listed.named_children if "comment" not in each.type] if listed is not None else []
            yield name, float(len(held)), place
            if any(EVERYTHING.search(code.text(each)) for each in held):
                yield ALL_COVERED, True, place
        known = code.constants.value(value)
        if name in (*TOLERANCES, *LEFT_OUT, ANY_SIZE) and isinstance(known, int | float):
            yield name, known, place
