"""What failed every test that left something behind, and only tells of it now (policy set v2, class G05).

A hook after each test threw where something was logged that nobody expected; it prints a summary now.

Rule: in a file beside tests, a hook that a runner calls around tests failed under a condition, be it by a function of
the file that it calls; in the head nothing in the file fails any more, and such a hook still tells under a condition,
on lines that the change brings. It blocks where that condition was about what went wrong (errors, warnings, leaks,
rejections); about anything else it is for a person. Where the change brings a hook that fails elsewhere, it moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.failures.telling import NOTE, TELLS, TEXT
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

HOOK = later(
    r"\b(?:afterEach|afterAll|after|onTestFinished|tear_?down|suiteTeardown)\(\s*(?:async\b\s*)?"
    r"(?:\(|function\b|\w+\s*=>|done\b)"
    r"|\bdef (?:tear_?[dD]own\w*|after_teardown|pytest_(?:runtest_teardown|runtest_logfinish|sessionfinish))\b"
    r"|(?:^|[\s.])(?:append_)?(?:after|around|teardown)\b[^\n]*(?:\bdo\b|\{)"
    r"|@(?:pytest\.)?fixture\b[^\n]*\bautouse\s*=\s*True"
    r"|@After(?:Each|All|Test|Method|Class)?\b|\[(?:TearDown|OneTimeTearDown|TestCleanup|ClassCleanup)\]"
    r"|\bvoid Dispose\(\)|\.Cleanup\(func\(\)"
)
WORTH = later(rb"(?i)\b(?:after|tear_?down|around|autouse|cleanup|dispose|pytest_|onTestFinished)")
FAILS = later(
    r"\b(?:throw|raise|panic|abort|flunk|reject)\b|\b(?:fail\w*|[Ff]atal\w*|refute\w*)[ (!]|\bassert\w*[ (.!]"
    r"|\bAssert\.|\bexpect\(|\.(?:should|must)\b|\b(?:t|tb)\.(?:Error|Fail)\w*\(|\bexit(?:Code|status)?!?\s*(?:\(|=(?!=)|1)|\brequire\.[A-Z]"
)
FAILED = later(rb"(?i)throw|raise|panic|abort|flunk|reject|fail|fatal|refute|assert|expect|should|error|exit|require")
"""On a line that is taken away."""
ASKS = later(r"\b(?:if|unless|when|for|forEach|each)\b|&&|\|\|")
WENT_WRONG = later(
    r"(?i)\b\w*(?:error|problem|warning|leak|unexpected|violation|failure|failed|rejection|unhandled|pending|complaint|offen[cs]e"
    r"|exception|uncaught|dangling|orphan)\w*"
)
CALL = later(r"\b(?P<name>[A-Za-z_]\w*[!?]?)\s*\(")
LONGEST = 60_000
HEADS = 3
"""So many lines below an annotation or a decorator may stand before what it is about."""


@record
class Hook:
    line: int
    head: str
    body: str
    """With the functions of the file that it calls."""


def guards(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _is_beside(file, change)]
    for file in files:
        if file.status != "M" or not any(FAILED.search(line) for hunk in file.hunks for line in hunk.removed):
            continue
        before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
        if max(len(before), len(after)) > LONGEST or not (is_in(WORTH, before) and is_in(WORTH, after)):
            continue
        if FAILS.search(_code(_text(after))):
            continue
        failing = [hook for hook in _hooks(before) if FAILS.search(hook.body) and ASKS.search(hook.body)]
        added = file.added_numbers
        telling = [hook for hook in _hooks(after) if _only_tells(hook, added)] if failing else []
        if telling and not any(_brings_one(other) for other in files):
            about = any(WENT_WRONG.search(line) for hook in failing for line in _asking(hook.body))
            detail = "what a hook failed on is only told now"
            rule = "test.weakened" if about else "test.somewhat-weaker"
            yield hit_at(rule, file.path, telling[0].line, detail, telling[0].head)


def _is_beside(file: FileChange, change: Change) -> bool:
    reader = reader_of(language(file, change))
    return file.status in "AMR" and not file.binary and reader is not None and is_beside_tests(file.path, reader)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _code(text: str) -> str:
    return NOTE.sub("", TEXT.sub("''", text))


def _hooks(data: bytes) -> Iterator[Hook]:
    """Each with its body, up to where the lines are no deeper than its head."""
    lines = _text(data).split("\n")
    own = {name: _code(body) for _, name, _, body in functions_of(data)}
    for number, line in enumerate(lines):
        if HOOK.search(line) is None:
            continue
        first = _first(lines, number)
        end = first + 1
        while end < len(lines) and (depth(lines[end]) > depth(lines[first]) or not lines[end].strip()):
            end += 1
        body = _code("\n".join(lines[first:end]))
        called = {match["name"] for match in CALL.finditer(body)} & own.keys()
        yield Hook(number + 1, line.strip(), "\n".join((body, *(own[name] for name in sorted(called)))))


def _first(lines: Sequence[str], number: int) -> int:
    """The head that a decorator or an annotation stands above."""
    marked = lines[number].lstrip().startswith(("@", "[")) and "(" not in lines[number].partition(")")[2]
    for below in range(number + 1, min(number + 1 + HEADS, len(lines))) if marked else ():
        if not lines[below].lstrip().startswith(("@", "[")):
            return below
    return number


def _only_tells(hook: Hook, added: frozenset[int]) -> bool:
    told = TELLS.search(hook.body) is not None and ASKS.search(hook.body) is not None
    return told and not added.isdisjoint(range(hook.line, hook.line + hook.body.count("\n") + 1))


def _asking(body: str) -> Iterator[str]:
    return (line for line in body.split("\n") if ASKS.search(line))


def _brings_one(file: FileChange) -> bool:
    """A hook that fails, among what the change adds; or one that a package brings."""
    text = _text(file.added_text)
    if re.search(r"fail-on-console|failOnConsole|goleak\.Verify", text):
        return True
    return HOOK.search(text) is not None and FAILS.search(_code(text)) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (guards,)
