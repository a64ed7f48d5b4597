"""What a runner asks about the failure of a test, and that drops it (policy set v2, class G08): JVM, C#, Ruby.

Rules, for a file of tests or of what helps them; one that the base had is none:

- A handler of JUnit's for exceptions (`handleTestExecutionException`), or a rule or an interceptor that runs the test
  in a `try` with a handler for failures of any kind, passes them on at its end, or wherever they are not of a certain
  kind. One that throws for some kinds alone, or not at all, drops what failed: it blocks.
- So does what sets the result of a test to a success (`setStatus(SUCCESS)`, `SetResult(ResultState.Success)`), or takes
  its failures away (`failures.clear`, `set_exception(nil)`), or answers the runner for a test in a class of
  Minitest's (`def passed? = true`, a `run` that runs nothing).
- An interceptor that skips what it is to run, and a condition of JUnit's that is never met, keep tests from running.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.functions import functions
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import cut, depth
from ralph.system.patterns import later

LANGUAGES = frozenset({"java", "kotlin", "csharp", "ruby"})
WORTH = later(
    rb"(?i)ExecutionException\b|\b(?:proceed|evaluate)\(\)|setStatus|SetResult|failures|set_exception|@exception|addFailure|Failed"
    rb"|\.skip\(\)|ConditionEvaluationResult|\bdef (?:run|passed|error)\b"
)
HANDLES = later(r"(?i)handle(?:TestExecution|(?:Before|After)(?:Each|All)MethodExecution)Exception")
RUNS = later(
    r"\b(?:base|statement|invocation|next|inner|delegate|it)\??\.(?:evaluate|proceed)\(\)|\bstatement\.evaluate\(\)"
)
CATCHES = later(
    r"\bcatch\s*\(\s*(?:final\s+)?(?:\w+\s*:\s*)?(?:[\w.]+\s*\|\s*)*(?:java\.lang\.)?(?:Throwable|Exception|Error|AssertionError|AssertionFailedError)\b[^)]*\)\s*\{"
)
INTERCEPTS = later(r"intercept(?:Test|Before|After|Dynamic)\w*")
MET = later(r"\benabled\(|\bif\b|\?[^\n]*:|\bwhen\b")
OF_MINITEST = later(r"\s*class\s+\w+\s*<\s*(?:\w+::)*\w*Test(?:Case)?\b")
ANSWERED = later(r"(?:run|passed\?|error\?|failures|failure)")
PASSES_ON = later(
    r"(?i)\bthrow\b|\b(?:re|sneaky_?|unchecked)throw\w*\s*\(|\bthrowAs\w*\(|\bfail\s*\(|\braise\b|getOrThrow|collector|addFailure|errors?\.add"
)
LEFT = later(r"(?s)\bif\s*\((?P<asked>(?:[^()]|\([^()]*\))*)\)\s*\{?[^{}]*$")
NOT_OF = later(r"\s*!|\w+\s*!is\b|[^=]*!=")
RESULTS = later(
    r"\.setStatus\(\s*(?:ITestResult\.)?SUCCESS(?:_PERCENTAGE_FAILURE)?\s*\)"
    r"|\.SetResult\(\s*ResultState\.Success\b"
    r"|(?:^|\b(?:self|result|test)\.)failures\.clear\b(?:\(\))?"
    r"|\bself\.failures\s*=\s*\[\]\s*$|\.set_exception\(?\s*nil"
    r"|instance_variable_set\(:@exception, nil\)|\b[sS]ummary\.Failed\s*=\s*0\b"
)
OF_TESTS = later(rb"(?i)\btests?\b|junit|testng|nunit|xunit|minitest|rspec")
NOTE = later(r"(?m)(?<!:)//[^\n]*|/\*.*?\*/|(?:^|(?<=\s))#(?![\[{])[^\n]*", re.DOTALL)
LONGEST = 200_000


def pardoned(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or not _of_tests(file, change):
            continue
        if not is_in(WORTH, file.changed_text):
            continue
        before, after = ((side(file.path) or b"")[:LONGEST] for side in (change.blobs.before, change.blobs.after))
        old = {(name, how) for name, how, _ in _dropping(before)}
        yield from (_hit(file, name, how, line) for name, how, line in _dropping(after) if (name, how) not in old)
        stood = {line.strip() for line in before.split(b"\n")}
        for number, line in file.added():
            text = NOTE.sub("", line.decode("utf-8", "replace"))
            if RESULTS.search(text.strip()) and line.strip() not in stood:
                yield _hit(file, text.strip(), "makes a success of a failure", number)


def _of_tests(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    reader = reader_of(spoken)
    if spoken not in LANGUAGES or reader is None:
        return False
    if not (is_beside_tests(file.path, reader) or "Test" in file.path):
        return False
    return is_in(OF_TESTS, change.blobs.after(file.path) or b"")


def _hit(file: FileChange, name: str, how: str, line: int) -> Hit:
    detail = f"{cut(name, 80)} {how}"
    return hit_at("test.weakened", file.path, line, detail, name)


def _dropping(data: bytes) -> Iterator[tuple[str, str, int]]:
    """Functions that are told of a failure, and drop it: the name, how, and the line."""
    lines = NOTE.sub(lambda match: "\n" * match[0].count("\n"), data.decode("utf-8", "replace")).split("\n")
    for number, name, _, body in functions(lines):
        if HANDLES.fullmatch(name) and not _passes_on(body, depth(lines[number])):
            yield name, "does not throw what it is handed", number + 1
        elif RUNS.search(body) and _catches_all(body):
            yield name, "runs the test, and drops its failure", number + 1
        elif INTERCEPTS.fullmatch(name) and ".skip()" in body and ".proceed()" not in body:
            yield name, "skips every test", number + 1
        elif name == "evaluateExecutionCondition" and "disabled(" in body and not MET.search(body):
            yield name, "is met by no test", number + 1
        elif ANSWERED.fullmatch(name) and "super" not in body and _is_of_minitest(lines, number):
            yield name, "answers the runner itself", number + 1


def _is_of_minitest(lines: Sequence[str], number: int) -> bool:
    """What stands around it is a class of tests; methods of such a class that take something are its own."""
    deep = depth(lines[number])
    around = next((each for each in reversed(lines[:number]) if each.strip() and depth(each) < deep), "")
    return OF_MINITEST.match(around) is not None and "(" not in lines[number].partition("=")[0]


def _passes_on(body: str, deep: int) -> bool:
    """What is thrown last is thrown at the end, or for whatever is not of a certain kind."""
    found = list(PASSES_ON.finditer(body))
    if not found:
        return False
    last = found[-1]
    line = body[: last.start()].rpartition("\n")[2]
    behind = body[last.end() :]
    around = LEFT.search(body[: last.start()])
    if around is None or re.search(r"\}\s*$|\belse\s*\{?\s*$", body[: last.start()]):
        return True
    inside = depth(line) > deep + 4 or line.strip() or "{" not in around[0]
    return bool(NOT_OF.match(around["asked"])) or not inside or re.search(r"\belse\b", behind) is not None


def _catches_all(body: str) -> bool:
    ran = RUNS.search(body)
    caught = CATCHES.search(body, ran.end()) if ran is not None else None
    if ran is None or caught is None or "try" not in body[: ran.start()]:
        return False
    kept = re.search(r"\b(\w+)\s*\)\s*\{$", caught[0]) or re.search(r"\((\w+)\s*:", caught[0])
    handed = kept is not None and re.search(rf"=\s*{kept[1]}\b|[(,]\s*{kept[1]}\s*[,)]", body[caught.end() :])
    return not PASSES_ON.search(body, caught.end()) and not handed


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (pardoned,)
