"""Loops over words that are written out: `for app in cart billing; do (cd $app && npm test); done`.

Rule: a word that a loop with the same check no longer has, and that names a file or folder of both trees, is checked
no longer, unless another command of the file names it. A word that names nothing there (a version) is no place.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.checks.lists.fed import texts
from ralph.guardrails.checks.programs.known import identity
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.shell.numbers import ARRAY, items
from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.record import record

ASSIGNED = "variable_assignment"


@record
class Round:
    words: frozenset[str]
    line: int


def round_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    new = _rounds(after.side, path)
    if not new or path not in before.side.paths:
        return
    text = after.side.text(path) or ""
    folders = before.side.directories & after.side.directories
    files = before.side.paths & after.side.paths
    for name, was in _rounds(before.side, path).items():
        now = new.get(name)
        for word in sorted(was.words - now.words) if now is not None and now.words < was.words else ():
            if _is_there(word, folders, files) and not re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", text):
                detail = f"{name} is no longer run for {word}"
                yield hit_at("check.narrowed", path, now.line if now is not None else 0, detail)


def _is_there(word: str, folders: frozenset[str], files: frozenset[str]) -> bool:
    plain = posixpath.normpath(word)
    in_folder = any(each == plain or each.endswith(f"/{plain}") for each in folders)
    return in_folder or plain in files or any(path.endswith(f"/{plain}") for path in files)


def _rounds(side: Side, path: str) -> dict[str, Round]:
    """By the check that a loop runs: the words that all its loops have, and where the first stands."""
    found: dict[str, Round] = {}
    for text, line in texts(side, path) if re.search(r"\bfor\s+\w+\s+in\b", side.text(path) or "") else ():
        script = Script(text)
        nodes = list(script.walk())
        known = dict(_known(script, nodes))
        for loop in (node for node in nodes if node.type == "for_statement"):
            words = _words(script, loop, known)
            for name in dict.fromkeys(_checks(script, loop)) if words else ():
                had = found.get(name)
                every = words | (had.words if had is not None else frozenset())
                found[name] = Round(every, had.line if had is not None else line + loop.start_point.row)
    return found


def _known(script: Script, nodes: Sequence[tree_sitter.Node]) -> Iterator[tuple[str, str | None]]:
    times: dict[str, int] = defaultdict(int)
    for node in nodes:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if node.type == ASSIGNED and name is not None and value is not None:
            called = script.of(name)
            times[called] += 1
            yield called, script.value(value, {}) if times[called] == 1 else None


def _words(script: Script, loop: tree_sitter.Node, known: dict[str, str | None]) -> frozenset[str]:
    """All words that a loop goes through; none if one of them is not known."""
    found: list[str] = []
    for node in loop.children_by_field_name("value"):
        value = script.value(node, known)
        if value is None or "*" in value:
            return frozenset()
        found += items(value) if value.startswith(ARRAY) else value.split()
    return frozenset(found)


def _checks(script: Script, loop: tree_sitter.Node) -> Iterator[str]:
    for command in (node for node in script.walk(loop) if node.type == "command"):
        words = script.words(command, {})
        if words and (check := check_of(words)) is not None:
            yield identity(check[0])
