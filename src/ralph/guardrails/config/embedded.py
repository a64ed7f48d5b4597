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
    root = parse("python", text.encode("utf-8", "replace")).root_node
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.children))
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call" or function is None or arguments is None:
            continue
        if not (function.text or b"").endswith((b".run", b".run_always", b".run_install")):
            continue
        words = [_literal(child) for child in arguments.named_children if child.type == "string"]
        if words:
            yield (words[0] if len(words) == 1 else shlex.join(words)), node.start_point.row + 1


def _literal(node: tree_sitter.Node) -> str:
    return b"".join(child.text or b"" for child in node.named_children if child.type == "string_content").decode(
        "utf-8", "replace"
    )
