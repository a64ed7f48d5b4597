"""Which agent a name means (issue: agents; design section 6).

    claude  claude-cli  codex         clients that a person has installed, and is logged in to
    command:PROGRAM ARGUMENTS         any program
    scripted:FILE  replay:DIR         a script, or the recorded turns of a run

and every name below `agents` in `ralph.yml`. Nothing of a client is loaded before one asks for it, and one that is not
installed is told in a sentence before anything runs.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from ralph.agents.base import Agent
from ralph.agents.configured import Configured
from ralph.agents.prices import Prices
from ralph.config.check import FILED, KINDS, kind_of
from ralph.config.run import AgentEntry
from ralph.config.schema import Config
from ralph.config.words import words_of
from ralph.errors import ConfigError, MissingToolError, UsageError


def resolve(name: str, config: Config) -> Agent:
    """The agent of that name, with those that take over when it cannot work. Raises UsageError for an unknown name,
    MissingToolError for a client that is not here, ConfigError for what its settings or its script say."""
    first = _one(name, config)
    others = [_one(other, config) for other in entry_of(name, config).fallback]
    if not others:
        return first
    from ralph.agents.fallback import Fallback

    return Fallback((first, *others))


def entry_of(name: str, config: Config) -> AgentEntry:
    """What `ralph.yml` says of an agent; of `command:...` what it says of `command`."""
    return config.agents.get(name) or config.agents.get(name.partition(":")[0]) or AgentEntry()


def knows_its_cost(name: str, config: Config) -> bool:
    """False if nobody would know what a turn costs: the client does not say, and there are no prices."""
    for each in (name, *entry_of(name, config).fallback):
        entry = entry_of(each, config)
        kind = kind_of(each.partition(":")[0], entry)
        if kind in ("codex", "command") and entry.prices is None and not entry.reports_usage:
            return False
    return True


def _one(name: str, config: Config) -> Agent:
    entry = entry_of(name, config)
    kind, _, place = name.partition(":")
    if kind not in KINDS or (place and kind not in (*FILED, "command")):
        known = config.agents.get(name)
        kind, place = (kind_of(name, known) or "" if known else ""), ""
    if kind not in _BUILD:
        raise UsageError(f"There is no agent {name!r}; there are: {', '.join(_known(config))}.")
    return Configured(
        agent=_BUILD[kind](name, entry, place),
        model=entry.model,
        env=entry.env,
        prices=Prices(**asdict(entry.prices)) if entry.prices else None,
        context_window=entry.context_window,
    )


def _known(config: Config) -> list[str]:
    built_in = ["claude", "claude-cli", "codex", "command:PROGRAM", "scripted:FILE", "replay:DIR"]
    return [*built_in, *(name for name in config.agents if name not in KINDS)]


def _claude(name: str, entry: AgentEntry, place: str) -> Agent:
    from importlib.util import find_spec

    from ralph.agents.claude import NO_PACKAGE, Claude

    if find_spec("claude_agent_sdk") is None:
        raise MissingToolError(NO_PACKAGE)
    return Claude(name=name, program=_program(name, entry))


def _claude_cli(name: str, entry: AgentEntry, place: str) -> Agent:
    from ralph.agents.claude_cli import NOT_FOUND, ClaudeCli
    from ralph.agents.claude_line import bundled

    program = _program(name, entry)
    if program is None and shutil.which("claude") is None and bundled() is None:
        raise MissingToolError(NOT_FOUND)
    return ClaudeCli(name=name, program=program)


def _codex(name: str, entry: AgentEntry, place: str) -> Agent:
    from ralph.agents.codex import NOT_FOUND, Codex

    program = _program(name, entry)
    if program is None and shutil.which("codex") is None:
        raise MissingToolError(NOT_FOUND)
    return Codex(name=name, program=program)


def _command(name: str, entry: AgentEntry, place: str) -> Agent:
    from ralph.agents.command import CommandAgent

    argv = words_of(place or entry.command or "")
    if not argv:
        raise UsageError("The agent `command` needs a program: write command:PROGRAM, or agents.command.command.")
    program = str(Path(argv[0]).expanduser().absolute()) if "/" in argv[0] else argv[0]
    if shutil.which(program) is None:
        raise MissingToolError(f"The agent {name!r} is a program that is not here: {argv[0]}.")
    return CommandAgent(
        name=name,
        argv=(program, *argv[1:]),
        network=entry.network,
        reports_usage=entry.reports_usage,
        readable=tuple(Path(path).expanduser() for path in entry.readable),
        writable=tuple(Path(path).expanduser() for path in entry.writable),
    )


def _scripted(name: str, entry: AgentEntry, place: str) -> Agent:
    from ralph.agents.scripted import ScriptedAgent

    if not place:
        raise UsageError("The scripted agent needs a script: write scripted:FILE.")
    return ScriptedAgent.from_yaml(Path(place))


def _replay(name: str, entry: AgentEntry, place: str) -> Agent:
    from ralph.agents import recording
    from ralph.agents.replay import script_of

    if not place:
        raise UsageError("A replay needs the folder of a recorded run: write replay:DIR.")
    found = sorted(Path(place).rglob(recording.TRANSCRIPT), key=_turn)
    if not found:
        raise UsageError(f"{place} holds no recorded turns ({recording.TRANSCRIPT}): name the folder of a run.")
    return script_of(take for path in found for take in recording.read(path))


def _turn(transcript: Path) -> tuple[list[int], str]:
    """Turns in the order of their numbers: 2-1 before 10-1."""
    name = transcript.parent.name
    return [int(part) for part in name.split("-") if part.isdecimal()], name


def _program(name: str, entry: AgentEntry) -> Path | None:
    """The program that the configuration names. Raises ConfigError if it is not there."""
    if entry.program is None:
        return None
    found = shutil.which(str(Path(entry.program).expanduser()))
    if found is None:
        raise ConfigError(f"'agents.{name}.program' is no program that can be run: {entry.program}.")
    return Path(found).absolute()


_BUILD: Mapping[str, Callable[[str, AgentEntry, str], Agent]] = {
    "claude": _claude,
    "claude-cli": _claude_cli,
    "codex": _codex,
    "command": _command,
    "scripted": _scripted,
    "replay": _replay,
}
