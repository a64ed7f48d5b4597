"""What the product refuses now, and what a test asked of the answer that it gave before (policy set v2, class G05).

Rule: the test says that the call is refused, with a certain error, and the change brings a line of the product that
gives this error on a condition. Then nothing else can be asked of the answer, in however many ways it was. An error
that stands for work that is not done, or for any other, is no certain one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wanted.values import CONSTANT, PUT_OFF, is_refusal
from ralph.system.patterns import later

Products = Iterable[tuple[str, bytes, bytes]]
Refuses = Callable[[str], bool]

REFUSING = later(r"\b(?:raise|throw)\b")
REFUSING_IN_GO = later(r"\breturn\b")
CONDITION = later(r"\b(?:if|elif|elsif|else|unless|case|when|except|catch|rescue|match|switch|default|guard)\b|\?\?")
NEAR, LONG = 2, 3
"""So many lines before it may hold the condition, and so many hold the error."""
NAME = later(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*")
ANY = later(r"(?i)not_?implement|unsupported|assert|^(?:base_?|standard|runtime|system)?(?:exception|error|throwable)$")
OF_GO = frozenset({"ErrorIs", "ErrorAs", "EqualError", "ErrorContains"})
COMPARED_IN_GO = later(r"(?P<call>.+\)),(?P<error>(?:\w+\.)?[Ee]rr[A-Z]\w*)")
APART = later(r"(?P<name>[A-Za-z_][\w.]*), ?(?P<given>.+)")
"""A function and what it is to be given: `assertRaises(TypeError, get, None)`."""
GIVEN = later(r"\([^()]")
COMMENTS = ("#", "//", "/*", "* ", "--")
SHORTEST = 5
"""A shorter text may stand in a line by chance."""


def refused_calls(checks: Iterable[Check], refuses: Refuses) -> frozenset[str]:
    """The calls that the assertions of a test say are refused, as the product does now."""
    found = ((call, error) for check in checks for call, error in _refusal(check))
    return frozenset(call for call, error in found if GIVEN.search(call) and refuses(error))


def asks_of(check: Check, calls: Iterable[str]) -> bool:
    """It asks something of the answer of one of them."""
    subject = _plain(check.subject)
    return not is_refusal(check) and any(subject.startswith(call) for call in calls)


def _refusal(check: Check) -> Iterator[tuple[str, str]]:
    """The call and the error, where the assertion names one."""
    if check.grade < Grade.CLOSE or check.perhaps:
        return
    if not check.wanted and (compared := COMPARED_IN_GO.fullmatch(check.subject)) is not None:
        yield _plain(compared["call"]), compared["error"].rpartition(".")[2]
    elif (is_refusal(check) or check.relation in OF_GO) and (error := _error(check.wanted)):
        call = PUT_OFF.sub("", check.subject).strip("{} ;")
        apart = APART.fullmatch(call) if not call.endswith(")") else None
        yield _plain(f"{apart['name']}({apart['given']})" if apart else call), error


def _plain(call: str) -> str:
    return call.removeprefix("await ").replace(" ", "")


def _error(wanted: str) -> str:
    """Its name; where it has none, its text."""
    whole = {each.removesuffix(".class").removesuffix("::class") for each in NAME.findall(CONSTANT.sub(" ", wanted))}
    names = {re.split(r"\.|::", each)[-1] for each in whole}
    if len(names) == 1:
        return next((each for each in names if not ANY.search(each)), "")
    texts = [] if names else [each.strip("'\"") for each in CONSTANT.findall(wanted)]
    return texts[0] if len(texts) == 1 and len(texts[0]) >= SHORTEST else ""


def refusals(products: Products) -> tuple[str, ...]:
    """The new lines of the product that refuse something on a condition, each with those that end it."""
    return tuple(text for path, old, new in products for text in _refusing(path, old, new))


def _refusing(path: str, old: bytes, new: bytes) -> Iterator[str]:
    pattern = REFUSING_IN_GO if path.endswith(".go") else REFUSING
    text = new.decode("utf-8", "replace")
    if not pattern.search(text):
        return
    known = {line.strip() for line in old.decode("utf-8", "replace").split("\n")}
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith(COMMENTS)]
    for index, line in enumerate(lines):
        if line not in known and pattern.search(line) and _hangs_on(lines, index):
            yield "\n".join(lines[index : index + LONG])


def _hangs_on(lines: Sequence[str], index: int) -> bool:
    return any(map(CONDITION.search, lines[max(0, index - NEAR) : index + 1]))


def names(error: str, lines: Iterable[str]) -> bool:
    """One of the lines gives the error."""
    word = re.compile(rf"(?<!\w){re.escape(error)}(?!\w)")
    return any(word.search(line) for line in lines)
