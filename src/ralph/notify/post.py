"""Sends what is in the outbox.

Rules: one process sends at a time. A failure is written down with its message and stops nothing else; a target that
failed is left alone until the next round, and a message that nobody takes holds up no other. What ralph.yml names no
more is not sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from ralph.config.notify import NotifyEntry
from ralph.errors import RalphError
from ralph.notify.outbox import Message, Outbox
from ralph.notify.ways import deliver
from ralph.notify.webhook import NeverAgain
from ralph.record import record
from ralph.system import files


@record
class Round:
    """What one round did. `problems` are sentences."""

    sent: int
    left: int
    problems: tuple[str, ...]


def drain(
    outbox: Outbox,
    targets: Mapping[str, NotifyEntry],
    environ: Mapping[str, str],
    now: Callable[[], datetime],
    *,
    everything: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> Round:
    """Send what is due, or `everything`. Raises StorageError."""
    sent, problems, silent = 0, list[str](), set[str]()
    with files.lock(outbox.folder / "post", timeout_s=10.0 if everything else 0.0):
        messages, damaged = outbox.queue()
        for each in messages:
            if stop():
                break
            if each.target in silent or not (everything or datetime.fromisoformat(each.due) <= now()):
                continue
            if (problem := _try(outbox, each, targets, environ, now)) is None:
                sent += 1
            else:
                silent.add(each.target)
                problems.append(f"{each.target}: {problem}")
    return Round(sent, len(messages) - sent, (*problems, *damaged))


def _try(
    outbox: Outbox,
    message: Message,
    targets: Mapping[str, NotifyEntry],
    environ: Mapping[str, str],
    now: Callable[[], datetime],
) -> str | None:
    """Send one message; what was wrong, if anything was. Raises StorageError if that cannot be written down."""
    target = targets.get(message.target)
    try:
        if target is None:
            raise NeverAgain("ralph.yml names no such target any more.")
        deliver(message.notice, target, outbox.root, environ, now())
    except RalphError as error:
        outbox.again(message, str(error), now(), final=isinstance(error, NeverAgain))
        return str(error)
    except Exception as error:  # noqa: BLE001 - a library that fails in its own way must not end a run's notifications
        outbox.again(message, f"it failed in an unexpected way ({type(error).__name__}).", now(), final=False)
        return type(error).__name__
    outbox.sent(message)
    return None
