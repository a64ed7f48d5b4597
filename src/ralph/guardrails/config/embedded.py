"""Commands inside other languages: `RUN` lines of Dockerfiles, `sh` steps of a Jenkinsfile, Python task files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import tree_sitter

from ralph.syntax import parse

_STEP = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?P<word>\w+)|\'{3}(?P<long>.*?)\'{3}|"{3}(?P<wide>.*?)"{3}|'(?P<one>(?:\\.|[^'\\\n])*)'|"(?P<two>(?:\\.|[^"\\\n])*)\"""",
    re.DOTALL,
)
_RUN = re.compile(r"^\s*RUN\s+(?:--\S+\s+)*(?P<command>.*)$", re.IGNORECASE)


def commands(name: str, text: str) -> Iterator[tuple[str, int]]:
    """(shell text, line) of every command that a file of this name (in lower case) runs."""
    if name.endswith(".py"):
        yield from _python(text)
    elif name == "jenkinsfile":
        yield from _jenkins(text)
    else:
        yield from _docker(text)


def _docker(text: str) -> Iterator[tuple[str, int]]:
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        whole = lines[number]
        while whole.endswith("\\") and number + 1 < len(lines):
            number += 1
            whole = whole[:-1] + " " + lines[number].strip()
        number += 1
        if match := _RUN.match(whole):
            words = re.findall(r'"((?:\\.|[^"\\])*)"', match["command"]) if match["command"].startswith("[") else None
            yield (shlex.join(words) if words else match["command"]), first + 1


def _jenkins(text: str) -> Iterator[tuple[str, int]]:
    """The text after `sh`, `bat` or `script:`."""
    last = ""
    for match in _STEP.finditer(text):
        if match["word"]:
            last = match["word"]
        elif match.lastgroup and last in ("sh", "bat", "script", "pwsh"):
            yield match[match.lastgroup], text.count("\n", 0, match.start()) + 1


def _python(text: str) -> Iterator[tuple[str, int]]:
    """`session.run("pytest", "-q")` and `c.run("pytest -q")`: the literal arguments of calls of `run`."""
    for node, arguments in _calls(text):
        words = [_literal(child) for child in arguments.named_children if child.type == "string"]
        if words:
            yield (words[0] if len(words) == 1 else shlex.join(words)), node.start_point.row + 1


def forgiven(text: str) -> frozenset[int]:
    """The lines of a Python task file whose commands may fail: `success_codes=[0, 1]`, `warn=True`, `check=False`."""
    lines = set()
    for node, arguments in _calls(text):
        for child in arguments.named_children:
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            given = (value.text or b"").decode("utf-8", "replace") if value is not None else ""
            key = name.text if name is not None else b""
            codes = key == b"success_codes" and re.search(r"[1-9]|range", given)
            if codes or (key == b"warn" and given == "True") or (key == b"check" and given == "False"):
                lines.add(node.start_point.row + 1)
    return frozenset(lines)


def _calls(text: str) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    """Calls of `run` and its like, with their arguments."""
    stack = [parse("python", text.encode("utf-8", "replace")).root_node]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.children))
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call" or function is None or arguments is None:
            continue
        if (function.text or b"").endswith((b".run", b".run_always", b".run_install")):
            yield node, arguments


def _literal(node: tree_sitter.Node) -> str:
    return b"".join(child.text or b"" for child in node.named_children if child.type == "string_content").decode(
        "utf-8", "replace"
    )
