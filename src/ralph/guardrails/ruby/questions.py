"""Ruby: the assertions of Minitest that are another spelling of a question (policy set v2, class G05).

Rules:

- `assert_kind_of Hash, x` is `assert x.is_a?(Hash)`, `refute_includes x, 1` is `refute x.include?(1)`, and so are their
  relatives; a message behind is no part of either. Both demand what the name says: a type, something among others.
- `assert_predicate x, :open?` is `assert x.open?`, and `assert_operator x, :<, 3` is `assert x < 3`.
- Everything is an `Object`: to ask for that demands nothing.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import ALWAYS, NEGATED, NOT_THERE, THERE, Said, compared
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

OF_TYPE = {"kind_of": "be_kind_of", "instance_of": "be_instance_of"}
"""Assertions that name what is wanted first, each with the matcher of RSpec that demands the same."""
OF_SUBJECT = {"respond_to": "respond_to", "includes": "include", "include": "include"}
QUESTIONS = {
    "is_a?": "be_kind_of",
    "kind_of?": "be_kind_of",
    "instance_of?": "be_instance_of",
    "respond_to?": "respond_to",
    "include?": "include",
    "member?": "include",
}
NAMED = later(r"(?P<no>refute|assert_not|assert)_(?P<what>\w+)")
MATCHES = frozenset({"match", "match?"})
SIGN = later(r":(?P<sign>[=!<>]=?|=[=~]=?)")
PREDICATE = later(r":(?P<name>\w+\?)")
ANY = frozenset({"Object", "BasicObject", "Kernel"})


def asked(call: tree_sitter.Node, name: str, arguments: list[tree_sitter.Node], writing: Writing) -> Said | None:
    """What a named assertion without a block asks, where it is a question or a comparison."""
    match = NAMED.fullmatch(name)
    if match is None or call.child_by_field_name("block") is not None:
        return None
    positive, what = match["no"] == "assert", match["what"]
    if what in OF_TYPE and len(arguments) > 1:
        return _question(arguments[1], OF_TYPE[what], arguments[0], positive, writing)
    if what in OF_SUBJECT and len(arguments) > 1:
        return _question(arguments[0], OF_SUBJECT[what], arguments[1], positive, writing)
    if what in ("match", "no_match") and not (positive and what == "match") and len(arguments) > 1:
        return _no_match(arguments[0], arguments[1], writing)
    if what == "path_exists" and arguments:
        return _of_truth(f"File.exist?({writing.of(arguments[0])})", positive, Grade.CLOSE)
    if what == "predicate" and len(arguments) > 1 and (named := PREDICATE.fullmatch(text_of(arguments[1]))):
        question = f"{writing.of(arguments[0])}.{named['name']}"
        there = (THERE if positive else NOT_THERE).fullmatch(question) is not None
        return _of_truth(question, positive, Grade.EXISTS if there else Grade.CLOSE)
    if what == "operator" and len(arguments) > 2 and (sign := SIGN.fullmatch(text_of(arguments[1]))):
        return _compared(arguments[0], sign["sign"], arguments[2], positive, writing)
    return None


def respelled(said: Said, condition: tree_sitter.Node, writing: Writing) -> Said:
    """What is said of a condition, where it is a question that such an assertion asks, in the one form."""
    while condition.type in ("parenthesized_statements", "unary") and condition.named_children:
        condition = condition.named_children[-1]
    if (said.relation, said.wanted) not in (("==", "true"), ("==", "false"), ("!~", said.wanted)):
        return said
    positive = said.wanted == "true"
    if said.relation == "!~":
        return Said(said.subject, "not match", said.wanted, Grade.EXISTS)
    receiver, method = condition.child_by_field_name("receiver"), condition.child_by_field_name("method")
    listed = condition.child_by_field_name("arguments")
    given = [] if listed is None else [each for each in listed.named_children if each.type != "comment"]
    if condition.type != "call" or receiver is None or method is None or len(given) != 1:
        return said
    question = text_of(method)
    if question in MATCHES and not positive:
        pattern, text = (receiver, given[0]) if receiver.type == "regex" else (given[0], receiver)
        return _no_match(pattern, text, writing)
    matcher = QUESTIONS.get(question)
    return said if matcher is None else _question(receiver, matcher, given[0], positive, writing)


def _question(
    subject: tree_sitter.Node, matcher: str, wanted: tree_sitter.Node, positive: bool, writing: Writing
) -> Said:
    named = writing.of(wanted)
    always = (matcher == "be_kind_of" and named in ANY and positive) or all(map(writing.is_constant, (subject, wanted)))
    grade = Grade.NOTHING if always else Grade.SHAPE if positive else Grade.EXISTS
    relation, why = matcher if positive else f"not {matcher}", ALWAYS if always else ""
    return Said(writing.of(subject), relation, named, grade, why=why)


def _no_match(pattern: tree_sitter.Node, text: tree_sitter.Node, writing: Writing) -> Said:
    nothing = writing.is_constant(text)
    grade, why = (Grade.NOTHING, ALWAYS) if nothing else (Grade.EXISTS, "")
    return Said(writing.of(text), "not match", writing.of(pattern), grade, why=why)


def _of_truth(question: str, positive: bool, grade: Grade) -> Said:
    return Said(question, "==", "true" if positive else "false", grade)


def _compared(
    left: tree_sitter.Node, sign: str, right: tree_sitter.Node, positive: bool, writing: Writing
) -> Said | None:
    if not positive and sign not in NEGATED:
        return None
    return compared(left, sign if positive else NEGATED[sign], right, writing)
