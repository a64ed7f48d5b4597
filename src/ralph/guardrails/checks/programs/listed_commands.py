"""The commands that a script of Python holds as lists, and runs one after the other.

Rule: the script must run nothing that is written where it is run, so that its lists are all that it runs; each list of
words counts as a command, whatever it is. One that reads files or has other modules than it takes to run programs may
check something by itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.shell.outline import check_of
from ralph.system.patterns import later

RUNS = later(r"\bsubprocess\b|\bos\.system\b")
WRITTEN = later(r"(?:run|call|check_call|check_output|Popen|system)\(\s*(?:f?[\"'\[(])")
"""A command that is written where it is run."""
READS = later(r"\bopen\(|\.read\w*\(|\.r?glob\(|\bwalk\(|^\s*(?:assert|raise)\b(?!\s+SystemExit)", re.MULTILINE)
MODULES = frozenset(
    ("subprocess", "sys", "os", "shlex", "shutil", "time", "pathlib", "argparse", "concurrent", "typing", "collections")
)
PYTHON = "python"


def commands_of(gate: Gate, before: Reach) -> list[tuple[str, ...]] | None:
    """What the script that a check runs holds; None for what is no such script, or where that cannot be told."""
    path = next((word.removeprefix("./") for word in gate.words if word.endswith(".py")), "")
    alone = len(gate.words) == 1 + (gate.words[0] != path)
    text = before.side.text(path) if alone and path in before.side.paths else None
    if text is None or not RUNS.search(text) or WRITTEN.search(text) or READS.search(text):
        return None
    from ralph.guardrails.python.trees import parsed_module  # few changes have such a script

    tree = parsed_module(text)
    if tree is None:
        return None
    found = list(_lists(tree))
    runs = any(check_of(words) is not None for words in found)
    return found if runs and set(_modules(tree)) <= {*MODULES, "__future__"} else None


def _modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or ".").partition(".")[0]


def _lists(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple) and isinstance(node.ctx, ast.Load) and node.elts:
            words = [_word(each) for each in node.elts]
            if None not in words:
                yield tuple(word for word in words if word is not None)


def _word(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Attribute(value=ast.Name(id="sys"), attr="executable"):
            return PYTHON
    return None
