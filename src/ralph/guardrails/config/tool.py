"""A tool whose configuration is compared: where it looks for it, what of it holds, and the table that judges it.

A unit is one place from which the tool can be run with a configuration of its own: a directory, or for tools whose
projects are files (`tsconfig.json`, `*.csproj`) a file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, partial

from ralph.guardrails.config.node import Node, Opaque, Settings, flat
from ralph.guardrails.config.own_files import of_own_files
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.rows import Loss, Row, compare_rows
from ralph.guardrails.config.side import Side
from ralph.record import record


def _as_it_is(node: Node) -> Node:
    return node


@record
class Place:
    """A file that may hold the configuration, and the part of it that does. `shape` brings dialects to one form."""

    name: str
    root: tuple[str, ...] = ()
    shape: Callable[[Node], Node] = _as_it_is

    def part(self, node: Node) -> Node | None:
        found = node.at(*self.root)
        if found is None or isinstance(found.value, Opaque | list):
            return found
        # Where a table belongs, anything else says nothing.
        return self.shape(found if isinstance(found.value, dict) else found.with_value({}))


@record
class Unit:
    """The configuration in effect in one place: what it says and which files said it."""

    settings: Settings
    files: tuple[str, ...]


@record(slots=False)
class Tool:
    name: str
    places: Sequence[Place]
    """In the order of precedence: the first that holds a configuration is the one in effect."""
    rows: Sequence[Row]
    suffixes: tuple[str, ...]
    """Of the files it checks: where there were none, a first configuration takes nothing away. None: it always does."""
    needs_config: bool = False
    """Without a configuration it refuses to work, so that a first one takes nothing away."""
    everywhere: bool = False
    """All its files of a directory hold together, none shadows another."""
    refine: Callable[[Side, str, dict[tuple[str, ...], Node]], Settings] | None = None
    units: Callable[[Side], Mapping[str, Unit]] | None = None
    units_are_files: bool = False
    alone: Callable[[Side, str], Settings | None] | None = None
    """What one file says that a command names, where `units` finds only those with a name of the tool's own."""
    judge: Callable[[Settings, Settings, Sequence[str]], Iterable[Loss]] | None = None
    asks: Callable[[Settings], bool] | None = None
    """Whether settings ask for anything at all."""
    unasked: Callable[[Loss, Settings], frozenset[str]] | None = None
    """Names of what a loss is about, none of which the settings of the base asked for."""
    switched_off: Callable[[Loss, str], bool] | None = None
    """Whether each call in a text, of which there is one, had no use of what a loss is about."""
    programs: tuple[str, ...] = ()
    """Other names by which commands run it."""
    cascades: Callable[[Unit], bool] | None = None
    """The files of the folders above hold as well, as far as this one does not say otherwise."""
    relative: bool = False
    """Its paths are seen from the unit's directory, and only those below it matter."""
    adds_only: bool = False
    """A new unit beside others takes nothing away."""
    runs_tests: bool = False
    """Where there were no tests, a first configuration takes nothing away."""
    shared: bool = False
    """Its files speak for each other: what one no longer says, another one of the same folder or above it may say."""
    heir: Callable[[Side, Loss], str] | None = None
    """Another tool of this side that asks for what a setting asked for, by its name."""
    by_invitation: bool = False
    """Nobody runs it unasked: a first configuration takes nothing away where no command of the base names it."""
    rivals: tuple[str, ...] = ()
    """Others that do its work: where something names only one of them, nobody runs it unasked, either."""
    elder: Tool | None = None
    """The one of them whose codes are its own."""
    watches: tuple[str, ...] = ()
    """How those of its files end that may import or extend further ones of the same suffix."""

    @cached_property
    def plain_names(self) -> frozenset[str]:
        """The files that may hold its configuration, but for those of which only a part of the name is known."""
        return frozenset(place.name for place in self.places if "*" not in place.name)

    @cached_property
    def globs(self) -> tuple[str, ...]:
        """The others, as the tool spells them."""
        return tuple(place.name for place in self.places if "*" in place.name)

    @cached_property
    def watched_suffixes(self) -> frozenset[str]:
        return frozenset(f".{end.rpartition('.')[2]}" for end in self.watches)

    def find_units(self, side: Side) -> Mapping[str, Unit]:
        return self.units(side) if self.units else dict(self._directory_units(side))

    def named(self, side: Side, path: str) -> Settings | None:
        """What a file says that a command names, whatever its own name; None if it cannot be read as this tool's."""
        if self.alone:
            return self.alone(side, path)
        if self.units:
            unit = self.find_units(side).get(path)
            return unit.settings if unit else None
        node = side.node(path)
        suffix = posixpath.splitext(path)[1]
        places = [place for place in self.places if suffix in (posixpath.splitext(place.name)[1], place.name)]
        places.sort(key=lambda place: place.name != posixpath.basename(path))
        parts = (place.part(node) for place in places) if node else iter(())
        part = next((part for part in parts if part and part.mapping), None)
        if part is None:
            return None
        settings = flat(part)
        return self.refine(side, posixpath.dirname(path), settings) if self.refine else settings

    def compare(self, before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
        yield from of_own_files(partial(self._losses, before, after), paths, self.suffixes)

    def _losses(self, before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
        yield from compare_rows(self.rows, before, after, paths)
        if self.judge:
            yield from self.judge(before, after, paths)

    def _directory_units(self, side: Side) -> Iterator[tuple[str, Unit]]:
        found: dict[str, list[tuple[Place, str]]] = {}
        for place in self.places:
            for path in files_named(side, place.name):
                found.setdefault(posixpath.dirname(path), []).append((place, path))
        for directory, candidates in found.items():
            if unit := self._unit(side, directory, candidates):
                yield directory, unit

    def _unit(self, side: Side, directory: str, candidates: list[tuple[Place, str]]) -> Unit | None:
        side.touched = set()
        settings: dict[tuple[str, ...], Node] = {}
        seen = False
        for place, path in candidates:
            node = side.node(path)
            part = place.part(node) if node else None
            if part is None:
                continue
            seen = True
            if part.value is None:
                # A shared file that has nothing for this tool stands before no other.
                continue
            settings = {**flat(part), **settings}
            if not self.everywhere:
                break
        if not seen:
            return None
        return Unit(self.refine(side, directory, settings) if self.refine else settings, tuple(sorted(side.touched)))


def files_named(side: Side, name: str) -> list[str]:
    """Paths by file name, as the tool spells it (`*` is a glob), without those that only hold samples."""
    if "*" in name:
        end = name.rpartition("*")[2]
        listed = [found for found in side.by_name if found.endswith(end) and fnmatchcase(found, name)]
    else:
        listed = [name]
    return sorted(path for found in listed for path in side.by_name.get(found, ()) if not is_sample(path))
