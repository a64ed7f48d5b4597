"""Tests and settings that a script takes away before it runs the check that needs them (class G09).

Rule: a command that was not there before (`rm`, `mv`, `git rm`, `unlink`, `del`) names a file of both trees, or a
folder with some, and a check that looks for it stands behind it within a page of the same file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.scope.contexts import misses
from ralph.guardrails.checks.spoken import Spoken, newly_spoken
from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.model import Hit
from ralph.system.patterns import later

TAKES = frozenset(("rm", "unlink", "del", "Remove-Item", "rimraf", "trash"))
MOVES = frozenset(("mv", "Move-Item", "ren", "rename"))
WORTH = later(r"\b(?:rm|mv|unlink|del|rimraf|Remove-Item|Move-Item)\b")
PAGE = 40


def taken_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    text = after.side.text(path) or ""
    if path not in before.side.paths or not after.of_file(path) or not WORTH.search(text):
        return
    there = before.side.paths & after.side.paths
    for said in newly_spoken(before.side, after.side, path):
        gates = [gate for gate in after.of_file(path) if stands_behind(gate, said)]
        leaves = [leaf for gate in gates for leaf in after.leaves(gate) if leaf.kind != "named"]
        for name in _taken(said) if leaves else ():
            lost = sorted(file for file in there if _is_in(name, file) and not is_product(file))
            gate = next((leaf for file in lost for leaf in leaves if misses(leaf, file)), None)
            if gate is not None:
                yield said.hit("check.narrowed", path, f"{name} is taken away before {gate.text} runs")
                break


def stands_behind(gate: Gate, said: Spoken) -> bool:
    """On the same line the one that is written first runs first."""
    if gate.line == said.line:
        return said.line_text.find(said.words[0]) < said.line_text.find(gate.words[0])
    return 0 < gate.line - said.line <= PAGE


def _taken(said: Spoken) -> Sequence[str]:
    words = list(said.words)
    if words[:2] == ["git", "rm"]:
        words = words[1:]
    if said.variable or not words:
        return ()
    plain = [word.strip("\"'") for word in words[1:] if not word.startswith("-")]
    if words[0] in MOVES:
        return plain[:-1]
    return plain if words[0] in TAKES else ()


def _is_in(name: str, file: str) -> bool:
    """A file, a folder, or a pattern."""
    plain = posixpath.normpath(name)
    if plain in (".", "*") or "$" in plain:
        return False
    deep = "/".join(file.split("/")[: plain.count("/") + 1])
    return fnmatchcase(deep, plain)
