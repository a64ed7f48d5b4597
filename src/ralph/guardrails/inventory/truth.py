"""What an assertion demands that a condition holds (`assert a == b && c`), or does not (`if a != b { fail() }`).

Rules: of `a and b` both hold; of `a or b` nobody knows which, and nothing is demanded if one always holds; equality
demands one value, an order a range, inequality hardly anything; a comparison of constants or with itself nothing. What
takes the wanted value in the place of another one (`min(x, 7) == 7`, `x.unwrap_or(7) == 7`) is there, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import record
from ralph.system.patterns import later

HELPER = later(r"(?i)^_?(?:assert|check|verify|expect|require|must|ensure|should)")
"""Names of functions elsewhere that probably check something."""

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "===": "!=", "=~": "!~"}
ASKED = {"in": "in", "!in": "not in", "is": "type", "!is": "not type", "instanceof": "type"}
"""Questions of Kotlin and Java that stand between two sides, and what they are called in all languages."""
DENIED = {"in": "not in", "not in": "in", "type": "not type", "not type": "type"}
EMPTY = frozenset({"nil", "null", "None", "false", "False", "default", "true", "True"})
ACCESS = frozenset({".", "?.", "?", "::", "->", "&."})
"""Not two sides, but a thing and what it has."""
WRAPPERS = frozenset({"parenthesized_expression", "parenthesized_statements"})
ALWAYS = "it always holds"
TESTED = later(r"cfg!\((?:test|debug_assertions|any\(.*\btest\b.*\))\)|testing\.Testing\(\)")
"""What holds wherever tests run."""
TAKES = (
    r"\b(?:unwrap_or|orElse|getOrDefault|getOrElse|GetValueOrDefault|clamp|[mM]in|[mM]ax|minOf|maxOf|coerce\w+|fetch)"
)


GIVEN_BY = (
    r"\b(?:unwrap_or_else|orElseGet|getOrElse|fetch|ifEmpty|ifBlank)(?:\([^(){}]*\))?"
    r"[({](?:\|\w*\||\(?\w*\)?(?:->|=>))?"
)
"""A function that gives it where nothing is there."""
MAY_TAKE = later(rf"{TAKES}\(|{GIVEN_BY}|\|\||\?\?|\?:|\bor |\.(?:min|max)$")
"""What each of the ways has in which another value becomes the wanted one, whatever that is."""
ABSOLUTE = later(
    r"(?:(?:[Mm]ath|Mathf|f32|f64|std)(?:\.|::))?(?:f?abs|Abs)\(.*\)|\(.*\)\.(?:abs|absoluteValue|magnitude)(?:\(\))?",
    re.DOTALL,
)
EPSILON = later(r"(?:\w+(?:\.|::))*(?:EPSILON|Epsilon|[a-z_]*epsilon|ulp\(.*\))")
NARROW = 0.01
"""A wider tolerance, relative to what is wanted, is a range."""
THERE = later(
    r".*[\w)\]}?]\.(?:isNotEmpty|isNotBlank|isPresent|isNotNull|nonEmpty|isSome|is_some|is_ok|present\?|any\?)(?:\(\))?",
    re.DOTALL,
)
NOT_THERE = later(
    r".*[\w)\]}?]\.(?:isEmpty|is_empty|isBlank|isNullOrEmpty|is_none|empty\?|blank\?|nil\?)(?:\(\))?", re.DOTALL
)
"""Questions of which one answer says that something is there, and no more."""


@record
class Said:
    """One assertion as it is written, before anybody asks whether it is reached."""

    subject: str
    relation: str
    wanted: str
    grade: Grade
    known: bool = False
    slack: float | None = None
    why: str = ""
    covers: int = 1


def holds(node: tree_sitter.Node, writing: Writing, positive: bool = True) -> Iterator[Said]:
    node = _bare(node)
    left, operator, right = _operands(node)
    if left is None or right is None:
        yield from _single(node, writing, positive)
    elif operator in ("&&", "||", "and", "or", "|"):
        sides = [*holds(left, writing, positive), *holds(right, writing, positive)]
        if (operator in ("&&", "and")) == positive:
            yield from sides
        else:
            always = any(not side.grade for side in sides)
            grade = Grade.NOTHING if always else min(Grade.SHAPE, *(side.grade for side in sides))
            yield Said(writing.of(node), "or", "", grade, why=ALWAYS if always else "")
    elif operator in ASKED:
        relation = ASKED[operator]
        yield _placed(left, relation if positive else DENIED[relation], right, writing)
    elif positive or operator in NEGATED:
        yield compared(left, operator if positive else NEGATED[operator], right, writing)
    else:
        yield Said(writing.of(node), "not", "", Grade.CLOSE)


def _bare(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.type in WRAPPERS and node.named_children:
        node = node.named_children[0]
    return node


def compared(left: tree_sitter.Node, relation: str, right: tree_sitter.Node, writing: Writing) -> Said:
    if writing.is_constant(left) and not writing.is_constant(right):
        left, right = right, left
        relation = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(relation, relation)
    subject, wanted = writing.of(left), writing.of(right)
    if relation in ("==", "===") and wanted in ("true", "false") and _operands(_bare(left))[0] is not None:
        demanded = list(holds(left, writing, positive=wanted == "true"))
        if len(demanded) == 1:  # `assertEquals(true, a > b)` is a condition
            return demanded[0]
    known = writing.is_constant(right)
    if subject == wanted or writing.is_constant(left):
        return Said(subject, relation, wanted, Grade.NOTHING, why=ALWAYS)
    if relation in ("==", "===") and known and takes(subject, wanted):
        return Said(subject, "==", wanted, Grade.EXISTS, known, why="another value becomes the wanted one")
    if relation in ("==", "==="):
        grade = _answered(subject, wanted == "true") if wanted in ("true", "false") else Grade.CLOSE
        return Said(subject, "==", wanted, grade if wanted in EMPTY else Grade.EXACT, known)
    if relation == "!=":
        nothing = wanted in EMPTY - {"true", "false", "True", "False"} or not known
        return Said(subject, "!=", wanted, Grade.EXISTS if nothing or wanted not in EMPTY else Grade.CLOSE, known)
    if relation in ("<", "<=") and (near := _near(left, right, writing)) is not None:
        return near
    if relation in ("<", "<=", ">", ">=") and (number := writing.number(right)) is not None:
        return Said(subject, relation, "", Grade.SHAPE, known, slack=number if relation[0] == "<" else -number)
    return Said(subject, relation, wanted, Grade.SHAPE, known)


def _placed(left: tree_sitter.Node, relation: str, right: tree_sitter.Node, writing: Writing) -> Said:
    """Whether something is in another one, or of a type."""
    holder, asked = (left, right) if relation.endswith("type") else (right, left)
    nothing = writing.is_constant(left) and (relation.endswith("type") or writing.is_constant(right))
    grade = Grade.NOTHING if nothing else Grade.EXISTS if relation.startswith("not ") else Grade.SHAPE
    return Said(writing.of(holder), relation, writing.of(asked), grade, writing.is_constant(asked))


def _near(left: tree_sitter.Node, right: tree_sitter.Node, writing: Writing) -> Said | None:
    """`abs(x - 3) < 0.01` is equality within a tolerance, taken relative to what is wanted."""
    margin, node = writing.number(right), _bare(writing.value(left))
    margin = 0.0 if EPSILON.fullmatch(writing.of(right)) else margin
    if margin is None or not ABSOLUTE.fullmatch(writing.of(node)):
        return None
    inside = next((each for each in _below(node) if _operands(each)[1] == "-"), None)
    one, _, other = _operands(inside) if inside is not None else (None, "", None)
    if one is None or other is None:
        return None
    if writing.is_constant(one) and not writing.is_constant(other):
        one, other = other, one
    value = writing.number(other)
    slack = share(margin, value)
    subject, wanted = writing.of(one), writing.of(other)
    if subject == wanted:
        return Said(subject, "==", wanted, Grade.NOTHING, why=ALWAYS)
    return Said(subject, "==", wanted, tolerated(slack), value is not None, slack)


def share(margin: float, value: float | None) -> float:
    """A margin relative to what is wanted, where that is known."""
    return margin / abs(value) if value else margin


def tolerated(slack: float | None) -> Grade:
    """What equality within a relative tolerance demands; nobody knows how wide None is."""
    return Grade.CLOSE if slack is not None and slack <= NARROW else Grade.SHAPE


def _below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The node and all below it, the outer ones first."""
    waiting = [node]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += node.named_children


def takes(subject: str, wanted: str) -> bool:
    """Another value becomes the wanted one: a default, a limit."""
    value = re.escape(wanted)
    if wanted not in subject or not MAY_TAKE.search(subject):
        return False
    default = rf"{TAKES}\((?:.*,)?{value}[,)]|{GIVEN_BY}{value}[)}}]|(?:\|\||\?\?|\?:|\bor ){value}\)?$"
    return re.search(rf"{default}|[\[,]{value}[\],].*\.(?:min|max)$", subject) is not None


def _single(node: tree_sitter.Node, writing: Writing, positive: bool) -> Iterator[Said]:
    operator = node.children[0] if node.child_count == 2 else None
    if operator is not None and text_of(operator) in ("!", "not"):
        yield from holds(node.children[1], writing, not positive)
        return
    text = writing.of(node)
    if TESTED.fullmatch(text) and positive:
        yield Said(text, "is", "", Grade.NOTHING, why=ALWAYS)
    elif writing.is_constant(node):
        always = (text in ("false", "False", "nil", "0")) != positive
        yield Said(text, "is", "", Grade.NOTHING if always else Grade.CLOSE, why=ALWAYS if always else "")
    else:
        yield Said(text, "==", "true" if positive else "false", _answered(text, positive))


def _answered(question: str, positive: bool) -> Grade:
    return Grade.EXISTS if (THERE if positive else NOT_THERE).fullmatch(question) else Grade.CLOSE


def _operands(node: tree_sitter.Node) -> tuple[tree_sitter.Node | None, str, tree_sitter.Node | None]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if operator is None and left is not None and right is not None:
        operator = next((each for each in node.children if not each.is_named and text_of(each) in ASKED), None)
    if left is None or right is None:
        plain = (
            node.type.endswith(("_expression", "binary")) and node.child_count == 3 and len(node.named_children) == 2
        )
        if not plain or node.children[1].is_named or node.children[1].type in ACCESS:
            return None, "", None
        left, operator, right = node.children
    return left, text_of(operator) if operator is not None else "", right
