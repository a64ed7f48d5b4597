"""The jobs of a workflow of GitHub's, and which of them wait for which (class G16)."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.config.node import Node, canonical


def jobs_of(node: Node) -> dict[str, Node]:
    jobs = node.at("jobs")
    return {name: job for name, job in jobs.mapping.items() if job.mapping} if jobs else {}


def waits(jobs: Mapping[str, Node], name: str) -> set[str]:
    """The jobs that one waits for, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        job = jobs.get(waiting.pop())
        needs = job.at("needs") if job else None
        fresh = {canonical(item) for item in needs.items} - found if needs else set()
        found |= fresh
        waiting += fresh
    return found
