"""Workflows that start another one, which starts no longer by itself (policy set v2, class G16): GitHub's.

Rule: what has `workflow_call` runs on what its callers run on. A caller counts whose job waits for nothing and has no
condition; the filters of its events are judged as if they stood in the called one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side


def callers(path: str, whole: Node, side: Side) -> Iterator[tuple[str, Node]]:
    """Each workflow of this side that always calls this one, which says that it may be called."""
    on = whole.at("on")
    if on is None or not (on.at("workflow_call") or "workflow_call" in map(canonical, on.items)):
        return
    name = posixpath.basename(path)
    for other in sorted(side.paths):
        if other != path and "/workflows/" in f"/{other}" and name in (side.text(other) or ""):
            node = side.node(other)
            if node is not None and _calls(path, node):
                yield other, node


def _calls(path: str, workflow: Node) -> bool:
    jobs = workflow.at("jobs")
    for job in jobs.mapping.values() if jobs is not None else ():
        uses = job.at("uses")
        if uses is None or not canonical(uses).startswith("./") or posixpath.normpath(canonical(uses)) != path:
            continue
        if job.at("if") is None and job.at("needs") is None:
            return True
    return False
