"""A command that makes its tool read no configuration is judged by what that says (policy set v2, class G12).

Rules, for a call that reads none now, and read what there was (`options.unread` knows the spellings):

- What the configuration of the base demands, and nothing says any more, is lost as if it had been deleted.
- One that says something of which nobody here knows whether it demands anything is for a person.
- One that only allows what is forbidden without it is not missed, and where there is none nothing is lost.
- Of a tool whose settings nobody compares, the file that it would have read is missed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.options.flags import NO_FILE
from ralph.guardrails.config.options.unread import Unread, asked
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.record import replace


def reads_nothing(loss: Loss) -> Unread | None:
    """The option by which a command reads no configuration, if the loss is about that."""
    if loss.node is None or loss.removed:
        return None
    program, _, key = loss.key.partition(" --")
    return asked(program, key, canonical(loss.node))


def unread(loss: Loss, option: Unread, tools: Sequence[Tool], before: Side, paths: Sequence[str]) -> Iterator[Loss]:
    """`paths`: the files that the tool looks at."""
    owners = frozenset(option.tools or (loss.key.partition(" --")[0],))
    own = [tool for tool in tools if not owners.isdisjoint((tool.name.partition("'")[0], *tool.programs))]
    units = [(tool, unit) for tool in own for unit in tool.find_units(before).values() if _is_read(unit, option)]
    command = loss.node.path if loss.node is not None else ""
    lost = [found for tool, unit in units for found in tool.compare(unit.settings, {}, paths)]
    if lost:
        yield from (replace(found, heir=command) for found in lost)
    elif any(unit.settings and not _only_allows(tool, unit, paths) for tool, unit in units):
        yield loss
    elif not own and any(_is_named(path, option) for path in before.paths):
        yield replace(loss, rule=NO_FILE)


def _is_read(unit: Unit, option: Unread) -> bool:
    return not option.file or any(posixpath.basename(path) == option.file for path in unit.files)


def _only_allows(tool: Tool, unit: Unit, paths: Sequence[str]) -> bool:
    """It takes something from what holds without it."""
    return any(True for _ in tool.compare({}, unit.settings, paths))


def _is_named(path: str, option: Unread) -> bool:
    name = posixpath.basename(path)
    return not is_sample(path) and any(name.startswith(start) for start in option.files)
