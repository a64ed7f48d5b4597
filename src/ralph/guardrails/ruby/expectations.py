"""Ruby: what the assertions of RSpec and Minitest demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade, left_open
from ralph.guardrails.inventory.truth import Said, compared, holds, share, tolerated
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.ruby import questions
from ralph.record import replace
from ralph.system.patterns import later

EQUAL = frozenset({"eq", "eql", "equal", "be", "must_equal", "must_be_same_as"})
UNORDERED = frozenset({"match_array", "contain_exactly"})
GRADES = {
    Grade.EXISTS: "be be_truthy be_present be_any be_success be_successful raise_error raise_exception exist"
    " assert_not_nil assert_silent assert_output assert_not_empty assert_nothing_raised assert_present",
    Grade.SHAPE: "be_a be_an be_kind_of be_a_kind_of be_instance_of be_an_instance_of respond_to include"
    " start_with end_with be_between be_positive be_negative have_key cover satisfy all assert_kind_of"
    " assert_instance_of assert_includes assert_include assert_operator assert_respond_to must_be_kind_of"
    " must_be_instance_of must_include"
    " must_be be_integer be_finite be_odd be_even",
    Grade.EXACT: "have_attributes have_http_status assert_same have_content have_text have_enqueued_job",
}
KNOWN = {name: grade for grade, names in GRADES.items() for name in names.split()}
MESSAGE = later(r"\bassert_raises\b.*\.message$")
MESSAGES = later(r"\.message\b")
ANYTHING = later(r"anything|be_truthy|be_present|/(?:\^?\.[*+]?\$?)?/m?")
FAILURE = later(r"(?:^|::)(?:Exception|ExpectationNotMetError|Assertion)$")
"""What a failed assertion raises: no StandardError."""
NOTHING = frozenset({("anything", ""), ("have_attributes", "{}")})
"""Matchers that anything meets."""
RECEIVES = frozenset({"receive", "have_received"})
TIMES = {"once": "1", "twice": "2", "thrice": "3"}
LOOSE = later(
    r"(?:any_args|anything|boolean|duck_type|(?:an_)?instance_of|(?:a_)?kind_of|hash_including|array_including)\b"
)
"""Values of `with` that many a call meets."""


def name_and_arguments(call: tree_sitter.Node) -> tuple[str, list[tree_sitter.Node]]:
    if call.type == "identifier":
        return text_of(call), []
    method, listed = call.child_by_field_name("method"), call.child_by_field_name("arguments")
    arguments = [] if listed is None else [each for each in listed.named_children if each.type != "comment"]
    return ("" if method is None or call.type != "call" else text_of(method)), arguments


def rspec(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    name, arguments = name_and_arguments(node)
    receiver = node.child_by_field_name("receiver")
    if receiver is None or name not in ("to", "not_to", "to_not", "should", "should_not") or not arguments:
        return
    called, given = name_and_arguments(receiver)
    if called not in ("expect", "is_expected") and not name.startswith("should"):
        return
    subject = given[0] if given else receiver.child_by_field_name("block") or receiver
    positive = name in ("to", "should")
    for said in _matched(subject, arguments[0], positive, writing):
        yield replace(said, subject="subject") if said.subject == "is_expected" else said


def _matched(subject: tree_sitter.Node, matcher: tree_sitter.Node, positive: bool, writing: Writing) -> Iterator[Said]:
    chain = list(_chain(matcher))
    if matcher.type == "binary" and (left := matcher.child_by_field_name("left")) is not None:
        right, operator = matcher.child_by_field_name("right"), matcher.child_by_field_name("operator")
        if text_of(left) == "be" and right is not None and operator is not None:
            yield compared(subject, text_of(operator), right, writing)
            return
    name, arguments = chain[0] if chain else ("", [])
    further = dict(chain[1:])
    if name == "be_within" and arguments and (of := further.get("of") or further.get("percent_of")):
        yield _within(subject, of[0], arguments[0], writing, relative="percent_of" in further)
    elif "or" in further and positive:
        always = any(ANYTHING.fullmatch(text_of(each)) for each in further["or"])
        yield Said(writing.of(subject), "or", "", Grade.EXISTS if always else Grade.SHAPE)
    elif arguments and positive and ANYTHING.fullmatch(text_of(arguments[-1])):
        nothing = name not in ("raise_error", "raise_exception")
        yield Said(writing.of(subject), name, "", Grade.NOTHING if nothing else Grade.CLOSE, why="anything meets it")
    elif name in EQUAL and arguments:
        yield _equal(subject, "==" if positive else "!=", arguments, writing)
    elif name in UNORDERED and arguments and positive:
        listed = writing.of(arguments[0]) if name == "match_array" else f"[{','.join(map(writing.of, arguments))}]"
        nothing, known = writing.is_constant(subject), all(map(writing.is_constant, arguments))
        yield Said(writing.of(subject), "match_array", listed, Grade.NOTHING if nothing else Grade.EXACT, known)
    elif name:
        positive = positive and not _stays(name, further)
        arguments = [*arguments, *_more_of(matcher, name, further)]
        wanted = " ".join(map(writing.of, arguments))
        grade = _grade(name, arguments, further) if positive else Grade.EXISTS
        grade = Grade.NOTHING if writing.is_constant(subject) or (name, wanted) in NOTHING else grade
        if name in RECEIVES and "at_most" in further:  # never is as good
            grade = min(grade, Grade.SHAPE)
        covers = max(len(arguments), 1) if name.startswith("raise_") else 1
        yield Said(writing.of(subject), f"{'' if positive else 'not '}{name}", wanted, grade, covers=covers)
        if name in RECEIVES and positive and (number := _times(further, writing)):
            grade = Grade.SHAPE if number == "1" else Grade.CLOSE
            yield Said(writing.of(subject), f"calls {writing.of(arguments[0])}", number, grade)


def _equal(subject: tree_sitter.Node, relation: str, arguments: list[tree_sitter.Node], writing: Writing) -> Said:
    """`eq(sku: "tea", qty: 2)` wants the whole hash, not its first pair."""
    said = compared(subject, relation, arguments[0], writing)
    if arguments[0].type != "pair" or not said.grade:
        return said
    listed, known = ",".join(map(writing.of, arguments)), all(map(writing.is_constant, arguments))
    return replace(said, wanted=f"{{{listed}}}", known=known)


def _stays(name: str, further: dict[str, list[tree_sitter.Node]]) -> bool:
    """`change(...).by(0)`."""
    return name == "change" and any(text_of(each) == "0" for each in further.get("by", ()))


def _times(further: dict[str, list[tree_sitter.Node]], writing: Writing) -> str:
    """How often exactly something is received; empty where that is left open."""
    if further.get("exactly"):
        return writing.of(further["exactly"][0])
    return next((number for name, number in TIMES.items() if name in further), "")


def _more_of(
    matcher: tree_sitter.Node, name: str, further: dict[str, list[tree_sitter.Node]]
) -> Iterator[tree_sitter.Node]:
    """What a matcher wants besides its own arguments."""
    yield from further.get("with" if name in RECEIVES else "with_message", [])
    block = matcher.child_by_field_name("block") if name.startswith("raise_") else None
    if block is not None and MESSAGES.search(text_of(block)):
        yield block


def _grade(name: str, arguments: Sequence[tree_sitter.Node], further: dict[str, list[tree_sitter.Node]]) -> Grade:
    if name in ("raise_error", "raise_exception") and arguments:
        broad = text_of(arguments[0]) in ("StandardError", "Exception")
        return Grade.EXACT if len(arguments) > 1 else Grade.EXISTS if broad else Grade.CLOSE
    if name == "change":
        return Grade.EXACT if {"by", "to"} & further.keys() else Grade.EXISTS
    if name in RECEIVES:
        return _of_call(further["with"]) if "with" in further else Grade.EXISTS
    return KNOWN.get(name, Grade.CLOSE)


def _of_call(given: Sequence[tree_sitter.Node]) -> Grade:
    """Of `with(...)`: values that anything meets leave only that there was a call."""
    values = [each.child_by_field_name("value") or each for each in given]
    return left_open([LOOSE.match(text_of(value)) is not None for value in values])


def _chain(matcher: tree_sitter.Node) -> Iterator[tuple[str, list[tree_sitter.Node]]]:
    """`be_within(1).of(3)`: its calls, first to last."""
    receiver = matcher.child_by_field_name("receiver") if matcher.type == "call" else None
    if receiver is not None:
        yield from _chain(receiver)
    if matcher.type in ("call", "identifier"):
        yield name_and_arguments(matcher)


def _within(
    subject: tree_sitter.Node,
    wanted: tree_sitter.Node,
    margin: tree_sitter.Node,
    writing: Writing,
    *,
    relative: bool = False,
) -> Said:
    """`relative`: the margin is in percent."""
    value, slack = writing.number(wanted), writing.number(margin)
    if slack is not None:
        slack = share(slack, 100.0 if relative else value)
    return Said(writing.of(subject), "==", writing.of(wanted), tolerated(slack), value is not None, slack)


def wants_failure(call: tree_sitter.Node) -> bool:
    """`expect { ... }.to raise_error` and `assert_raises(Minitest::Assertion) { ... }` pass when an assertion fails."""
    name, kinds = name_and_arguments(call)
    if name == "assert_raises":
        return any(FAILURE.search(text_of(each)) for each in kinds)
    to = call.parent
    if name != "expect" or to is None or name_and_arguments(to)[0] not in ("to", "should"):
        return False
    for matcher in name_and_arguments(to)[1][:1]:
        raised, kinds = next(iter(_chain(matcher)), ("", []))
        if raised in ("raise_error", "raise_exception"):
            return not kinds or kinds[0].type in ("string", "regex") or FAILURE.search(text_of(kinds[0])) is not None
    return False


def minitest(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    name, arguments = name_and_arguments(node)
    receiver = node.child_by_field_name("receiver") if node.type == "call" else None
    if name.startswith(("must_", "wont_")) and receiver is not None:
        _, wrapped = name_and_arguments(receiver)
        subject = wrapped[0] if wrapped else receiver
        if name in EQUAL and arguments:
            yield _equal(subject, "==", arguments, writing)
        else:
            grade = Grade.EXISTS if name.startswith("wont_") else KNOWN.get(name, Grade.CLOSE)
            yield Said(writing.of(subject), name, " ".join(map(writing.of, arguments)), grade)
    elif receiver is None and name in ("assert", "refute", "assert_not") and arguments:
        for one in holds(arguments[0], writing, positive=name == "assert"):
            said = questions.respelled(one, arguments[0], writing)
            truthy = said.wanted == "true" and "?" not in said.subject
            yield replace(said, grade=min(said.grade, Grade.EXISTS)) if truthy else said
    elif receiver is None and name in ("assert_equal", "refute_equal", "assert_not_equal") and len(arguments) > 1:
        equal = compared(arguments[1], "==" if name == "assert_equal" else "!=", arguments[0], writing)
        yield questions.respelled(equal, arguments[1], writing)
    elif receiver is None and name in ("assert_in_delta", "assert_in_epsilon") and len(arguments) > 2:
        yield _within(arguments[1], arguments[0], arguments[2], writing)
    elif receiver is None and (question := questions.asked(node, name, arguments, writing)) is not None:
        yield question
    elif receiver is None and name.startswith(("assert_", "refute_")):
        block = node.child_by_field_name("block")
        if name == "assert_raises" and block is not None:
            broad = not arguments or text_of(arguments[0]) in ("StandardError", "Exception")
            wanted = " ".join(map(writing.of, arguments))
            yield Said(writing.of(block), name, wanted, Grade.EXISTS if broad else Grade.CLOSE)
            return
        subject_text = writing.of(block) if block is not None else " ".join(map(writing.of, arguments[:2]))
        constant = bool(arguments) and block is None and all(map(writing.is_constant, arguments))
        grade = Grade.EXISTS if name.startswith("refute_") else KNOWN.get(name, Grade.CLOSE)
        # Of an expected error its message, too: `raise_error(Kind, /text/)`.
        grade = Grade.EXACT if name == "assert_match" and MESSAGE.search(subject_text) else grade
        if name == "assert_match" and block is None and len(arguments) > 1:
            told = map(writing.of, (arguments[1], arguments[0]))
            yield Said(next(told), "match", next(told), Grade.NOTHING if constant else grade)
            return
        yield Said(subject_text, name, "", Grade.NOTHING if constant else grade)
