"""Values that a test wants because its own double gives them, where it wanted what the product gave (class G06).

    - .matchHeader("authorization", "Carrier key=k1,sig=e1391fbe")        // the real signature
    + jest.mock("../src/signing", () => ({ sign: (key) => `Carrier2 key=${key},sig=test` }));
    + headers: { authorization: "Carrier2 key=k1,sig=test" }

Rule (policy set v2), for a file of tests of the base, in all languages: a double is new in it for a function of the
project (a mocked module, a stubbed or patched function), and a text that it gives stands in a new line of the tests, in
the place of another one, which is gone. It blocks where that function only computes: it asks no network, no clock, no
file and no chance, so that the base's tests had its real answer. It is none where tests call the function itself, or
where the base had such a double.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ralph.guardrails.common.brackets import closed
from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, is_support, language, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import as_text
from ralph.system.patterns import later

RULE = "test.subject-faked"
WORTH = later(
    rb"\b(?:mock|doMock|setMock|unstable_mockModule|mockModule|module|spyOn|stub|patch|setattr|receive|stubs|thenReturn"
    rb"|Setup|shouldReceive|willReturn|proxyquire|esmock|every|replace)\b|= func\("
)
MODULE = later(
    r"\b(?:jest|vi|mock|td|quibble)\.(?:mock|doMock|setMock|unstable_mockModule|mockModule|module|replace(?:Esm)?)\("
    r"\s*(?:import\()?[\"'](?P<module>[.@~#][^\"'\n]*)[\"']"
    r"|\b(?:proxyquire|esmock)(?:\.\w+\(\))*\([^{}\n]*\{\s*[\"'](?P<inner>\.[^\"'\n]*)[\"']\s*:"
)
FUNCTION = later(
    r"\b(?:spyOn|stub|replace|method)\(\s*[\w.]+\s*,\s*[\"'](?P<a>\w+)[\"']"
    r"|\b(?:patch|setattr)(?:\.object)?\(\s*(?:[\w.]+\s*,\s*)?[\"'](?:[\w.]+\.)?(?P<b>\w+)[\"']"
    r"|\b(?:receive|stubs)\(:(?P<c>\w+)\)|\bwhen\((?:\(\)\s*->\s*)?(?:\w+\.)*(?P<d>\w+)\("
    r"|\.Setup\(\w+\s*=>\s*\w+\.(?P<e>\w+)\(|\bshouldReceive\(\s*[\"'](?P<f>\w+)[\"']|->method\(\s*[\"'](?P<g>\w+)[\"']"
    r"|\bevery\s*\{\s*(?:\w+\.)*(?P<h>\w+)\(|(?m:^[ \t]+(?P<i>[a-z]\w*) = func\()"
)
KEYS = later(r"(?<![\w.])(\w+)\s*(?::|\()")
STRING = later(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`")
HOLES = later(r"\$\{[^{}]*\}|#\{[^{}]*\}|%[a-z]|\{\w*\}")
NUMBER = later(r"(?<![\w.])\d{2,}(?:\.\d+)?(?![\w.])")
WORDS = later(r"[A-Za-z]{3,}")
_KEYWORDS = r"\b(?:def|func|function|fn|fun|const|let|var|static|public|private|internal|protected)\b"
DECLARED = (
    rf"{_KEYWORDS}[^\n=(]{{0,80}}?\b(?:self\.)?NAME\b"
    r"(?:\s*(?:<[^>\n]*>)?\(|[^=\n(]*=\s*(?:async\b\s*)?(?:\(|function\b|\w+\s*=>|\w+$)|\s*$)"
)
"""A function of that name."""
OUT_OF_REACH = later(
    r"(?i)https?://|\brequests?\.|urlopen|urllib|\bfetch\(|axios|socket|\bfs\b|readfile|\bopen\(|environ|getenv"
    r"|process\.env|\bnow\(|today\(|\bnew Date\(\)|time\.|clock|random|uuid|nonce|sleep|setTimeout|subprocess|\bexec"
    r"|\bquery\(|cursor|redis|\bdb\b"
)
MOST_FILES, LONGEST, SHORTEST = 400, 3000, 3


class Double(NamedTuple):
    names: tuple[str, ...]
    module: str
    start: int
    end: int


def wanted_of_double(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or not is_in(WORTH, file.added_text):
            continue
        spoken = language(file, change)
        if spoken is not None and is_beside_tests(file.path, reader_of(spoken)):
            yield from _of_file(file, change)


def _of_file(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (as_text(data) for data in (change.blobs.before(file.path), change.blobs.after(file.path)))
    starts = ((after.count("\n", 0, double.start) + 1, double) for double in _doubles(after))
    new = [(number, double) for number, double in starts if number in file.added_numbers]
    modules = {each.module for each in _doubles(before)} if new else set[str]()
    for number, double in new:
        if double.module and double.module in modules:
            continue
        region = after[double.start : double.end]
        lines = _wanted(file, region, before, after, number, after.count("\n", 0, double.end) + 1)
        for line in lines[:1]:
            name = _of_product(double, file.path, change)
            rest = after[: double.start] + after[double.end :]
            if name and not _was_doubled(name, before) and not _is_called(name, file.path, rest, change):
                detail = f"line {line} wants what the test's own double of {name} gives"
                yield hit_at(
                    RULE, file.path, number, detail, after.split("\n")[number - 1].strip(), key=f"double of {name}"
                )
                return


def _doubles(text: str) -> Iterator[Double]:
    for match in MODULE.finditer(text):
        end = closed(text, text.index("(", match.start()), LONGEST)
        if end is not None:
            names = tuple(dict.fromkeys(KEYS.findall(text[match.end() : end])))
            yield Double(names, match["module"] or match["inner"], match.start(), end)
    for match in FUNCTION.finditer(text):
        name = next(filter(None, match.groupdict().values()))
        yield Double((name,), "", match.start(), _statement_end(text, match.start()))


def _statement_end(text: str, at: int) -> int:
    """Behind the brackets of the call, and of those that are called on what it gives."""
    while (bracket := re.compile(r"[^\n({;]*[({]").match(text, at)) is not None:
        end = closed(text, bracket.end() - 1, LONGEST)
        if end is None:
            break
        at = end
        more = re.compile(r"\s*(?:\.|->)|[ \t]*(?:returns|answers)\b[^\n]*|[ \t]*[\w.*]*[ \t]*\{").match(text, at)
        if more is None:
            break
        at = more.end() - (more[0].endswith("{"))
    return at


def _wanted(file: FileChange, region: str, before: str, after: str, first: int, last: int) -> list[int]:
    """The new lines that want what the double gives, in the place of a text that is gone."""
    given = [each for each in _pieces(region) if each not in before]
    gone = [(_literals(line), line) for each in file.removed() if (line := as_text(each))]
    lost = [
        (value, line) for values, line in gone for value in values if value not in after and not value.endswith("/")
    ]
    found: list[int] = []
    for number, data in file.added():
        if first <= number <= last:
            continue
        line = as_text(data)
        wanted = [value for value in _literals(line) if any(_holds(value, piece) for piece in given)]
        if any(_in_place(value, line, old, was) for value in wanted for old, was in lost):
            found.append(number)
    return found


def _literals(line: str) -> list[str]:
    texts = [next(filter(None, match.groups()), "") for match in STRING.finditer(line)]
    return [*(each for each in texts if len(each) >= SHORTEST), *NUMBER.findall(STRING.sub("", line))]


def _pieces(region: str) -> list[str]:
    """What of the texts of a double is written down: `,sig=test` of a template."""
    texts = [next(filter(None, match.groups()), "") for match in STRING.finditer(region)]
    parts = [part for text in texts for part in HOLES.split(text) if len(part) >= SHORTEST]
    return [*parts, *NUMBER.findall(STRING.sub("", region))]


def _holds(value: str, piece: str) -> bool:
    return value == piece or (piece in value and not piece.isdigit() and WORDS.search(piece) is not None)


def _in_place(value: str, line: str, old: str, was: str) -> bool:
    """The line is the same but for it, or the two are made alike."""
    if _bare(line) == _bare(was):
        return True
    shared = set(WORDS.findall(value)) & set(WORDS.findall(old))
    return len(shared) > 1 or (len(shared) == 1 and bool(re.search(r"[=:]", old)) and bool(re.search(r"[=:]", value)))


def _bare(line: str) -> str:
    return NUMBER.sub("0", STRING.sub("''", line)).strip()


def _of_product(double: Double, path: str, change: Change) -> str:
    """The function of the project that it stands for, which only computes."""
    paths = [each for each in change.blobs.paths_before() if not is_support(each) and not TEST_PLACE.search(each)]
    if double.module:
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(path), double.module))
        ending = meant if double.module.startswith(".") else double.module.partition("/")[2]
        stem = posixpath.splitext(ending)[0] if ending.endswith((".js", ".ts", ".mjs", ".cjs")) else ending
        paths = [each for each in paths if re.fullmatch(rf"(?:.*/)?{re.escape(stem)}(?:/index)?\.\w+", each)]
    else:
        spoken = language_of(path)
        paths = [each for each in paths if language_of(each) == spoken]
    for each in nearest(paths, change, MOST_FILES):
        text = as_text(change.blobs.after(each) or b"")
        for name in double.names:
            declared = (
                name in text and re.search(DECLARED.replace("NAME", re.escape(name)), text, re.MULTILINE) is not None
            )
            if declared and OUT_OF_REACH.search(text) is None:
                return name
    return ""


def _was_doubled(name: str, before: str) -> bool:
    return any(name in double.names for double in _doubles(before))


def _is_called(name: str, path: str, rest: str, change: Change) -> bool:
    """Tests ask the real function by itself."""
    call = re.compile(rf"(?<!\w){re.escape(name)}\(|<{re.escape(name)}\b")
    if call.search("\n".join(line for line in rest.split("\n") if not FUNCTION.search(line))):
        return True
    spoken = language_of(path)
    paths = [each for each in change.blobs.paths_after() if each != path and TEST_PLACE.search(each)]
    alike = [each for each in paths if language_of(each) == spoken]
    texts: Sequence[str] = [as_text(change.blobs.after(each)) for each in nearest(alike, change, MOST_FILES)]
    return any(name in text and call.search(text) is not None for text in texts)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (wanted_of_double,)
