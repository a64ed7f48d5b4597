"""New checks whose failure is lost as in so many scripts: no trick, but how people write them.

Rule: only `set -e` or `pipefail` is missing, or `find` runs the check for each file. Nothing of that is known to Ruby.

A new check whose status is kept at once, compared with success and handed on in some case is none of these: it wants a
failure of some kind (that tests fail where the code is not mended yet), and is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.checks.failures.judged import Shell, judged
from ralph.guardrails.checks.model import Gate
from ralph.system.patterns import later

ONE_BY_ONE = later(r"\bfind\b[^|;&]*\s-(?:exec|ok)(?:dir)?\b")
KEPT = later(r"[ \t]*(?P<name>\w+)=\"?\$\?\"?[ \t]*;?[ \t]*")
LOOKS = 40
"""So many lines are looked at for what becomes of a status."""
RUBY = later(r"[Rr]akefile(?:\.rb)?$|\.rake$")
DATA = (".yml", ".yaml", ".json", ".toml", ".ini", ".cfg")


def is_sloppy(gate: Gate, text: str) -> bool:
    """`text` is that of the gate's file."""
    if RUBY.search(gate.path):
        return False
    if ONE_BY_ONE.search((text.split("\n")[gate.line - 1 :] or [""])[0]):
        return True
    if gate.path.endswith(DATA) or "akefile" in gate.path:
        line = _logical_line(text.split("\n")[max(gate.line - 1, 0) :]) if gate.line else ""
        return "|" in line and "||" not in line
    strict = judged(text, Shell(errexit=True, pipefail=True))
    return any(check.words == gate.words and "lost" not in flaws and "not-run" not in flaws for check, flaws in strict)


def is_looked_at(gate: Gate, text: str) -> bool:
    lines = text.split("\n")
    end = next((row for row in range(max(gate.line - 1, 0), len(lines)) if not lines[row].endswith("\\")), len(lines))
    rest = lines[end + 1 : end + 1 + LOOKS]
    kept = KEPT.fullmatch(rest[0]) if gate.line and rest else None
    if kept is None:
        return False
    status = rf"\"?\$\{{?{kept['name']}\b\}}?\"?"
    passed = rf"(?m)^[ \t]*if \[+ {status} (?:-eq|==?) 0 \]+"
    handed_on = rf"(?m)^[ \t]*else\n(?:(?![ \t]*fi\b).*\n)*?[ \t]*exit {status}[ \t]*$"
    below = "\n".join((*rest[1:], ""))
    return re.search(passed, below) is not None and re.search(handed_on, below) is not None


def _logical_line(lines: Sequence[str]) -> str:
    """The first line, with those that it goes on in by a backslash."""
    end = next((number for number, line in enumerate(lines, 1) if not line.endswith("\\")), len(lines))
    return "\n".join(lines[:end])
