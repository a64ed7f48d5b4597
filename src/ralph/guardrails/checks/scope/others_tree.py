"""Jobs that check another project's code: they run where that is checked out (policy set v2, class G09).

Rule: a job of a workflow whose one checkout without a `path` is of another repository, by its plain name, at the base
and now, that checks out this one beside it, and never goes there, knows none of this tree's files where it runs: what
a command looks at is not told by them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

REPOSITORY = later(r"[\w.-]+/[\w.-]+")
LITERAL = later(r"[\w./@+-]*[\w.]/?")
GOES = later(
    r"(?m)(?:^|[;&|(]|\bdo|\bthen)[ \t]*(?:cd|pushd)[ \t]+(?P<cd>\S+)"
    r"|(?:--(?:directory|project|rootdir|manifest-path|prefix)[= ]|\s-C[ \t]*)(?P<option>\S+)"
)


def is_of_others(was: Gate, now: Gate, before: Side, after: Side) -> bool:
    old, new = _others(was, before), _others(now, after)
    return bool(old) and old == new


def _others(gate: Gate, side: Side) -> str:
    """The other repository whose code the job checks; empty if it may be its own."""
    whole = side.node(gate.path) if "/workflows/" in gate.path else None
    job = whole.at("jobs", gate.slot.removeprefix("jobs/")) if whole is not None else None
    if whole is None or job is None:
        return ""
    own = {canonical(path) for step in _steps(job) if _is_checkout(step) and (path := step.at("with", "path"))}
    beside = any(_is_checkout(step) and not step.at("with", "repository") for step in _steps(job))
    if not beside or any(_may_be_in(own, place) for part in (whole, job, *_steps(job)) for place in _places(part)):
        return ""
    at_root = [step for step in _steps(job) if _is_checkout(step) and step.at("with", "path") is None]
    repository = at_root[0].at("with", "repository") if len(at_root) == 1 else None
    named = canonical(repository) if repository is not None else ""
    return named if REPOSITORY.fullmatch(named) else ""


def _steps(job: Node) -> Iterator[Node]:
    steps = job.at("steps")
    yield from steps.items if steps is not None else ()


def _is_checkout(step: Node) -> bool:
    uses = step.at("uses")
    return uses is not None and canonical(uses).startswith("actions/checkout@")


def _places(part: Node) -> Iterator[str]:
    """Where a step, or all of them, go."""
    for said in (part.at("working-directory"), part.at("defaults", "run", "working-directory")):
        if said is not None:
            yield canonical(said)
    run = part.at("run")
    for found in GOES.finditer(canonical(run)) if run is not None else ():
        yield (found["cd"] or found["option"]).strip("\"'")


def _may_be_in(folders: set[str], place: str) -> bool:
    """The folders of checkouts, or those below them; what only running could tell may be anywhere."""
    if not LITERAL.fullmatch(place):
        return True
    parts = posixpath.normpath(place).split("/")
    return any(posixpath.normpath(folder).split("/")[0] in parts for folder in folders)
