"""Assertions that ask for less by what a library makes of their words (policy set v2, class G05): Python.

Rules, for the lines that a change takes from a file of tests and adds to it:

- An `AsyncMock` that is only called has done nothing: `assert_awaited...` that became `assert_called...` of the same
  thing, where the file still has such mocks, blocks.
- PyHamcrest's `assert_that(value, reason)` asks whether the value is true: the matcher behind it that became a plain
  value blocks.
- `addTypeEqualityFunc` with a function that never fails settles what `assertEqual` says of a type: it blocks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import Definition, parsed_module, walk
from ralph.system.patterns import later

WORTH = later(rb"\bassert_(?:any_)?call|\bassert_that\(|addTypeEqualityFunc")
AWAITED = later(r"\s*(?P<who>[\w.\[\]()\"']+)\.assert_(?:any_)?await\w*\(")
CALLED = later(r"\s*(?P<who>[\w.\[\]()\"']+)\.assert_(?:called\w*|any_call|has_calls)\(")


def by_library(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if (
            file.status in "AM"
            and file.path.endswith(".py")
            and TEST_PLACE.search(file.path)
            and WORTH.search(file.added_text)
        ):
            text = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
            yield from _only_called(file, text)
            yield from _reasons(file, text)
            yield from _equal_anyhow(file, text)


def _added(file: FileChange) -> Iterator[tuple[int, str]]:
    return ((number, line.decode("utf-8", "replace")) for number, line in file.added())


def _removed(file: FileChange) -> list[str]:
    return [line.decode("utf-8", "replace") for line in file.removed()]


def _only_called(file: FileChange, text: str) -> Iterator[Hit]:
    was = {match["who"] for line in _removed(file) if (match := AWAITED.match(line))}
    if not was or "AsyncMock" not in text:
        return
    still = {match["who"] for _, line in _added(file) if (match := AWAITED.match(line))}
    for number, line in _added(file):
        called = CALLED.match(line)
        if called is not None and called["who"] in was - still:
            yield hit_at(
                "test.weakened", file.path, number, f"{called['who']} need not be awaited any more", line.strip()
            )


def _reasons(file: FileChange, text: str) -> Iterator[Hit]:
    """The names of its matchers are imported from the library, or come with it."""
    if "hamcrest" not in text or not any("assert_that(" in line for line in _removed(file)):
        return
    tree, added = parsed_module(text), file.added_numbers
    if tree is None:
        return
    nodes = walk(tree)
    named = {
        each.asname or each.name
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for each in node.names
        if (node.module or "").startswith("hamcrest")
    }
    lines = text.split("\n")
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and source_of(node.func) in ("assert_that", "hamcrest.assert_that")
            and len(node.args) == 2
            and node.lineno in added
        ):
            second = node.args[1]
            called = source_of(second.func) if isinstance(second, ast.Call) else ""
            constant = isinstance(second, ast.Constant) and not isinstance(second.value, str)
            made = called and called[:1].isupper() and called not in named
            if constant or made or isinstance(second, ast.List | ast.Dict | ast.Tuple | ast.BinOp):
                detail = f"{source_of(second)[:60]} is no matcher, so that only the truth of the first is asked"
                yield hit_at("test.weakened", file.path, node.lineno, detail, lines[node.lineno - 1].strip())


def _equal_anyhow(file: FileChange, text: str) -> Iterator[Hit]:
    tree = parsed_module(text) if b"addTypeEqualityFunc" in file.added_text else None
    if tree is None:
        return
    nodes = walk(tree)
    functions = {each.name: each for each in nodes if isinstance(each, Definition)}
    lines = text.split("\n")
    for node in nodes:
        if (
            not isinstance(node, ast.Call)
            or not source_of(node.func).endswith(".addTypeEqualityFunc")
            or len(node.args) < 2
        ):
            continue
        given = node.args[1]
        own = functions.get(source_of(given).rpartition(".")[2])
        never = _never_fails(given) if isinstance(given, ast.Lambda) else own is not None and _never_fails(own)
        if never and node.lineno in file.added_numbers:
            detail = f"what compares {source_of(node.args[0])} never fails"
            yield hit_at("test.weakened", file.path, node.lineno, detail, lines[node.lineno - 1].strip())


def _never_fails(function: Definition | ast.Lambda) -> bool:
    return not any(isinstance(each, ast.Raise | ast.Assert | ast.Call) for each in walk(function))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (by_library,)
