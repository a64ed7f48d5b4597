"""What a `try` or a `with` makes of the assertions inside it (the rules are those of `facts`)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.model import SWALLOWED, Grade
from ralph.guardrails.python.claims import Claim, is_broad, name_of, raised, source_of, text
from ralph.guardrails.python.failures.answered_raise import handed_over
from ralph.guardrails.python.failures.raising import raises_itself
from ralph.guardrails.python.failures.reach import CONDITION, Reach, fails, parts
from ralph.guardrails.python.lending.inlining import Inliner
from ralph.record import replace
from ralph.system.patterns import later

CATCHES = later(r"\b(?:AssertionError|Exception|BaseException|failureException|Failed)\b")
OWN_FAILURE = later(r"AssertionError|failureException")
SWALLOWS = later(r"(?:^|\.)suppress$")
RAISES = later(r"(?:^|\.)(?:raises|assertRaises(?:Regexp?|Message)?|RaisesGroup)$")
WARNS = later(r"(?:^|\.)(?:warns|deprecated_call|assertWarns(?:Regex)?)$")
WATCHES = later(r"(?:^|\.)(?:assertLogs|assertNoLogs|assertNumQueries|assertTemplateUsed)$")
PATTERNS = ("match", "expected_regex", "expected_message")
OWN_ASSERTION = later(
    r"self\.(?:assert(?:(?:Not)?Equals?|True|False|Is|IsNot|IsNone|IsNotNone|(?:Not)?In|(?:Not)?IsInstance|Greater|Less"
    r"|(?:Not)?AlmostEqual|(?:Not)?Regex|CountEqual|\w+Equal)|fail)"
)
WORKS = (
    ast.Call,
    ast.Subscript,
    ast.BinOp,
    ast.Raise,
    ast.Import,
    ast.ImportFrom,
    ast.Attribute,
    ast.Delete,
    ast.Await,
)
"""Parts of code that may raise."""

With = ast.With | ast.AsyncWith


def watched(node: With, call: ast.Call, inside: Reach, inliner: Inliner) -> tuple[Reach, Claim | None]:
    """What a context manager makes of the code in it, and what it asserts itself."""
    name = name_of(call)
    if SWALLOWS.search(name) and CATCHES.search(", ".join(map(source_of, call.args))):
        return inside.lowered(Grade.NOTHING, SWALLOWED), None
    if SWALLOWS.search(name) and call.args and not fails(node.body):
        return inside.lowered(Grade.EXISTS, CONDITION), None
    if RAISES.search(name):
        return _raises(node, call, inside, inliner)
    if WARNS.search(name):
        kinds, pattern = _wanted(call, inliner)
        if kinds == "None":  # which only records what comes
            return inside, None
        return inside, raised(_code(node, inliner), kinds or "DeprecationWarning", pattern, "warns")
    if WATCHES.search(name):
        wanted = ", ".join(map(text, call.args))
        return inside, Claim(_code(node, inliner), name.rpartition(".")[2], wanted, Grade.SHAPE)
    return inside, None


def is_suppression(given: Sequence[ast.expr]) -> bool:
    """`suppress(Exception)`, as it is handed to an exit stack."""
    calls = [each for each in given if isinstance(each, ast.Call)]
    return any(SWALLOWS.search(name_of(each)) and CATCHES.search(source_of(each)) for each in calls)


def raised_in(claim: Claim) -> bool:
    """A name that the context manager gives is the exception."""
    return claim.relation in ("raises", "warns")


def _raises(node: With, call: ast.Call, inside: Reach, inliner: Inliner) -> tuple[Reach, Claim]:
    kinds, pattern = _wanted(call, inliner)
    if (code := handed_over(node, call, kinds)) is not None:
        return inside, raised(_written(code, inliner), kinds, pattern)
    claim = raised(_code(node, inliner), kinds, pattern)
    asserts = any(isinstance(part, ast.Assert) or _is_unittests(part) for part in parts(node.body))
    if asserts and (is_broad(kinds) or OWN_FAILURE.search(kinds) is not None):
        claim = replace(claim, grade=Grade.NOTHING, why="the failing assertion itself satisfies it")
        inside = inside.lowered(Grade.NOTHING, "its failure is expected")
    elif not any(isinstance(part, WORKS) for part in parts(node.body)):
        claim = replace(claim, grade=Grade.NOTHING, why="nothing runs in it")
    elif any(isinstance(each, ast.Raise) for each in node.body):
        claim = replace(claim, grade=Grade.NOTHING, why="the test raises it itself")
    elif any(_refuses(each, kinds) for each in node.body):
        claim = replace(claim, grade=Grade.EXISTS, why="the test may raise it itself")
    elif any(raises_itself(each, kinds, inliner) for each in node.body):
        claim = replace(claim, grade=Grade.NOTHING, why="a constant in it raises it, and not what is tested")
    return inside, claim


def _refuses(statement: ast.stmt, kinds: str) -> bool:
    """`if total(-1): raise ValueError`: a condition of the test's own, and what is wanted."""
    raised = statement.body[-1] if isinstance(statement, ast.If) else None
    if not isinstance(raised, ast.Raise) or raised.exc is None:
        return False
    kind = raised.exc.func if isinstance(raised.exc, ast.Call) else raised.exc
    return source_of(kind) in kinds.strip("()").split(", ")


def _is_unittests(part: ast.AST) -> bool:
    """`self.assertEqual(...)`: an assertion of the test's own, not one that it tests."""
    return isinstance(part, ast.Call) and OWN_ASSERTION.fullmatch(name_of(part)) is not None


def _wanted(call: ast.Call, inliner: Inliner) -> tuple[str, ast.expr | None]:
    """The kinds of exception or warning, and the pattern of the message."""
    given = {each.arg: each.value for each in call.keywords}
    kind = call.args[0] if call.args else given.get("expected_exception") or given.get("expected_warning")
    pattern = next((given[name] for name in PATTERNS if name in given), call.args[1] if len(call.args) > 1 else None)
    kinds = "" if kind is None else text(inliner.put_in(kind, call.lineno))
    return kinds, None if pattern is None else inliner.put_in(pattern, call.lineno)


def _code(node: With, inliner: Inliner) -> str:
    """The code in a `with`, without the assertions in it if there is anything else."""
    return code_of(node.body, inliner) or "; ".join(_written(each, inliner) for each in node.body)


def code_of(statements: Iterable[ast.stmt], inliner: Inliner) -> str:
    """What some statements do, with local names written out; an assertion does nothing."""
    return "; ".join(_written(each, inliner) for each in statements if not is_assertion(each))


def is_assertion(statement: ast.stmt) -> bool:
    """One of the test's own, as a statement."""
    return isinstance(statement, ast.Assert) or (isinstance(statement, ast.Expr) and _is_unittests(statement.value))


def _written(statement: ast.stmt, inliner: Inliner) -> str:
    """What a name is given is what matters: where it is read, it is written out."""
    match statement:
        case ast.Expr(value=value) | ast.Assign(targets=[ast.Name()], value=value):
            return text(inliner.put_in(value, statement.lineno))
    return source_of(statement)
