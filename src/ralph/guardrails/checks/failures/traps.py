"""A trap that ends the script well, whatever became of it: `trap 'rm -rf "$tmp"; exit 0' EXIT` (class G10).

Rule: what is run when a script ends or a command fails leaves with zero, under no condition; or with a status that is
asked for (`rc=$?`) only behind another command, whose it is then. A bare `exit` leaves as the script would have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.system.patterns import later

SIGNALS = frozenset(("EXIT", "0", "ERR", "SIGEXIT"))
KEPT = later(r"(?:(?:local|declare|readonly|typeset)(?:\s+-\w+)*\s+)?(?P<name>[A-Za-z_]\w*)=[\"']?\$\?[\"']?(?:\s.*)?")
EXTENDED = later(r"\bshopt\s+-s\s+[^\n;]*\bextdebug\b|\bset\s+-[a-zA-Z]*T|\b-O\s+extdebug\b")
SAYS = later(r"(?:echo|printf|true|:|set|log|\w+=)(?:\s|$)|\w+=")
LEFT = later(r"exit\s+(?:(?P<number>0)|[\"']?\$\{?(?P<name>[A-Za-z_?]\w*)\}?[\"']?)")


def ends_well(script: Script) -> Iterator[tuple[str, int]]:
    """What such traps say, each with the row of its end."""
    nodes = list(script.walk())
    functions = {
        script.of(name): body
        for node in nodes
        if node.type == "function_definition"
        and (name := node.child_by_field_name("name")) is not None
        and (body := node.child_by_field_name("body")) is not None
    }
    for node in nodes:
        words = script.words(node, {}) if node.type == "command" else []
        if words[:1] != ["trap"] or not SIGNALS.intersection(word.upper() for word in words[2:]):
            continue
        said = words[1].strip("\"' ")
        body = functions.get(said)
        inner = script if body is not None else Script(said)
        end = _end(inner, body if body is not None else inner.root, functions)
        if end is not None:
            yield " ".join(words), (end if body is not None else node).start_point.row


def skips(script: Script) -> Iterator[tuple[str, int]]:
    """Traps before each command that may say no, where the shell is told to leave such commands out."""
    if EXTENDED.search(script.text) is None:
        return
    for node in script.walk():
        words = script.words(node, {}) if node.type == "command" else []
        if words[:1] == ["trap"] and "DEBUG" in words[2:]:
            said = words[1].strip("\"' ")
            last = next(reversed(_statements(Script(said).root)), None)
            if last is not None and not SAYS.match(said.encode()[last.start_byte : last.end_byte].decode()):
                yield " ".join(words), node.start_point.row


def _end(
    script: Script, body: tree_sitter.Node, functions: dict[str, tree_sitter.Node], depth: int = 0
) -> tree_sitter.Node | None:
    """The command that leaves with zero, or with what another one left."""
    before: list[str] = []
    for node in _statements(body):
        text = script.of(node).strip()
        called = functions.get(text) if depth == 0 else None
        if called is not None and (found := _end(script, called, functions, depth + 1)) is not None:
            return found
        if node.type == "command" and (left := LEFT.fullmatch(text)) is not None:
            return node if left["number"] or _is_another(left["name"], before) else None
        if re.match(r"exit\b", text):
            return None
        before.append(text)
    return None


def _is_another(name: str, before: Sequence[str]) -> bool:
    """The status that a variable holds is that of a command of the trap itself."""
    if name == "?":
        return bool(before)
    at = [index for index, text in enumerate(before) if (kept := KEPT.fullmatch(text)) and kept["name"] == name]
    return bool(at) and at[0] > 0 and len(at) == 1 and not any(f"{name}=" in text for text in before[at[0] + 1 :])


def _statements(body: tree_sitter.Node) -> list[tree_sitter.Node]:
    """What is done under no condition."""
    skipped = ("comment", "function_definition")
    return [node for node in body.named_children if node.type not in skipped]
