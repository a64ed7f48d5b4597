"""A wrong answer that a test puts right, and an error that it makes where none came (policy set v2, class G05).

Rules, for a statement that the base's test did not have; behind it the base's own assertion wants what it gives:

- Where the answer of a call is not what is wanted, it becomes so: `if (got !== 3) got = 3`.
- What only a handler gave a variable is there from the start, or where nothing was caught: `let error = new Error()`.
- A `try` of the base throws by itself what its handler was to catch.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ralph.guardrails.inventory.arranged.done import GIVES
from ralph.guardrails.inventory.arranged.edits import Edits, holds_wanted
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

CORRECTS = later(
    r"\s*if\b(?P<asked>[^{}\n]*?)(?::|\)|\{)\s*(?P<then>[$@]?[A-Za-z_][\w.]*\s*=(?![=>~])[^{}\n]*?)\s*\}?\s*"
    r"|\s*(?P<gives>[$@]?[A-Za-z_][\w.]*\s*=(?![=>~])[^{}\n]*?)\s+(?:if|unless)\s+(?P<case>[^{}\n]*?)\s*"
)
"""A value that is given under a condition, on one line."""
ASKS = later(r"\s*(?:\}\s*else\s+)?(?:if|unless)\b(?P<asked>.*)")
COMPARES = later(r"[!=<>]=|[<>]|(?<![\w.])(?:not\b|unless\b|!\w)")
MAKES_ERROR = later(
    r"\s*(?:(?:let|var|const)\s+)?(?P<path>[A-Za-z_]\w*)(?:\s*:\s*[\w<>|. ]+)?\s*(?:\?\?|\|\|)?=(?![=>~])\s*"
    r"(?:(?P=path)\s*(?:\?\?|\|\||\bor\b)\s*)?(?P<value>\S.*)"
)
ERROR = later(r"(?:new\s+)?[A-Z]\w*(?:Error|Exception)?\(.*\)|\{.*\}|Object\.assign\(.*\)")
CATCHES = r"\bcatch\b[^\n{{]*\{{\s*{name}\s*=(?!=)|\bexcept\b[^\n:]*:\s*{name}\s*=(?!=)"
THROWS = later(r"\s*(?:throw\s+new|raise)\s+\w+\s*\(.*\)\s*")
TRIES = later(r"\s*(?:\}\s*)?try\b\s*[:{]?\s*")


def corrected(edits: Edits) -> str | None:
    """The new statement that does it, as it is written; None if none does."""
    rules: tuple[Callable[[Edits, int, str], bool], ...] = (_corrects, _makes_error, _throws)
    for number in edits.fresh:
        statement = edits.whole(number)
        if any(rule(edits, number, statement) for rule in rules):
            return edits.new[number].strip()
    return None


def _corrects(edits: Edits, number: int, statement: str) -> bool:
    """It gives the answer of a call a value of its own, where that is not what is wanted."""
    one_line = CORRECTS.fullmatch(statement)
    here = _before(edits, number)
    if one_line is not None:
        asked, gives = one_line["asked"] or one_line["case"], one_line["then"] or one_line["gives"]
    elif (block := ASKS.match(here)) is not None and here.strip() not in edits.kept:
        asked, gives = block["asked"], statement
    else:
        return False
    match = GIVES.fullmatch(gives)
    if match is None or not COMPARES.search(asked):
        return False
    path = match["path"]
    was = re.compile(rf"(?<![\w.]){re.escape(path.partition('.')[0])}\b[^=\n(]*:?=(?![=>])[^\n]*\w\(")
    named = re.compile(rf"(?<![\w.]){re.escape(path)}(?![\w(])")
    if not named.search(asked) or not was.search(edits.was_said):
        return False
    return any(named.search(said) and _is_wanted_by(match["value"], said) for _, said in edits.asserted(number))


def _is_wanted_by(value: str, assertion: str) -> bool:
    """A constant that it wants, or the variable that it compares with."""
    plain = re.fullmatch(r"[A-Za-z_][\w.]*", value.strip())
    return (
        re.search(rf"(?<![\w.]){re.escape(plain[0])}(?![\w(])", assertion) is not None
        if plain
        else holds_wanted(value, assertion)
    )


def _before(edits: Edits, number: int) -> str:
    return next((each for each in reversed(edits.new[:number]) if each.strip()), "")


def _makes_error(edits: Edits, number: int, statement: str) -> bool:
    """What only a handler gave a variable, is there from the start or where nothing was caught."""
    one_line = CORRECTS.fullmatch(statement)
    match = MAKES_ERROR.fullmatch((one_line["then"] or one_line["gives"]) if one_line is not None else statement)
    if match is None or ERROR.fullmatch(match["value"].strip()) is None:
        return False
    name = re.escape(match["path"])
    if not re.search(CATCHES.format(name=name), edits.was_said):
        return False
    named = re.compile(rf"(?<![\w.]){name}(?![\w(])")
    return any(named.search(said) and holds_wanted(statement, said) for _, said in edits.asserted(number))


def _throws(edits: Edits, number: int, statement: str) -> bool:
    """At the end of a `try` of the base's, whose handler says what was wanted."""
    if THROWS.fullmatch(statement) is None:
        return False
    here = depth(edits.new[number])
    around = next((each for each in reversed(edits.new[:number]) if each.strip() and depth(each) < here), "")
    if TRIES.fullmatch(around) is None or not re.search(r"(?m)^\s*(?:\}\s*)?try\b", edits.was_said):
        return False
    return any(holds_wanted(statement, said) for _, said in edits.asserted(number))
