"""Assertions of type tests that the code around them answers (policy set v2, class G05): TypeScript.

Rules, of what no assertion of the new test stands for:

- `expectError(log("%s", {}))` said that a call is refused, and the same call stands there by itself now: it has to be
  accepted. That is another answer, and no question less.
- `expectAssignable<Level>(level)` asked whether a value fits the very type with which the test declares it, and still
  does: `const level: Level = "debug"`. The compiler refuses one that does not.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts
from ralph.record import replace
from ralph.system.patterns import later

REFUSED, FITS = "fails to compile", "fits type"
SPACE = later(r"\s+")
REFUSING = later(r"expectError(?:<[^()]*>)?\((?P<call>.+\))\);?")
TEXT = later(r"\"(?:[^\"\\\n]|\\.)*\"")
PLACE = later(r"%[a-zA-Z]")
PLACED = later(r"\"[^\"\n]*%[a-zA-Z]")
NAMED = later(r"\((?P<name>[A-Za-z_$][\w$]*)\)")


def accepted(old: Check, before: Facts, after: Facts) -> Check | None:
    """That the call is accepted, where it was to be refused."""
    refusing = REFUSING.fullmatch(_written(old.snippet)) if old.relation == REFUSED else None
    if refusing is None:
        return None
    call, was, now = refusing["call"], before.body, after.body
    if PLACED.search(call) and not _stands(call, now):  # what a text says around its places is nothing to the compiler
        call, was, now = (TEXT.sub(_places, each) for each in (call, was, now))
    return replace(old, relation="compiles") if _stands(call, now) and not _stands(call, was) else None


def _places(text: re.Match[str]) -> str:
    """Of a text with places for values nothing but them."""
    places = "".join(PLACE.findall(text[0]))
    return f'"{places}"' if places else text[0]


def is_declared(old: Check, after: Facts) -> bool:
    """The value that was to fit a type is declared with that type."""
    named = NAMED.search(_written(old.snippet)) if old.relation == FITS and old.wanted else None
    if named is None:
        return False
    declared = rf"(?:const|let|var){re.escape(named['name'])}:{re.escape(_written(old.wanted))}="
    return re.search(declared, after.body) is not None


def _stands(call: str, body: str) -> bool:
    """As a statement of its own: neither handed to anything nor asked for anything."""
    return re.search(rf"(?<![\w$.(,=:!&|?<>+*-]){re.escape(call)}(?![.\[(?!,])", body) is not None


def _written(text: str) -> str:
    """As the body of a test is written."""
    return SPACE.sub("", text).replace("'", '"')
