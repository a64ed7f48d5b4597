"""`ralph exec --ticket FILE`: runs the one command that a ticket holds, behind the walls of the policy.

Rules (design decisions 25 and 26):

- The ticket is used up before anything else happens. The policy must still be the one under which it was judged.
- The command runs as `bash --noprofile --norc -c`, in the folder and with the text that were judged, with what
  `inside` says that it gets, and no standard input.
- A level of sandbox that is demanded and that the machine lacks is an error, never a weaker level.
- A command that could write is looked at afterwards, however it ended (`witness`); what is found is recorded and may be
  undone (`consequences`). From the command's end on nobody but a kill can keep that from happening, and after a kill
  the next command does it.
- Its output is passed on when it has ended, both streams in one, and also when it is cut short. So is its exit code;
  124 means that its time was up, 128 and more a signal, 2 that Ralph did not run it, or that it succeeded at what
  nobody approved.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ralph.errors import RalphError
from ralph.hook import client, inside, tickets
from ralph.hook.account import Account
from ralph.hook.governed import policy
from ralph.hook.model import RefusedError
from ralph.hook.tickets import Ticket
from ralph.permissions.model import ApprovalClass, Permissions
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.permissions.sandbox.probe import enforced_level
from ralph.system import clock
from ralph.system.clock import rfc3339
from ralph.system.git import open_exactly
from ralph.system.process import Command, Ended
from ralph.system.scratch import scratch

TIME_UP = 124
_CHUNK = 1 << 20
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def main(arguments: Sequence[str]) -> int:
    """Run a ticket's command; its exit code. Raises RalphError for whatever keeps it from running."""
    _open_standard_streams()
    for number in _SIGNALS:
        signal.signal(number, signal.default_int_handler)
    match list(arguments):
        case ["--ticket", place]:
            ticket = tickets.take(Path(place), time.time())
        case _:
            raise RefusedError("Usage: ralph exec --ticket FILE; tickets are made by `ralph hook`.")
    permissions = _permissions(ticket)
    if permissions.digest != ticket.policy:
        raise RefusedError("The policy has changed since the command was judged: let the client ask again.")
    level = enforced_level()
    inside.admit(permissions, ticket, level)
    if level is Level.NONE:
        _say("Nothing confines this command: the machine has no sandbox, and the policy demands none.")
    client.watch()
    account = Account(repo=open_exactly(Path(ticket.root)), ticket=ticket, permissions=permissions, level=level)
    account.open_logs()
    if ticket.only_reads and level is not Level.NONE:
        return _run(account, lambda: None)
    return _watched(account)


def _permissions(ticket: Ticket) -> Permissions:
    """The policy under which the command was judged. Raises RalphError if it is not there any more."""
    if not ticket.court:
        return policy(Path(ticket.root))
    from ralph.hook.court import seated  # only commands of a run have one

    return seated(Path(ticket.root), Path(ticket.court)).permissions


def _watched(account: Account) -> int:
    """Run a command that may write."""
    from ralph.hook import consequences, running, witness  # only here: most commands read

    ticket, root = account.ticket, account.repo.root
    before = witness.look(account.repo, ticket, account.level, clock.now())
    for sentence in consequences.look_back(account, before, running.killed(root)):
        _say(sentence)
    run = running.Run(
        id=ticket.id,
        command=ticket.command,
        tree=before.taken.tree,
        began=rfc3339(before.began),
        classes=ticket.classes,
    )
    with running.noted(root, run):
        return _run(account, lambda: consequences.judge(account, before))


def _run(account: Account, judge: Callable[[], str | None]) -> int:
    """`judge` says afterwards what the command did that nobody approved."""
    ticket, permissions = account.ticket, account.permissions
    variables = inside.environment(permissions, ticket, account.repo, os.environ, account.level)
    walls = inside.walls(permissions, ticket, account.repo, variables)
    trouble: RalphError | KeyboardInterrupt | None = None
    code = 2
    with scratch("exec") as folder:
        log = folder / "output"
        try:
            code = _code(run_confined(_command(ticket, permissions, log), walls, account.level), permissions)
        except (RalphError, KeyboardInterrupt) as error:
            trouble = error
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        told = judge()
        account.ran(None if trouble else code, (str(trouble) or "it was told to end") if trouble else "")
        with suppress(OSError):  # the client has gone, and what there was to do is done
            _pass_on(log, permissions.sandbox.output_mb << 20)
    if told:
        _say(told)
    if trouble:
        raise trouble
    _advise(ticket, walls, code)
    return 2 if told and code == 0 else code


def _command(ticket: Ticket, permissions: Permissions, log: Path) -> Command:
    return Command(
        line=ticket.command,
        cwd=Path(ticket.cwd),
        env={},
        log=log,
        timeout_s=permissions.sandbox.timeout_s,
        max_log_bytes=permissions.sandbox.output_mb << 20,
    )


def _code(ended: Ended, permissions: Permissions) -> int:
    if ended.trouble:
        raise RefusedError(f"The command did not run to its end behind its walls: {ended.trouble}.")
    if ended.timed_out:
        _say(f"The command was ended after {permissions.sandbox.timeout_s:g} s.")
        return TIME_UP
    if ended.signal is not None:
        return 128 + signal.Signals[ended.signal]
    return ended.exit_code or 0


def _advise(ticket: Ticket, walls: Walls, code: int) -> None:
    if code and ApprovalClass.DEPENDENCY in ticket.classes and not walls.network:
        _say(
            "No network was open to this command: a person can name the registry's domain in the policy, "
            '"sandbox": {"network": ["registry.example.org"]}.'
        )


def _open_standard_streams() -> None:
    """A closed one would become the next file that is opened, and get the command's output."""
    null = os.open(os.devnull, os.O_RDWR)
    while null < 3:
        null = os.dup(null)
    os.close(null)


def _say(sentence: str) -> None:
    """One line to the agent."""
    with suppress(OSError):
        os.write(2, b"ralph: " + " ".join(sentence.split()).encode("utf-8", "backslashreplace") + b"\n")


def _pass_on(log: Path, most: int) -> None:
    """What the command wrote, to standard output. It may have written more before it was ended for that."""
    try:
        source = os.open(log, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        size = os.fstat(source).st_size
        while most and (data := os.read(source, min(_CHUNK, most))):
            most -= len(data)
            while data:
                data = data[os.write(1, data) :]
        if size > os.lseek(source, 0, os.SEEK_CUR):
            _say(f"The command wrote {size} bytes; the rest is left out.")
    finally:
        os.close(source)
