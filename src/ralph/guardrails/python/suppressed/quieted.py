"""Tests that are run with warnings ignored (policy set v2, class G12).

Rule: a mark that ignores warnings (`@pytest.mark.filterwarnings("ignore...")`), on a test, class or file of the base
that had no such mark, is for a person, as the same words in the configuration are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.python.claims import name_of
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.trees import parsed_module, walk

WORD = b"filterwarnings"
MODULE = "the file"
Marks = dict[str, list[ast.Call]]
"""By the name of the test, with those of the classes around it."""


def quieted(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not is_test_file(file.path):
            continue
        if any(WORD in line for hunk in file.hunks for line in hunk.added):
            yield from _compared(file, change)


def _compared(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    old, new = parsed_module(before), parsed_module(after)
    if old is None or new is None:
        return
    lines, had = after.split(b"\n"), _marks(old.body)
    for name, marks in _marks(new.body).items():
        ignoring = [mark for mark in marks if _ignores(mark)]
        if ignoring and had.get(name) == []:
            said = f"{name} is run with warnings ignored"
            yield Hit(
                rule="cfg.pytest.strictness",
                path=file.path,
                line=ignoring[0].lineno,
                column=ignoring[0].col_offset + 1,
                key=said,
                snippet=lines[ignoring[0].lineno - 1].decode("utf-8", "replace").strip(),
                detail=said,
            )


def _marks(body: Sequence[ast.stmt], around: str = "") -> Marks:
    found: Marks = {} if around else {MODULE: []}
    for each in body:
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if each.name.startswith("test"):
                found[around + each.name] = _calls(each.decorator_list)
            case ast.ClassDef():
                found[around + each.name] = _calls(each.decorator_list)
                found |= _marks(each.body, f"{around}{each.name}.")
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                found[around.removesuffix(".") or MODULE] = _calls([value])
    return found


def _calls(marks: Sequence[ast.expr]) -> list[ast.Call]:
    nodes = [each for mark in marks for each in walk(mark)]
    return [each for each in nodes if isinstance(each, ast.Call) and name_of(each).endswith("mark.filterwarnings")]


def _ignores(mark: ast.Call) -> bool:
    match mark.args:
        case [ast.Constant(value=str(said)), *_]:
            return said.strip().startswith("ignore")
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (quieted,)
