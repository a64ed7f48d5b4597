"""Product code that is still written, and that no longer does anything (policy set v2, class G19), by its lines.

Python has most of it in `python.product.settled`. Rules, for a line of a file that was there before:

- A constant decides it: it gained `|| true` or `&& false`, or `if (true)` took the place of a condition.
- It goes through nothing: `lines.subList(0, 0)`, `&lines[..0]`, `[]` where the base went through something.
- It leaves in front of statements of the base, which nothing reaches any more.
- A loop, or a condition, of the base holds nothing now, or a bare `continue`. Where the first function that it called
  is gone from the file it is for a person: what could only be done with that is. A `continue` in the place of a
  `return` or `break` without an answer leaves, as that did.
- An answer of the base is only a comment now, or a check's answer is a `true` that stands in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.stubbed.functions import FLAG
from ralph.guardrails.common.stubbed.unwritten import STUBBED
from ralph.guardrails.inventory.readers import holds_tests, is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.guardrails.texts import bare, depth, without_note
from ralph.system.patterns import later

SPOKEN = frozenset((*STUBBED, "go", "rust", "java", "kotlin", "csharp", "ruby", "php", "swift", "scala", "dart", "cpp"))
ENDED = frozenset(("java", "csharp", "php", "dart", "cpp", "rust"))
"""Where a statement is not over without its semicolon."""
WORTH = later(
    rb"(?i)\b(?:true|false)\b|\(0(?:, ?0)?\)|\[:0\]|\.\.0\]|\[\]|//|#"
    rb"|(?m:^\s*(?:return|throw|raise|continue|next|pass)\b)"
)
GAINED = later(
    r"\s*\|\|\s*true\b|(?<![\w.])true\s*\|\|\s*|\s*&&\s*false\b|(?<![\w.])false\s*&&\s*|\s+or\s+true\b|\s+and\s+false\b"
)
NOTHING = later(
    r"\.(?:subList|slice)\(0, ?0\)|\.(?:take|first|limit|Take|prefix)\(0\)|\[:0\]|\[\.\.0\]|\[0\.\.\.?0\]|\[0, ?0\]"
)
HEAD = later(r"^\s*(?:\}\s*)?(?P<word>(?:else )?if|elsif|unless|while|for|foreach|until)\b(?P<rest>.*)$")
LOOP = later(r"^\s*(?:for|foreach|while|until|loop)\b|\.(?:each|forEach|map)\b[^\n]*(?:\{|\bdo\b)[^\n]*$")
CONSTANT = later(r"^\s*\(?\s*!?\s*(?:true|false|0|1)\s*\)?\s*(?:\{|then|:)?\s*$")
ENDLESS = later(r"^(?:while|for|foreach)\s*\(?\s*(?:true|1)\b|^until\s*\(?\s*false\b")
"""A loop that something in it ends."""
GUARD = later(r"(?<=\S) (?P<word>if|unless) (?:true|false)$")
LEAVES = later(
    r"^(?:(?:return|throw|raise)\b(?![^{}]*\s(?:if|unless)\s)[^{}]*|if\s*\(?true\)?\s*\{?\s*return\b[^{}]*\}?)$"
)
UNDER = later(r"\b(?:if|unless|else|case|when|default|rescue|while|until)\b|=>|->|\?\s*$|:\s*$|[&|,(=]\s*$")
OPENS = later(
    r"^(?:[})\]]|(?:case|default|else|elsif|when|rescue|ensure|end|catch|finally|public|private|protected|internal|static"
    r"|def|func|fn|fun|function|class|@|#|//|/\*|\*|\.|\?|&&|\|\||[-+*/=]|async|export|override|pub|impl|type|var\s+\w+\s+func"
    r"|\w+\s*:(?!:))(?!\w)|[A-Z]\w*\s*:|$)"
)
"""What may stand below a line that leaves, and be reached otherwise."""
BARE = later(r"^(?:(?:let )?_ = \w+|continue|next|;|pass|\(\)|Unit)?\s*;?$")
GOES = later(r"^(?:return|break|continue|next|last)\s*;?$")
"""It leaves, and says nothing by that."""
CLOSES = later(r"^\s*(?:\}\)?;?|end)\s*$")
LOGGED = later(r"(?i)\b(?:log\w*|console|print\w*|debug|trace|warn|puts|p|fmt\.Print\w*|echo|dump)\b")
ANSWER = later(r"^(?:return\s+|Ok\()?(?P<what>[^;]+?)\)?(?:,\s*nil)?;?$")
YES = later(r"^(?:return\s+)?(?:Ok\()?true\)?(?:,\s*nil)?;?$")
FIXED = later(
    r"^(?:return\s+)?(?:(?:Ok|Some)\()?(?:-?\d[\w.]*|\"[^\"]*\"|'[^']*'|true|false|nil|null|None)\)?(?:,\s*nil)?;?$"
)
DECIDES = later(
    r"(?i)equal|_eq\b|compare|verif|valid|check|match|auth|allow|permit|secure|signature|(?-i:\b(?:[iI]s|[hH]as|[cC]an)[A-Z_])"
)
CALLED = later(r"(?!(?:if|while|for|switch|match|return|not|and|or|len)\b)\b([A-Za-z_]\w*)[!?]?\(")
DEFINES = r"^\s*(?:[\w<>\[\]]+\s+)*(?:def|func|fn|fun|function)\s+(?:\([^()]*\)\s*)?(?:self\.)?{0}\b"
MILDLY = {"python": "py.stubbed-mildly"}
LONG = 6
"""Characters of an answer that says something."""


def decided(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or is_support(file.path) or not _worth(file):
            continue
        spoken = language(file, change)
        if spoken in SPOKEN and not holds_tests(file.path, spoken):
            for (row, told, line), mild in _of_file(file, spoken, change):
                rule = (MILDLY if mild else STUBBED).get(spoken, "code.stubbed-mildly" if mild else "code.stubbed")
                yield hit_at(rule, file.path, row + 1, told, line)


def _worth(file: FileChange) -> bool:
    emptied = any(hunk.removed and not hunk.added for hunk in file.hunks)
    return emptied or WORTH.search(file.added_text) is not None


Told = tuple[int, str, str]


def _of_file(file: FileChange, spoken: str, change: Change) -> Iterator[tuple[Told, bool]]:
    """And whether it is for a person."""
    note = "#" if spoken == "ruby" else "//"
    after = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    fresh = {row for hunk in file.hunks for row in range(hunk.new_start - 1, hunk.new_start - 1 + len(hunk.added))}
    arrived = {bare(after[row]) for row in fresh if row < len(after)}
    for hunk in file.hunks:
        removed = [line.decode("utf-8", "replace") for line in hunk.removed]
        if spoken != "python":
            yield from ((told, False) for told in _lines(hunk, removed, after, fresh, spoken))
            yield from ((told, False) for told in _answers(hunk, removed, after, note))
        gone = [line for line in removed if bare(line) not in arrived]
        if (told := _emptied(hunk, gone, after, ends_by_itself=spoken == "python")) is not None:
            yield told, _is_of_what_is_gone(gone, file, after)


def _is_of_what_is_gone(work: Sequence[str], file: FileChange, after: Sequence[str]) -> bool:
    """The first function that it called was one of this file, and is deleted."""
    called = next((found[1] for line in work if (found := CALLED.search(line)) is not None), "")
    if not called:
        return False
    defines = re.compile(DEFINES.format(re.escape(called)))
    was = any(defines.search(line.decode("utf-8", "replace")) for hunk in file.hunks for line in hunk.removed)
    return was and not any(re.search(rf"\b{re.escape(called)}\b", line) for line in after)


def _lines(hunk: Hunk, removed: Sequence[str], after: Sequence[str], fresh: set[int], spoken: str) -> Iterator[Told]:
    gone = {bare(line).replace("&", "") for line in removed}
    for row in _rows(hunk, after):
        line = without_note(after[row], "#" if spoken == "ruby" else "//").strip()
        for form, why in ((GAINED, "a constant decides it"), (NOTHING, "it goes through nothing")):
            if form.search(line) and bare(form.sub("", line)).replace("&", "") in gone:
                yield row, f"{why}: {line}", line
        head = HEAD.match(line)
        guard = GUARD.search(line)
        guarded = guard is not None and any(f"{line[: guard.start()]} {guard['word']} " in each for each in removed)
        settled = head is not None and CONSTANT.match(head["rest"]) and not ENDLESS.match(line)
        if guarded or (settled and head is not None and _had(head["word"], removed)):
            yield row, f"a constant decides it: {line}", line
        if LEAVES.match(line) and _is_whole(line, spoken) and _cuts_off(row, after, fresh):
            yield row, f"nothing reaches what stands below {line}", line


def _had(word: str, removed: Sequence[str]) -> bool:
    """A condition of the base stood there."""
    heads = (HEAD.match(line) for line in removed)
    return any(head is not None and head["word"] == word and not CONSTANT.match(head["rest"]) for head in heads)


def _is_whole(line: str, spoken: str) -> bool:
    ended = spoken not in ENDED or line.endswith((";", "}"))
    return (
        ended
        and all(line.count(one) == line.count(other) for one, other in ("()", "[]", "{}"))
        and not line.endswith((",", "("))
    )


def _cuts_off(row: int, after: Sequence[str], fresh: set[int]) -> bool:
    """The next statement is the base's, and as deep; and nothing but what stands before it leads to the line."""
    above = next((line.strip() for line in reversed(after[:row]) if line.strip()), "")
    below = next((each for each in range(row + 1, len(after)) if after[each].strip()), None)
    if below is None or below in fresh or depth(after[below]) != depth(after[row]) or not depth(after[row]):
        return False
    opened = above.endswith(("{", "do", "|")) or not UNDER.search(above)
    headless = above.endswith(("{", "do")) or not re.match(r"(?:\}\s*)?(?:else|if|for|while|unless)\b", above)
    return opened and headless and not OPENS.match(after[below].strip())


def _emptied(hunk: Hunk, removed: Sequence[str], after: Sequence[str], *, ends_by_itself: bool) -> Told | None:
    """What is left under a head of the base, where work stood."""
    work = [line.strip() for line in removed if line.strip() and not LOGGED.search(line)]
    first, last = hunk.new_start - 1, hunk.new_start - 1 + len(hunk.added)
    if (
        not work
        or first < 1
        or last >= len(after)
        or not all(BARE.match(after[row].strip()) for row in range(first, last))
    ):
        return None
    if all(GOES.match(line) for line in work) and any(GOES.match(after[row].strip()) for row in range(first, last)):
        return None
    above = first - 2 if after[first - 1].strip() == "{" else first - 1
    head, close = after[above], after[last]
    guards = HEAD.match(head) is not None or LOOP.search(head) is not None
    closed = (bool(hunk.added) and not LEAVES.match(work[-1])) if ends_by_itself else CLOSES.match(close) is not None
    if not guards or not closed or depth(close) > depth(head) or "range" in head.split(":=")[0]:
        return None
    deeper = any(depth(line) > depth(head) for line in removed)
    return (above, f"it holds nothing any more: {head.strip()}", head) if deeper else None


def _answers(hunk: Hunk, removed: Sequence[str], after: Sequence[str], note: str) -> Iterator[Told]:
    """Answers of the base that became a comment beside a constant, or a yes."""
    answers = {line: said["what"] for line in removed if (said := ANSWER.match(line.strip())) is not None}
    added = [after[row] for row in _rows(hunk, after)]
    commented = {bare(line.strip()[len(note) :]) for line in added if line.strip().startswith(note)}
    worked = {bare(was) for was, what in answers.items() if not FIXED.match(what)} if commented else set()
    hidden = any(len(answer) >= LONG for answer in worked & commented)
    for row, line in enumerate(added, start=hunk.new_start - 1) if hidden or len(answers) == 1 else ():
        said_yes = YES.match(line.strip()) and len(answers) == 1
        if FIXED.match(line.strip()) and (
            hidden or (said_yes and any(_decided(was, what, line, added) for was, what in answers.items()))
        ):
            yield row, f"a constant stands where it was worked out: {line.strip()}", line


def _decided(was: str, what: str, line: str, added: Sequence[str]) -> bool:
    """It was for a call to say, at that very place, and nobody calls it now."""
    called = re.findall(r"(\w+)[!?]?\(", what)
    kept = any(re.search(rf"\b{name}\b", each) for name in called for each in added)
    plain = DECIDES.search(what) is not None and FLAG.search(what) is None
    return bool(called) and plain and not kept and depth(was) == depth(line)


def _rows(hunk: Hunk, after: Sequence[str]) -> range:
    return range(hunk.new_start - 1, min(hunk.new_start - 1 + len(hunk.added), len(after)))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (decided,)
