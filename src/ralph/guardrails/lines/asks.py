"""What one statement of a test asks, told by the words of its assertion (see `dialects`; class G05)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ralph.guardrails.commas import between_commas
from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import takes
from ralph.guardrails.lines.dialects import Dialect
from ralph.guardrails.lines.splitting import STRINGS, apart, bare, masked, written
from ralph.guardrails.lines.splitting import first as first_of
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade
CONSTANT = later(
    r"(?i)[-+]?\d[\d_.]*(?:e[-+]?\d+)?[a-z]{0,3}|true|false|null|nil|none|undefined|nullptr|:\w+|\.\w+"
    r"|[rlu]?\"(?:[^\"\\$#]|\\.)*\"s?|'(?:[^'\\]|\\.)*'|[\[{(][^a-z$]*[\]})]"
)
FIXED = {"true": "true", "false": "false", "null": "null", "nil": "null", "none": "null", "empty": "''", "zero": "0"}
ABSENT = frozenset(names("nil null none nullptr undefined"))
OPERATORS = later(r"(?<![=!<>|~-])(?P<sign>===|!==|==|!=|=~|<=|>=|<(?!<)|>(?!>)|\bis\b|\bin\b)(?![=>])\s*")
EITHER = later(r"\s*(?:\|\||\bor\b)\s*")
PATTERN = later(r"(?P<pattern>(?:%\w*\{|\{|\[)[^=<>]*[\]}])\s=\s(?P<of>[^\n]+)")
CERTAIN = later(r"(?<![\w:])(?::\w|\d|\"|true\b|false\b|nil\b)")
"""A pattern of Elixir's that what is asserted is matched with, and something certain in it."""
MISSING = later(r"is_nil\((?P<of>.*)\)")
ALWAYS = frozenset({"true", "1", "True"})
TOLD = later(r"(?<=\))\s*<<[^\n]*$")
"""What is told behind an assertion of C++ where it fails."""
JOINED = later(r"\s*(?:&&|\band\b)\s*")
NOT = later(r"(?:!\s*|not\s+|\(\s*not\s+)(?![=])")
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
BOUND = later(r"[<>]=?")
MATCHER = later(
    r"is|greater|less|in[A-Z]|predicate|all[A-Z]|complet|equals|throws|returns|contains|has|starts|ends|any|every|close|matches|not|find|completion|emits"
)
WORD = later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
SAME = frozenset(names("eq equal equals same identical compare streq strcaseeq deep deeply be result is"))
SHAPES = frozenset(
    names(
        "contains contain in match matches like regex regexp has have starts ends start end count length size instance "
        "type of kind a an greater less than gt lt ge le g l member key keys"
        "subset include includes that callable range"
    )
)
NEAR = frozenset(names("near almost approx approximately delta double float close within"))
RAISES = frozenset(names("throw throws raise raises raised exception error errors death exit revert panics"))


class Ask(NamedTuple):
    subject: str
    relation: str
    wanted: str
    grade: Grade


THROWS = later(r"\bthrow\b")
"""What is to fail throws by itself."""
ANY_ERROR = later(r"\\?(?:Throwable|Exception|Error)(?:::class)?|(?:std::)?exception|std::runtime_error")
MATCHED = later(r"(?:::)?(?:\w+::)*(?P<name>\w+)\((?P<given>.*)\)")
AGREES = later(r"(?:=>|->)\s*(?:true|\{\s*\})\s*\)?$|^\[\s*\]$|\{\s*return true;?\s*\}")
"""What agrees with anything."""
APPROX = later(r"(?:\w+::)*Approx\((?P<value>[^()]*)\)(?:\.(?:margin|epsilon)\((?P<slack>[^()]*)\))?")
HOLDS = {"IsEmpty": "''", "IsNull": "null", "IsTrue": "true", "IsFalse": "false"}
"""Matchers that want one certain thing."""


def asked(statement: str, dialect: Dialect) -> Iterator[Ask]:
    """What it asks; nothing if it is no assertion."""
    statement = TOLD.sub("", statement)
    for form in dialect.asks:
        match = form.fullmatch(statement)
        if match is None:
            continue
        found = match.groupdict()
        if found.get("how"):
            yield from _of_words(found["subject"] or "", found["how"], found.get("wanted") or "")
        elif found.get("name") is not None:
            yield from _of_call(found["name"], between_commas(found["given"] or "", STRINGS), dialect)
        else:
            condition = next((each for key, each in found.items() if key in ("condition", "other") and each), "")
            yield from (
                _outright(ask, dialect) for ask in of_condition(first_of(condition), positive=not found.get("not"))
            )
        return


def of_condition(text: str, *, positive: bool = True) -> Iterator[Ask]:
    text = bare(text)
    parts, ways = apart(text, JOINED), apart(text, EITHER)
    if len(ways) > 1 and positive:
        grade = NOTHING if any(bare(way) in ALWAYS for way in ways) else EXISTS
        yield Ask(written(text), "or", "", grade)
        return
    if (len(parts) > 1 and positive) or len(ways) > 1:
        for part in parts if positive else ways:
            yield from of_condition(part, positive=positive)
        return
    while match := NOT.match(text):
        text, positive = bare(text[match.end() :]), not positive
    if (match := MISSING.fullmatch(text)) is not None:
        yield _settled(written(match["of"]), "==" if positive else "!=", "nil")
        return
    if positive and (match := PATTERN.fullmatch(text)) is not None:
        certain = CERTAIN.search(match["pattern"]) is not None
        yield Ask(written(match["of"]), "matches", written(match["pattern"]), CLOSE if certain else EXISTS)
        return
    sides = apart(text, OPERATORS)
    if len(sides) != 2:
        yield Ask(
            text, "true" if positive else "false", "", NOTHING if text in ALWAYS else EXISTS if positive else CLOSE
        )
        return
    sign = next(match["sign"] for match in OPERATORS.finditer(masked(text)))
    relation = {"===": "==", "!==": "!=", "is": "type"}.get(sign, sign)
    relation = relation if positive else OPPOSITE.get(relation, f"not {relation}")
    left, right = (written(each) for each in sides)
    if CONSTANT.fullmatch(left) and not CONSTANT.fullmatch(right):
        left, right = right, left
    yield _settled(left, relation, right)


def _of_call(name: str, given: Sequence[str], dialect: Dialect) -> Iterable[Ask]:
    words = [word.lower() for word in WORD.findall(name)]
    told = frozenset(words)
    given = [written(each) for each in given if each]
    first = given[0] if given else ""
    negated = bool({"not", "ne", "neq", "refute"} & told) or name.startswith(("refute", "reject"))
    if "fail" in told or "flunk" in told:
        return [Ask("", "fails", "", CLOSE)]
    if RAISES & told or "nothrow" in told or "failure" in told:
        return _of_failing(first, given, told, negated=negated)
    if "that" in told and len(given) > 1:
        return [_that(first, given[1], " ".join(words))]
    if name in ("expect", "expectLater", "expectAsync") and len(given) >= 2:
        return _of_matcher(first, given[1])
    if "true" in told or "false" in told or words in (["assert"], ["expect"], ["check"], ["is", "ok"]):
        return [_outright(ask, dialect) for ask in of_condition(first, positive=("false" in told) is negated)]
    fixed = next((FIXED[word] for word in words if word in FIXED), "")
    if fixed and len(given) <= 2:
        return [_settled(first, "!=" if negated else "==", fixed)]
    if (
        SAME & told or (NEAR & told and len(given) > 2) or "eq" in name.lower() or name in ("QCOMPARE", "is", "")
    ) and len(given) >= 2:
        subject, wanted = (given[1], first) if dialect.wanted_first else (first, given[1])
        if CONSTANT.fullmatch(subject) and not CONSTANT.fullmatch(wanted):
            subject, wanted = wanted, subject
        near = bool(NEAR & told) or (len(given) > 2 and given[2].startswith("accuracy:"))
        if near and _is_wide(wanted, given[2:]):
            return [Ask(subject, "~", wanted, EXISTS)]
        return [_settled(subject, "!=" if negated else "~" if near else "==", wanted)]
    grade = SHAPE if SHAPES & told else CLOSE
    if len(given) == 1 and words[:2] == ["assert", "is"]:
        grade = SHAPE
    relation = " ".join(words)
    if negated:
        relation = "not " + " ".join("assert" if word == "refute" else word for word in words if word != "not")
    wanted_first = dialect.wanted_first and len(given) > 1
    subject, wanted = (given[1], first) if wanted_first else (first, ", ".join(given[1:2]))
    return [Ask(subject, relation, wanted, min(grade, EXISTS) if negated else grade)]


def _of_failing(first: str, given: Sequence[str], told: frozenset[str], *, negated: bool) -> Iterable[Ask]:
    """What is to be raised, or not; what is to fail as an assertion asserts nothing itself."""
    if not RAISES & told:
        return [Ask(first, "not raises", "", EXISTS if "nothrow" in told else NOTHING)]
    silent = negated or "no" in told or "nothrow" in told
    texts = [each for each in given if len(each) < 60 and re.fullmatch(r"[\w.:\\\"' -]+", each)]
    if not silent and THROWS.search(first):
        return [Ask("", "raises", ", ".join(texts), NOTHING)]
    any_will_do = silent or "any" in told or (bool(texts) and all(map(ANY_ERROR.fullmatch, texts)))
    return [Ask("", "not raises" if silent else "raises", ", ".join(texts), EXISTS if any_will_do else CLOSE)]


def _that(subject: str, matcher: str, relation: str) -> Ask:
    """`EXPECT_THAT(total, Eq(3))`, and what matchers put around others."""
    match = MATCHED.fullmatch(matcher)
    name, given = (match["name"], match["given"]) if match is not None else ("", "")
    if name in ("Eq", "StrEq", "Equals", "EqualTo", "IsEqual"):
        return _settled(subject, "==", given)
    if name in HOLDS:
        return _settled(subject, "==", HOLDS[name])
    if name == "Not":
        inner = _that(subject, given, relation)
        if inner.relation == "==":
            return _settled(subject, "!=", inner.wanted)
        return Ask(subject, f"not {relation}", given, min(inner.grade, EXISTS))
    return Ask(subject, relation, matcher, NOTHING if matcher in ("_", "A<void>()") else SHAPE)


def _is_wide(wanted: str, given: Sequence[str]) -> bool:
    """Almost any number is near enough."""
    slack = re.fullmatch(r"(?:accuracy:\s*)?(\d[\d.]*)", given[0]) if given else None
    if slack is None or not re.fullmatch(r"-?\d[\d.]*", wanted):
        return False
    return float(slack[1]) >= max(1.0, abs(float(wanted)) / 4)


def _outright(ask: Ask, dialect: Dialect) -> Ask:
    """Where a truth is one value, to be true is to be that value."""
    plain = ask.relation in ("true", "false") and ask.grade > NOTHING and not dialect.truthy
    return Ask(ask.subject, "==", ask.relation, EXACT) if plain else ask


def _of_matcher(subject: str, matcher: str) -> Iterable[Ask]:
    """Dart's `expect(total, equals(3))`, `expect(total, 3)`, `expect(f, throwsA(isA<E>()))`."""
    called = re.fullmatch(r"(?P<name>\w+)(?:<[^()]*>)?(?:\((?P<given>.*)\))?", matcher)
    name = called["name"] if called else ""
    if called is None or MATCHER.match(name) is None:
        return [_settled(subject, "==", matcher)]
    given = called["given"] or ""
    words = frozenset(word.lower() for word in WORD.findall(name))
    if name == "anything" or AGREES.search(given):
        return [Ask(subject, name, "", NOTHING)]
    if name == "isNot" and given:
        return [_turned(ask) for ask in _of_matcher(subject, given)]
    if name == "equals":
        return [_settled(subject, "==", given)]
    if name in ("isTrue", "isFalse"):
        asks = of_condition(subject, positive=name == "isTrue")
        return [_settled(ask.subject, "==", ask.relation) if ask.relation in ("true", "false") else ask for ask in asks]
    if name in ("isNull", "isEmpty", "isZero"):
        return [Ask(subject, "==", FIXED[name[2:].lower()], EXACT)]
    if name == "returnsNormally":
        return [Ask(subject, "not raises", "", EXISTS)]
    if "throws" in words:
        return [Ask(subject, "raises", given, CLOSE if given else EXISTS)]
    if (
        name == "closeTo"
        and len(sides := between_commas(given, STRINGS)) > 1
        and _is_wide(sides[0].strip(), [sides[1].strip()])
    ):
        return [Ask(subject, "~", sides[0].strip(), EXISTS)]
    weak = name.startswith(("isNot", "any", "complet")) or name in ("findsWidgets", "isPositive")
    close = name.startswith(("close", "matches", "find"))
    return [Ask(subject, name, given, EXISTS if weak else CLOSE if close else SHAPE)]


def _turned(ask: Ask) -> Ask:
    if ask.relation in ("==", "!="):
        return _settled(ask.subject, OPPOSITE[ask.relation], ask.wanted)
    return Ask(ask.subject, f"not {ask.relation}", ask.wanted, min(ask.grade, EXISTS))


def _of_words(subject: str, how: str, wanted: str) -> Iterable[Ask]:
    """`total shouldBe 3`, `expect($total)->not->toBe(3)`."""
    words = [word.lower() for word in WORD.findall(how)]
    told = frozenset(words)
    negated = "not" in told or "!" in how
    relation = " ".join(sorted(words, key=lambda word: word != "not"))
    plain = written(wanted)
    if RAISES & told:
        return [Ask(written(subject), "not raises" if negated else "raises", plain, EXISTS if negated else CLOSE)]
    if {"true", "false"} & told:
        return of_condition(subject, positive=("false" in told) is negated)
    fixed = next((FIXED[word] for word in told if word in FIXED), "")
    if fixed and not plain:
        return [_settled(written(subject), "!=" if negated else "==", fixed)]
    if SHAPES & told and not (SAME & told and "be" not in told):
        return [Ask(written(subject), relation, plain, EXISTS if negated else SHAPE)]
    if not plain and SAME & told:  # `toBeArray()`
        return [Ask(written(subject), relation, "", EXISTS if negated else SHAPE)]
    if bound := BOUND.match(plain):
        return [Ask(written(subject), bound[0], plain[bound.end() :].strip(), SHAPE)]
    if SAME & told or "=" in how:
        return [_settled(written(subject), "!=" if negated else "==", plain)]
    return [Ask(written(subject), relation, plain, EXISTS if negated else CLOSE)]


def _settled(subject: str, relation: str, wanted: str) -> Ask:
    wanted = "null" if wanted.lower() in ABSENT else wanted
    grade = {"==": EXACT, "~": CLOSE, "!=": EXISTS, "type": SHAPE}.get(relation, SHAPE)
    if relation == "==" and (near := APPROX.fullmatch(wanted)) is not None:
        wide = near["slack"] is not None and _is_wide(near["value"], [near["slack"]])
        return Ask(subject, "~", near["value"], EXISTS if wide else CLOSE)
    if relation == "==" and takes("".join(subject.split()), wanted):
        return Ask(subject, relation, wanted, EXISTS)
    both = CONSTANT.fullmatch(subject) is not None and CONSTANT.fullmatch(wanted) is not None
    return Ask(subject, relation, wanted, NOTHING if both or (subject == wanted and relation == "==") else grade)
