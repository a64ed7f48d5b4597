"""Parts of a Python function that no longer do anything, while the rest of it works on (policy set v2, class G19).

Rules, for a function that was there before; what it lost is still written in it, but is never reached or never heeded:

- A constant decides a condition of the base: `if False and amount > limit`, `return owner == user or True`, or it
  takes the condition's place above the base's own statements (`if False:`, `for each in []:`).
- The body of a condition that raised is `pass` now.
- What was chosen or worked out is the same constant in any case: `0 if failures else 0`, `return 0` behind the loop.
  A choice between equals that the base wrote in the same words is no new one, and its condition chose nothing there.
- Statements of the base stand behind a `return` or `raise` that is new.

A condition that is gone altogether may have been wrong, and a constant behind `or` that is no yes is a default.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.python.claims import constant_value, is_constant, source_of
from ralph.guardrails.python.product.functions import Function, Tree
from ralph.guardrails.python.product.named_values import by_its_value
from ralph.guardrails.python.trees import walk
from ralph.guardrails.texts import ended_by_lf
from ralph.system.patterns import later

_CONSTANT = rb"(?:not[ ]+)?\b(?:True|False|0|1)\b"
DECIDED = later(
    rb"(?m)^[^\n#]*\b(?:if|elif|while)[ (]+%(no)s|\b(?:and|or)[ ]+%(no)s|%(no)s[ ]+(?:and|or)\b"
    rb"|\bin[ \t]*(?:\[\]|\(\)|range\(0\))|\[:0\]|^[ \t]*pass\b|:[ \t]*pass\b"
    rb"|(?<![\w.])(?P<same>[\w\"'.-]+) if [^\n]* else (?P=same)(?![\w.(\[])|^[ \t]*return[ ]+[-\d\"'\[({TFN]"
    % {b"no": _CONSTANT}
)
"""Of the lines added to a file, or of a function: a constant that may decide something, or nothing in place of work."""
LEAVES = later(rb"(?m)^[ \t]+(?:return|raise)\b")
LEFT = later(
    rb"(?m)^(?P<deep>[ \t]+)(?:return|raise)\b[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*"
    rb"(?P=deep)(?!(?:elif|else|except|finally|case)\b)\w"
)
"""A statement behind one that leaves."""
LF = "\n"
WORKS = (ast.For, ast.AsyncFor, ast.While, ast.AugAssign)


def leaves_early(file: FileChange, change: Change) -> bool:
    """A line that was added leaves, and somewhere a statement stands behind one that does."""
    added = any(LEAVES.search(b"\n".join(hunk.added)) for hunk in file.hunks)
    return added and LEFT.search(ended_by_lf(change.blobs.after(file.path) or b"")) is not None


def settled(before: Iterable[Function], after: Iterable[Function]) -> Iterator[Hit]:
    """Of functions whose text differs between the sides."""
    old = {(function.source.path, function.parts): function for function in before}
    for function in after:
        same = old.get((function.source.path, function.parts))
        if same is None or not (DECIDED.search(function.written) or LEFT.search(function.written)):
            continue
        tree, earlier = function.tree(), same.tree()
        if tree is not None and earlier is not None:
            yield from _settled(function, tree, earlier)


def _settled(function: Function, tree: Tree, earlier: Tree) -> Iterator[Hit]:
    asked = {source_of(each) for each in _conditions(earlier)}
    done = {source_of(each) for each in walk(earlier) if isinstance(each, ast.stmt)}
    idle = Counter(source_of(each) for each in walk(earlier) if _chooses_nothing(each))
    for node in walk(tree):
        match node:
            case ast.BoolOp() if _rest(node) in asked and source_of(node) not in asked:
                yield _hit(function, node, f"{tree.name}: a constant decides `{source_of(node)}`")
            case ast.If(test=test, body=body) | ast.While(test=test, body=body) if _is_no(test):
                yield from _unreached(function, node, body, done)
            case ast.For(iter=items, body=body) if _is_nothing(items):
                yield from _unreached(function, node, body, done)
            case ast.IfExp(test=test) if _chooses_nothing(node):
                idle.subtract([source_of(node)])
                if source_of(test) in asked and idle[source_of(node)] < 0:
                    yield _hit(function, node, f"{tree.name}: `{source_of(test)}` chooses nothing")
            case ast.If(test=test, body=[ast.Pass()], orelse=[]) if _raised(test, earlier):
                yield _hit(function, node, f"{tree.name} does nothing about `{source_of(test)}`")
    if (answer := _always(tree)) and _answered(earlier) and not _refuses_more(tree, earlier):
        yield _hit(function, tree.body[-1], f"{tree.name} works it out, and always gives {answer}")
    known = {source_of(behind) for _, behind in _left(earlier)}
    for first, behind in _left(tree):
        said = source_of(behind)
        if said in done and said not in known:
            yield _hit(function, first, f"{tree.name} leaves before `{said.partition(LF)[0]}`")
            return


def _always(tree: Tree) -> str:
    """The constant that it ends with on each way, after a loop or a count; none for what does nothing else."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom)
    nodes = walk(tree)[1:]
    if any(isinstance(each, inner) for each in nodes) or not any(isinstance(each, WORKS) for each in nodes):
        return ""
    last = by_its_value(tree.body[-2:])
    answers = [each for each in nodes if isinstance(each, ast.Return) and each is not tree.body[-1]]
    said = {source_of(each) for each in (*answers, last)}
    value = last.value if isinstance(last, ast.Return) else None
    told = source_of(value) if len(said) == 1 and value is not None and is_constant(value) else ""
    return "" if told == "None" else told  # it may be a procedure now


def _answered(tree: Tree) -> bool:
    """It ended with something that it worked out."""
    last = tree.body[-1]
    return isinstance(last, ast.Return) and last.value is not None and not is_constant(last.value)


def _refuses_more(tree: Tree, earlier: Tree) -> bool:
    """What was told by the answer may be told by an error now."""
    return sum(isinstance(each, ast.Raise) for each in walk(tree)) > sum(
        isinstance(each, ast.Raise) for each in walk(earlier)
    )


def _conditions(tree: Tree) -> Iterator[ast.expr]:
    """What a function asks or answers, in whole and in its parts."""
    for node in walk(tree):
        match node:
            case ast.IfExp(test=asked) if not _chooses_nothing(node):
                yield asked
            case ast.If(test=asked) | ast.While(test=asked):
                yield asked
            case ast.Return(value=ast.expr() as asked) | ast.Assign(value=asked):
                yield asked
            case ast.comprehension(ifs=several):
                yield from several
            case ast.BoolOp(values=several):
                yield node
                yield from several


def _chooses_nothing(node: ast.AST) -> bool:
    """`name.lower() if isinstance(name, str) else name.lower()`."""
    return isinstance(node, ast.IfExp) and source_of(node.body) == source_of(node.orelse)


def _unreached(function: Function, node: ast.stmt, body: Sequence[ast.stmt], done: AbstractSet[str]) -> Iterator[Hit]:
    """All that stands in it is the base's, and was reached there."""
    told = [source_of(each) for each in body]
    if all(each in done for each in told) and source_of(node) not in done and told != ["pass"]:
        yield _hit(function, node, f"{function.parts[-1]} never reaches `{told[0].partition(LF)[0]}`")


def _rest(node: ast.BoolOp) -> str:
    """What a constant decides, without the constant; nothing if none does."""
    yes = isinstance(node.op, ast.Or)
    known = [constant_value(each) for each in node.values]
    decides = [value is not None and (value[0] is True if yes else value[0] in (False, 0)) for value in known]
    others = [each for each, is_one in zip(node.values, decides, strict=True) if not is_one]
    if not others or all(not each for each in decides):
        return ""
    return source_of(others[0] if len(others) == 1 else ast.BoolOp(op=node.op, values=others))


def _is_nothing(items: ast.expr) -> bool:
    """`[]`, `range(0)`, `rows[:0]`."""
    match items:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Subscript(slice=ast.Slice(upper=ast.Constant(value=0))):
            return True
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=0)]):
            return True
    return False


def _is_no(test: ast.expr) -> bool:
    """`if False:`, and no name that stands for it: what only a type checker reads is another matter."""
    value = None if isinstance(test, ast.Name) else constant_value(test)
    return value is not None and not value[0] and not any(isinstance(part, ast.Name) for part in walk(test))


def _raised(test: ast.expr, earlier: Tree) -> bool:
    said = source_of(test)
    return any(
        isinstance(each, ast.If) and isinstance(each.body[-1], ast.Raise) and source_of(each.test) == said
        for each in walk(earlier)
    )


def _left(tree: Tree) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Each statement that leaves and has one behind it, with that."""
    for node in (tree, *walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            for first, behind in pairwise(block) if isinstance(block, list) else ():
                if isinstance(first, ast.Return | ast.Raise):
                    yield first, behind


def _hit(function: Function, node: ast.expr | ast.stmt, detail: str) -> Hit:
    line = node.lineno + function.first_line - 1
    return hit_at("py.stubbed", function.source.path, line, detail, function.source.line_text(line))
