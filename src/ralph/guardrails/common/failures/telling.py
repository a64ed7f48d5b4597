"""Helpers of tests that compare, and only tell what they found (policy set v2, class G05): all languages.

Rule: a new or edited function beside tests asks a condition and logs or prints, and nothing in it can fail, hand on
what it found, or change anything that others see. It blocks where a test calls it, without asking for its answer, in a
hunk that takes away more assertions than it brings; or where the function of that name failed before. One that says by
its name that it checks, and that a test comes to call, is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.inventory.truth import HELPER
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in, is_in_part
from ralph.record import record
from ralph.system.patterns import later

TEXT = later(r"\"\"\".*?\"\"\"|'''.*?'''|[@$]*\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`", re.DOTALL)
NOTE = later(r"(?m)(?<!:)//[^\n]*|/\*.*?\*/|(?:^|(?<=\s))#(?![\[{])[^\n]*", re.DOTALL)
_LOGS = (
    r"(?:(?:\w+(?:\.|::))*(?i:_?log(?:ger|ging)?|slog|console|warnings|tracing|_?(?:test_?)?output\w*|std(?:out|err)|trace)"
    r"|System\.(?:out|err)|sys\.std(?:out|err)|\$std(?:out|err)|Debug)(?:\.|::)(?!assert)\w+!?"
)
TELLS = later(
    rf"(?<![\w.])(?:{_LOGS}|(?:\w+\.)*\b(?:t|tb|b|c|s)\.Logf?|fmt\.(?:Fp|P)rint\w*|e?print\w*!?|dbg!|(?:warn|info|debug|error|trace)!"
    r"|puts|\bpp?\b|warn|logf?)(?=[( ])"
)
FAILS = later(
    r"\b(?:throw|raise|panic\w*|fail\w*|[Ff]atal\w*|abort|exit|reject|bail|flunk|unreachable|todo|unwrap|expect\w*|assert\w*"
    r"|Assert|refute\w*|[rR]equire\w*|must\w*|[sS]hould\w*|verify\w*|ensure\w*|check\w*|error|Error[f(]|FailNow|Errorf)\b(?!\s*[:=]=?[^=])"
    r"|\?\s*;|!!|\b(?:self|this)\.\w+\s*\("
)
CHANGES = later(
    r"\.(?:push|add|append|put|set|write|send|insert|Add|record|emit)\w*\(|<<|\+=|\+\+|@\w+\s*=|\b(?:global|nonlocal|yield|defer)\b"
    r"|[\w\])]\.\w+\s*=(?!=)|\]\s*=(?!=)|[(,]\s*&?(?:t|tb|self|this)\s*[,)]"
)
"""What others may see afterwards, and whatever is handed the test itself."""
GIVES = later(
    r"\breturn\b[ \t]*(?!(?:true|false|True|False|nil|null|None|undefined|\(\))?\s*(?:;|\}|$|\bif\b|\bunless\b))",
    re.MULTILINE,
)
CALL = later(
    r"(?m)^\s*(?:await\s+)?(?!(?:if|for|while|switch|unless|elif|when|match|catch|func|return|else)\b)[\w.:@]+[!?]?\("
)
OF_TESTING = later(r"(?m)^\s*\w+\.(?:Helper|track_caller)\(\)")
ASKS = later(r"\b(?:if|unless|when|match|switch|case)\b")
COMPARES = later(r"[!=]==?|(?i:equal|\beq\b|contains|starts_?with|includes?\b|compare|diff|match)|[<>]=?\s*\w|!\w")
ASSERTS = later(
    r"\b(?:t|tb|b)\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|refute)\w*!?[ (.]|\bAssert\.|\b(?:require|assert)\.[A-Z]"
    r"|\bexpect\b|\.[sS]hould\b|\.Should\(|\bmust_\w+|\b(?:check|verify|ensure|fail)\w*\("
)
WORTH = later(rb"(?i)log|print|warn|puts|\bpp?[ (]|write|console|trace|debug|info|error")
SECTION = later(rb"#\[(?:cfg\(test\)|test|tokio::test)")
BY_ITSELF = later(
    r"\s*(?:await\s+|self\.|this\.|\w+\.|Self::|if .*|for .*)?|.*\b(?:def|func|fn|fun|function|void)\b.*"
    r"|.*(?:=>|\{|->|\|)\s*"
)
"""What stands before a call that is a statement, or before the head of a function."""
LONGEST = 300_000
MOST_LINES = 40
"""A longer function does more than to compare."""


@record
class Teller:
    path: str
    name: str
    line: int
    head: str
    failed: bool
    """The function of that name could fail before, and gives no answer now."""


def telling(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _is_test(file, change)]
    worth = [file for file in files if is_in(WORTH, file.added_text)]
    for teller in [each for file in worth for each in _tellers(file, change)]:
        calls = [(file, *each) for file in files for each in _calls(file, teller.name)]
        loose = all(_dropped(file, change, teller.name) for file, _, _ in calls)
        replaces = any(gone for _, _, gone in calls)
        if not loose:
            continue
        if replaces or teller.failed:
            yield _hit("test.weakened", teller)
        elif calls and HELPER.match(teller.name):
            yield _hit("test.somewhat-weaker", teller)


def _hit(rule: str, teller: Teller) -> Hit:
    detail = f"{teller.name} tells of a difference, and cannot fail"
    return hit_at(rule, teller.path, teller.line, detail, teller.head)


def _is_test(file: FileChange, change: Change) -> bool:
    reader = reader_of(language(file, change))
    if file.status not in "AM" or file.binary or reader is None:
        return False
    if is_beside_tests(file.path, reader):
        return True
    return file.path.endswith(".rs") and SECTION.search(change.blobs.after(file.path) or b"") is not None


def _tellers(file: FileChange, change: Change) -> Iterator[Teller]:
    before, after = ((side(file.path) or b"")[:LONGEST] for side in (change.blobs.before, change.blobs.after))
    old = {name: body for _, name, _, body in functions_of(before)}
    added = file.added_numbers
    for number, name, head, body in functions_of(after):
        last = number + 1 + body.count("\n") + 1
        if added.isdisjoint(range(number + 1, last + 1)) or body.count("\n") > MOST_LINES or not _only_tells(body):
            continue
        if name not in old or not _only_tells(old[name]):
            failed = name in old and FAILS.search(_without_tells(_code(old[name]))) is not None
            silent = re.search(r"\breturn\b[ \t]*\w", body) is None
            yield Teller(file.path, name, number + 1, head.strip(), failed and silent)


def _only_tells(body: str) -> bool:
    if not _asks(body) or not is_in_part(TELLS, body):
        return False
    code = _code(body)
    if not TELLS.search(code) or not _asks(code) or not COMPARES.search(code):
        return False
    rest = OF_TESTING.sub("", _without_tells(code))
    return not any(form.search(rest) for form in (FAILS, CHANGES, GIVES, CALL))


def _asks(code: str) -> bool:
    return "||" in code or "&&" in code or is_in_part(ASKS, code)


def _code(text: str) -> str:
    return NOTE.sub("", TEXT.sub("''", text))


def _without_tells(code: str) -> str:
    """Without what is told, up to the end of what the call is handed."""
    parts, at = list[str](), 0
    for match in TELLS.finditer(code):
        if match.start() < at:
            continue
        parts.append(code[at : match.start()])
        at = _end(code, match.end())
    return "".join((*parts, code[at:]))


def _end(code: str, start: int) -> int:
    deep = 0
    for number in range(start, len(code)):
        deep += (code[number] in "([{") - (code[number] in ")]}")
        if (not deep and code[number] == ")") or (deep <= 0 and code[number] == "\n") or deep < 0:
            return number + (code[number] == ")" and not deep)
    return len(code)


def _calls(file: FileChange, name: str) -> Iterator[tuple[int, bool]]:
    """The lines that come to call it, each with whether assertions went for it."""
    called = re.compile(rf"(?<![\w])(?<!def )(?<!func )(?<!fn )(?<!fun ){re.escape(name)}[!?]?[ (]")
    for hunk in file.hunks:
        removed, added = (
            [_code(line.decode("utf-8", "replace")) for line in side] for side in (hunk.removed, hunk.added)
        )
        calls = [number for number, line in enumerate(added) if called.search(line) and line[:1].isspace()]
        asked = sum(ASSERTS.search(called.sub("", line)) is not None for line in added)
        gone = sum(ASSERTS.search(called.sub("", line)) is not None for line in removed)
        for number in calls:
            yield hunk.new_start + number, gone > asked


def _dropped(file: FileChange, change: Change, name: str) -> bool:
    """Nothing asks for the answer of any call in the file."""
    code = _code((change.blobs.after(file.path) or b"").decode("utf-8", "replace"))
    found = re.findall(rf"(?m)^(.*?)(?<![\w.]){re.escape(name)}[!?]?[ (]", code)
    return all(map(BY_ITSELF.fullmatch, found))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (telling,)
