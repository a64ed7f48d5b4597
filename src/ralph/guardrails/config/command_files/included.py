"""Parts of a pipeline under names of their own, which other files include."""

from __future__ import annotations

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

JOB_KEYS = frozenset({"script", "steps", "jobs", "before_script"})
JOBS = later(
    rb"(?m)^[ \t]*[\"']?(?:script|steps|jobs|before_script)[\"']?[ \t]*:"
    rb"|^apiVersion:[ \t]*[\"']?(?:tekton\.dev|argoproj\.io)/"
)
MAX_JOBS_BYTES = 200_000


def included(side: Side, path: str) -> Node | None:
    """A part of a CI configuration, whatever its name. None for any other data."""
    if not JOBS.search((side.bytes(path) or b"")[:MAX_JOBS_BYTES]):
        return None
    node = side.node(path)
    return node if node and (_has_jobs(node) or runs_containers(node)) else None


def runs_containers(node: Node) -> bool:
    """A task or workflow of Tekton or Argo."""
    version = node.at("apiVersion")
    return version is not None and canonical(version).startswith(("tekton.dev/", "argoproj.io/"))


def _has_jobs(node: Node) -> bool:
    return bool(JOB_KEYS & node.mapping.keys()) or any(JOB_KEYS & job.mapping.keys() for job in node.mapping.values())
