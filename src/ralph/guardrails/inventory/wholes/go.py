"""Wholes that a test of Go writes down (policy set v2, class G05): `[]Item{{SKU: "a"}, {SKU: "b"}}`.

Rules: what a test compares with a literal, as a whole, it says of the literal's elements, fields and length, too:
`Equal(t, Item{SKU: "a"}, items[0])` and `Len(t, items, 2)` are not missed where `cmp.Diff(want, items)`,
`reflect.DeepEqual` or `Equal` has all of them. The type of an element may be left out, as Go has it; a field that is
not written has no value. Elements under indexes, and fields without names, nobody counts here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Grade
from ralph.record import record
from ralph.system.patterns import later

STRING = later(r"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|'(?:[^'\\]|\\.)*'", re.DOTALL)
LITERAL = later(
    r"(?s)(?P<type>&?(?:\[\d*\]|\[\.\.\.\]|map\[[\w.]+\])*\*?(?:[A-Za-z]\w*\.)?[A-Za-z]\w*)?(?P<listed>\{.*\})"
)
"""With its type, or without, as an element."""
HOLDING = later(r"(?:\[(?:\d*|\.\.\.)\]|map\[[\w.]+\])(?P<of>.+)", re.DOTALL)
"""The type of a list or a map, and that of its elements."""
ENTRY = later(r"(?s)(?P<key>[A-Za-z]\w*|-?\d+|\"[^\"]*\"|`[^`]*`)\s*:\s*(?P<value>.+)")
STEP = later(r"\s*(?:\.\s*(?P<field>[A-Za-z]\w*)|\[\s*(?P<key>\d+|\"[^\"]*\"|`[^`]*`)\s*\])")
MEASURED = later(r"len\((?P<of>.+)\)", re.DOTALL)
NOTHING = frozenset({'""', "``", "0", "false", "nil"})
LONGEST = 4000
"""Longer literals are not taken apart."""


@record
class Value:
    """A value as it is written, with the type that it may leave out."""

    text: str
    type: str


def whole_in_go(part: Check, checks: Iterable[Check]) -> Check | None:
    """What compares a whole with a literal that has the part."""
    wholes = (each for each in checks if each.grade is Grade.EXACT and each.relation == "==" and not each.why)
    return next((each for each in wholes if _said(each, part) is not None), None)


def says_other_in_go(whole: Check, part: Check) -> bool | None:
    """Whether the part is something else in that whole; None if nobody can tell."""
    said = _said(whole, part)
    return None if said is None else _plain(said.text, said.type) != _plain(part.wanted, said.type)


def _said(whole: Check, part: Check) -> Value | None:
    """What the whole is to have in that place."""
    if part.relation != "==" or not part.grade or not part.wanted or len(whole.subject) > LONGEST:
        return None
    measured = MEASURED.fullmatch(part.subject)
    if measured is not None and not part.wanted.isdigit():
        return None  # as long as something else, and that may be the literal
    for of, value in _compared(whole):
        asked = measured["of"] if measured is not None else part.subject
        if not asked.startswith(of) or (measured is None and asked == of):
            continue
        found = _at(value, asked[len(of) :])
        if found is None or measured is None:
            return found
        entries = _entries(found)
        return None if entries is None or any("..." in each for each in entries) else Value(str(len(entries)), "")
    return None


def _compared(whole: Check) -> Iterator[tuple[str, Value]]:
    """What is compared, and the literal that it is compared with."""
    both = between_commas(whole.subject, STRING) if not whole.wanted else []
    pairs = [(whole.subject, whole.wanted)] if whole.wanted else [tuple(both), tuple(both[::-1])]
    for pair in pairs:
        if len(pair) == 2 and (literal := LITERAL.fullmatch(pair[1])) is not None and literal["type"]:
            yield pair[0], Value(pair[1], literal["type"])


def _at(value: Value, way: str) -> Value | None:
    """What stands at the end of a way through a literal."""
    found: Value | None = value
    at = 0
    while found is not None and at < len(way):
        step = STEP.match(way, at)
        if step is None:
            return None
        found, at = _element(found, step), step.end()
    return found


def _element(value: Value, step: re.Match[str]) -> Value | None:
    own, entries = LITERAL.fullmatch(value.text), _entries(value)
    kind = ((own["type"] if own is not None else None) or value.type).lstrip("&*")
    holding = HOLDING.fullmatch(kind)
    if entries is None or (holding is None) != (step["key"] is None):
        return None
    keyed = {match["key"]: match["value"] for each in entries if (match := ENTRY.fullmatch(each)) is not None}
    if holding is None:  # a field
        missing = Value("", "") if len(keyed) == len(entries) else None
        return Value(keyed[step["field"]], "") if step["field"] in keyed else missing
    if kind.startswith("map["):
        return Value(keyed[step["key"]], holding["of"]) if step["key"] in keyed else None
    if any(re.match(r"\d+\s*:", each) for each in entries) or not step["key"].isdigit():
        return None
    index = int(step["key"])
    return Value(entries[index], holding["of"]) if index < len(entries) else None


def _entries(value: Value) -> list[str] | None:
    literal = LITERAL.fullmatch(value.text)
    return None if literal is None else [each for each in between_commas(literal["listed"][1:-1], STRING) if each]


def _plain(text: str, kind: str) -> str:
    """With no more type than where an element leaves it out."""
    if text in NOTHING:
        return ""
    own = kind.replace("*", "&", 1) if kind.startswith("*") else kind
    return text.removeprefix(own) if own and text.startswith(f"{own}{{") else text
