"""Product code that takes a lock only where it is being tested (policy set v2, class G07; see `aware`).

Rule: of the two ways behind a question about the test framework, the one that tests go holds a lock, a monitor or a
transaction around the work, and the other does not: what the tests see of threads is not what production does. The
other way round, tests do without what they need not have.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.source import Source
from ralph.system.patterns import later

LOCKS = later(
    r"\bsynchronized\b|\b(?:with|(?:try|write|read|un)_?)?[lL]ock(?:ed|Interruptibly|Async)?\b!?\s*[({.]|\b\w+Lock\s*[({.]"
    r"|\b[mM]utex\w*\s*[({.]|\bMonitor\.(?:Enter|TryEnter|synchronize)|\bsynchronize\b|\bflock\b"
    r"|\b[sS]emaphore\w*\s*[({.]|\b(?:[tT]ransaction|atomically|runInTransaction)\s*(?:\(|\{|do\b)"
)
OTHER = later(r"\belse\b")
ASIDE = later(r"(?i)\b(?:if|unless|val|var|new)\b|un_?lock|release|exit")
"""It asks for a lock as well, makes one or gives it back."""
FUNCTION = later(r"function|method|constructor")
IS_NULL = later(r"^[\w.()]*\)\s*==\s*(?:null|nil)\b")
"""The question is whether it is not there."""


def locks_for_tests(source: Source, branch: tree_sitter.Node, negated: bool) -> bool:
    """`branch` asks about tests; `negated`: whether there are none."""
    written = source.text(branch)
    apart = re.split(r"\s:\s", written, maxsplit=1) if "conditional" in branch.type else OTHER.split(written, 1)
    first, rest = apart[0], "".join(apart[1:])
    if negated:
        return bool(rest) and LOCKS.search(rest) is not None and LOCKS.search(first) is None
    if branch.parent is None or LOCKS.search(first) is None or LOCKS.search(rest) is not None:
        return False
    around = branch.parent
    while around.parent is not None and not FUNCTION.search(around.type):
        around = around.parent
    return bool(rest) or not _is_locked(source.text(around).replace(written, "", 1))


def _is_locked(beside: str) -> bool:
    """What stands beside the question takes a lock in any case."""
    return any(LOCKS.search(line) and not ASIDE.search(line) for line in beside.split("\n"))
