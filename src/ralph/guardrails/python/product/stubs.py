"""Product code that only pretends: working functions that became stubs, failures that nobody hears of any more.

Rules (policy set v2, class G19):

- A function that did something and now does nothing, raises NotImplementedError, gives a constant whatever it is given,
  blocks; so does one that refused some arguments and now gives back what it is given. It does not if its statements
  stand in another function of the change: it moved. If it became abstract (`made_abstract`), or has nothing but a
  constant to give and no arguments, it is for a person.
- One that asked others and now looks its answer up in a table of its own is for a person; it blocks if it says that the
  work is still to be done.
- One that worked on its only argument and now gives that back is for a person; the default of a single dispatch, which
  raises for what nobody registered, is no stub (`handing`).
- A new function that raises NotImplementedError and is not abstract is for a person.
- Code of the base that is now in a `try` or `suppress` that catches everything and does nothing about it blocks, and so
  it does if the handler reports success, or if a bare `except` around all of a function gives a constant; new code of
  this kind, and any other constant in place of a result, are for a person. So is code of the base whose every failure
  is now told to a log alone, without a traceback.
- What stands behind a `return` or in an `if False` does no work. A lambda for a constant in place of a function is a
  stub, too.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.python.bodies import without_docstring
from ralph.guardrails.python.claims import MADE, constant_value, source_of
from ralph.guardrails.python.product.functions import Function, Tree
from ralph.guardrails.python.product.handing import is_default, refuses, without_refusals, works_on_its_own
from ralph.guardrails.python.product.looked_up import asks_others, looks_up
from ralph.guardrails.python.product.made_abstract import Below, is_abstract
from ralph.guardrails.python.product.named_values import by_its_value, names_a_value
from ralph.guardrails.python.product.swallows import DROPS, gives_constant, is_log, swallows, swallows_of
from ralph.guardrails.python.trees import walk
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

CONSTANT = rb"(?:None|True|False|[-+\d\"'\[({].*|[bfru]{1,2}[\"'].*|set\(\)|dict\(\)|not[ \t]+\w+|bool\([^()\n]*\)|%s)"
CONSTANT %= MADE.encode()
ADDED = later(
    rb"(?m)^[ \t]*(?:(?:async )?def .*:[ \t]*)?(?:(?:pass|\.\.\.|return(?:[ \t]+" + CONSTANT + rb")?)[ \t]*(?:#.*)?$"
    rb"|return\b.*\b(?:or True|and False)\b|raise\b|\"\"\".*\"\"\"[ \t]*$|'''.*'''[ \t]*$"
    rb"|[A-Za-z_]\w*(?:[ \t]*:[^=\n]*)?[ \t]*=[ \t]*"
    + CONSTANT
    + rb"[ \t]*(?:#.*)?\n[ \t]*return[ \t]+[a-z_]\w*[ \t]*$"
    rb"|[A-Za-z_]\w*[ \t]*=[ \t]*lambda\b|" + DROPS + rb"|with\b.*suppress)"
)
"""Of the lines added to a file: without any such line nothing here can have happened."""
SHORT = 10
"""Lines of a stub, its documentation apart."""
GIVES_BACK = later(
    rb"(?s)def .*?:[ \t]*\n(?:[ \t]*(?:\"\"\".*?\"\"\"[ \t]*|#[^\n]*)?\n)*[ \t]*return[ \t]+[a-z_]\w*\s*"
)
"""A function that does nothing but give back what it is given."""
GAVE_BACK = later(
    rb"(?m)(?:def [^\n]+|^[ \t]*\)[^\n]*):[ \t]*\n(?:[ \t]*(?:(?:\"\"\"|#|[A-Za-z_]\w*[ \t]*=)[^\n]*)?\n)*"
    rb"[ \t]+return[ \t]+(?:[a-z_]\w*|" + CONSTANT + rb")[ \t]*$"
)
"""The same in a whole file, or a constant: it is there, if a function became so by what it lost."""
LAMBDA = later(rb"(?m)^([A-Za-z_]\w*)[ \t]*=[ \t]*lambda\b[^:\n]*:[ \t]*" + CONSTANT + rb"[ \t]*(?:#.*)?$")
ADDED_TO_NEW = later(rb"NotImplementedError|" + DROPS)
"""The same for a file that is new."""

LATER = later(
    r"(?i)not[ _]?(?:yet[ _])?(?:been[ _])?implement|\btodo\b|\bfixme\b|\blater\b|coming soon|unimplemented|placeholder"
)
SAME = 0.6
"""So much of a function's statements elsewhere means that it moved."""
KINDS = {
    "raises": "only raises",
    "empty": "does nothing",
    "constant": "gives a constant",
    "argument": "gives back",
    "table": "looks its answer up in a table of its own",
}
LONG = 12
"""Characters of a statement that says something."""


class Lines:
    """Lines of the change, without their indentation: those it added, and those that the base's files had."""

    def __init__(self, added: Iterable[bytes], base: Iterable[bytes]) -> None:
        self._written = (added, base)

    @cached_property
    def added(self) -> AbstractSet[str]:
        return _all_folded(self._written[0])

    @cached_property
    def base(self) -> AbstractSet[str]:
        return _all_folded(self._written[1])

    def moved(self, old: str, new: str) -> bool:
        """Most of a text's lines were added somewhere, and not where they stood."""
        telling = {line for line in _telling(old) if line not in set(_telling(new))}
        return bool(telling) and len(telling & self.added) >= SAME * len(telling)

    def stood_before(self, code: str) -> bool:
        """All of it is code of the base."""
        written = [line.strip() for line in code.split("\n")]
        return all(_folded(line) in self.base for line in written)


def stubs(before: Sequence[Function], after: Sequence[Function], lines: Lines) -> Iterator[Hit]:
    """Of functions whose text differs between the sides."""
    old = {(function.source.path, function.parts): function for function in before}
    trees = (each.tree() for each in before if swallows(each.written))
    found = [swallow for tree in trees if tree is not None for swallow in swallows_of(tree)]
    known = Counter(swallow.code for swallow in found if not swallow.logged)
    logged = frozenset(swallow.code for swallow in found)
    below = Below(after)
    for function in after:
        written = function.written
        same = old.get((function.source.path, function.parts))
        if not swallows(written):
            if same is None and b"raise" not in written:
                continue  # a new function is a stub only if it raises
            if not (_is_short(written) and (ADDED.search(written) or GIVES_BACK.fullmatch(written))):
                continue
        tree = function.tree()
        if tree is not None:
            yield from _stubbed(function, tree, same, below, lines)
            yield from _swallowed(function, tree, known, logged, lines)


def lambdas(path: str, data: bytes, gone: AbstractSet[str]) -> Iterator[Hit]:
    """Functions of the base that are a lambda for a constant now."""
    for match in LAMBDA.finditer(data) if gone else ():
        name = match[1].decode()
        if name in gone:
            line = data.count(b"\n", 0, match.start()) + 1
            told = f"{name} now gives a constant"
            snippet = match[0].decode("utf-8", "replace")
            yield hit_at("py.stubbed", path, line, told, snippet)


def _stubbed(function: Function, tree: Tree, same: Function | None, below: Below, lines: Lines) -> Iterator[Hit]:
    earlier = same.tree() if same else None
    if earlier is None and (b"raise" not in function.written or len(function.parts) > 1):
        return  # nothing else is said of a new function
    kind, unworked = stub_kind(tree), False
    if kind is None and earlier is not None and stub_kind(without_refusals(tree, earlier)) == "constant":
        kind = "constant" if stub_kind(without_refusals(earlier, earlier)) is None else None
    if kind is None and earlier is not None and _gives_back(tree) and not _gives_back(earlier):
        kind, unworked = "argument", not refuses(earlier)
        if unworked and not works_on_its_own(earlier):
            return
    if kind is None and earlier is not None and looks_up(tree) and asks_others(earlier):
        kind = "table"
    if kind is None or (kind == "raises" and is_default(tree, function.source.data)):
        return
    abstract = is_abstract(function, tree)
    if same is None or earlier is None:
        if kind == "raises" and not abstract:
            yield _hit("py.new-stub", function, tree.body[-1], f"{tree.name} is not written yet")
        return
    if stub_kind(earlier) is not None or lines.moved(same.text, function.text):
        return
    arguments = (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)
    takes = [each for each in arguments if each.arg not in ("self", "cls")]
    mild = abstract or unworked or (kind == "constant" and not takes)
    mild = mild or (kind == "table" and not LATER.search(function.text))
    mild = mild or (kind == "raises" and below.has_work_of(function, earlier))
    what = KINDS[kind]
    yield _hit("py.stubbed-mildly" if mild else "py.stubbed", function, tree.body[-1], f"{tree.name} now {what}")


def stub_kind(tree: Tree) -> str | None:
    """`raises`, `empty` or `constant` for a function that does no work, None for any other."""
    body = [each for each in _reached(without_docstring(tree.body)) if not _is_idle(each)]
    if not body:
        return "empty"
    if isinstance(body[-1], ast.Return) and all(map(names_a_value, body[:-1])):
        body = body[-1:] if gives_constant(body[-1]) else body  # what is worked out before is thrown away
        body = [by_its_value(body)] if len(body) > 1 else body
    match body:
        case [ast.Raise(exc=ast.expr() as raised)]:
            text = source_of(raised)
            return "raises" if text.startswith("NotImplementedError") or LATER.search(text) else None
        case [ast.Return(value=None)] | [ast.Return(value=ast.Constant(value=None))]:
            return "empty"
        case [ast.Return(value=ast.expr())] if gives_constant(body[0]):
            return "constant"
        case [ast.Return(value=ast.Name(id="NotImplemented"))]:
            return None
    return "constant" if _answers_alike(tree, body) else None


def _answers_alike(tree: Tree, body: Sequence[ast.stmt]) -> bool:
    """Every way through it ends in the same constant, and nothing else is done on the way."""
    if not isinstance(body[-1], ast.Return):
        return False
    parts = [part for part in walk(tree) if isinstance(part, ast.stmt) and part is not tree]
    answers = [part for part in parts if isinstance(part, ast.Return)]
    only_asks = all(isinstance(part, ast.Return | ast.If) or names_a_value(part) or _is_idle(part) for part in parts)
    alike = len({source_of(each.value) if each.value is not None else "" for each in answers}) == 1
    return only_asks and alike and len(answers) > 1 and gives_constant(answers[0])


def _gives_back(tree: Tree) -> bool:
    """Nothing but what it was given."""
    given = {each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)} - {"self", "cls"}
    match [each for each in without_docstring(tree.body) if not _is_idle(each)]:
        case [ast.Return(value=ast.Name(id=name))]:
            return name in given
    return False


def _reached(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Up to the statement that leaves, without branches that are never taken."""
    for each in body:
        never = constant_value(each.test) if isinstance(each, ast.If | ast.While) and not each.orelse else None
        if never is None or never[0]:
            yield each
        if isinstance(each, ast.Return | ast.Raise):
            return


def _is_idle(statement: ast.stmt) -> bool:
    """Does nothing: `pass`, `...`, `del x`, `_ = x`, a line in a log."""
    match statement:
        case ast.Pass() | ast.Delete() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="_")], value=ast.Name() | ast.Tuple()):
            return True
    return is_log(statement)


def _swallowed(
    function: Function, tree: Tree, known: Counter[str], logged: AbstractSet[str], lines: Lines
) -> Iterator[Hit]:
    for swallow in swallows_of(tree):
        if swallow.logged and (swallow.code in logged or not lines.stood_before(swallow.code)):
            continue
        if known[swallow.code]:
            known[swallow.code] -= 1
            continue
        whole = swallow.bare and without_docstring(tree.body)[-1:] == [swallow.around]
        wraps = (swallow.silent or swallow.success or whole) and lines.stood_before(swallow.code)
        rule = "py.swallowed" if wraps else "py.swallowed-mildly"
        code = cut(swallow.code.partition("\n")[0], 60)
        yield _hit(rule, function, swallow.node, f"{tree.name} drops every failure of {code}")


def _all_folded(lines: Iterable[bytes]) -> AbstractSet[str]:
    return frozenset(_folded(each.decode("utf-8", "replace")) for each in lines)


def _is_short(text: bytes) -> bool:
    lines = text.count(b"\n")
    return lines <= SHORT or lines <= SHORT + _doc_lines(text)


def _doc_lines(text: bytes) -> int:
    """Lines in texts over several lines, and in comments."""
    quoted = re.findall(rb"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'", text, re.DOTALL)
    return sum(len(each.split(b"\n")) - 1 for each in quoted) + len(re.findall(rb"(?m)^\s*(?:#|@|$)", text))


def _telling(text: str) -> list[str]:
    return [folded for line in text.split("\n")[1:] if len(folded := _folded(line)) >= LONG]


def _folded(line: str) -> str:
    """Free of indentation, blanks, quotes' style and a comment at the end."""
    return re.sub(r"\s+#.*|\s+", "", line.strip()).replace("'", '"')


def _hit(rule: str, function: Function, node: ast.stmt, detail: str) -> Hit:
    line = node.lineno + function.first_line - 1
    return Hit(
        rule=rule,
        path=function.source.path,
        line=line,
        column=node.col_offset + 1,
        key=detail,
        snippet=function.source.line_text(line),
        detail=detail,
    )
