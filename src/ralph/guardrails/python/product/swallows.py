"""Where a Python function drops every failure of some code (the rules are those of `stubs`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.python.claims import constant_value, is_value, name_of, source_of
from ralph.guardrails.python.product.functions import Tree
from ralph.guardrails.python.trees import walk
from ralph.record import record, replace
from ralph.system.patterns import later

_REFUSALS = (
    r"ValidationError|PermissionDenied|PermissionError|AccessDenied|Forbidden|Unauthorized|AuthenticationFailed"
    r"|AuthenticationError|InvalidToken|InvalidSignature|BadSignature"
)
DROPS = rb"except\*?[ \t]*:|except\b(?:(?!\bexcept\b).)*\b(?:(?:Base)?Exception|%s)\b|suppress\(|finally[ \t]*:"
DROPS %= _REFUSALS.encode()
SWALLOWS = later(DROPS)
BROAD = later(r"^(?:builtins\.)?(?:Base)?Exception$")
REFUSALS = later(rf"^(?:\w+\.)*(?:{_REFUSALS})$")
"""What says that something must not be: to drop it lets it be."""
LOGS = later(r"(?:^|\.)(?:debug|info|warning|warn|error|exception|log|p?print|critical)$")
TRACED = later(r"\.exception\(|\bexc_info\s*=\s*(?!False|None)|format_exc|print_exc|traceback")
"""What tells where it failed."""
SUCCESS = later(
    r"(?i)ok(?:ay)?|success(?:ful(?:ly)?)?|succeeded|pass(?:ed)?|approved|accepted|paid|valid|verified|completed?"
)


@record
class Swallow:
    """A place where every failure of some code is dropped."""

    node: ast.stmt
    code: str
    silent: bool
    """Nothing at all is done about it; else a constant takes the place of the result."""
    success: bool = False
    """What takes the place of the result says that all went well."""
    bare: bool = False
    """The handler does not even say what it catches."""
    around: ast.stmt | None = None
    logged: bool = False
    """It is told to a log in a few words, and the code goes on."""


def swallows(written: bytes) -> bool:
    told = b"except" in written or b"suppress" in written or b"finally" in written
    return told and SWALLOWS.search(written) is not None


def swallows_of(tree: Tree) -> Iterator[Swallow]:
    for node in walk(tree):
        if isinstance(node, ast.Try | ast.TryStar):
            for handler in node.handlers:
                refused = _is_refusal(handler.type) and all(map(_is_passed_over, handler.body))
                if refused or _is_broad(handler.type):
                    for each in _handled(handler.body, node):
                        yield replace(each, bare=handler.type is None, around=node)
            last = node.finalbody[-1] if node.finalbody else None
            if last is not None and (gives_constant(last) or (isinstance(last, ast.Return) and _is_silent(last))):
                yield Swallow(last, _code(node), silent=True)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                call = item.context_expr
                if (
                    isinstance(call, ast.Call)
                    and name_of(call).endswith("suppress")
                    and any(_is_broad(each) or _is_refusal(each) for each in call.args)
                ):
                    yield Swallow(node, _code(node), silent=True)


def gives_constant(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Return) else None
    return value is not None and (is_value(value) or _is_settled(value) or constant_value(value) is not None)


def is_log(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and LOGS.search(name_of(call)) is not None


def _code(around: ast.Try | ast.TryStar | ast.With | ast.AsyncWith) -> str:
    return "\n".join(map(source_of, around.body))


def _handled(body: list[ast.stmt], around: ast.Try | ast.TryStar) -> Iterator[Swallow]:
    work = [each for each in body if not is_log(each)]
    if work and gives_constant(work[-1]) and all(map(_is_silent, work[:-1])) and _says_success(work[-1]):
        yield Swallow(body[0], _code(around), silent=False, success=True)
    elif all(_is_silent(each) or gives_constant(each) for each in body):
        yield Swallow(body[0], _code(around), silent=all(map(_is_silent, body)))
    elif all(_is_silent(each) or (is_log(each) and not TRACED.search(source_of(each))) for each in body):
        yield Swallow(body[0], _code(around), silent=False, logged=True)


def _says_success(statement: ast.stmt) -> bool:
    """`return True`, `return {"ok": True}`, `return "paid", 200`."""
    value = statement.value if isinstance(statement, ast.Return) else None
    match value:
        case None:
            return False
        case ast.Dict(values=parts) | ast.Tuple(elts=parts):
            said = parts
        case _:
            said = [value]
    return any(
        isinstance(part, ast.Constant)
        and (part.value is True or (isinstance(part.value, str) and SUCCESS.fullmatch(part.value) is not None))
        for part in said
    )


def _is_settled(value: ast.expr) -> bool:
    """`x or True`, `x and False`: whatever x is."""
    match value:
        case ast.BoolOp(op=ast.Or(), values=[*_, ast.Constant(value=last)]):
            return last is True
        case ast.BoolOp(op=ast.And(), values=[*_, ast.Constant(value=last)]):
            return last is False
    return False


def _is_broad(kind: ast.expr | None) -> bool:
    if isinstance(kind, ast.Tuple):
        return any(map(_is_broad, kind.elts))
    return kind is None or BROAD.match(source_of(kind)) is not None


def _is_refusal(kind: ast.expr | None) -> bool:
    return kind is not None and REFUSALS.match(source_of(kind)) is not None


def _is_passed_over(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or is_log(statement)


def _is_silent(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Continue() | ast.Break() | ast.Return(value=None) | ast.Expr(value=ast.Constant()):
            return True
        case ast.Return(value=ast.Constant(value=None)) | ast.Delete():
            return True
        case ast.Assign(targets=[ast.Name(id="_")]):
            return True
    return False
