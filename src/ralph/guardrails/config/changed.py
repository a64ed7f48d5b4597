"""Which tools a change can concern: found by names alone, so that a change of product code costs nothing here.

A tool is concerned when a file changed that may hold its configuration, or one that such a file imports or extends.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cached_property

from ralph.guardrails.config.readers import SCRIPT_SUFFIXES
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.config.tool import Tool, files_named
from ralph.system.patterns import later

FOLLOWED = (*SCRIPT_SUFFIXES, ".json", ".toml", ".yml", ".yaml")
_RELATIVE = later(rb"""(?:^|[\s'"`\[(,])(\.{1,2}/[^\s'"`\]),]+)|^extend\s*=\s*["']([^"'\n]+)""", re.MULTILINE)


class Changed:
    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self._led: dict[tuple[int, str], tuple[str, ...]] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(posixpath.basename(path) for path in self.paths)

    @cached_property
    def _by_suffix(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name in self.names:
            found.setdefault(posixpath.splitext(name)[1], set()).add(name)
        return found

    def concern(self, tool: Tool, before: Side, after: Side) -> bool:
        if not tool.plain_names.isdisjoint(self.names) or any(map(self._named, tool.globs)):
            return True
        if tool.watched_suffixes.isdisjoint(self._by_suffix):
            return False
        return any(self._reached(tool, side) for side in (after, before))

    def _named(self, glob: str) -> bool:
        """True if a changed file has such a name."""
        suffix = posixpath.splitext(glob)[1]
        return any(fnmatchcase(found, glob) for found in self._by_suffix.get(suffix, ()))

    def _reached(self, tool: Tool, side: Side) -> bool:
        """Follows relative paths, wherever they stand in the text: one too many costs time, one too few a finding."""
        places = [place.name for place in tool.places if place.name.endswith((*tool.watches, "rc"))]
        waiting = [path for name in places for path in files_named(side, name)]
        seen = set(waiting)
        while waiting:
            path = waiting.pop()
            for target in self._led_to(side, path):
                if target in self.paths:
                    return True
                if target not in seen and target.endswith(FOLLOWED):
                    seen.add(target)
                    waiting.append(target)
        return False

    def _led_to(self, side: Side, path: str) -> tuple[str, ...]:
        """The files that a file names by a relative path: several tools ask about the same one."""
        if (id(side), path) not in self._led:
            data = side.bytes(path) or b""
            found = _RELATIVE.finditer(data) if b"./" in data or b"extend" in data else ()
            names = ((match[1] or match[2]).decode("utf-8", "replace") for match in found)
            targets = (resolve(side.paths, path, name, FOLLOWED) for name in names)
            self._led[id(side), path] = tuple(target for target in targets if target)
        return self._led[id(side), path]
