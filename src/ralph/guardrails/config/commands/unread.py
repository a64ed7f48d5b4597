"""A command that makes its tool read no configuration is judged by what that says (policy set v2, class G12).

Rules, for a call that reads none now, and read what there was (`options.unread` knows the spellings):

- What the configuration of the base demands, and nothing says any more, is lost as if it had been deleted.
- One that says something of which nobody here knows whether it demands anything is for a person.
- One that only allows what is forbidden without it is not missed. Where there is none it is for a person: what the
  command went by may be elsewhere.
- Of what runs other checks, as tox and pre-commit do, nothing is run without it.
- Of a tool whose settings nobody compares, the file that it would have read is missed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.node import Settings, canonical
from ralph.guardrails.config.options.flags import NO_FILE
from ralph.guardrails.config.options.unread import Unread, asked
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.record import replace

COMMAND = "a command"


def reads_nothing(loss: Loss) -> Unread | None:
    """The option by which a command reads no configuration, if the loss is about that."""
    if loss.node is None or loss.removed:
        return None
    program, _, key = loss.key.partition(" --")
    return asked(program, key, canonical(loss.node))


def unread(
    loss: Loss, option: Unread, tools: Sequence[Tool], before: Side, paths: Sequence[str]
) -> Iterator[tuple[str, Loss]]:
    """What is lost, each with whose loss it is: what the command says by itself in its place is not.

    `paths`: the files that the tool looks at."""
    owners = frozenset(option.tools or (loss.key.partition(" --")[0],))
    own = [tool for tool in tools if not owners.isdisjoint((tool.name.partition("'")[0], *tool.programs))]
    read = [(tool, settings) for tool in own for settings in _read(tool, option, loss, before)]
    command = loss.node.path if loss.node is not None else ""
    lost = [(tool.name, found) for tool, settings in read for found in tool.compare(settings, {}, paths)]
    elsewhere = bool(own) and not read and not option.file
    if lost:
        yield from ((name, replace(found, heir=command)) for name, found in lost)
    elif option.runs and read:
        yield COMMAND, replace(loss, rule=NO_FILE)
    elif any(settings and not _only_allows(tool, settings, paths) for tool, settings in read) or elsewhere:
        yield COMMAND, loss
    elif not own and any(_is_named(path, option) for path in before.paths):
        yield COMMAND, replace(loss, rule=NO_FILE)


def _read(tool: Tool, option: Unread, loss: Loss, before: Side) -> Iterator[Settings]:
    """What it went by: the file that the command named, or those that it found."""
    named = tool.named(before, posixpath.normpath(loss.old.text)) if loss.old is not None else None
    if named is not None:
        yield named
        return
    place = posixpath.dirname(loss.node.path) if loss.node is not None else ""
    for unit in _units(tool, before, place):
        if not option.file or any(posixpath.basename(path) == option.file for path in unit.files):
            yield unit.settings


def _units(tool: Tool, before: Side, place: str) -> Sequence[Unit]:
    """Those of the command's folder and above it; where only running could tell which one that is, all of them."""
    units = tool.find_units(before)
    folders = {name: posixpath.dirname(name) if tool.units_are_files else name for name in units}
    above = [units[name] for name, folder in folders.items() if not folder or f"{place}/".startswith(f"{folder}/")]
    return above or list(units.values())


def _only_allows(tool: Tool, settings: Settings, paths: Sequence[str]) -> bool:
    """It takes something from what holds without it."""
    return any(True for _ in tool.compare({}, settings, paths))


def _is_named(path: str, option: Unread) -> bool:
    name = posixpath.basename(path)
    return not is_sample(path) and any(name.startswith(start) for start in option.files)
