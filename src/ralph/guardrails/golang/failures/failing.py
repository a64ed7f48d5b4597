"""Go: under which conditions a test fails, whatever its assertions are spelled with (see `inventory.failures.failing`).

A test is gone through as it runs. What a variable was last given takes its place, so that `err = X(); NoError(t, err)`
and `NoError(t, X())` are one. Each place that fails the test is written as what holds there: the conditions around it,
those under which an earlier branch did not leave, and the opposite of what it asserts (see `meaning`). A test that is
not understood (too many ways, a `goto`, what catches a panic) has no ways.

A condition that testify waits for (`Eventually`) fails the test where it gives `false`, or does not hold (`polled`).
What a function beside the test sends to it through a channel of its own, once, is what it receives (`channels`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.golang.assertions.asserts import OF_PACKAGE, TESTING, fails, is_receiver, named_call
from ralph.guardrails.golang.branches import is_failure
from ralph.guardrails.golang.failures.channels import Channels
from ralph.guardrails.golang.failures.meaning import Cases, Env, Meaning, given, is_possible, written
from ralph.guardrails.inventory.model import Way
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

NOT_UNDERSTOOD = later(r"\brecover\(\)|\bgoto\b|\bfallthrough\b")
LEAVES = frozenset({"return_statement", "continue_statement", "break_statement"})
LEAVING = later(r"(?:panic|os\.Exit|runtime\.Goexit|\w+\.(?:Skip|Skipf|SkipNow))\(")
SWITCHES = frozenset({"expression_switch_statement", "type_switch_statement", "select_statement"})
SLEPT = "+time.Sleep"
"""Some time has passed: no condition, but something that holds from there on."""
MOST = 12
"""States in which a place may be reached, of which more are not followed."""
LONGEST = 20_000
"""Statements gone through, each as often as there are ways to it."""


@record
class State:
    """What holds at a place, and what the variables were given last."""

    holds: frozenset[str]
    env: Env


class TooManyError(Exception):
    """Nobody follows so many states."""


Branch = tuple[Cases, tree_sitter.Node | None]
"""When it is taken, and what it does."""


def ways_of(body: tree_sitter.Node, source: Source, numbers: Mapping[str, tree_sitter.Node]) -> tuple[Way, ...]:
    """`numbers` are those to which the file gives names outside of its tests."""
    running, known = Running(source, Channels(text_of(body))), {name: text_of(each) for name, each in numbers.items()}
    try:
        if NOT_UNDERSTOOD.search(text_of(body)) is None:
            running.block(body, [State(frozenset(), known)])
    except (TooManyError, RecursionError):  # nested deeper than anybody writes
        return ()
    return tuple(running.ways)


class Running:
    """One run through a test. Where it failed before nobody asks further: it fails whatever comes then."""

    def __init__(self, source: Source, channels: Channels) -> None:
        self.ways: list[Way] = []
        self._source = source
        self._channels = channels
        self._polling: tree_sitter.Node | None = None
        """The call that waits for the function that is gone through."""
        self._gone_through = 0
        self._left = 0
        """How often something left without having failed."""

    def block(
        self, node: tree_sitter.Node | None, states: list[State], branch: tree_sitter.Node | None = None
    ) -> list[State]:
        """The states behind the statements of a block, which may be a branch of an `if`."""
        for statement in _statements(node):
            self._gone_through += len(states)
            if len(states) > MOST or self._gone_through > LONGEST:
                raise TooManyError
            states = self._statement(statement, states, branch)
        return states

    def _statement(self, node: tree_sitter.Node, states: list[State], branch: tree_sitter.Node | None) -> list[State]:
        if node.type == "return_statement" and self._polling is not None:
            return self._answer(node, states, self._polling)
        if node.type in LEAVES or LEAVING.match(text_of(node)):
            self._left += bool(states)
            return []
        if node.type == "if_statement":
            return [behind for state in states for behind in self._if(node, state)]
        if node.type == "for_statement":
            return [self._loop(node, state) for state in states]
        if node.type in SWITCHES:
            return [behind for state in states for behind in self._switch(node, state)]
        if node.type == "expression_statement" and node.named_children:
            return self._call(node.named_children[0], states, branch)
        if node.type == "send_statement":
            for state in states:
                self._channels.note(node, state.holds, written(node.named_children[-1], state.env))
        self._closures(node, states, node.type)
        sent = self._channels.sent_by(node, states[0].holds | {f"+{node.type}"}) if len(states) == 1 else {}
        return [State(each.holds | _set_in(node), {**given(node, each.env), **sent}) for each in states]

    def _call(self, node: tree_sitter.Node, states: list[State], branch: tree_sitter.Node | None) -> list[State]:
        """A call that fails, one that asserts, or one that is handed a function."""
        if fails(node):
            self._fail(states, [frozenset()], [node, branch] if branch is not None else [node])
            return []
        package, name, listed = named_call(node)
        if is_receiver(package, node):
            whole = OF_PACKAGE.fullmatch(package) is not None
            arguments = list(listed[1:]) if whole else list(listed)
            if not whole or (listed and TESTING.fullmatch(text_of(listed[0]))):
                for state in states:
                    self._fail([state], Meaning(state.env).refused(name, arguments), [node])
        if name.removesuffix("f") == "Eventually" and is_receiver(package, node):
            self._poll(node, states)
        else:
            self._closures(node, states, "" if name == "Run" else f"{package}.{name}")
        slept = frozenset({SLEPT} if (package, name) == ("time", "Sleep") else ())
        return [State(each.holds | slept, given(node, each.env)) for each in states]

    def _poll(self, call: tree_sitter.Node, states: Iterable[State]) -> None:
        """What is waited for: a function that gives a condition, whatever it gave to variables before."""
        left, outer = self._left, self._polling
        self._polling = call
        for literal in _literals(call):
            for state in states:
                inside = State(state.holds, _without(state.env, _changed(literal)))
                self.block(literal.child_by_field_name("body"), [inside])
        self._left, self._polling = left, outer

    def _answer(self, node: tree_sitter.Node, states: list[State], call: tree_sitter.Node) -> list[State]:
        """What a function that is waited for gives: where it gives `false`, the test has failed."""
        values = [each for listed in node.named_children for each in listed.named_children]
        never = [text_of(value) for value in values] == ["false"]
        self._left += bool(states) and not never
        for state in states if len(values) == 1 and values[0].type != "true" else ():
            cases = [frozenset[str]()] if never else Meaning(state.env).cases(values[0], positive=False)
            self._fail([state], cases, [call], polled=True)
        return []

    def _fail(
        self, states: Iterable[State], cases: Cases, nodes: Sequence[tree_sitter.Node], *, polled: bool = False
    ) -> None:
        spots = tuple((node.start_point.row + self._source.first_line, node.start_point.column + 1) for node in nodes)
        for state in states:
            holding = (state.holds | case for case in cases)
            slept = SLEPT in state.holds
            self.ways += [Way(holds - {SLEPT}, spots, polled, slept) for holds in holding if is_possible(holds)]

    def _if(self, node: tree_sitter.Node, state: State) -> list[State]:
        first, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
        inside = State(state.holds, given(first, state.env)) if first is not None else state
        meaning = Meaning(inside.env)
        branches: list[Branch] = [
            (
                meaning.cases(condition, positive=positive) if condition is not None else [],
                node.child_by_field_name(name),
            )
            for positive, name in ((True, "consequence"), (False, "alternative"))
        ]
        declares = first is not None and first.type == "short_var_declaration"
        behind = self._choice(node, inside, branches)
        return [State(each.holds, state.env) for each in behind] if declares else behind

    def _choice(self, node: tree_sitter.Node, state: State, branches: Iterable[Branch]) -> list[State]:
        """What is behind the branches. Where none left without having failed, it does not matter which was taken."""
        left, ends = self._left, list[State]()
        for cases, block in branches:
            holding = (state.holds | case for case in cases)
            into = [State(holds, state.env) for holds in holding if is_possible(holds)]
            if block is not None and block.type == "if_statement":
                ends += [behind for each in into for behind in self._if(block, each)]
            else:
                ends += self.block(block, into, node)
        if self._left == left and all(each.env == state.env for each in ends):
            return [state]
        return ends

    def _loop(self, node: tree_sitter.Node, state: State) -> State:
        """Behind a loop nobody knows what it gave to variables, nor whether a `return` left it."""
        head = text_of(node).partition("{")[0].strip()
        env = _without(state.env, _changed(node))
        left = self._left
        self.block(node.child_by_field_name("body"), [State(state.holds | {f"+{head}"}, env)])
        returned = any(each.type == "return_statement" for each in _own(node))
        self._left = left + returned
        return State(state.holds | {f"-left {head}"} if returned else state.holds, env)

    def _switch(self, node: tree_sitter.Node, state: State) -> list[State]:
        """Each case under its own head; of a `switch` without a value that is a condition, and none before it held."""
        value = node.child_by_field_name("value")
        plain = node.type == "expression_switch_statement" and value is None
        meaning, others = Meaning(state.env), [frozenset[str]()]
        branches: list[Branch] = []
        listed = [each for each in node.named_children if each.type.endswith("_case")]
        for case in listed:
            asked = case.child_by_field_name("value")
            if plain and asked is not None and len(asked.named_children) == 1:
                holds = meaning.cases(asked.named_children[0])
                branches.append(([one | more for one in others for more in holds], case))
                fails = meaning.cases(asked.named_children[0], positive=False)
                others = [one | more for one in others for more in fails]
            elif case.type == "default_case" and plain:
                branches.append((others, case))
            elif case.type == "communication_case" and all(_is_failing(each) for each in listed if each != case):
                branches.append(([frozenset()], case))
            else:
                told = text_of(asked or case).partition("\n")[0]
                branches.append(([frozenset({f"+{text_of(value) if value else node.type} is {told}"})], case))
        if len(others) > MOST:
            raise TooManyError
        return self._choice(node, State(state.holds, _without(state.env, _changed(node))), branches)

    def _closures(self, node: tree_sitter.Node, states: list[State], why: str) -> None:
        """What a function that is handed on asserts: that of `t.Run` as if it stood there."""
        left, outer = self._left, self._polling
        self._polling = None
        for literal in _literals(node):
            names = text_of(literal.child_by_field_name("parameters") or literal).replace("(", " ").split()
            for state in states:
                inside = State(state.holds | {f"+{why}"} if why else state.holds, _without(state.env, set(names)))
                self.block(literal.child_by_field_name("body"), [inside])
        self._left, self._polling = left, outer


def _statements(node: tree_sitter.Node | None) -> Iterator[tree_sitter.Node]:
    for each in node.named_children if node is not None else ():
        if each.type in ("statement_list", "block"):
            yield from _statements(each)
        elif each.type != "comment":
            yield each


def _is_failing(case: tree_sitter.Node) -> bool:
    """One that fails the test, as its first statements say."""
    return any(map(is_failure, _statements(case)))


def _set_in(node: tree_sitter.Node) -> frozenset[str]:
    """What a statement gives a member or an element, as one more thing that holds: conditions may ask it."""
    left = node.child_by_field_name("left") if node.type == "assignment_statement" else None
    members = [each for each in left.named_children if each.type != "identifier"] if left is not None else []
    return frozenset({f"+{' '.join(text_of(node).split())}"}) if members else frozenset()


def _literals(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The functions written in a statement, not those in them."""
    if node.type == "func_literal":
        return [node]
    return [literal for child in node.named_children for literal in _literals(child)]


def _own(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """All that is in a statement, without the functions written in it."""
    yield node
    for child in node.named_children:
        if child.type != "func_literal":
            yield from _own(child)


def _changed(node: tree_sitter.Node) -> set[str]:
    """The variables that something in a statement, or in this function, gives a value."""
    lefts = (each.child_by_field_name("left") for each in _own(node))
    return {text_of(name) for left in lefts if left is not None for name in left.named_children}


def _without(env: Env, names: set[str]) -> Env:
    return {name: value for name, value in env.items() if name not in names}
