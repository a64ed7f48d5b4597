"""A file that a Python test writes right before it compares with it: such an assertion demands nothing.

Rules (policy set v2, class G05):

- It counts if what is compared was written into the file by the test itself (`write_text`, `write`, `dump`, a copy),
  and nothing but reading stands before it is read: what is called there may have changed the file.
- To write a file that is missing, or where an option asks for it, is how such files are made.
- A constant that is written and read again is an input.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.python.claims import is_constant, name_of, source_of
from ralph.guardrails.python.lending.inlining import Inliner
from ralph.guardrails.python.trees import parsed_expression, walk
from ralph.record import record, replace
from ralph.system.patterns import later

WRITES = frozenset({"write_text", "write_bytes", "write", "dump", "copy", "copy2", "copyfile", "move"})
READ = frozenset({"read_text", "read_bytes", "read", "open"})
READS = READ | {
    "close",
    "dirname",
    "Path",
    "join",
    "joinpath",
    "abspath",
    "resolve",
    "with_suffix",
    "with_name",
    "fspath",
}
FORMS = frozenset({"strip", "rstrip", "lstrip", "splitlines", "encode", "decode", "str"})
SERIALISED = later(r"(?:json|simplejson|orjson|yaml|pickle|tomllib|tomli|tomli_w|toml)\.(?:safe_)?(?:dump|load)s?")
"""What only puts the same content in another form. A form of the product's own is what the test is about."""
NAMES = frozenset({"Path", "str", "fspath"})
WHY = "the test has written what it compares with"


@record
class _Written:
    place: str
    content: str
    last: int
    """The line on which its writing ends."""


def without_rewritten(nodes: Sequence[ast.AST], inliner: Inliner, found: Sequence[Check], before: int) -> list[Check]:
    """The assertions; `before` is the line before the first of the text that the nodes were read from."""
    written = list(_written(nodes, inliner))
    if not written:
        return list(found)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    read = [call.lineno for call in calls if _last(call) in READ or _serialises(call)]
    others = [call.lineno for call in calls if _last(call) not in READS | FORMS and not _serialises(call)]
    return [
        replace(check, grade=Grade.NOTHING, why=WHY)
        if check.relation == "==" and _is_own(check, check.line - before, written, read, others)
        else check
        for check in found
    ]


def _is_own(check: Check, line: int, written: Sequence[_Written], read: Sequence[int], called: Sequence[int]) -> bool:
    sides = [
        _content(tree) if tree is not None else "" for tree in map(parsed_expression, (check.subject, check.wanted))
    ]
    return any(
        {f"file {each.place}", each.content} == set(sides)
        and any(each.last < at <= line and not any(each.last < other < at for other in called) for at in read)
        for each in written
    )


def _written(nodes: Sequence[ast.AST], inliner: Inliner) -> Iterator[_Written]:
    calls = [node for node in nodes if isinstance(node, ast.Call) and _last(node) in WRITES]
    if not calls:
        return
    asked = {id(part) for node in nodes if isinstance(node, ast.If) and not _differs(node.test) for part in walk(node)}
    for call in calls:
        tree = inliner.put_in(call, call.lineno)
        given = _put(tree) if isinstance(tree, ast.Call) and id(call) not in asked else None
        if given is not None and not is_constant(given[1]):
            yield _Written(_place(given[0]), _content(given[1]), call.end_lineno or call.lineno)


def _differs(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq)


def _put(call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The file that is written, and what is put in."""
    match call:
        case ast.Call(func=ast.Attribute(value=place, attr="write_text" | "write_bytes"), args=[content, *_]):
            return place, content
        case ast.Call(func=ast.Attribute(value=ast.Call() as opened, attr="write"), args=[content]):
            return (opened, content) if _last(opened) == "open" else None
        case ast.Call(func=ast.Attribute(attr="dump"), args=[content, ast.Call() as opened, *_]):
            return (opened, content) if _last(opened) == "open" and _serialises(call) else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="shutil")), args=[source, place, *_]):
            return place, ast.Call(func=ast.Attribute(value=source, attr="read_text"), args=[], keywords=[])
    return None


def _content(tree: ast.expr) -> str:
    """`file PLACE` for what is read from a file, the code of anything else."""
    while isinstance(tree, ast.Call):
        last = _last(tree)
        if last in ("read_text", "read_bytes", "read") and isinstance(tree.func, ast.Attribute):
            return f"file {_place(tree.func.value)}"
        if last == "open":
            return f"file {_place(tree)}"
        if tree.args and (_serialises(tree) or source_of(tree.func) == "str"):
            tree = tree.args[0]
        elif last in FORMS and isinstance(tree.func, ast.Attribute):
            tree = tree.func.value
        else:
            break
    return source_of(tree)


def _place(tree: ast.expr) -> str:
    while isinstance(tree, ast.Call):
        last = _last(tree)
        if (
            tree.args
            and (last in NAMES or (last == "open" and isinstance(tree.func, ast.Name)))
            and (last == "open" or len(tree.args) == 1)
        ):
            tree = tree.args[0]
        elif last == "open" and isinstance(tree.func, ast.Attribute):
            tree = tree.func.value
        else:
            break
    return source_of(tree)


def _serialises(call: ast.Call) -> bool:
    return SERIALISED.fullmatch(name_of(call)) is not None


def _last(call: ast.Call) -> str:
    return name_of(call).rpartition(".")[2]
