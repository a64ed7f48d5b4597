"""The confessional of a run: where the confessions of the task at work are checked."""

from __future__ import annotations

from ralph.loop.confessional import Confessional
from ralph.loop.site import Site
from ralph.loop.state import State


def confessional(site: Site, state: State) -> Confessional | None:
    """None where there is no task whose work could be confessed."""
    if state.work is None or state.checkpoint is None:
        return None
    return Confessional(
        repo=site.repo,
        base_tree=state.checkpoint.tree,
        env=site.step_env,
        level=site.level,
        permissions=site.permissions,
        limit=float(site.topology.confidence),
    )
