"""Choices, loops and lists of a script that is run in thought (see `thought`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import tree_sitter

from ralph.guardrails.checks.shell.by_name import MOST_NAMES, is_made_of
from ralph.guardrails.checks.shell.conditions import SWITCH_FILE, doubt, truth
from ralph.guardrails.checks.shell.numbers import ARRAY, ITEM, arithmetic, assignment
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.shell.state import Runner, State, merged
from ralph.record import replace
from ralph.system.patterns import later

ROUNDS = 2
FILE = later(r"\[\s*(?:!\s*)?-[defrsx]\s")
NAME = later(r"\$\{?(\w+)\}?")
QUOTED = later(r"\"[^\"]*\"|'[^']*'")
MANY = later(r"[*?]|(?<!\$)\{")
ALL = later(r"\[@\]|\$\{?@")


def list_(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    left, sign, right = node.children[0], node.children[1].type, node.children[2:]
    found: list[State] = []
    for each in merged(run.one(left, state, True)):
        going_on = not each.flow and (each.status == 0) is (sign == "&&")
        found += run.sequence(right, each, tested) if going_on else [each]
    return found


def pipeline(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    parts = [child for child in node.named_children if child.type != "comment"]
    negated = bool(parts) and parts[0].type == "negated_command"
    ways: list[tuple[State, tuple[int, ...]]] = [(state, ())]
    for index, part in enumerate(parts):
        part = part.named_children[-1] if negated and index == 0 else part
        asked = negated or (tested and index == len(parts) - 1)
        ways = [
            (end.back_in(before), (*statuses, end.status))
            for before, statuses in ways
            for end in run.one(part, before.ends(0), asked)
        ]
    found = []
    for end, statuses in ways:
        last = max(statuses) if end.pipefail else statuses[-1]
        array = ARRAY + "".join(f"{status}{ITEM}" for status in statuses)
        found.append(end.sets("PIPESTATUS", array).ends(int(not last) if negated else last))
    return run.settled(found, tested or negated)


def negated(run: Runner, node: tree_sitter.Node, state: State, _tested: bool) -> list[State]:
    ends = run.one(node.named_children[-1], state, True)
    return [end if end.flow else end.ends(int(not end.status)) for end in ends]


def redirected(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    """A here document holds what follows on its line: `run <<EOF || true`."""
    body = node.child_by_field_name("body")
    for child in node.children_by_field_name("redirect"):
        state = run.run_inside(child, state)
    rights = (child.child_by_field_name("right") for child in node.children)
    right = next((child for child in rights if child is not None), None)
    if body is None:
        return [state]
    if right is None or right.parent is None:
        return run.one(body, state, tested)
    sign = right.parent.child_by_field_name("operator")
    found: list[State] = []
    for each in run.one(body, state, True):
        going_on = not each.flow and (each.status == 0) is (sign is not None and sign.type == "&&")
        found += run.one(right, each, tested) if going_on else [each]
    return found


def subshell(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    ends = run.sequence(node.children, replace(state, traps=()), tested)
    return run.settled([end.back_in(state) for end in ends], tested)


def compound(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    """A group in braces, or an arithmetic command."""
    if node.children[0].type != "((":
        return run.sequence(node.children, state, tested)
    return run.settled(calculated(run.script, run.script.of(node)[2:-2], state), tested)


def calculated(script: Script, text: str, state: State) -> list[State]:
    if found := assignment(text, state.variables):
        name, value = found
        value = script.counted(name, value) if value is not None and "+" in text else value
        return [state.sets(name, None if value is None else str(value)).ends(0)]
    value = arithmetic(text, state.variables)
    return state.doubting(doubt(f"${text}")) if value is None else [state.ends(int(value == 0))]


def test(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    state = run.run_inside(node, state)
    known = truth(run.script, node, state.variables)
    text = run.script.of(node)
    told = "program" if _looks_at_each(run, node, text) else doubt(text)
    ends = state.doubting(told) if known is None else [state.ends(int(not known))]
    return run.settled(ends, tested)


def _looks_at_each(run: Runner, node: tree_sitter.Node, text: str) -> bool:
    """Whether a file is there for each thing that a loop goes through: the tree says so, and nobody sets it."""
    names = set(NAME.findall(text))
    if not FILE.search(text) or SWITCH_FILE.search(NAME.sub("_", text)) or not names:
        return False
    above = node.parent
    while above is not None and names:
        variable = above.child_by_field_name("variable") if above.type == "for_statement" else None
        names -= {run.script.of(variable)} if variable is not None else set()
        above = above.parent
    return not names


def if_(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    clauses = [child for child in node.children if child.type in ("elif_clause", "else_clause")]
    ends = merged(_choice(run, node, clauses, state, tested))
    # Where all ways meet again, nothing hangs on what decided between them.
    return [replace(ends[0], doubts=state.doubts)] if len(ends) == 1 else ends


def _choice(
    run: Runner, node: tree_sitter.Node, clauses: Sequence[tree_sitter.Node], state: State, tested: bool
) -> list[State]:
    """`if` or `elif`: its condition, what follows `then`, and the clauses that come after it."""
    at = next((index for index, child in enumerate(node.children) if child.type == "then"), len(node.children))
    body = [child for child in node.children[at:] if child.type not in ("elif_clause", "else_clause")]
    found: list[State] = []
    for each in run.sequence(node.children[:at], state, True):
        if each.flow:
            found.append(each)
        elif each.status == 0:
            found += run.sequence(body, each, tested)
        elif not clauses:
            found.append(each.ends(0))
        elif clauses[0].type == "else_clause":
            found += run.sequence(clauses[0].children, each.ends(0), tested)
        else:
            found += _choice(run, clauses[0], clauses[1:], each.ends(0), tested)
    return found


def while_(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    body = node.child_by_field_name("body")
    condition = [child for child in node.children if child != body]
    wanted = node.children[0].type == "while"
    going, found = [state.ends(0)], []
    for _ in range(ROUNDS + 1):
        asked = merged(end for each in going for end in run.sequence(condition, each, True))
        found += [each if each.flow else each.ends(0) for each in asked if each.flow or (each.status == 0) != wanted]
        going = [each for each in asked if not each.flow and (each.status == 0) == wanted]
        left, going = _round(run, body, going, tested)
        found += left
    return merged(found)


def for_(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    variable, values = node.child_by_field_name("variable"), node.children_by_field_name("value")
    if not values and any(child.type == "in" for child in node.children):
        return [state.ends(0)]
    if variable is not None and (names := _names(run, node, variable, state)):
        return _each(run, node, variable, names, state, tested)
    if variable is not None:
        only = run.script.value(values[0], state.variables) if len(values) == 1 else None
        state = state.sets(run.script.of(variable), only)
    going, found = [state.ends(0)], []
    for _ in range(1 if len(values) == 1 and not (run.once and _may_be_many(run, values[0], state)) else ROUNDS):
        left, going = _round(run, node.child_by_field_name("body"), going, tested)
        found += left
    return merged([*found, *going])


def _names(run: Runner, node: tree_sitter.Node, variable: tree_sitter.Node, state: State) -> list[str]:
    """The words of a list that are names of what the loop runs."""
    body = node.child_by_field_name("body")
    if body is None or not is_made_of(run.script.of(variable), run.script.of(body)):
        return []
    words = [run.script.value(value, state.variables) for value in node.children_by_field_name("value")]
    known = [name for word in words if word is not None for name in word.split()]
    return known if None not in words and len(known) <= MOST_NAMES else []


def _each(
    run: Runner, node: tree_sitter.Node, variable: tree_sitter.Node, names: list[str], state: State, tested: bool
) -> list[State]:
    going, found = [state.ends(0)], []
    for name in names:
        ways = [each.sets(run.script.of(variable), name) for each in going]
        left, going = _round(run, node.child_by_field_name("body"), ways, tested)
        found += left
    return merged([*found, *going])


def _round(
    run: Runner, body: tree_sitter.Node | None, states: Iterable[State], tested: bool
) -> tuple[list[State], list[State]]:
    """One round of a loop: the ways that leave it, and those that go on."""
    ends = merged(end for state in states for end in run.sequence(body.children if body else (), state, tested))
    left = [each for each in ends if each.flow not in ("", "continue")]
    broken = [each.flows("").ends(0) if each.flow == "break" else each for each in left]
    going = [each.flows("") for each in ends if each.flow in ("", "continue")]
    return broken, [replace(each, spent=each.spent or (run.once and each.reached)) for each in going]


def _may_be_many(run: Runner, value: tree_sitter.Node, state: State) -> bool:
    """A bare variable, what a command gives, a pattern of names, and all that a script is given."""
    text, known = run.script.of(value), run.script.value(value, state.variables)
    if value.type in ("simple_expansion", "expansion", "command_substitution"):
        return known is None or len(known.split()) > 1
    return ALL.search(text) is not None or MANY.search(QUOTED.sub("", text)) is not None


def case(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    subject = node.child_by_field_name("value")
    text = run.script.of(subject) if subject else ""
    value = run.script.value(subject, state.variables) if subject else None
    way = state.ends(0) if value is not None else state.doubting(doubt(text))[0]
    found: list[State] = []
    for item in (child for child in node.named_children if child.type == "case_item"):
        patterns = [run.script.of(pattern).strip("\"'") for pattern in item.children_by_field_name("value")]
        if "*" in patterns or value is None or value in patterns:
            found += run.sequence(item.children, way, tested)
        if "*" in patterns or (value is not None and value in patterns):
            return merged(found)
    return merged([*found, way])
