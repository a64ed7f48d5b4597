"""Assertions that say the same in other words, of Go above all (policy set v2, class G05).

Rules:

- `if !strings.Contains(s, "a") { t.Fatal() }` and `assert.Contains(t, s, "a")` are one question, as are `err == nil`
  and `NoError`, `err.Error() == "a"` and `EqualError`, `errors.Is` and `ErrorIs`, `reflect.DeepEqual(a, b)` and
  `Equal`, and `s == ""` and `len(s) == 0`. One answers for the other where it is reached as often.
- `expect(s).toMatch("a")` or `/a/`, where the pattern is plain text, `toContain("a")` and `s.includes("a")` are one.
- In C#, `paid.Value` and `paid!` are asked what `paid` was, `await f.PayAsync()` is asked what `f.Pay()` was, and
  `Should.Throw<E>(f)` gives the exception that `Assert.Throws<E>(f)` does. What may be farther off is another question.
- A page that waits for a condition (`page.waitForFunction(() => n === 1)`) and what it is asked at once
  (`page.evaluate(() => n)` is 1) are one: the former fails where the condition never holds.
- That a text holds another one is not missed where the test now wants it to hold a longer one with that in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ralph.guardrails.inventory.equivalents import spelled_jvm, spelled_ruby
from ralph.guardrails.inventory.failures.unawaited import is_unawaited
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wanted.coarser import wider
from ralph.system.patterns import later

WRITTEN = r"(?:\"(?:[^\"\\]|\\.)*\"|`[^`]*`)"
HOLDS = later(rf"(?:strings|bytes)\.Contains\((?P<of>.+?),(?P<part>{WRITTEN}(?:\+{WRITTEN})*|[^,\"`]+)\)")
MESSAGE = ".Error()"
LENGTH = later(r"len\((?P<of>(?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)")
NONE = {"NoError": "==", "Nil": "==", "Error": "!=", "NotNil": "!="}
TEXT = later(r"\"(?P<plain>[^\"\\]*)\"|`(?P<raw>[^`]*)`|'(?P<single>[^'\\]*)'")
PART = frozenset({"Contains", "in"})
INCLUDES = later(r"(?P<of>.+)\.includes\((?P<part>'[^'\\]*')\)")
PLAIN_PATTERN = later(r"'[^'\\*+?|^$\[\]{}]+'")
"""A pattern in which nothing stands for anything but itself, brackets and points apart."""
PLAIN_REGEX = later(r"/ ((?:[^\\.*+?|^$()\[\]{}/']|\\[.*+?|^$()\[\]{}/-])+) /")
THROWN = later(
    r"(?:\(\w+\))?(?:typeof\((?P<kind>\w+)\)\.ShouldBeThrownBy"
    r"|(?:Assert\.Throws(?:Any|Exactly|Exception)?|Should\.Throw)(?:Async)?<(?P<of>[\w.]+)>)\("
)
ASYNC = later(r"\bawait |\basync ?|(?<=\w)Async(?=[(<])")
FORGIVEN = later(r"\.Value\b(?!\()|(?<=[\w)\]])!(?=[.\[)]|$)")
BRACKETS = later(r"[(){};]")
AWAITED = later(r"(?P<on>.+)\.waitForFunction\((?P<head>(?:async )?\(\) => )(?P<of>[^=]+?) ===? (?P<wanted>[^=&|]+)\)")
RETURNED = later(r"=> \{ return (?P<said>[^{};]+?);? \}")
ESCAPED = later(r"\\(.)")


def same_question(new: Check, old: Check) -> bool:
    """In other words, and under no more conditions."""
    if spelled_jvm.equals_itself(new, old):
        return True
    if is_unawaited(new, old):
        return False
    if new.key == old.key or (new.why and new.grade < old.grade) or not new.grade:
        return False
    asked = _question(old)
    if asked is not None and asked == _question(new):
        return True
    if wider(old, new) or (new.slack is not None and old.slack is None):
        return False
    if _waited_for(new) == _waited_for(old):
        return True
    return spelled_jvm.same_question(new, old) or spelled_ruby.same_question(new, old)


def ways(check: Check) -> Iterator[Hashable]:
    """All that it may be known by: two assertions without one in common are no `same_question`."""
    yield _waited_for(check)
    if (question := _question(check)) is not None:
        yield question
    yield from spelled_jvm.ways(check)
    yield from spelled_ruby.ways(check)


def holds_text(check: Check) -> bool:
    """It asks whether one text holds another, which it names."""
    return _held(check) is not None


def holds_more(new: Check, old: Check) -> bool:
    """What is to hold the one text is to hold a longer one now, of which that is a part."""
    one, other = _held(old), _held(new)
    if one is None or other is None or one[0] != other[0] or (new.why and new.grade < old.grade):
        return False
    return one[1] != other[1] and one[1] in other[1]


def _waited_for(check: Check) -> tuple[str, str, str]:
    """Whether it is waited for or not."""
    subject = ASYNC.sub("", THROWN.sub(lambda match: f"Throws<{match['kind'] or match['of']}>(", check.subject))
    if subject.startswith("Throws<"):
        subject = subject.replace(")?.", ").")  # what was not thrown has no message that would do
    return BRACKETS.sub("", FORGIVEN.sub("", subject)), check.relation, check.wanted


def _held(check: Check) -> tuple[str, str] | None:
    question = _question(check)
    if not isinstance(question, tuple) or question[1] != "Contains":
        return None
    text = TEXT.fullmatch(question[2])
    told = next((each for each in text.groups() if each is not None), "") if text is not None else ""
    return (question[0], told) if told else None


def _question(check: Check) -> tuple[str, str, str] | frozenset[Hashable] | None:
    if check.relation == "==" and check.wanted in ("true", "false") and (match := HOLDS.fullmatch(check.subject)):
        return match["of"].strip(), "Contains" if check.wanted == "true" else "NotContains", match["part"].strip()
    if check.relation in PART:
        return check.subject, "Contains", check.wanted
    if check.relation in ("part", "not part") and (match := INCLUDES.fullmatch(check.subject)) and not check.wanted:
        return match["of"], "Contains" if check.relation == "part" else "NotContains", match["part"]
    if check.relation == "matches" and PLAIN_PATTERN.fullmatch(check.wanted):
        return check.subject, "Contains", check.wanted
    if check.relation == "matches" and (match := PLAIN_REGEX.fullmatch(check.wanted)):
        plain = ESCAPED.sub(r"\1", match[1])
        return check.subject, "Contains", f"'{plain}'"
    if check.relation in ("NotContains", "not in"):
        return check.subject, "NotContains", check.wanted
    if check.relation == "ErrorContains":
        return f"{check.subject}{MESSAGE}", "Contains", check.wanted
    if check.relation in NONE and not check.wanted:
        return check.subject, NONE[check.relation], "nil"
    if check.relation == "ErrorIs":
        return frozenset({"==", f"{check.subject},{check.wanted}"})
    if check.relation == "EqualError":
        return frozenset({"==", f"{check.subject}{MESSAGE},{check.wanted}"})
    if check.relation in ("exists", "true") and (
        match := AWAITED.fullmatch(RETURNED.sub(r"=> \g<said>", check.subject))
    ):
        return frozenset({"==", f"{match['on']}.evaluate({match['head']}{match['of']}),{match['wanted']}"})
    return _equal(check)


def _equal(check: Check) -> tuple[str, str, str] | frozenset[Hashable] | None:
    if check.relation in ("==", "!=") and check.wanted == "nil":
        return check.subject, check.relation, "nil"
    if check.relation in ("==", "!=") and check.wanted == "0" and (measured := LENGTH.fullmatch(check.subject)):
        return _empty(measured["of"], check.relation)
    if check.relation in ("==", "!=") and check.wanted == '""':
        return _empty(check.subject, check.relation)
    if check.relation != "==" or check.grade is not Grade.EXACT:
        return None
    subject = RETURNED.sub(r"=> \g<said>", check.subject) if ".evaluate(" in check.subject else check.subject
    return frozenset({"==", subject if not check.wanted else f"{subject},{check.wanted}"})


def _empty(subject: str, relation: str) -> tuple[str, str, str] | frozenset[Hashable]:
    return frozenset({"==", f'{subject},""'}) if relation == "==" else (subject, relation, '""')
