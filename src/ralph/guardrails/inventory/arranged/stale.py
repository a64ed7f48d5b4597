"""An object that the base's test loaded again from where it is kept is looked at as it is (policy set v2, class G05).

Rule: `note.refresh_from_db()`, `user.reload`, `session.refresh(note)` is gone before an assertion about the object that
the base had, too, and nothing else gives the object anew. What was never stored passes then. Where the product changed
with it, it is for a person: it may give the stored object back now.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits
from ralph.system.patterns import later

RELOADS = later(
    r"\s*(?:await\s+)?(?:(?P<path>[@$]?\w+(?:\.\w+)*)\.(?:a?refresh_from_db|reload!?|fresh)(?:\(.*\))?"
    r"|(?:\w+\.)*(?:session|entityManager|em)\.(?:refresh|expire)\(\s*(?P<given>\w+(?:\.\w+)*).*\))\s*"
)


def no_longer_loaded(edits: Edits) -> str | None:
    """The statement that is gone, as it was written; None if none is."""
    for statement in edits.gone:
        match = RELOADS.fullmatch(statement)
        if match is None:
            continue
        path = re.escape(match["path"] or match["given"])
        named = re.compile(rf"(?<![\w.$@]){path}(?!\w)")
        anew = re.compile(rf"(?<![\w.$@]){path}\s*=(?![=>~])|{RELOADS.pattern}")
        behind = edits.old[edits.old.index(statement) + 1 :]
        if any(named.search(edits.new[at]) and anew.search(edits.new[at]) for at in edits.fresh):
            continue
        if any(named.search(each) and ASSERTS.search(each) and each.strip() in _there(edits) for each in behind):
            return statement.strip()
    return None


def _there(edits: Edits) -> frozenset[str]:
    return frozenset(each.strip() for each in edits.new)
