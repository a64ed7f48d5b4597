"""Cases of test data that another one of the same name replaces (policy set v2, class G05): JSON and Python.

Rule: readers keep the last of two equal keys. A key that a change repeats in test data or in a table of a test file, so
that what the base had under it is gone, blocks; one that says the same again does not.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

ENDS = (".json", ".py")
WORTH = later(rb"[\"']\s*:")
LONGEST = 1_000_000
Repeated = tuple[str, str]
"""A key, and the first of its values."""


def repeated_keys(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(ENDS) or not TEST_PLACE.search(file.path):
            continue
        if WORTH.search(file.added_text):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
    if max(len(before), len(after)) > LONGEST:
        return
    find = _in_json if file.path.endswith(".json") else _in_python
    known = {key for key, _ in find(before)}
    for key, lost in find(after):
        if key in known:
            continue
        lines = [(number, line.decode("utf-8", "replace")) for number, line in file.added()]
        at = next(((number, line) for number, line in lines if key in line), None)
        if at is not None:
            detail = f"`{key}` stands there twice: the last one counts, and {lost[:80]} is read no more"
            yield hit_at("test.fewer-cases", file.path, at[0], detail, at[1].strip())


def _in_json(data: bytes) -> list[Repeated]:
    found: list[Repeated] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        last = dict(pairs)
        found.extend((key, json.dumps(value)) for key, value in pairs if last[key] != value)
        return last

    try:
        json.loads(data, object_pairs_hook=members)
    except (ValueError, RecursionError):
        return []  # other readers say that it cannot be read
    return found


def _in_python(data: bytes) -> list[Repeated]:
    tree = parsed_module(data)
    found: list[Repeated] = []
    for node in walk(tree) if tree is not None else ():
        if isinstance(node, ast.Dict):
            named = [
                (each.value, source_of(value))
                for each, value in zip(node.keys, node.values, strict=True)
                if isinstance(each, ast.Constant)
            ]
            last = dict(named)
            found += [(str(key), value) for key, value in named if last[key] != value]
    return found


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (repeated_keys,)
