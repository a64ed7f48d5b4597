"""Commands inside other languages: `RUN` lines of Dockerfiles, `sh` steps of a Jenkinsfile, Python task files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import tree_sitter

from ralph.syntax import parse
from ralph.system.patterns import later

_STEP = later(
    r"""//[^\n]*|/\*.*?\*/|(?P<word>\w+)|\'{3}(?P<long>.*?)\'{3}|"{3}(?P<wide>.*?)"{3}|'(?P<one>(?:\\.|[^'\\\n])*)'|"(?P<two>(?:\\.|[^"\\\n])*)\"""",
    re.DOTALL,
)
CALLS = later(
    r"\.(?:run|run_always|run_install)$|^(?:subprocess|sp)\.(?:call|check_call|check_output|Popen)$|^os\.system$"
)
PROCESS = later(r"(?:subprocess|sp)\.\w+|os\.system")
CATCHES = later(r"^except\s*$|CalledProcessError|SubprocessError|Exception|SystemExit|UnexpectedExit")
ENDS = later(r"\braise\b|\bexit\(|_exit\(|\breturn\s+(?:[1-9]|\w+\.|False)")
LEAVES = later(r"(?:return|raise)\b|\w+\.(?:skip|error)\(")
_RUN = later(r"^\s*RUN\s+(?:--\S+\s+)*(?P<command>.*)$", re.IGNORECASE)


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
    """`session.run("pytest", "-q")`, `c.run("pytest -q")`, `subprocess.run(["pytest"])`: what is written out of it."""
    for node, arguments in _calls(text):
        given = arguments.named_children
        listed = given[0].named_children if given and given[0].type in ("list", "tuple") else given
        words = [_literal(child) for child in listed if child.type == "string"]
        if words:
            yield (words[0] if len(words) == 1 else shlex.join(words)), node.start_point.row + 1


def forgiven(text: str) -> frozenset[int]:
    """The lines of a Python task file whose commands may fail: `success_codes=[0, 1]`, `warn=True`, `check=False`.

    `subprocess.run` without `check=True`, `subprocess.call` and `os.system` may, unless somebody looks at their answer.
    """
    lines = set()
    for node, arguments in _calls(text):
        if _unchecked(node, arguments) or _caught(node):
            lines.add(node.start_point.row + 1)
        for child in arguments.named_children:
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            given = (value.text or b"").decode("utf-8", "replace") if value is not None else ""
            key = name.text if name is not None else b""
            codes = key == b"success_codes" and re.search(r"[1-9]|range", given)
            if (
                codes
                or (key == b"warn" and given == "True")
                or (key == b"check" and given == "False")
                or (key == b"dry" and given == "True")
            ):
                lines.add(node.start_point.row + 1)
    return frozenset(lines)


def unreached(text: str) -> frozenset[int]:
    """The lines of a Python task file behind a statement that leaves the function: `return`, `session.skip()`."""
    lines: set[int] = set()
    stack = [parse("python", text.encode("utf-8", "replace")).root_node]
    while stack:
        node = stack.pop()
        stack.extend(node.named_children)
        body = node.child_by_field_name("body") if node.type == "function_definition" else None
        statements = body.named_children if body is not None else []
        left = next((each for each in statements if LEAVES.match(_text(each))), None)
        if left is not None and body is not None:
            lines |= set(range(left.end_point.row + 2, body.end_point.row + 2))
    return frozenset(lines)


def _unchecked(node: tree_sitter.Node, arguments: tree_sitter.Node) -> bool:
    function = _text(node.child_by_field_name("function"))
    checked = re.search(r"\bcheck\s*=\s*(?!False)", _text(arguments)) is not None
    ignored = node.parent is not None and node.parent.type == "expression_statement"
    return ignored and not checked and bool(PROCESS.fullmatch(function)) and "check_" not in function


def _caught(node: tree_sitter.Node) -> bool:
    """Inside a `try` that catches a failed command and neither raises nor exits."""
    child: tree_sitter.Node = node
    above = node.parent
    while above is not None:
        if above.type == "try_statement" and child == above.child_by_field_name("body"):
            handlers = [each for each in above.named_children if each.type == "except_clause"]
            for handler in handlers:
                kinds, _, rest = _text(handler).partition(":")
                if CATCHES.search(kinds) and not ENDS.search(rest):
                    return True
        child = above
        above = above.parent
    return False


def _text(node: tree_sitter.Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")


def _calls(text: str) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    """Calls of `run` and its like, with their arguments."""
    stack = [parse("python", text.encode("utf-8", "replace")).root_node]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.children))
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call" or function is None or arguments is None:
            continue
        if CALLS.search(_text(function)):
            yield node, arguments


def _literal(node: tree_sitter.Node) -> str:
    return b"".join(child.text or b"" for child in node.named_children if child.type == "string_content").decode(
        "utf-8", "replace"
    )
