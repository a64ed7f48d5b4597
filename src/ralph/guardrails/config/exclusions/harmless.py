"""Patterns of a list of exclusions that leave out nothing that was checked before (policy set v2, classes G11, G12).

Such a pattern is for a person to look at, and blocks nothing:

- Each product file that it holds was left out by the list of the base, by patterns of which each says it of more than
  one name: a list was written anew, a regular expression of Ruby's became a glob.
- Each product file that it holds is new, came of none that is gone, and lies below a new configuration of the same
  tool that the pattern holds, too: a package brings rules of its own. Something that runs programs says to run the tool
  there. What says nothing, or switches off what it names, is no configuration.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from ralph.guardrails.config.command_files.scripts import command_files, is_ci_file
from ralph.guardrails.config.lattice import EXCLUDES, words
from ralph.guardrails.config.moved.carried import came_of
from ralph.guardrails.config.node import Node, Opaque, Settings, canonical
from ralph.guardrails.config.patterns import ALL_SOURCES, COSTLY, covers, is_product, lies_in
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.record import replace
from ralph.system.patterns import later

RUBY = later(r"!ruby/regexp /(?P<regex>.+)/[mx]*")
OPEN = later(r"[*?\[{]")
OFF = later(r"[\"']?(?:off|0|false)[\"']?")
MAX_REPEATS = 3
MOST_FILES = 500


def shown(loss: Loss, tool: Tool, settings: Settings, new: Mapping[str, Unit], before: Side, after: Side) -> Loss:
    """`settings` are those of the base, `new` the tool's units of the head."""
    if loss.node is None or not loss.text.startswith(EXCLUDES) or loss.rule == MINOR_EXCLUSION:
        return loss
    pattern = canonical(loss.node)
    held = [path for path in sorted(after.paths) if is_product(path) and covers(pattern, path)]
    if not held or len(held) > MOST_FILES or isinstance(loss.node.value, Opaque):
        return loss
    old = settings.get(tuple(loss.key.split("."))) or loss.old
    both = [*held, *(path for path in before.paths if path not in after.paths and covers(pattern, path))]
    left_out = not ALL_SOURCES.fullmatch(pattern) and _were_left_out(both, words(old))
    known = left_out or _have_their_own(pattern, held, tool, new, before, after)
    return replace(loss, rule=MINOR_EXCLUSION) if known else loss


def _were_left_out(held: Sequence[str], old: Sequence[Node]) -> bool:
    wide = [pattern for item in old if (pattern := _pattern(item)) is not None]
    return bool(wide) and all(any(_holds(pattern, path) for pattern in wide) for path in held)


def _pattern(item: Node) -> str | re.Pattern[str] | None:
    """A regular expression of Ruby's, or a glob with a place for any name."""
    if not isinstance(item.value, Opaque):
        text = canonical(item)
        return text if OPEN.search(text) and not text.startswith("!") else None
    said = RUBY.fullmatch(item.value.text)
    if said is None or re.search(COSTLY, said["regex"]) or len(re.findall(r"[*+{]", said["regex"])) > MAX_REPEATS:
        return None
    try:
        return re.compile(said["regex"].replace(r"\z", r"\Z").replace(r"\h", "[0-9a-fA-F]"))
    except re.error:
        return None


def _holds(pattern: str | re.Pattern[str], path: str) -> bool:
    if isinstance(pattern, str):
        return lies_in(path, pattern)
    return pattern.search(path) is not None


def _have_their_own(
    pattern: str, held: Sequence[str], tool: Tool, new: Mapping[str, Unit], before: Side, after: Side
) -> bool:
    if any(path in before.paths for path in held):
        return False
    folders = {_folder_with_own(path, pattern, tool, new, before) for path in held}
    if "" in folders or not all(_is_run(folder, tool, after) for folder in folders):
        return False
    return not any(came_of(path, before, after) for path in held)


def _folder_with_own(path: str, pattern: str, tool: Tool, new: Mapping[str, Unit], before: Side) -> str:
    """The nearest folder above with a configuration that asks for something; empty where there is none."""
    folder = posixpath.dirname(path)
    while folder:
        for name, unit in new.items():
            if (posixpath.dirname(name) if tool.units_are_files else name) == folder:
                fresh = unit.files and not any(file in before.paths for file in unit.files)
                own = fresh and all(covers(pattern, file) for file in unit.files) and _asks(tool, unit.settings)
                return folder if own else ""
        folder = posixpath.dirname(folder)
    return ""


def _asks(tool: Tool, settings: Settings) -> bool:
    return tool.asks(settings) if tool.asks else any(not _is_off(node) for node in settings.values())


def _is_off(node: Node) -> bool:
    return node.value in (None, False, [], {}) or OFF.fullmatch(canonical(node)) is not None


def _is_run(folder: str, tool: Tool, side: Side) -> bool:
    """A pipeline names the folder, and something that runs programs there, or the line that names it, the tool."""
    programs = (tool.name, *tool.programs)
    files = [path for path in command_files(side) if is_ci_file(path) or posixpath.dirname(path) in ("", folder)]
    texts = {path: side.text(path) or "" for path in files}
    named = [text for path, text in texts.items() if is_ci_file(path) and folder in text]
    inside = [text for path, text in texts.items() if posixpath.dirname(path) == folder]
    return bool(named) and any(program in text for text in (*inside, *named) for program in programs)
