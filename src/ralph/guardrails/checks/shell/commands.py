"""Simple commands of a script that is run in thought (see `thought`): what the shell itself does, and all others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import tree_sitter

from ralph.guardrails.checks.shell.compounds import calculated
from ralph.guardrails.checks.shell.conditions import doubt, truth
from ralph.guardrails.checks.shell.numbers import ARRAY
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.shell.state import Flow, Runner, State
from ralph.record import replace
from ralph.system.patterns import later

FLOWS: dict[str, Flow] = {"exit": "exit", "return": "return", "break": "break", "continue": "continue"}
HARMLESS = frozenset(
    ("true", ":", "echo", "printf", "cd", "export", "unset", "shift", "umask", "pushd", "popd", "source", ".")
)
SHORT = {"e": "errexit"}
TRAPPED = "?trapped"
"""No name of a variable: what a script would have ended with as a trap began."""
COUNTS = later(r"[A-Za-z_]\w*\s*\+")


def assign(run: Runner, node: tree_sitter.Node, state: State, tested: bool) -> list[State]:
    """`x=$(run)` ends as the substitution does; `local x=$(run)` ends well whatever happens in it."""
    declared = node.type == "declaration_command"
    nodes = [node] if node.type == "variable_assignment" else node.named_children
    states = [state]
    substituted = any(child.type == "command_substitution" for child in run.script.walk(node))
    for each in nodes:
        if each.type == "variable_assignment":
            states = [end for before in states for end in _assigned(run, each, before)]
    return run.settled(states if substituted and not declared else [each.ends(0) for each in states], tested)


def _assigned(run: Runner, node: tree_sitter.Node, state: State) -> list[State]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return [state]
    text = run.script.value(value, state.variables, defaults=True)
    called = run.script.of(name)
    if any(child.type == "+=" for child in node.children):
        held = state.variables.get(called) or (ARRAY if value.type == "array" else "")
        text = None if text is None else held + text.removeprefix(ARRAY)
    if text is not None and value.type == "arithmetic_expansion" and COUNTS.search(run.script.of(value)):
        text = str(run.script.counted(called, int(text)))
    inside = value
    while inside.type in ("string", "concatenation") and len(inside.named_children) == 1:
        inside = inside.named_children[0]
    if inside.type == "command_substitution":
        ends = run.sequence(inside.children, state, False)
        listed = run.script.value(inside, run.run_inside(inside, state).variables)
        return [end.back_in(state).sets(called, listed) for end in ends]
    return [run.run_inside(value, state).sets(called, text)]


def builtin(run: Runner, words: Sequence[str], state: State, tested: bool) -> list[State] | None:
    """What a command does that the shell does itself; None for every other command."""
    name = words[0]
    if name in FLOWS:
        number = _number(words, state) if name in ("exit", "return") else 0
        ways = state.doubting(doubt(words[-1])) if number is None else [state.ends(number)]
        return [way.flows(FLOWS[name]) for way in ways]
    if name == "false":
        return [state.ends(1)]
    if name in ("setopt", "unsetopt"):
        return [_of_zsh(words[1:], state, on=name == "setopt").ends(0)]
    if name == "shopt" and any(re.fullmatch(r"-\w*o\w*", word) for word in words[1:]):
        signs = "".join(word[1:] for word in words[1:] if word.startswith("-"))
        return [_of_zsh([word for word in words[1:] if not word.startswith("-")], state, on="u" not in signs).ends(0)]
    if name == "set":
        end = _options(words[1:], state).ends(0)
        return [end.flows("exit") if parses_only(words[1:]) else end]
    if name == "trap" and len(words) > 2:
        others = tuple(pair for pair in state.traps if pair[0] not in words[2:])
        added = () if words[1] == "-" else tuple((_signal(word), words[1]) for word in words[2:])
        return [replace(state, traps=(*others, *added), status=0)]
    if name == "exec" and len(words) > 1:
        return [state.ends(0).flows("exit")]
    if name == "wait":
        return [state.ends(state.job if len(words) > 1 else 0)]
    if name == "let":
        return calculated(run.script, " ".join(words[1:]), state)
    if name in ("test", "["):
        return _tested(words, state)
    if name in HARMLESS or not tested:
        return [state.ends(0)]
    return None


def _number(words: Sequence[str], state: State) -> int | None:
    """The status that `exit` and `return` name; that of the last command when they name none, and at the end of a
    script (EXIT) that of the last one before its trap."""
    if len(words) < 2:
        trapped = state.variables.get(TRAPPED) if words[0] == "exit" else None
        return state.status if trapped is None else int(trapped)
    return int(words[1]) % 256 if re.fullmatch(r"-?\d{1,9}", words[1]) else None


def _signal(word: str) -> str:
    return "EXIT" if word == "0" else word.upper().removeprefix("SIG")


def _of_zsh(names: Sequence[str], state: State, *, on: bool) -> State:
    """Options by their names, in any case and with lines between their words; `no` turns one round."""
    for each in names:
        plain = each.lower().replace("_", "")
        turned = plain.startswith("no") and plain != "notify"
        plain = plain.removeprefix("no") if turned else plain
        if plain == "errexit":
            state = replace(state, errexit=on != turned)
        elif plain == "pipefail":
            state = replace(state, pipefail=on != turned)
    return state


def _options(words: Sequence[str], state: State) -> State:
    for index, word in enumerate(words):
        on = word.startswith("-")
        if not re.fullmatch(r"[-+][A-Za-z]+", word):
            continue
        if "e" in word:
            state = replace(state, errexit=on)
        named = words[index + 1] if "o" in word and index + 1 < len(words) else ""
        if named == "errexit":
            state = replace(state, errexit=on)
        elif named == "pipefail":
            state = replace(state, pipefail=on)
    return state


def parses_only(options: Sequence[str]) -> bool:
    """True for options of a shell that make it read what follows without running it."""
    for before, word in pairwise(("", *options)):
        if before == "-o" or re.fullmatch(r"-[a-zA-Z]*o", before):
            if word == "noexec":
                return True
        elif word == "--" or not word.startswith(("-", "+")):
            return False
        elif re.fullmatch(r"-[abefhkmptuvxBEH]*n[a-zA-Z]*", word):
            return True
    return False


def _tested(words: Sequence[str], state: State) -> list[State]:
    rest = [word for word in words[1:] if word != "]"]
    script = Script(
        "[ " + " ".join(word if "$" in word or re.fullmatch(r"[-=!\w]+", word) else f"'{word}'" for word in rest) + " ]"
    )
    node = script.root.named_children[0] if script.root.named_children else None
    known = truth(script, node, state.variables) if node and node.type == "test_command" else None
    return state.doubting(doubt(" ".join(rest))) if known is None else [state.ends(int(not known))]
