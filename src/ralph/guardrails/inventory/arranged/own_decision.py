"""A decision of the very object that a test asks is made for it, where its inputs led to it (policy set v2, class G06).

Rule, for a test of the base: it gives a method of the object that it asks a constant yes or no
(`monkeypatch.setattr(store, "_expired", lambda session: True)`), in the place of a statement that brought the object
there (a clock that was put forward, another double, a value). Whether the product decides rightly is then not asked any
more. It blocks where the change wrote that method or changed it, and no test calls it by itself; otherwise it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, constants
from ralph.guardrails.inventory.arranged.own_method import OBJECT, calls_another, stubbed
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.readers import is_beside_tests, is_support, language, reader_of
from ralph.guardrails.model import Change
from ralph.system.patterns import later

MAY_DECIDE = later(r"(?i)spyon|stub|setattr|patch|doReturn|when|every|receive|mock|lambda|=>|\.fn\(")
YES_OR_NO = later(r"(?:^|lambda\b[^:]*:|=>|[=({\s])\s*(?:True|False|true|false)\s*[)};,]*\s*$")
BY_PATH = later(
    r"\b(?:setattr|patch)\(\s*[\"'](?:\w+\.)*(?P<object>[A-Z]\w*)\.(?P<method>\w+)[\"']\s*,\s*(?P<given>.*)\)"
)
RETURNED = later(
    rf"\bpatch\.object\(\s*{OBJECT}\s*,\s*[\"'](?P<method>\w+)[\"']\s*,\s*(?P<given>(?:autospec=True,\s*)?return_value.*)\)"
)
LED = later(r"(?i)time|clock|now|date|advance|travel|freez|tick|sleep|setattr|patch|mock|stub|spy|env")
DEFINED = r"\bdef\s+(?:self\.)?{0}(?!\w)|\b{0}\s*(?:=\s*(?:async\s*)?)?\("


def decides_itself(pair: Pair, edits: Edits, change: Change) -> tuple[str, bool] | None:
    """The statement, and whether it is certain that nothing else asks for the decision."""
    if not MAY_DECIDE.search(edits.said) or not any(map(_led_there, edits.gone)):
        return None
    for number in edits.fresh:
        statement = edits.whole(number)
        for object_, method, given in _stubbed(statement):
            known = re.search(rf"(?<!\w){re.escape(method)}(?!\w)", edits.was_said)
            if YES_OR_NO.search(given.strip()) and known is None and _is_asked(object_, method, edits):
                return statement, _is_written_here(method, change) and not _is_called(method, pair, change)
    return None


def _stubbed(statement: str) -> Iterator[tuple[str, str, str]]:
    yield from stubbed(statement)
    for form in (BY_PATH, RETURNED):
        if (match := form.search(statement)) is not None:
            yield match["object"], match["method"], match["given"]


def _led_there(statement: str) -> bool:
    """It is no assertion, and has a value or something that stood in for what the product asks."""
    return not ASSERTS.search(statement) and bool(constants(statement) or LED.search(statement))


def _is_asked(object_: str, method: str, edits: Edits) -> bool:
    """The object; of a class whatever object the test asks, as long as the test makes none of another one."""
    if calls_another(object_, method, edits):
        return True
    if not object_[:1].isupper():
        return False
    made = re.compile(r"=\s*(?:await\s+)?(?:new\s+)?[A-Z]\w*(?:\.new\b|\()")
    return not any(made.search(each) for each in edits.new)


def _is_written_here(method: str, change: Change) -> bool:
    """A file of the product has it, and the lines that it has in the head are not those of the base."""
    form = re.compile(DEFINED.format(re.escape(method)).encode())
    for file in change.files:
        if file.status != "D" and not _is_of_tests(file.path, language(file, change)):
            lines = (change.blobs.after(file.path) or b"").split(b"\n")
            heads = [number for number, line in enumerate(lines, 1) if form.search(line)]
            if any(not file.added_numbers.isdisjoint(_body(lines, head)) for head in heads):
                return True
    return False


def _body(lines: list[bytes], head: int) -> range:
    """The numbers of the lines of a function, by how far they are indented."""
    depth = len(lines[head - 1]) - len(lines[head - 1].lstrip())
    end = head
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
        end += 1
    return range(head, end + 1)


def _is_called(method: str, pair: Pair, change: Change) -> bool:
    """Some test of the head asks for the decision by its name."""
    name = re.escape(method.encode())
    called = re.compile(
        rb"(?m)^(?!.*\b(?:when\w*|do\w+|every|verify)\b).*(?:(?:\.|->)%s(?:\s*\(|$|\))|\.send\(\s*:%s\b)" % (name, name)
    )
    ending = pair.new.path[pair.new.path.rfind(".") :]
    tests = (path for path in change.blobs.paths_after() if path.endswith(ending) and _is_of_tests(path, None))
    return any(called.search(change.blobs.after(path) or b"") for path in tests)


def _is_of_tests(path: str, spoken: str | None) -> bool:
    return is_support(path) or is_beside_tests(path, reader_of(spoken))
