"""What carries a value from where it is written to where a test compares with it.

A carrier is the one place of a file that gives a literal to a name: a constant, an attribute that a set-up fills, a
member of an object, a function that gives nothing else. It is found where an edit of one line changes just the literal.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.model import FileChange
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

LITERAL = later(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|(?<![\w.])-?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?[a-zA-Z]{0,3}"
    r"|\b(?:true|false|True|False|nil|None|null)\b"
)
ENDS = later(r"\s*(?:[;,)\]}]|end\b)*\s*(?:(?://|#).*)?$")
"""What may stand behind the literal."""
GO = later(r"\s*(?:const\s+|var\s+)?(?P<name>(?!(?:const|var|let|val)\b)[A-Za-z_]\w*)\s+[\w.*\[\]]+\s*=\s*$")
GIVEN = later(r"(?P<name>(?:(?:self|this|cls)\.|\$this->|@{1,2}|\$)?[A-Za-z_]\w*)\s*(?::\s*[^=,(){}]+)?\s*:?=\s*$")
MEMBER = later(r"(?P<key>[A-Za-z_]\w*|\"\w+\"|'\w+'|:\w+)\s*(?::|=>)\s*$")
OWNER = later(
    r"(?P<owner>[A-Za-z_]\w*)\s*(?::\s*[^={]+)?:?=\s*(?:[\w.&*]*\s*(?:\[\w*\])?[\w.]*\s*(?:\{[^{}\n]*\}\s*)?)?[{(]"
)
LETS = later(r"\blet!?\(:(?P<name>\w+)\)\s*(?:\{|do)\s*$")
AT_ONCE = later(
    r"\b(?:def|func|fun|fn|function)\s+(?P<named>\w+)\s*(?:\(\s*\))?[^(){}=]*(?:\{\s*(?:return\s+)?|=>?\s*|:\s*return\s+)$"
    r"|(?P<arrow>[A-Za-z_]\w*)\s*(?:=\s*)?\(\s*\)\s*=>\s*$"
)
OF_CLASS = later(r"\b(?:class|struct|object|interface|record|module|trait|impl|enum|describe|context|extension)\b")
FIELDS = later(r"\.(?:java|kts?|cs|swift|php|scala|dart|cpp|cc|h)$")
"""Languages in which a field needs nothing before its name where a method gives it a value."""
RETURNS = later(r"\s*(?:return\s+)?$")
HEAD = later(
    r"\b(?:def|func|fun|fn|function)\s+(?P<named>\w+)\s*(?:\(\s*(?:&?self|cls)?\s*\))?[^()]*$"
    r"|(?P<typed>[A-Za-z_]\w*)\s*\(\s*\)\s*\{?\s*$|(?P<arrow>[A-Za-z_]\w*)\s*=\s*\(\s*\)\s*=>\s*\{\s*$"
)
DECLARES = later(
    r"\s*(?:(?:private|protected|public|internal|static|final|readonly|lateinit|var|val|let|const|mut)\s+)+[^=()]*$"
)
"""A line that only says that there is such a name."""
IMPORTS = later(r"\s*(?:import|from|use|using|export|(?:async\s+)?def)\b|.*\brequire(?:_relative)?[ (]")
"""A line that brings a name from elsewhere, or asks for it by a parameter."""
WORDS = frozenset({"if", "while", "for", "switch", "return", "catch", "else"})
LONGEST = 300
FARTHEST = 60
"""Lines between an object's first line and one of its members."""
THROUGH = r"(?:(?:self|this|cls|Self|[A-Z]\w*|{0})(?:\.|::|->))?"
"""How a name is called by what it belongs to; a module by the name of its file."""


@record
class Carrier:
    """`used` finds what stands for the value."""

    name: str
    path: str
    line: int
    old: str
    new: str
    given: re.Pattern[str]
    """Where the name is given something: more than one such place tells nothing."""
    used: re.Pattern[str]

    @property
    def word(self) -> str:
        """What stands wherever the name does."""
        return self.name.rpartition(".")[2].lstrip("@$")

    def is_used_in(self, text: str) -> bool:
        return self.word in text and self.used.search(text) is not None


def carriers(file: FileChange, lines: Callable[[], Sequence[str]]) -> Iterator[Carrier]:
    """Those that a changed file gives another value; `lines` are the head's, which few edits ask for."""
    for number, was, now in file.rewritten():
        edit = _edited(was, now)
        carrier = _carrier(file.path, lines(), number, *edit) if edit is not None else None
        if carrier is not None:
            yield carrier


def is_declaring(line: str, carrier: Carrier) -> bool:
    """The name stands there as itself."""
    if carrier.given.search(line) is not None or DECLARES.match(line) is not None:
        return True
    return IMPORTS.match(line) is not None


def _edited(was: str, now: str) -> tuple[str, re.Match[str]] | None:
    """The one literal that was, and what stands in its place."""
    if max(len(was), len(now)) > LONGEST or LITERAL.sub("0", was).split() != LITERAL.sub("0", now).split():
        return None
    pairs = zip(LITERAL.finditer(was), LITERAL.finditer(now), strict=False)
    different = [(one[0], other) for one, other in pairs if one[0] != other[0]]
    return different[0] if len(different) == 1 else None


def _carrier(path: str, lines: Sequence[str], number: int, old: str, literal: re.Match[str]) -> Carrier | None:
    before, behind = literal.string[: literal.start()], literal.string[literal.end() :]
    new = literal[0]
    if (member := MEMBER.search(before)) is not None:
        owner = _owner(before[: member.start()], lines, number)
        key = member["key"].strip("\"':")
        if not owner:
            return None
        by_owner = rf"\b{owner}(?:\??\.|->|::){key}\b(?!\()|\b{owner}\[\s*[\"':]{key}[\"']?\s*\]"
        given = rf"(?<![\w.]){owner}\s*(?::[^=\n]+)?:?=(?!=)"
        return Carrier(f"{owner}.{key}", path, number, old, new, re.compile(given), re.compile(by_owner))
    if ENDS.match(behind) is None:
        return None
    if function := _function(before, lines, number):
        return called(path, number, function, old, new)
    target = target_of(before)
    return named(path, number, target, old, new) if target and not is_local(path, lines, number, target) else None


def target_of(before: str) -> str:
    """What is given the value behind this beginning of a line, its equals sign included."""
    target = GO.match(before) or (GIVEN.search(before) if "(" not in before else None)
    return str(target["name"]) if target is not None else ""


def is_local(path: str, lines: Sequence[str], number: int, name: str) -> bool:
    """A variable of a function, which its language's reader follows: neither an attribute nor what a class has."""
    line = lines[number - 1] if number <= len(lines) else ""
    if not depth(line) or not name[0].isalpha() or "." in name:
        return False
    above = (each for each in reversed(lines[: number - 1]) if each.strip(" \t{}") and depth(each) < depth(line))
    around = next(above, "")
    fills_field = FIELDS.search(path) is not None and line.lstrip().startswith(name)
    return not fills_field and OF_CLASS.search(around[:LONGEST]) is None


def named(path: str, line: int, name: str, old: str, new: str) -> Carrier:
    """A constant, or an attribute that a set-up fills."""
    word = re.escape(name)
    own = rf"(?<![\w.$@]){word}\b" if not name[0].isalpha() or "." in name else ""
    used = own or rf"(?<![\w.@$\"']){_through(path)}{word}\b(?!\s*\()"
    given = rf"(?<![\w.$@]){word}\b\s*(?::\s*[^=\n(){{}}]+|\s[\w.*\[\]]+)?\s*:?=(?![=>~])"
    return Carrier(name, path, line, old, new, re.compile(given), re.compile(rf"{used}(?!\s*:?=(?![=~]))"))


def called(path: str, line: int, name: str, old: str, new: str) -> Carrier:
    """A function that gives nothing else; Ruby calls it without parentheses, and pytest by a parameter."""
    given = (
        rf"\b(?:def|func|fun|fn|function|let!?\(:)\s*{name}\b|(?<![\w.]){name}\s*=\s*\("
        rf"|\w\s+{name}\(\s*\)\s*(?:\{{|=>)"
    )
    bare = r"|\b(?!\s*[=(])" if path.endswith((".rb", ".py")) else ""
    used = rf"(?<![\w.@:\"']){_through(path)}{name}(?:\(\s*\){bare})"
    return Carrier(name, path, line, old, new, re.compile(given), re.compile(used))


def _through(path: str) -> str:
    return THROUGH.format(re.escape(posixpath.basename(path).partition(".")[0]))


def _owner(before: str, lines: Sequence[str], number: int) -> str:
    """The name of the object of which a member is given something, on its line or above."""
    found = OWNER.search(before)
    if found is not None:
        return found["owner"]
    deep = depth(lines[number - 1]) if number <= len(lines) else 0
    for line in reversed(lines[max(0, number - 1 - FARTHEST) : number - 1]):
        if line.strip() and depth(line) < deep:
            opening = OWNER.search(line[:LONGEST])
            return opening["owner"] if opening is not None else ""
    return ""


def _function(before: str, lines: Sequence[str], number: int) -> str:
    """The name of a function that gives nothing but the literal."""
    at_once = LETS.search(before) or AT_ONCE.search(before)
    if at_once is not None:
        return first_of(at_once)
    above = lines[number - 2][:LONGEST] if 1 < number <= len(lines) and RETURNS.fullmatch(before) else ""
    head = HEAD.search(above) or LETS.search(above)
    if head is None or not set(head.groups()).isdisjoint(WORDS):
        return ""
    if not before.strip() and not above.lstrip().startswith(("def ", "fn ", "pub fn ", "let")):
        return ""  # only there the last expression is the answer
    return first_of(head)


def first_of(match: re.Match[str]) -> str:
    """The name, by whichever of its ways it was found."""
    return str(next(filter(None, match.groups())))
