"""What a shell does itself in a script that is read: variables, options, and the ways out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

import tree_sitter

from ralph.guardrails.config.node import names
from ralph.guardrails.plainshell.asking import ran_inside
from ralph.guardrails.plainshell.branches import Branches, Function
from ralph.guardrails.plainshell.state import State
from ralph.guardrails.plainshell.words import LONGEST, Words
from ralph.syntax import walk
from ralph.system.patterns import later

SAYING = frozenset(names("echo printf true false : sleep cd pwd ls cat date test [ which type command hash wc"))
"""Programs after which all others say what they said before."""
NAMES = later(r"[A-Za-z_]\w*")
ERREXIT = later(r"-\w*e\w*|errexit")
QUIET_TRAP = later(r"\bexit\s+0\b")


class Run(Protocol):
    state: State
    words: Words
    branches: Branches


def assign(run: Run, node: tree_sitter.Node) -> None:
    """`x=…`, `local x=…`, and several of them."""
    for each in [node] if node.type == "variable_assignment" else node.named_children:
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if each.type != "variable_assignment" or name is None:
            continue
        called = run.words.source.text(name)
        text = run.words.of(value, run.state.values) if value is not None else ""
        run.state.ran = run.state.ran or ran_inside(text)
        whole = each.children[1].type == "=" and "[" not in called and (value is None or value.type != "array")
        if called in run.branches.counters and text in ("0", ""):
            run.state.set_back(called)
        # What lies there may be another thing once something has been done: it is asked before and after.
        again = text.startswith("$(") and not ran_inside(text) and run.state.answered(text)
        run.state.sets(called, text if whole and len(text) <= LONGEST and not again else None)
        if value is not None and value.type == "command_substitution":
            run.state.values["?"] = f"$?({text})"


def local_names(function: Function) -> frozenset[str]:
    text = function.source.text
    declared = (each for each in walk(function.body) if each.type == "declaration_command")
    local = (each for each in declared if text(each).startswith(("local", "declare", "typeset")))
    return frozenset(
        text(each) for node in local for each in walk(node) if each.type == "variable_name" and each.parent is not None
    )


def run(run: Run, words: Sequence[str]) -> bool:
    """Whether the shell does it itself."""
    done = BUILTINS.get(words[0])
    if done is None:
        return False
    done(run.state, words)
    return True


def _leave(state: State, words: Sequence[str]) -> None:
    """A way out that may have been taken leaves it open whether what follows is reached."""
    if state.never or state.rounds or words == ["exec"]:
        return
    if not state.depth:
        state.left = state.left or ("return" if words[0] == "return" else "exit")
    elif state.perhaps and words[0] == "exit" and words[1:2] in ([], ["0"]):
        state.perhaps += 1


def _set(state: State, words: Sequence[str]) -> None:
    for word in words[1:]:
        if re.fullmatch(r"[-+]\w*e\w*", word) or word == "errexit":
            sign = word[0] if word != "errexit" else words[words.index(word) - 1][0]
            state.errexit = sign == "-"
        if word == "pipefail":
            state.pipefail = True
    if "--" in words:
        _give(state, words[words.index("--") + 1 :])


def _give(state: State, given: Sequence[str]) -> None:
    state.given = tuple(given)
    state.values.update({str(index): word for index, word in enumerate(given, 1)})


def _shift(state: State, words: Sequence[str]) -> None:
    number = int(words[1]) if len(words) > 1 and words[1].isdigit() else 1
    given = list(state.given[number:])
    for index in range(1, 10):
        state.values.pop(str(index), None)
    _give(state, given)


def _forget(state: State, words: Sequence[str]) -> None:
    for word in words[1:]:
        if NAMES.fullmatch(word):
            state.sets(word, None)


def _trap(state: State, words: Sequence[str]) -> None:
    if len(words) > 2 and QUIET_TRAP.search(words[1]) and {"EXIT", "ERR", "0"} & set(words[2:]):
        state.quiet = True


BUILTINS: dict[str, Callable[[State, Sequence[str]], None]] = {
    **dict.fromkeys(("exit", "return", "exec"), _leave),
    **dict.fromkeys(("read", "mapfile", "readarray", "unset", "getopts", "printf"), _forget),
    "set": _set,
    "shift": _shift,
    "trap": _trap,
}
