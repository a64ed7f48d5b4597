"""How a test treats what it tests: whether it tests it at all, how often it may fail, how long it may take, and where.

Rules (policy set v2, classes G06 and G14):

- A test of the base whose subject is now faked, or replaced by a function of the test's own file, tests nothing: it
  blocks. A new test that asserts on what it fakes itself is for a person.
- A test of the base that is run again more often when it fails blocks; a new one is for a person.
- A test of the base that is now only defined under a condition is skipped where that does not hold.
- A time limit that is raised fourfold or more blocks; one that is raised less, or gone, is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.match import Matching, Pair
from ralph.guardrails.inventory.model import Test
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import FileChange, Hit
from ralph.system.patterns import later

CALLED = later(r"\w+(?=\()")
MUCH_LONGER = 4.0
REPLACING = ("mock", "patch", "stub", "fake", "spy", "double", "setattr", "lambda", "receive", "allow")
ELSEWHERE = frozenset({"javascript", "typescript", "tsx", "vue"})
AGAIN = ("retr", "flaky", "rerun", "attempt")
ARROW = later(r"[=:]\s*(?:async\s*)?(?:\([^()\n]*\)|\w+)[^\n=(){};]{0,40}=>")


def may_replace(file: FileChange) -> bool:
    """A new file may hold a test that replaces something, or is run again."""
    return file.binary or any(_says_so(file.path, b"\n".join(hunk.added).decode("latin-1")) for hunk in file.hunks)


def _says_so(path: str, text: str) -> bool:
    """Without such a word, or an arrow function that is given to something, a new test does neither. Of JavaScript
    others tell (`javascript.doubles.mocks`, `javascript.failures.retries`)."""
    if language_of(path) in ELSEWHERE:
        return False
    lower = text.lower()
    return any(word in lower for word in (*REPLACING, *AGAIN)) or ("=>" in text and ARROW.search(text) is not None)


def attitudes(matching: Matching) -> Iterator[Hit]:
    for pair in matching.pairs:
        if pair.old.kind == "test":
            yield from _faked(pair)
            yield from _patience(pair)
            yield from _only_under(pair)
    for test in matching.added:
        if test.kind == "test" and _says_so(test.path, test.text):
            yield from _new(test)


def _faked(pair: Pair) -> Iterator[Hit]:
    before, after = pair.old.facts(), pair.new.facts()
    known = {fake.name for fake in before.faked}
    for fake in after.faked:
        if fake.name not in known:
            detail = f"{pair.new.name} asserts on {fake.name}, which is replaced"
            yield _hit("test.subject-faked", pair.new, detail, fake.line, fake.column, fake.snippet)
    asked = {name for check in before.checks for name in CALLED.findall(check.subject)}
    for name in sorted((after.own - before.own - before.defined) & before.words) if before.checks else ():
        if name in after.passes and after.passes[name] <= asked:
            continue  # it asks what the test asked before
        yield _hit("test.subject-faked", pair.new, f"{pair.new.name} asserts on {name}, which its own file now defines")


def _patience(pair: Pair) -> Iterator[Hit]:
    before, after = pair.old.facts(), pair.new.facts()
    if after.retries > before.retries:
        yield _hit("test.retried", pair.new, f"{pair.new.name} may fail {after.retries} times, before {before.retries}")
    old, new = before.timeout_s, after.timeout_s
    if old is not None and new is None and language_of(pair.new.path) not in ELSEWHERE:  # there the runner has its own
        yield _hit("test.timeout-raised", pair.new, f"{pair.new.name} has no time limit any more")
    elif old is not None and new is not None and new > old:
        rule = "test.timeout-lifted" if new >= old * MUCH_LONGER else "test.timeout-raised"
        yield _hit(rule, pair.new, f"{pair.new.name} may take {new:g} s, before {old:g} s")


def _only_under(pair: Pair) -> Iterator[Hit]:
    """It was defined whatever holds, or a condition for a person became one that nobody can read."""
    old, new = pair.old.under, pair.new.under
    if new is not None and (old is None or (old.rule != new.rule and "condition" in old.rule)):
        yield _hit(new.rule, pair.new, f"{pair.new.name} is only defined if `{new.text}`")


def _new(test: Test) -> Iterator[Hit]:
    facts = test.facts()
    for fake in facts.faked:
        detail = f"{test.name} asserts on {fake.name}, which is replaced"
        yield _hit("test.subject-faked-in-new-test", test, detail, fake.line, fake.column, fake.snippet)
    if facts.retries:
        yield _hit("test.retried-new-test", test, f"{test.name} may fail {facts.retries} times")


def _hit(rule: str, test: Test, detail: str, line: int = 0, column: int = 0, snippet: str = "") -> Hit:
    return Hit(
        rule=rule,
        path=test.path,
        line=line or test.line,
        column=column or test.column,
        key=detail,
        snippet=snippet or test.snippet,
        detail=detail,
    )
