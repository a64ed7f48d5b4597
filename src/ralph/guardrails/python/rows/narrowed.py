"""Cases that a Python file of tests loads, of which it now takes a part (policy set v2, class G05).

Rules, for what the parameters of a test, a constant, the answer of a function, or a loop of the file goes through:

- `CASES[:2]`, `[case for case in load() if case["net"] > 10]`, `filter(...)`, `islice(...)` and `random.sample(...)`
  around what stood there before, and a narrower pattern of `glob`, run the test for fewer cases. Rows that are written
  down in the file are the inventory's (see `bodies`).
- It counts where tests go through it: by `parametrize`, as the `params` of a fixture, or in a loop.
- What is left out is none where the file goes through the whole more often than before: it was divided. Nor is it where
  the condition asks about the platform.
"""

from __future__ import annotations

import ast
import copy
import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatch

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.failures.reach import PLATFORM
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

WORTH = later(rb"\[[^\]\n]*:[^\]\n]*\]|\bif\b|\bfilter\(|islice\(|\.(?:sample|choices)\(|glob\(")
CUTS = later(r"(?:^|\.)(?:islice|filter|filterfalse|takewhile|dropwhile)$|(?:^|\.)random\.(?:sample|choices)$")
WHOLE = frozenset({":", "::", "::1", "::-1"})
"""A copy, or one that is turned round."""
SAME = frozenset({"list", "tuple", "sorted", "iter"})
GOES_THROUGH = r"(?:parametrize\(|params\s*=|\bfor\b[^\n]*\bin\b)[^\n]*\b{}\b"

Places = dict[str, ast.expr]


def narrowed(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not TEST_PLACE.search(file.path):
            continue
        if any(WORTH.search(line) for hunk in file.hunks for line in hunk.added):
            yield from _compared(file, change)


def _compared(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
    old, new = parsed_module(before), parsed_module(after)
    if old is None or new is None:
        return
    was, now = _places(old), _places(new)
    texts = before.decode("utf-8", "replace"), after.decode("utf-8", "replace")
    for place, value in now.items():
        whole = was.get(place)
        if whole is None or source_of(whole) == source_of(value) or not _is_part(value, whole):
            continue
        if _is_gone_through(place, texts[1]) and not _is_divided(whole, *texts):
            detail = f"{place}: of {cut(source_of(whole), 60)} a part is left"
            yield hit_at(
                "test.fewer-cases", file.path, value.lineno, detail, texts[1].split("\n")[value.lineno - 1].strip()
            )


def _places(tree: ast.Module) -> Places:
    """By what they are called: a constant, a function, `function: loop 2`, `function: parameters 1`."""
    found: Places = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not isinstance(value, ast.List | ast.Tuple):
                found[name] = value
    for function in walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        nodes = walk(function)
        answers = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
        if len(answers) == 1 and not function.name.startswith("test"):
            found[function.name] = answers[0]
        loops = [node.iter for node in nodes if isinstance(node, ast.For | ast.AsyncFor)]
        found |= {f"{function.name}: loop {number}": each for number, each in enumerate(loops, 1)}
        tables = [table for each in function.decorator_list if (table := _table(each)) is not None]
        found |= {f"{function.name}: parameters {number}": each for number, each in enumerate(tables, 1)}
    return found


def _table(decorator: ast.expr) -> ast.expr | None:
    if not isinstance(decorator, ast.Call):
        return None
    if name_of(decorator).endswith("parametrize") and len(decorator.args) > 1:
        return decorator.args[1]
    return next((each.value for each in decorator.keywords if each.arg in ("params", "argvalues")), None)


def _is_part(value: ast.expr, whole: ast.expr) -> bool:
    wanted = _plain(whole)
    if any(_plain(each) == wanted for each in _wholes(value)):
        return True
    old, new = _pattern(whole), _pattern(value)
    narrower = bool(old and new) and posixpath.dirname(new) == posixpath.dirname(old) and fnmatch(new, old)
    return narrower and source_of(value).replace(repr(new), repr(old)) == source_of(whole)


def _pattern(tree: ast.expr) -> str:
    """What `glob` is given, if it stands there once."""
    calls = [each for each in walk(tree) if isinstance(each, ast.Call) and name_of(each).endswith("glob")]
    given = [part.value for each in calls for part in each.args if isinstance(part, ast.Constant)]
    return str(given[0]) if len(given) == 1 else ""


def _wholes(value: ast.expr) -> Iterator[ast.expr]:
    """The expression without one of the nodes that take a part of something."""
    for node in walk(value):
        inner = _inner(node)
        if inner is not None:
            yield inner if node is value else _put_in_place(value, node, inner)


def _inner(node: ast.AST) -> ast.expr | None:
    """What it takes a part of."""
    match node:
        case ast.Subscript(value=inner, slice=ast.Slice() as part):
            return None if source_of(part) in WHOLE else inner
        case (
            ast.ListComp(
                elt=ast.Name(id=one), generators=[ast.comprehension(target=ast.Name(id=each), iter=inner, ifs=ifs)]
            )
            | ast.GeneratorExp(
                elt=ast.Name(id=one), generators=[ast.comprehension(target=ast.Name(id=each), iter=inner, ifs=ifs)]
            )
        ) if ifs and one == each:
            return None if any(PLATFORM.search(source_of(part)) for part in ifs) else inner
        case ast.Call(args=[_, *_]) if CUTS.search(name_of(node)):
            return node.args[1 if "filter" in name_of(node) or "while" in name_of(node) else 0]
    return None


def _put_in_place(tree: ast.expr, node: ast.AST, inner: ast.expr) -> ast.expr:
    changed = _Put(node, inner).visit(copy.deepcopy(tree))
    return changed if isinstance(changed, ast.expr) else tree


class _Put(ast.NodeTransformer):
    """Puts one expression in another one's place, told by where that stands."""

    def __init__(self, node: ast.AST, inner: ast.expr) -> None:
        self._place, self._inner = _place(node), inner

    def visit(self, node: ast.AST) -> ast.AST:
        return self._inner if _place(node) == self._place else self.generic_visit(node)


def _place(node: ast.AST) -> tuple[str, int, int, int]:
    return (
        type(node).__name__,
        getattr(node, "lineno", 0),
        getattr(node, "col_offset", 0),
        getattr(node, "end_col_offset", 0),
    )


def _plain(tree: ast.expr) -> str:
    """Its code, whatever kind of list is made of it at last."""
    while isinstance(tree, ast.Call) and tree.args and name_of(tree) in SAME:
        tree = tree.args[0]
    text = source_of(tree)
    return re.sub(r"\b(?:list|tuple|iter)\(([\w.]+\([^()]*\))\)", r"\1", text)


def _is_gone_through(place: str, text: str) -> bool:
    """By tests of the file; what a loop or a table of parameters has is gone through."""
    return ":" in place or re.search(GOES_THROUGH.format(re.escape(place)), text) is not None


def _is_divided(whole: ast.expr, before: str, after: str) -> bool:
    """The file says it more often than before: another test takes the rest."""
    name = source_of(whole)
    return after.count(name) > before.count(name)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (narrowed,)
