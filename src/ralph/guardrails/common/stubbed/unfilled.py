"""An answer that is put together, and into which nothing is put any more (policy set v2, class G19): all languages.

`differences = []`, a loop that only logs, `return differences`: written like work, and always empty.

Rules, for a function of the product that a change adds or edits:

- It makes a list, a map, a set, a text or a count that is empty, gives it back, and names it nowhere between.
- It blocks where the base filled it: the function of that name, or one that gave back what bears the same name or went
  through the same things, and whose lines that filled it are gone and nowhere new. So it is found where a function
  moves to another file, and loses its work on the way.
- What else touches it (a call that is handed it, another name for it) may fill it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import holds_tests, is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import bare
from ralph.record import record
from ralph.system.patterns import later

RULES = {"python": "py.stubbed", **dict.fromkeys(("javascript", "typescript", "tsx"), "js.stub")}
RULE = "code.stubbed"
SPOKEN = frozenset((*RULES, "go", "rust", "java", "kotlin", "csharp", "ruby", "php"))
_EMPTY = (
    r"(?:\[\]|\{\}|set\(\)|list\(\)|dict\(\)|deque\(\)|Counter\(\)|defaultdict\(\w*\)|0(?:\.0)?|\"\"|''|array\(\)"
    r"|new\s+(?:\w+\.)*\w+\s*(?:<[^;\n]*>)?\s*\(\s*\)|(?:mutable)?(?:[lL]ist|[mM]ap|[sS]et)Of(?:<[^\n]*>)?\(\)"
    r"|(?:\w+::)*(?:Vec|String|HashMap|HashSet|BTreeMap|BTreeSet|VecDeque)(?:::<[^\n]*>)?::(?:new\(\)|with_capacity\([^\n]*\))"
    r"|vec!\[\]|(?:Set|Hash|Array)\.new|\[\][\w.*]+\{\}|map\[[^\n]*\{\}|make\((?:\[\]|map\[)[^\n]*\))"
)
MADE = later(
    r"(?m)^[ \t]*(?:[\w<>\[\],.?]+[ \t]+)*\$?(?P<name>[A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?:?=[ \t]*"
    rf"{_EMPTY}[ \t]*;?[ \t]*$|^[ \t]*var[ \t]+(?P<declared>\w+)[ \t]+(?:\[\]|map\[)[\w.*\[\]{{}}]+[ \t]*$"
)
WORTH = later(
    rb"=[ \t]*(?:\[|\{|set\(|list\(|dict\(|0|\"\"|''|new\b|make\(|\w*[lL]istOf|\w*::|vec!|Set|Hash|map)|\bvar\b"
)
LOOP = later(r"^\s*(?:for|foreach|while|until)\b.*|.*\.(?:each|forEach)\b.*")
TELLING = 14
"""A shorter line may stand anywhere."""
LONGEST, MOST_LINES = 300_000, 60


@record
class Gathering:
    """A function that gives back what it fills: the name of that, the lines that fill it, and its loops."""

    function: str
    name: str
    fills: AbstractSet[str]
    loops: AbstractSet[str]


def unfilled(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if not file.binary and file.status in "AMD" and _is_product(file, change)]
    if not any(hunk.removed for file in files for hunk in file.hunks):
        return
    if not any(is_in(WORTH, change.blobs.after(file.path) or b"") for file in files if file.status != "D"):
        return
    gone = {bare(line.decode("utf-8", "replace")) for file in files for hunk in file.hunks for line in hunk.removed}
    fresh = {bare(line.decode("utf-8", "replace")) for file in files for hunk in file.hunks for line in hunk.added}
    found = [(file, *each) for file in files if file.status != "D" for each in _always_empty(file, change)]
    if not found:
        return
    gathering = [each for file in files for each in _gathering(change.blobs.before(file.path) or b"")]
    lost = [each for each in gathering if each.fills & gone and not each.fills & fresh]
    for file, number, function, head, name, body in found:
        if any(_is_same(function, name, body, each) for each in lost):
            rule = RULES.get(language(file, change) or "", RULE)
            detail = f"{function} gives back {name}, into which nothing is put any more"
            yield hit_at(rule, file.path, number + 1, detail, head.strip(), key=f"{function} {name}")


def _is_product(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    return spoken in SPOKEN and not is_support(file.path) and not holds_tests(file.path, spoken)


def _always_empty(file: FileChange, change: Change) -> Iterator[tuple[int, str, str, str, str]]:
    """Functions that the change touches: place, name, head, what they give back, and what stands in them."""
    after = (change.blobs.after(file.path) or b"")[:LONGEST]
    touched = file.added_numbers | {hunk.new_start for hunk in file.hunks}
    for number, function, head, body in functions_of(after):
        last = number + 1 + body.count("\n") + 1
        if last - number > MOST_LINES or touched.isdisjoint(range(number + 1, last + 1)):
            continue
        for name in _made(body):
            if len(re.findall(rf"(?<![\w.]){name}\b", body)) == 2 and _gives(name, body):
                yield number, function, head, name, body


def _gathering(data: bytes) -> Iterator[Gathering]:
    for _, function, _, body in functions_of(data[:LONGEST]):
        for name in _made(body):
            lines = body.split("\n")
            fills = [line for line in lines if _fills(name, line)]
            if fills and _gives(name, body):
                yield Gathering(function, name, frozenset(map(bare, fills)), _loops(lines))


def _made(body: str) -> Iterator[str]:
    for match in MADE.finditer(body):
        yield match["name"] or match["declared"]


def _gives(name: str, body: str) -> bool:
    """As the answer of the function, alone or beside no failure."""
    given = rf"(?:Ok\(|Some\()?\$?{name}\)?(?:,\s*nil)?"
    lines = [line.strip() for line in body.split("\n") if line.strip(" \t}\n") and line.strip() != "end"]
    return re.search(rf"(?m)^\s*return\s+{given}\s*;?\s*$", body) is not None or (
        bool(lines) and re.fullmatch(given, lines[-1]) is not None
    )


def _fills(name: str, line: str) -> bool:
    return (
        re.search(
            rf"(?<![\w.])\$?{name}(?:\.\w+[!?]?\(|\[[^\n]*\]\s*(?:\+|\|\|)?=(?!=)|\s*(?:\+=|<<|\|=)|\s*=\s*append\()",
            line,
        )
        is not None
    )


def _loops(lines: Sequence[str]) -> AbstractSet[str]:
    return frozenset(bare(line) for line in lines if LOOP.match(line) and len(bare(line)) >= TELLING)


def _is_same(function: str, name: str, body: str, was: Gathering) -> bool:
    return function == was.function or name == was.name or not was.loops.isdisjoint(_loops(body.split("\n")))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unfilled,)
