"""What a list leaves out moved, and the list names its new place (policy set v2, classes G09, G11, G12).

Rule: a pattern that is new takes nothing away where each product file for which it holds is new there, and came of a
file of the same name that is gone, that the list of the base left out, and of which most lines are the same.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Sequence

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import covers, is_product
from ralph.guardrails.config.side import Side

MOSTLY = 0.6
"""So much of a file makes another one the same."""
MOST_FILES = 500


def only_moved(item: Node, old: Sequence[Node], before: Side, after: Side) -> bool:
    """`item` is what the list gained, `old` what it held."""
    pattern = canonical(item)
    held = [path for path in after.paths if is_product(path) and covers(pattern, path)]
    if not held or len(held) > MOST_FILES or any(path in before.paths for path in held):
        return False
    gone = [canonical(each) for each in old]
    return all(_came_of_what_was_left_out(path, gone, before, after) for path in held)


def _came_of_what_was_left_out(path: str, patterns: Sequence[str], before: Side, after: Side) -> bool:
    for was in before.by_name.get(posixpath.basename(path), ()):
        if was not in after.paths and any(covers(pattern, was) for pattern in patterns):
            old, new = (Counter((text or "").split("\n")) for text in (before.text(was), after.text(path)))
            if (old & new).total() >= MOSTLY * max(old.total(), new.total()):
                return True
    return False
