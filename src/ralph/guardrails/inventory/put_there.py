"""Constants that a test newly gives to what it looks at, just before it does (policy set v2, class G05).

Rule: a statement that the base's test did not have gives a constant to a variable, a member or an item that came of a
call before; an assertion that the base had, too, looks at the very same behind it, in the same block, and nothing
between them names it: `r.net = 3; expect(r.net).toBe(3)`, `setattr(r, "net", 3)`, `r = Result{Net: 3}`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from ralph.guardrails.common.functions import depth
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.overwritten import CONSTANT
from ralph.system.patterns import later

PLACE = r"[$@]?[A-Za-z_]\w*(?:\.\w+|\[(?:\d+|\"[^\"\n]*\"|'[^'\n]*')\])*"
SETS = later(
    rf"\s*(?:(?P<path>{PLACE})\s*=(?![=>~])\s*(?P<value>\S[^\n]*?)"
    rf"|setattr\((?P<owner>\w+),\s*[\"'](?P<name>\w+)[\"'],\s*{CONSTANT}\)"
    rf"|Object\.assign\((?P<object>\w+),\s*\{{\s*(?P<key>\w+)\s*:\s*{CONSTANT}\s*\}}\))\s*"
)
LITERAL = later(rf"{CONSTANT}|(?:&?[A-Za-z][\w.]*)?\{{[^(){{}}]*\}}|[A-Z]\w*\([^()]*\)|\[[^()\[\]]*\]")
"""A constant, or an object that is written down."""
ASSERTS = later(r"(?i)\b(?:expect|assert\w*|require|should\w*|must\w*|verify|check\w*)\b|^\s*if\b.*(?:!=|!\w|==)")
NEAR = 30
"""Statements behind, in which the assertion is looked for; so many new ones are no small edit."""


def put_there(pair: Pair) -> str | None:
    """What is given a constant, and looked at; None if nothing is."""
    old = {each.strip() for each in _statements(pair.old.text)}
    new = _statements(pair.new.text)
    fresh = [number for number, each in enumerate(new) if each.strip() not in old]
    for number in fresh if len(fresh) <= NEAR else ():
        path = _given(new[number])
        if path and _came_of_call(path, new[:number], old) and _is_looked_at(path, new[number:], old):
            return path
    return None


def _statements(text: str) -> list[str]:
    return re.split(r"[;\n]", text)


def _given(statement: str) -> str:
    match = SETS.fullmatch(statement)
    if match is None or (match["value"] and not LITERAL.fullmatch(match["value"])):
        return ""
    return match["path"] or f"{match['owner'] or match['object']}.{match['name'] or match['key']}"


def _came_of_call(path: str, above: Sequence[str], old: Container[str]) -> bool:
    root = re.escape(_root(path))
    given = re.compile(rf"(?<![\w.]){root}\b[^=\n(]*:?=(?!=)[^\n]*\w\(|\bas[ \t]+{root}\b")
    return any(each.strip() in old and given.search(each) for each in above)


def _is_looked_at(path: str, statements: Sequence[str], old: Container[str]) -> bool:
    named, root = (re.compile(rf"(?<![\w.]){re.escape(each)}(?![\w(])") for each in (path, _root(path)))
    here, opened = depth(statements[0]), 0
    for each in statements[1:NEAR]:
        if opened - each.lstrip().startswith("}") < 0 or (each.strip() and depth(each) < here):
            return False
        opened += each.count("{") - each.count("}")
        if root.search(each):
            return bool(named.search(each) and ASSERTS.search(each) and each.strip() in old)
    return False


def _root(path: str) -> str:
    return re.split(r"[.\[]", path)[0]
