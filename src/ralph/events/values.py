"""What the value of one check says (design section 8, rules 2 and 4 to 6).

- pass/fail: exactly `pass` or `fail`, at most one note after it, nothing behind.
- performance: `pass`, `ok`, `improved`, `no regression` are good, `fail` and `regression` bad; notes as above.
- numbers: without the notes exactly one number is left. Percentages lie in 0..100. A number beyond its limit is a fail.
- mutants: `pass`, `warn` or `fail`, and a score in a note; it never decides (see `events.warnings`).

What reads as neither good nor bad is invalid, with the reason. Nothing is rounded: 79.999999999999999999 is under 80.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal

from ralph.events.model import Check, CheckState, Reading
from ralph.events.notes import before_note, instead_of_notes
from ralph.events.terminal import has_control, stripped
from ralph.record import replace

_PASS = CheckState.PASS
_PASS_FAIL = {"pass": _PASS, "fail": CheckState.FAIL}
_PERFORMANCE = dict.fromkeys(("ok", "improved", "no regression"), _PASS) | {"regression": CheckState.FAIL}
_WORDS = {
    "pass": _PASS_FAIL,
    "performance": _PASS_FAIL | _PERFORMANCE,
    "mutants": _PASS_FAIL | {"warn": CheckState.FAIL},
}
_READINGS: Mapping[str, Mapping[str, Reading]] = {
    kind: {word: Reading(state=state, text=word) for word, state in words.items()} for kind, words in _WORDS.items()
}
_CONSTANTS = {"True": "true", "False": "false", "None": "null"}
_NOTE = "\0"
_NUMBER = re.compile(rf"(?:^{_NOTE}*+| )([0-9]++(?:\.[0-9]*+)?+)(?=[.% {_NOTE}]|\Z)")
_DIGIT = re.compile("[0-9]")
_PLAIN = 15
"""So many characters of a number a float holds exactly."""

Number = int | float | Decimal


def invalid(text: str | None, reason: str) -> Reading:
    return Reading(state=CheckState.INVALID, text=text, reason=reason)


def of_text(check: Check, value: str) -> Reading:
    """What is claimed in words."""
    words = _READINGS.get(check.kind)
    if words is None:
        number = _only_number(value)
        if number is None:
            return invalid(value, f"exactly one number must stand in it, {form(check)}")
        return _of_number(check, value, number)
    plain = words.get(value)
    if plain is not None:
        return plain
    noted = words.get(before_note(value))
    if noted is None:
        return invalid(value, f"it must be exactly {form(check)}, with at most one note in parentheses after it")
    return replace(noted, text=value, value=_score(value) if check.kind == "mutants" else None)


def of_json(check: Check, value: object) -> Reading:
    """What is claimed by a value of a JSON object."""
    if isinstance(value, str):
        value = stripped(value)
        if has_control(value):
            return invalid(value, "a control character stands in it: send plain text")
        return of_text(check, value)
    text = _CONSTANTS.get(str(value), str(value))
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return invalid(text, f"it must be {form(check)}")
    if check.kind not in ("percent", "number"):
        return invalid(text, f"it must be {form(check)}, as text")
    if value < 0 or not math.isfinite(_approximate(value)):
        return invalid(text, "a number must be finite and not negative")
    return _of_number(check, text, value)


def exact(text: str) -> float | Decimal:
    """The number that the digits say, as they say it."""
    return float(text) if len(text) <= _PLAIN or "e" in text.lower() else Decimal(text)


def form(check: Check) -> str:
    """What the value of a check looks like."""
    if check.kind == "percent":
        return "a percentage such as `82` or `82%`"
    if check.kind == "number":
        return "a number such as `7` or `7.5`"
    *some, last = (f"`{word}`" for word in _WORDS[check.kind])
    return f"{', '.join(some)} or {last}"


def limit(check: Check) -> str | None:
    """The limit of a number in words."""
    sign = "%" if check.kind == "percent" else ""
    bounds = (("at least", check.at_least), ("at most", check.at_most))
    said = [f"{words} {bound:g}{sign}" for words, bound in bounds if bound is not None]
    return " and ".join(said) or None


def _of_number(check: Check, text: str, number: Number) -> Reading:
    value = _approximate(number)
    if not math.isfinite(value):
        return invalid(text, "the number is too large to be one")
    if check.kind == "percent" and number > 100:
        return invalid(text, "a percentage lies between 0 and 100")
    if (check.at_least is not None and number < check.at_least) or (
        check.at_most is not None and number > check.at_most
    ):
        return Reading(state=CheckState.FAIL, text=text, value=value, reason=f"it must be {limit(check)}")
    return Reading(state=_PASS, text=text, value=value)


def _only_number(value: str) -> float | Decimal | None:
    value = instead_of_notes(value, _NOTE)
    match = _NUMBER.search(value)
    if match is None or _has_digit(value[: match.start(1)]) or _has_digit(value[match.end(1) :]):
        return None
    return exact(match[1])


def _has_digit(text: str) -> bool:
    """Whether a digit or another sign for a number is in it, of whatever script: `½`, `²`, `٣`."""
    if text.isascii():
        return _DIGIT.search(text) is not None
    return any(unicodedata.category(character).startswith("N") for character in text)


def _score(value: str) -> float | None:
    """The number in the note of a mutation claim."""
    note = value[len(before_note(value)) :].strip(" ")
    number = _only_number(note[1:-1]) if note else None
    return float(number) if number is not None and number <= 100 else None


def _approximate(number: Number) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
