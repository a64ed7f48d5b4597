"""Product code that no longer does its work (policy set v2, class G19).

Rules, for a function that did something at the base and still has its name:

- Its body is now only a `throw` that says "not implemented" or the like, also behind checks, or one constant although
  it has parameters that it used: blocks. So do `null` and nothing at all with a comment that the work is to come.
  Another `throw`, `null`, or nothing at all is for a person: so features are retired.

A new function that says "not implemented" is for a person, unless it is there to be overridden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.product.kept_work import is_left_branch, lives_on
from ralph.guardrails.javascript.product.named_values import DECLARE, by_its_value
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source, parent_of
from ralph.system.patterns import later

WORDS = (
    r"\b(?:throw|return|catch)\b|=>|reject\s*\(",
    r"^\s*\}?\s*$",
    r"todo|fixme|implement|\blater\b|stub|placeholder|\btbd\b|\bfor now\b",
)

_LATER_WORDS = (
    r"not?[ _-]*(?:yet[ _-]*)?(?:been[ _-]*)?implement|un-?implemented|\bto-?do\b|\bfixme\b|\bstub|\bplaceholder\b",
    r"\bcome(?:s|ing)? (?:later|soon)|\bimplement (?:me|this|later)|\bnot (?:done|ready|available) yet",
)
_LATER = later(f"(?i){'|'.join(_LATER_WORDS)}")
_SOME_DAY = later(r"(?i)(?://|/\*)\s*(?:later\b|for now\b|tbd\b)|\b(?:re-?)?implement(?:ation)?\b[^\n]*\blater\b")
_OVERRIDDEN = later(r"(?i)abstract|overrid|subclass|derived|must (?:be )?implement|should (?:be )?implement")
_WORKS = frozenset(
    {"call_expression", "new_expression", "binary_expression", "for_statement", "for_in_statement"}
    | {"template_substitution", "ternary_expression", "switch_statement", "spread_element"}
)
_CONSTANTS = frozenset({"true", "false", "number", "string", "array", "object", "template_string", "unary_expression"})
_PLAINLY_MADE = frozenset({b"Date", b"Map", b"Set", b"Array", b"Object", b"URL", b"Uint8Array", b"RegExp", b"Error"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier"})


def stubbed(files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        if is_product(sides.path):
            for head, base in zip(sides.after.sources, padded(sides), strict=True):
                yield from (sides.after.in_git_lines(hit) for hit in _functions(head, base))


def padded(sides: Sides) -> list[Source | None]:
    """The base's sources beside the head's."""
    base: list[Source | None] = list(sides.before.sources)
    missing = len(sides.after.sources) - len(base)
    return base + [None] * missing if missing >= 0 else base[: len(sides.after.sources)]


def _functions(head: Source, base: Source | None) -> Iterator[Hit]:
    if base is None and not prefilter(_LATER_WORDS).matches(head.data):
        return
    old = _named(base) if base is not None else {}
    for name, namesakes in _namesakes(head).items():
        function = namesakes[0]
        body = function.child_by_field_name("body")
        was = old.get(name)
        if body is None or (was is not None and was.text == function.text):
            continue
        rule = _rule(head, function, body, was)
        if rule is not None and not (was is not None and lives_on(was, function, namesakes)):
            yield head.hit(rule, _place(body), name, detail=name)


def _rule(head: Source, function: tree_sitter.Node, body: tree_sitter.Node, was: tree_sitter.Node | None) -> str | None:
    thrown = _only_throws(body)
    if was is None or not _worked(was):
        later = thrown is not None and was is None and _LATER.search(head.text(thrown))
        return "js.stub-added" if later and thrown is not None and not _OVERRIDDEN.search(head.text(thrown)) else None
    if thrown is not None:
        return "js.stub" if _LATER.search(head.text(thrown)) else "js.work-removed"
    if body.type == "statement_block" and not statements(body):
        return "js.stub" if _is_put_off(head, body) else "js.work-removed"
    if _gave_up(head, function, was):
        return "js.stub"
    value = _only_value(body)
    if value is None:
        return None
    if value.type in ("null", "undefined"):
        return "js.stub" if _is_put_off(head, body) else "js.work-removed"
    checked = body.type == "statement_block" and len(statements(body)) > 1
    gave = checked and _gave(was, value)
    if not _is_constant(value) or not _used_parameters(was) or gave:
        return None
    return "js.work-removed" if is_left_branch(was, function, value) else "js.stub"


def _is_put_off(head: Source, body: tree_sitter.Node) -> bool:
    """A comment in it says that the work is still to come."""
    comments = parts(body, frozenset({"comment"}))
    return any(_LATER.search(text) or _SOME_DAY.search(text) for text in map(head.text, comments))


def _gave(was: tree_sitter.Node, value: tree_sitter.Node) -> bool:
    """The function answered just that before, behind checks of its own."""
    last = _last(was)
    return (
        last is not None
        and last.type == "return_statement"
        and value.text in [each.text for each in last.named_children]
    )


def _gave_up(head: Source, function: tree_sitter.Node, was: tree_sitter.Node) -> bool:
    """What it computed last is now a `throw` that says so; checks of its parameters may stand before it."""
    last, before = _last(function), _last(was)
    if last is None or before is None or last.type != "throw_statement" or not _LATER.search(head.text(last)):
        return False
    answer = before.named_children[0] if before.type == "return_statement" and before.named_children else None
    if answer is None or not (answer.type in _NAMES or any(True for _ in parts(answer, _WORKS))):
        return False
    rest = (function.text or b"")[: last.start_byte - function.start_byte]
    return re.search(rb"(?<![\w$.])" + re.escape(answer.text or b"") + rb"(?![\w$])", rest) is None


def _last(function: tree_sitter.Node) -> tree_sitter.Node | None:
    body = function.child_by_field_name("body")
    found = statements(body) if body is not None and body.type == "statement_block" else []
    return found[-1] if found else None


def _place(body: tree_sitter.Node) -> tree_sitter.Node:
    found = statements(body) if body.type == "statement_block" else []
    if not found:
        return body
    return found[-1] if found[-1].type == "throw_statement" else found[0]


def _named(source: Source) -> dict[str, tree_sitter.Node]:
    """Functions by the names that lead to them."""
    return {name: found[0] for name, found in _namesakes(source).items()}


def _namesakes(source: Source) -> dict[str, list[tree_sitter.Node]]:
    """All functions of each name."""
    found: dict[str, list[tree_sitter.Node]] = {}
    for function in nodes_of(source, *FUNCTIONS):
        name = name_of(source, function)
        if name:
            found.setdefault(name, []).append(function)
    return found


def name_of(source: Source, function: tree_sitter.Node) -> str:
    """The names that lead to it; none for what stands nameless in another function."""
    node: tree_sitter.Node | None = function
    parts: list[str] = []
    while node is not None:
        named = node.child_by_field_name("name") or (node.child_by_field_name("key") if node.type == "pair" else None)
        if node.type == "assignment_expression":
            named = node.child_by_field_name("left")
        if named is not None and node.type != "call_expression":
            parts.append(source.text(named))
        elif node.type in FUNCTIONS and node.id != function.id:
            if not parts:
                return ""
            parts.append("()")
        node = parent_of(node)
    return ".".join(reversed(parts))


def statements(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Those that can be reached."""
    found = []
    for child in block.named_children:
        if "comment" not in child.type and child.type != "empty_statement":
            found.append(child)
        if child.type in ("return_statement", "throw_statement"):
            break
    return found


def _only_throws(body: tree_sitter.Node) -> tree_sitter.Node | None:
    """The `throw`, or the rejected promise, that is all that the body does."""
    only = _only(body) if body.type == "statement_block" else body
    if only is None or only.type == "throw_statement":
        return only
    value = unwrapped(only.named_children[0]) if only.type == "return_statement" and only.named_children else only
    if value is not None and value.type == "call_expression":
        function = value.child_by_field_name("function")
        return value if function is not None and function.text == b"Promise.reject" else None
    return None


def _only(block: tree_sitter.Node) -> tree_sitter.Node | None:
    """The one statement of a block; `void x` beside it does nothing."""
    found = [node for node in statements(block) if not _is_idle(node)]
    return found[0] if len(found) == 1 else None


def _behind_declarations(block: tree_sitter.Node) -> tree_sitter.Node | None:
    """The last statement, if all before it only name values or refuse some: it decides whether they are used."""
    found = [node for node in statements(block) if not _is_idle(node)]
    named = all(node.type in DECLARE or _refuses(node) for node in found[:-1])
    return found[-1] if found and named else None


def _refuses(statement: tree_sitter.Node) -> bool:
    """`if (…) throw …`."""
    branch = statement.child_by_field_name("consequence") if statement.type == "if_statement" else None
    if branch is None or statement.child_by_field_name("alternative") is not None:
        return False
    only = _only(branch) if branch.type == "statement_block" else branch
    return only is not None and only.type == "throw_statement"


def _is_idle(statement: tree_sitter.Node) -> bool:
    if statement.type != "expression_statement" or not statement.named_children:
        return False
    inner = statement.named_children[0]
    return inner.type == "identifier" or (inner.text or b"").startswith(b"void ")


def _only_value(body: tree_sitter.Node) -> tree_sitter.Node | None:
    if body.type != "statement_block":
        value = unwrapped(body)
    else:
        only = _only(body) or _behind_declarations(body)
        if only is None or only.type != "return_statement" or not only.named_children:
            return None
        value = by_its_value(unwrapped(only.named_children[0]), statements(body))
    if value is not None and value.type == "call_expression":
        function = value.child_by_field_name("function")
        if function is not None and function.text == b"Promise.resolve":
            return unwrapped(next(iter(arguments(value)), None)) or value
    return value


def _is_plainly_made(node: tree_sitter.Node) -> bool:
    """`new Date(0)`, `new Map()`."""
    made = node.child_by_field_name("constructor") if node.type == "new_expression" else None
    return made is not None and made.text in _PLAINLY_MADE


def _is_constant(value: tree_sitter.Node) -> bool:
    if value.type not in _CONSTANTS and not _is_plainly_made(value):
        return False
    stack = [value]
    while stack:
        node = stack.pop()
        if _is_plainly_made(node):
            stack += [] if (given := node.child_by_field_name("arguments")) is None else given.named_children
            continue
        if node.type in _NAMES or node.type in _WORKS or node.type in FUNCTIONS:
            return False
        stack += node.children
    return True


def _worked(function: tree_sitter.Node) -> bool:
    """It computed something, rather than being a stub or a constant itself."""
    body = function.child_by_field_name("body")
    return body is not None and _only_throws(body) is None and any(True for _ in parts(body, _WORKS))


def _used_parameters(function: tree_sitter.Node) -> bool:
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    body = function.child_by_field_name("body")
    if listed is None or body is None:
        return False
    names = {node.text for node in parts(listed, _NAMES | {"shorthand_property_identifier_pattern"})}
    return any(node.text in names for node in parts(body, _NAMES))


def parts(node: tree_sitter.Node, types: frozenset[str] | set[str]) -> Iterator[tree_sitter.Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in types:
            yield current
        stack += current.children
