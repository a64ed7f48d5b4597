"""`ralph hook claude` and `ralph hook codex`: the door that agent clients knock at before every use of a tool.

Rules (design decisions 22 to 25; research: agent clients):

- Whatever goes wrong here denies: it leaves as an exception, and the entry of the program turns every one of them, an
  import that fails and a request to end included, into one sentence and exit code 2.
- The one thing ever written to standard output is the whole answer. Standard output is kept for it from the first
  moment on; whatever else is printed, by anybody, goes to standard error.
- An allowed command of the shell does not run as the client wrote it: it becomes a ticket, and `ralph exec` runs that.
- Time is limited: the clients let a tool run whose hook was too slow, or may do so.
- In a turn of a run, which the client's environment names, the court of that turn answers (see `court`).
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from ralph.hook import tickets, wire
from ralph.hook.calls import is_patch
from ralph.hook.governed import policy, project
from ralph.hook.judge import Court, Ruling, judge
from ralph.hook.model import Answer, Call, RefusedError
from ralph.permissions.disk import here
from ralph.permissions.model import Permissions
from ralph.record import replace

JUDGING_S = 20
"""No decision takes a tenth of it."""
WAIT_S = 50.0
"""How long a person is waited for if the client's settings do not say: less than any client's own limit."""
MOST_BYTES = 64 << 20


def main(arguments: Sequence[str]) -> int:
    """Answer one question of a client; 0 once the answer has been given. Raises whatever goes wrong."""
    out = os.dup(1)
    os.dup2(2, 1)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    signal.signal(signal.SIGALRM, _too_slow)
    client, wait_s = options(arguments)
    signal.alarm(JUDGING_S + int(wait_s))
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RefusedError(f"The call has more than {MOST_BYTES >> 20} MB, so it is not allowed.")
    turn = os.environ.get("RALPH_TURN")
    _write(out, reply(data, client, project(client, os.environ), wait_s, Path(turn) if turn is not None else None))
    return 0


def reply(data: bytes, client: str, root: Path, wait_s: float, turn: Path | None = None) -> bytes:
    """What the client gets for an event in the project at `root`, or in a run's turn. Raises whatever goes wrong."""
    call = wire.read(data, client)
    if turn is not None:
        from ralph.hook import court, seen

        of_turn = court.for_hook(root, turn, client, wait_s)
        if call is not None:
            return wire.write(of_turn.answer(call))
        seen.note(turn, client, data)
        return b""
    if call is None:
        from ralph.hook import seen  # only the other events need it

        seen.note(root / ".ralph", client, data)
        return b""
    permissions = policy(root)
    ruling = judge(call, Court(permissions=permissions, place=here(root), wait_s=wait_s))
    return wire.write(confined(call, ruling, permissions, root))


def options(arguments: Sequence[str]) -> tuple[str, float]:
    """The client, and how long to wait for a person. Raises RefusedError."""
    match list(arguments):
        case [client, "--wait", seconds] if client in wire.CLIENTS and seconds.isdecimal() and seconds.isascii():
            return client, float(min(int(seconds), 7 * 24 * 3600))
        case [client] if client in wire.CLIENTS:
            return client, WAIT_S
    raise RefusedError("Usage: ralph hook claude|codex [--wait SECONDS].")


def confined(
    call: Call, ruling: Ruling, permissions: Permissions, root: Path, court: Callable[[], str] = str
) -> Answer:
    """The answer with an allowed command replaced by the ticket for it; `court` gives the folder of a run's turn."""
    if not ruling.answer.allowed or call.tool != "Bash" or is_patch(call):
        return ruling.answer
    name = "command" if "command" in call.arguments else "cmd"
    moment = time.time()
    approved = [decision for decision in ruling.decisions if decision.outcome == "approve"]
    ticket = tickets.Ticket(
        id=tickets.new_id(),
        root=str(root),
        command=call.arguments[name],
        cwd=os.path.realpath(call.cwd),
        policy=permissions.digest,
        rule=ruling.decisions[0].rule,
        session=call.session,
        client=call.client,
        made_at=moment,
        expires_at=moment + tickets.VALID_S,
        classes=tuple(str(each) for decision in approved for each in decision.classes),
        only_reads=all(decision.only_reads for decision in ruling.decisions),
        writes_git=any(decision.writes_git for decision in ruling.decisions),
        court=court(),
    )
    return replace(ruling.answer, arguments={**call.arguments, name: command_for(tickets.issue(ticket))})


def command_for(ticket: Path) -> str:
    """The shell line that runs a ticket: by this very interpreter, which looks for no module where the agent writes."""
    from shlex import quote

    return f"{quote(sys.executable)} -EP -m ralph exec --ticket {quote(str(ticket))}"


def _too_slow(number: int, frame: object) -> NoReturn:
    raise RefusedError("Ralph could not decide in time, so nothing is allowed.")


def _write(out: int, data: bytes) -> None:
    """All of it, or an error: half an answer would be none."""
    while data:
        data = data[os.write(out, data) :]
