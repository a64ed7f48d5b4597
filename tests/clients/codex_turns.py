"""Turns of the agent `codex` in a world: the real client, governed as in a run."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ralph.agents.base import Record, Turn
from ralph.agents.codex import Codex
from ralph.agents.reconcile import reconcile
from ralph.hook.court import TurnCourt
from ralph.hook.run_policy import keep, policy_of_run
from ralph.permissions.capabilities import ALL, Capabilities
from ralph.permissions.narrowing import narrowed
from tests.clients.claude_turns import Played
from tests.clients.harness import CODEX, World, codex
from tests.clients.openai import Said, call
from tests.processes import started_with

RUN = Path(".ralph", "runs", "run-1")


def shell(command: str, **more: object) -> Said:
    return call("exec_command", {"cmd": command, **more})


def patch(*lines: str) -> Said:
    """The model hands a patch to the shell; Codex applies it itself."""
    text = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
    return shell(f"apply_patch <<'EOF'\n{text}\nEOF")


def turn(world: World, url: str, number: int = 1, *, capabilities: Capabilities = ALL, **more: Any) -> Turn:
    """A turn of a run, with its court, of a person whose own settings name the scripted model."""
    theirs = world.home / ".codex"
    theirs.mkdir(exist_ok=True)
    settings = CODEX.replace("URL", url).replace("stream_idle_timeout_ms = 5000", "stream_idle_timeout_ms = 60000")
    (theirs / "config.toml").write_text(settings)
    env = {
        **world.environment,
        **{name: os.environ[name] for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME")},
        "SCRIPTED_KEY": "sk-dummy-not-a-key",
    }
    folder = world.root / RUN / "turns" / f"{number}-1"
    folder.mkdir(parents=True)
    policy = policy_of_run(world.root)
    keep(world.root / RUN, policy)
    law = narrowed(policy.permissions, capabilities)
    made = Turn(
        prompt="go",
        workdir=world.root,
        iteration=number,
        env=env,
        folder=folder,
        capabilities=capabilities,
        court=TurnCourt(root=world.root, permissions=law, client="codex", folder=folder),
    )
    return replace(made, **more)


def play(turn: Turn, seen: Callable[[Record], object] = lambda record: None, *, governed: bool = True) -> Played:
    """Play a turn to its end; `seen` gets each record as it comes. Every tool that ran was allowed, if `governed`."""
    played, began = Played(), time.monotonic()
    for record in Codex(program=Path(codex())).run(turn):
        played.records.append(record)
        seen(record)
    played.seconds = time.monotonic() - began
    assert not governed or reconcile(played.records) == ()
    return played


def soon(action: Callable[[], object], seconds: float = 0.3) -> None:
    """Do it a little later, in another thread."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()


def alive(world: World) -> list[str]:
    """What still runs of all that was started in this world, by the home that only it has."""
    return started_with(f"HOME={world.home}".encode())
