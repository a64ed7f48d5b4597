"""Recorders of requests that are told to record, so that no recorded answer is compared any more (class G13).

    recorder = vcr.VCR(record_mode="all")        r, err := recorder.NewAsMode("geo", recorder.ModeRecordOnly, nil)

With such a mode vcrpy, Betamax, Polly, nock, talkback, go-vcr, OkReplay and EasyVCR ask the real service each time and
write down whatever it says; a request that differs from the recorded one fails nothing.

Rule: a line of tests that says so and is new blocks. What a condition chooses (a variable, an option, a branch) is for
whoever asks for it. A mode that adds to the record what was not in it blocks where it takes the place of one that does
not. (Ruby's recorder is in `ruby.filters`, options of commands are in `config.options`.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, Hunk, hit_at
from ralph.record import record
from ralph.system.patterns import later


@record
class Mode:
    """`words`: of the library, somewhere in the file. `always`: records anew. `more`: adds to the record."""

    words: re.Pattern[str]
    always: re.Pattern[str]
    more: re.Pattern[str]


NEVER = later(r"(?!)")
_KEY = r"\brecord(?:_mode)?[\"']?\]?\s*[=:]\s*"
MODES = {
    (".py",): Mode(
        later(r"(?i)vcr|betamax|cassette"),
        later(rf"{_KEY}(?:[\"'](?:all|rewrite)[\"']|(?:\w+\.)*(?:ALL|REWRITE)\b)"),
        later(rf"{_KEY}(?:[\"']new_episodes[\"']|(?:\w+\.)*NEW_EPISODES\b)"),
    ),
    (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"): Mode(
        later(r"(?i)polly|nock|talkback|[\"']replay[\"']"),
        later(
            r"\bmode\s*[:=]\s*[\"'`](?:record|passthrough)[\"'`]|\bsetMode\(\s*[\"'`](?:update|wild|record)[\"'`]"
            r"|\bRecordMode\.OVERWRITE\b"
        ),
        later(r"\bsetMode\(\s*[\"'`]dryrun[\"'`]|\brecordIfMissing\s*:\s*true\b"),
    ),
    (".go",): Mode(
        later(r"go-vcr"),
        later(r"\brecorder\.Mode(?:RecordOnly|Recording|Passthrough|Disabled)\b"),
        later(r"\brecorder\.ModeReplayWithNewEpisodes\b"),
    ),
    (".java", ".kt", ".groovy"): Mode(
        later(r"(?i)okreplay|betamax"), later(r"\b(?:TapeMode\.)?WRITE_(?:ONLY|SEQUENTIAL)\b"), NEVER
    ),
    (".cs",): Mode(later(r"EasyVCR"), later(r"\bMode\.(?:Record|Bypass)\b"), later(r"\bMode\.Auto\b")),
}
CONDITION = later(r"\b(?:if|else|elif|when|case|unless|environ|getenv|getoption|env|os\.Getenv)\b|\?|\|\||\bor\b|&&")
BRANCH = later(r"\s*(?:\}\s*)?(?:if|else|elif|switch|case|default|when|match)\b")
COMMENT = later(r"\s*(?:\#|//|/?\*)")
WORTH = later(rb"(?i)record|mode|passthrough|WRITE_|replay")


def cassettes(change: Change) -> Iterator[Hit]:
    for file in change.files:
        mode = next((mode for ends, mode in MODES.items() if file.path.endswith(ends)), None)
        if mode is None or not TEST_PLACE.search(file.path) or not WORTH.search(file.added_text):
            continue
        text = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
        if mode.words.search(text):
            yield from _judged(file, mode, text.split("\n"))


def _judged(file: FileChange, mode: Mode, lines: list[str]) -> Iterator[Hit]:
    for hunk in file.hunks:
        for number, raw in enumerate(hunk.added, start=hunk.new_start):
            line = raw.decode("utf-8", "replace")
            always, more = mode.always.search(line), mode.more.search(line)
            match = always or more
            if match is None or COMMENT.match(line) or CONDITION.search(line) or _in_a_branch(lines, number - 1):
                continue
            before = [each for each in _removed(hunk) if mode.always.search(each) or mode.more.search(each)]
            if not before and (always or _stood_there(line, match, hunk)):
                yield hit_at("cfg.test.snapshots-rewritten", file.path, number, match[0], line.strip())


def _stood_there(line: str, match: re.Match[str], hunk: Hunk) -> bool:
    """The same line with another mode, or without any, is gone."""
    before, behind = line[: match.start()].strip(), line[match.end() :].strip()
    bare = _bare(before + behind)
    return any(
        _bare(each) == bare or (each.strip().startswith(before) and each.strip().endswith(behind))
        for each in _removed(hunk)
    )


def _bare(line: str) -> str:
    return re.sub(r"[\s,]", "", line)


def _removed(hunk: Hunk) -> list[str]:
    return [line.decode("utf-8", "replace") for line in hunk.removed]


def _in_a_branch(lines: list[str], row: int) -> bool:
    """The nearest line above that is less indented begins a branch."""
    indent = len(lines[row]) - len(lines[row].lstrip()) if row < len(lines) else 0
    for each in reversed(lines[max(0, row - 12) : row]):
        if each.strip() and len(each) - len(each.lstrip()) < indent:
            return BRANCH.match(each) is not None
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (cassettes,)
