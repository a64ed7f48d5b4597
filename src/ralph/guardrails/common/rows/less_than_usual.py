"""Tests of properties that come to try fewer values than their library does by itself (policy set v2, class G05).

What falls from one number to another is `fewer_values`'. Rules, where nothing was said before:

- A file that holds for all runs (Cargo's variables, a library's own settings) blocks if it asks for a fifth or less, or
  for ten or less, and the tree has such tests; for fewer than usual it is for a person. So is a job or a script, but
  for runs under Miri and the like, where each try takes a hundred times as long.
- In code a number that comes to tests of the base counts as one in a file for all: the file has no more such tests than
  before, and more numbers. A test that is new may be as small as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.record import record
from ralph.system.patterns import later

LESS, SOMEWHAT = "test.fewer-cases", "test.somewhat-weaker"
MUCH_LESS, FEW = 5, 10
MAX_READ = 400_000
USUAL = {
    "PROPTEST_CASES": 256,
    "QUICKCHECK_TESTS": 100,
    "jqwik.tries.default": 1000,
    "kotest.proptest.default.iteration.count": 1000,
    "rapid.checks": 100,
    "quickchecks": 100,
    "cases": 256,
}
"""What libraries try by themselves, by the name that says otherwise."""
TESTS = later(rb"\bproptest\b|\bquickcheck\b|@Property\b|\b(?:checkAll|forAll)\b|\brapid\.Check\b|\bquick\.Check\b")
SPOKEN = (".rs", ".java", ".kt", ".go")
MOST_FILES = 400
SET = later(
    r"(?<![\w.])(?P<name>PROPTEST_CASES|QUICKCHECK_TESTS|jqwik\.tries\.default|kotest\.proptest\.default\.iteration\.count"
    r"|(?<=-)rapid\.checks|(?<=-)quickchecks|(?<=^)cases)[\"']?(?:\s*[:=]\s*|\s+)(?:\{\s*value\s*=\s*)?[\"']?"
    r"(?P<number>\d[\d_]*)(?![\w.])"
)
FOR_ALL = later(
    r"(?:^|/)(?:\.cargo/config(?:\.toml)?|proptest\.toml|(?:junit-platform|jqwik|kotest)\.properties|\.env)$"
)
WORTH = later(
    rb"PROPTEST_CASES|QUICKCHECK_TESTS|tries\.default|iteration\.count|rapid\.checks|quickchecks|^cases\s*=|with_cases"
    rb"|\bcases:|numRuns|\btries\s*=|\biterations\s*=|\b(?:checkAll|forAll)\(|MaxTest|max_runs:"
)
PLAIN = "proptest.toml"
SLOW = later(r"(?i)miri|valgrind|sanitiz|loom|qemu")
"""What makes a run many times slower."""
NEARBY = 12


@record
class InCode:
    """How tests of properties begin in a language, how they say how many values they try, and how many that is else."""

    tests: re.Pattern[str]
    number: re.Pattern[str]
    usual: int


_NUMBER = r"(?P<number>\d[\d_]*)"
_JAVASCRIPT = InCode(
    later(r"\bfc\.(?:assert|check)\(|\b(?:it|test)\.prop\b"), later(rf"\bnumRuns\s*:\s*{_NUMBER}"), 100
)
_FSCHECK = InCode(later(r"\[<?Property\b|\bCheck\.\w+\("), later(rf"\bMaxTest\s*=\s*{_NUMBER}"), 100)
IN_CODE = {
    ".rs": InCode(
        later(r"\bproptest!"),
        later(rf"\bwith_cases\(\s*{_NUMBER}|\bProptestConfig\s*\{{\s*cases\s*:\s*(?P<field>\d[\d_]*)"),
        256,
    ),
    **dict.fromkeys((".ts", ".tsx", ".js", ".mjs", ".cjs", ".mts"), _JAVASCRIPT),
    ".java": InCode(later(r"@Property\b"), later(rf"@Property\([^()\n]*\btries\s*=\s*{_NUMBER}"), 1000),
    ".kt": InCode(
        later(r"\b(?:checkAll|forAll)\b|@Property\b"),
        later(rf"\b(?:checkAll|forAll)(?:<[^<>()\n]*>)?\(\s*(?:iterations\s*=\s*)?{_NUMBER}\b"),
        1000,
    ),
    **dict.fromkeys((".cs", ".fs"), _FSCHECK),
    ".exs": InCode(later(r"\bcheck all\b"), later(rf"\bmax_runs:\s*{_NUMBER}"), 100),
}


def less_than_usual(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.binary or not is_in(WORTH, file.added_text):
            continue
        before, after = (
            (read(file.path) or b"")[:MAX_READ].decode("utf-8", "replace")
            for read in (change.blobs.before, change.blobs.after)
        )
        yield from _set_anew(file, before, after, change)
        spoken = IN_CODE.get(file.path[file.path.rfind(".") :]) if file.status == "M" else None
        if spoken is not None:
            yield from _said_in_code(file, spoken, before, after)


def _set_anew(file: FileChange, before: str, after: str, change: Change) -> Iterator[Hit]:
    known = {match["name"] for line in before.split("\n") for match in SET.finditer(line)}
    lines, for_all = after.split("\n"), FOR_ALL.search(file.path) is not None
    for number, data in file.added():
        line = data.decode("utf-8", "replace")
        for match in () if line.lstrip().startswith(("#", "//")) else SET.finditer(line):
            name, now = match["name"], int(match["number"].replace("_", ""))
            if name in known or now >= USUAL[name] or (name == "cases" and not file.path.endswith(PLAIN)):
                continue
            around = "\n".join(lines[max(0, number - NEARBY) : number + NEARBY])
            if for_all or not SLOW.search(around):
                certain = for_all and _is_much(now, USUAL[name]) and _has_tests(change)
                rule = LESS if certain else SOMEWHAT
                yield _hit(rule, file.path, number, line, now, USUAL[name])


def _said_in_code(file: FileChange, spoken: InCode, before: str, after: str) -> Iterator[Hit]:
    had, has = (list(spoken.number.finditer(text)) for text in (before, after))
    tests = len(spoken.tests.findall(before))
    if not tests or len(has) <= len(had) or len(spoken.tests.findall(after)) > tests:
        return
    for match in has:
        line = after.count("\n", 0, match.start()) + 1
        now = int(next(filter(None, match.groups())).replace("_", ""))
        if line in file.added_numbers and now < spoken.usual:
            rule = LESS if _is_much(now, spoken.usual) else SOMEWHAT
            yield _hit(rule, file.path, line, after.split("\n")[line - 1], now, spoken.usual)


def _has_tests(change: Change) -> bool:
    paths = (path for path in change.blobs.paths_after() if path.endswith(SPOKEN))
    return any(TESTS.search(change.blobs.after(path) or b"") for path in nearest(paths, change, MOST_FILES))


def _is_much(now: int, usual: int) -> bool:
    return now * MUCH_LESS <= usual or now <= FEW


def _hit(rule: str, path: str, number: int, line: str, now: int, usual: int) -> Hit:
    return hit_at(rule, path, number, f"{now} values are tried, and usual are {usual}", line.strip(), key=line)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (less_than_usual,)
