"""The first level: bubblewrap, with namespaces of its own for everything and the system call filter.

Rules (research: commands and sandbox, B.3):

- Every namespace is new. The network one holds a loopback of its own, so a server and its test find each other and
  nobody else; only `open_network` shares the real one, and then unix sockets are refused: the abstract ones of the
  whole machine belong to the network's namespace.
- Named domains are reached through Ralph's proxy, whose socket is the only one of outside that is shown.
- No capability is kept, no further user namespace can be made, and the terminal is left.
- The command's environment is exactly that of the walls. Bubblewrap itself gets none, and takes its instructions from
  a descriptor, not from a command line that everybody can read.
- Processes are counted inside the sandbox, so the limit is set there: `/bin/sh` lowers it and becomes the command. It
  also offers the command up first when the machine runs out of memory.
- Bubblewrap reports when the command ended. Without that report the command never ran, whatever the exit code.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ralph.errors import SandboxUnavailable
from ralph.permissions.sandbox import bridge, cgroups, mounts, placeholders, remembered, seccomp, unlinked
from ralph.permissions.sandbox.model import Ceilings, Walls
from ralph.permissions.sandbox.mounts import Kind, Mount
from ralph.record import record, replace
from ralph.system.process import Command, Confinement, Ended, shell_argv

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PRIVATE_SHARE = 8
"""Each private folder may take this part of the memory, which is where its files lie."""

_OF_THE_MACHINE = (
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
    "/proc/asound",
    "/proc/driver",
)
"""The kernel's settings. It lets its root change them by owner, not by capability."""

_NAMESPACES = ("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session")
_PRELUDE = """\
echo 1000 2>/dev/null >/proc/self/oom_score_adj
ulimit -u "$1" 2>/dev/null || ulimit -p "$1" || exit 125
shift
exec "$@"
"""


@record
class Confined:
    """A command in its sandbox, ready for `process.run`, and bubblewrap's report about it."""

    command: Command
    report: int

    def judged(self, ended: Ended) -> Ended:
        """The same end, with trouble if the command never ran."""
        os.lseek(self.report, 0, os.SEEK_SET)
        reports = [json.loads(line) for line in os.read(self.report, 65536).splitlines()]
        if (
            ended.trouble
            or ended.timed_out
            or ended.stopped
            or ended.signal
            or any("exit-code" in each for each in reports)
        ):
            return ended
        said = ended.output.strip().rpartition("\n")[2] or "bubblewrap said nothing"
        return replace(ended, exit_code=None, trouble=f"the sandbox could not be set up: {said}")


@contextmanager
def confined(command: Command, walls: Walls) -> Iterator[Confined]:
    """The same command behind these walls. Raises SandboxUnavailable, StorageError."""
    if (bwrap := remembered.bubblewrap()) is None:
        raise SandboxUnavailable("There is no bubblewrap on this machine; install the package bubblewrap.")
    with _way_out(walls, command) as (walls, argv), _inside(bwrap, command, walls, argv) as ready:
        yield ready


@contextmanager
def _way_out(walls: Walls, command: Command) -> Iterator[tuple[Walls, Sequence[str]]]:
    """The walls and arguments with a way to the named domains, if there are any: a proxy outside, its end inside."""
    argv = shell_argv(command.line)
    if not walls.network or walls.open_network:
        yield walls, argv
        return
    from ralph.permissions.sandbox import proxy  # sockets and threads, which few commands need
    from ralph.permissions.sandbox.hosts import parse_rule

    with proxy.serving(walls.network, command.log.with_name(f"{command.log.name}.network")) as place:
        shown = (place, Path(bridge.__file__), Path(sys.base_prefix))
        named = {parse_rule(each).name for each in walls.network}
        environment = {**walls.environment, **bridge.environment(named=named)}
        through = replace(walls, readable_home=(*walls.readable_home, *shown), environment=environment)
        yield through, proxy.bridged(argv, str(place))


@contextmanager
def _inside(bwrap: str, command: Command, walls: Walls, argv: Sequence[str]) -> Iterator[Confined]:
    try:
        layout = mounts.layout(walls)
    except OSError as error:
        raise SandboxUnavailable(f"{error.filename} changes while it is looked at; try again.") from error
    with (
        placeholders.standing([*layout.protected(), *layout.openings()]),
        _mounts(bwrap, layout, walls) as (seen, places),
        cgroups.group(walls.ceilings) as groups,
        _memory("filter", seccomp.program(deny_inet=False, deny_unix=walls.open_network)) as filter_file,
        _memory("arguments", b"\0".join(map(os.fsencode, arguments(walls, seen, command.cwd)))) as instructions,
        _memory("report", b"") as report,
    ):
        options = ("--args", str(instructions), "--seccomp", str(filter_file), "--json-status-fd", str(report))
        inner = ("/bin/sh", "-c", _PRELUDE, "sh", str(walls.ceilings.processes), *argv)
        yield Confined(
            replace(
                command,
                line=(bwrap, *options, "--", *inner),
                cwd=Path("/"),
                env={},
                pass_descriptors=(*command.pass_descriptors, instructions, filter_file, report, *places),
                cgroups=(*command.cgroups, *groups),
                confinement=Confinement(limits=limits(walls.ceilings)),
            ),
            report,
        )


def arguments(walls: Walls, seen: Iterable[str], cwd: Path) -> list[str]:
    """Bubblewrap's options for these walls, but for the descriptors."""
    shared = ["--share-net"] if walls.open_network else []
    base = ["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    base += (
        [option for path in _OF_THE_MACHINE for option in ("--ro-bind-try", path, path)] if os.geteuid() == 0 else []
    )
    environment = {"PATH": DEFAULT_PATH, "HOME": str(Path.home()), **walls.environment, "TMPDIR": "/tmp"}
    variables = [option for name, value in environment.items() for option in ("--setenv", name, value)]
    return [*_NAMESPACES, *shared, *base, *seen, "--remount-ro", "/dev", "--clearenv", *variables, "--chdir", str(cwd)]


def limits(ceilings: Ceilings) -> dict[int, int]:
    """What holds for each process. Memory is what it may write to: runtimes reserve far more than they ever use."""
    return {
        resource.RLIMIT_DATA: ceilings.memory_bytes,
        resource.RLIMIT_FSIZE: ceilings.file_bytes,
        resource.RLIMIT_NOFILE: ceilings.open_files,
        resource.RLIMIT_CORE: 0,
    }


@contextmanager
def _mounts(bwrap: str, layout: mounts.Layout, walls: Walls) -> Iterator[tuple[list[str], list[int]]]:
    """The options for the mounts, and the descriptors that they speak of: of places that a command could exchange."""
    planned = layout.mounts()
    root = f"{os.path.realpath(walls.root)}/"
    ours = [each.path for each in planned if each.kind in (Kind.WRITE, Kind.PROTECT) and each.path.startswith(root)]
    with unlinked.held(bwrap, ours) as places:
        options = [option for each in planned for option in _mounted(each, walls.ceilings, places.get(each.path))]
        yield options, list(places.values())


def _mounted(mount: Mount, ceilings: Ceilings, place: int | None) -> tuple[str, ...]:
    path = mount.path
    match mount.kind:
        case Kind.PROTECT if place is not None:
            return ("--ro-bind-fd", str(place), path)
        case Kind.WRITE if place is not None:
            return ("--bind-fd", str(place), path)
        case Kind.READ | Kind.PROTECT:
            return ("--ro-bind", path, path)
        case Kind.WRITE:
            return ("--bind", path, path)
        case Kind.EMPTY:
            mode = "1777" if path in mounts.PRIVATE else "0700"
            return ("--perms", mode, "--size", str(ceilings.memory_bytes // PRIVATE_SHARE), "--tmpfs", path)
        case Kind.HIDE if Path(path).is_dir():
            return ("--tmpfs", path, "--remount-ro", path)
        case Kind.HIDE:
            return ("--ro-bind", "/dev/null", path)  # refused even for reading, since devices are not allowed here


@contextmanager
def _memory(name: str, content: bytes) -> Iterator[int]:
    """A descriptor of a file that has no name and is gone with it."""
    descriptor = os.memfd_create(name)
    try:
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)
