"""Checks of a workflow that comes to be started for the base instead of for the change (policy set v2, class G16).

Rule: `pull_request_target` runs for the branch that a change is made to, and `actions/checkout` takes that one where it
is told nothing else. A job that checks blocks if `pull_request` started it before and no longer does, or if it gave up
the `ref` of the change; not if it fetches the change in some way, or if another workflow checks the same for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

FOR_THE_BASE, FOR_THE_CHANGE = "pull_request_target", "pull_request"
FETCHES = later(
    r"head\.(?:sha|ref)|head_ref|refs/pull|refs/remotes/pull|pull/\$|\bpr checkout\b|merge_commit_sha|event\.number"
    r"|pull_request\.number|repos/[^\n]*/pulls/"
)
"""What brings the change itself into a job."""


def of_the_base(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    old, new = before.side.node(path), after.side.node(path)
    if old is None or new is None or FOR_THE_BASE not in (after.side.text(path) or ""):
        return
    was, now = _events(old), _events(new)
    if FOR_THE_BASE not in now or FOR_THE_CHANGE in now:
        return
    jobs = jobs_of(old)
    for name, job in jobs_of(new).items():
        gates = [gate for gate in after.of_file(path) if gate.slot == f"jobs/{name}" and after.is_check(gate)]
        looked_at_it = FOR_THE_CHANGE in was or (name in jobs and FETCHES.search(canonical(jobs[name])) is not None)
        place = _plain_checkout(job)
        if not gates or place is None or not looked_at_it or FETCHES.search(canonical(job)):
            continue
        if not all(_checked_elsewhere(gate, path, after.side, after) for gate in gates):
            text = f"{name} checks out the branch that a change is made to, and never looks at the change"
            yield hit_at("ci.other-code", path, place.line, text)


def _events(node: Node) -> set[str]:
    on = node.at("on")
    if on is None:
        return set()
    return set(on.mapping) if on.mapping else {canonical(item) for item in on.items}


def _plain_checkout(job: Node) -> Node | None:
    """The checkout of a job that is told no other place and no other state."""
    steps = job.at("steps")
    for step in steps.items if steps is not None else ():
        uses = step.at("uses")
        if uses is not None and canonical(uses).startswith("actions/checkout"):
            told = [step.at("with", key) for key in ("ref", "repository")]
            return uses if all(each is None for each in told) else None
    return None


def _checked_elsewhere(gate: Gate, path: str, side: Side, reach: Reach) -> bool:
    for other in sorted(side.paths):
        if other == path or "/workflows/" not in f"/{other}":
            continue
        node = side.node(other)
        heard = (each.words for each in reach.of_file(other) if not each.flaws)
        if node is not None and FOR_THE_CHANGE in _events(node) and gate.words in heard:
            return True
    return False
