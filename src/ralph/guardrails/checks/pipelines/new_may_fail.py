"""Jobs of Travis that may fail, and that are all new: those of before may not (policy set v2, class G10).

Rule: no entry of `allow_failures` holds for a job of the base, whether it is listed or comes of the lists at the top,
each listed job of the base is still there as it was, and so are the values at the top that the entries ask for. A new
system that is tried out takes nothing away. What an entry says that is no plain value may hold for any job.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.checks.model import Flaw, Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.config.node import Node, canonical

USUAL = {"os": "linux", "arch": "amd64"}
"""What a job has of which nothing is said. Of all else nobody knows then: it comes of the job before, or is chosen."""


def only_new_may_fail(flaw: Flaw, now: Gate, before: Reach, after: Reach) -> bool:
    if flaw != "allowed" or now.path.rpartition("/")[2] != ".travis.yml":
        return False
    was, new = before.side.node(now.path), after.side.node(now.path)
    entries = _listed(new, "allow_failures") if was is not None and new is not None else []
    if was is None or new is None or not entries or _listed(was, "allow_failures"):
        return False
    asked = {key for entry in entries for key in entry.mapping}
    if not asked or any(_said(was, key) != _said(new, key) for key in asked):
        return False
    jobs, kept = _listed(was, "include"), [canonical(job) for job in _listed(new, "include")]
    if any(canonical(job) not in kept for job in jobs):
        return False
    made = not jobs or any(_said(was, key) for key in asked)
    there = (*jobs, None) if made else jobs
    return not any(_may_hold(entry, job, was) for entry in entries for job in there)


def _listed(node: Node | None, key: str) -> Sequence[Node]:
    found = (
        next(filter(None, (node.at(above, key) for above in ("jobs", "matrix"))), None) if node is not None else None
    )
    return found.items if found is not None else []


def _said(node: Node, key: str) -> tuple[str, ...]:
    """The values that a job, or all of them, have under a key."""
    found = node.at(key)
    if found is None:
        return ()
    return tuple(map(canonical, found.items)) if isinstance(found.value, list) else (canonical(found),)


def _may_hold(entry: Node, job: Node | None, whole: Node) -> bool:
    """For a listed job, or (None) for one of those that come of the lists at the top."""
    for key, wanted in entry.mapping.items():
        said = (
            (_said(job, key) if job is not None else ()) or _said(whole, key) or tuple(filter(None, [USUAL.get(key)]))
        )
        if said and isinstance(wanted.value, str | int | float) and canonical(wanted) not in said:
            return False
    return True
