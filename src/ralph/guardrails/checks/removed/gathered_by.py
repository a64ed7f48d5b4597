"""A check that is no longer run by itself, or by a name of its own, as another tool does its work (class G16).

Rule: what does all of its work (`gathered`, `gathered_by_*`) is run where it was run, be it by
a name: `npm run lint`, which runs `biome ci .` now, stands for `npm run format:check`, which ran `prettier --check .`.
A name that is still there, and that nothing calls any more, is missed, whatever it does now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.removed.gathered import gathered
from ralph.guardrails.checks.removed.gathered_by_biome import gathered_by_biome
from ralph.guardrails.checks.removed.gathered_by_ruff import gathered_by_ruff
from ralph.guardrails.checks.removed.gathered_by_vitest import gathered_by_vitest
from ralph.guardrails.config.side import Side

Gatherer = Callable[[Gate, Iterable[Gate], Side], Gate | None]
GATHERERS: tuple[Gatherer, ...] = (gathered, gathered_by_ruff, gathered_by_biome, gathered_by_vitest)


def gathered_by(was: Gate, others: Sequence[Gate], before: Reach, after: Reach) -> Gate | None:
    """The run that holds what the check did, or the name that leads to it; None where that cannot be told."""
    found = _held(was, others, after.side)
    stays = found is not None or _still_has_its_name(was, before, after)
    leaves = [leaf for leaf in before.leaves(was) if leaf.kind != "named"] if not stays else []
    for gate in others if leaves else ():
        theirs = list(after.leaves(gate))
        if any(leaf.flaws for leaf in theirs if leaf.kind == "named"):
            continue
        if all(_held(leaf, theirs, after.side) for leaf in leaves):
            return gate
    return found


def _still_has_its_name(was: Gate, before: Reach, after: Reach) -> bool:
    """The file that said what the name runs says something of it."""
    name = re.compile(rf"(?m)^[ \t]*[\"']?{re.escape(was.words[-1])}[\"']?[ \t]*[:=]")
    return any(name.search(after.side.text(step.path) or "") for step in before.steps(was))


def _held(leaf: Gate, others: Sequence[Gate], side: Side) -> Gate | None:
    return next(filter(None, (gather(leaf, others, side) for gather in GATHERERS)), None)
