"""Matrices and filters of pipelines other than GitHub's, judged as GitHub's are (classes G09, G16).

GitLab's `parallel: matrix`, the parameters of CircleCI's matrix jobs, Azure's legs, Buildkite's matrix, Travis's `env`;
`pr` of Azure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.pipelines.axes import axis_hits
from ralph.guardrails.checks.pipelines.supported import least_version
from ralph.guardrails.checks.pipelines.workflows import filter_hits
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers.copies import AZURE, BUILDKITE, CIRCLE, GITLAB
from ralph.guardrails.checks.readers.gitlab import RESERVED, whole
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.model import Hit
from ralph.system.patterns import later

TRAVIS = later(r"(?:^|/)\.travis\.ya?ml$")
Axes = dict[str, tuple[Node, dict[str, Node]]]
"""By the job: the job, and its lists by name."""


def matrix_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    if not path.endswith((".yml", ".yaml")):
        return
    old, new = before.side.node(path), after.side.node(path)
    if old is None or new is None or not before.of_file(path):
        return
    checking = {part for gate in before.of_file(path) for part in gate.slot.split("/") if part}
    had, has = _axes(path, old), _axes(path, new)
    for name, (_, axes) in had.items():
        if name not in has or (name not in checking and not (BUILDKITE.search(path) or TRAVIS.search(path))):
            continue
        job, now = has[name]
        for key, values in axes.items():
            if key in now:
                yield from axis_hits(path, job, name, key, values, now[key], least_version(after.side, key))
    if AZURE.search(path):
        yield from _azure_filters(path, old, new, after)


def _axes(path: str, node: Node) -> Axes:
    if GITLAB.search(path):
        return _of_gitlab(node)
    if CIRCLE.search(path):
        return _of_circle(node)
    if AZURE.search(path):
        return _of_azure(node)
    if TRAVIS.search(path):
        return _of_travis(node)
    return _of_buildkite(node) if BUILDKITE.search(path) else {}


def _of_gitlab(node: Node) -> Axes:
    jobs = ((name, whole(node, job)) for name, job in node.mapping.items() if name not in RESERVED and job.mapping)
    found = ((name, job, job.at("parallel", "matrix")) for name, job in jobs)
    return {name: (job, _joined(rows.items)) for name, job, rows in found if rows is not None}


def _of_circle(node: Node) -> Axes:
    workflows = (node.at("workflows") or node.with_value({})).mapping.values()
    listed = (item for workflow in workflows for item in (workflow.at("jobs") or node.with_value([])).items)
    jobs = ((name, job, job.at("matrix", "parameters")) for item in listed for name, job in item.mapping.items())
    return {name: (job, dict(lists.mapping)) for name, job, lists in jobs if lists is not None}


def _of_azure(node: Node) -> Axes:
    stages = (node, *(node.at("stages") or node.with_value([])).items)
    jobs = (job for stage in stages for job in (stage.at("jobs") or node.with_value([])).items)
    found = ((canonical(job.at("job") or job.with_value("")), job, job.at("strategy", "matrix")) for job in jobs)
    return {name: (job, _joined(list(legs.mapping.values()))) for name, job, legs in found if legs is not None}


def _of_buildkite(node: Node) -> Axes:
    found: Axes = {}
    for step in (node.at("steps") or node.with_value([])).items:
        matrix = step.at("matrix", "setup") or step.at("matrix")
        if matrix is not None:
            axes = dict(matrix.mapping) or {"matrix": matrix}
            found[canonical(step.at("key") or step.at("label") or step.with_value(""))] = step, axes
    return found


def _of_travis(node: Node) -> Axes:
    """Every line of its environments is a run of its own."""
    env = node.at("env")
    listed = (env.at("matrix") or env.at("jobs")) if env is not None and env.mapping else env
    return {"env": (node, {"env": listed})} if listed is not None and isinstance(listed.value, list) else {}


def _joined(rows: Sequence[Node]) -> dict[str, Node]:
    """The values of each name in all the rows."""
    values: dict[str, list[Node]] = {}
    places: dict[str, Node] = {}
    for row in rows:
        for name, value in row.mapping.items():
            places.setdefault(name, value)
            had = values.setdefault(name, [])
            had += [item for item in value.items if canonical(item) not in {canonical(each) for each in had}]
    return {name: places[name].with_value(listed) for name, listed in values.items()}


def _azure_filters(path: str, old: Node, new: Node, after: Reach) -> Iterator[Hit]:
    was, now = _filter(old.at("pr")), _filter(new.at("pr"))
    if was is not None and now is not None:
        yield from filter_hits(path, "pr", was, now, new, after)


def _filter(node: Node | None) -> Node | None:
    """In GitHub's words; a list is one of branches."""
    if node is None:
        return None
    if not node.mapping:
        return node.with_value({"branches": node})
    said = {
        "branches": node.at("branches", "include") or (node.at("branches") if _is_list(node.at("branches")) else None),
        "branches-ignore": node.at("branches", "exclude"),
        "paths": node.at("paths", "include"),
        "paths-ignore": node.at("paths", "exclude"),
    }
    return node.with_value({key: value for key, value in said.items() if value is not None})


def _is_list(node: Node | None) -> bool:
    return node is not None and isinstance(node.value, list)
