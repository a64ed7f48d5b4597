"""Lines of a test of bats that are one command: a text in quotes that goes on below, and one that stands below.

    assert_output "one          assert_output <<EOF         assert_output "one\\ntwo"
    two"                        one
                                two
                                EOF

Rules: a quote that is open at the end of a line is closed in one of the next lines, or the line stands for itself. Of
the texts that stand below a command (`<<EOF`) only those are taken up that bats-assert compares with. The lines that
are taken up are left empty, so that places stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.bats.covering import covered, is_quote_open
from ralph.system.patterns import later

MOST = 60
"""Lines that one text may have."""
NEXT = "\\n"
COMMENT = later(r"(?:^|[ \t])#.*")
BELOW = later(
    r"(?P<command>[ \t]*assert_(?:output|stderr))(?:[ \t]+(?:-|--stdin))?"
    r"[ \t]*<<(?P<tabs>-?)[ \t]*(?P<quote>[\"']?)(?P<end>\w+)(?P=quote)[ \t]*(?:#.*)?"
)


def joined(body: Sequence[str]) -> tuple[str, ...]:
    lines = list(body)
    at = 0
    while at < len(lines):
        taken = 1
        below = BELOW.fullmatch(lines[at])
        told = _told_below(lines, at + 1, below) if below is not None else _quoted(lines, at)
        if told is not None:
            lines[at], taken = told
            lines[at + 1 : at + taken] = [""] * (taken - 1)
        at += taken
    return tuple(lines)


def without_comment(line: str) -> str:
    comment = COMMENT.search(covered(line)) if "#" in line else None
    return (line if comment is None else line[: comment.start()]).strip()


def _told_below(lines: Sequence[str], start: int, below: re.Match[str]) -> tuple[str, int] | None:
    """The command with the text that stands below it, and how many lines that are."""
    text: list[str] = []
    for line in lines[start : start + MOST]:
        written = line.lstrip("\t") if below["tabs"] else line
        if written == below["end"]:
            whole = NEXT.join(text).replace("'", "\\'")
            return f"{below['command']} $'{whole}'", len(text) + 2
        text.append(written)
    return None


def _quoted(lines: Sequence[str], at: int) -> tuple[str, int] | None:
    """The command up to the line in which its last quote is closed, and how many lines that are."""
    if lines[at].count('"') % 2 == lines[at].count("'") % 2 == 0:
        return None
    told = without_comment(lines[at])
    if not is_quote_open(told):
        return None
    for number, line in enumerate(lines[at + 1 : at + MOST], 2):
        told = f"{told}{NEXT}{line}"
        if not is_quote_open(told):
            return told, number
    return None
