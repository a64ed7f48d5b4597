"""Members of the product that equality no longer sees, so that tests which compare whole objects ask for less (policy
set v2, class G05): dataclasses and attrs.

Rule: a field that the base had and compared gets `compare=False` (attrs: `eq=False`), or its class an `__eq__` of its
own that does not read it, and a test that stays compares with an object of the class. It blocks where that is said.
A field that is new, and a class whose objects no test compares, are a matter of the product.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import Definition, parsed_module, walk
from ralph.system.patterns import later

WORTH = later(rb"\b(?:compare|eq)\s*=\s*False\b|\bdef\s+__eq__\b")
MOST_TESTS = 300


def uncompared(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or TEST_PLACE.search(file.path):
            continue
        if WORTH.search(file.added_text):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
    was, now = parsed_module(before), parsed_module(after)
    if was is None or now is None:
        return
    old = {each.name: each for each in walk(was) if isinstance(each, ast.ClassDef)}
    lines = after.decode("utf-8", "replace").split("\n")
    for owner in (each for each in walk(now) if isinstance(each, ast.ClassDef)):
        if owner.name not in old or _own(old[owner.name]) is not None:
            continue
        compared = _compared(old[owner.name])
        lost = compared.keys() & (_fields(owner).keys() - _compared(owner).keys())
        own = _own(owner)
        if own is not None and not _asks_all(own):
            lost |= {name for name in compared if not re.search(rf"\.{name}\b", source_of(own))}
        if lost and (test := _compared_by(owner.name, change)):
            at = own.lineno if own is not None else min(_fields(owner).get(name, owner.lineno) for name in lost)
            detail = f"{owner.name} compares without {', '.join(sorted(lost))}, and {test} compares whole objects"
            yield hit_at("test.weakened", file.path, at, detail, lines[at - 1].strip())


def _fields(owner: ast.ClassDef) -> dict[str, int]:
    """The fields of a dataclass, and their lines."""
    if not any(
        word in source_of(each) for each in owner.decorator_list for word in ("dataclass", "attr", "define", "frozen")
    ):
        return {}
    return {
        each.target.id: each.lineno
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }


def _compared(owner: ast.ClassDef) -> dict[str, int]:
    fields = _fields(owner)
    left_out = {
        each.target.id
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and _is_left_out(each.value)
    }
    whole = any("eq=False" in source_of(each).replace(" ", "") for each in owner.decorator_list)
    return {} if whole else {name: line for name, line in fields.items() if name not in left_out}


def _is_left_out(value: ast.expr | None) -> bool:
    said = value.keywords if isinstance(value, ast.Call) else ()
    return any(
        each.arg in ("compare", "eq") and isinstance(each.value, ast.Constant) and each.value.value is False
        for each in said
    )


def _own(owner: ast.ClassDef) -> Definition | None:
    return next((each for each in owner.body if isinstance(each, Definition) and each.name == "__eq__"), None)


def _asks_all(function: Definition) -> bool:
    """By something else than its members one by one."""
    return (
        re.search(r"__dict__|astuple|asdict|\bvars\(|super\(\)|fields\(|_key\b|__slots__", source_of(function))
        is not None
    )


def _compared_by(name: str, change: Change) -> str:
    compares = re.compile(rf"==\s*\[?{name}\(|\b{name}\([^\n]*\)\s*==|assertEqual\([^\n]*\b{name}\(".encode())
    kept = (path for path in change.blobs.paths_after() & change.blobs.paths_before() if path.endswith(".py"))
    for path in nearest((path for path in kept if TEST_PLACE.search(path)), change, MOST_TESTS):
        if compares.search(change.blobs.after(path) or b""):
            return path
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (uncompared,)
