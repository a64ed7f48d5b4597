"""A script, read from top to bottom as a shell runs it: which of its commands fail it (policy set v2, class G05).

Rules:

- Under `set -e` a command that fails ends the script, unless something asks how it ended; without, the last one counts.
  `A || exit 1`, `A && fail` and the branches of `if` and `case` say what has to hold (`branches`).
- A function of the script, or of a file that it reads in, is run where it is called, with what it is given; a loop over
  words that are known is run for each.
- What follows `exit` is never reached; what stands under a condition, or after a way out, may not be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.plainshell import asked, asking, builtins, loops
from ralph.guardrails.plainshell.branches import Branches, Function, Functions, deciding, functions_of, set_in
from ralph.guardrails.plainshell.state import MOST_CALLS, MOST_STEPS, State
from ralph.guardrails.plainshell.words import Words
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

ASSERTS = later(
    r"(?i)_*(?:assert|expect|check|verify|require|ensure|should|must|refute|test_(?:must|cmp|line|path|i18n|grep))\w*"
)
"""How functions are called that assert something, where nobody can read them."""
MAY_FAIL = later(r"\b(?:exit|return)\s+[\"']?(?:[1-9$])|\|\|")
CALLED_WITH = later(r"\$\{?[\d#@*]")
GROUPS = frozenset({"compound_statement", "subshell", "while_statement", "for_statement"})


@record
class Known:
    """What is known of a file before it is run: read once for all that is run of it."""

    branches: Branches
    own: frozenset[str] | None

    @staticmethod
    def of(source: Source, read_in: Sequence[Source], *, all_read: bool) -> Known:
        """`read_in`: the files that it reads in, as far as they are there (`all_read`: all are)."""
        sources = (*read_in, source)
        functions = {name: function for each in sources for name, function in functions_of(each).items()}
        own = frozenset(name for each in sources for name in set_in(each.tree.root_node, each)) if all_read else None
        return Known(Branches(functions, deciding(sources)), own)


class Running:
    """One run of a script, or of a test in it (`ran`: something was run before it)."""

    def __init__(self, source: Source, known: Known, *, errexit: bool, ran: bool = False) -> None:
        self.source, self.words = source, Words(source)
        self.branches, self.own = known.branches, known.own
        self.functions: Functions = known.branches.functions
        self.called: set[str] = set()
        self.state = State(errexit=errexit, ran=ran)

    def checks(self, nodes: Sequence[tree_sitter.Node], *, heard: bool = True) -> tuple[Check, ...]:
        self.block(nodes, heard=heard)
        return self.state.found()

    def of_function(self, function: Function) -> tuple[Check, ...]:
        """What a function asserts of what it is given, whatever that is."""
        self.state.given = ("$(@)",)
        self.state.values = {name: f"$({name})" for name in "123456789@*"}
        return self.checks(function.body.named_children)

    def block(self, nodes: Sequence[tree_sitter.Node], *, heard: bool) -> None:
        """`heard`: the status of the last command is asked for."""
        listed = [node for node in nodes if node.is_named and node.type not in ("comment", "function_definition")]
        for node in listed:
            if node.next_sibling is not None and node.next_sibling.type == "&":
                self.state.ran = True  # in the background nobody hears it
                continue
            self.statement(node, heard=heard and node == listed[-1])

    def statement(self, node: tree_sitter.Node, *, heard: bool) -> None:
        state = self.state
        state.steps += 1
        if state.steps > MOST_STEPS:
            return
        if not state.calls:
            state.place = (node.start_point.row + self.source.first_line, self.source.text(node).split("\n")[0])
        if (read := KINDS.get(node.type)) is not None:
            read(self, node, heard)
        elif heard or (state.errexit and node.type != "negated_command"):
            asking.ask(self, node, wanted=True)

    def loop(self, node: tree_sitter.Node, _heard: bool) -> None:
        loops.loop(self, node, "")

    def choice(self, node: tree_sitter.Node, heard: bool) -> None:
        loops.case(self, node, heard=heard)

    def assignment(self, node: tree_sitter.Node, _heard: bool) -> None:
        builtins.assign(self, node)

    def group(self, node: tree_sitter.Node, heard: bool) -> None:
        """In braces; double parentheses are a calculation."""
        if not self.words.source.text(node).startswith("(("):
            self.block(node.named_children, heard=heard)
        elif heard or self.state.errexit:
            asking.ask(self, node, wanted=True)

    def command(self, node: tree_sitter.Node, heard: bool) -> None:
        words = self.words.of_command(node, self.state.values, self.state.given)
        if not words or builtins.run(self, words):
            return
        if words[0] in self.functions:
            self.call(words, heard=heard)
        elif ASSERTS.fullmatch(words[0]) and words[0] not in asked.COMPARES:
            self.helper(words)
        elif heard or self.state.errexit:
            name = words[0].rpartition("/")[2]
            known = name in asked.SEARCHES | asked.COMPARES or name in ("test", "[")
            if known or (asked.PROGRAM.match(words[0]) and name not in asked.SETTING_UP):
                asking.ask(self, node, wanted=True)
        self.state.ran = self.state.ran or words[0].rpartition("/")[2] not in asked.SETTING_UP
        self.state.worked += words[0] not in builtins.SAYING
        self.state.values["?"] = f"$?({' '.join(words)})"

    def helper(self, words: Sequence[str]) -> None:
        """The call of a function that asserts something, which nobody can read."""
        self.state.ran = True
        demand = asked.equal(words) if "eq" in words[0].lower() or "same" in words[0].lower() else None
        self.state.add(demand if demand is not None else asked.unread(words))

    def call(self, words: Sequence[str], *, heard: bool, wanted: bool = True) -> None:
        """Runs a function of the script; not `wanted`: where it ends well, the script fails."""
        state, function = self.state, self.functions[words[0]]
        if state.calls >= MOST_CALLS:
            return
        first = len(state.checks)
        outer = (self.words, state.values, state.given, state.returns, state.left, state.errexit)
        self.called.add(words[0])
        self.words, state.given = Words(function.source), words[1:]
        state.values = {**state.values, **_given(words)}
        state.returns = heard or state.errexit
        state.errexit = state.errexit and wanted
        state.calls += 1
        if wanted:
            self.block(function.body.named_children, heard=state.returns)
        else:
            self._answers_no(function)
        state.calls -= 1
        self._back(function, outer)
        if len(state.checks) == first and ASSERTS.fullmatch(words[0]) and _may_fail(function):
            self.helper(words)

    def _answers_no(self, function: Function) -> None:
        *before, last = [node for node in function.body.named_children if node.type != "comment"] or [function.body]
        for node in before:
            self.statement(node, heard=False)
        asking.ask(self, last, wanted=False)

    def _back(self, function: Function, outer: tuple[Words, dict[str, str], Sequence[str], bool, str, bool]) -> None:
        """What a function sets stays set, but for its own variables; what it is given does not."""
        state, own = self.state, builtins.local_names(function)
        inner, (self.words, values, state.given, state.returns, left, state.errexit) = state.values, outer
        state.left = left or ("exit" if state.left == "exit" else "")
        kept = {name: value for name, value in inner.items() if not (name in own or name.isdigit() or name in "#@*")}
        state.values = {**{name: value for name, value in values.items() if name in own or name in kept}, **kept}

    def either(self, node: tree_sitter.Node, heard: bool) -> None:
        left, sign, right = node.children[0], node.children[1].type, node.children[-1]
        source, returns = self.words.source, self.state.returns
        how = self.branches.fails(source, [right], returns=returns)
        counter = how if how in self.branches.counters else ""
        if how:
            asking.ask(self, left, wanted=sign == "||", counter=counter)
            self.state.values.pop(counter, None)
        elif sign == "&&" and heard:
            asking.ask(self, node, wanted=True)
        elif sign == "&&":
            outer, self.state.errexit = self.state.errexit, False
            self.statement(left, heard=False)
            self.state.errexit = outer
            with self.state.under(doubtful=self._is_doubtful(left)):
                self.statement(right, heard=False)
        elif (heard or self.state.errexit) and asked.ASSERTION.match(source.text(right)):
            asking.ask(self, node, wanted=True)
        else:
            self.state.lost += 1
            self.statement(left, heard=True)
            self.state.lost -= 1
            with self.state.under(doubtful=self._is_doubtful(left)):
                self.statement(right, heard=heard)

    def if_(self, node: tree_sitter.Node, heard: bool) -> None:
        """`if` and `elif`: what their branches do says what the conditions have to be."""
        source = self.words.source
        at = next((index for index, child in enumerate(node.children) if child.type == "then"), len(node.children))
        condition = [child for child in node.children[1:at] if child.is_named and child.type != "comment"]
        clauses = [child for child in node.children[at:] if child.type in ("elif_clause", "else_clause")]
        then = [child for child in node.children[at + 1 :] if child not in clauses]
        if not condition:
            return
        fails, others = (
            self.branches.fails(source, nodes, returns=self.state.returns) for nodes in (then, clauses[:1])
        )
        if clauses and clauses[0].type == "elif_clause":
            others = ""
        for how, wanted in ((fails, False), (others, True)):
            if how:
                asking.ask(self, condition[-1], wanted=wanted, counter=how if how in self.branches.counters else "")
                self.state.values.pop(how, None)
        known = asking.truth(self, condition[-1])
        doubtful = not fails and not others and known is None and self._is_doubtful(condition[-1])
        if not fails:
            self._branch(then, heard, never=known is False, doubtful=doubtful)
        for clause in clauses:
            if clause.type == "elif_clause":
                self.if_(clause, heard)
            elif not others:
                self._branch(clause.children[1:], heard, never=known is True, doubtful=doubtful)

    def _branch(self, nodes: Sequence[tree_sitter.Node], heard: bool, *, never: bool, doubtful: bool) -> None:
        self.state.never += never
        with self.state.under(doubtful=doubtful):
            self.block(nodes, heard=heard)
        self.state.never -= never

    def _is_doubtful(self, condition: tree_sitter.Node) -> bool:
        """It asks neither for the machine nor for how the script was called."""
        text = self.words.source.text(condition)
        called = not self.state.calls and CALLED_WITH.search(text) is not None
        return not called and asked.MACHINE.search(text) is None

    def subshell(self, node: tree_sitter.Node, heard: bool) -> None:
        state = self.state
        outer = (dict(state.values), state.errexit, state.left, state.returns)
        state.returns = heard or state.errexit
        self.block(node.named_children, heard=state.returns)
        last = state.values.get("?", "$?")
        state.values, state.errexit, state.left, state.returns = outer
        state.values["?"] = last

    def pipeline(self, node: tree_sitter.Node, heard: bool) -> None:
        """Without `pipefail` nobody hears how the first commands end."""
        state = self.state
        parts = [child for child in node.named_children if child.type != "comment"]
        for part in parts[:-1]:
            if part.type in GROUPS:
                state.lost += not state.pipefail
                self.statement(part, heard=heard or state.errexit)
                state.lost -= not state.pipefail
        if parts[-1].type in ("while_statement", "for_statement"):
            loops.loop(self, parts[-1], "")
        elif (heard or state.errexit) and (parts[0].type != "negated_command" or heard):
            asking.ask(self, node, wanted=True)
        elif ASSERTS.match(self.words.source.text(parts[-1])):
            self.statement(parts[-1], heard=heard)
        state.ran = True

    def redirected(self, node: tree_sitter.Node, heard: bool) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        if body.type == "while_statement":
            loops.loop(self, body, loops.document(self.words.source, node))
            return
        with self.state.reading(asking.read_by(self, node)):
            self.statement(body, heard=heard)


def _given(words: Sequence[str]) -> dict[str, str]:
    numbered = {str(index): word for index, word in enumerate(words[1:], 1)}
    missing = {str(index): "" for index in range(len(words), 10)}
    return {**missing, **numbered, "#": str(len(words) - 1), "@": " ".join(words[1:]), "*": " ".join(words[1:])}


def _may_fail(function: Function) -> bool:
    """It does more than to tell something."""
    return MAY_FAIL.search(function.source.text(function.body)) is not None


KINDS: Mapping[str, Callable[[Running, tree_sitter.Node, bool], None]] = {
    "command": Running.command,
    "list": Running.either,
    "if_statement": Running.if_,
    "case_statement": Running.choice,
    **dict.fromkeys(("for_statement", "c_style_for_statement", "while_statement"), Running.loop),
    **dict.fromkeys(("variable_assignment", "variable_assignments", "declaration_command"), Running.assignment),
    "compound_statement": Running.group,
    "subshell": Running.subshell,
    "pipeline": Running.pipeline,
    "redirected_statement": Running.redirected,
}
