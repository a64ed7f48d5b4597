"""Wrappers of whole tests that run them again when they fail (policy set v2, class G14): all languages that can.

Rules, for a function beside tests that comes to have a loop around a `try`, which calls what the function is handed,
ends with its success, and goes on after a failed assertion:

- It blocks in that file where a test of the base is wrapped by it now: as a decorator, as what registers the test under
  its title, as a rule or extension of JUnit, as the one call that the test consists of.
- It blocks, too, if it wrapped tests of the tree before and tried once.
- Where only new tests are wrapped, a person looks. What a test calls to wait for something is no wrapper.
- In JavaScript a helper may leave the loop to a function of its file: `it(title, () => explore(steps))` (`handed`).
- Of helpers of Go, and of those that a test of Python calls, see `called_again`.
- Of a decorator and its tests in one file of Python the inventory tells (`python.failures.patience`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.common.failures.called_again import CALLED, in_python, tries_again_in_go
from ralph.guardrails.common.failures.handed import handed
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, language, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.record import record
from ralph.system.patterns import later

OLD, NEW = "test.retried", "test.retried-new-test"
WORTH = later(rb"\b(?:except|catch|rescue|catch_unwind)\b|\bfor\b[^\n]*\{[ \t]*\r?\n[^\n]*\([^\n]*nil\b")
JS, JVM = frozenset({"javascript", "typescript", "tsx"}), frozenset({"java", "kotlin"})
_BLOCK = r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*"
BRACED = later(
    rf"\b(?:for|while|do|repeat)\b[^\n]*\{{\s*try\s*\{{(?P<tried>{_BLOCK})\}}\s*catch\b\s*(?P<kind>\([^()]*\))?\s*\{{\s*(?P<then>[^\n]*)"
)
RESCUED = later(r"\brescue\b(?P<kind>[^\n]*)\n[\s\S]*\bretry\b")
UNWOUND = later(r"\b(?:for|while|loop)\b[^\n]*\{[\s\S]*\bcatch_unwind\b[\s\S]*\b(?:return|break)\b")
ENDS = later(r"\b(?:return|break)\b")
THROWS = later(r"throw\b")
CATCHES = later(r"\b(?:Throwable|AssertionError|Error|Exception)\b")
FAILURES = later(r"=>|^\s*$|Exception|Assertion|ExpectationNotMet")
RUNS = later(r"\.(?:evaluate|proceed)\(")
YIELDS = later(r"\byield\b|\.call\b|\binstance_(?:eval|exec)\b")
REGISTERS = later(r"\b(?:it|test|specify|example)\b(?:\.\w+)*[ (]")
PARAMETER = later(r"(\w+)\s*[?:,)=]")
CLASS = later(r"\bclass\s+(\w+)")
_TITLE = r"[\"'`](?P<test>[^\"'`\n]+)[\"'`]"
_JS = (
    rf"(?m)^[ \t]*(?:\w+\.)?NAME\(\s*{_TITLE}"
    r"|\b(?:it|test)(?:\.\w+)*\(\s*[\"'`](?P<inner>[^\"'`\n]+)[\"'`]\s*,\s*(?:\w+\.)?NAME\("
)
_JVM = r"@ExtendWith\([^)\n]*\b(?P<test>NAME)\b|\b(?P<inner>NAME)\s*\("
USES: Mapping[str, str] = {
    "python": r"(?m)^[ \t]*@(?:\w+\.)*NAME\b[^\n]*\n(?:[ \t]*@[^\n]*\n)*"
    r"[ \t]*(?:async[ \t]+)?def[ \t]+(?P<test>test\w*)",
    **dict.fromkeys(JS, _JS),
    **dict.fromkeys(JVM, _JVM),
    "ruby": rf"(?m)^[ \t]*NAME[ (]+{_TITLE}[^\n]*(?:\bdo\b|\{{)",
    "go": rf"\bNAME\(\s*\w+,\s*{_TITLE}",
    "rust": r"\bfn[ \t]+(?P<test>\w+)\(\)[^\n{]*\{\s*(?:\w+::)*NAME\([^|\n]*\|\|",
}
"""Where tests are wrapped by a function, or by the class that it is a method of."""
MOST_TESTS = 400


@record
class Wrapper:
    path: str
    name: str
    line: int
    head: str
    spoken: str
    was_there: bool
    """The base has one of that name, which tried once."""


def rerun(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if (
            spoken is None
            or spoken not in USES
            or file.status not in "AM"
            or file.binary
            or not is_in(WORTH, file.added_text)
        ):
            continue
        if is_beside_tests(file.path, reader_of(spoken)):
            for wrapper in _wrappers(file, change, spoken):
                yield from _judged(wrapper, change)


def _judged(wrapper: Wrapper, change: Change) -> Iterator[Hit]:
    wrapped = _wrapped(wrapper, change) or (_of_the_tree(wrapper, change) if wrapper.was_there else None)
    if wrapped is not None:
        name, old = wrapped
        detail = f"{wrapper.name} runs {name} again when it fails"
        rule = OLD if old else NEW
        yield hit_at(rule, wrapper.path, wrapper.line, detail, wrapper.head, key=wrapper.name)


def _wrappers(file: FileChange, change: Change, spoken: str) -> Iterator[Wrapper]:
    before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    known = _trying_again(before, spoken) if before else {}
    there = {name for _, name, _, _ in functions_of(before)} if before else frozenset[str]()
    found = {name: place for name, place in _trying_again(after, spoken).items() if name not in known}
    for name, (line, head) in list(found.items())[: 1 if spoken in JVM else None]:
        called = posixpath.basename(file.path).partition(".")[0] if spoken in JVM else name
        yield Wrapper(file.path, called, line, head, spoken, name in there)


def _trying_again(data: bytes, spoken: str) -> dict[str, tuple[int, str]]:
    """The functions that try again, each with its line and its head."""
    if spoken == "python":
        return _of_python(data)
    listed = functions_of(data)
    found = {
        name: (number + 1, head.strip()) for number, name, head, body in listed if _tries_again(head, body, spoken)
    }
    return {**found, **handed(found, listed)} if found and spoken in JS else found


def _of_python(data: bytes) -> dict[str, tuple[int, str]]:
    import ast

    from ralph.guardrails.python.trees import parsed_module

    tree = parsed_module(data)
    return in_python([each for each in tree.body if isinstance(each, ast.FunctionDef)]) if tree is not None else {}


def _tries_again(head: str, body: str, spoken: str) -> bool:
    if spoken == "ruby":
        rescued = RESCUED.search(body)
        return rescued is not None and bool(
            FAILURES.search(rescued["kind"]) and YIELDS.search(body) and REGISTERS.search(body)
        )
    if spoken == "go":
        return tries_again_in_go(head, body)
    given = set(PARAMETER.findall(head.partition("(")[2]))
    if spoken == "rust":
        return UNWOUND.search(body) is not None and _calls_one(given, body)
    for match in BRACED.finditer(body):
        if not ENDS.search(match["tried"]) or THROWS.match(match["then"]):
            continue
        if spoken in JVM:
            if RUNS.search(match["tried"]) and CATCHES.search(match["kind"] or ""):
                return True
        elif _calls_one(given, match["tried"]):
            return True
    return False


def _calls_one(given: set[str], text: str) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?:\.(?:call|apply))?\b[(\s)]", text) for name in given)


def _wrapped(wrapper: Wrapper, change: Change) -> tuple[str, bool] | None:
    """A test that a file of the change lets it wrap, and whether the base had that test; best one that it had."""
    found: list[tuple[str, bool]] = []
    for file in change.files:
        if file.binary or file.status not in "AM" or language(file, change) != wrapper.spoken:
            continue
        if wrapper.spoken == "python" and file.path == wrapper.path:
            continue
        before = (change.blobs.before(file.path) or b"").decode("utf-8", "replace")
        for name in _uses(wrapper, change.blobs.after(file.path)):
            found.append((name, name in before if wrapper.spoken not in JVM else "@Test" in before))
    return max(found, key=lambda each: each[1], default=None)


def _of_the_tree(wrapper: Wrapper, change: Change) -> tuple[str, bool] | None:
    paths = (path for path in change.blobs.paths_after() if TEST_PLACE.search(path))
    alike = (path for path in paths if path != wrapper.path and language_of(path) == wrapper.spoken)
    for path in nearest(alike, change, MOST_TESTS):
        if name := next(_uses(wrapper, change.blobs.after(path)), ""):
            return name, True
    return None


def _uses(wrapper: Wrapper, data: bytes | None) -> Iterator[str]:
    if data is None or wrapper.name.encode() not in data:
        return
    forms = [
        USES[wrapper.spoken],
        *([CALLED[wrapper.spoken]] if wrapper.was_there and wrapper.spoken in CALLED else []),
    ]
    for form in forms:
        for match in re.finditer(form.replace("NAME", re.escape(wrapper.name)), data.decode("utf-8", "replace")):
            yield next(filter(None, match.groupdict().values()))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (rerun,)
