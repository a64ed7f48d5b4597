"""Functions within a Python test that nothing runs, or whose failure stays where they run (the rules are of `facts`).

Each place that says the function's name is one of these: it is given to a thread, a timer, a process or the end of the
program; to a pool or a loop whose answer nobody asks, or only for its end (`wait`), or for failures among the answers
that nobody takes (`gather(..., return_exceptions=True)`); to `map` or a generator that nobody goes through; it is only
looked at (`assert callable(check)`); or what it starts, a generator, is dropped. Any other place may run it.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.failures.reach import is_generator
from ralph.guardrails.python.trees import children
from ralph.system.patterns import later

APART = later(r"(?:^|\.)(?:Thread|Timer|Process)$|(?:^|\.)atexit\.register$|(?:^|\.)call_(?:later|soon|at)$")
ANSWERS = later(
    r"(?:^|\.)(?:submit|apply_async|map_async|run_in_executor|to_thread|ensure_future)$"
    r"|(?:^|(?:^|\.)(?:asyncio|\w*loop|get_\w*loop)\.)create_task$"
)
"""What gives something to ask for the outcome; a group of tasks waits for its own."""
ENDS = later(r"(?:^|\.)(?:asyncio|futures|trio)\.wait$")
GATHERS = later(r"(?:^|\.)gather$")
LAZY = later(r"(?:^|\.)(?:map|filter|filterfalse|starmap|takewhile|dropwhile|partial)$")
LOOKS = later(r"(?:^|\.)(?:callable|isfunction|iscoroutinefunction|hasattr|isinstance|id|repr|type|print)$")
WANTS_FAILURE = later(r"(?:^|\.)(?:raises|assertRaises)$")
MAY_CATCH = later(r"\b(?:AssertionError|Exception|BaseException|failureException)\b")

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef


def lost_functions(function: FunctionDef, nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of those that the test defines, and that check nothing."""
    if not any(isinstance(each, FunctionDef) for each in nodes if each is not function):
        return frozenset()
    above = {child: node for node in nodes for child in children(node)}
    defined = {each.name: each for each in above if isinstance(each, FunctionDef) and each is not function}
    uses: defaultdict[str, list[ast.Name]] = defaultdict(list)
    for each in above:
        if isinstance(each, ast.Name) and each.id in defined and isinstance(each.ctx, ast.Load):
            uses[each.id].append(each)
    return frozenset(
        name
        for name, inner in defined.items()
        if all(APART.search(source_of(each)) for each in inner.decorator_list)
        and (uses[name] or inner.decorator_list)
        and all(_is_lost(use, inner, above) for use in uses[name])
    )


def _is_lost(use: ast.Name, inner: FunctionDef, above: Mapping[ast.AST, ast.AST]) -> bool:
    holder = above[use]
    if isinstance(holder, ast.keyword):
        holder = above[holder]
    match holder:
        case ast.Assert():
            return True
        case ast.Call(func=func) if func is use:
            if _is_unasked(holder, above):
                return True
            if isinstance(above[holder], ast.GeneratorExp):
                return _is_dropped(above[holder], above)
            if isinstance(inner, ast.AsyncFunctionDef) and isinstance(above[holder], ast.Call):
                return _is_lost_in(above[holder], above)
            return (isinstance(inner, ast.AsyncFunctionDef) or is_generator(inner)) and _is_dropped(holder, above)
        case ast.Call():
            return _is_lost_in(holder, above)
        case ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
            return _is_never_said(above[holder], above)
    return False


def _is_lost_in(call: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Of the call that it, or the coroutine that it makes, is given to."""
    if not isinstance(call, ast.Call):
        return False
    name = name_of(call)
    if WANTS_FAILURE.search(name):
        return any(MAY_CATCH.search(source_of(each)) for each in call.args[:1])
    looked = LOOKS.search(name) is not None and isinstance(above[call], ast.Assert | ast.Expr)
    gives = (ANSWERS.search(name) or LAZY.search(name)) is not None
    dropped = gives and (_is_dropped(call, above) or _is_unasked(call, above))
    return looked or dropped or APART.search(name) is not None


def _is_unasked(coroutine: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """It is given, in a list or not, to what waits for it and raises no failure; nobody takes the answer."""
    holder = above[coroutine]
    while isinstance(
        holder, ast.List | ast.Tuple | ast.Set | ast.Starred | ast.ListComp | ast.GeneratorExp | ast.SetComp
    ):
        holder = above[holder]
    if not isinstance(holder, ast.Call):
        return False
    kept = any(each.arg == "return_exceptions" and source_of(each.value) == "True" for each in holder.keywords)
    if not (ENDS.search(name_of(holder)) or (kept and GATHERS.search(name_of(holder)))):
        return False
    outer = above[holder]
    return _is_dropped(outer if isinstance(outer, ast.Await) else holder, above)


def _is_dropped(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    return isinstance(above[node], ast.Expr)


def _is_never_said(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """What it is put into has a name that nothing reads."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            read = (each for each in above if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
            return all(each.id != name for each in read)
    return False
