"""What a test asked the product, and now does itself (policy set v2, classes G05 and G06).

Rules, for an assertion of the base that wants in the head what it wanted before:

- What has to raise does so by its own words: `assertThrows(Refused.class, () -> { throw new Refused(); })`. An
  `AssertionError` behind what was asked says that it must not be reached, and is no other exception.
- Of all that it called nothing is called any more, but functions that the test file has newly defined, and what the
  language has for everybody: `total(&items)` with a new `fn total` beside the test, `int.Parse("x")`. A new function
  that asks what was asked before hands the question on, and is none.
- Of the modules of the project that it imported it uses none any more, and asserts what it did (JavaScript, where the
  imports that a test uses are a part of it).
- The name is the same, and the test file has a new function of that name (Java, Kotlin, C#): that one is called. The
  other languages tell it by `Facts.own`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.model import Change
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

RAISES = later(r"(?i)raises?\w*|assert_raises|throws?\w*|panics?")
DOES = later(r"(?<![\w.\"'])(?:throw|raise|panic!|bail!)(?=[\s(])(?!\s*;)")
CALL = later(r"(?P<dot>\.|::|->)?\s*(?<![\w])(?P<name>[A-Za-z_]\w*[?!]?)(?:<[\w<>, ]*>)?(?P<open>\s*[({])?")
NEVER = later(r"\b(?:raise|throw new) AssertionError\b")
"""What must not be reached says so."""
FAILURES = later(r"\b(?:AssertionError|BaseException|Exception|Throwable|Error|object)\b|^\s*$")
"""Exceptions of which that may be one."""
DEFINED = later(
    r"^(?P<indent>\s*)(?:[\w@<>\[\],?]+\s+)*?(?:def|func|function|fn|fun)\s+(?:\([^()]*\)\s*)?(?:self\.|[A-Z][\w<>?]*\.)?(?P<plain>\w+[?!]?)"
    r"|^(?P<member>\s*)(?!.*\b(?:record|class|struct|new)\s+\w+\s*\()(?:(?:public|private|protected|internal|static|final|async)\s+)+[\w<>\[\],.?]+\s+(?P<name>\w+)\s*\("
)
IMPORTED = later(
    r"(?m)^import (?P<type>type )?(?:[^\s\"']+ as )?(?P<name>[^\s\"']+) from [\"'](?P<module>[^\"'\n]+)[\"']$"
)
"""As `Test.written` has them."""
NAME = later(r"[A-Za-z_$][\w$]*")
QUOTED = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
TEMPLATE = later(r"`[^`\n]*`")
INSERTED = later(r"\$\{([^{}]*)\}")
LOCAL = later(r"\.{1,2}/")
LOADS = later(r"\b(?:require|import|requireActual|importActual)\s*\(")
HEAD = later(r"^[^\n]*?(?:\{|=>|\)\s*(?::\s*[^=\n{]+)?=(?!>)|\n|$)")
HELD = later(r"[a-z_]\w*(?=\.)")
TYPED = (".java", ".kt", ".cs")
EVERYBODY = frozenset(
    names(
        "new of List Set Map Arrays asList listOf setOf mapOf arrayOf vec some Ok Some Err iter into_iter map mapToInt"
        " mapToObj collect sum split join length size len count get unwrap expect to_string toString to_s to_i to_f"
        " to_a toInt toLong toDouble toList Integer Float String int long double string Int32 Decimal parse Parse"
        " Select Where ToArray ToList Sum stream boxed chars strip trim Trim lines upcase downcase lower upper"
        " ToLower ToUpper abs max min round sqrt Math format Format concat first last reverse sorted sort sort_by"
        " filter fold reduce inject each each_with_object flat_map chunk zip range step times Value"
        " valueOf parseInt parseDouble"
        " as_str clone to_vec into from getMessage message Message lambda proc it i x n each value require check error"
        " await async runBlocking runTest u8 u16 u32 u64 i32 i64 f64 usize mut let return"
    )
)
"""What languages have for everybody."""
LONGEST = 300_000


@record
class Own:
    """A function that the test file defines: its text."""

    name: str
    text: str


def asked_itself(pair: Pair, change: Change) -> Check | None:
    """The assertion of which the test gives the answer itself."""
    old, new = pair.old.facts().checks, pair.new.facts().checks
    were, are = {_said(each) for each in old}, {_said(each) for each in new}
    raised = [each for each in old if RAISES.fullmatch(each.relation)]
    fresh = [each for each in new if each.grade and _said(each) not in were]
    if raised and not any(DOES.search(each.subject) for each in raised):
        for check in fresh:
            if RAISES.fullmatch(check.relation) and DOES.search(check.subject) and not _is_never(check, raised):
                return check
    asked = [each for each in old if _said(each) not in are and each.grade >= Grade.CLOSE]
    partners = [(was, now) for now in fresh for was in asked if _wants_the_same(was, now)]
    typed = pair.new.path.endswith(TYPED)
    if not partners and not typed:
        return None
    functions = _functions(change.blobs.after(pair.new.path))
    had = {each.name for each in _functions(change.blobs.before(pair.old.path))}
    ours: dict[str, list[Own]] = {}
    for each in functions:
        if each.name not in had:
            ours.setdefault(each.name, []).append(each)
    for was, now in partners:
        if _left(was.subject, now.subject, ours, had):
            return now
    for check in new if typed and ours else ():
        named = {name for name, qualified in _called(check.subject) if not qualified} & set(ours)
        if _said(check) in were and any(
            not _asks(each.text, {name}, check.subject) for name in named for each in ours[name]
        ):
            return check
    return None


def uses_no_product(pair: Pair) -> Check | None:
    """The first assertion of the base that now asks the test's own things."""
    if "import " not in pair.old.lines:
        return None
    types = _types(pair.old.lines) | _types(pair.new.lines)
    used, uses = _modules(pair.old.lines, types), _modules(pair.new.lines, types)
    if not used or not any(LOCAL.match(module) for module in used):
        return None
    if any(LOCAL.match(module) for module in uses) or uses - used or LOADS.search(pair.new.lines):
        return None
    kept = {each.key for each in pair.old.facts().checks if each.grade}
    return next((each for each in pair.new.facts().checks if each.key in kept and each.grade), None)


def _types(text: str) -> frozenset[str]:
    """What is imported as a type asks nothing, also where the other side does not say that it is one."""
    return frozenset(match["name"] for match in IMPORTED.finditer(text) if match["type"])


def _modules(text: str, types: AbstractSet[str]) -> frozenset[str]:
    """Those whose imports, but for types, are named outside of texts."""
    found = ((match["name"], match["module"]) for match in IMPORTED.finditer(text))
    imports = [(name, module) for name, module in found if name not in types]
    said = frozenset(NAME.findall(QUOTED.sub("''", IMPORTED.sub("", text))))
    return frozenset(module for name, module in imports if name in said)


def _is_never(check: Check, raised: Sequence[Check]) -> bool:
    """All that is raised in what has to raise something else is that it did not, behind what was asked before."""
    never = NEVER.search(check.subject)
    if never is None or FAILURES.search(check.wanted) or len(DOES.findall(check.subject)) > 1:
        return False
    asked = check.subject[: never.start()].rstrip(" \n;{")
    return "(" in asked and any(was.wanted == check.wanted and was.subject.startswith(asked) for was in raised)


def _said(check: Check) -> tuple[str, str, str]:
    return check.subject, check.relation, check.wanted


def _wants_the_same(was: Check, now: Check) -> bool:
    return bool(was.wanted) and (was.relation, was.wanted) == (now.relation, now.wanted)


def _left(was: str, now: str, ours: Mapping[str, Sequence[Own]], had: AbstractSet[str]) -> bool:
    """Nothing that was asked is asked, and what is asked is the test's own, or there for everybody."""
    held = HELD.match(was)
    own = "|".join(map(re.escape, ours)) or r"\Z."
    if held is not None and re.search(rf"(?<![\w.]){held[0]}(?![\w(]|\.(?:{own})\()", now):
        return False  # the very thing is asked in another way, and not by a function of the test's own
    alike = posixpath.commonprefix([was, now]).rpartition(".")[0]
    was, now = was.removeprefix(alike), now.removeprefix(alike)
    before = {name for name, _ in _called(was)} - had
    called = frozenset(_called(now))
    mine = {name for name, qualified in called if name in ours and (not qualified or name not in before)}
    rest = {name for name, _ in called} - mine - had
    asked = before - EVERYBODY or before - rest
    if not asked or asked & rest or not rest <= EVERYBODY or not (mine or rest):
        return False
    if not mine and (alike or before & rest or _root(now)):
        return False  # something that the test has made may be what was asked
    return not any(_asks(each.text, asked, was) for name in mine for each in ours[name])


def _asks(text: str, asked: AbstractSet[str], subject: str) -> bool:
    """A function asks for one of the names as the assertion did, or names the object that was asked, or its type."""
    inner = HEAD.sub("", text, count=1)
    qualified = {name for name, is_member in _called(subject) if is_member}
    for name in asked:
        before = r"(?P<owner>\w*)[?!]*(?:\.|::|->)\s*" if name in qualified else r"(?:(?<![\w.])|\b[A-Z]\w*\.)"
        for match in re.finditer(rf"{before}{re.escape(name)}(?![\w?])", inner):
            if name not in EVERYBODY or name not in qualified or match["owner"] not in EVERYBODY | {""}:
                return True
    root = _root(subject)
    return bool(root) and re.search(rf"(?<![\w.]){re.escape(root)}(?!\w)", inner) is not None


def _root(subject: str) -> str:
    """The object or type of which something is asked."""
    match = re.match(r"(?:new\s*|\(\)\s*(?:=>|->)\s*|\{\s*|&)*(?P<root>[@$]?[A-Za-z_]\w*)\s*(?:\.|::|->|\()", subject)
    return match["root"] if match is not None and match["root"] not in EVERYBODY else ""


def _called(text: str) -> Iterator[tuple[str, bool]]:
    """Names that are called or asked for, and whether they are a member's."""
    for match in CALL.finditer(TEMPLATE.sub(_inserted, re.sub(r"\"[^\"]*\"|'[^']*'", "''", text))):
        if match["dot"] or match["open"]:
            yield match["name"], bool(match["dot"])


def _inserted(template: re.Match[str]) -> str:
    """What a template says is text, but for what is put into it."""
    return f"'' {' '.join(INSERTED.findall(template[0]))} "


@cache
def _functions(data: bytes | None) -> Sequence[Own]:
    if data is None or len(data) > LONGEST:
        return ()
    lines, found = data.decode("utf-8", "replace").split("\n"), []
    for number, line in enumerate(lines):
        match = DEFINED.match(line) if "(" in line else None
        if match is None:
            continue
        end = number + 1
        while end < len(lines) and (not lines[end].strip() or depth(lines[end]) > depth(line)):
            end += 1
        found.append(Own(match["plain"] or match["name"], "\n".join(lines[number:end])))
    return found
