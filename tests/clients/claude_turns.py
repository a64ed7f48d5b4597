"""Turns of the agents `claude` and `claude-cli` in a world: the real client, governed as in a run."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ralph.agents.base import Agent, Decided, End, Record, Started, ToolCall, ToolResult, Turn
from ralph.agents.claude import Claude
from ralph.agents.claude_cli import ClaudeCli
from ralph.agents.reconcile import reconcile
from ralph.hook.court import TurnCourt
from ralph.hook.run_policy import keep, policy_of_run
from ralph.permissions.capabilities import ALL, Capabilities
from ralph.permissions.narrowing import narrowed
from tests.clients.harness import World, claude
from tests.processes import started_with

R = TypeVar("R")
AGENTS = ("claude", "claude-cli")


def agent(name: str) -> Agent:
    program = Path(claude())
    return Claude(program=program) if name == "claude" else ClaudeCli(program=program)


@dataclass
class Played:
    """What an agent gave, and when it ended."""

    records: list[Record] = field(default_factory=list)
    seconds: float = 0.0

    def all(self, kind: type[R]) -> list[R]:
        return [each for each in self.records if isinstance(each, kind)]

    @property
    def end(self) -> End:
        assert sum(isinstance(each, End) for each in self.records) == 1
        (*_, last) = self.records
        assert isinstance(last, End)
        return last

    @property
    def session(self) -> str | None:
        return self.all(Started)[0].session

    def result_of(self, tool: str, nth: int = 0) -> ToolResult:
        number = [each for each in self.all(ToolCall) if each.tool == tool][nth].id
        (found,) = (each for each in self.all(ToolResult) if each.id == number)
        return found

    def decision_on(self, tool: str, nth: int = 0) -> Decided:
        return [each for each in self.all(Decided) if each.tool == tool][nth]


def turn(world: World, url: str, number: int = 1, *, capabilities: Capabilities = ALL, **more: Any) -> Turn:
    """A turn of a run, with its court; `more` are fields of `Turn`."""
    settings = world.home / "claude"
    settings.mkdir(exist_ok=True)
    env = {
        **world.environment,
        **{name: os.environ[name] for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME")},
        "CLAUDE_CONFIG_DIR": str(settings),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-ant-dummy-not-a-key",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }
    run = world.root / ".ralph" / "runs" / "run-1"
    folder = run / "turns" / f"{number}-1"
    folder.mkdir(parents=True)
    policy = policy_of_run(world.root)
    keep(run, policy)
    judge = TurnCourt(
        root=world.root, permissions=narrowed(policy.permissions, capabilities), client="claude", folder=folder
    )
    made = Turn(
        prompt="go", workdir=world.root, iteration=number, env=env, folder=folder, model="claude-sonnet-5",
        capabilities=capabilities, court=judge,
    )  # fmt: skip
    return replace(made, **more)


def play(name: str, turn: Turn, seen: Callable[[Record], object] = lambda record: None) -> Played:
    """Play a turn to its end; `seen` gets each record as it comes. Every tool that ran was allowed."""
    played, began = Played(), time.monotonic()
    for record in agent(name).run(turn):
        played.records.append(record)
        seen(record)
    played.seconds = time.monotonic() - began
    assert reconcile(played.records) == ()
    return played


def alive(world: World) -> list[str]:
    """What still runs of all that was started in this world, by the folder for temporary files that only it has."""
    return started_with(world.temporary.encode())


def clients(world: World) -> Iterable[int]:
    """The process numbers of Claude Code itself."""
    return [int(each.split()[0]) for each in alive(world) if re.search(r"^\d+ \S*/claude\0", each)]
