"""Branches that worked and now say that they are not written (policy set v2, class G19): all languages, by their lines.

Whole functions are compared by `functions` and its siblings. Here it is one arm of a `match`, one `case`, one `if`,
and, of languages whose functions are not compared (PHP, Swift, C, Dart, Scala, ...), the function.

Rules:

- The line blocks that refuses with the words of work to come (`todo!()`, `NotImplementedException`, a text like "not
  implemented"), where the same head, of which the base had the line, led to work that stands nowhere in the change.
- What takes all that nothing else took (`else`, `default`, `_`) may refuse: so a programme learns to say no.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.common.stubbed.functions import arrived
from ralph.guardrails.inventory.readers import is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.texts import bare, depth, lines_of
from ralph.system.patterns import later

SAID = r"(?i:not[ _-]*(?:yet[ _-]*)?(?:been[ _-]*)?implement|unimplemented|implement(?:ed)? (?:me|this)|\btodo\b)"
WORDS = prefilter(
    (r"not[ _-]?(?:yet[ _-]?)?(?:been )?implement", r"unimplemented", r"implement(?:ed)? (?:me|this)", r"\btodo\b")
)
REFUSES = later(
    r"(?<![\w.])(?:return\s+)?(?:(?:(?:std|core)::)?(?:todo|unimplemented)!|TODO\("
    r"|(?:raise|fail|throw|panic!?|fatalError|preconditionFailure|abort|die|croak|error)\b[^\n]*" + SAID + r"|"
    r"(?:nil,\s*)?(?:Promise\.reject|errors\.New|fmt\.Errorf|Err|Left|Result\.failure|\.failure)\([^\n]*" + SAID + r")"
)
"""A statement that says so."""
HEAD = later(r"^[}\s]*(?:(?:else[ \t]+)?if|elsif|elif|case|when|is|in|for|while|unless|guard)\b")
FIRST = r"(?P<first>[\w:.\"'!]*[\w\"'!])"
CASE = later(rf"^\s*(?:(?:case|when|is|in)\b\s*)+{FIRST}[^\n]*?(?:=>|->|\bthen\b|:(?=\s|$)|$)\s*\{{?")
ARROW = later(rf"^\s*(?:\|\s*)?{FIRST}[^\n=;{{}}]*?(?:=>|->)\s*\{{?")
"""The heads of arms. One is the same if it starts alike: it may name what it takes otherwise."""
ALL_ELSE = later(r"^[}\s]*(?:else\b(?![ \t]*if\b)|default\b|_(?!\w)|otherwise\b|case[ \t]+_(?!\w))")
FUNCTION = later(
    r"^\s*(?:[\w<>:&*\[\]?,]+\s+)*(?:fun|func|function|def|fn|sub)\s+[&\w?!.]+\s*[(<]"
    r"|^\s*(?:[\w<>:&*?\[\]]+\s+)+[&*]?\w+\([^;{}\n]*\)\s*(?:async\s*)?(?:=>.*|\{?\s*$)"
)
COMPARED = frozenset(
    ("python", "javascript", "typescript", "tsx", "vue", "go", "rust", "java", "kotlin", "csharp", "ruby")
)
"""The languages whose functions are compared as such."""
WITH_ARROWS = frozenset(("rust", "java", "kotlin", "csharp", "php", "scala", "dart", "elixir"))
"""Where an arrow leads from a case to its answer; elsewhere it makes a function."""
STUBBED = {"python": "py.stubbed", **dict.fromkeys(("javascript", "typescript", "tsx", "vue"), "js.stub")}
WORK = later(r"[-+*/%<>&|]|\w[?!]?\(|\.\w")
FARTHEST = 200
"""Lines above a statement at which its head stands."""
NOTE = later(r"^\s*(?://|#(?!\[)|/\*|\*|--|$)")


def unwritten(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or is_support(file.path) or not WORDS.matches(file.added_text):
            continue
        if (spoken := language(file, change)) is not None:
            yield from _of_file(file, spoken, change)


def _of_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    after, before = lines_of(change.blobs.after(file.path)), lines_of(change.blobs.before(file.path))
    came = arrived(change)
    for hunk in file.hunks:
        led: Mapping[str, Sequence[str]] | None = None
        for row, line in enumerate(hunk.added, start=hunk.new_start - 1) if hunk.removed else ():
            said = REFUSES.search(text := line.decode("utf-8", "replace"))
            head = _head(after, row, said.start()) if said is not None else ""
            if not _branches(head, spoken):
                continue
            led = _led_by_heads(hunk, before, spoken) if led is None else led
            was = next((each for each in led.get(_key(head, spoken), ()) if _worked(each, came)), None)
            if was is not None:
                rule = STUBBED.get(spoken, "code.stubbed")
                yield hit_at(rule, file.path, row + 1, f"{head.strip()} led to {was.strip()}", text)


def _head(lines: Sequence[str], row: int, start: int) -> str:
    """What leads to a statement: what stands before it in its line, or the next line above that is indented less."""
    if before := lines[row][:start].strip():
        return before
    above = (line for line in reversed(lines[max(0, row - FARTHEST) : row]) if not NOTE.search(line))
    return next((line for line in above if line.strip() != "{" and depth(line) < depth(lines[row])), "")


def _led_by_heads(hunk: Hunk, before: Sequence[str], spoken: str) -> Mapping[str, Sequence[str]]:
    """The lines that are gone, by the head that led to them."""
    led: dict[str, list[str]] = {}
    for row in range(hunk.old_start - 1, hunk.old_start - 1 + len(hunk.removed)):
        arm = _arm(before[row], spoken)
        if arm is not None and (rest := before[row][arm.end() :].strip()):
            led.setdefault(_key(arm[0], spoken), []).append(rest)
        led.setdefault(_key(_head(before, row, 0), spoken), []).append(before[row])
    return led


def _arm(line: str, spoken: str) -> re.Match[str] | None:
    return CASE.match(line) or (ARROW.match(line) if spoken in WITH_ARROWS and FUNCTION.search(line) is None else None)


def _branches(head: str, spoken: str) -> bool:
    if not head or ALL_ELSE.search(head):
        return False
    if FUNCTION.search(head) is not None and HEAD.search(head) is None:
        return spoken not in COMPARED
    return HEAD.search(head) is not None or _arm(head, spoken) is not None


def _key(head: str, spoken: str) -> str:
    arm = _arm(head, spoken)
    return f"arm {arm['first']}" if arm is not None else bare(head).lstrip("}")


def _worked(line: str, came: str) -> bool:
    """It did something, and does it nowhere in the change."""
    works = WORK.search(line) is not None and not NOTE.search(line) and not REFUSES.search(line)
    return works and bare(line) not in came


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unwritten,)
