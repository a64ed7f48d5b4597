"""Wanted values that a test was given once, and that the product computes now (policy set v2, class G05).

Rule, for a file of tests in any language: the base gave a name a literal (`WANT = 7`, `let(:want) { 7 }`), and an
assertion that stands there as it stood holds something against that name. The change gives the name something else as
well, or in its place: once more, in a set-up, as a default, a property, a loop. Where that calls the function whose
answer the assertion looks at, the product is compared with itself. It blocks.

What is given where the assertion is not reached by it (a variable of another function), another literal, what a
function that the assertion does not ask gives, and what stands where the name was given what the same function gives,
are no matter of this rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.beside_tests import edited_helpers
from ralph.guardrails.config.node import names
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(rb"[=>{(\[]\s*[^\n]*\w+!?\s*\(|\breturn\b[^\n]*\(|\bdef \w+")
NAMED = r"(?:self\.|this\.|cls\.|[A-Z]\w*\.|\$this->|@{1,2}|\$)?(?P<name>[A-Za-z_]\w*)"
TYPED = r"(?::\s*[\w<>\[\], ]+?\s*)?"
GIVEN = (
    later(
        r"(?:^|\{)\s*(?:(?:export|public|private|protected|internal|static|final|readonly|override|const|let|var|val|mut|lateinit"
        rf"|int|long|double|auto|[sS]tring|bool|boolean|i32|[A-Z]\w*)\s+){{0,6}}{NAMED}\s*{TYPED}(?:[-+*]?=|:=)(?![=>~])\s*(?P<value>[^\n]+)"
    ),
    later(rf"^\s*(?:\w+\s+)*{NAMED}\s*(?::\s*\w+\s*)?(?:get\(\)\s*=|by lazy\s*\{{|=>)\s*(?P<value>[^\n]+)"),
    later(r"\blet!?\(:(?P<name>\w+)\)\s*(?:\{|do)\s*(?P<value>[^\n]+)"),
    later(r"\breceive\(:(?P<name>\w+)\)[^\n]*?(?:and_return\(|\{)(?P<value>[^\n]+)"),
    later(r"\bglobals\(\)\[['\"](?P<name>\w+)['\"]\]\s*=\s*(?P<value>[^\n]+)"),
    later(r"\bsetattr\([^\n]*?['\"](?:[\w.]*\.)?(?P<name>\w+)['\"],\s*(?P<value>[^\n]+)"),
    later(r"\bfor (?P<name>\w+) in (?P<value>[\[(][^\n]+)"),
    later(r"\bparametri[sz]e\(\s*['\"](?P<name>\w+)['\"],\s*(?P<value>[^\n]+)"),
)
DEFAULT = later(rf"[(,]\s*(?:\w+\s+)?(?P<name>\w+)\s*{TYPED}=(?!=)\s*(?P<value>[^\n]+)")
"""A parameter's, on the line that begins its function."""
METHOD = later(r"^\s*def (?P<name>\w+)(?:\((?:self|cls)?\))?(?:\s*->[^:\n]+)?\s*:?$")
VALUE = later(r"^\s*(?:return\s+)?(?P<value>[^\n]+)$")
LENT = 4
"""Lines from a name to the end of what it is given."""
LITERAL = r"(?:-?\d[\d_.]*\w*|'[^'\n]*'|\"[^\"\n]*\"|[\[{(][^()\n]*[\]})])"
ASSERTS = later(r"(?i)assert|expect|should|require|refute|must_|\bcheck|verify|\.(?:Error|Fatal)f?\(|[!=]=")
CALLED = later(r"(?<![\w.])(?:\w+(?:\.|::|->))*(?P<name>[a-zA-Z_]\w*)!?\(")
LOCAL = later(r"^\s*(?:let|const|var|val|final|int|long|double|auto|String|string|bool)\b|:=")
HEAD = later(r"\b(?:def|function|func|fun|fn)\b|=>\s*\{?$|\)\s*(?:\w+\s*)?\{$")
"""What begins a block that alone knows the parameters on its line."""
HOLDER = later(r"^\s*(?:\w+\s+)*(?:class|describe|context|object|module|RSpec|interface|struct)\b")
GLOBAL = later(r"^\s*(?:global|nonlocal)\s+(?P<names>[\w, ]+)")
PLAIN = frozenset(
    names("int str float len list dict set tuple sorted Number String Integer Decimal append format copy Field")
)
"""What makes something of any value."""
TEXT = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
NOTE = later(r"(?:^|\s)(?:#|//)[^\n]*")
LONGEST = 200_000


@record
class Given:
    """A name that an added line gives something that is worked out: the number of the line, from 0."""

    line: int
    name: str
    calls: frozenset[str]


def given_again(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_helpers(change, WORTH):
        before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
        if max(len(before), len(after)) <= LONGEST:
            was, now = before.decode("utf-8", "replace"), after.decode("utf-8", "replace").split("\n")
            yield from _found(file, spoken, was, now)


def _found(file: FileChange, spoken: str, was: str, now: Sequence[str]) -> Iterator[Hit]:
    stood = frozenset(map(str.strip, was.split("\n")))
    seen: set[str] = set()
    fresh = {number - 1 for number, _ in file.added()}
    for each in _given(file, now):
        if each.name in seen or not _was_literal(each.name, was) or _was_made(each, file):
            continue
        reached = (now[row] for row in _reached(each, spoken, now) if row not in fresh)
        if any(_compares(line, each, now) for line in reached if line.strip() in stood):
            seen.add(each.name)
            detail = f"{each.name} was a literal, and is now what {min(each.calls)} gives, which is compared with it"
            yield hit_at("test.weakened", file.path, each.line + 1, detail, now[each.line].strip())


def _given(file: FileChange, now: Sequence[str]) -> Iterator[Given]:
    for number, _ in file.added():
        line = NOTE.sub("", now[number - 1]) if number <= len(now) else ""
        forms = (*GIVEN, DEFAULT) if HEAD.search(line) else GIVEN
        found = [match for form in forms for match in form.finditer(line)]
        below = VALUE.match(now[number]) if number < len(now) and METHOD.match(line) else None
        named = METHOD.match(line)
        pairs = [(match["name"], match["value"]) for match in found]
        pairs += [(named["name"], below["value"])] if named is not None and below is not None else []
        for name, value in pairs:
            if calls := frozenset(CALLED.findall(TEXT.sub("''", value))) - PLAIN - {name}:
                yield Given(number - 1, name, calls)


def _was_made(given: Given, file: FileChange) -> bool:
    """What stood in the line's place gave the name what one of these functions gives, too."""
    hunk = next((each for each in file.hunks if 0 <= given.line + 1 - each.new_start < len(each.added)), None)
    lines = [line.decode("utf-8", "replace") for line in hunk.removed] if hunk is not None else []
    found = (match for line in lines for form in GIVEN for match in form.finditer(NOTE.sub("", line)))
    return not _was_literal(given.name, "\n".join(lines)) and any(
        match["name"] == given.name and given.calls.intersection(CALLED.findall(TEXT.sub("''", match["value"])))
        for match in found
    )


def _was_literal(name: str, was: str) -> bool:
    given = rf"^[ \t]*(?:[\w<>\[\]?]+[ \t]+){{0,5}}(?:self\.|this\.|cls\.|\$this->|@{{1,2}}|\$)?{name}\b"
    given += rf"[ \t]*(?::[ \t]*[\w<>]+[ \t]*)?:?=[ \t]*{LITERAL}[ \t]*[;,]?[ \t]*(?:(?:#|//).*)?$"
    lent = rf"\blet!?\(:{name}\)\s*(?:\{{|do)\s*{LITERAL}\s*(?:\}}|end)"
    told = rf"\bdef {name}\((?:self)?\).*\n\s*(?:return )?{LITERAL}\s*$"
    return re.search(f"(?m){given}|{lent}|{told}", _around(name, was)) is not None


def _around(name: str, text: str) -> str:
    """The lines that hold a name, each with what it may be given below."""
    if name not in text:
        return ""
    lines = text.split("\n")
    near = (number for number, line in enumerate(lines) if name in line)
    return "\n;\n".join("\n".join(lines[number : number + LENT]) for number in near)


def _reached(given: Given, spoken: str, now: Sequence[str]) -> Iterator[int]:
    """The lines that see the name as it is given there."""
    line, deep = now[given.line], depth(now[given.line])
    inside, above = _block(now, given.line), _above(now, given.line)
    if HEAD.search(line) and re.search(rf"[(,]\s*(?:\w+\s+)?{given.name}\b", line):
        yield from inside  # a parameter
    elif spoken == "python" and above is not None and (function := _function_of(now, above)) is not None:
        yield from _block(now, function)  # an attribute of a class that this function alone knows
    elif not deep or (above is not None and HOLDER.match(now[above])) or not _is_local(given, spoken, now):
        yield from range(len(now))
    else:
        yield from inside
        for row in range(given.line + 1, len(now)):
            if now[row].strip() and depth(now[row]) < deep:
                return
            yield row


def _function_of(now: Sequence[str], holder: int) -> int | None:
    """The function in which a class is defined."""
    at = holder if re.match(r"\s+class\b", now[holder]) else None
    while at is not None and not re.match(r"\s*(?:async )?def\b", now[at]):
        at = _above(now, at)
    return at


def _is_local(given: Given, spoken: str, now: Sequence[str]) -> bool:
    line = now[given.line]
    if re.search(rf"(?:\.|->|@|['\"]|:){given.name}\b", line):
        return False
    if spoken == "python":
        named = (GLOBAL.match(each) for each in now[max(given.line - 10, 0) : given.line])
        return not any(match is not None and given.name in match["names"].split(", ") for match in named)
    if LOCAL.search(line) is not None or spoken in ("ruby", "php", "rust"):
        return True
    top = given.line
    while (above := _above(now, top)) is not None and not HOLDER.match(now[above]):
        top = above
    declares = re.compile(rf"(?:{LOCAL.pattern})[^=\n]*\b{given.name}\b|\b{given.name}\b[\w, ]*:=")
    return any(declares.search(each) for each in now[top : given.line])


def _block(now: Sequence[str], at: int) -> range:
    end = at + 1
    while end < len(now) and (not now[end].strip() or depth(now[end]) > depth(now[at])):
        end += 1
    return range(at + 1, end)


def _above(now: Sequence[str], at: int) -> int | None:
    """The line around it."""
    deep = depth(now[at])
    return next((n for n in range(at - 1, -1, -1) if now[n].strip() and depth(now[n]) < deep), None)


def _compares(line: str, given: Given, now: Sequence[str]) -> bool:
    """It holds what one of these functions gives against the name, which is no part of what that is asked."""
    line = TEXT.sub("''", line)
    if not ASSERTS.search(line) or re.search(rf"(?<!\w){given.name}\b", line) is None:
        return False
    for call in given.calls:
        rest = _without(line, call)
        if rest != line and re.search(rf"(?<!\w){given.name}\b", rest):
            return True
    held = [word for word in re.findall(r"\w+", line) if word != given.name]
    asked = "|".join(map(re.escape, sorted(given.calls)))
    sets = re.compile(rf"\b(?:{'|'.join(map(re.escape, held))})\s*(?::\s*\w+\s*)?:?=(?!=)[^\n]*\b(?:{asked})\(")
    return any(sets.search(each) for each in now)


def _without(line: str, call: str) -> str:
    """Without the calls of a function."""
    match = re.search(rf"(?<!\w){re.escape(call)}!?\(", line)
    if match is None:
        return line
    deep, end = 0, len(line)
    for at in range(match.end() - 1, len(line)):
        deep += (line[at] == "(") - (line[at] == ")")
        if not deep:
            end = at + 1
            break
    return line[: match.start()] + "_" + line[end:]


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (given_again,)
