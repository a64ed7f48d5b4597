"""Functions that lost all their annotations, so that mypy looks into them no more (policy set v2, class G01).

Rules:

- mypy checks the body of a function only if the function has an annotation. One of the product's whose parameters were
  all annotated (or which has none, and a result), and that now has no annotation at all, is taken out of type checking
  as `@no_type_check` would: it blocks. If more than the half of its body is new, or overloads beside it say the types,
  it is for a person.
- A function with other parameters, or with hardly a line of its body, is another function; one that does no work has
  nothing to be checked.
- Types that stand in a stub file or in type comments are still there. What leaves type checking together with its
  configuration is a matter of that configuration.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.record import record
from ralph.system.patterns import later

Function = ast.FunctionDef | ast.AsyncFunctionDef

ANNOTATION = later(rb"->|(?:^|[(,\s*])\w+[ \t]*:[ \t]*[\"'A-Za-z_]", re.MULTILINE)
TYPE_COMMENT = later(r"#\s*type:\s*(?!ignore\b)\S")
UNCHECKED = later(r"(?m)^#\s*mypy:.*\bignore-errors\b|^#\s*type:\s*ignore\s*$")
CONFIGURED = later(rb"(?m)^\[(?:tool\.)?(?:mypy|(?:based)?pyright|pytype|pyre|pyrefly|ty)\b")
CONFIGURATIONS = frozenset({"mypy.ini", ".mypy.ini", "pyrightconfig.json"})
SHARED = frozenset({"pyproject.toml", "setup.cfg"})
NO_CHECK = later(r"\bno_type_check\b")
SAME, ANOTHER = 0.5, 1 / 3
"""So much of the longer of two bodies is in both if they are the same function; less, if they are two functions."""


@record
class Found:
    """A function, and the names of the classes and functions around it and its own."""

    name: str
    tree: Function
    is_method: bool


def untyped(change: Change) -> Iterator[Hit]:
    leaves: bool | None = None
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or is_support(file.path) or not _loses(file):
            continue
        hits = list(_stripped(file, change))
        if hits and leaves is None:
            leaves = _leaves_typing(change)
        if not leaves:
            yield from hits


def _loses(file: FileChange) -> bool:
    """Somewhere fewer annotations are added than removed."""
    return any(_count(hunk.removed) > _count(hunk.added) for hunk in file.hunks)


def _count(lines: Sequence[bytes]) -> int:
    return len(ANNOTATION.findall(b"\n".join(lines)))


def _stripped(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = _text(change.blobs.before(file.path)), _text(change.blobs.after(file.path))
    was_written, now_written = parsed_module(before), parsed_module(after)
    if was_written is None or now_written is None or UNCHECKED.search(before):
        return
    old, new = list(_functions(was_written.body)), list(_functions(now_written.body))
    overloaded = {each.name for each in new if _is_overload(each.tree)}
    lines = after.split("\n")
    for was, now in _pairs(old, new):
        if not _is_typed(was) or _annotations(now.tree) or not _works(was.tree) or not _works(now.tree):
            continue
        if _names(was.tree) != _names(now.tree) or _has_type_comment(now.tree, lines):
            continue
        if any(NO_CHECK.search(source_of(each)) for each in was.tree.decorator_list):
            continue
        if _in_stub(file.path, was.tree.name, change):
            continue
        kept = _share_kept(was.tree, now.tree)
        if kept < ANOTHER:
            continue
        said = f"{now.name} lost its annotations, and its body is no longer checked"
        yield Hit(
            rule="py.no-type-check" if kept >= SAME and now.name not in overloaded else "py.cast-any",
            path=file.path,
            line=now.tree.lineno,
            column=now.tree.col_offset + 1,
            key=said,
            snippet=lines[now.tree.lineno - 1].strip(),
            detail=said,
        )


def _text(data: bytes | None) -> str:
    try:
        return one_line_end("python", decoded("python", data or b"")).decode("utf-8", "replace")
    except UnreadableError:
        return ""


def _functions(body: Sequence[ast.stmt], around: str = "", *, in_class: bool = False) -> Iterator[Found]:
    """Those of a module and of what stands in it, in order."""
    for each in body:
        if isinstance(each, Function):
            name = f"{around}{each.name}"
            yield Found(name, each, is_method=in_class and "staticmethod" not in map(source_of, each.decorator_list))
            yield from _functions(each.body, f"{name}.")
        elif isinstance(each, ast.ClassDef):
            yield from _functions(each.body, f"{around}{each.name}.", in_class=True)
        else:
            for part in ("body", "orelse", "handlers", "finalbody"):
                yield from _functions(getattr(each, part, ()), around, in_class=in_class)


def _pairs(old: Sequence[Found], new: Sequence[Found]) -> Iterator[tuple[Found, Found]]:
    """The functions of one name, in their order, if there are as many of them as before."""
    before, after = _by_name(old), _by_name(new)
    for name, found in before.items():
        if len(found) == len(after.get(name, ())):
            yield from zip(found, after[name], strict=True)


def _by_name(functions: Sequence[Found]) -> dict[str, list[Found]]:
    found: dict[str, list[Found]] = {}
    for each in functions:
        if not _is_overload(each.tree):
            found.setdefault(each.name, []).append(each)
    return found


def _is_overload(tree: Function) -> bool:
    return any(source_of(each).rpartition(".")[2] == "overload" for each in tree.decorator_list)


def _arguments(tree: Function) -> list[ast.arg]:
    given = tree.args
    listed = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [each for each in listed if each is not None]


def _names(tree: Function) -> list[str]:
    return sorted(each.arg for each in _arguments(tree))


def _annotations(tree: Function) -> bool:
    return tree.returns is not None or any(each.annotation is not None for each in _arguments(tree))


def _is_typed(found: Found) -> bool:
    """All of its parameters have a type, but for `self`; without one, its result has."""
    arguments = _arguments(found.tree)
    if found.is_method and arguments and arguments[0].annotation is None:
        arguments = arguments[1:]
    return all(each.annotation is not None for each in arguments) and _annotations(found.tree)


def _works(tree: Function) -> bool:
    """It does more than to stand there: a placeholder or an abstract method has nothing that could be checked."""
    return any(
        not isinstance(each, ast.Pass | ast.Raise)
        and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in tree.body
    )


def _share_kept(was: Function, now: Function) -> float:
    """How many of the lines of the longer body are in both."""
    before, after = ({line.strip() for each in tree.body for line in _lines(each)} for tree in (was, now))
    return len(before & after) / max(len(before), len(after), 1)


def _lines(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return []  # a docstring is read by no type checker
    return source_of(statement).split("\n")


def _has_type_comment(tree: Function, lines: Sequence[str]) -> bool:
    """Between the name of the function and its first statement, or behind a parameter."""
    return any(TYPE_COMMENT.search(line) for line in lines[tree.lineno - 1 : tree.body[0].lineno])


def _in_stub(path: str, name: str, change: Change) -> bool:
    """A stub file of the module has a function of that name: type checkers read that in the place of the module."""
    stub = posixpath.basename(path) + "i"
    defined = re.compile(rb"\bdef\s+" + re.escape(name.encode()) + rb"\b")
    found = (each for each in change.blobs.paths_after() if each.endswith(stub) and posixpath.basename(each) == stub)
    return any(defined.search(change.blobs.after(each) or b"") for each in found)


def _leaves_typing(change: Change) -> bool:
    """The configuration of a type checker is gone."""
    for file in change.files:
        name = posixpath.basename(file.path)
        if name in CONFIGURATIONS and file.status == "D":
            return True
        if name in SHARED:
            was, now = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
            if CONFIGURED.search(was) and not CONFIGURED.search(now):
                return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (untyped,)
