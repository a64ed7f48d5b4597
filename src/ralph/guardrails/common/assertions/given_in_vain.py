"""Helpers of tests that no longer look at what they are given to compare with (class G05): all languages.

    function expectError(res, status, code) {             function expectProblem(res, status, code) {
      expect(res.body.error.code).toBe(code);               const { type } = res.body;
    }                                                       expect(res.body).toEqual({ type, status });
                                                          }

Rule (policy set v2), for a function beside tests: the base compared something with a parameter, and the head has the
parameter, and never uses it, or gives it another value before it does. It blocks where a test hands something in its
place. The function is the same by its name, or by the calls: those of one that is gone are calls of the new one now,
with the same arguments. A parameter that only told people something (a message, a label), one that is gone, and one of
a function that asserts nothing are none. A name for what is not used (`_code`) changes nothing of what tests hand it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.commas import between_commas
from ralph.guardrails.common.brackets import closed
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, language, reader_of
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.record import record
from ralph.system.patterns import later

RULE = "test.weakened"
LANGUAGES = frozenset(
    ("python", "javascript", "typescript", "tsx", "go", "rust", "ruby", "php", "java", "kotlin", "csharp")
)
TYPE_FIRST = frozenset(("java", "csharp", "php"))
ASSERTS = later(r"(?i)\bexpect|\bassert|should|\bverify|\bmust_|\brefute|\brequire\w*[.(]|\bt\.(?:error|fatal|fail)")
WORTH = later(rb"(?i)\bexpect|\bassert|should|\bverify|\bmust_|\brefute|\brequire|\bt\.(?:error|fatal|fail)")
TELLS = later(r"(?i)msg|message|label|name|title|what|why|hint|desc|context|reason|info")
"""What may only say something to people."""
HANDED_ON = later(r"(?:t|tb|self|cls|this|ctx|page|client)$")
PLAINLY = r"(?:===?|!==?)\s*\(?NAME\b|(?<![\w.])NAME\s*(?:===?|!==?)|\.(?:to\w*|eq\w*|be|is\w*|should\w*)\(\s*NAME\s*\)"
COMPARES = (
    r"(?:===?|!==?|\beq|\bis)\s*\(?NAME\b|(?<![\w.])NAME\s*(?:===?|!==?)|[(,\[:]\s*[&*$]?NAME\s*[,)\]}]"
    r"|\bNAME\s*[,}]|[\[{]\s*NAME\s*\}"
)
ALONE = r"(?<![\w.])(?<!->)(?<!::)"
"""Before a name that is no member's."""
SETS = later(rb"(?m)^[ \t]*\$?(\w+)[ \t]*=[^=>]")
WORD = later(rb"[A-Za-z_]\w*")
HEADS = later(
    rb"\b(?:def|func|function|fn|fun)\b(?![ \t]+[tT]est)[^\n(]*\(([^\n]*)"
    rb"|\b(?:const|let)[ \t]+\w+[^\n=]*=[ \t]*(?:async\b[ \t]*)?\(([^\n]*)|\w[ \t]+\w+\(([^()\n]*)\)[^\n;]*\{[ \t]*$"
    rb"|^[ \t]*(?:(?:public|private|protected|internal|static|async|final|override)[ \t]+)+[^\n(]*\(([^\n]*)",
    re.MULTILINE,
)
"""Functions, and what they are given as far as it stands on their line."""
DOCUMENTS = later(r"^\s*:?\s*(?:\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3})")
COMMENTS = {"python": later(r"\s*#"), "ruby": later(r"\s*#"), "php": later(r"\s*(?:#|//|\*)")}
COMMENT = later(r"\s*(?://|/?\*)")
MOST, MOST_TESTS, LONGEST = 40, 400, 2000


@record
class Helper:
    name: str
    line: int
    head: str
    given: tuple[str, ...]
    """The parameters; of an object that is taken apart, its members."""
    body: str


def given_in_vain(change: Change) -> Iterator[Hit]:
    olds: dict[str, list[Helper]] = {}
    for file in change.files:
        lost = _lost(file) if not file.binary else frozenset[bytes]()
        for each in _helpers(change.blobs.before(file.path), language(file, change), lost) if lost else ():
            if _may_help(file, change):
                olds.setdefault(each.name, []).append(each)
    if not olds:
        return
    for file in (each for each in change.files if not each.binary and _may_help(each, change)):
        spoken = language(file, change)
        for helper in _helpers(change.blobs.after(file.path), spoken, None):
            unused = [each for each in helper.given if not HANDED_ON.match(each) and not _is_used(each, helper.body)]
            if unused and spoken is not None:
                yield from _judged(file.path, helper, unused, olds, change, spoken)


def _lost(file: FileChange) -> frozenset[bytes]:
    """The words of what is gone, if an assertion is, and those that are given another value."""
    removed = b"\n".join(file.removed())
    gone = frozenset(WORD.findall(removed)) if is_in(WORTH, removed) else frozenset()
    return gone.union(SETS.findall(file.added_text)) if b"=" in file.added_text else gone


def _may_help(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    return spoken in LANGUAGES and is_beside_tests(file.path, reader_of(spoken))


def _judged(
    path: str, helper: Helper, unused: Sequence[str], olds: Mapping[str, list[Helper]], change: Change, spoken: str
) -> Iterator[Hit]:
    now = list(_calls(helper.name, change, spoken))
    for old in olds.get(helper.name) or _replaced(olds, now, change):
        for each in unused:
            at = helper.given.index(each)
            same = next((name for name in old.given if name == each.lstrip("_")), "")
            was = same or (old.given[at] if len(old.given) == len(helper.given) else "")
            if not was or not _compared(was, old.body):
                continue
            if any(len(call) > at or any(each in part for part in call) for call in now):
                detail = f"{helper.name} is given {each}, and no longer compares anything with it"
                yield hit_at(RULE, path, helper.line, detail, helper.head, key=f"{helper.name} {each}")
                return


def _replaced(olds: Mapping[str, list[Helper]], now: Sequence[Sequence[str]], change: Change) -> Iterator[Helper]:
    """The functions that are gone, and were called with what the new one is called with."""
    given = {tuple(call) for call in now}
    after = b"\n".join(change.blobs.after(file.path) or b"" for file in change.files[:MOST])
    before = "\n".join(
        (change.blobs.before(file.path) or b"").decode("utf-8", "replace") for file in change.files[:MOST]
    )
    for name, helpers in olds.items():
        gone = re.search(rf"\b{re.escape(name)}\b".encode(), after) is None
        if gone and any(tuple(call) in given for call in _called(name, before)):
            yield from helpers


def _calls(name: str, change: Change, spoken: str) -> Iterator[Sequence[str]]:
    """What tests hand it: those of the change, and if there are none those of the tree."""
    seen = False
    for file in change.files:
        if not file.binary and language(file, change) is not None and TEST_PLACE.search(file.path):
            for call in _called(name, (change.blobs.after(file.path) or b"").decode("utf-8", "replace")):
                seen = True
                yield call
    if not seen:
        paths = (path for path in change.blobs.paths_after() if TEST_PLACE.search(path))
        alike = (path for path in paths if language_of(path) == spoken)
        for path in nearest(alike, change, MOST_TESTS):
            yield from _called(name, (change.blobs.after(path) or b"").decode("utf-8", "replace"))


def _called(name: str, text: str) -> Iterator[Sequence[str]]:
    if name not in text:
        return
    for match in re.finditer(rf"(?<![\w$]){re.escape(name)}(?:<[^>\n]*>)?\(", text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        end = closed(text, match.end() - 1, LONGEST)
        if end is not None and not re.search(r"\b(?:def|func|function|fn|fun|void)\s+(?:\([^()]*\)\s*)?$", line):
            yield [each for each in between_commas(text[match.end() : end - 1], STRING) if each]


def _helpers(data: bytes | None, spoken: str | None, about: frozenset[bytes] | None) -> Iterator[Helper]:
    """The functions with parameters that assert something; only those that are given one of some names."""
    if data is None or spoken is None or not is_in(WORTH, data):
        return
    if about is not None and not _are_given(data, about):
        return
    for number, name, head, below in functions_of(data):
        text = f"{head}\n{below}"
        begin = text.find("(", text.find(name) + len(name))
        end = closed(text, begin, LONGEST) if begin >= 0 and ASSERTS.search(text) else None
        if end is None or name.lower().startswith("test"):
            continue
        body = _without_comments(DOCUMENTS.sub("", text[end:], 1) if spoken == "python" else text[end:], spoken)
        given = tuple(_given(text[begin + 1 : end - 1], spoken))
        known = about is None or any(each.encode() in about for each in given)
        if given and known and ASSERTS.search(body):
            yield Helper(name, number + 1, head.strip(), given, body)


def _are_given(data: bytes, about: frozenset[bytes]) -> bool:
    for parts in HEADS.findall(data):
        listed = b" ".join(parts)
        if not listed.strip() or not about.isdisjoint(WORD.findall(listed)):
            return True
    return False


def _given(text: str, spoken: str) -> Iterator[str]:
    for part in between_commas(text, STRING):
        if part.startswith(("{", "[", "(")):
            inner = part[1 : part.rfind("}")] if part.startswith("{") else ""
            yield from (match[1] for each in inner.split(",") if (match := re.match(r"\s*(\w+)\s*(?:=|$)", each)))
            continue
        plain = re.split(r"(?<![=<>])=(?!=)", part)[0]
        words = re.findall(r"\w+", plain if spoken in TYPE_FIRST else plain.partition(":")[0])
        if words:
            first = next((word for word in words if word not in ("mut", "final", "vararg", "ref")), words[0])
            yield words[-1] if spoken in TYPE_FIRST else first


def _without_comments(body: str, spoken: str) -> str:
    comment = COMMENTS.get(spoken, COMMENT)
    return "\n".join(line for line in body.split("\n") if not comment.match(line))


def _is_used(name: str, body: str) -> bool:
    """Read, before anything else is put in its place."""
    used = re.search(rf"{ALONE}{re.escape(name)}(?!\w)(?P<set>\s*=(?![=>]))?", body)
    if used is None:
        return "arguments" in body or "super" in body
    again = re.compile(rf"{ALONE}{re.escape(name)}(?!\w)").search(body, used.end())
    end = body.find("\n", used.end())
    return used["set"] is None or (again is not None and again.start() < (end if end >= 0 else len(body)))


def _compared(name: str, body: str) -> bool:
    """It stands in an assertion, or in what one compares with, and not in a text for people."""
    form = re.compile((PLAINLY if TELLS.search(name) else COMPARES).replace("NAME", re.escape(name)))
    return any(form.search(line) for line in body.split("\n"))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (given_in_vain,)
