"""`# pragma: no cover`: code that coverage.py leaves out of its count.

Rules (spec: governance engine 1.4; policy set v2, class G11):

- The patterns are coverage.py's own. It searches text, not comments: a pattern may run on into the next line, and
  it counts in a string, too. A string is reported only where it takes a branch or another statement with it.
- Most projects that set the pattern themselves leave out its `#`: a comment behind code that ends with the words
  counts, whatever it says before them.
- Where leaving out is custom (a main guard, an abstract or unimplemented body, code for another platform or
  for a missing dependency, for type checkers only, behind a `raise`), a person looks; so for `no branch`. It is custom
  for imports that stand under a question about the version of Python, too: each version runs one of the two.
- Nothing of the product is left out in a file of tests, or beside them in a folder `tests`: a person looks there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Hit
from ralph.guardrails.python.bindings import catches_import
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.skipped.conditions import Verdict, judge
from ralph.guardrails.python.suppressed.directive import Note
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import Source
from ralph.system.patterns import later

NO_COVER = later(r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)")
NO_COVER_LAST = later(r"\bpragma: no cover\s*$")
"""Not coverage.py's own pattern, but that of most projects that write one themselves: `pragma: no cover`, anywhere."""
NO_BRANCH = later(r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH)")
_NAME, _MAIN = r"__name__\s*", r"([\"'])__main__\{}\s*"
MAIN_GUARD = later(rf"if\s*\(?\s*(?:{_NAME}==\s*{_MAIN.format(1)}|{_MAIN.format(2)}==\s*{_NAME})\)?\s*:")
TYPE_CHECKING = later(r"(?:el)?if\s+(?:\w+\.)?TYPE_CHECKING\s*:")
TYPES_ONLY = later(r"(?:\w+\.)?TYPE_CHECKING")
UNREACHABLE = later(
    r"raise\s+(?:NotImplementedError|AssertionError)\b|(?:\w+\.)?assert_never\(|\.\.\.|return\s+NotImplemented\b"
)
ABSTRACT = later(r"@\s*(?:\w+\.)*(?:abstract\w*|overload)\b")
IMPORTS = frozenset(("import_statement", "import_from_statement"))
VERSION = later(r"\bversion_info\b|\bhexversion\b|\bPY_?\d")
DEFINES = later(r"(?:async\s+)?def\b|class\b|@|\)\s*->")
"""A line with which a definition begins, or the last one of its head."""
COMPOUND = later(
    r"(?:if|for|while|with|try|match)_statement|(?:elif|else|except|except_group|finally|case)_clause"
    r"|(?:function|class|decorated)_definition"
)


def hits(source: Source, notes: Sequence[Note]) -> Iterator[Hit]:
    for one in notes:
        if _starts_in(NO_COVER, one) or (not one.alone and NO_COVER_LAST.search(one.text)):
            rule = "py.no-cover-usual" if _usual(source, one) else "py.no-cover"
            yield source.hit(rule, one.comment, "no cover", None)
            yield from (source.hit(rule, one.comment, f"no cover: {whole}") for whole in _wholes(source, one))
        if _starts_in(NO_BRANCH, one):
            yield source.hit("py.no-branch", one.comment, "no branch", None)
    for pattern, rule in ((NO_COVER, "py.no-cover"), (NO_BRANCH, "py.no-branch")):
        yield from _in_strings(source, re.compile(pattern.pattern.encode()), rule)


def _wholes(source: Source, one: Note) -> Iterator[str]:
    """What is left out with the line: one that leaves out more than another did does not stand in its place."""
    line = _code_before(source, one)
    if line.endswith(":") or line.startswith("@"):
        yield "a block"
    if DEFINES.match(line):
        yield "a definition"


def _code_before(source: Source, one: Note) -> str:
    raw = source.lines[one.comment.line - source.first_line]
    return raw[: one.comment.column - 1].decode("utf-8", "replace").strip()


def _starts_in(pattern: re.Pattern[str], one: Note) -> bool:
    text = one.text + one.after
    return any(pattern.match(text, mark.start()) for mark in re.finditer("#", one.text))


def _usual(source: Source, one: Note) -> bool:
    """Is the code on the comment's line what people usually leave out?"""
    if _is_of_tests(source.path):
        return True
    line = _code_before(source, one)
    if MAIN_GUARD.fullmatch(line) or TYPE_CHECKING.fullmatch(line) or UNREACHABLE.match(line) or ABSTRACT.match(line):
        return True
    if (simple := _simple_statement(source, one)) is not None and _never_runs(source, simple):
        return True
    node = _statement(source, one)
    if node is None:
        function = _function_begun(source, one)
        return function is not None and _is_unimplemented(source, function)
    if node.type == "function_definition":
        return _is_unimplemented(source, node)
    if node.type == "else_clause":
        return _imports_for_a_version(source, node)
    if node.type in ("if_statement", "elif_clause"):
        condition = node.child_by_field_name("condition")
        return condition is not None and judge(Names(source), condition) is Verdict.PLATFORM
    return catches_import(source, node)


def _is_of_tests(path: str) -> bool:
    return is_test_file(path) or "tests" in path.split("/")[:-1]


def _statement(source: Source, one: Note) -> Node | None:
    """The outermost statement or clause that begins on the comment's line."""
    row = one.comment.line - source.first_line
    raw = source.lines[row]
    start = len(raw) - len(raw.lstrip())
    node = source.tree.root_node.descendant_for_point_range((row, start), (row, start))
    while node is not None and not COMPOUND.fullmatch(node.type):
        node = node.parent
    return node if node is not None and node.start_point.row == row else None


def _function_begun(source: Source, one: Note) -> Node | None:
    """The function of whose head, or whose body beside it, the comment's line is not the first."""
    row = one.comment.line - source.first_line
    raw = source.lines[row]
    start = len(raw) - len(raw.lstrip())
    node = enclosing(
        source.tree.root_node.descendant_for_point_range((row, start), (row, start)), "function_definition"
    )
    body = node.child_by_field_name("body") if node is not None else None
    return node if body is not None and row <= body.start_point.row else None


def _simple_statement(source: Source, one: Note) -> Node | None:
    """The statement on the comment's line, or that ends there, if it holds no other statement."""
    row = one.comment.line - source.first_line
    raw = source.lines[row]
    start = len(raw) - len(raw.lstrip())
    node = source.tree.root_node.descendant_for_point_range((row, start), (row, start))
    while node is not None and node.parent is not None and node.parent.type not in ("block", "module"):
        node = node.parent
    return None if node is None or COMPOUND.fullmatch(node.type) else node


def _never_runs(source: Source, statement: Node) -> bool:
    """It says that there is nothing, stands behind a `raise`, or only type checkers read it."""
    if UNREACHABLE.match(source.text(statement)) or _behind_a_raise(statement):
        return True
    if statement.type in IMPORTS and _depends_on_version(source, statement):
        return True
    block = statement.parent
    above = block.parent if block is not None else None
    if above is None or above.type != "if_statement" or above.child_by_field_name("consequence") != block:
        return False
    head = source.text(above).partition("\n")[0].partition("#")[0].strip()
    return TYPE_CHECKING.fullmatch(head) is not None


def _depends_on_version(source: Source, statement: Node) -> bool:
    """It stands right in a branch of an `if` that asks for nothing but the version, and that not all versions take."""
    block = statement.parent
    above = block.parent if block is not None else None
    if above is None or above.type not in ("if_statement", "elif_clause", "else_clause"):
        return False
    whole = above if above.type == "if_statement" else above.parent
    clauses = [whole, *whole.children_by_field_name("alternative")] if whole is not None else []
    asked = clauses[: clauses.index(above) + (above.type != "else_clause")] if above in clauses else []
    conditions = [condition for each in asked if (condition := each.child_by_field_name("condition")) is not None]
    # What only type checkers take is taken by no version.
    conditions = [each for each in conditions if not TYPES_ONLY.fullmatch(source.text(each))]
    if not conditions or not all(VERSION.search(source.text(condition)) for condition in conditions):
        return False
    names = Names(source)
    if any(judge(names, condition) is Verdict.OTHER for condition in conditions):
        return False
    earlier = conditions if above.type == "else_clause" else conditions[:-1]
    taken = above.type == "else_clause" or judge(names, conditions[-1]) is Verdict.ALWAYS
    return not (taken and all(judge(names, each, negated=True) is Verdict.ALWAYS for each in earlier))


def _imports_for_a_version(source: Source, clause: Node) -> bool:
    """The other branch of a question about the version of Python, if it does nothing but import."""
    body = clause.child_by_field_name("body")
    statements = [node for node in body.named_children if node.type != "comment"] if body is not None else []
    return bool(statements) and all(node.type in IMPORTS and _depends_on_version(source, node) for node in statements)


def _behind_a_raise(statement: Node) -> bool:
    before = statement.prev_named_sibling
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    return before is not None and before.type == "raise_statement"


def _is_unimplemented(source: Source, function: Node) -> bool:
    """Abstract, an overload, or a body that says that there is none."""
    above = function.parent
    if above is not None and above.type == "decorated_definition":
        decorators = [child for child in above.children if child.type == "decorator"]
        if any(ABSTRACT.match(source.text(decorator)) for decorator in decorators):
            return True
    body = function.child_by_field_name("body")
    statements = [node for node in body.named_children if node.type != "comment"] if body is not None else []
    rest = [node for node in statements if not source.text(node).lstrip("rRuUbB").startswith(('"', "'"))]
    return all(UNREACHABLE.fullmatch(source.text(node).partition("(")[0]) for node in rest) and bool(rest)


def _in_strings(source: Source, pattern: re.Pattern[bytes], rule: str) -> Iterator[Hit]:
    for match in pattern.finditer(source.data):
        string = enclosing(source.tree.root_node.descendant_for_byte_range(*match.span()), "string")
        if string is not None and _takes_more_with_it(string):
            usual = rule == "py.no-cover" and _is_of_tests(source.path)
            yield source.hit("py.no-cover-usual" if usual else rule, string, "in a string", None)


def _takes_more_with_it(string: Node) -> bool:
    """True on the line of a branch's head, and for a bare string beside another statement."""
    row = string.start_point.row
    child, above = string, string.parent
    while above is not None and above.type != "module":
        if COMPOUND.fullmatch(above.type) and above.start_point.row == row and child.type != "block":
            return True
        if above.type == "block" and above.parent is not None and above.start_point.row == above.parent.start_point.row:
            return True
        child, above = above, above.parent
    statement = string.parent
    siblings = statement.parent.named_children if statement is not None and statement.parent is not None else []
    alone = [node for node in siblings if node.start_point.row <= row <= node.end_point.row]
    return statement is not None and statement.type == "expression_statement" and len(alone) > 1
