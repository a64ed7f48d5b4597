"""Expressions as written, with something else in the place of names (test inventory, class G05)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ralph.guardrails.inventory.lending.calling import NAME
from ralph.record import record
from ralph.system.patterns import later

_BEFORE_KEY = later(r"[{,] ?\Z")


@record
class Shown:
    """What a member of `this` stands for; that of a method, once it is called, by the names of its parameters."""

    text: str
    parameters: tuple[str, ...] | None = None

    def called_with(self, given: Sequence[str]) -> str:
        return put_in(self.text, dict(zip(self.parameters or (), given, strict=False)))


def put_in(text: str, given: Mapping[str, str]) -> str:
    """Keys of objects stay what they are."""

    def one(match: re.Match[str]) -> str:
        is_key = text[match.end() : match.end() + 1] == ":" and _BEFORE_KEY.search(text, 0, match.start()) is not None
        return match[0] if is_key else given.get(match[0], match[0])

    return NAME.sub(one, text)
