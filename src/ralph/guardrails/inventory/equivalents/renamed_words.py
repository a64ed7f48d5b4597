"""Questions that differ in a word which the tests' own file gives to something (policy set v2, class G05).

    parent = ForeignKey(Parent, related_name="children")        parent = ForeignKey(Parent, related_name="kids")
    assert view("children__count") == [1, 2]                    assert view("kids__count") == [1, 2]

Rule: the question is the same but for words that the file has nowhere any more, which became one new word each; the
test itself says the old word, and so does something of the file that is no test: a model, a route, a helper. A word
that only tests say is what the product was given, and another one may be easier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

WORD = later(r"[^\W\d_]+")
COMMENT = later(r"(?m)(?:^|(?<=\s))(?:#|//).*$")


def only_renamed(old: Check, new: Check, test: Test, beside: Iterable[Test], texts: tuple[str, str]) -> bool:
    """`beside`: all tests of the file at the base; `texts`: the file before and after."""
    became = _became(old.subject, new.subject)
    if not became:
        return False
    before, after = map(_code, texts)
    said, bodies = test.facts().body, [each.facts().body for each in beside]
    return bool(after) and all(
        not _times(was, after)
        and _times(now, after) - _times(now, before) == _times(was, before)
        and _times(was, said)
        and _times(was, before) > sum(_times(was, body) for body in bodies)
        for was, now in became.items()
    )


@remembered(16)
def _code(text: str) -> str:
    return COMMENT.sub("", text)


def _became(old: str, new: str) -> dict[str, str]:
    """The old words with the new ones; nothing where more is different, or two words became one."""
    was, now = WORD.findall(old), WORD.findall(new)
    if WORD.split(old) != WORD.split(new):
        return {}
    pairs = {(one, other) for one, other in zip(was, now, strict=True) if one != other}
    became = dict(pairs)
    apart = len(became) == len(pairs) == len(set(became.values())) and not set(was) & set(became.values())
    return became if apart else {}


def _times(word: str, text: str) -> int:
    return len(re.findall(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])", text))
