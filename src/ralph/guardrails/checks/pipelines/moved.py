"""Checks that moved from where every change started them into a workflow that no change starts (class G16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.pipelines.workflows import REQUIRED, events
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.removed.pairs import Pair
from ralph.guardrails.config.node import Node
from ralph.guardrails.model import Hit

STARTED = frozenset((*REQUIRED, "pull_request_target", "workflow_call"))
"""By a change, or by a workflow that is judged itself."""


def moved_hits(pairs: Sequence[Pair], before: Reach, after: Reach) -> Iterator[Hit]:
    sources: dict[str, set[str]] = {}
    for was, now, _ in pairs:
        if now is not None and was.place == now.place == "ci" and was.path != now.path and "/workflows/" in now.path:
            sources.setdefault(now.path, set()).add(was.path)
    for path, others in sorted(sources.items()):
        node = after.side.node(path)
        if node is None or before.side.node(path) is not None or STARTED & events(node).keys():
            continue
        if any(_is_started(before.side.node(other), other) for other in others):
            place, detail = node.at("on") or node, "no change starts the checks that moved here"
            column = min(place.line, 1)
            yield Hit(
                rule="ci.trigger-removed",
                path=path,
                line=place.line,
                column=column,
                key=detail,
                snippet=detail,
                detail=detail,
            )


def _is_started(node: Node | None, path: str) -> bool:
    """Other services start what they are given for every change."""
    return node is not None and ("/workflows/" not in path or bool(STARTED & events(node).keys()))
