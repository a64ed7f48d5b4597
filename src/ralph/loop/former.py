"""The run before the next one: which it is, and how it is closed when nobody goes on with it.

Rules (design decision 32): nothing of a run is lost because Ralph died and a person began anew. What followed from its
last input is done, what its last turn had used counts, and its log says that it was stopped. A run from before a reset
of the project is evidence and nothing else: nobody goes on with it, and nothing of it is done any more.
"""

from __future__ import annotations

from pathlib import Path

from ralph.errors import UsageError
from ralph.loop import journal as journals
from ralph.loop import turn_folder
from ralph.loop.acting import cut_off
from ralph.loop.control import Alive
from ralph.loop.effects import RunAgent
from ralph.loop.inputs import Controlled
from ralph.loop.journal import Journal
from ralph.loop.runner import Runner
from ralph.loop.saved import StateStore
from ralph.loop.site import Site


def newest(root: Path) -> Journal | None:
    """The newest run of the project; None if nothing has run since it was reset. Raises StorageError."""
    found = journals.latest(root)
    if found is None:
        return None
    saved = StateStore(root).load_or_none()
    is_current = saved is not None and saved.run_id == found.state.run
    return found if is_current or found.place.seq == 1 else None  # a kill came before the state was written at all


def refuse_unfinished(root: Path) -> None:
    """Raises UsageError if the newest run was cut off; for who holds the project, so that it is not at work."""
    found = newest(root)
    if found is not None and found.state.status != "ended":
        raise UsageError(
            f"The run {found.state.run} was cut off: `ralph resume` goes on with it, and `ralph run --new` begins anew."
        )


def close(site: Site, found: Journal, at_work: Alive) -> None:
    """Bring a run to its end that nobody goes on with; `site` is its own. Raises RalphError."""
    runner, awaiting = Runner(site=site, journal=found, alive=at_work), found.state.awaiting
    runner.catch_up()
    if isinstance(awaiting, RunAgent) and (ended := cut_off(site.folder, awaiting)) is not None:
        runner.take_in(ended)
        runner.catch_up()
    if found.state.status != "ended":
        runner.take_in(Controlled(do="stop"))
        runner.catch_up()
    for folder in turn_folder.all_of(site.folder):
        folder.close()
