"""Scripts of tests that put in place what they then ask for (policy set v2, class G05).

Rules, for a statement that the base's test did not have, and an assertion of the base behind it:

- One of two files that `diff` or `cmp` compares is made the other: `cp expected.txt out.txt`.
- What is looked for in a file is written into it: `echo ok >> out.txt`.
- A variable that holds what a program wrote gets the wanted value as well, under a condition or where it is empty:
  `test "$got" = 3 || got=3`, `: "${got:=3}"`. So does the assertion itself: `[ "${got:-3}" = 3 ]`.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.arranged.edits import NEAR, Edits
from ralph.system.patterns import later

SCRIPT = later(r".*\.(?:sh|bash|zsh|ksh|bats|t)$|(?:.*/)?[^./]+$")
FILE = r"[\"']?(?P<{0}>[\w./${{}}-]+)[\"']?"
COPIES = later(
    rf"\s*(?:cp|mv|install|ln)\s+(?:-\S+\s+)*{FILE.format('one')}\s+{FILE.format('other')}\s*"
    rf"|\s*(?:cat|sort|tr|sed)\s+(?:[^|]*\s)?{FILE.format('read')}\s*>\s*{FILE.format('written')}\s*"
)
WRITES = later(rf"\s*(?:echo|printf)\s+(?P<text>[^|]+?)\s*(?:>>?|\|\s*tee\s+(?:-a\s+)?)\s*{FILE.format('into')}\s*")
SAME = later(r"\b(?:diff|cmp|assert_files?_equal)\b")
FINDS = later(r"\b(?:[ef]?grep|rg|diff|cmp|test|cat)\b|\[")
SETS = later(r"(?:^|[\s&|;{(])(?P<name>[A-Za-z_]\w*)=(?P<value>\"[^\"$`]*\"|'[^']*'|[\w.-]+)\s*\}?\s*$")
DEFAULT = later(r"\$\{(?P<name>\w+):?[-=](?P<value>[^}]+)\}")


def gives_itself(edits: Edits) -> str | None:
    """The new statement that does it, as it is written; None if none does."""
    if not SCRIPT.fullmatch(edits.test.path):
        return None
    for number in edits.fresh:
        statement = edits.new[number]
        if _copies(edits, number, statement) or _writes(edits, number, statement) or _sets(edits, number, statement):
            return statement.strip()
    return None


def _behind(edits: Edits, number: int) -> list[str]:
    """Statements of the base that follow."""
    return [each for each in edits.new[number + 1 : number + 1 + NEAR] if each.strip() and each.strip() in edits.kept]


def _copies(edits: Edits, number: int, statement: str) -> bool:
    match = COPIES.fullmatch(statement)
    if match is None:
        return False
    one, other = match["one"] or match["read"], match["other"] or match["written"]
    compared = (each for each in _behind(edits, number) if SAME.search(each))
    return one != other and any(_names(each, one) and _names(each, other) for each in compared)


def _writes(edits: Edits, number: int, statement: str) -> bool:
    """Into a file that the base's test did not write by itself."""
    match = WRITES.fullmatch(statement)
    if match is None or any(_into(each) == match["into"] for each in edits.old):
        return False
    text = match["text"].strip("\"' ")
    at = edits.next_about(match["into"], number)
    asked = edits.new[at] if at is not None else ""
    return asked.strip() in edits.kept and FINDS.search(asked) is not None and bool(text) and text in asked


def _into(statement: str) -> str:
    match = WRITES.fullmatch(statement)
    return match["into"] if match is not None else ""


def _names(statement: str, file: str) -> bool:
    return re.search(rf"(?<![\w./-]){re.escape(file)}(?![\w./-])", statement) is not None


def _sets(edits: Edits, number: int, statement: str) -> bool:
    default = DEFAULT.search(statement)
    match = default or SETS.search(statement)
    if match is None:
        return False
    name, value = match["name"], match["value"].strip("\"'")
    came = re.compile(rf"(?:^|\s){re.escape(name)}=[\"']?(?:\$\(|`)")
    if not value or not any(came.search(each) for each in edits.old if each.strip() in edits.kept):
        return False
    asks = re.compile(rf"\$\{{?{re.escape(name)}\b.*(?<![\w.-]){re.escape(value)}(?![\w.-])")
    behind = _behind(edits, number)
    if default is not None and asks.search(DEFAULT.sub(f"${name}", statement)) is not None:
        return True
    return any(asks.search(each) for each in behind) and any(asks.search(each) for each in edits.old)
