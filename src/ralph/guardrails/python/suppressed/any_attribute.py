"""Classes and modules of which a type checker believes that they have every attribute (policy set v2, class G01).

Rule: a `__getattr__` that gives Any and is there for checkers only (below `if TYPE_CHECKING`), or that only raises an
AttributeError, silences the checker about each misspelt name. It blocks where it is new, in a class or module of the
base. Where the attributes may be there all the same, it is for a person: the class has a base of another file, sets
what it is told the name of, or is new itself. One that has a real `__getattr__` says what that gives.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module
from ralph.system.patterns import later

GETATTR = "__getattr__"
ANY = later(r"^[\"']?(?:\w+\.)*Any[\"']?$|Callable\[.*,\s*[\"']?(?:\w+\.)*Any[\"']?\]$")
FLAG = later(r"^(?:\w+\.)*(?:TYPE_CHECKING|MYPY)$")
OPPOSITE = later(r"^not (?:\w+\.)*(?:TYPE_CHECKING|MYPY)$")
DYNAMIC = later(r"\bsetattr\(|__dict__|\bvars\(|__(?:set|del)attr__|__getattribute__|\*\*\w+")
PLAIN_BASES = frozenset({"object", "Protocol", "Generic", "ABC", "NamedTuple"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


def any_attribute(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not file.path.endswith(".py") or file.added_text.find(GETATTR.encode()) < 0 or is_support(file.path):
            continue
        data = change.blobs.after(file.path) or b""
        head = parsed_module(data) if b"Any" in data else None
        base = parsed_module(change.blobs.before(file.path) or b"")
        if head is not None:
            yield from _judged(file, dict(_owners(base)) if base is not None else {}, head)


def _judged(file: FileChange, before: dict[str, list[ast.stmt]], head: ast.Module) -> Iterator[Hit]:
    own = {each.name for each in head.body if isinstance(each, ast.ClassDef)}
    classes = dict(_classes(head))
    for name, body in _owners(head):
        node = _loose(body)
        if node is None or _loose(before.get(name, [])) is not None:
            continue
        owner = classes.get(name)
        new = name not in before
        rule = "py.cast-any" if new or (owner is not None and _may_have_more(owner, own)) else "py.no-type-check"
        text = f"{name or 'the module'} may have any attribute"
        yield Hit(
            rule=rule,
            path=file.path,
            line=node.lineno,
            column=node.col_offset + 1,
            key=text,
            snippet=source_of(node).split("\n")[0],
            detail=text,
        )


def _owners(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The module itself, by an empty name, and its classes."""
    yield "", tree.body
    yield from ((name, each.body) for name, each in _classes(tree))


def _classes(tree: ast.Module | ast.ClassDef, around: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            yield f"{around}{each.name}", each
            yield from _classes(each, f"{around}{each.name}.")


def _loose(body: Sequence[ast.stmt]) -> ast.stmt | None:
    """What lets every attribute be there for a checker, and nobody else."""
    loose = next((each for part in body for each in _seen_by_checkers(part) if _is_any(each)), None)
    real = [each for each in body if isinstance(each, Function) and each.name == GETATTR]
    if any(not _only_raises(each) for each in real):
        return None
    return loose or next((each for each in real if _is_any(each)), None)


def _seen_by_checkers(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.If):
        return []
    condition = source_of(statement.test)
    return statement.body if FLAG.search(condition) else statement.orelse if OPPOSITE.search(condition) else []


def _is_any(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef(name=name, returns=ast.expr() as returns) if name == GETATTR:
            return ANY.search(source_of(returns)) is not None
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if name == GETATTR:
            return ANY.search(source_of(annotation)) is not None
    return False


def _only_raises(function: Function) -> bool:
    match [each for each in function.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]:
        case []:
            return True
        case [ast.Raise(exc=ast.expr() as raised)]:
            return source_of(raised).startswith("AttributeError")
    return False


def _may_have_more(tree: ast.ClassDef, own: set[str]) -> bool:
    bases = (source_of(each).partition("[")[0].rpartition(".")[2] for each in tree.bases)
    return any(base not in PLAIN_BASES | own for base in bases) or DYNAMIC.search(source_of(tree)) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (any_attribute,)
