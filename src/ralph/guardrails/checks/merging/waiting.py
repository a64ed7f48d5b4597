"""Jobs that ship something and no longer wait for the checks, in pipelines other than GitHub's and GitLab's (G16).

`requires` of a job in CircleCI's workflows, `dependsOn` and `condition` of Azure's jobs and stages, `depends_on` and
`allow_dependency_failure` of Buildkite's steps, `depends_on` of Drone and Woodpecker. Rule: a job that ships, by its
name, waits for what it waited for, as far as that is there; and does not run although that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.merging.shipping import SHIPPING, SHIPS
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.model import Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

PLACES = later(
    r"(?:^|/)(?:\.circleci/[^/]+|\.buildkite/[^/]+|[^/]*azure-pipelines[^/]*|\.drone|\.?woodpecker[^/]*|\.woodpecker/[^/]+)\.ya?ml$"
)
NEEDS = ("requires", "dependsOn", "depends_on")
NAMES = ("job", "stage", "deployment", "key", "name", "label", "id")
REGARDLESS = later(r"\b(?:always|succeededorfailed|failed)\(\)")
MOST_DEEP = 8


@record
class Job:
    node: Node
    needs: frozenset[str]
    place: Node
    """Where it says so."""
    regardless: str
    """What lets it run although another failed."""


def waiting_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    if not PLACES.search(path):
        return
    old, new = before.side.node(path), after.side.node(path)
    if old is None or new is None or not before.of_file(path):
        return
    had, has = _by_name(old), _by_name(new)
    checking = {part for gate in before.of_file(path) if gate.kind != "build" for part in gate.slot.split("/") if part}
    for name, was in had.items():
        now = has.get(name)
        if now is None or not (SHIPPING.search(name) or SHIPS.search(canonical(was.node))):
            continue
        checks = {need for need in was.needs if need in checking or is_named(need)}
        lost = sorted((checks & has.keys()) - now.needs - _waits(has, now.needs))
        if lost:
            yield hit_at("ci.needs-dropped", path, now.place.line, f"{name} no longer waits for {', '.join(lost)}")
        elif now.regardless and not was.regardless and now.needs & (checks | set(map(str, had))):
            yield hit_at(
                "ci.needs-dropped", path, now.place.line, f"{name} runs although the checks failed: {now.regardless}"
            )


def _by_name(node: Node) -> dict[str, Job]:
    """The first of a name counts."""
    found: dict[str, Job] = {}
    for name, job in _jobs(node):
        found.setdefault(name, job)
    return found


def _waits(jobs: dict[str, Job], names: frozenset[str]) -> set[str]:
    """What those wait for in turn."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        job = jobs.get(waiting.pop())
        fresh = job.needs - found if job is not None else frozenset()
        found |= fresh
        waiting += fresh
    return found


def _jobs(node: Node, depth: int = 0) -> Iterator[tuple[str, Job]]:
    """Every mapping that has a name, by itself or as the key that it stands under; the first of a name counts."""
    if depth > MOST_DEEP:
        return
    for item in node.value if isinstance(node.value, list) else ():
        name = next((canonical(each) for key in NAMES if (each := item.at(key)) is not None), "")
        if not name and len(item.mapping) == 1:
            name, inner = next(iter(item.mapping.items()))
            if inner.mapping and any(key in inner.mapping for key in (*NEEDS, "filters", "context", "type")):
                yield name, _job(inner)
        elif name:
            yield name, _job(item)
        elif isinstance(item.value, str):
            yield canonical(item), Job(item, frozenset(), item, "")
        yield from _jobs(item, depth + 1)
    for key, value in node.mapping.items():
        if key not in NEEDS and (key not in ("steps", "script") or depth < 2):
            yield from _jobs(value, depth + 1)


def _job(node: Node) -> Job:
    place = next((found for key in NEEDS if (found := node.at(key)) is not None), node)
    needs = {name for key in NEEDS if (found := node.at(key)) is not None for name in _names(found)}
    tolerant = {name for key in NEEDS if (found := node.at(key)) is not None for name in _tolerant(found)}
    condition = node.at("condition")
    text = canonical(condition).lower() if condition is not None else ""
    allowed = canonical(node.at("allow_dependency_failure") or node.with_value(False)).lower() == "true"
    regardless = "allow_dependency_failure" if allowed else text if REGARDLESS.search(text) else ""
    return Job(
        node, frozenset(needs - tolerant), condition if regardless and condition is not None else place, regardless
    )


def _names(node: Node) -> Iterator[str]:
    for item in node.items:
        if item.mapping:
            step = item.at("step")
            yield canonical(step) if step is not None else next(iter(item.mapping))
        else:
            yield canonical(item)


def _tolerant(node: Node) -> Iterator[str]:
    """CircleCI: `test: [success, failed]`; Buildkite: `allow_failure: true`."""
    for item in node.items:
        if not item.mapping:
            continue
        step = item.at("step")
        if step is not None and canonical(item.at("allow_failure") or item.with_value(False)).lower() == "true":
            yield canonical(step)
        for name, states in item.mapping.items():
            said = {canonical(state) for state in states.items}
            if {"failed", "terminal"} & said and step is None and re.fullmatch(r"[\w-]+", name):
                yield name
