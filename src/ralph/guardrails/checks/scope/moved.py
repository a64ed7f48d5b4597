"""Files that a check looked at, and that have another name now: whether it still looks at them (class G09).

Rule: a path that is gone and one that came are one file where they are called the same, but for what says that they are
tests (`split.js`, `split.test.js`, `test_split.js`): in the same folder, or anywhere. Two that could be it are none.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.scope.looked_at import matters
from ralph.system.patterns import later

MARKS = later(
    r"(?i)^(?:tests?|specs?|it|e2e)[._-]|(?:[._-](?:tests?|specs?|it|e2e|unit))+$|(?-i:(?<=[a-z0-9])(?:Tests?|Specs?)$)"
)
"""What says in the name of a file that it holds tests."""


def moved(gate: Gate, before: frozenset[str], after: frozenset[str]) -> Mapping[str, str]:
    """The new names of files that are for the check, by the old ones."""
    came: dict[str, list[str]] = defaultdict(list)
    gone = [path for path in before - after if matters(gate, path)]
    for path in after - before if gone else ():
        if matters(gate, path):
            came[_called(path)].append(path)
    found = {}
    for path in sorted(gone):
        new = came[_called(path)]
        near = [each for each in new if posixpath.dirname(each) == posixpath.dirname(path)] or new
        if len(near) == 1:
            found[path] = near[0]
    return found


def _called(path: str) -> str:
    """The name without what says that it holds tests, and without its suffix."""
    return MARKS.sub("", posixpath.splitext(posixpath.basename(path))[0])
