"""The comparison of two trees' configurations, tool by tool and unit by unit.

1. A unit is judged by what is in effect, not by where it stands: moved settings are the same settings.
2. A unit that is gone is judged against the one that now holds there: the nearest above it, else the defaults.
   A directory that is gone altogether takes its configuration with it; what nothing named is not missed (`unused`).
3. A new unit is judged against the one that held there before. Where none did, against the defaults, provided the tool
   works without configuration and there was something for it to check: a new project's first one takes nothing away.
   Neither does that of a tool which has to be asked for, where nothing asked for it, nor that of a linter where
   another one does the same work, or did not do it either (`adopted`).
4. An option of a command that is now, no weaker, in a configuration file of the same directory or one above has moved.
   What moves the other way, or to another tool, is for a person to look at.
5. An option that a command now gives is judged by what the configuration of the base said in its place (`overriding`).
6. A list that says of the new place of files what it said of the old one takes nothing away (`carried`). One that
   leaves out nothing that was checked is for a person (`harmless`).
7. A command that names another configuration file than before is judged by what the two files say.
8. An exception for a part of a tool that nothing of the base ran takes nothing away; nor does it to switch off what
   each command of the base had switched off.
9. New tests of a kind of their own may be left out of the usual run where another one runs them (`opted_in`).
10. A coverage floor that a command gave to one counter may become another one's (`counters`).
11. What a new build script says as another one of the base did is no loss (`ported`).
12. A configuration that is elsewhere now, where the build names it, is judged by what it says there (`relocated`).
13. What a rule set of analyzers had said, `.editorconfig` may say (`rule_sets`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ralph.guardrails.config.changed import Changed
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.commands import losses
from ralph.guardrails.config.commands.counters import is_taken_over
from ralph.guardrails.config.commands.overriding import unconfigured
from ralph.guardrails.config.commands.unread import COMMAND, reads_nothing, unread
from ralph.guardrails.config.exclusions.harmless import shown
from ralph.guardrails.config.exclusions.hidden_edits import of_edited
from ralph.guardrails.config.exclusions.opted_in import is_new_folder, is_opt_in
from ralph.guardrails.config.moved.adopted import MAY_RUN, named, takes_nothing
from ralph.guardrails.config.moved.applied import SHARED_BUILD, builds, taken_away
from ralph.guardrails.config.moved.carried import is_carried
from ralph.guardrails.config.moved.ported import is_ported
from ralph.guardrails.config.moved.relocated import named_before, taken_along
from ralph.guardrails.config.moved.rule_sets import was_said_by_rule_set
from ralph.guardrails.config.moved.unused import is_unused
from ralph.guardrails.config.moved.with_others import where_others_went
from ralph.guardrails.config.node import Node, Settings, canonical
from ralph.guardrails.config.options.flags import OTHER_FILE
from ralph.guardrails.config.options.harm import FILTERED, PARTLY
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import MOVED, Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool, Unit
from ralph.record import replace
from ralph.system.patterns import later

ALL_PARTS = later(r"\b(?:enable-all|enable-only|presets)\b|--(?:no-config|config|default)\b")
SHORT = later(r"\s-[pc]\s")
"""Options that ask for parts of a tool without their names, or for none of its settings."""


class Comparison:
    def __init__(self, before: Side, after: Side, changed: frozenset[str]) -> None:
        self.before, self.after, self.changed = before, after, changed
        self.touched = Changed(changed)

    @cached_property
    def source_paths(self) -> list[str]:
        return sorted(self.after.paths)

    def losses(self, tools: Sequence[Tool]) -> Iterator[Loss]:
        lost: list[tuple[str, Loss]] = []
        gained: list[tuple[str, Loss]] = []
        shared = frozenset(tool.name for tool in tools if tool.shared)
        for tool in tools:
            if self.touched.concern(tool, self.before, self.after):
                old, new = tool.find_units(self.before), tool.find_units(self.after)
                found = self._unit_losses(tool, old, new, self.before, self.after)
                found = (of_edited(loss, self.before, self.after, self.changed) for loss in found)
                lost += ((tool.name, _left_to(tool, loss, self.after)) for loss in found)
                gained += ((tool.name, gain) for gain in self._unit_losses(tool, new, old, self.after, self.before))

        def configured(name: str) -> Mapping[str, Unit]:
            return next((tool.find_units(self.before) for tool in tools if tool.name == name), {})

        for loss in losses.losses(self.before, self.after, self.changed, configured):
            if loss.rule == FILTERED and is_opt_in(loss, self.before, self.after, self.changed):
                loss = replace(loss, rule=PARTLY)
            lost += self._of_other_file(loss, tools)
        gained += ((COMMAND, gain) for gain in losses.losses(self.after, self.before, self.changed, unconfigured))
        told = [gain for name, gain in gained if name == COMMAND]
        for tool_name, loss in lost:
            if tool_name == COMMAND and any(is_taken_over(gain, loss) for gain in told):
                continue
            if was_said_by_rule_set(loss, self.before):
                continue
            others = (one for one in gained if one[0] != tool_name or tool_name in shared)
            places = {name for name, gain in others if loss.gone and _answers(name, gain, loss)}
            if not places:
                opted = is_new_folder(loss, self.before, self.after, self.changed)
                yield replace(loss, rule=PARTLY) if opted else loss
            elif tool_name != COMMAND:
                yield replace(loss, rule=MOVED, text=f"is now a matter of {', '.join(sorted(places))}")

    def _of_other_file(self, loss: Loss, tools: Sequence[Tool]) -> Iterator[tuple[str, Loss]]:
        """A command that names another configuration file than before is judged by what the two files say."""
        if loss.rule != OTHER_FILE:
            yield COMMAND, loss
            return
        if (option := reads_nothing(loss)) is not None:
            yield from unread(loss, option, tools, self.before, self.source_paths)
            return
        program = loss.key.split(" ", 1)[0]
        own = [tool for tool in tools if program in (tool.name.partition("'")[0], *tool.programs)]
        named = None if loss.removed or loss.node is None else loss.node.text
        was_named = loss.old.text if loss.old else None
        sides = [(_settings_of(tool, self.before, was_named), _settings_of(tool, self.after, named)) for tool in own]
        if not any(was is not None and now is not None for was, now in sides):
            yield COMMAND, loss
            return
        command = loss.node.path if loss.node is not None else ""
        for tool, (was, now) in zip(own, sides, strict=True):
            if was is not None and now is not None:
                found = tool.compare(was, now, self.source_paths)
                yield from ((COMMAND, replace(each, heir=command)) for each in found)

    def _unit_losses(
        self, tool: Tool, old: Mapping[str, Unit], new: Mapping[str, Unit], before: Side, after: Side
    ) -> Iterator[Loss]:
        for name in sorted(old.keys() | new.keys()):
            was, now = old.get(name), new.get(name)
            if was and after.broken.keys() & was.files:
                # Reported by itself; what an unreadable file no longer says is not known.
                continue
            if was and now:
                if self.changed.intersection((*was.files, *now.files)):
                    still = _standing(was.settings, _directory(tool, name), before, after)
                    losses = tool.compare(still, now.settings, self._paths(tool, name))
                    yield from (
                        self._inherited(shown(loss, tool, was.settings, new, before, after), name, was, now)
                        for loss in losses
                        if (tool.relative and _directory(tool, name))
                        or not is_carried(loss, was.settings, before, after)
                        if not _never_ran(tool, loss, was.settings, before)
                    )
            elif was and tool.units_are_files and name in after.paths and name not in self.changed:
                # A project of its own that others now extend: it says what it said, and they are judged themselves.
                continue
            elif was and tool.units_are_files and name not in after.paths and is_unused(before, name):
                continue
            elif was and _is_left(tool, name, after):
                above = taken_along(tool, was, before, after, self.changed) or _enclosing(name, new)
                held = (
                    _enclosing(name, old) if tool.shared else None
                )  # beside a part that builds share they had their own
                said = {**(held.settings if held else {}), **was.settings}
                losses = tool.compare(said, above.settings if above else {}, self._paths(tool, name))
                yield from (loss for loss in losses if not self._held_before(loss, was, tool))
            elif now and not tool.adds_only and (beside := _checked_by(tool, name, before, after)) is not None:
                above = _enclosing(name, old) or named_before(tool, now, before, after, self.changed)
                if above or not (tool.needs_config or (tool.by_invitation and not _is_named(tool, before))):
                    losses = tool.compare(above.settings if above else {}, now.settings, self._paths(tool, name))
                    ports = tool.shared and name not in old
                    yield from (
                        self._inherited(each, name, None, now)
                        for loss in losses
                        for each in ((loss,) if beside else taken_away(loss, before, after))
                        if above or not takes_nothing(tool, loss, before, after)
                        if not (ports and is_ported(loss, now, old, new, before, after))
                    )

    def _held_before(self, loss: Loss, was: Unit, tool: Tool) -> bool:
        """Where the files of the folders above hold, too: one that stays says what it said, unless the file that is
        gone said otherwise."""
        if loss.node is None or loss.node.path in self.changed or tool.cascades is None or not tool.cascades(was):
            return False
        return not any(loss.key in (self.before.text(path) or "") for path in was.files)

    def _inherited(self, loss: Loss, name: str, was: Unit | None, now: Unit) -> Loss:
        """A setting of a file that is new, or that did not change, is told to what names that, the unit itself before
        what it shares with others; one that is gone, to what took its file's place."""
        if loss.node is not None:
            named_by = [path for path in now.files if path in self.changed and (was is None or path in was.files)]
            at_hand = loss.node.path in self.before.paths and loss.node.path in self.changed
            return loss if at_hand or not named_by else replace(loss, heir=name if name in named_by else named_by[0])
        if was is None or loss.old is None or not now.files:
            return loss
        stays = loss.old.path in now.files
        return replace(loss, heir=where_others_went(loss, was, now, self.changed) if stays else now.files[0])

    def _paths(self, tool: Tool, name: str) -> Sequence[str]:
        directory = _directory(tool, name)
        if not tool.relative or not directory:
            return self.source_paths
        return [path[len(directory) + 1 :] for path in self.source_paths if path.startswith(f"{directory}/")]


def _is_left(tool: Tool, name: str, after: Side) -> bool:
    """The folder of a configuration that is gone is still there, with something that the tool looks at."""
    directory = _directory(tool, name)
    if directory not in after.directories:
        return bool(tool.shared and SHARED_BUILD.search(name))
    held = (path for path in after.paths if path.startswith(f"{directory}/"))
    return not (directory and tool.suffixes) or any(path.endswith(tool.suffixes) for path in held)


def _settings_of(tool: Tool, side: Side, path: str | None) -> Settings | None:
    """What holds with this file named on the command line, or with none; None if that cannot be told."""
    if path is not None:
        return tool.named(side, posixpath.normpath(path))
    unit = tool.find_units(side).get("tsconfig.json" if tool.units_are_files else "")
    return unit.settings if unit else None if tool.needs_config else {}


def _left_to(tool: Tool, loss: Loss, after: Side) -> Loss:
    """A setting that is gone with its tool, but for one that another tool now has, is for a person to look at."""
    heir = tool.heir(after, loss) if tool.heir and loss.gone else ""
    return replace(loss, rule=MOVED, text=f"is now a matter of {heir}") if heir else loss


def _standing(settings: Settings, directory: str, before: Side, after: Side) -> Settings:
    """Without what lists say about folders and files that are gone: nobody has to name them any more."""

    def is_gone(item: Node) -> bool:
        path = posixpath.normpath(posixpath.join(directory, canonical(item)))
        here, there = (path in side.directories or path in side.paths for side in (before, after))
        return here and not there

    found = dict(settings)
    for key, node in settings.items():
        if isinstance(node.value, list) and any(map(is_gone, node.value)):
            left = [item for item in node.value if not is_gone(item)]
            found[key] = node.with_value(left) if left else node
    return found


def _directory(tool: Tool, name: str) -> str:
    return posixpath.dirname(name) if tool.units_are_files else name


def _enclosing(name: str, units: Mapping[str, Unit]) -> Unit | None:
    """The unit of the nearest directory above; for units that are files, one in the same directory comes first."""
    file = posixpath.basename(name)
    directory = posixpath.dirname(name)
    while True:
        for candidate in (directory, posixpath.join(directory, "tsconfig.json"), posixpath.join(directory, file)):
            if candidate in units and candidate != name:
                return units[candidate]
        if not directory:
            return None
        directory = posixpath.dirname(directory)


def _checked_by(tool: Tool, name: str, before: Side, after: Side) -> bool | None:
    """True if a new unit had something to check where it stands, False where it is applied, None if nowhere."""
    if _something_to_check(tool, _directory(tool, name), before):
        return True
    elsewhere = builds(name, before, after) if tool.shared else ()
    return False if any(_something_to_check(tool, place, before) for place in elsewhere) else None


def _something_to_check(tool: Tool, directory: str, before: Side) -> bool:
    if not tool.suffixes:
        return True
    prefix = f"{directory}/" if directory else ""
    paths = (path for path in before.paths if path.startswith(prefix) and path.endswith(tool.suffixes))
    return any(is_test(path) for path in paths) if tool.runs_tests else any(True for _ in paths)


def _is_named(tool: Tool, side: Side) -> bool:
    """A file that runs or installs programs names it."""
    return any(named(side, (tool.name, *tool.programs)))


def _never_ran(tool: Tool, loss: Loss, settings: Settings, before: Side) -> bool:
    """The loss is about parts of the tool that neither the base's settings nor its commands asked for, or that all its
    commands switched off."""
    parts = tool.unasked(loss, settings) if tool.unasked else frozenset()
    if not parts and tool.switched_off is None:
        return False
    paths = (path for path in before.paths if MAY_RUN.search(path) or is_ci_file(path))
    texts = [text for path in paths if tool.name in (text := before.text(path) or "")]
    if tool.switched_off and texts and all(tool.switched_off(loss, text) for text in texts):
        return True
    if not parts:
        return False
    calls = [line for text in texts for line in text.split("\n") if tool.name in line]
    asks_for_all = any(map(ALL_PARTS.search, texts)) or any(map(SHORT.search, calls))
    return not asks_for_all and not any(part in text for text in texts for part in parts)


def _answers(place_name: str, gain: Loss, loss: Loss) -> bool:
    """`gain` is a loss of the reversed comparison: what the head has and the base has not."""
    if gain.rule != loss.rule or gain.old is None or loss.old is None:
        return False
    place, found = posixpath.dirname(loss.old.path), SHARED_BUILD.sub("", posixpath.dirname(gain.old.path))
    if place_name != COMMAND and found and place != found and not place.startswith(f"{found}/"):
        return False
    return loss.was is None or (gain.was is not None and gain.was >= loss.was)
