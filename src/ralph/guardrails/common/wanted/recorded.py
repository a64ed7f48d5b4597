"""Tests that record anew what they compare with, on every run (policy set v2, class G13).

Rules:

- To record is what a variable or an option asks for. A line in code of tests that asks for it by default, or sets the
  variable itself, blocks, unless it only moved. So does one that takes any text for a yes, and gives one where nothing
  is set: `Boolean(process.env.UPDATE ?? "0")`.
- So does a condition to record that another question was added to: `if *update || os.Getenv("CI") != "" {`. Another
  option or variable of that kind is none, nor is whether there is a record at all.
- What a single test sets is an input of that test.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

VARIABLES = (
    r"(?:UPDATE_(?:GOLDENS?|SNAPSHOTS?|EXPECT(?:ED)?|BASELINE|FIXTURES|TEST\w*)|(?:GOLDEN|SNAPSHOT|EXPECT)_UPDATE"
    r"|INSTA_(?:UPDATE|FORCE_UPDATE)|REGENERATE_\w+|REGEN_\w+|RECORD_(?:SNAPSHOTS?|CASSETTES?)|UPDATE"
    r"|APPROVAL_TESTS_USE_REPORTER|BLESS|TRYBUILD|SNAPSHOT_OVERWRITE|OVERWRITE_GOLDEN)"
)
"""By which tests are told to record what they compare with."""
_NAMED = rf"[\"']{VARIABLES}[\"']"
_YES = r"[\"'`]?(?:1|true|True|yes|on|all|always|overwrite)\b"
_OPTION = r"[\"'](?:--)?(?:update|regen|record|rewrite|bless|overwrite|force-regen)[\w-]*[\"']"
_ASKED = later(
    rf"(?:environ\.get|getenv|ENV\.fetch)\(\s*{_NAMED}\s*,\s*{_YES}"
    rf"|process\.env(?:\.{VARIABLES}|\[{_NAMED}\])\s*(?:\?\?|\|\|)\s*{_YES}"
    rf"|flag\.Bool\(\s*{_OPTION}\s*,\s*true\b|addoption\([^\n]*{_OPTION}[^\n]*\bdefault\s*=\s*True\b"
    r"|\.force_regen\s*=\s*True\b|\bUpdateScripts:\s*true\b"
)
_TEXT = r"[\"'`][^\"'`\n]+[\"'`]"
_DEFAULTED = (
    rf"(?:process\.env(?:\.{VARIABLES}|\[{_NAMED}\])\s*(?:\?\?|\|\|)\s*{_TEXT}"
    rf"|(?:os\.)?(?:environ\.get|getenv|ENV\.fetch)\(\s*{_NAMED}\s*,\s*{_TEXT}\s*\)"
    rf"|(?:(?:os\.)?environ\.get\(\s*{_NAMED}\s*\)\s*or|ENV\[{_NAMED}\]\s*\|\|)\s*{_TEXT})"
)
_ALWAYS = later(
    rf"(?:\b(?:Boolean|bool)|!!)\(\s*{_DEFAULTED}\s*\)"
    rf"|\b(?:if|elsif|elif|unless)\b\s*\(?\s*(?:not\s+)?{_DEFAULTED}\s*(?:[:{{]|$|\)\s*(?:$|\{{|(?!and\b|or\b)\w))"
)
"""A text that is not empty is true, also `"0"` and `"false"`."""
_SET = later(
    rf"environ\[{_NAMED}\]\s*=\s*{_YES}|environ\.setdefault\(\s*{_NAMED}\s*,\s*{_YES}"
    rf"|process\.env(?:\.{VARIABLES}|\[{_NAMED}\])\s*(?:\?\?|\|\|)?=\s*{_YES}"
    r"|\b(?:config|request\.config)\.option\.(?:\w*(?:update|regen|record|rewrite|overwrite)\w*)\s*=\s*(?:True|1|[\"'](?:all|rewrite|create))"
    rf"|ENV\[{_NAMED}\]\s*(?:\|\|)?=\s*{_YES}|os\.Setenv\(\s*{_NAMED}\s*,\s*{_YES}|set_var\(\s*{_NAMED}\s*,\s*{_YES}"
)
_ASKS = later(r"^\s*(?:\}?\s*else\s+)?if\b.*\b\w*(?i:update|regen|record|rewrite|bless|overwrite)\w*")
_OR = later(r"\s*(?:\|\||\bor\b)\s*")
_OTHER_ORDER = later(r"(?i)update|regen|record|rewrite|bless|overwrite|exist|missing|stat\b|err\b|snap|golden")
_WORDS = "update|regen|record|rewrite|bless|overwrite|trybuild|approval"
_WORTH = later(_WORDS.encode(), re.IGNORECASE)
_COMMENT = later(r"\s*(?:\#|//|\*)")
_CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".rb", ".go", ".rs")
_SUPPORT = later(
    r"(?i)(?:^|/)(?:conftest\.py|spec_helper\.rb|test_helper\.rb|\w*(?:setup|main|helper|support)\w*\.\w+)$"
)
"""Files that hold no tests of their own."""


def recorded(change: Change) -> Iterator[Hit]:
    for file in change.files:
        tests = file.path.endswith(_CODE) and TEST_PLACE.search(file.path) and not file.binary
        if tests and prefilter((_WORDS,)).matches(file.added_text):
            yield from _asked(file)


def _asked(file: FileChange) -> Iterator[Hit]:
    removed = {line.decode("utf-8", "replace").strip() for hunk in file.hunks for line in hunk.removed}
    moved = Counter(text for hunk in file.hunks for line in hunk.removed if (text := _found(file, line)))
    for number, line in file.added():
        text = _found(file, line) or _widened(line, removed)
        if text is None:
            continue
        if moved[text]:
            moved[text] -= 1
            continue
        yield hit_at("cfg.test.snapshots-rewritten", file.path, number, text, line.decode("utf-8", "replace").strip())


def _found(file: FileChange, line: bytes) -> str | None:
    if not _WORTH.search(line):
        return None
    text = line.decode("utf-8", "replace")
    if _COMMENT.match(text):
        return None
    for_all = not text[:1].isspace() or _SUPPORT.search(file.path) is not None
    found = _ASKED.search(text) or _ALWAYS.search(text) or (_SET.search(text) if for_all else None)
    return re.sub(r"\s+", " ", found[0]) if found else None


def _widened(line: bytes, removed: AbstractSet[str]) -> str | None:
    """The condition to record, where the base's had one question less."""
    text = line.decode("utf-8", "replace").strip()
    if not _WORTH.search(line) or not _ASKS.match(text) or not _OR.search(text):
        return None
    parts, ends = _OR.split(text), re.search(r"\s*[{:)]*$", text)
    for each in parts[1:]:
        question = each[: len(each) - len(ends[0])] if each == parts[-1] and ends is not None else each
        rest = re.sub(r"\s*(?:\|\||\bor\b)\s*" + re.escape(question), "", text, count=1)
        if not _OTHER_ORDER.search(question) and rest in removed:
            return text
    return None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (recorded,)
