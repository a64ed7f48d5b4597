"""What of a command's output an agent is shown: 5,000 characters, failures first, then head and tail.

All of it is in the log. Control characters are written out; a fence around the excerpt cannot be closed from within.
"""

from __future__ import annotations

import re

from ralph.system.text import visible

LIMIT = 5000
_FOR_FAILURES = 0.4
_OF_THE_REST_FOR_HEAD = 0.4
_LONGEST_LINE = 400

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
_FAILURE = re.compile(
    r"\b(?:FAIL(?:ED|URE|URES)?|ERROR|FATAL|panic:|Traceback|[A-Z]\w*(?:Error|Exception)\b)"
    r"|\b(?:error|fatal)(?:\[|:)|\bnot ok\b|^\s*(?:✗|✕|✖|×|E  )"
)


def excerpt(output: str, *, limit: int = LIMIT) -> str:
    """At most `limit` characters of the output, safe to show."""
    text = "\n".join(visible(line.rstrip("\r")) for line in _ANSI.sub("", output).strip("\n").split("\n"))
    if len(text) <= limit:
        return text
    failures = _failures(text, int(limit * _FOR_FAILURES))
    gap = f"\n[... of {len(text)} characters; the log has all of them ...]\n"
    room = limit - len(failures) - len(gap)
    head = int(room * _OF_THE_REST_FOR_HEAD)
    return f"{failures}{text[:head]}{gap}{text[-(room - head) :]}"


def fenced(text: str) -> str:
    """The text in a Markdown fence that is longer than any run of back quotes in it."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}\n{text}\n{fence}"


def code(text: str) -> str:
    """A line as a Markdown code span."""
    mark = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{mark}{pad}{visible(text)}{pad}{mark}"


def _failures(text: str, room: int) -> str:
    """The first lines that tell of a failure, as many as there is room for."""
    head, tail = "Lines that tell of a failure:\n", "\nThe output:\n"
    kept, left = [], room - len(head) - len(tail)
    for line in text.split("\n"):
        if _FAILURE.search(line):
            shown = line[:_LONGEST_LINE]
            if len(shown) + 1 > left:
                break
            kept.append(shown)
            left -= len(shown) + 1
    return f"{head}{chr(10).join(kept)}{tail}" if kept else ""


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
