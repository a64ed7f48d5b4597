"""A skip that is about nothing but rows that the change adds to a table (policy set v2, class G02).

Rule, for a skip under `if row.name == "new"`: `row` comes from a loop around it, or from the table that the test is
given, which the base had, too. No test of the base says that text, a line that the change adds and that is no condition
does, and of the texts that the file of the base said none is gone: no row of the base got another name. What ran before
still runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

ASKS = later(
    r"^\s*if\s*\(?\s*(?P<root>\$?[A-Za-z_]\w*)(?:(?:\.|->)\w+(?:\(\))?|\[[\"']\w+[\"']\])?\s*"
    r"(?:={2,3}\s*|\.[eE]quals\(\s*)(?P<quote>[\"'`])(?P<text>[^\"'`]*\w[^\"'`]*)(?P=quote)(?P<more>.*)$"
)
OR = later(r"\|\||\bor\b|\?")
LOOPS = (
    later(r"^\s*for(?:each)?\b\s*\(?(?P<names>[^{}]*?)(?:\bin\b|\bof\b|=\s*range\b|\s:\s)"),
    later(r"^\s*foreach\s*\([^{}]*\bas\b(?P<names>[^{}]*)\)"),
    later(r"\.(?:for)?[eE]ach\w*\b.*[|(]\s*(?P<names>[\w\s,:]+)(?:\||\)\s*=>|=>|\)\s*\{)"),
)
TAKES = later(r"^\s*(?:async\s+)?def\s+test\w*\s*\(")
TEXTS = later(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`")
FARTHEST = 400
"""Lines above a skip at which its loop begins."""


def is_about_new_rows(path: str, line: int, change: Change) -> bool:
    file = next((each for each in change.files if each.path == path and each.status == "M"), None)
    lines = _text(change.blobs.after(path)).split("\n") if file is not None and line else []
    if file is None or line > len(lines):
        return False
    around = list(_around(lines, line - 1))
    asked = ASKS.match(around[0]) if around else None
    if asked is None or OR.search(asked["more"]):
        return False
    old = _text(change.blobs.before(path))
    if not _comes_from_a_table(asked["root"], [each for each in around[1:] if each.strip() in old], lines):
        return False
    had = _texts(old)
    return asked["text"] not in had and _adds(file, asked["text"]) and had <= _texts("\n".join(lines))


def _around(lines: Sequence[str], row: int) -> Iterator[str]:
    """The lines under which one stands, each indented less than the one before, from the inside out."""
    least = depth(lines[row])
    for at in range(row - 1, max(-1, row - FARTHEST), -1):
        if lines[at].strip() and depth(lines[at]) < least:
            least = depth(lines[at])
            yield lines[at]


def _comes_from_a_table(root: str, around: Sequence[str], lines: Sequence[str]) -> bool:
    named = re.compile(rf"(?<![\w$]){re.escape(root)}(?!\w)")
    for line in around:
        if any((loop := form.search(line)) is not None and named.search(loop["names"]) for form in LOOPS):
            return True
        if TAKES.match(line) and named.search(line):
            return named.search(_marks(line, lines)) is not None
    return False


def _marks(head: str, lines: Sequence[str]) -> str:
    """What stands above a function up to a blank line, if a table of cases is in it."""
    above: list[str] = []
    for line in reversed(lines[: lines.index(head)]):
        if not line.strip():
            break
        above.append(line)
    text = "\n".join(above)
    return text if "parametrize" in text else ""


def _adds(file: FileChange, text: str) -> bool:
    """A line says it that is no condition."""
    added = (line.decode("utf-8", "replace") for hunk in file.hunks for line in hunk.added)
    return any(text in line and not re.match(r"\s*(?:\}\s*else\s+)?(?:if|elif|case|//|#)\b", line) for line in added)


def _texts(text: str) -> frozenset[str]:
    return frozenset(next((part for part in match if part), "") for match in TEXTS.findall(text))


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
