"""What fails a plain script, read as the assertions that it stands for.

Rules, for the top level of the file and for its functions:

- `if x != 3: sys.exit(1)`, or any other way to fail, is `assert x == 3`; `sys.exit(0)` is a way to leave. What asks
  only whether the run has what it needs (arguments, variables, programs, files) is a guard, and no assertion.
- A name that decides how the script ends (`sys.exit(failures)`, `assert not errors`) is a ledger: to count it up, to
  append to it or to set it under a condition is to fail. Where nothing ends with it any more, it decides nothing.
- What a function gives back fails the script where the script ends with it, or a ledger takes it.
- `try: f()` with a failure behind it, which a certain exception keeps from running, is `raises`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.python.claims import is_broad, name_of, source_of
from ralph.guardrails.python.failures.reach import is_failure
from ralph.guardrails.python.plain.statements import (
    exit_of,
    failed,
    given_to,
    is_about_a_file,
    is_about_surroundings,
    left,
    names_in,
    opposite,
    passed_on,
    said,
    stated,
)
from ralph.record import record
from ralph.system.patterns import later

PLAIN_CALLS = frozenset({"len", "bool", "int", "all", "any", "sum"})
GOOD = later(r"(?i).*(?:pass|succe|good|\bok)")
"""A ledger of what went well."""
BAD = later(r"(?i).*(?:fail|err|bad|wrong|problem|broken|mismatch|miss|issue|bug)")
"""A ledger of what did not."""
ASSERTS = later(r"(?:AssertionError|SystemExit|Exception)\b")
MISSES = later(r"not \w+|\w+ is None")
"""With another exception than these: what is needed to go on is not there."""
SKIPS = later(r"(?:\w+\.)*(?:SkipTest|Skipped|KeyboardInterrupt|NotImplementedError)\b")
GOES_ON = (None, False, 0)


@record
class Known:
    """Of a file: its ledgers, its functions whose answers fail the script, those that always fail it, and the names of
    what the run is given."""

    ledgers: frozenset[str] = frozenset()
    answering: frozenset[str] = frozenset()
    failing: frozenset[str] = frozenset()
    surroundings: frozenset[str] = frozenset()
    answers: bool = False
    """What is read is a function whose answer fails the script."""


def as_asserted(statements: Iterable[ast.stmt], known: Known) -> list[ast.stmt]:
    """The statements, with assertions in the place of what fails."""
    return [new for each in _without_forgotten(list(statements), known) for new in _read(each, known)]


def _without_forgotten(statements: list[ast.stmt], known: Known) -> list[ast.stmt]:
    """What a ledger took before it is emptied, without that anybody asked what it holds, is never heard of."""
    begun: dict[str, int] = {}
    for number, each in enumerate(statements):
        if (name := _emptied(each)) in known.ledgers:
            if name in begun:
                never = ast.If(test=ast.Constant(value=False), body=statements[begun[name] : number], orelse=[])
                rest = _without_forgotten(statements[number:], known)
                return [*statements[: begun[name]], ast.copy_location(never, each), *rest]
            begun[name] = number
        elif isinstance(each, ast.If | ast.Assert) and is_told(each.test, known):
            begun = dict.fromkeys(begun, number)
    return statements


def _emptied(node: ast.stmt) -> str:
    """The name of what is made empty, or is begun."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            empty = isinstance(value, ast.Constant) or source_of(value) in ("[]", "{}", "set()", "list()", "dict()")
            return name if empty else ""
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="clear"))):
            return name
    return ""


def _read(node: ast.stmt, known: Known) -> Iterator[ast.stmt]:
    match node:
        case ast.If():
            yield from _if(node, known)
        case ast.Try():
            yield from _try(node, known)
        case ast.For() | ast.AsyncFor() | ast.While() | ast.With() | ast.AsyncWith():
            yield _with_body(node, known)
        case ast.Assert(test=test) if is_told(test, known) or is_about_surroundings(test, known.surroundings):
            return
        case ast.Return(value=ast.expr() as value) if known.answers:
            yield from _answered(node, value, known)
        case ast.AugAssign(target=ast.Name(id=name), value=value) if name in known.ledgers:
            yield from _taken(node, [value])
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in known.ledgers:
            yield from _given(node, name, value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[value])) if (
            name in known.ledgers
        ):
            yield from _taken(node, [value])
        case _ if (call := exit_of(node)) is not None:
            yield from _exit(node, call, known)
        case _:
            yield node


def _exit(node: ast.stmt, call: ast.Call, known: Known) -> Iterator[ast.stmt]:
    given = passed_on(given_to(call))
    if isinstance(given, ast.Call) and not is_told(given, known):
        yield said(given, node)
    yield node if _is_bad(given, known) else left(node)


def _is_bad(given: ast.expr, known: Known) -> bool:
    """The script fails where it ends with this."""
    if isinstance(given, ast.Constant):
        return given.value not in GOES_ON
    return isinstance(given, ast.JoinedStr | ast.BinOp | ast.Name) and not is_told(given, known)


def _answered(node: ast.stmt, value: ast.expr, known: Known) -> Iterator[ast.stmt]:
    if isinstance(value, ast.Compare | ast.BoolOp) and not is_told(value, known):
        yield stated(value, node)
    elif isinstance(value, ast.Call) and not is_told(value, known):
        yield said(passed_on(value), node)
    yield left(node)


def _taken(node: ast.stmt, values: Iterable[ast.expr]) -> Iterator[ast.stmt]:
    """What a ledger takes: a comparison, what a function says, or the mere fact that something failed."""
    for value in values:
        if isinstance(value, ast.Compare | ast.BoolOp):
            yield stated(value, node)
        elif isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
            yield from _taken(node, [value.operand])
        elif isinstance(value, ast.Call):
            yield said(passed_on(value), node)
        else:
            yield node


def _given(node: ast.stmt, name: str, value: ast.expr) -> Iterator[ast.stmt]:
    match value:
        case ast.BoolOp(values=values) if name in names_in(value):
            yield from _taken(node, [each for each in values if not (isinstance(each, ast.Name) and each.id == name)])
        case ast.List(elts=values) | ast.Tuple(elts=values) if values:
            yield from _taken(node, values)
        case ast.Call() | ast.Compare():
            yield from _taken(node, [value])
        case _:
            yield node


def _if(node: ast.If, known: Known) -> Iterator[ast.stmt]:
    fails, otherwise = is_failing(node.body, known), is_failing(node.orelse, known)
    if fails is otherwise or _is_guard(node, known):
        body, other = as_asserted(node.body, known), as_asserted(node.orelse, known)
        yield ast.copy_location(ast.If(test=node.test, body=body or [ast.Pass()], orelse=other), node)
        return
    if not is_told(node.test, known):
        yield _stands_for(opposite(node.test) if fails else node.test, node, known)
    yield from as_asserted(node.orelse if fails else node.body, known)


def _stands_for(test: ast.expr, node: ast.stmt, known: Known) -> ast.stmt:
    """The condition as an assertion; of a function that answers whether it failed, its call."""
    asked = test.operand if isinstance(test, ast.UnaryOp) else test
    if isinstance(asked, ast.Compare) and isinstance(asked.comparators[0], ast.Constant):
        asked = asked.left
    own = isinstance(asked, ast.Call) and isinstance(asked.func, ast.Name) and asked.func.id in known.answering
    return said(asked, node) if own else stated(test, node)


def _is_guard(node: ast.If, known: Known) -> bool:
    if is_about_surroundings(node.test, known.surroundings):
        return True
    if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) and is_about_a_file(node.test):
        return True
    raised = node.body[-1] if isinstance(node.body[-1], ast.Raise) else None
    refuses = raised is not None and raised.exc is not None and ASSERTS.match(source_of(raised.exc)) is None
    return refuses and MISSES.fullmatch(source_of(node.test)) is not None


def is_failing(body: Sequence[ast.stmt], known: Known) -> bool:
    """It ends in a failure, or notes one."""
    if not body:
        return False
    last = body[-1]
    if (call := exit_of(last)) is not None:
        return _is_bad(passed_on(given_to(call)), known)
    if isinstance(last, ast.Raise):
        return last.exc is None or SKIPS.match(source_of(last.exc)) is None
    if isinstance(last, ast.Return) and known.answers and isinstance(last.value, ast.Constant):
        value = last.value.value
        return value is False or bool(value and value is not True)
    called = name_of(last.value) if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else ""
    if is_failure(getattr(last, "value", last)) or called in known.failing:
        return True
    return any(_notes(each, known) for each in body)


def _notes(node: ast.stmt, known: Known) -> bool:
    match node:
        case (
            ast.AugAssign(target=ast.Name(id=name), value=ast.Constant())
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add" | "extend")))
        ):
            return name in known.ledgers and GOOD.match(name) is None
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)) if name in known.ledgers:
            if isinstance(value, bool):
                return value is (BAD.match(name) is not None)
            return bool(value) and GOOD.match(name) is None
    return False


def is_told(test: ast.expr, known: Known) -> bool:
    """It asks whether ledgers hold anything, and nothing else."""
    match test:
        case ast.Name(id=name):
            return name in known.ledgers
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return is_told(inner, known)
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            return name in PLAIN_CALLS and is_told(inner, known)
        case ast.Compare(left=left, comparators=[ast.Constant(value=value)]):
            return (value in GOES_ON or value is True) and is_told(left, known)
        case ast.Compare(left=left, comparators=[ast.Name() | ast.Call(func=ast.Name(id="len"))]):
            return is_told(left, known)
        case ast.BoolOp(values=values):
            return all(is_told(each, known) for each in values)
        case ast.IfExp(test=inner, body=ast.Constant(), orelse=ast.Constant()):
            return is_told(inner, known)
    return False


def _with_body(node: ast.stmt, known: Known) -> ast.stmt:
    """The same statement around what its blocks stand for."""
    fresh = copy.copy(node)
    for name in ("body", "orelse"):
        block = getattr(node, name, [])
        if block:
            setattr(fresh, name, as_asserted(block, known) or [ast.copy_location(ast.Pass(), node)])
    return fresh


def _try(node: ast.Try, known: Known) -> Iterator[ast.stmt]:
    ended, behind = is_failing(node.body[-1:], known), is_failing(node.orelse, known)
    handler = node.handlers[0] if len(node.handlers) == 1 and (ended or behind) else None
    kind = handler.type if handler is not None and not is_failing(handler.body, known) else None
    if kind is not None and not is_broad(source_of(kind)):
        call = ast.Call(func=ast.Name(id="raises", ctx=ast.Load()), args=[kind], keywords=[])
        code = as_asserted(node.body[: -1 if ended else None], known) or [ast.Pass()]
        yield ast.copy_location(ast.With(items=[ast.withitem(context_expr=call)], body=code), node)
        yield from as_asserted(node.finalbody, known)
        return
    handlers = [_handler(each, known) for each in node.handlers]
    body, other, final = (as_asserted(each, known) for each in (node.body, node.orelse, node.finalbody))
    yield ast.copy_location(ast.Try(body=body or [ast.Pass()], handlers=handlers, orelse=other, finalbody=final), node)


def _handler(node: ast.ExceptHandler, known: Known) -> ast.ExceptHandler:
    """Who catches the end of the program catches its failure."""
    body, kind = as_asserted(node.body, known), node.type
    if is_failing(node.body, known):
        body.append(failed(node.body[-1]))
    if kind is not None and "SystemExit" in source_of(kind):
        kind = ast.Name(id="BaseException", ctx=ast.Load())
    return ast.copy_location(ast.ExceptHandler(type=kind, name=node.name, body=body or [ast.Pass()]), node)
