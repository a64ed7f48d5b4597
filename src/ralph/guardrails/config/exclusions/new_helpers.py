"""Places of tests that no longer hold a new file which holds no test (policy set v2, class G04): JavaScript's.

Rule: all that a list of names or places held, and holds no longer, is new, gives something to others, and calls nothing
that makes a test; a file that is still held names it. It came of no file that is gone.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from ralph.guardrails.config.filters import is_held
from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.moved.carried import came_of
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

COLLECTION, HOLDS_NO_LONGER = "cfg.test.collection", "no longer holds "
SCRIPT = later(r"\.[cm]?[jt]sx?$")
MAKES_TESTS = later(
    r"(?m)\b(?:describe|context|suite|test|it|specify|scenario|bench|step|feature)\b[\w.$]*\s*[(`\[]|\.run\s*\(|^\w[\w.]*\("
)
"""What stands at the start of a line may make some, too."""
GIVES = later(r"(?m)^export\b|^(?:module\.)?exports\b")
MOST = 20


def helpers_shown(loss: Loss, before: Side, after: Side) -> Loss:
    """For a person, if nothing else is lost."""
    return replace(loss, rule=MINOR_EXCLUSION) if _are_helpers(loss, before, after) else loss


def _are_helpers(loss: Loss, before: Side, after: Side) -> bool:
    if loss.rule != COLLECTION or not loss.text.startswith(HOLDS_NO_LONGER) or loss.node is None:
        return False
    folder = posixpath.dirname(loss.node.path)
    start = f"{folder}/" if folder else ""
    old, new = ([canonical(item) for item in words(node)] for node in (loss.old, loss.node))
    if not old or not new:
        return False
    tests = [path for path in sorted(after.paths) if path.startswith(start) and is_test(path)]
    held = [path for path in tests if is_held(new, path[len(start) :], regex=True)]
    lost = [path for path in tests if is_held(old, path[len(start) :], regex=True) and path not in set(held)]
    if not lost or len(lost) > MOST or any(path in before.paths or not SCRIPT.search(path) for path in lost):
        return False
    return all(_is_helper(path, held, before, after) for path in lost)


def _is_helper(path: str, held: Sequence[str], before: Side, after: Side) -> bool:
    text = after.text(path) or ""
    if not GIVES.search(text) or MAKES_TESTS.search(text) or came_of(path, before, after):
        return False
    name = posixpath.splitext(posixpath.basename(path))[0]
    return any(f"/{name}" in (after.text(test) or "") for test in held)
