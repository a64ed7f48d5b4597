"""The one door to confinement: a command goes in with walls and a level, and comes out as what happened.

Design decision 25: the level that is asked for is the level that is enforced. A level that cannot be had is an error
(exit code 2, BLOCKED), never a weaker one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ralph.errors import SandboxUnavailable
from ralph.permissions.sandbox import bubblewrap, landlocked
from ralph.permissions.sandbox.model import Level, Walls
from ralph.record import replace
from ralph.system import process, stream
from ralph.system.process import Command, Ended
from ralph.system.stream import Running


def run_confined(command: Command, walls: Walls, level: Level) -> Ended:
    """Run the command behind the walls. Its environment is exactly that of the walls; its own is not used.

    Raises SandboxUnavailable if these walls cannot be had at this level, and StorageError as `process.run` does.
    An end with `trouble` says that the command did not run, or not all the way, behind its walls.
    """
    command = replace(command, env=dict(walls.environment))
    match level:
        case Level.BUBBLEWRAP:
            with bubblewrap.confined(command, walls) as inside:
                return inside.judged(process.run(inside.command))
        case Level.LANDLOCK:
            with landlocked.confined(command, walls) as enclosed:
                return process.run(enclosed)
        case Level.NONE:
            return process.run(command)


@contextmanager
def start_confined(command: Command, walls: Walls, level: Level) -> Iterator[Running]:
    """The same for a client whose output is read while it runs."""
    command = replace(command, env=dict(walls.environment))
    match level:
        case Level.BUBBLEWRAP:
            with (
                bubblewrap.confined(command, walls) as inside,
                stream.start(inside.command, judge=inside.judged) as running,
            ):
                yield running
        case Level.LANDLOCK:
            with landlocked.confined(command, walls) as enclosed, stream.start(enclosed) as running:
                yield running
        case Level.NONE:
            with stream.start(command) as running:
                yield running


def require(enforced: Level, demanded: Level) -> None:
    """Raises SandboxUnavailable if what this machine enforces is less than what is demanded."""
    if not enforced.covers(demanded):
        raise SandboxUnavailable(
            f"The sandbox level {demanded} is demanded, and this machine enforces {enforced} only; `ralph doctor` says "
            "what is missing."
        )
