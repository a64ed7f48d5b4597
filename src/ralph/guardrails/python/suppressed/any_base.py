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
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

ADDED = later(rb"^[ \t]*class[ \t]+\w+[^\n]*\(|=[ \t]*(?:\w+\.)*Any\b|:[ \t]*(?:type\[)?(?:\w+\.)*Any\]?[ \t]*=")
GIVEN = later(rb"\b(\w+)[ \t]*(?:=[ \t]*(?:\w+\.)*Any\b|:[ \t]*[\"']?(?:[tT]ype\[)?(?:\w+\.)*Any\]?[\"']?[ \t]*=)")
BASES = later(rb"\bclass[ \t]+\w+[^\n(:]*\(([^()]*)")
ARGUMENTS = later(rb"\[[^\[\]]*\]")
WORD = later(rb"\w+")
ANY = later(r"(?:\w+\.)*Any")
KINDS = later(r"[\"']?(?:type\[|Type\[)?(?:\w+\.)*Any\]?[\"']?")
PLAIN_BASES = frozenset({"object", "Protocol", "Generic", "ABC", "NamedTuple"})


def any_base(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.path.endswith(".py") and is_in(ADDED, file.added_text) and not is_support(file.path):
            data = change.blobs.after(file.path) or b""
            head = parsed_module(data) if _may_have_any(data) else None
            if head is not None:
                yield from _judged(file, parsed_module(change.blobs.before(file.path) or b""), head)


def _may_have_any(data: bytes) -> bool:
    """The name of a base is Any, or is given it somewhere."""
    names = {b"Any"}
    for line in data.split(b"\n"):
        if b"Any" in line:
            names.update(GIVEN.findall(line))
    return any(not names.isdisjoint(WORD.findall(ARGUMENTS.sub(b"", bases))) for bases in BASES.findall(data))


def _judged(file: FileChange, base: ast.Module | None, head: ast.Module) -> Iterator[Hit]:
    before = _classes(base) if base is not None else {}
    was = set(_with_any(base)) if base is not None else set()
    for name, each in _with_any(head).items():
        if name in was:
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


def _with_any(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The classes that have Any as a base, by that name or another."""
    given = {name for each in walk(tree) if (name := _given_any(each))}
    return {
        name: each
        for name, each in _classes(tree).items()
        if any(base in given or ANY.fullmatch(base) for base in map(source_of, each.bases))
    }


def _given_any(statement: ast.AST) -> str:
    """The name that stands for Any."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if ANY.fullmatch(source_of(value)):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if KINDS.fullmatch(source_of(kind)):
            return name
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (any_base,)
