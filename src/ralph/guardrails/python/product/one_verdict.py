"""New records of the product whose verdict can only be the good one, in Python (policy set v2, class G19).

Rule: a class that the change brings says whether all is well by one of its fields (`return self.broken_at is None`),
which is well by default, and nothing in the product gives that field another value: not where the record is made, not
later. Whoever makes it has looked at nothing. For a person, as all new functions that do not work yet.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.record import record
from ralph.system.patterns import later

RULE = "py.new-stub"
WORTH = later(rb"return (?:not |len\(|bool\(|\()*self\.\w+")
NAMED = (
    r"(?i:(?:is_|has_|was_)?(?:ok|okay|valid|pass(?:ed|es)?|success(?:ful)?|succeeded|good|clean|intact|healthy|consistent"
    r"|verified|fail(?:ed|ure|s)?|broken|invalid|errors?))"
)
VERDICT = later(NAMED)
DEFINES = later(rf"\bdef {NAMED}\(".encode())
GROWS = frozenset(("append", "add", "extend", "insert", "update"))
Function = ast.FunctionDef | ast.AsyncFunctionDef


@record
class Verdict:
    """A class, the field that decides, and how many values come before it where one is made."""

    name: str
    field: str
    place: int


def one_verdict(change: Change) -> Iterator[Hit]:
    files = [each for each in change.files if each.path.endswith(".py") and not TEST_PLACE.search(each.path)]
    telling = [each for each in files if each.status in "AM" and DEFINES.search(each.added_text)]
    if not any(is_in(WORTH, each.added_text) for each in telling):
        return
    read = {each.path: parsed_module(change.blobs.after(each.path) or b"") for each in telling}
    old = b"\n".join(change.blobs.before(each.path) or b"" for each in files)
    verdicts = [verdict for tree in read.values() if tree is not None for verdict in _verdicts(tree, old)]
    if not verdicts:
        return
    every = [(each, parsed_module(change.blobs.after(each.path) or b"")) for each in files if each.status != "D"]
    modules = [(file, tree) for file, tree in every if tree is not None]
    nodes = [node for _, tree in modules for node in walk(tree)]
    for verdict in verdicts:
        if any(_may_be_bad(node, verdict) for node in nodes):
            continue
        for file, other in modules:
            for call in _makers(other, verdict.name):
                detail = f"{verdict.name} is always well: nothing gives it {verdict.field}"
                line = (change.blobs.after(file.path) or b"").split(b"\n")[call.lineno - 1]
                yield hit_at(RULE, file.path, call.lineno, detail, line.decode("utf-8", "replace").strip())
                break


def _verdicts(tree: ast.Module, old: bytes) -> Iterator[Verdict]:
    for each in tree.body:
        if not isinstance(each, ast.ClassDef) or b"class %s" % each.name.encode() in old:
            continue
        fields = [part for part in each.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]
        names = [part.target.id for part in fields if isinstance(part.target, ast.Name)]
        empty = {name for name, part in zip(names, fields, strict=True) if part.value and _is_empty(part.value)}
        methods = [part for part in each.body if isinstance(part, Function) and VERDICT.fullmatch(part.name)]
        asked = {name for method in methods if (name := _asked(method)) in empty}
        if len(asked) == 1:
            name = min(asked)
            yield Verdict(each.name, name, names.index(name))


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=given):
            return not given
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(
            func=ast.Name(id="field"), keywords=[ast.keyword(arg="default_factory", value=ast.Name(id=made))]
        ):
            return made in ("list", "dict", "set", "tuple")
    return False


def _asked(method: Function) -> str:
    """The one field that a method of one statement looks at; empty if there are more."""
    *before, last = method.body
    if any(not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)) for each in before):
        return ""
    if not isinstance(last, ast.Return) or last.value is None:
        return ""
    names = [
        part.attr
        for part in walk(last.value)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"
    ]
    return names[0] if len(names) == 1 else ""


def _may_be_bad(node: ast.AST, verdict: Verdict) -> bool:
    """It gives the field a value, derives from the class, has it made by others (`Result.parse(data)`,
    `read(Result, data)`), or has the field's name as a text."""
    match node:
        case ast.Call(func=called, args=args, keywords=keywords) if _is_class(called, verdict.name):
            several = any(isinstance(each, ast.Starred) for each in args) or any(each.arg is None for each in keywords)
            return several or len(args) > verdict.place or any(each.arg == verdict.field for each in keywords)
        case ast.Call(args=args) if any(isinstance(each, ast.Name) and each.id == verdict.name for each in args):
            return True
        case ast.Attribute(value=ast.Name(id=name), attr=_) if name == verdict.name:
            return True
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=method)):
            return name == verdict.field and method in GROWS
        case ast.keyword(arg=name) | ast.Constant(value=name):
            return bool(name == verdict.field)
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name == verdict.field
        case ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store()):
            return name == verdict.field
        case ast.ClassDef(bases=bases):
            return any(_is_class(each, verdict.name) for each in bases)
    return False


def _makers(tree: ast.Module, name: str) -> Iterable[ast.Call]:
    calls = (node for node in walk(tree) if isinstance(node, ast.Call))
    return (call for call in calls if _is_class(call.func, name) and ast.unparse(call.func) != "cls")


def _is_class(called: ast.expr, name: str) -> bool:
    match called:
        case ast.Name(id=known) | ast.Attribute(attr=known):
            return known in (name, "cls")
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (one_verdict,)
