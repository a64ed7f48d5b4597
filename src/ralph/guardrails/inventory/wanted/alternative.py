"""A value that is wanted, and that may be the very one that is looked at (policy set v2, class G05).

Rule: `x or want`, `x ?? want`, `cmp.Or(x, want)`, `want.unwrap_or(x)`, `WANTED.get(name, x)` and `x if new else want`
take what is looked at for what is wanted: where `x` is taken first, the comparison is one with itself; where it is
taken in the place of what is missing, or under a condition, it demands that something is there, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Grade
from ralph.record import replace
from ralph.system.patterns import later

ITSELF = "what is wanted may be what is looked at"
OPENING, CLOSING = "([{", ")]}"
LONGEST = 2_000
FIRST = later(r"\|\||\?\?|\?:|(?<![.\w])or(?![\w(])")
"""Between a value and the one that is taken where it says no."""
CHOSEN = later(r"(?P<yes>.+?)\s*\bif\b.+?\belse\b\s*(?P<no>.+)|if\b.*?(?:\{(?P<so>.+)\}\s*else\s*\{(?P<not>.+)\})")
PICKED = later(r"(?:\w+(?:\.|::))*(?:Or|coalesce|firstNonNull|requireNonNullElse|firstNotNullOf|COALESCE)")
"""A function that gives the first of what it is handed that is something."""
FILLED = later(
    r"(?:.+(?:\.|::))?(?:unwrap_or(?:_else)?|or|orElse(?:Get)?|getOrDefault|getOrElse|GetValueOrDefault|fetch|get|ifEmpty|ifBlank)"
)
"""A method that gives the last of what it is handed where it has nothing itself."""
LAMBDA = later(r"(?:\(\)\s*->|\|\w*\||lambda:|->|\(\)\s*=>)\s*")
CONSTANT = later(r"[\"'`].*|-?\d.*|(?i:true|false)|null|nil|None|undefined", re.DOTALL)
"""What is asked may well be one of two constants: which of them says something."""
ASKS = later(r"!?(?P<of>.*\.)?(?:Is|[eE]quals?|DeepEqual|isEqual|deepEqual|eql\?|allclose|compare|same)")


def judged(check: Check) -> Check:
    """What the assertion demands if that is looked at."""
    most = is_its_own(check.subject, check.wanted) if check.grade > Grade.NOTHING else None
    return check if most is None or check.grade <= most else replace(check, grade=most, why=ITSELF)


def is_its_own(subject: str, wanted: str) -> Grade | None:
    """How much the comparison demands at most, if what is wanted may be what is looked at."""
    if max(len(subject), len(wanted)) > LONGEST:
        return None
    for one, other in _sides(subject, wanted):
        if one and one != other and one in other and not CONSTANT.fullmatch(one):
            found = list(_taken(other))
            if found[:1] == [(one, True)]:
                return Grade.NOTHING
            if any(text == one for text, _ in found):
                return Grade.EXISTS
    return None


def _sides(subject: str, wanted: str) -> Iterator[tuple[str, str]]:
    """What is held against what; two arguments of a function that compares them."""
    yield _bare(subject), _bare(wanted)
    yield _bare(wanted), _bare(subject)
    name, given = _called(_bare(subject))
    asks = ASKS.fullmatch(name)
    sides = [] if wanted else _arguments(subject)
    if asks is not None and wanted in ("", "true", "false"):
        sides = given if len(given) == 2 else [(asks["of"] or "").removesuffix("."), *given]
    if len(sides) == 2:
        yield sides[0], sides[1]
        yield sides[1], sides[0]


def _taken(text: str) -> Iterator[tuple[str, bool]]:
    """The values that an expression may be, each with whether it is taken wherever it is something."""
    parts = _split(text)
    if len(parts) > 1:
        yield from ((_bare(part), number == 0) for number, part in enumerate(parts))
        return
    name, given = _called(text)
    if PICKED.fullmatch(name) and len(given) > 1:
        yield from ((part, number == 0) for number, part in enumerate(given))
    elif FILLED.fullmatch(name) and given:
        yield name.rpartition(".")[0], True
        yield _bare(LAMBDA.sub("", given[-1], count=1)), False
    elif (chosen := CHOSEN.fullmatch(text)) is not None:
        yield from ((_bare(part), False) for part in chosen.groups() if part)
    elif (at := _outside(text, "?")) and (end := _outside(text[at:], ":")):
        yield _bare(text[at + 1 : at + end]), False
        yield _bare(text[at + end + 1 :]), False


def _split(text: str) -> list[str]:
    """What stands between operators that take the next value, outside of all parentheses."""
    parts, start = list[str](), 0
    for match in FIRST.finditer(text):
        if not _depth(text[: match.start()]):
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _called(text: str) -> tuple[str, list[str]]:
    """The name of the call that an expression is, with what it is called on, and the arguments."""
    if text[-1:] not in (")", "}"):
        return "", []
    end = text[-1]
    at = next((i for i in range(len(text) - 1, -1, -1) if text[i] in OPENING and not _depth(text[i:])), 0)
    name, inside = text[:at].strip(), text[at + 1 : -1]
    if not name or (end == "}" and not name.endswith(("ifEmpty", "ifBlank", "getOrElse", "fetch"))):
        return "", []
    return name, _arguments(inside)


def _arguments(text: str) -> list[str]:
    """What stands between commas outside of all parentheses."""
    given, start = list[str](), 0
    for number, letter in enumerate(text):
        if letter == "," and not _depth(text[:number]):
            given.append(_bare(text[start:number]))
            start = number + 1
    return [*given, _bare(text[start:])]


def _outside(text: str, sign: str) -> int:
    """Where a sign stands outside of all parentheses; 0 if nowhere."""
    return next((i for i, letter in enumerate(text) if letter == sign and not _depth(text[:i])), 0)


def _depth(text: str) -> int:
    return sum(map(text.count, OPENING)) - sum(map(text.count, CLOSING))


def _bare(text: str) -> str:
    text = text.strip()
    while text[:1] == "(" and text[-1:] == ")" and not any(_depth(text[:i]) == 0 for i in range(1, len(text))):
        text = text[1:-1].strip()
    return text
