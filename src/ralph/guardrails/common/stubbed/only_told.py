"""Functions that worked and now only tell a log of it (policy set v2, class G19): all languages, by their lines.

Rules, for a function of the product that both sides have:

- All that it does is to write a line into a log, or to drop what it was given (`_ = order`, `drop(item)`), whatever
  constant it gives back behind that; the base did something. A function that says that it is deprecated, that printed
  before, or whose work stands elsewhere in the change, is no matter of this rule.
- Of a language whose functions nobody else compares (`COMPARED`): a number or a text stands where it worked.
- What it works out is thrown away: it has the work of the base still, and gives a constant in the place of the variable
  that the work went into.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.stubbed.functions import FLAG, LATER, arrived
from ralph.guardrails.common.stubbed.unwritten import COMPARED, STUBBED
from ralph.guardrails.inventory.readers import holds_tests, is_support, language
from ralph.guardrails.languages import SUFFIXES
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import bare, depth
from ralph.record import record
from ralph.system.patterns import later

SPOKEN = frozenset((*SUFFIXES, "swift", "scala", "dart", "elixir")) - {"shell"}
_LOGS = (
    r"(?:[\w$@.>:-]*?(?:\b|_)(?:log(?:ger|ging|s)?|Log|LOG|LOGGER|slog|tracing|spdlog|Timber)\b[\w.()>:$-]*?(?:\.|->|::))?"
    r"(?:trace|debug|info|notice|warn(?:ing)?|error|exception|log|Log\w+|print\w*|Print\w*|WriteLine|puts|p|echo|error_log"
    r"|[A-Z]*LOG[A-Z_]*|NSLog|sleep|Sleep)"
)
TELLS = later(
    rf"(?:return\s+)?(?:await\s+)?(?:(?:console|fmt|System\.out|System\.err|Console|logging|warnings|time|std::cout|std::cerr"
    rf"|builtins)(?:\.|\b))?{_LOGS}!?\s*(?:[({{\"'$<]|<<)[^\n]*|std::c(?:out|err)\s*<<[^\n]*|echo\s[^\n]*|puts\s[^\n]*"
    rf"|logg?er\.\w+[\s({{][^\n]*"
)
"""A line in a log, and nothing else."""
DROPS = later(
    r"(?:let\s+|var\s+|val\s+)?_\s*=\s*\(?[\w.&, ]+\)?;?|void\s+\w+;?|drop\(\w+\);?|del\s+[\w, ]+"
    r"|(?:return\s+)?await\s+Promise\.resolve\(\);?|\(void\)\s*\w+;"
)
CONSTANT = (
    r"(?:(?:Ok|Some|Promise\.resolve)\()?(?:-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|:\w+|true|false|True|False|nil|null|None|undefined|\(\)"
    r"|\[\]|\{\})?\)?(?:,\s*nil)*"
)
IDLE = later(rf"(?:pass|\.\.\.|continue|[{{}}()\[\];,]*|end|(?:return\b\s*)?{CONSTANT})\s*;?")
LITTLE = later(r"(?:pass|\.\.\.|[{}()\[\];,]*|end|return\s*;?)")
GIVES = later(rf"return\s+(?P<what>{CONSTANT})\s*;?|(?P<last>-?\d[\w.]*|\"[^\"\n]*\"|true|false)")
GAVE = later(r"(?:return\s+)?\$?(?P<name>[A-Za-z_]\w*)\s*;?")
PRINTS = later(
    r"(?i)\b(?:\w*print\w*|puts|echo|WriteLine|stdout|stderr|cout|cerr|console|log\w*|warn\w*|debug|info|trace)\b"
)
EXCUSED = later(r"(?i)deprecat|obsolete|no-?op\b|no longer|retired|removed|unsupported|not supported")
TELLER = later(r"(?i)log|print|show|usage|help|display|debug|dump|report|trace|warn|notify|announce|banner|describe")
"""What a function is called whose work it is to tell something."""
HEAD = later(
    r"^\s*(?:[\w@]+(?:\([\w :]+\))?\s+)*?(?:def|func|function|fn|fun)\s+(?:\([^()]*\)\s*)?(?:self\.)?"
    r"(?P<plain>\w+[?!]?)"
    r"|^\s*(?:export\s+)?(?:default\s+)?(?:const|let)\s+(?P<arrow>\w+)\s*=[^\n]*(?:=>|function)[^\n]*\{\s*$"
    r"|^\s*(?:[\w<>\[\],.:*&?~]+\s+)+[*&]?(?P<typed>[\w:~]+)\s*\([^;{}\n]*\)[\w\s,.]*\{?\s*$"
    r"|^\s+(?:async\s+|static\s+)*(?P<method>\w+)\([^;{}\n]*\)(?:\s*:\s*[^\n{]+)?\s*\{\s*$"
)
NO_NAME = frozenset(
    ("if", "for", "while", "switch", "catch", "with", "when", "return", "else", "foreach", "using", "lock")
)
NOTE = later(r"(?m)(?<![:\"'])(?://|#(?![\[{]))[^\n]*|^\s*(?:\*|/\*)[^\n]*")
DOCSTRING = later(r"(?s)^\s*(?:\"\"\".*?\"\"\"|'''.*?''')")
WORTH = later(
    rb"(?i)log|print|puts|echo|warn|write|cout|cerr|\b_\s*=|\bvoid\b|\bdrop\(|\bdel\b|resolve\(|return\s+[-\d\"'tfTFN]|(?m:^\s*(?:-?\d\w*|true|false)\s*$)"
)
PLAIN = frozenset(("str", "repr", "len", "format", "String", "JSON", "type", "id", "vars", "dict", "list"))
STRING = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
SAME = 0.6
"""So much of the work elsewhere in the change means that it moved."""
LONGEST_LINE = 300
LONGEST = 400_000


@record
class Function:
    """The number of its head's line, from 0, its body line by line, and what it says without comments."""

    line: int
    name: str
    head: str
    body: tuple[str, ...]

    @property
    def steps(self) -> list[str]:
        text = DOCSTRING.sub("", "\n".join(map(_without_note, self.body)))
        return [step for line in _joined(text.split("\n")) for step in _statements(line) if step]


def only_told(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_products(change, WORTH):
        for was, new, now in edited_functions(file, change):
            if told := _told(was, new, now, spoken, change):
                yield stubbed_hit(file, spoken, new, now, f"{new.name} {told}")


def edited_products(change: Change, worth: re.Pattern[bytes]) -> Iterator[tuple[FileChange, str]]:
    """The edited files of the product, and their languages, whose added lines hold what is worth a look."""
    for file in change.files:
        if file.status != "M" or file.binary or is_support(file.path) or not worth.search(file.added_text):
            continue
        spoken = language(file, change)
        if spoken in SPOKEN and not holds_tests(file.path, spoken):
            yield file, spoken


def edited_functions(file: FileChange, change: Change) -> Iterator[tuple[Function, Function, Sequence[str]]]:
    """Each function that both sides have and the change edits, as it was and as it is, and the head's lines."""
    before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
    if max(len(before), len(after)) > LONGEST:
        return
    touched = {number - 1 for number, _ in file.added()}
    now = after.decode("utf-8", "replace").split("\n")
    old = {(each.name, at): each for each, at in numbered(before.decode("utf-8", "replace").split("\n"))}
    for new, at in numbered(now):
        was = old.get((new.name, at))
        if was is None or was.body == new.body:
            continue
        if touched.intersection(range(new.line, new.line + len(new.body) + 2)):
            yield was, new, now


def stubbed_hit(file: FileChange, spoken: str, new: Function, now: Sequence[str], detail: str) -> Hit:
    rule = STUBBED.get(spoken, "code.stubbed")
    return hit_at(rule, file.path, new.line + 1, detail, now[new.line].strip())


def _told(was: Function, new: Function, now: Sequence[str], spoken: str, change: Change) -> str:
    around = "\n".join((*now[max(new.line - 4, 0) : new.line + 1], *new.body))
    if TELLER.search(new.name) or EXCUSED.search(around):
        return ""
    old, steps = was.steps, new.steps
    if _only_tells(steps) and not _only_tells(old, also=False) and not has_moved(old, steps, change):
        printed = any(PRINTS.search(each) for each in old)
        return "" if printed and not re.search(LATER, around) else "only tells a log that it was called"
    if spoken not in COMPARED and _is_fixed(was, old, steps):
        return "" if has_moved(old, steps, change) else "gives a constant now"
    return "works something out and gives a constant" if _thrown_away(old, steps) else ""


def _is_fixed(was: Function, old: Sequence[str], steps: Sequence[str]) -> bool:
    """A constant stands in the place of what was worked out of the parameters."""
    gives = GIVES.fullmatch(steps[0]) if len(steps) == 1 else None
    if gives is None or len(old) < 2 or not re.search(r"\d|[\"']", gives[0]) or FLAG.search(was.name):
        return False
    given = re.findall(r"\w+", was.head.partition("(")[2].rpartition(")")[0])
    return any(re.search(rf"(?<!\w){each}\b", step) for each in given for step in old)


def _only_tells(steps: Sequence[str], *, also: bool = True) -> bool:
    """Nothing is done but to tell, or to drop; `also`: and that is done. What drops and then gives a constant is a
    constant, which others look at."""
    idle = [IDLE.fullmatch(each) is not None for each in steps]
    tells = [TELLS.fullmatch(each) is not None and not _works(each) for each in steps]
    drops = [DROPS.fullmatch(each) is not None for each in steps]
    gives = any(one and LITTLE.fullmatch(each) is None for one, each in zip(idle, steps, strict=True))
    done = any(tells) or (any(drops) and not gives)
    return all(map(any, zip(idle, tells, drops, strict=True))) and (done or not also)


def _works(step: str) -> bool:
    """What it tells is worked out there."""
    told = step.partition("(")[2] if not step.startswith(("logging.getLogger", "getLogger")) else ""
    return any(name not in PLAIN for name in re.findall(r"(?<![\w.])([a-zA-Z_]\w*)\(", STRING.sub("", told)))


def has_moved(old: Sequence[str], steps: Sequence[str], change: Change) -> bool:
    work = {bare(each) for each in old if IDLE.fullmatch(each) is None and each not in steps}
    elsewhere = arrived(change)
    return sum(each in elsewhere for each in work) >= SAME * len(work)


def _thrown_away(old: Sequence[str], steps: Sequence[str]) -> bool:
    """The work is there, and its answer is not given."""
    if len(steps) < 2 or len(old) < 2 or old[:-1] != steps[:-1]:
        return False
    gave, gives = GAVE.fullmatch(old[-1]), GIVES.fullmatch(steps[-1])
    if gave is None or gives is None or IDLE.fullmatch(old[-1]) is not None:
        return False
    name = re.escape(gave["name"])
    return any(re.search(rf"(?<!\w){name}\s*(?:[-+*/|&]=|(?:\.|->|::)\w+\(|<<)", each) for each in steps[:-1])


def numbered(lines: Sequence[str]) -> Iterator[tuple[Function, int]]:
    """Each function, and how many of its name stand before it."""
    seen: Counter[str] = Counter()
    for number, line in enumerate(lines):
        match = HEAD.search(line) if len(line) <= LONGEST_LINE and ("(" in line or "def " in line) else None
        name = next(filter(None, match.groups()), "") if match is not None else ""
        if name and name not in NO_NAME and line.split()[0] not in NO_NAME:
            yield Function(number, name, line, tuple(_below(lines, number))), seen[name]
            seen[name] += 1


def _below(lines: Sequence[str], at: int) -> Iterator[str]:
    deep = depth(lines[at])
    for line in lines[at + 1 :]:
        if line.strip() and depth(line) <= deep:
            if line.strip() not in ("{", ")", ") {"):
                return
            continue
        yield line


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Statements, with what goes on over several lines in one."""
    held = ""
    for line in map(str.strip, lines):
        held = f"{held} {line}" if held else line
        if held.count("(") + held.count("[") <= held.count(")") + held.count("]"):
            yield held
            held = ""
    if held:
        yield held


def _without_note(line: str) -> str:
    """The code of a line; what stands in quotes is no comment."""
    note = NOTE.search(STRING.sub(lambda text: "_" * len(text[0]), line))
    return line if note is None else line[: note.start()]


def _statements(line: str) -> list[str]:
    return [line] if '"' in line or "'" in line or "for" in line else [each.strip() for each in line.split(";")]


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (only_told,)
