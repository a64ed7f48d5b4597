"""What one statement of a test asks, told by the words of its assertion (see `dialects`; class G05)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ralph.guardrails.commas import CLOSING, OPENING, between_commas
from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import takes
from ralph.guardrails.lines.dialects import Dialect
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade
STRINGS = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")
CONSTANT = later(
    r"(?i)[-+]?\d[\d_.]*(?:e[-+]?\d+)?[a-z]{0,3}|true|false|null|nil|none|undefined|nullptr|:\w+|\.\w+"
    r"|[rlu]?\"(?:[^\"\\$#]|\\.)*\"s?|'(?:[^'\\]|\\.)*'|[\[{(][^a-z$]*[\]})]"
)
FIXED = {"true": "true", "false": "false", "null": "null", "nil": "null", "none": "null", "empty": "''", "zero": "0"}
ABSENT = frozenset(names("nil null none nullptr undefined"))
OPERATORS = later(r"(?<![=!<>|~-])(?P<sign>===|!==|==|!=|=~|<=|>=|<(?!<)|>(?!>)|\bis\b|\bin\b)(?![=>])\s*")
JOINED = later(r"\s*(?:&&|\band\b)\s*")
NOT = later(r"(?:!\s*|not\s+|\(\s*not\s+)(?![=])")
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
BOUND = later(r"[<>]=?")
MATCHER = later(r"is|equals|throws|returns|contains|has|starts|ends|any|every|close|matches|not|find|completion|emits")
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
EQUALS = later(r"(?:::)?(?:\w+::)*(?:Eq|StrEq|Equals|EqualTo|IsEqual)\((?P<wanted>.*)\)")


def asked(statement: str, dialect: Dialect) -> Iterator[Ask]:
    """What it asks; nothing if it is no assertion."""
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
                _outright(ask, dialect) for ask in of_condition(_first(condition), positive=not found.get("not"))
            )
        return


def of_condition(text: str, *, positive: bool = True) -> Iterator[Ask]:
    if positive and len(parts := _apart(text, JOINED)) > 1:
        for part in parts:
            yield from of_condition(part)
        return
    text = _bare(text)
    while match := NOT.match(text):
        text, positive = _bare(text[match.end() :]), not positive
    sides = _apart(text, OPERATORS)
    if len(sides) != 2:
        always = text in ("true", "1", "True")
        yield Ask(text, "true" if positive else "false", "", NOTHING if always else EXISTS if positive else CLOSE)
        return
    sign = next(match["sign"] for match in OPERATORS.finditer(_masked(text)))
    relation = {"===": "==", "!==": "!=", "is": "type"}.get(sign, sign)
    relation = relation if positive else OPPOSITE.get(relation, f"not {relation}")
    left, right = (_written(each) for each in sides)
    if CONSTANT.fullmatch(left) and not CONSTANT.fullmatch(right):
        left, right = right, left
    yield _settled(left, relation, right)


def _of_call(name: str, given: Sequence[str], dialect: Dialect) -> Iterable[Ask]:
    words = [word.lower() for word in WORD.findall(name)]
    told = frozenset(words)
    given = [_written(each) for each in given if each]
    first = given[0] if given else ""
    negated = bool({"not", "ne", "neq", "refute"} & told) or name.startswith(("refute", "reject"))
    if "fail" in told or "flunk" in told:
        return [Ask("", "fails", "", CLOSE)]
    if RAISES & told:
        silent = negated or "no" in told or "nothrow" in told
        texts = [each for each in given if len(each) < 60 and re.fullmatch(r"[\w.:\\\"' -]+", each)]
        if not silent and THROWS.search(first):
            return [Ask("", "raises", ", ".join(texts), NOTHING)]
        any_will_do = silent or "any" in told or (bool(texts) and all(map(ANY_ERROR.fullmatch, texts)))
        return [Ask("", "not raises" if silent else "raises", ", ".join(texts), EXISTS if any_will_do else CLOSE)]
    if "that" in told and len(given) > 1 and (match := EQUALS.fullmatch(given[1])) is not None:
        return [_settled(first, "==", match["wanted"])]
    if name.startswith("expect") and len(given) >= 2 and len(words) == 1:
        return _of_matcher(first, given[1])
    if "true" in told or "false" in told or words in (["assert"], ["expect"], ["check"], ["is", "ok"]):
        return [_outright(ask, dialect) for ask in of_condition(first, positive=("false" in told) is negated)]
    fixed = next((FIXED[word] for word in words if word in FIXED), "")
    if fixed and len(given) <= 2:
        return [_settled(first, "!=" if negated else "==", fixed)]
    if (SAME & told or "eq" in name.lower() or name in ("QCOMPARE", "is", "")) and len(given) >= 2:
        subject, wanted = (given[1], first) if dialect.wanted_first else (first, given[1])
        if CONSTANT.fullmatch(subject) and not CONSTANT.fullmatch(wanted):
            subject, wanted = wanted, subject
        near = bool(NEAR & told) or (len(given) > 2 and given[2].startswith("accuracy:"))
        if near and _is_wide(wanted, given[2:]):
            return [Ask(subject, "~", wanted, EXISTS)]
        return [_settled(subject, "!=" if negated else "~" if near else "==", wanted)]
    grade = SHAPE if SHAPES & told else CLOSE
    relation = " ".join(words)
    wanted_first = dialect.wanted_first and len(given) > 1
    subject, wanted = (given[1], first) if wanted_first else (first, ", ".join(given[1:2]))
    return [Ask(subject, relation, wanted, min(grade, EXISTS) if negated else grade)]


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
    weak = name.startswith(("isNot", "any")) or name in ("findsWidgets", "isPositive")
    close = name.startswith(("close", "matches", "find"))
    return [Ask(subject, name, given, EXISTS if weak else CLOSE if close else SHAPE)]


def _of_words(subject: str, how: str, wanted: str) -> Iterable[Ask]:
    """`total shouldBe 3`, `expect($total)->not->toBe(3)`."""
    told = frozenset(word.lower() for word in WORD.findall(how))
    negated = "not" in told or "!" in how
    plain = _written(wanted)
    if RAISES & told:
        return [Ask(_written(subject), "not raises" if negated else "raises", plain, EXISTS if negated else CLOSE)]
    if {"true", "false"} & told:
        return of_condition(subject, positive=("false" in told) is negated)
    fixed = next((FIXED[word] for word in told if word in FIXED), "")
    if fixed and not plain:
        return [_settled(_written(subject), "!=" if negated else "==", fixed)]
    if SHAPES & told and not (SAME & told and "be" not in told):
        return [Ask(_written(subject), " ".join(sorted(told)), plain, EXISTS if negated else SHAPE)]
    if bound := BOUND.match(plain):
        return [Ask(_written(subject), bound[0], plain[bound.end() :].strip(), SHAPE)]
    if SAME & told or "=" in how:
        return [_settled(_written(subject), "!=" if negated else "==", plain)]
    return [Ask(_written(subject), " ".join(sorted(told)), plain, EXISTS if negated else CLOSE)]


def _settled(subject: str, relation: str, wanted: str) -> Ask:
    wanted = "null" if wanted.lower() in ABSENT else wanted
    grade = {"==": EXACT, "~": CLOSE, "!=": EXISTS, "type": SHAPE}.get(relation, SHAPE)
    if relation == "==" and takes("".join(subject.split()), wanted):
        return Ask(subject, relation, wanted, EXISTS)
    both = CONSTANT.fullmatch(subject) is not None and CONSTANT.fullmatch(wanted) is not None
    return Ask(subject, relation, wanted, NOTHING if both or (subject == wanted and relation == "==") else grade)


def _first(text: str) -> str:
    """A condition without the message behind it."""
    return between_commas(text, STRINGS)[0] if text else ""


def _apart(text: str, sign: re.Pattern[str]) -> list[str]:
    parts, start = [], 0
    for match in sign.finditer(_masked(text)):
        parts.append(text[start : match.start()])
        start = match.end()
    return [*parts, text[start:]]


def _bare(text: str) -> str:
    """Without brackets around the whole."""
    text = text.strip()
    while re.fullmatch(r"\(_*\)", _masked(text)):
        text = text[1:-1].strip()
    return text


def _masked(text: str) -> str:
    """As long as the text; what stands in brackets and strings is a line of dashes."""
    plain = STRINGS.sub(lambda match: "_" * len(match[0]), text)
    depth, found = 0, []
    for letter in plain:
        depth -= letter in CLOSING
        found.append("_" if depth > 0 else letter)
        depth += letter in OPENING
    return "".join(found)


def _written(text: str) -> str:
    """Free of layout."""
    return re.sub(r"\s+", " ", text.strip()).replace("( ", "(").replace(" )", ")")
