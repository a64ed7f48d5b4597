"""What was refused is done now, and the test asks what came of it (policy set v2, class G05).

Rule: the call that had to raise stands in the test by itself, outside of what has to raise, and a new assertion
wants one certain value of what it was called on, or of something that it was given: the file whose name it got, the
list that it was to fill. That is another answer to the same question, as where the value of the call itself is wanted.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.rows.sources import parts_of_list
from ralph.guardrails.inventory.wanted.values import PUT_OFF, is_refusal
from ralph.system.patterns import later

CALLED = later(r"(?:(?P<owner>[a-z_]\w*(?:\.[a-z_]\w*)*)\.)?(?<!\w)(?P<name>[a-zA-Z_]\w*[!?]?)$")
TEXT = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
AS_TEXT = later(r"(?:str|String|repr|os\.fspath)\((?P<inner>.*)\)|(?P<of>.*)\.(?:to_s|toString\(\)|ToString\(\))")
TELLING = later(r"[\"'(]")
SHORTEST = 5
"""Characters of an argument that stands for something of its own."""
LONGEST = 600


def shows_outcome(new: Check, refused: Check, pair: Pair) -> bool:
    if not is_refusal(refused) or is_refusal(new) or new.perhaps or new.grade is not Grade.EXACT or not new.known:
        return False
    said = PUT_OFF.sub("", refused.subject).strip("{} ;")
    opened = _opened(said) if said.endswith(")") and len(said) <= LONGEST else -1
    call = CALLED.search(said[:opened]) if opened > 0 else None
    if call is None or not _is_about(new.subject, call, said[opened + 1 : -1]):
        return False
    facts, named = pair.new.facts(), f"{call['name']}("
    refusing = sum(named in each.subject for each in facts.checks if is_refusal(each))
    return facts.body.count(named) > refusing


def _opened(said: str) -> int:
    """Where the last call opens, of which the text ends with the closing bracket."""
    plain, depth = TEXT.sub(lambda found: "_" * len(found[0]), said), 0
    for at in range(len(plain) - 1, -1, -1):
        depth += (plain[at] in ")]}") - (plain[at] in "([{")
        if not depth:
            return at
    return -1


def _is_about(subject: str, call: re.Match[str], given: str) -> bool:
    owner = call["owner"]
    if owner and re.match(rf"{re.escape(owner)}[.\[]", subject) and call["name"] not in subject:
        return True
    return any(len(each) >= SHORTEST and TELLING.search(each) and each in subject for each in _given(given))


def _given(text: str) -> list[str]:
    found = []
    for part in parts_of_list(text):
        plain = AS_TEXT.fullmatch(part)
        found.append((plain["inner"] or plain["of"]) if plain is not None else part)
    return found
