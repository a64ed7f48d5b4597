"""How often CI runs a job, and what each run is told: its matrix, or its number among copies (see `pipelines.shards`).

GitHub's matrices, GitLab's `parallel`, the parallelism of CircleCI and Buildkite, strategies of Azure. A variable
stands by the name that commands call it by; what only running could tell is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from ralph.guardrails.checks.readers.gitlab import RESERVED, whole
from ralph.guardrails.checks.readers.matrix import MOST, entries
from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

Run = Mapping[str, str]
GITHUB = later(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$")
GITLAB = later(r"(?:^|/)[\w.-]*\.gitlab-ci\.ya?ml$")
CIRCLE = later(r"(?:^|/)\.circleci/[^/]+\.ya?ml$")
AZURE = later(r"(?:^|/)[^/]*azure-pipelines[^/]*\.ya?ml$")
BUILDKITE = later(r"(?:^|/)\.buildkite/[^/]+\.ya?ml$")
NUMBERED = (
    (CIRCLE, "parallelism", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL"),
    (BUILDKITE, "parallelism", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT"),
)
"""Where copies of a job are numbered from zero, and by which variables."""


def is_told(path: str) -> bool:
    return any(form.search(path) for form in (GITHUB, GITLAB, CIRCLE, AZURE, BUILDKITE))


def copies(path: str, node: Node) -> Iterator[tuple[str, Node, list[Run]]]:
    """Every job that is run for a known number of times: its name, and what each run is told."""
    if GITHUB.search(path):
        jobs = node.at("jobs")
        for name, job in jobs.mapping.items() if jobs is not None else ():
            yield name, job, [_with(run, node, job) for run in _github(job)]
    elif GITLAB.search(path):
        for name, job in node.mapping.items():
            if name not in RESERVED and job.mapping and not name.startswith("."):
                full = whole(node, job)
                yield name, full, [_with(run, node, full) for run in _gitlab(full)]
    elif AZURE.search(path):
        yield from ((canonical(job.at("job") or node.with_value("")), job, _azure(job)) for job in _azure_jobs(node))
    for form, key, index, total in NUMBERED:
        if form.search(path):
            for name, job in _listed(node):
                number = _number(job.at(key))
                yield name, job, [{index: str(at), total: str(number)} for at in range(number)]


def _with(run: Run, node: Node, job: Node) -> Run:
    """And what the file and the job give every run by a name."""
    found = dict(run)
    for place in (node, job):
        for key in ("env", "variables"):
            given = place.at(key)
            for name, value in given.mapping.items() if given is not None else ():
                if not value.mapping:
                    found.setdefault(name, canonical(value))
    return found


def _github(job: Node) -> list[Run]:
    found = entries(job)
    if found is None:
        return [{}] if job.at("strategy", "matrix") is None else []
    known = [{f"matrix.{key}": str(value) for key, value in entry.items() if isinstance(value, str)} for entry in found]
    total = str(len(known))
    return [{**run, "strategy.job-index": str(at), "strategy.job-total": total} for at, run in enumerate(known)]


def _gitlab(job: Node) -> list[Run]:
    parallel = job.at("parallel")
    rows = parallel.at("matrix") if parallel is not None else None
    if parallel is None:
        return [{}]
    if rows is None:
        number = _number(parallel)
        return [{"CI_NODE_INDEX": str(at + 1), "CI_NODE_TOTAL": str(number)} for at in range(number)]
    found: list[Run] = []
    for row in rows.items:
        values = [[canonical(item) for item in value.items] for value in row.mapping.values()]
        found += [dict(zip(row.mapping, chosen, strict=True)) for chosen in product(*values)][:MOST]
    return found[:MOST]


def _azure_jobs(node: Node) -> Iterator[Node]:
    """Jobs may stand by themselves or in stages."""
    for stage in (node, *(node.at("stages") or node.with_value(None)).items):
        jobs = stage.at("jobs")
        yield from (job for job in (jobs.items if jobs is not None else ()) if job.mapping)


def _azure(job: Node) -> list[Run]:
    matrix, parallel = job.at("strategy", "matrix"), job.at("strategy", "parallel")
    if matrix is not None:
        return [{name: canonical(value) for name, value in leg.mapping.items()} for leg in matrix.mapping.values()]
    number = _number(parallel)
    names = ("System.JobPositionInPhase", "System.TotalJobsInPhase")
    return [dict(zip(names, (str(at + 1), str(number)), strict=True)) for at in range(number)]


def _listed(node: Node) -> Iterator[tuple[str, Node]]:
    """CircleCI's jobs have names, Buildkite's steps labels."""
    jobs, steps = node.at("jobs"), node.at("steps")
    yield from jobs.mapping.items() if jobs is not None else ()
    for step in steps.items if steps is not None else ():
        yield canonical(step.at("label") or step.with_value("")), step


def _number(node: Node | None) -> int:
    """Of copies; 0 where it cannot be read."""
    text = canonical(node) if node is not None and not node.mapping else ""
    return min(int(text), MOST) if text.isdecimal() else 0
