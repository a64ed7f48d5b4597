"""Classes of which a type checker believes that they have every attribute, as Any is a base of them (class G01).

    class Settings(Any):

Rule: a class of the product that was there before has Any as a base, by that name or by one that the file gives to it
(`Base: Any = object`, or below `if TYPE_CHECKING`). It blocks; it is for a person where the class had a base from
another file, which may have been unknown to the checker already, and so is a new class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

ADDED = later(rb"(?m)^[ \t]*class[ \t]+\w+[^\n]*\(|=[ \t]*(?:\w+\.)*Any\b|:[ \t]*(?:type\[)?(?:\w+\.)*Any\]?[ \t]*=")
WORTH = later(
    rb"(?m)^[ \t]*class[ \t]+\w+[^\n]*\([^\n]*\bAny\b|=[ \t]*(?:\w+\.)*Any\b"
    rb"|:[ \t]*[\"']?(?:[tT]ype\[)?(?:\w+\.)*Any\]?[\"']?[ \t]*="
)
ANY = later(r"(?:\w+\.)*Any")
KINDS = later(r"[\"']?(?:type\[|Type\[)?(?:\w+\.)*Any\]?[\"']?")
PLAIN_BASES = frozenset({"object", "Protocol", "Generic", "ABC", "NamedTuple"})


def any_base(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.path.endswith(".py") and ADDED.search(file.added_text) and not is_support(file.path):
            data = change.blobs.after(file.path) or b""
            head = parsed_module(data) if WORTH.search(data) else None
            if head is not None:
                yield from _judged(file, parsed_module(change.blobs.before(file.path) or b""), head)


def _judged(file: FileChange, base: ast.Module | None, head: ast.Module) -> Iterator[Hit]:
    before = _classes(base) if base is not None else {}
    was = {name for name, each in before.items() if base is not None and _has_any(each, base)}
    for name, each in _classes(head).items():
        if name in was or not _has_any(each, head):
            continue
        old = before.get(name)
        others = (
            {source_of(part).partition("[")[0].rpartition(".")[2] for part in old.bases} if old is not None else set()
        )
        mild = old is None or not others <= PLAIN_BASES | before.keys()
        text = f"Any is a base of {name}"
        yield Hit(
            rule="py.cast-any" if mild else "py.no-type-check",
            path=file.path,
            line=each.lineno,
            column=each.col_offset + 1,
            key=text,
            snippet=source_of(each).split("\n")[0],
            detail=text,
        )


def _classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    return {each.name: each for each in walk(tree) if isinstance(each, ast.ClassDef)}


def _has_any(owner: ast.ClassDef, tree: ast.Module) -> bool:
    bases = [source_of(each) for each in owner.bases]
    if any(ANY.fullmatch(each) for each in bases):
        return True
    given = {name for each in walk(tree) if (name := _given_any(each))} if bases else set()
    return not given.isdisjoint(bases)


def _given_any(statement: ast.AST) -> str:
    """The name that stands for Any."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if ANY.fullmatch(source_of(value)):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if KINDS.fullmatch(source_of(kind)):
            return name
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (any_base,)
