"""A text that is wanted whole, as before, with more around it that comes from what was handed in (policy set v2, G05).

Rule: `"timed out"` became `` `timed out: ${server().url}` ``. What fills the places is a plain member of what the
question hands to the function it looks at, and nothing of what that function itself gives: the old text is still
asked for, word for word, and what comes with it is known beforehand.
"""

from __future__ import annotations

from ralph.guardrails.commas import step
from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

TEXT = later(r"'(?P<said>[^'\\]*\w{3}[^'\\]*)'")
TEMPLATE = later(r"`(?P<said>[^`]*)`")
PLACE = later(r"\$\{([^{}]*)\}")
HANDED = later(r"\s*(?P<name>[\w$]{3,})\(\)(?:\.[\w$]+)+\s*")
QUOTED = later(r"'(?:[^'\\]|\\.)*'")


def says_more(new: Check, old: Check) -> bool:
    was, now = TEXT.fullmatch(old.wanted), TEMPLATE.fullmatch(new.wanted)
    if was is None or now is None or new.relation != old.relation or new.grade < old.grade:
        return False
    handed = [HANDED.fullmatch(place) for place in PLACE.findall(now["said"])]
    outside = _outside(new.subject)
    # A name that stands outside of all brackets is what the question is about.
    if not all(place is not None and place["name"] not in outside for place in handed):
        return False
    return _squeezed(was["said"]) in _squeezed(PLACE.sub(" ", now["said"]))


def _outside(subject: str) -> str:
    """What stands outside of all brackets; all of it where they do not pair."""
    depth, kept = 0, []
    text = QUOTED.sub("''", subject)
    for letter in text:
        depth += step(letter)
        if depth < 0:
            return text
        if not depth:
            kept.append(letter)
    return "".join(kept) if not depth else text


def _squeezed(text: str) -> str:
    return " ".join(text.split())
