"""Checks in the tables of scripts that are marked as not to count (policy set v2, class G10): Python, JS, Ruby.

Rules, for a script that runs commands:

- An entry that says so (`advisory=True`, `allowFailure: true`, `blocking: false`), or whose name stands in a list that
  is called so (`ADVISORY = {"types"}`), names a check whose failure is not heard; so does one that lacks the word by
  which others of its table count (`undemanded`).
- It blocks where the base ran that check so that its failure was heard (in this script, in another file, in a pipeline)
  and the head does nowhere. One that may only be missing (`optional`), and a check that is new, are for a person.
- A check of the same name that counts beside it, and an entry that the base had like this, are no finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.programs.known import identity
from ralph.guardrails.checks.programs.spelled_commands import command, commands_in, strings
from ralph.guardrails.common.brackets import around
from ralph.guardrails.common.failures.undemanded import SAYS_SO as DEMANDS
from ralph.guardrails.common.failures.undemanded import undemanded
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut
from ralph.guardrails.tokens import masked
from ralph.record import record
from ralph.system.patterns import later

ALLOWED, WEAK = "check.failure-allowed", "check.born-weak"
SCRIPTS = frozenset(("python", "javascript", "typescript", "ruby"))
LARGEST = 60_000
RUNS = later(
    rb"\bsubprocess\b|\bos\.system\(|create_subprocess|child_process|\bexeca\b|\bzx\b|Bun\.spawn|Deno\.Command"
    rb"|\bsystem[ (]|\bOpen3\b|\bprocess\.exit|\bsys\.exit\b|\bSystemExit\b"
)
_FORGIVEN = (
    r"advisory|informational|informative|soft(?:_?[Ff]ail)?|(?:allow|may|can|ignore|tolerate)s?_?(?:[Ff]ail\w*|[Ee]rrors?|[Ee]xit\w*)"
    r"|warn(?:ing)?s?_?[Oo]nly|non_?[Bb]locking|non_?[Ff]atal|(?:allowed_to|allowedTo)_?[Ff]ail|best_?[Ee]ffort|optional"
)
_DEMANDED = r"required|blocking|fatal|critical|mandatory|gating|must_?[Pp]ass|counts|enforced?"
WORD = later(
    rb"(?i)advisory|informati|soft|fail|ignore|tolerate|warn|non_?block|non_?fatal|best_?effort|optional|required"
    rb"|blocking|blocks|fatal|critical|mandatory|gat(?:e|ing)|must_?(?:pass|succeed)|counts|enforce"
)
SAID = later(
    rf"\b(?P<yes>{_FORGIVEN})[\"']?\s*(?:=>|[=:])\s*[Tt]rue\b|\b(?P<no>{_DEMANDED})[\"']?\s*(?:=>|[=:])\s*[Ff]alse\b"
)
LISTED = later(
    rf"(?i)\b(?:\w+_)?(?:{_FORGIVEN})(?:_\w+)?\s*(?::[^=\n]+)?=\s*(?:(?:new\s+|frozen)?set\()?\s*%?w?[\[({{](?P<names>[^\])}}]*)[\])}}]"
)
SAYS_SO, LISTS = later(SAID.pattern.encode()), later(LISTED.pattern.encode())
MOST_NAMES = 40
MILD = "optional"
UNHEARD = frozenset(("lost", "allowed", "off", "not-run"))


@record
class Entry:
    check: str
    """What makes the command the same check with other options."""
    words: str
    line: int
    start: int
    end: int
    mild: bool


def advisory(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not _is_script(file, change):
            continue
        old, text = (_text(file, side(file.path), change) for side in (change.blobs.before, change.blobs.after))
        entries = list(_entries(text))
        known = {entry.check for entry in _entries(old)} if entries else set[str]()
        for entry in entries:
            if entry.check in known or _counts_in(text, entry.check, entries):
                continue
            rule = _rule(entry, old, known, change)
            if rule:
                detail = f"{entry.words}: the script does not count its failure"
                yield hit_at(rule, file.path, entry.line, detail, entry.words, key=entry.check)


def _is_script(file: FileChange, change: Change) -> bool:
    spoken = language(file, change) if file.status in "AMR" and not file.binary else None
    if spoken not in SCRIPTS or is_sample(file.path) or is_beside_tests(file.path, reader_of(spoken)):
        return False
    data = change.blobs.after(file.path) or b""
    if not is_in(WORD, file.added_text) or len(data) > LARGEST or not is_in(RUNS, data):
        return False
    return is_in(SAYS_SO, data) or is_in(LISTS, data) or is_in(DEMANDS, data)  # to blank its comments takes a tree


def _text(file: FileChange, data: bytes | None, change: Change) -> str:
    return masked(Source(file.path, language(file, change) or "", data), keep_strings=True) if data else ""


def _rule(entry: Entry, old: str, known: set[str], change: Change) -> str:
    """What the base's own entry or any of its files ran, and whether the head still runs it somewhere."""
    from ralph.guardrails.checks.reach import Reach, program
    from ralph.guardrails.config.side import Side

    blobs = change.blobs
    before, after = (
        any(
            program(gate) == entry.check and not UNHEARD & gate.flaws.keys()
            for gate in Reach(Side(read, paths)).everywhere
        )
        for read, paths in ((blobs.before, blobs.paths_before()), (blobs.after, blobs.paths_after()))
    )
    if after:
        return ""
    had = before or (entry.check not in known and _counts_in(old, entry.check, ()))
    return ALLOWED if had and not entry.mild else WEAK


def _entries(text: str) -> Iterator[Entry]:
    for match in SAID.finditer(text):
        place = around(text, match.start())
        if place is not None:
            yield from _entry(text, *place, match["yes"] == MILD, match["yes"] or match["no"])
    for match in LISTED.finditer(text):
        mild = MILD in match[0].partition("=")[0].lower()
        for name in (strings(match["names"]) or match["names"].split())[:MOST_NAMES]:
            named = re.compile(rf"[\"'`]?\b{re.escape(name)}\b[\"'`]?\s*(?:=>|[,:])[^\n]*")
            for use in named.finditer(text):
                if not match.start() <= use.start() < match.end():
                    yield from _entry(text, use.start(), use.end(), mild)
    for spelled in undemanded(text):
        line = text.count("\n", 0, spelled.start) + 1
        yield Entry(identity(spelled.words), cut(" ".join(spelled.words), 80), line, spelled.start, spelled.end, False)


def _entry(text: str, start: int, end: int, mild: bool, said: str = "") -> Iterator[Entry]:
    if words := command([each for each in strings(text[start:end]) if each != said]):
        yield Entry(identity(words), cut(" ".join(words), 80), text.count("\n", 0, start) + 1, start, end, mild)


def _counts_in(text: str, check: str, entries: Sequence[Entry]) -> bool:
    """The script has the same check, where nothing of the kind is said."""
    spelled = (each for each in commands_in(text) if identity(each.words) == check)
    return any(not any(entry.start < each.end and each.start < entry.end for entry in entries) for each in spelled)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (advisory,)
