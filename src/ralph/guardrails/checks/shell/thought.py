"""A script run in thought: one check of it fails, everything else does what it should. Does the script fail?

- What a condition finds out cannot be known unless it is about the failure itself, so both ways are gone; so are those
  of a command whose success is asked for (`if`, `||`, `&&`). Elsewhere a command succeeds; so does one that only lists,
  copies or removes at the end of a function or group that a condition runs, behind the check in it.
- A function that is called by a name which only running could tell may run, or may not (`by_name`).
- `set -e`, `pipefail`, traps, `wait`, `$?`, functions, subshells and `sh -c` mean what they mean to a shell.
- A loop over a list runs, unless the list is empty; loops end after two rounds. The check fails in both, or, thought
  `once` more, in the first only: a loop that does not stop ends as its last round does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import tree_sitter

from ralph.guardrails.checks.failures.listings import asks, is_heard, is_lister, listed_in, name_of
from ralph.guardrails.checks.shell import commands, compounds
from ralph.guardrails.checks.shell.by_name import meant
from ralph.guardrails.checks.shell.conditions import WHO_OR_WHERE
from ralph.guardrails.checks.shell.outline import ARGUMENTS, Outline, shell_flags
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.shell.state import Flow, Runner, State, Unfathomable, merged
from ralph.record import record, replace

MAX_STEPS, MAX_CALLS = 4_000, 6
INSIDE = frozenset({"command_substitution", "process_substitution"})
TOLD = (["echo"], ["printf"], ["log"], ["cat"], ["exit"], ["return"], ["set"], ["shift"], ["true"], [":"])
"""They may say what a function was given, and do not run it."""
PLAIN_WORK = frozenset(
    (
        *(
            "du",
            "df",
            "ls",
            "cat",
            "mkdir",
            "rm",
            "rmdir",
            "cp",
            "mv",
            "touch",
            "chmod",
            "chown",
            "ln",
            "tar",
            "zip",
            "gzip",
        ),
        *("date", "sleep", "sync", "head", "tail", "wc", "sort", "tree", "uname", "hostname", "printenv", "pwd"),
    )
)
"""Programs that tell nothing of what was checked before them."""
GROUPS = frozenset(("compound_statement", "subshell"))
Kind = Callable[[Runner, tree_sitter.Node, State, bool], list[State]]
KINDS: dict[str, Kind] = {
    "list": compounds.list_,
    "pipeline": compounds.pipeline,
    "negated_command": compounds.negated,
    "redirected_statement": compounds.redirected,
    "subshell": compounds.subshell,
    "compound_statement": compounds.compound,
    "if_statement": compounds.if_,
    "while_statement": compounds.while_,
    "for_statement": compounds.for_,
    "c_style_for_statement": compounds.for_,
    "case_statement": compounds.case,
    "test_command": compounds.test,
    "variable_assignment": commands.assign,
    "variable_assignments": commands.assign,
    "declaration_command": commands.assign,
}


@record(frozen=False)
class Budget:
    steps: int = MAX_STEPS
    calls: int = 0

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise Unfathomable


class Thought:
    """Runs one script. `failing` is the place of the check that fails, from the outermost script inwards."""

    def __init__(
        self, outline: Outline, failing: Sequence[int], budget: Budget, *, once: bool = False, status: int = 1
    ) -> None:
        self.outline, self.script = outline, outline.script
        self.failing, self.deeper = failing[0], failing[1:]
        self.budget, self.once, self.status = budget, once, status
        checks = () if self.deeper else outline.checks.get(self.failing, ())
        lister = any(is_lister(check.words) for check in checks)
        self.lists = lister and is_heard(self.script, self.failing)
        """What fails lists something, and something else reads that."""
        self.given: list[bool] = []
        """For functions that run their arguments: whether these are the check that fails."""

    def run(self, state: State) -> list[State]:
        """Every way in which the script can end."""
        ends = self.sequence(self.script.root.children, state, False)
        return merged(end for state in ends for end in self._trap(state.flows(""), "EXIT"))

    def sequence(self, nodes: Sequence[tree_sitter.Node], state: State, tested: bool) -> list[State]:
        states, done = [state], []
        for index, node in enumerate(nodes):
            if node.type != "command" and node.type not in KINDS:
                continue
            background = index + 1 < len(nodes) and nodes[index + 1].type == "&"
            found: list[State] = []
            for each in states:
                found += self._in_background(node, each) if background else self.one(node, each, tested)
            found = merged(found)
            done += [each for each in found if each.flow]
            states = [each for each in found if not each.flow]
        return merged([*states, *done])

    def one(self, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
        self.budget.step()
        if node.type == "command":
            return self.settled(self._command(node, self.run_inside(node, state), tested), tested)
        run = KINDS.get(node.type)
        return run(self, node, state, tested) if run else [state]

    def settled(self, states: Iterable[State], tested: bool) -> list[State]:
        """A failure that nothing asks about ends a script with `set -e`."""
        found: list[State] = []
        for state in states:
            if state.flow or tested or not state.status:
                found.append(state)
            else:
                trapped = self._trap(state, "ERR")
                found += [each.flows("exit") if each.errexit and not each.flow else each for each in trapped]
        return found

    def run_inside(self, node: tree_sitter.Node, state: State) -> State:
        """Substitutions in a command's words run, and their status is nobody's."""
        if not node.start_byte <= self.failing < node.end_byte:
            return state
        for child in self.script.walk(node):
            if child.type in INSIDE and child.start_byte <= self.failing < child.end_byte:
                ends = self.sequence(child.children, state, False)
                reached = any(end.reached for end in ends)
                if self.lists and reached:
                    state = state.sets(name_of(child), listed_in(self.script, child))
                return replace(state, reached=state.reached or reached)
        return state

    def _in_background(self, node: tree_sitter.Node, state: State) -> list[State]:
        ends = self.one(node, state, False)
        return [replace(end.back_in(state), status=0, job=max(state.job, end.status)) for end in ends]

    def _command(self, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
        place, words = node.start_byte, self.script.words(node, state.variables)
        words = words[1:] if words[:1] == ["time"] and len(words) > 1 and words[1] in self.outline.functions else words
        body = self.outline.functions.get(words[0]) if words else None
        if place in self.outline.checks and body is not None:
            failing = place == self.failing and not self.deeper and not state.spent
            return self._passed_on(body, failing, state, tested)
        if self.given and words[:1] not in TOLD and any(ARGUMENTS.search(word) for word in words):
            return [replace(state, status=int(self.given[-1]), reached=state.reached or self.given[-1])]
        if place in self.outline.checks:
            failed = place == self.failing and not self.deeper and not state.spent
            run = self.outline.handed.get(place)
            counts = run is None or run.counts
            status = self.status if failed and counts and not self.lists else 0
            end = replace(state, status=status, reached=state.reached or failed)
            return [end.flows("exit") if words[:1] == ["exec"] else end]
        if place in self.outline.inner:
            deeper = self.deeper if place == self.failing else ()
            run = self.outline.handed.get(place)
            words = list(run.words) if run is not None else words
            ends = self._other_shell(self.outline.inner[place], deeper or (-1,), words, state, tested)
            return [end.ends(0) for end in ends] if run is not None and not run.counts else ends
        if not words:
            return [state.ends(0)]
        if body is not None:
            return self._function(body, state, tested)
        if called := meant(words[0], place, self.outline.functions):
            way = replace(state, doubts=state.doubts | {"argument"})
            return merged([way.ends(0), *(end for each in called for end in self._function(each, way, tested))])
        asked = asks(node, words, self.failing) if self.lists and state.reached else None
        if asked is not None:
            return [state.ends(asked)]
        found = commands.builtin(self, words, state, tested)
        if found is None:
            if state.reached and words[0] in PLAIN_WORK and node.parent is not None and node.parent.type in GROUPS:
                return [state.ends(0)]
            piped = node.parent if node.parent is not None and node.parent.type == "pipeline" else node
            return state.doubting("variable" if WHO_OR_WHERE.search(self.script.of(piped)) else "program")
        return found

    def _passed_on(self, body: tree_sitter.Node, failing: bool, state: State, tested: bool) -> list[State]:
        self.given.append(failing)
        ends = self._function(body, state, tested)
        self.given.pop()
        return ends

    def _other_shell(
        self, outline: Outline, failing: Sequence[int], words: Sequence[str], state: State, tested: bool
    ) -> list[State]:
        """`sh -c TEXT` is a shell of its own; `eval TEXT` is this one."""
        thought = Thought(outline, failing, self.budget, once=self.once, status=self.status)
        if words[0] == "eval":
            return thought.sequence(outline.script.root.children, state, tested)
        errexit, pipefail = shell_flags(words)
        fresh = replace(state, status=0, errexit=errexit, pipefail=pipefail, traps=())
        return [end.back_in(state) for end in thought.run(fresh)]

    def _trap(self, state: State, signal: str) -> list[State]:
        body = dict(state.traps).get(signal)
        if body is None:
            return [state]
        free = replace(state, traps=tuple(pair for pair in state.traps if pair[0] != signal), errexit=False)
        free = free.sets(commands.TRAPPED, str(state.status)) if signal == "EXIT" else free
        called = self.outline.functions.get(body)
        if called:
            ends = self._function(called, free, False)
        else:
            thought = Thought(replace(self.outline, script=Script(body), checks={}, inner={}), (-1,), self.budget)
            ends = thought.sequence(thought.script.root.children, free, False)
        # Within a function a trap may leave that, and nothing else.
        leaves: tuple[Flow, ...] = ("exit", "return") if self.budget.calls and signal == "ERR" else ("exit",)
        return [replace(state, status=end.status, flow=end.flow) if end.flow in leaves else state for end in ends]

    def _function(self, body: tree_sitter.Node, state: State, tested: bool) -> list[State]:
        self.budget.calls += 1
        if self.budget.calls > MAX_CALLS:
            raise Unfathomable
        ends = self.one(body, state, tested)
        self.budget.calls -= 1
        return [end.flows("") if end.flow == "return" else end for end in ends]
