"""Tests of Go that stand outside of the package that they are about: in files of `package token_test`.

What they call `token.Verify` is `Verify` to tests inside of it, and a test may move from one to the other.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Facts
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

OUTSIDE = later(rb"(?m)^package (\w+)_test\b")


def inside(facts: Facts, source: Source) -> Facts:
    """What the test asks, as a test inside of the package would write it."""
    package = source.memo.once("outside", lambda: _package(source))
    if package is None:
        return facts
    plain = (
        replace(each, subject=package.sub("", each.subject), wanted=package.sub("", each.wanted))
        for each in facts.checks
    )
    return replace(facts, checks=tuple(plain))


def _package(source: Source) -> re.Pattern[str] | None:
    """The name of the package before a name of its own; None for a file that is inside, or does not import it so."""
    name = OUTSIDE.search(source.data)
    if name is None or re.search(rb'^\s*(?:import )?"(?:[^"\n]*/)?%s"' % name[1], source.data, re.MULTILINE) is None:
        return None
    return re.compile(rf"(?<![\w.]){name[1].decode()}\.(?=[A-Z])")
