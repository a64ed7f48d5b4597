"""The second level: a command behind Landlock and the system call filter, where there is no bubblewrap.

Rules (research: commands and sandbox, B.3; design decision 25):

- `with confined(command, walls) as inside: process.run(inside)`. The command that is yielded carries all it needs; its
  ruleset and its private folder for temporary files live as long as the `with`.
- Sockets are refused by the filter: of the network and, because Landlock knows nothing of their paths, of unix too
  (connected pairs work). Named domains need a network of one's own, which this level does not have: refused.
- Not held here, unlike with bubblewrap: mode, owner, times and attributes of the user's files anywhere (their contents
  are); /dev/shm is shared; and, before Landlock 6, the user's other processes can be sent signals. Nothing new can be
  made beside a protected place (see `landlock_rules.py`).
- There is no process namespace: that nothing outlives the command is the warden's work, as everywhere. Without a
  control group, processes are counted per user on top of those that run already, and for root not at all.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ralph.errors import SandboxUnavailable
from ralph.permissions.sandbox import cgroups, seccomp
from ralph.permissions.sandbox.bubblewrap import DEFAULT_PATH, limits
from ralph.permissions.sandbox.landlock import ruleset
from ralph.permissions.sandbox.landlock_rules import grants
from ralph.permissions.sandbox.model import Ceilings, Walls
from ralph.record import replace
from ralph.system.process import Command, Confinement
from ralph.system.scratch import scratch


@contextmanager
def confined(command: Command, walls: Walls) -> Iterator[Command]:
    """The same command, confined. Raises SandboxUnavailable if these walls cannot be had at this level."""
    if walls.network and not walls.open_network:
        raise SandboxUnavailable(
            f"Network for {', '.join(walls.network)} alone needs bubblewrap: Landlock knows ports, but no addresses."
        )
    program = seccomp.program(deny_inet=not walls.open_network, deny_unix=True)
    with (
        scratch("landlock") as private,
        ruleset(grants(walls, private), open_network=walls.open_network) as wall,
        cgroups.group(walls.ceilings) as groups,
    ):
        yield replace(
            command,
            env=_environment(walls, private),
            cgroups=(*command.cgroups, *groups),
            confinement=Confinement(
                limits=_limits(walls.ceilings),
                powerless=True,
                ruleset=wall,
                filter=program,
            ),
        )


def _environment(walls: Walls, private: Path) -> dict[str, str]:
    """That of the walls, as with bubblewrap. Temporary files go to the private folder, and git does not stumble over a
    personal configuration that is closed."""
    standard = {"PATH": DEFAULT_PATH, "HOME": str(Path.home()), "GIT_CONFIG_GLOBAL": "/dev/null"}
    return {**standard, **walls.environment, **{name: str(private) for name in ("TMPDIR", "TMP", "TEMP")}}


def _limits(ceilings: Ceilings) -> dict[int, int]:
    """The kernel counts processes per user, so what is allowed comes on top of all that are running now."""
    running = int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
    return {**limits(ceilings), resource.RLIMIT_NPROC: running + ceilings.processes}
