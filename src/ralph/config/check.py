"""What a `ralph.yml` may not say although its keys and types are right. Each error names the key and the way out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

from ralph.config import notify, telemetry
from ralph.config.run import AgentEntry, AgentKind
from ralph.config.schema import Config
from ralph.config.words import words_of
from ralph.errors import ConfigError

KINDS: tuple[str, ...] = get_args(AgentKind)
FILED = ("scripted", "replay")
"""Kinds that play from a place: `scripted:FILE`, `replay:DIR`. A name alone says nothing about it."""
_OF_COMMANDS = ("command", "network", "reports_usage", "readable", "writable")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check(config: Config, source: str) -> None:
    """Raises ConfigError with the first thing that is wrong."""
    for problem in (*_roles(config), *_numbers(config), *_agents(config), *_doors(config)):
        raise ConfigError(f"{source}: {problem}")


def _doors(config: Config) -> Iterator[str]:
    yield from notify.problems(config.notify)
    yield from telemetry.problems(config.telemetry)


def _roles(config: Config) -> Iterator[str]:
    for name in ("mutation_score_warn_threshold", "confidence"):
        value = getattr(config.event_loop, name)
        if value is not None and not 0 <= value <= 100:
            yield f"'event_loop.{name}' must be a percentage from 0 to 100, but is {value:g}."
    for name, text in (("agent", config.agent), ("preset", config.preset), ("event_loop.done", config.event_loop.done)):
        if text is not None and not text.strip():
            yield f"{name!r} is empty; name one, or remove the key."
    if config.preset and "/" in config.preset:
        yield (
            f"'preset' must be the name of a preset, not a path ({config.preset!r}): put the file into presets/ of "
            "Ralph's configuration folder."
        )


def _numbers(config: Config) -> Iterator[str]:
    """A limit of 0 would let nothing run, and a negative one would mean nothing."""
    groups: dict[str, Any] = {name: getattr(config, name) for name in ("cost_limits", "limits", "breaker")}
    groups |= {f"phases.{each.name}": getattr(config.phases, each.name) for each in fields(config.phases)}
    for place, group in groups.items():
        for each in fields(group):
            value = getattr(group, each.name)
            if value is not None and not isinstance(value, bool) and value <= 0:
                none = "" if place == "breaker" else "; for no limit write null"
                yield f"'{place}.{each.name}' must be more than 0, but is {value:g}{none}."


def _agents(config: Config) -> Iterator[str]:
    for name, agent in config.agents.items():
        for problem in (*_identity(name, agent), *_of_other_kinds(name, agent), *_values(agent)):
            yield f"'agents.{name}{problem}"
        for other in agent.fallback:
            if other == name:
                yield f"'agents.{name}.fallback' names {name} itself."
            elif other not in config.agents and other.partition(":")[0] not in KINDS:
                known = ", ".join(dict.fromkeys((*config.agents, *KINDS)))
                yield f"'agents.{name}.fallback' names {other!r}, which is no agent; there are: {known}."


def _identity(name: str, agent: AgentEntry) -> Iterator[str]:
    """What is wrong with what an agent is, from inside its key's quotation on."""
    kind = kind_of(name, agent)
    if not _NAME.fullmatch(name):
        yield "' is no name of an agent: use letters, digits, - and _, and a letter first."
    if kind is None:
        yield f"' has neither a kind ({', '.join(KINDS)}) nor a command."
    elif name in KINDS and kind != name:
        yield f".kind' must be {name!r}, but is {kind!r}; give this agent another name."
    elif kind in FILED:
        yield f"' cannot be configured: write {kind}:PLACE where the agent is named."
    elif kind == "command" and agent.command is None and name != kind:
        yield ".command' is missing; it is the program to run."


def _of_other_kinds(name: str, agent: AgentEntry) -> Iterator[str]:
    """Keys that would do nothing for this kind of agent."""
    kind = kind_of(name, agent)
    useless = ("program",) if kind == "command" else _OF_COMMANDS
    for key in useless:
        if getattr(agent, key) not in (None, False, ()):
            yield f".{key}' does nothing for an agent of the kind {kind}; remove it."


def _values(agent: AgentEntry) -> Iterator[str]:
    if agent.command is not None and not words_of(agent.command):
        yield f".command' must be a program and its arguments, but is {agent.command!r}."
    for key in ("program", "model"):
        if getattr(agent, key) is not None and not getattr(agent, key).strip():
            yield f".{key}' is empty; name one, or remove the key."
    for key in ("readable", "writable"):
        for path in getattr(agent, key):
            if not path.startswith(("/", "~/")):
                yield f".{key}' must list paths that begin with / or ~/, but has {path!r}."
    if agent.context_window < 1:
        yield f".context_window' must be more than 0, but is {agent.context_window}."
    for variable, value in agent.env.items():
        if not _VARIABLE.fullmatch(variable) or "\0" in value:
            yield f".env.{variable}' is no variable that a program can have."
    prices = {each.name: getattr(agent.prices, each.name) for each in fields(agent.prices)} if agent.prices else {}
    for name, price in prices.items():
        if price is not None and price < 0:
            yield f".prices.{name}' must be at least 0, but is {price:g}."


def kind_of(name: str, agent: AgentEntry) -> str | None:
    """What kind of agent it is; None if nothing says so."""
    if agent.kind is not None:
        return agent.kind
    return name if name in KINDS else "command" if agent.command is not None else None
