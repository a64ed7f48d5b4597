"""The assertions in a condition: what has to hold, or must not, so that a script does not fail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Protocol

import tree_sitter

from ralph.guardrails.bats.checks import NAMES, Demand, constant
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.plainshell import asked
from ralph.guardrails.plainshell.branches import Functions
from ralph.guardrails.plainshell.state import State
from ralph.guardrails.plainshell.words import Words
from ralph.system.patterns import later

NUMBERS = later(r"\(\(\s*(?P<left>.+?)\s*(?P<sign>==|!=|<=|>=|<|>)\s*(?P<right>.+?)\s*\)\)")
BARE = later(r"(?<![\w$])[A-Za-z_]\w*")
GLOB = later(r"[*?\[]")
QUOTED = frozenset({"string", "raw_string"})
BOTH, EITHER = frozenset({"&&", "-a"}), frozenset({"||", "-o"})


class Run(Protocol):
    """What reads conditions asks of what runs the script."""

    state: State
    words: Words
    functions: Functions
    own: frozenset[str] | None
    """The variables that the script sets itself; None where it reads in a file that nobody knows."""

    def call(self, words: Sequence[str], *, heard: bool, wanted: bool = True) -> None: ...

    def block(self, nodes: Sequence[tree_sitter.Node], *, heard: bool) -> None: ...


def ask(run: Run, node: tree_sitter.Node, *, wanted: bool, counter: str = "") -> None:
    """`counter`: the variable that counts its failures."""
    match node.type:
        case "list":
            _list(run, node, wanted, counter)
        case "negated_command":
            ask(run, node.named_children[-1], wanted=not wanted, counter=counter)
        case "pipeline":
            _pipeline(run, node, wanted, counter)
        case "redirected_statement":
            _redirected(run, node, wanted, counter)
        case "compound_statement" if run.words.source.text(node).startswith("(("):
            _numbers(run, node, wanted, counter)
        case "compound_statement" | "subshell":
            if wanted:
                run.block(node.named_children, heard=True)
            elif node.named_children:
                ask(run, node.named_children[-1], wanted=False, counter=counter)
        case "test_command":
            for inner in node.named_children:
                _expression(run, inner, wanted, counter)
        case "command":
            _command(run, node, wanted, counter)


def truth(run: Run, node: tree_sitter.Node) -> bool | None:
    """Whether a condition holds, where nothing has to be run to tell."""
    if run.words.source.text(node) in ("false", "true", ":"):
        return run.words.source.text(node) != "false"
    inner = node.named_children[0] if node.type == "test_command" and len(node.named_children) == 1 else None
    if inner is None or inner.type != "binary_expression":
        return None
    sign = NAMES.get(run.words.source.text(inner.children[1]), run.words.source.text(inner.children[1]))
    left, denied = _left(run, inner)
    one, other = (run.words.of(each, run.state.values) for each in (left, inner.children[-1]))
    if sign not in ("==", "!=") or not (constant(one) and constant(other)) or GLOB.search(other):
        return None
    return (one == other) is ((sign == "==") is not denied)


def says(run: Run, demand: Demand, counter: str) -> None:
    """Adds an assertion, unless it asks for the machine, for how the script is called, or for what others set up."""
    subject, wanted = demand[0], demand[2]
    if any(f"${name}" in (subject, wanted) for name in run.state.counted):
        return
    if asked.MACHINE.search(subject) or asked.CALLED_WITH.match(subject):
        return
    environment = asked.ENVIRONMENT.match(subject) if demand[1] not in ("matches", "not matches", "same") else None
    if environment is not None and run.own is not None and environment["name"] not in run.own:
        return
    if not run.state.ran and not ran_inside(subject) and not ran_inside(wanted) and demand[3]:
        return
    run.state.add(_given_by_itself(demand), counter)


def _given_by_itself(demand: Demand) -> Demand:
    """What is wanted is written where the program fails: nothing is asked."""
    subject, relation, wanted, _, _ = demand
    written = re.search(rf"\|\|\s*(?:echo|printf)\s+(?:['\"]?%s\S*\s+)?['\"]?{re.escape(wanted)}['\"]?\s*\)", subject)
    if relation == "==" and wanted and written is not None:
        return subject, relation, wanted, Grade.NOTHING, "the script itself gives it what it wants"
    return demand


def ran_inside(text: str) -> bool:
    """A command stands in a word that is no preparation."""
    inner = re.findall(r"[$<]\(\s*(?:[A-Za-z_]\w*=\S*\s+)*[\"']?([^\s()\"']+)", text)
    return any(name.rpartition("/")[2] not in asked.SETTING_UP for name in inner) or text.startswith("$?(")


def _list(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    with nullcontext() if (node.children[1].type == "&&") is wanted else run.state.milder():
        ask(run, node.children[0], wanted=wanted, counter=counter)
        ask(run, node.children[-1], wanted=wanted, counter=counter)


def _pipeline(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    first, *others = [child for child in node.named_children if child.type != "comment"]
    if first.type == "negated_command":
        first, wanted = first.named_children[-1], not wanted
    if not others:
        ask(run, first, wanted=wanted, counter=counter)
        return
    text = " | ".join(_told(run, each) for each in (first, *others[:-1]))
    run.state.ran = run.state.ran or ran_inside(f"$({text})")
    with run.state.reading(text):
        ask(run, others[-1], wanted=wanted, counter=counter)


def _told(run: Run, node: tree_sitter.Node) -> str:
    """What a command writes; that of `echo x` is x."""
    text = run.words.of(node, run.state.values)
    echoed = re.fullmatch(r"(?:echo|printf(?:\s+[\"']?%s(?:\\n)?[\"']?)?)\s+(?:-[neE]+\s+)*(?:--\s+)?(.+)", text)
    return echoed[1].strip("\"'") if echoed is not None else text


def _redirected(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        with run.state.reading(read_by(run, node)):
            ask(run, body, wanted=wanted, counter=counter)


def read_by(run: Run, node: tree_sitter.Node) -> str:
    """What a command is given to read from a word or a file; else what is around it is given."""
    return "".join(_given(run, child) for child in node.children if "redirect" in child.type) or run.state.reads


def _given(run: Run, redirect: tree_sitter.Node) -> str:
    if redirect.type == "herestring_redirect" and redirect.named_children:
        return run.words.of(redirect.named_children[-1], run.state.values)
    if redirect.type == "file_redirect" and redirect.children[0].type == "<":
        return run.words.of(redirect.named_children[-1], run.state.values)
    return ""


def _numbers(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    text = run.words.source.text(node)
    if found := NUMBERS.fullmatch(text):
        left, right = (_valued(run, found[side]) for side in ("left", "right"))
        says(run, asked.sides(left, found["sign"], right, wanted=wanted, glob=False), counter)


def _valued(run: Run, text: str) -> str:
    values = run.state.values
    named = (lambda match: values.get(match[0], f"${match[0]}")) if "$" not in text else (lambda match: match[0])
    found: str = BARE.sub(named, text)
    return re.sub(r"\$\{?(\w+)\}?", lambda match: values.get(match[1], f"${match[1]}"), found)


def _expression(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    text = run.words.source.text
    if node.type == "parenthesized_expression":
        for inner in node.named_children:
            _expression(run, inner, wanted, counter)
    elif node.type == "unary_expression" and text(node.children[0]) == "!":
        _expression(run, node.named_children[-1], not wanted, counter)
    elif node.type == "unary_expression":
        subject = run.words.of(node.named_children[-1], run.state.values)
        says(run, asked.property_of(text(node.children[0]), subject, wanted=wanted), counter)
    elif node.type == "binary_expression":
        _binary(run, node, wanted, counter)
    else:
        subject = run.words.of(node, run.state.values)
        says(run, asked.property_of("-n", subject, wanted=wanted), counter)


def _binary(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    sign, right = run.words.source.text(node.children[1]), node.children[-1]
    if sign in BOTH or sign in EITHER:
        with nullcontext() if (sign in BOTH) is wanted else run.state.milder():
            _expression(run, node.children[0], wanted, counter)
            _expression(run, right, wanted, counter)
        return
    left, denied = _left(run, node)
    one, other = (run.words.of(each, run.state.values) for each in (left, right))
    glob = right.type not in QUOTED and run.words.source.text(node.parent or node).startswith("[[")
    says(run, asked.sides(one, sign, other, wanted=wanted is not denied, glob=glob), counter)


def _left(run: Run, compared: tree_sitter.Node) -> tuple[tree_sitter.Node, bool]:
    """The left side, and whether all is denied: `! a = b` is parsed as `(! a) = b`."""
    left = compared.children[0]
    denied = left.type == "unary_expression" and run.words.source.text(left.children[0]) == "!"
    return (left.named_children[-1], True) if denied else (left, False)


def _command(run: Run, node: tree_sitter.Node, wanted: bool, counter: str) -> None:
    words = run.words.of_command(node, run.state.values, run.state.given)
    if not words:
        return
    if words[0] in run.functions:
        run.call(words, heard=True, wanted=wanted)
    elif words[0] in ("test", "["):
        said = _tested([word for word in words[1:] if word != "]"], wanted)
        if said is not None:
            says(run, said, counter)
    elif (demand := asked.program(words, read_by(run, node), wanted=wanted)) is not None:
        run.state.ran = run.state.ran or demand[0].startswith("$?(")
        says(run, demand, counter)


def _tested(words: list[str], wanted: bool) -> Demand | None:
    if words[:1] == ["!"]:
        return _tested(words[1:], not wanted)
    match words:
        case [left, sign, right]:
            return asked.sides(left, sign, right, wanted=wanted, glob=False)
        case [sign, subject]:
            return asked.property_of(sign, subject, wanted=wanted)
        case [subject]:
            return asked.property_of("-n", subject, wanted=wanted)
    return (" ".join(words), "true" if wanted else "false", "", Grade.SHAPE, "") if words else None
