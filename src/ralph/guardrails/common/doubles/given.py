"""Doubles in the place of what a test made itself (policy set v2, class G06); Python has a module of its own for it.

Rule: a name that the base gave an object of the project (`new Store()`, `Store.new`, `NewStore()`), and that the head
gives a mock, an object written down in the test or one of a subclass of the test's own, blocks if an assertion of the
base that is still there compares an answer of that name: `expect(store.total(1)).toBe(1)`, be it by a variable that
holds the answer. A subclass must answer that itself. A double of a collaborator is none, nor is a spy that passes calls
on, nor what the same test gave the name before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ralph.guardrails.common.doubles.fresh import BEGINS, Gone, is_of_one_test, up_to_next_test
from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

LANGUAGES = frozenset({"javascript", "typescript", "tsx", "java", "kotlin", "csharp", "ruby", "go"})
WORTH = later(
    rb"(?i)mock|fake|stub|spyk|double|dummy|substitute|openstruct|struct\.new|class|object\s*:|=\s*\{|object\.|proxy|=\s*new\b"
)
GIVEN = later(
    r"(?:let!?|subject)\s*\(?:(?P<let>\w+)\)\s*\{\s*(?P<block>.+?)\s*\}\s*$"
    r"|(?:^|[\s@.])(?P<name>\w+)(?:\s*:\s*[\w<>.\[\]| ]+?)?\s*:?=(?![=>])\s*(?P<value>\S.*)$",
    re.MULTILINE,
)
ANNOTATED = later(r"@Mock\w*\b[^;=(){}]*?\b(?P<name>\w+)\s*(?:;|:\s*\w+\s*$)", re.MULTILINE)
REAL = later(
    r"(?:await\s+)?(?:new\s+\w|[A-Z][\w:.]*\.(?:new|load|parse|open|read|create|build|make|of|from\w*|default)\b"
    r"|[A-Z]\w*\.(?:Load|Parse|Open|Read|Create|Build|From\w*)\(|[A-Z]\w*\(|\w*\.?New\w*\(|&?[A-Za-z]\w*\{|(?:create|make|build)\w*\()"
)
MOCKED = later(
    r"(?i)(?:instance_|class_|object_)?double\(|(?:[\w.]+\.)?\bmockk?\b[.(<]|minitest::mock\.|mock\w*\.of\b|substitute\.for|new\s+mock<|a\.fake<|\bspyk\("
    r"|(?:new\s+|&)?(?:new)?(?:fake|stub|dummy|mock)\w*[({.]|openstruct\.new|\bstruct\.new|\b(?:vi|jest|sinon)\.\w+\(|new\s+proxy\("
)
WRITTEN = later(r"(?:Object\.(?:assign|create)\(.*)?\{\s*(?:$|\.\.\.|[\w\"'\[]+\s*[:(,])")
SUBCLASS = later(r"(?:new\s*\(?\s*class\b|Class\.new\(|object\s*:\s*\w|new\s+\w[\w<>.]*\([^()]*\)\s*\{)")
OWN = later(r"(?:new\s+|&)?(?P<type>[A-Za-z]\w*)(?:\.new\b|[({])")
LONGEST = 400
DECLARES = later(r"\s*(?:const|let|var|val|final|[A-Z][\w<>]*)\s+\w+\s*[:=]")
ASSERTS = r"(?:expect|assert\w*|Assert\w*|should|is_expected|verify|:=|require)[^\n]*?"

ASSERTING = later(r"\b(?i:expect|assert\w*|should\w*|is_expected|verify|require)\b|^\s*if\b[^\n]*[!=]=")
WORD = later(r"(?<![\w.])\w+")


def replaced(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        reader = reader_of(spoken)
        if file.status != "M" or spoken not in LANGUAGES or reader is None or not reader.is_test_file(file.path):
            continue
        if any(WORTH.search(line) for hunk in file.hunks for line in hunk.added):
            yield from _compared(file, change)


def _compared(file: FileChange, change: Change) -> Iterator[Hit]:
    data = (change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b"")
    before, after = sides = [_short_lines(side.split(b"\n")) for side in data]
    old, lines = before.split("\n"), after.split("\n")
    kept, tests = {line.strip() for line in old}, Gone(old, lines)
    given = cache(lambda: tuple(_given(before)))
    same = cache(lambda: _given_as_before(before, after))
    every = cache(lambda: _short_lines(line for hunk in file.hunks for line in hunk.added))
    for hunk in file.hunks:
        added = _short_lines(hunk.added)
        for name, value, at in _doubles(added):
            real = [each for each in given() if each[0] == name and REAL.match(each[1])]
            if not real or all(MOCKED.match(each[1]) for each in real):
                continue
            line = hunk.new_start + added.count("\n", 0, at)
            was = old[before.count("\n", 0, real[0][2])]
            gone = tests.lines(line - 1)
            declared = DECLARES.match(lines[line - 1]) is not None
            shadows = _is_narrower(lines[line - 1], was) or (declared and is_of_one_test(lines, line - 1))
            seen = "\n".join(up_to_next_test(lines[line:])) if shadows or gone is not None else after
            there = kept if gone is None else {each.strip() for each in gone}
            asked = (each for each in compared_answers(name, seen) if each[1] in there)
            answered = next((each for each in asked if _answers(value, each[0], added, every(), sides)), None)
            if answered is not None and (name, line) not in same():
                detail = f"{name} is a double, and a test compares {name}.{answered[0]}"
                yield hit_at(
                    "test.subject-faked", file.path, line, detail, lines[line - 1].strip(), key=f"{name} is a double"
                )


def _given_as_before(before: str, after: str) -> set[tuple[str, int]]:
    """Names, with the lines that give them something, in tests that give them what they gave them before."""
    was, now = _by_test(before), _by_test(after)
    return {
        (name, line)
        for (test, name), given in now.items()
        if [value for value, _ in given] == [value for value, _ in was.get((test, name), ())]
        for _, line in given
    }


def _by_test(text: str) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """What each test gives a name, and on which line; a test goes by the line with which it begins."""
    tests, test = list[str](), ""
    for line in text.split("\n"):
        test = line.strip() if BEGINS.match(line) else test
        tests.append(test)
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for name, value, at in _doubles(text):
        row = text.count("\n", 0, at)
        found.setdefault((tests[row], name), []).append((value, row + 1))
    return found


def _short_lines(lines: Iterable[bytes]) -> str:
    """A line that no person wrote says nothing, and takes long to read."""
    return "\n".join(line.decode("utf-8", "replace") if len(line) <= LONGEST else "" for line in lines)


def _is_narrower(line: str, was: str) -> bool:
    """The name on the line is another one than that of the base, which more than one test had."""
    return depth(line) > depth(was) or (DECLARES.match(line) is not None and DECLARES.match(was) is None)


def _given(text: str) -> Iterator[tuple[str, str, int]]:
    for match in GIVEN.finditer(text):
        at = match.start("let") if match["let"] else match.start("name")
        yield match["let"] or match["name"], (match["block"] or match["value"] or "").strip(), at


def _doubles(added: str) -> Iterator[tuple[str, str, int]]:
    yield from _given(added)
    yield from ((match["name"], "mock()", match.start("name")) for match in ANNOTATED.finditer(added))


def compared_answers(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Methods whose answers are compared, with the lines that do so: at once, or when a variable has held them."""
    compared = re.compile(rf"^.*?{ASSERTS}(?<![\w.]){re.escape(name)}\.(\w+)\b.*$")
    answers = re.compile(rf"(?:^|\s)(?P<held>\w+)\s*:?=\s*{re.escape(name)}\.(?P<method>\w+)\b")
    member, held = f"{name}.", dict[str, str]()
    for line in text.split("\n") if member in text else ():
        if member in line and (match := compared.match(line)) is not None:
            yield match[1], line.strip()
        elif member in line and (match := answers.search(line)) is not None:
            held[match["held"]] = match["method"]
        elif held and ASSERTING.search(line):
            yield from ((held[word], line.strip()) for word in WORD.findall(line) if word in held)


def _answers(value: str, method: str, added: str, every: str, sides: Sequence[str]) -> bool:
    """The double answers the method itself. `added` is what the change adds there, `every` all that it adds."""
    if MOCKED.match(value):
        return "wraps" not in value and ("every" in added or not value.startswith("spyk("))
    word = re.escape(method)
    defined = re.compile(rf"(?i)(?<![.\w])(?:self\.)?{word}\b\s*[:=(]|\.{word}\s*=(?!=)|\b{word},")
    if WRITTEN.match(value) or SUBCLASS.match(value):
        return defined.search(added) is not None
    own = OWN.match(value)
    made_here = re.compile(rf"\b(?:class|object|type)\s+{re.escape(own['type']) if own is not None else ''}\b")
    was, is_there = (made_here.search(side) is not None for side in sides)
    return own is not None and is_there and not was and defined.search(every) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (replaced,)
