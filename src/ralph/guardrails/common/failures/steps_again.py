"""Steps of a test that a helper runs again until they pass (policy set v2, class G14): all languages with closures.

    stage: async ({}, use) => use(async (title, body) => {        test('orders', async ({ shop, stage }) => {
      for (let left = 2; ; left--) {                                await stage('order', async () => {
        try { return await body(); }                                  await shop.order();
        catch (error) { if (left === 0) throw error; }                await expect(shop.heading).toHaveText('Thanks');
      }                                                             });
    }),                                                           });

Rules, for a function beside tests (a fixture, a method, a command) that comes to run what it is handed until it passes:

- It blocks where a test of the base hands it steps: a closure that does something and asserts. What only reads and
  asserts is waited for, which is another thing; a new test is shown, and so is a helper that waits between its rounds.
- So it does where tests of the tree hand it steps already, and it ran them once.
- What wraps whole tests is in `rerun`; how a loop is told is said there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.brackets import closed
from ralph.guardrails.common.failures.called_again import tries_again_in_go
from ralph.guardrails.common.failures.rerun import WORTH, rerun
from ralph.guardrails.common.failures.steps import handed_steps
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, language, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

OLD, NEW = "test.retried", "test.retried-new-test"
BRACED = frozenset(("javascript", "typescript", "tsx", "java", "kotlin", "csharp", "php", "rust"))
ALIKE = {"typescript": "javascript", "tsx": "javascript", "kotlin": "java"}
_BLOCK = r"(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*"
_OPEN = r"\b(?:for|foreach|while|do|repeat|loop)\b[^\n]*\{[^\S\n]*\n?(?:[^{}\n]*\n){0,3}?\s*"
TRIES = later(rf"{_OPEN}try\s*\{{(?P<tried>{_BLOCK})\}}\s*catch\b\s*(?P<kind>[^{{\n]*)\{{\s*(?P<then>[^\n]*)")
UNWOUND = later(rf"{_OPEN}[^\n]*\bcatch_unwind\((?P<tried>[^\n]*)(?P<then>[\s\S]{{0,300}}?\b(?:return|break)\b)")
ENDS = later(r"\b(?:return|break)\b|\b(?:done|ok|passed|succeeded|success)\s*=\s*true\b")
THROWS = later(r"throw\b")
OF_ONE_KIND = later(r"\binstanceof\s+(?!Error\b|Assertion)\w+|\.(?:code|name|status)\s*[!=]==?")
"""What is caught is looked at: a failed assertion is another thing."""
_ASSERTIONS = r"\w*Assert\w*|Throwable|Expectation\w*"
CATCHES = {
    **dict.fromkeys(("java", "kotlin"), later(rf"\b(?:{_ASSERTIONS}|Error)\b")),
    "csharp": later(rf"^\s*(?:when\b.*)?$|\b(?:{_ASSERTIONS}|Exception|Xunit\w*)\b"),
    "php": later(rf"\b(?:{_ASSERTIONS}|Exception)\b"),
}
"""What catches a failed assertion, where the kind has a name."""
CALLED = later(r"(?<![\w.>])\$?(\w+)(?:\??\.(?:run|call|apply|invoke|execute|accept|get|Invoke))?(?:\(|!?\.\()")
WAITS = later(
    r"(?i)\bsleep|\bdelay|setTimeout|timeout|\bwait|deadline|monotonic|\bDate\b|\bnow\b|interval|performance|elapsed|poll|until"
)
NAMES = later(
    r"\bfunction\s*\*?\s*(?P<a>\w+)|\b(?:def|fun|fn)\s+(?:<[^>\n]*>\s*)?(?:\w+\.)?(?P<b>\w+[?!]?)"
    r"|\b(?:const|let|var|val)\s+(?P<c>\w+)\s*[:=]|^\s*[\"']?(?P<d>\w+)[\"']?\s*:\s*(?:async\b|\(|function\b|\[)"
    r"|\.add\(\s*[\"'](?P<e>\w+)[\"']|\.(?P<f>\w+)\s*=\s*(?:async\b|\(|function\b)"
    r"|^\s*(?:(?:public|private|protected|internal|static|async|final|override)\s+)*(?:[\w<>\[\]?.,]+\s+)?(?P<g>\w+)\s*(?:<[^>\n]*>)?\("
)
NO_NAMES = frozenset(
    (
        "it",
        "test",
        "describe",
        "use",
        "extend",
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "return",
        "new",
        "await",
        "step",
    )
)
RESCUED = later(r"\bbegin\b[\s\S]*\brescue\b(?P<kind>[^\n]*)\n[\s\S]*\bretry\b")
ROUNDS = later(
    r"\b(?:times|loop|upto|downto|while|until|each)\b[\s\S]*\b(?:return|break)\b[\s\S]*\brescue\b(?P<kind>[^\n]*)"
)
FAILURES = later(r"=>|^\s*$|Exception|Assertion|ExpectationNotMet|StandardError")
YIELDS = later(r"\byield\b|\.call\b|\binstance_(?:eval|exec)\b")
FARTHEST, LONGEST, MOST_TESTS = 60, 3000, 400


@record
class Helper:
    path: str
    spoken: str
    names: tuple[str, ...]
    line: int
    head: str
    waits: bool
    """It gives what it waits for some time."""
    was_there: bool
    """The base has one of these names, which tried once."""


def steps_again(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.binary or file.status not in "AM" or not is_in(WORTH, file.changed_text):
            continue
        spoken = language(file, change)
        if spoken in (*BRACED, "python", "ruby", "go") and is_beside_tests(file.path, reader_of(spoken)):
            for helper in _new(file, change, spoken):
                yield from _judged(helper, change)


def _judged(helper: Helper, change: Change) -> Iterator[Hit]:
    found = list(_handed(helper, change))
    if not found and helper.was_there:
        paths = [path for path in change.blobs.paths_after() if TEST_PLACE.search(path)]
        alike = [path for path in paths if _same(language_of(path), helper.spoken)]
        tests = (
            use
            for path in nearest(alike, change, MOST_TESTS)
            for use in handed_steps(helper.names, helper.spoken, change.blobs.after(path))
        )
        found = [(name, True) for name in list(tests)[:1]]
    if found and not any(hit.key in helper.names and hit.rule == OLD for hit in rerun(change)):
        name, old = max(found, key=lambda each: each[1])
        detail = f"{helper.names[0]} runs the steps of {name} again when they fail"
        rule = OLD if old and not helper.waits else NEW
        yield hit_at(rule, helper.path, helper.line, detail, helper.head, key=helper.names[0])


def _same(one: str | None, other: str) -> bool:
    return one is not None and ALIKE.get(one, one) == ALIKE.get(other, other)


def _new(file: FileChange, change: Change, spoken: str) -> Iterator[Helper]:
    before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    known = {name for helper in _helpers(file.path, before, spoken, b"") for name in helper.names}
    for helper in _helpers(file.path, after, spoken, before):
        if known.isdisjoint(helper.names):
            yield helper


def _helpers(path: str, data: bytes, spoken: str, before: bytes) -> Iterator[Helper]:
    if not is_in(WORTH, data):
        return
    text, lines = data.decode("utf-8", "replace"), data.decode("utf-8", "replace").split("\n")
    if spoken == "python":
        found = _of_python(text)
    else:
        found = (
            _of_ruby(lines) if spoken == "ruby" else _of_go(data) if spoken == "go" else _of_braces(text, lines, spoken)
        )
    for names, line, body in found:
        there = any(re.search(rf"\b{re.escape(name)}\b".encode(), before) for name in names)
        yield Helper(path, spoken, names, line, lines[line - 1].strip(), WAITS.search(body) is not None, there)


def _of_braces(text: str, lines: Sequence[str], spoken: str) -> Iterator[tuple[tuple[str, ...], int, str]]:
    for match in (*TRIES.finditer(text), *UNWOUND.finditer(text)):
        tries = match.re.pattern == TRIES.pattern
        if tries and not _tries_again(match, spoken):
            continue
        number = text.count("\n", 0, match.start())
        heads = list(_around(number, lines))
        given = "\n".join(head for _, head in heads)
        if any(re.search(rf"\([^()]*(?<![\w.])\$?{name}\b", given) for name in CALLED.findall(match["tried"])):
            names = [name for _, head in heads for name in _named(head)]
            if names:
                end = closed(text, text.index("{", match.start()), LONGEST)
                yield tuple(dict.fromkeys(names)), heads[0][0] + 1, text[match.start() : end or match.end()]


def _tries_again(match: re.Match[str], spoken: str) -> bool:
    """It ends with the success, and goes on where an assertion failed."""
    catches = CATCHES.get(spoken)
    return (
        ENDS.search(match["tried"]) is not None
        and not THROWS.match(match["then"])
        and not OF_ONE_KIND.search(match["then"])
        and (catches is None or catches.search(match["kind"]) is not None)
    )


def _named(head: str) -> Iterator[str]:
    match = NAMES.search(head)
    name = next(filter(None, match.groupdict().values()), "") if match is not None else ""
    if len(name) > 1 and name not in NO_NAMES:
        yield name


def _around(number: int, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The heads of the blocks around a line, the nearest first; one of several lines as a whole."""
    deep, at = depth(lines[number]), number - 1
    for _ in range(FARTHEST):
        while at >= 0 and (not lines[at].strip() or depth(lines[at]) >= deep):
            at -= 1
        if at < 0:
            return
        first, deep = at, depth(lines[at])
        if lines[at].lstrip().startswith(")"):
            first = next(
                (each for each in range(at - 1, -1, -1) if lines[each].strip() and depth(lines[each]) <= deep), at
            )
        yield first, " ".join(line.strip() for line in lines[first : at + 1])
        at = first - 1


def _of_ruby(lines: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int, str]]:
    for number, line in enumerate(lines):
        match = re.match(r"\s*def (?:self\.)?(\w+[?!]?)", line)
        if match is None:
            continue
        end = number + 1
        while end < len(lines) and (depth(lines[end]) > depth(line) or not lines[end].strip()):
            end += 1
        body = "\n".join(lines[number + 1 : end])
        rescued = (
            RESCUED.search(body)
            or ROUNDS.search(body)
            or re.match(r"[\s\S]*\brescue\b(?P<kind>.*)\n[\s\S]*\bretry\b", body)
        )
        if rescued is not None and FAILURES.search(rescued["kind"]) and YIELDS.search(body):
            yield (match[1],), number + 1, body


def _of_go(data: bytes) -> Iterator[tuple[tuple[str, ...], int, str]]:
    for number, name, head, body in functions_of(data):
        if tries_again_in_go(head, body):
            yield (name,), number + 1, body


def _of_python(text: str) -> Iterator[tuple[tuple[str, ...], int, str]]:
    from ralph.guardrails.python.failures.swallowers import tries_given_again
    from ralph.guardrails.python.trees import parsed_module

    tree = parsed_module(text.encode())
    for each in ast.walk(tree) if tree is not None else ():
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and tries_given_again(each):
            yield (each.name,), each.lineno, "\n".join(text.split("\n")[each.lineno - 1 : each.end_lineno])


def _handed(helper: Helper, change: Change) -> Iterator[tuple[str, bool]]:
    """The tests of the change that hand it steps, and whether the base had them."""
    gone = [change.blobs.before(file.path) or b"" for file in change.files if file.status == "D"]
    for file in change.files:
        if file.binary or file.status not in "AM" or not _same(language(file, change), helper.spoken):
            continue
        before = [change.blobs.before(file.path) or b"", *(gone if file.status == "A" else ())]
        for name in handed_steps(helper.names, helper.spoken, change.blobs.after(file.path)):
            yield name, any(name.encode() in data for data in before)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (steps_again,)
