"""What cibuildwheel tests its wheels with: checks of the lattice for `test-command` and `test-skip`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, words
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

RUNNER = later(r"\b(?:pytest|py\.test|unittest|nose2?|tox|nox|ctest|stestr|ward|manage\.py)\b")
FORGIVEN = later(r"\|\|\s*(?:true|:|exit 0|echo\b)|;\s*(?:true|exit 0)\s*$")
EVERY = later(r"\*|cp\*|\*-\*")


def kept_runner() -> Check:
    """A command that ran tests goes on doing so."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node) if node is not None and node.value else "" for node in (before, after))
        lost = RUNNER.search(was) and not RUNNER.search(now)
        if lost or (FORGIVEN.search(now) and not FORGIVEN.search(was)):
            yield Worse(node=after, text=f"is {cut(now, 80)}" if now else "is gone")

    return check


def no_more_skipped() -> Check:
    """Builds whose tests are left out; some of them are for a person."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ({part for item in words(node) for part in canonical(item).split()} for node in (before, after))
        for name in sorted(new - old):
            yield Worse(node=after, text=f"gains {cut(name, 80)}", minor=not EVERY.fullmatch(name))

    return check
