"""Every command of a shell line, in the order and the folder in which the shell may run it.

Rules (design decision 23):

- Lists, pipes, subshells, loops, branches, functions and substitutions are all entered; a part that may run is judged.
- `cd` with a literal path moves what comes after. Where it may have failed, what follows is judged in both folders.
- Wrappers (`timeout`, `env`, `xargs`, `find -exec`, `bash -c`, `eval`) are opened until nothing is left to open.
- A function is judged where it is called, and where it is defined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.permissions import surroundings, words
from ralph.permissions.access import Spot
from ralph.permissions.answers import allow
from ralph.permissions.judge import Judge, Under
from ralph.permissions.model import Outcome
from ralph.permissions.programs.model import Arg, Call, Inner, Stdin, Use
from ralph.permissions.programs.registry import reader_of
from ralph.permissions.state import State
from ralph.permissions.trail import Trail
from ralph.record import record, replace
from ralph.shell.hazards import hazard
from ralph.shell.model import Group, Node, Redirect, Simple, Span, Unreadable, Word
from ralph.shell.read import read
from ralph.shell.second import disagreement

MAX_CALLS = 256
_MOVES = frozenset({"cd", "pushd", "popd"})
_LEAVES = frozenset({"exit", "return", "break", "continue"})
_INPUTS = frozenset({"<", "<>", "<&", "<<", "<<-", "<<<"})


@record
class Ways:
    """How a command may end: the state where it succeeded and where it failed; None for a way that cannot be."""

    ok: State | None
    failed: State | None

    def either(self, otherwise: State) -> State:
        return _merged(self.ok, self.failed) or otherwise


class Walk:
    """One line, from its text to the decisions about everything that it may run."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.trail = Trail()

    def line(self, text: str, state: State, span: Span | None = None) -> State:
        """Read a line and go through it. `span` is where it stands in the line that a person sees."""
        with self.trail.deeper(span) as reached:
            if not reached:
                return state
            script = hazard(text) or read(text)
            if isinstance(script, Unreadable):
                self.trail.deny(script.code, script.reason, script.span)
                return state
            before = len(self.trail.decisions)
            ways = self.node(script, state, Stdin())
            if all(each.outcome is not Outcome.DENY for each in self.trail.decisions[before:]):
                doubt = disagreement(text, script)
                if doubt:
                    self.trail.deny(doubt.code, doubt.reason, doubt.span)
            return ways.either(state)

    def node(self, node: Node, state: State, stdin: Stdin) -> Ways:
        if isinstance(node, Simple):
            return self.simple(node, state, stdin)
        stdin = self.redirects(node.redirects, state, stdin)
        for word in node.values:
            self.substitutions(word, state)
        match node.kind:
            case "list":
                return self.list(node, state, stdin)
            case "block" | "timed":
                return self.block(node, state, stdin)
            case "pipeline":
                return self.pipeline(node, state, stdin)
            case "subshell" | "background":
                ways = self.block(node, state, stdin)
                return Ways(state if ways.ok else None, state)
            case "function":
                return self.function(node, state)
            case "test":
                self.trail.decisions.append(allow("shell: test", "`[[` only compares", self._span(node.span)))
                return Ways(state, state)
            case "for":
                return self.loop(node, self._values(node, state), stdin)
            case "loop":
                return self.loop(node, state, stdin)
            case "branch":
                return Ways(*(self.anywhere(node, state, stdin),) * 2)

    def list(self, group: Group, state: State, stdin: Stdin) -> Ways:
        ways = self.node(group.parts[0], state, stdin)
        operators = group.operators or (";",) * (len(group.parts) - 1)
        for operator, part in zip(operators, group.parts[1:], strict=True):
            if operator == "&&":
                then = self.node(part, ways.ok or state, stdin)
                ways = Ways(then.ok if ways.ok else None, _merged(ways.failed, then.failed if ways.ok else None))
            elif operator == "||":
                then = self.node(part, ways.failed or state, stdin)
                ways = Ways(_merged(ways.ok, then.ok if ways.failed else None), then.failed if ways.failed else None)
            else:
                ways = self.node(part, ways.either(state), stdin)
        return ways

    def block(self, group: Group, state: State, stdin: Stdin) -> Ways:
        ways = Ways(state, state)
        for part in group.parts:
            ways = self.node(part, ways.either(state), stdin)
        return ways

    def pipeline(self, group: Group, state: State, stdin: Stdin) -> Ways:
        if len(group.parts) == 1:
            ways = self.node(group.parts[0], state, stdin)
            return Ways(ways.failed, ways.ok) if group.negated else ways
        stages: list[list[Call]] = []
        for index, part in enumerate(group.parts):
            before = len(self.trail.calls)
            self.node(part, state, stdin if index == 0 else Stdin(piped=True))
            stages.append(self.trail.calls[before:])
        self.trail.decisions.extend(surroundings.piped(self.judge, stages, self._spot(state, group.span)))
        return Ways(state, state)

    def anywhere(self, group: Group, state: State, stdin: Stdin) -> State:
        """Any part may run after any part before it."""
        for part in group.parts:
            state = state.merged(self.node(part, state, stdin).either(state))
        return state

    def loop(self, group: Group, state: State, stdin: Stdin) -> Ways:
        once = self.anywhere(group, state, stdin)
        if once != state:  # what a first round changed holds in the second
            once = self.anywhere(group, once, stdin)
        return Ways(once, once)

    def function(self, group: Group, state: State) -> Ways:
        name = group.name or ""
        for part in group.parts:
            self.node(part, state, Stdin(piped=True))
        return Ways(*(state.defined(name, group),) * 2)

    def simple(self, command: Simple, state: State, stdin: Stdin) -> Ways:
        for word in (*command.words, *(each.value for each in command.assignments)):
            self.substitutions(word, state)
        spot = self._spot(state, command.span)
        given = [(each.name, words.argument(each.value, state, self.judge.place)) for each in command.assignments]
        self.trail.decisions.extend(surroundings.settings(given, spot, exported=bool(command.words)))
        stdin = self.redirects(command.redirects, state, stdin)
        if not command.words:
            self.trail.decisions.extend(surroundings.emptied(self.judge, command.redirects, spot))
            for each in command.assignments:
                literal = each.value.literal
                state = state.assigned(each.name, () if literal is None else (literal,))
            return Ways(state, state)
        args = tuple(words.argument(word, state, self.judge.place) for word in command.words)
        return self.call(args, state, stdin, command.redirects)

    def call(
        self,
        args: tuple[Arg, ...],
        state: State,
        stdin: Stdin,
        redirects: Sequence[Redirect] = (),
        under: Under = Under(),  # noqa: B008
    ) -> Ways:
        """One argument list, its program first."""
        head, rest = args[0], args[1:]
        spot = self._spot(state, (head.span[0], max(arg.span[1] for arg in args)))
        if head.text is None:
            self.trail.deny("OPAQUE_PROGRAM", f"the program is not known before it runs: {head.reason}", head.span)
            return Ways(state, state)
        if len(self.trail.calls) >= MAX_CALLS:
            self.trail.deny("OPAQUE_LENGTH", f"the line runs more than {MAX_CALLS} commands", head.span)
            return Ways(state, state)
        if head.text in state.functions:
            after = self.bodies(head.text, state, stdin)
            if head.text in state.certain:
                return Ways(after, after)
            state = state.merged(after)
        call = Call(name=head.text.rpartition("/")[2], path=head.text, args=rest, stdin=stdin)
        self.trail.calls.append(call)
        if call.path in _MOVES:
            return self.move(call, state, spot)
        reader = reader_of(call.name)
        use = reader(call) if reader else None
        self.trail.used(call, use)
        self.trail.decisions.append(self.judge.weigh(call, use, spot, under))
        if use is None:
            return Ways(state, state)
        if use.only_reads and redirects and call.name in (":", "true"):
            self.trail.decisions.extend(surroundings.emptied(self.judge, redirects, spot))
        after = self.inner(use, call, state, spot, under.manager)
        if call.path in _LEAVES:
            return Ways(None, None)
        return Ways(after, after)

    def inner(self, use: Use, call: Call, state: State, spot: Spot, manager: str | None) -> State:
        """What a wrapper starts. Only `eval` changes the shell itself."""
        after = state
        for each in use.inner:
            with self.trail.deeper() as reached:
                if not reached:
                    return state
                self.trail.decisions.extend(surroundings.settings(each.assignments, spot, exported=True))
                inside = self.entered(each, state)
                if each.code is not None and each.code.text is None:
                    self.trail.deny(
                        "OPAQUE_CODE", f"the code for `{call.name}` is not known: {each.code.reason}", spot.span
                    )
                elif each.code is not None and call.path == "trap":
                    self.trail.deny(
                        "OPAQUE_LATER", "`trap` runs its code later, in a folder that is not known", spot.span
                    )
                elif each.code is not None:
                    result = self.line(each.code.text or "", inside, each.code.span)
                    after = after.merged(result) if call.path == "eval" else after
                elif each.args:
                    end = (_open_end(spot.span),) if each.open_end else ()
                    stdin = Stdin(piped=True) if each.open_end else call.stdin
                    self.call(
                        (*each.args, *end),
                        inside,
                        stdin,
                        under=Under(each.under or manager, self.judge.names(call, use, each)),
                    )
        return after

    def entered(self, inner: Inner, state: State) -> State:
        """The state of a process of its own: it has the shell's folder and none of its functions."""
        fresh = State(cwds=state.cwds, seen=state.seen, values=state.values)
        if inner.code is not None:
            fresh = replace(fresh, functions=state.functions, certain=state.certain)
        if inner.directory is None:
            return fresh
        return fresh.moved(surroundings.entered(inner.directory, state.cwds) or state.cwds)

    def bodies(self, name: str, state: State, stdin: Stdin) -> State:
        after = state
        with self.trail.deeper() as reached:
            for body in state.functions[name] if reached else ():
                for part in body.parts:
                    after = after.merged(self.node(part, after, stdin).either(after))
        return after

    def move(self, call: Call, state: State, spot: Spot) -> Ways:
        """`cd`: where it may lead, and where the shell still is if it failed."""
        target, decision = surroundings.moved(self.judge, call, state, spot)
        if decision:
            self.trail.decisions.append(decision)
            return Ways(state, state)
        moved = state.moved(target)
        if moved.overflows:
            self.trail.deny("OPAQUE_FOLDER", "the line changes its folder too often to follow", spot.span)
        certain = all(self.judge.place.files.is_directory(each) for each in target)
        return Ways(moved, None if certain else state)

    def redirects(self, redirects: Iterable[Redirect], state: State, stdin: Stdin) -> Stdin:
        """Judge redirects; what standard input is behind them."""
        for each in redirects:
            self.trail.opened(each)
            for word in (each.target, each.body):
                if word is not None:
                    self.substitutions(word, state)
            self.trail.decisions.extend(surroundings.redirected(self.judge, each, state, self._spot(state, each.span)))
            if each.operator in _INPUTS and each.descriptor in (None, 0):
                text = each.body.literal if each.body else None
                stdin = Stdin(text=text, piped=text is None)
        return stdin

    def substitutions(self, word: Word, state: State) -> None:
        for script in words.scripts(word):
            self.node(script, state, Stdin())

    def _values(self, group: Group, state: State) -> State:
        known = tuple(text for word in group.values if (text := word.literal) is not None)
        return state.assigned(group.name, known) if group.name else state

    def _spot(self, state: State, span: Span) -> Spot:
        return Spot(cwds=state.cwds, span=self._span(span))

    def _span(self, span: Span) -> Span:
        return self.trail.outer or span


def _merged(one: State | None, other: State | None) -> State | None:
    return one.merged(other) if one and other else one or other


def _open_end(span: Span) -> Arg:
    return Arg(None, span, reason="further words come from standard input")
