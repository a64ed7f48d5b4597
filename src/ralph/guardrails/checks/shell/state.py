"""Where a script stands while it is run in thought, and how two ways of getting there become one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

import tree_sitter

from ralph.guardrails.checks.shell.script import Script, Variables
from ralph.record import record, replace

Flow = Literal["", "exit", "return", "break", "continue"]
Doubt = Literal["variable", "argument", "program"]
"""What decided between two ways: a variable of the environment, an argument of the script, what a program found."""

MAX_STATES = 48


class Unfathomable(Exception):
    """The script has too many ways to think all of them through."""


@record
class State:
    status: int = 0
    held: tuple[tuple[str, str | None], ...] = ()
    errexit: bool = False
    pipefail: bool = False
    flow: Flow = ""
    reached: bool = False
    """The check that fails was run."""
    doubts: frozenset[Doubt] = frozenset()
    job: int = 0
    """The status of what runs in the background."""
    traps: tuple[tuple[str, str], ...] = ()
    spent: bool = False
    """The check failed in a round of a loop, and does not in the next (see `Runner.once`)."""

    @property
    def variables(self) -> Variables:
        return {**dict(self.held), "?": str(self.status)}

    def ends(self, status: int) -> State:
        return replace(self, status=status)

    def flows(self, flow: Flow) -> State:
        return replace(self, flow=flow)

    def sets(self, name: str, value: str | None) -> State:
        others = tuple(pair for pair in self.held if pair[0] != name)
        return replace(self, held=tuple(sorted((*others, (name, value)), key=lambda pair: pair[0])))

    def doubting(self, doubt: Doubt) -> list[State]:
        """Both ways of what cannot be known."""
        doubted = replace(self, doubts=self.doubts | {doubt})
        return [doubted.ends(0), doubted.ends(1)]

    def back_in(self, outer: State) -> State:
        """What is left of a subshell or another shell when it ends: its status and what it ran."""
        return replace(
            outer, status=self.status, reached=self.reached, doubts=self.doubts, job=max(self.job, outer.job)
        )


def merged(states: Iterable[State]) -> list[State]:
    """Ways that meet again are one; what decided between them no longer matters."""
    found: dict[State, frozenset[Doubt]] = {}
    for state in states:
        bare = replace(state, doubts=frozenset())
        found[bare] = found[bare] & state.doubts if bare in found else state.doubts
    if len(found) > MAX_STATES:
        raise Unfathomable
    return [replace(bare, doubts=doubts) for bare, doubts in found.items()]


class Runner(Protocol):
    """What the parts of a run in thought ask of it."""

    script: Script
    once: bool
    """Of the rounds of a loop only the first one in which the check runs makes it fail."""

    def sequence(self, nodes: Sequence[tree_sitter.Node], state: State, tested: bool) -> list[State]: ...

    def one(self, node: tree_sitter.Node, state: State, tested: bool) -> list[State]: ...

    def settled(self, states: Iterable[State], tested: bool) -> list[State]: ...

    def run_inside(self, node: tree_sitter.Node, state: State) -> State: ...
