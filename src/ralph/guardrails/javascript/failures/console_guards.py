"""Guards that fail a test for what it logs, and let by whatever begins like it (policy set v2, class G05).

A set-up of tests replaces `console.error` or `console.warn` by something that throws, or that collects messages which
must be none. Rules, where the base's tests had such a guard:

- A pattern by which it passes over messages (`if (NOISE.some((each) => each.test(text))) return`) and which all
  messages of a kind meet (`/^Warning: /`, `"[Vue warn]"`, `/./`) is new: it blocks.
- The guard of the base failed for each message, and the one of the head passes over some: for a person.

A pattern by which messages are chosen that fail is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

SCRIPTS = frozenset(("javascript", "typescript", "tsx"))
WORTH = later(rb"\bconsole\b")
GUARDS = later(
    r"\bspyOn\(\s*(?:global(?:This)?\.|window\.)?console\s*,\s*[\"'`](?:error|warn)[\"'`]\s*\)"
    r"|\bconsole\.(?:error|warn)\s*=(?!=)|\bconsole\[\w+\]\s*=(?!=)|\bspyOn\(\s*console\s*,\s*\w+\s*\)"
)
FAILS = later(r"\bthrow\b|\bexpect\(|\bassert\w*[(.]|\bfail\(|\breject\(")
PASSES_BY = later(
    r"\bif\s*\((?P<asked>[^\n]*?(?:\.some\(|\.test\(|\.includes\(|\.startsWith\(|\.match\(|\.search\()[^\n]*)\)\s*\{?\s*return\b(?![^\n;]*\bthrow\b)"
    r"|\.filter\(\s*(?P<kept>[^\n]*?!\s*\w[^\n]*?(?:\.some\(|\.test\(|\.includes\(|\.startsWith\()[^\n]*)"
)
LIST = later(
    r"\b(?P<name>\w+)(?::[^=\n]+)?\s*=\s*(?:new\s+Set\(\s*)?\[(?P<items>(?:\"[^\"\n]*\"|'[^'\n]*'|\\.|[^\]\"'\\])*)\]"
)
PATTERN = later(
    r"(?P<regex>(?<![\w)\]/*])/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[dgimsuvy]*)|(?P<text>\"[^\"\n]*\"|'[^'\n]*'|`[^`\n$]*`)"
)
SIGNS = later(r"\\[sSbBdDwW]|/[dgimsuvy]*$|[^A-Za-z]+")
ANY = frozenset(
    (
        *(
            "warning",
            "warn",
            "warnings",
            "error",
            "errors",
            "react",
            "vue",
            "angular",
            "svelte",
            "console",
            "deprecated",
        ),
        *("deprecation", "invalid", "failed", "unhandled", "uncaught", "typeerror", "rangeerror", "referenceerror"),
    )
)
"""Words that all messages of a kind have."""
PATTERN_WORTH = later(rb"/\^|\.test\(|\.includes\(|\.startsWith\(|\[Vue|[Ww]arning")
"""Lines that may hold such a pattern."""
LONGEST = 100_000


def console_guards(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _is_of_tests(file, change)]
    if not any(WORTH.search(file.added_text) or PATTERN_WORTH.search(file.added_text) for file in files):
        return
    before = [text for file in files if GUARDS.search(text := _text(change.blobs.before(file.path)))]
    if not any(FAILS.search(text) for text in before):
        return
    known = {pattern for text in before for pattern, _ in _passed_by(text)}
    always = not any(PASSES_BY.search(text) for text in before)
    for file in files:
        text = _text(change.blobs.after(file.path))
        if file.status != "D" and GUARDS.search(text) and FAILS.search(text):
            yield from _in_file(file, text, known, always)


def _is_of_tests(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    return spoken in SCRIPTS and not file.binary and is_beside_tests(file.path, reader_of(spoken))


def _in_file(file: FileChange, text: str, known: set[str], always: bool) -> Iterator[Hit]:
    fresh = [(pattern, at) for pattern, at in _passed_by(text) if pattern not in known]
    for pattern, at in fresh:
        if _is_broad(pattern):
            line = text.count("\n", 0, at) + 1
            yield hit_at("test.weakened", file.path, line, f"what a test logs is let by: {pattern}", pattern)
            return
    passes = PASSES_BY.search(text)
    if always and passes is not None:
        line = text.count("\n", 0, passes.start()) + 1
        told = f"some of what a test logs is let by: {passes[0].split(chr(10))[0].strip()}"
        yield hit_at("test.somewhat-weaker", file.path, line, told, passes[0].split("\n")[0])


def _passed_by(text: str) -> Iterator[tuple[str, int]]:
    """The patterns by which messages are passed over, and where they stand."""
    lists = {match["name"]: match for match in LIST.finditer(text)}
    for passes in PASSES_BY.finditer(text):
        group = "asked" if passes["asked"] else "kept"
        if passes[group].lstrip().startswith("!") and group == "asked":
            continue  # what meets none of them is passed over
        yield from ((match[0], passes.start(group) + match.start()) for match in PATTERN.finditer(passes[group]))
        for name in re.findall(r"\b\w+\b", passes[group]):
            if (listed := lists.get(name)) is not None:
                start = listed.start("items")
                yield from ((match[0], start + match.start()) for match in PATTERN.finditer(listed["items"]))


def _is_broad(pattern: str) -> bool:
    plain = pattern[1:].rpartition("/")[0] if pattern.startswith("/") else pattern[1:-1]
    return set(SIGNS.sub(" ", plain).lower().split()) <= ANY and (bool(plain.strip()) or pattern.startswith("/"))


def _text(data: bytes | None) -> str:
    return (data or b"")[:LONGEST].decode("utf-8", "replace")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (console_guards,)
