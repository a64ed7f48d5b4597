"""Go: functions that compare two values, in an `if` that fails: `reflect.DeepEqual`, `cmp.Diff` and their like."""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said
from ralph.record import replace
from ralph.system.patterns import later

STRING = later(r"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|'(?:[^'\\]|\\.)*'", re.DOTALL)
EQUALS = later(r"(?:reflect\.DeepEqual|cmp\.Equal|bytes\.Equal|slices\.Equal|maps\.Equal|errors\.Is)\((?P<given>.*)\)$")
DIFFERS = later(r"cmp\.Diff\((?P<given>.*)\)$")
BLIND = later(r"cmp\.(?:Comparer|FilterPath|FilterValues)\(.*\breturn true\b|cmp\.Ignore\(\)")
MILD = later(r"cmpopts\.(?:Ignore|Equate)\w+\(")
COPIES = later(
    r"^(?:append\(\[\][\w.*]+(?:\{\}|\(nil\)), ?|(?:slices|maps|bytes|strings)\.Clone\()(?P<of>.+?)(?:\.\.\.)?\)$"
)
"""The same once more."""
ALWAYS = "it always holds"


def equality(said: Said) -> Said:
    """A function that compares demands equality, as far as its options let it see a difference."""
    if said.wanted == "true" and (match := EQUALS.match(said.subject)):
        first, *rest = between_commas(match["given"], STRING)
        if [COPIES.sub(r"\g<of>", each) for each in rest[:1]] == [first]:
            return Said(first, "==", first, Grade.NOTHING, why=ALWAYS)
        return _seen(Said(match["given"], "==", "", Grade.EXACT), rest[1:])
    if said.wanted == '""' and said.relation == "==" and (match := DIFFERS.match(said.subject)):
        first, *rest = between_commas(match["given"], STRING)
        if rest[:1] == [first]:
            return replace(said, grade=Grade.NOTHING, why=ALWAYS)
        return _seen(Said(match["given"], "==", "", said.grade), rest[1:])
    return said


def _seen(said: Said, options: list[str]) -> Said:
    text = ", ".join(options)
    if BLIND.search(text):
        return replace(said, grade=Grade.NOTHING, why=ALWAYS)
    return replace(said, grade=min(said.grade, Grade.CLOSE)) if MILD.search(text) else said
