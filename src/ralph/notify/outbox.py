"""`.ralph/notify/`: what is to be sent, was sent, and could not be (design decision 32).

Rules:

- A message is one file for each target, `<id>~<target>.json`, in `queue/`, then in `sent/` or `failed/`; a rename is
  the only way from one to the other. What has a file in any of them is not made again: so it is sent once, whoever
  asks.
- It is in the queue, synced, before anybody tries to send it, and leaves the queue after the receiver took it. Killed
  in between, it is sent again under the same id, by which receivers know it.
- No secret is in a file: targets are named, and how to reach them is looked up when it is sent.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from ralph.errors import ConfigError, StorageError
from ralph.notify.notices import Notice
from ralph.system import files, records
from ralph.system.clock import rfc3339

Box = Literal["queue", "sent", "failed"]
BOXES: tuple[Box, ...] = ("queue", "sent", "failed")
FOLDER = Path(".ralph", "notify")
MOST_ATTEMPTS = 16
LONGEST_WAIT_S = 3600.0
KEPT = 1000
_SAFE = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A notice for one target, and how far it got. `due` is when it is tried next."""

    notice: Notice
    target: str
    due: str
    attempts: int = 0
    error: str = ""

    @property
    def name(self) -> str:
        return f"{_SAFE.sub('_', self.notice.id)}~{self.target}.json"

    def failed(self, error: str, now: datetime) -> Message:
        """After one more attempt: the waits double from one second to an hour."""
        wait = timedelta(seconds=min(LONGEST_WAIT_S, 2.0**self.attempts))
        return replace(self, attempts=self.attempts + 1, error=error, due=rfc3339(now + wait))


@dataclass(frozen=True, slots=True)
class Outbox:
    """The outbox of the project at `root`."""

    root: Path
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", self.root / FOLDER)

    def add(self, notice: Notice, target: str, now: datetime) -> bool:
        """Put a message into the queue, once. False if it is known. Raises StorageError."""
        message = Message(notice=notice, target=target, due=rfc3339(now))
        with files.lock(self.folder / "boxes"):
            if any(files.is_there(self.folder / box / message.name) for box in BOXES):
                return False
            self._write(message)
        return True

    def queue(self) -> tuple[list[Message], list[str]]:
        """What is to be sent, oldest first, and sentences about files that cannot be read."""
        return self._all("queue")

    def all(self) -> tuple[list[tuple[Box, Message]], list[str]]:
        """Everything that is kept, and what cannot be read."""
        found: list[tuple[Box, Message]] = []
        damaged: list[str] = []
        for box in BOXES:
            messages, problems = self._all(box)
            found += [(box, each) for each in messages]
            damaged += problems
        return found, damaged

    def again(self, message: Message, error: str, now: datetime, *, final: bool) -> None:
        """An attempt failed; a `final` one is the last. Raises StorageError."""
        message = message.failed(error, now)
        self._write(message)
        if final or message.attempts >= MOST_ATTEMPTS:
            self._move(message, "failed")

    def sent(self, message: Message) -> None:
        """The receiver took it. Raises StorageError."""
        self._move(message, "sent")

    def _move(self, message: Message, box: Box) -> None:
        place = self.folder / box
        with files.writing(place):
            place.mkdir(parents=True, exist_ok=True)
            (self.folder / "queue" / message.name).rename(place / message.name)
            files.sync_directory(place)
            for old in sorted(place.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
                old.unlink()

    def _write(self, message: Message) -> None:
        data = json.dumps(asdict(message), allow_nan=False).encode()
        files.atomic_write(self.folder / "queue" / message.name, data)

    def _all(self, box: Box) -> tuple[list[Message], list[str]]:
        messages, damaged = [], []
        for path in sorted((self.folder / box).glob("*.json")):
            try:
                messages.append(_read(path))
            except FileNotFoundError:
                continue  # another process has sent it meanwhile
            except StorageError as error:
                damaged.append(str(error))
        return sorted(messages, key=lambda each: (each.notice.at, each.notice.id)), damaged


def _read(path: Path) -> Message:
    """Raises StorageError and FileNotFoundError."""
    try:
        data = files.parse_json(files.read_bytes(path))
        message = records.parse(Message, data, str(path))
        datetime.fromisoformat(message.due)
    except (ConfigError, ValueError) as error:
        raise StorageError(f"{path} is damaged and is not sent ({str(error).rstrip('.')}); remove it.") from None
    if message.name != path.name:
        raise StorageError(f"{path} is damaged and is not sent (it is another message's file); remove it.")
    return message
