"""What each check of the base has become: the nearest one of the head that does the same work.

First the same command, then the same program (a script of a package, whatever runs it: `npm test`, `pnpm test`), then
the same kind of check (a linter that another one replaces), each in its own script, target or job, then in its own
file, then in what runs it (CI, hooks, people). A check that leads to others by name stands for those.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.tables import INTERPRETERS, PROGRAMS, SCRIPTS
from ralph.guardrails.checks.reach import Reach, program

FORMATTERS = frozenset(
    (
        "prettier",
        "oxfmt",
        "black",
        "isort",
        "gofmt",
        "rustfmt",
        "ruff-format",
        "ruff format",
        "biome format",
        "deno fmt",
        "dprint",
    )
)
"""They look at the layout only: none stands for a linter."""

Slot = Callable[[Gate], tuple[object, ...]]
RUN = frozenset(("run", "run-script"))


def _script(gate: Gate) -> str:
    """The same for `npm run lint`, `pnpm lint` and `yarn lint`."""
    own = [word for word in program(gate).split()[1:] if word not in RUN]
    return " ".join(("script", *own)) if gate.words[0] in SCRIPTS and own else program(gate)


def _of_hook_alone(gate: Gate) -> Kind | None:
    """The kind of check that a hook of the project's own does: under its name it may come to do another one."""
    own = gate.words[0] == "hook" and len(gate.words) > 2 and gate.kind != "named"
    return gate.kind if own else None


SAME: tuple[Slot, ...] = (
    lambda gate: (gate.words, gate.path, gate.slot),
    lambda gate: (program(gate), gate.path, gate.slot, _of_hook_alone(gate)),
    lambda gate: (_script(gate), gate.path, gate.slot, _of_hook_alone(gate)),
    lambda gate: (gate.words, gate.path),
    lambda gate: (gate.words, gate.place),
    lambda gate: (program(gate), gate.path, _of_hook_alone(gate)),
    lambda gate: (_script(gate), gate.path, _of_hook_alone(gate)),
    lambda gate: (program(gate), gate.slot, gate.place, _of_hook_alone(gate)),
    lambda gate: (program(gate), gate.place, _of_hook_alone(gate)),
)


class Pair(NamedTuple):
    was: Gate
    now: Gate | None
    replaced: bool = False
    """Another program does its work now."""


def pairs(old: Iterable[Gate], new: Iterable[Gate], before: Reach, after: Reach) -> tuple[list[Pair], list[Gate]]:
    """The checks of the base with what they became, and those of the head that became of none."""
    found: list[Pair] = []
    left = list(old)
    fresh = list(_without_repeats(left, list(new)))
    for slot in SAME:
        waiting: dict[tuple[object, ...], list[Gate]] = defaultdict(list)
        for gate in fresh:
            waiting[slot(gate)].append(gate)
        rest = []
        for gate in left:
            if same := waiting[slot(gate)]:
                found.append(Pair(gate, same.pop(_least_flawed(gate, same))))
            else:
                rest.append(gate)
        left, fresh = rest, [gate for gates in waiting.values() for gate in gates]
    return [*found, *_replaced(left, fresh, before, after)], fresh


def _without_repeats(old: list[Gate], new: list[Gate]) -> Iterator[Gate]:
    """A command whose failure was lost already, and that is there once more, is no check that another one became."""
    had, has, kept = Counter(map(_as_it_is, old)), Counter(map(_as_it_is, new)), Counter[tuple[object, ...]]()
    for gate in new:
        this, sound = _as_it_is(gate), (gate.words, gate.path, gate.slot)
        if "lost" in gate.flaws and 0 < had[this] <= kept[this] and had[sound] <= has[sound]:
            continue
        kept[this] += 1
        yield gate


def _as_it_is(gate: Gate) -> tuple[object, ...]:
    return gate.words, gate.path, gate.slot, *sorted(gate.flaws)


def _least_flawed(gate: Gate, candidates: list[Gate]) -> int:
    """Of several equal ones the one whose flaws it had already."""
    scores = [len(set(candidate.flaws) - set(gate.flaws)) for candidate in candidates]
    return scores.index(min(scores))


def _replaced(left: list[Gate], fresh: list[Gate], before: Reach, after: Reach) -> Iterator[Pair]:
    """One new check may take the place of several old ones."""
    for gate in left:
        kinds = before.kinds(gate)
        near = sorted((one for one in fresh if _comparable(gate, one)), key=lambda one: _distance(gate, one))
        now = next((one for one in near if _stands_for(gate, kinds, one, before, after)), None)
        yield Pair(gate, now, replaced=now is not None)


def _of_hook(gate: Gate) -> Kind | None:
    """The kind of check that a hook does, where its name is that of a program."""
    return PROGRAMS.get(program(gate)) if gate.words[0] == "hook" else None


def _comparable(gate: Gate, one: Gate) -> bool:
    return gate.path == one.path or gate.place == one.place


def _distance(gate: Gate, one: Gate) -> tuple[bool, bool]:
    return gate.path != one.path, gate.slot != one.slot


def _stands_for(gate: Gate, kinds: frozenset[str], one: Gate, before: Reach, after: Reach) -> bool:
    theirs = after.kinds(one)
    if program(one) in FORMATTERS and program(gate) not in FORMATTERS:
        return False
    if kinds and theirs:
        return kinds <= theirs
    if _of_hook(gate) in ("test", "types") and _of_hook(one) not in (None, _of_hook(gate)):
        return False
    if gate.kind == "named" or one.kind == "named":
        # What a name leads to is not known: another name in its place may mean the same, if it is known to do anything.
        if after.is_idle(one) and not before.is_idle(gate):
            return False
        if gate.path == one.path and gate.slot == one.slot:
            return True
        # `node --test` is none of the scripts that node runs.
        own = gate.kind != one.kind and INTERPRETERS.fullmatch(gate.words[0]) is not None
        if gate.words[0] == one.words[0] and not own:
            return True
        return gate.path == one.path and _is_spelled(gate, one, before, after)
    return False


def _is_spelled(gate: Gate, one: Gate, before: Reach, after: Reach) -> bool:
    from ralph.guardrails.checks.removed.ported_scripts import spells_all  # it asks for pairs itself

    return one.kind == "named" and spells_all(gate, one, before, after)
