"""How a claim is read: from the payload of an event to one reading per check. Pure, linear, and never raises.

Spec: events, evidence and confession; the rules, to the letter, are design section 8:

1. Terminal control sequences are dropped; another control character makes the checks on its line invalid.
2. One flat JSON object: its keys and values are the pairs. Otherwise text, cut at line ends and commas; blanks and tabs
   around a part and one list mark are dropped; the first colon parts key and value.
3. Unknown keys are ignored; a known one in another case, or without `: ` and a value, is invalid.
4. to 6. What values say: `events.values`.
7. Of a check that stands twice the worst reading counts: fail, then invalid, then pass.

Further text can only lower what stands before it. So when text follows a JSON object, which makes the whole of it text,
what the object holds still counts where it is not good. A payload of more than `MAX_CHARACTERS` is not read: every
required check is invalid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ralph.events.model import Check, CheckState, Reading
from ralph.events.notes import parts
from ralph.events.terminal import has_control, has_control_within_lines, stripped, without_control
from ralph.events.values import exact, form, invalid, of_json, of_text

MAX_CHARACTERS = 1 << 20

_ABSENT = Reading(state=CheckState.ABSENT)
_RANK = {CheckState.PASS: 0, CheckState.INVALID: 1, CheckState.FAIL: 2}
_LINE_END = re.compile(r"\r\n?|\n")
_LIST_MARKS = frozenset({"- ", "* ", "• "})
_MARK = "\ufeff"

Pair = tuple[Check, Reading]


def read(payload: str, checks: Iterable[Check]) -> Mapping[str, Reading]:
    """A reading of each check, in the order of `checks`; `absent` where the payload does not name it."""
    checks = tuple(checks)
    if len(payload) > MAX_CHARACTERS:
        reason = f"the payload is longer than {MAX_CHARACTERS} characters and was not read: send the evidence alone"
        return {check.name: invalid(None, reason) if check.required else _ABSENT for check in checks}
    known = {name: check for check in checks for name in (check.name, *check.aliases)}
    found: dict[str, Reading] = {}
    for check, reading in _pairs(stripped(payload), known):
        before = found.get(check.name)
        if before is None or _RANK[reading.state] > _RANK[before.state]:
            found[check.name] = reading
    return {check.name: found.get(check.name, _ABSENT) for check in checks}


def _pairs(payload: str, known: Mapping[str, Check]) -> list[Pair]:
    pairs, alone = _object(payload)
    if alone:
        return list(_of_object(pairs, known))
    texts = _of_text(payload, known)
    if texts and pairs:
        texts += [each for each in _of_object(pairs, known) if each[1].state is not CheckState.PASS]
    return texts


# --- text


def _of_text(payload: str, known: Mapping[str, Check]) -> list[Pair]:
    suspect = has_control_within_lines(payload)
    found = []
    for line in _LINE_END.split(payload) if "\r" in payload else payload.split("\n"):
        if ":" not in line:
            continue
        spoilt = suspect and has_control(line)
        for part in parts(line):
            pair = _of_part((without_control(part) if spoilt else part).strip(" \t"), known, spoilt)
            if pair is not None:
                found.append(pair)
    return found


def _of_part(part: str, known: Mapping[str, Check], spoilt: bool) -> Pair | None:
    key, colon, rest = part.partition(":")
    if not colon:
        return None
    if key[:2] in _LIST_MARKS:
        key = key[2:]
    check = known.get(key) or known.get(key.casefold())
    if check is None:
        return None
    if spoilt:
        return check, invalid(rest.strip(), "a control character stands on its line: send plain text")
    if key not in known:
        return check, _miswritten(check, key, rest.strip())
    if rest[:1] != " " or rest[1:2] in ("", " "):
        return check, invalid(rest.strip(), f"after `{key}` come a colon, exactly one blank and {form(check)}")
    return check, of_text(check, rest[1:])


def _miswritten(check: Check, key: str, value: str) -> Reading:
    return invalid(value, f"the key is written `{key}` instead of `{check.name}`")


# --- JSON


class _Object(list[tuple[str, Any]]):
    """The pairs of a JSON object, repeated keys included."""


def _refuse(constant: str) -> None:
    raise ValueError(constant)


_JSON = json.JSONDecoder(object_pairs_hook=_Object, parse_float=exact, parse_constant=_refuse)


def _object(payload: str) -> tuple[_Object, bool]:
    """The flat JSON object that the payload begins with, and whether it is all there is."""
    text = payload.lstrip(" \t\r\n").removeprefix(_MARK).lstrip(" \t\r\n")
    if not text.startswith("{"):
        return _Object(), False
    try:
        value, end = _JSON.raw_decode(text)
    except (ValueError, ArithmeticError, RecursionError):
        return _Object(), False
    if any(isinstance(each, list) for _, each in value):
        return _Object(), False
    return value, not text[end:].strip(" \t\r\n")


def _of_object(pairs: _Object, known: Mapping[str, Check]) -> Iterator[Pair]:
    for name, value in pairs:
        key = stripped(name)
        spoilt = has_control(key)
        if spoilt:
            key = without_control(key)
        check = known.get(key) or known.get(key.casefold())
        if check is None:
            continue
        if spoilt:
            yield check, invalid(str(value), "a control character stands in its key: send plain text")
        elif key not in known:
            yield check, _miswritten(check, key, str(value))
        else:
            yield check, of_json(check, value)
