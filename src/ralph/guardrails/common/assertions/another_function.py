"""Helpers and assertions in whose place a test file puts another function of that name (policy set v2, class G05).

Rule, in any language: the base called something that asserts, a function of the file (`check`) or of a library
(`assertEqual`, `assert.Equal`), and the call stands there as it stood. The change declares the name once more where the
call sees it: as a function in the test, a method of its class, a variable, a parameter, a name for something else that
is imported, a double. It blocks where the new one asserts nothing, or compares nothing where the old one compared.

A function that was only edited is compared with what it was by others. Of a name that now stands for a function that
nobody can see (`check = check_strictly`), nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.beside_tests import edited_helpers
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(
    rb"\b(?:def|func|fun|function|fn|void|alias|lambda|macro_rules!|setattr|receive|as|print)\b|=>|:?=\s|\|[^|\n]*\|"
)
DECLARED = (
    later(r"\b(?:def|function|fun|fn|func|void|bool|int|macro_rules!)\s+(?:self\.)?(?P<name>\w+)(?P<body>[^\n]*)"),
    later(
        r"^\s*(?:const|let|var|val|auto)?\s*(?:mut\s+)?(?:\$|self\.)?(?P<name>\w+)\s*(?::[^=\n]+)?:?=(?![=>])\s*(?P<body>[^\n]*)"
    ),
    later(r"[(,]\s*(?P<name>\w+)\s*=(?!=)\s*(?P<body>print|puts|id|str|repr|lambda[^\n]*|(?:Magic)?Mock\b[^\n]*)"),
    later(r"^\s*alias(?:_method)?\s+:?(?P<name>\w+),?\s+(?P<body>[^\n]*)"),
    later(r"^\s*from [\w.]+ import (?P<body>[^\n]*) as (?P<name>\w+)\s*$"),
    later(r"\bsetattr\([^\n]*?['\"](?:[\w.]*\.)?(?P<name>\w+)['\"],\s*(?P<body>[^\n]+)"),
    later(r"\breceive\(:(?P<name>\w+)\)(?P<body>[^\n]*)"),
    later(r"^\s*(?:\w+\s+)*(?:class|object)\s+(?P<name>Assert(?:ions)?)\b(?P<body>[^\n]*)"),
)
LIBRARY = later(
    r"(?:assert|refute|expect|fail)(?:[A-Z_]\w*)?|Assert(?:ions)?|require|must\w*|should\w*|XCTAssert\w*|ok|is"
)
"""What assertions of libraries are called."""
FAILS = later(
    r"(?i)\b(?:assert\w*|expect\w*|should\w*|require\w*|refute\w*|verify\w*|check\w*)\b|\braise\b|\bthrow\b|\bpanic|\bfail"
    r"|\bsuper\b|\.(?:Error|Fatal|Fail)\w*\(|\babort\b|\bexit\("
)
NOTES = later(r"(?:^|\s)(?:#|//)[^\n]*")
COMPARES = later(r"(?i)[!=]==?|equal|\beq\w*|same|\bsuper\b|differ|cmp|diff|match|\btoBe\b|contain|\bis\b|\bin\b")
SILENT = later(
    r"(?:print|puts|p|id|str|repr|bool|console\.\w+|fmt\.Print\w*|println!?|builtins\.\w+|(?:\w+\.)?(?:Magic)?Mock|noop)"
    r"(?:\([^()]*\))?\s*[,);]*$|lambda\b|\([^()]*\)\s*=>|\(?\w*\)?\s*=>|->\s*\(|\||func\(|function\b|\{\s*\}|\w*[fF]ake\w*\b|new\w*\(t\)"
)
"""What a name is given that asserts nothing, or a function that is written down there."""
SCRIPTS = frozenset(("javascript", "typescript", "tsx", "vue"))
OPERATOR = later(r"\s*(?:return\s+)?(?:void|await|typeof)\b")
"""What stands in front of a call there, and of a name that is declared elsewhere."""
MADE_OF = later(r"\b(?:assert|require|is|qt|should|gomega)\.New\w*\(")
WEAK = later(r"(?:is(?: not)?|!==?|==)\s*(?:None|null|nil|undefined)\b")
"""A comparison that asks for nothing certain."""
LONGEST = 200_000


@record
class Anew:
    """A declaration of the head: the number of its line, from 0, and what stands in it."""

    line: int
    name: str
    body: str


def another_function(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_helpers(change, WORTH):
        before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
        if max(len(before), len(after)) <= LONGEST:
            yield from _found(file, spoken, before, after.decode("utf-8", "replace").split("\n"))


def _found(file: FileChange, spoken: str, before: bytes, now: Sequence[str]) -> Iterator[Hit]:
    text = before.decode("utf-8", "replace")
    was = text.split("\n")
    stood, bodies = frozenset(map(str.strip, was)), {name: body for _, name, _, body in functions_of(before)}
    told, fresh = set[str](), {number - 1 for number, _ in file.added()}
    for each in _declared(file, now):
        if spoken in SCRIPTS and OPERATOR.match(now[each.line]):
            continue
        if each.name in told or each.name.startswith("__") or not _asserted(each.name, bodies, text):
            continue
        if _number(each.name, now) <= _number(each.name, was) or not _asserts_less(each, bodies):
            continue
        reached = (now[row] for row in _reached(each, now) if row not in fresh)
        if any(_calls(line, each.name) and line.strip() in stood for line in reached):
            told.add(each.name)
            detail = f"{each.name} asserts, and is another function here that does not, or that compares nothing"
            yield hit_at("test.weakened", file.path, each.line + 1, detail, now[each.line].strip())


def _declared(file: FileChange, now: Sequence[str]) -> Iterator[Anew]:
    for number, _ in file.added():
        line = NOTES.sub("", now[number - 1]) if number <= len(now) else ""
        for form in DECLARED:
            for match in form.finditer(line):
                below = "\n".join(now[row] for row in _block(now, number - 1))
                yield Anew(number - 1, match["name"], f"{match['body']}\n{below}")


def _asserted(name: str, bodies: dict[str, str], text: str) -> bool:
    """At the base it asserts: a function of the file, or one of a library."""
    if name in bodies:
        return FAILS.search(NOTES.sub("", bodies[name])) is not None
    return LIBRARY.fullmatch(name) is not None and re.search(rf"(?<!\w){name}\s*[!(.<\s]", text) is not None


def _number(name: str, lines: Sequence[str]) -> int:
    """How often it is declared."""
    return sum(
        any(match["name"] == name for match in form.finditer(line))
        for form in DECLARED
        for line in lines
        if name in line
    )


def _asserts_less(anew: Anew, bodies: dict[str, str]) -> bool:
    head, _, below = anew.body.partition("\n")
    code = NOTES.sub("", anew.body)
    if MADE_OF.search(head) or "receive(" in code:
        return False
    if not below.strip() and not SILENT.match(head.strip()) and re.match(r"[\w.]+", head):
        return _is_other_assertion(anew.name, head)
    if FAILS.search(code.replace(f"{anew.name}(", "(", 1) if "super" not in code else code) is None:
        return True
    code = WEAK.sub("", code)
    compared = COMPARES.search(bodies.get(anew.name, "") or anew.name)
    return compared is not None and COMPARES.search(code) is None


def _is_other_assertion(name: str, value: str) -> bool:
    """Of what compares, one that only asks whether there is something: `assertEqual = TestCase.assertIsNotNone`."""
    weak = re.search(r"(?:Not|not_)(?:None|Null|Nil|none|null|nil)\b|True\b|Truthy\b", value)
    return weak is not None and COMPARES.search(name) is not None


def _block(now: Sequence[str], at: int) -> range:
    """What stands deeper below a line."""
    end = at + 1
    while end < len(now) and (not now[end].strip() or depth(now[end]) > depth(now[at]) or now[end].strip() == "{"):
        end += 1
    return range(at + 1, end)


def _reached(anew: Anew, now: Sequence[str]) -> Iterator[int]:
    """The lines from which the name means the new one: its whole block, or the body of what it is handed to."""
    deep = depth(now[anew.line])
    if re.search(rf"[(,]\s*{anew.name}\s*=", now[anew.line]):
        yield from _block(now, anew.line)
        return
    start, end = anew.line, anew.line
    while start > 0 and (not now[start - 1].strip() or depth(now[start - 1]) >= deep):
        start -= 1
    while end + 1 < len(now) and (not now[end + 1].strip() or depth(now[end + 1]) >= deep):
        end += 1
    own = _block(now, anew.line)
    yield from (row for row in range(start, end + 1) if row != anew.line and row not in own)


def _calls(line: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}!?\s*(?:\(|\.\w+\(|\s[@\w\"':\[])", line) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (another_function,)
