"""Which branches start a pipeline or job of a CI system other than GitHub's and GitLab's.

Rules: the places where filters stand are `branches` (a text, a list, or lists under `only`, `include`, `except`,
`ignore`, `exclude`), `branch` and `event`, in `when`, `trigger`, `pr` and `filters`, too. A filter keeps checks off
if it leaves out every branch, one that changes are usually merged into, or those of somebody, or names none of these.
Where a system knows only the branch that was pushed (`of_push`), a list of plain names leaves out every proposed
change.
"""

from __future__ import annotations

from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.readers.people import is_odd
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

MERGED_INTO = later(r"(?i)(?:refs/heads/)?(?:main|master|trunk|develop|dev|default|next|staging|v?\d[\w.]*)")
MINOR = later(r"(?i)\bdocs?\b|pages|tags?\b|wiki|\bci[-_/ ]?skip|skip[-_/ ]?ci|no[-_/ ]?ci\b")
PATTERN = later(r"[*?]|^/.*/\w*$|[\[(+]")
EVERY = later(r"(?:refs/heads/)?\*\*?(?:/\*+)?|/\^?\(?\.[*+]\)?\$?/\w*")
NAMED, LEFT_OUT = ("only", "include"), ("except", "ignore", "exclude")
HOLDERS = ("when", "trigger", "pr", "filters")
CHANGES = later(r"push|pull_request|merge|\*")


def kept_off(node: Node, *, of_push: bool = False) -> dict[Flaw, str]:
    """The flaw that the filters of a pipeline, job or step give to the checks in it."""
    held = (found for key in HOLDERS if (found := node.at(key)) is not None)
    for place in (node, *(found.items[0] if len(found.items) == 1 else found for found in held)):
        for key in ("branches", "branch"):
            filters = place.at(key)
            reason = _reason(filters, of_push) if filters is not None else ""
            if reason:
                return {"off": f"its filter of branches {reason}"}
        event = place.at("event") if place is not node else None
        if (
            event is not None
            and not event.mapping
            and event.items
            and not any(CHANGES.search(canonical(item)) for item in event.items)
        ):
            return {"off": f"only {cut(', '.join(canonical(item) for item in event.items), 80)} starts it"}
        less = event.at("exclude") if event is not None else None
        if less is not None and "pull_request" in {canonical(item) for item in less.items}:
            return {"off": "no proposed change starts it"}
    return {"off": "it is skipped for every commit"} if _skips_all(node.at("skip_commits")) else {}


def _skips_all(skips: Node | None) -> bool:
    """AppVeyor's, by the files of a commit or by its message."""
    keys = ("files", "message") if skips is not None else ()
    items = (
        (item for key in keys for item in (skips.at(key) or skips.with_value([])).items) if skips is not None else ()
    )
    return any(EVERY.fullmatch(canonical(item)) for item in items)


def _matters(name: str) -> bool:
    """All branches, one that is merged into, or those of somebody."""
    return bool(EVERY.fullmatch(name) or MERGED_INTO.fullmatch(name)) or (is_odd(name) and not MINOR.search(name))


def _reason(filters: Node, of_push: bool) -> str:
    if filters.mapping:
        named = [item for key in NAMED for item in (filters.at(key) or filters.with_value([])).items]
        left_out = [item for key in LEFT_OUT for item in (filters.at(key) or filters.with_value([])).items]
    else:
        words = [filters.with_value(word) for item in filters.items for word in canonical(item).split()]
        left_out = [item.with_value(canonical(item)[1:]) for item in words if canonical(item).startswith("!")]
        named = [item for item in words if not canonical(item).startswith("!")]
    out = [name for name in map(canonical, left_out) if _matters(name)]
    if out:
        return f"leaves {out[0]} out"
    names = [canonical(item) for item in named if canonical(item)]
    usual = any(PATTERN.search(name) or (MERGED_INTO.fullmatch(name) and not of_push) for name in names)
    return f"holds only {cut(', '.join(names), 80)}" if names and not usual else ""
