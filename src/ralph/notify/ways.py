"""The ways to tell somebody: a webhook, apprise, a command.

Rules for a command: it gets the notice as JSON on its standard input and a time limit, and no shell reads it. It runs
outside of the sandbox, so nothing that an agent can write may be it: neither the program nor a word of it may lie in
the project, its folder is `/`, and its PATH is without the project's folders.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from ralph.config.notify import NotifyEntry
from ralph.config.words import words_of
from ralph.errors import ConfigError
from ralph.notify import webhook
from ralph.notify.hidden import reveal
from ralph.notify.notices import Notice
from ralph.notify.outbox import FOLDER
from ralph.notify.webhook import NotDelivered
from ralph.system import process
from ralph.system.extras import needed


def deliver(notice: Notice, target: NotifyEntry, root: Path, environ: Mapping[str, str], now: datetime) -> None:
    """Tell one target. Raises RalphError; it was not told then, or nobody knows."""
    way = next(way for name, way in _WAYS.items() if getattr(target, name) is not None)
    way(notice, target, root, environ, now)


def _webhook(notice: Notice, target: NotifyEntry, root: Path, environ: Mapping[str, str], now: datetime) -> None:
    webhook.send(notice, target, environ, now)


def _apprise(notice: Notice, target: NotifyEntry, root: Path, environ: Mapping[str, str], now: datetime) -> None:
    with needed("Telling by apprise", "notify"):
        import apprise
    assert target.apprise is not None
    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)  # it writes addresses to the terminal
    told = apprise.Apprise()
    if not all(told.add(address) for address in reveal(target.apprise, environ).split()) or not len(told):
        raise ConfigError(f"{target.apprise} holds no address that apprise knows.")
    taken = told.notify(body=notice.text, title=notice.title, body_format=apprise.NotifyFormat.TEXT)
    if not taken:
        raise NotDelivered("apprise could not deliver it.")


def _command(notice: Notice, target: NotifyEntry, root: Path, environ: Mapping[str, str], now: datetime) -> None:
    env = {**environ, "PATH": _path(environ.get("PATH", os.defpath), root)}
    command = process.Command(
        line=_argv(target.command or "", root, env["PATH"]),
        cwd=Path("/"),
        env=env,
        log=root / FOLDER / "command.log",
        timeout_s=target.timeout_s,
        max_log_bytes=1 << 20,
        stdin=webhook.payload(notice),
    )
    ended = process.run(command)
    if ended.timed_out:
        raise NotDelivered(f"The command did not end within {target.timeout_s:g} s.")
    if ended.exit_code != 0:
        raise NotDelivered(f"The command ended with {ended.signal or f'exit code {ended.exit_code}'}.")


def _argv(command: str, root: Path, path: str) -> tuple[str, ...]:
    """Raises ConfigError for what an agent could write."""
    program, *arguments = words_of(command)
    found = shutil.which(program, path=path) if program.startswith("/") or "/" not in program else None
    if found is None:
        raise ConfigError(f"The command {program!r} is neither an absolute path nor on the PATH outside the project.")
    for word in (found, *arguments):
        for part in (word, word.partition("=")[2]):
            if part.startswith("/") and _lies_in(Path(part), root):
                raise ConfigError(f"The command names {part!r}, which an agent can write: keep it outside the project.")
    return (found, *arguments)


def _path(path: str, root: Path) -> str:
    """PATH without what an agent can write, and without what depends on the folder."""
    return ":".join(each for each in path.split(":") if each.startswith("/") and not _lies_in(Path(each), root))


def _lies_in(path: Path, root: Path) -> bool:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - a link inside the project counts as it is named, too
    return any(each.is_relative_to(root.resolve()) for each in (absolute, path.resolve()))


_WAYS: Mapping[str, Callable[[Notice, NotifyEntry, Path, Mapping[str, str], datetime], None]] = {
    "webhook": _webhook,
    "apprise": _apprise,
    "command": _command,
}
