"""Where the modules of a tree stand that Python code imports.

A module is looked for in each folder that may be on Python's path: the importer's own, and any that is no package. All
that are found count, for nobody can tell which one comes first. What none of them holds belongs to the standard
library or to another project, unless this one says that it is its own.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.runner.files import LIBRARIES, ROOTS
from ralph.system.patterns import later

SUFFIXES = (".py", ".pyi", ".pyw")
KNOWN = later(
    r"_?pytest|pytest_asyncio|hypothesis|mock|responses|respx|typing_extensions|setuptools|pip|nose|parameterized"
)
"""Libraries that everybody knows, whether or not the project names them."""
LISTS = later(r"(?:^|/)(?:pyproject\.toml|setup\.(?:py|cfg))$")
MAPS = later(rb"package[_-]dir|force-include|\bsources\b")
"""The project says that a package of it is in a folder of another name."""
MOST_LISTS = 40
OWN_NAME = later(rb"(?m)^\s*(?:name|NAME)\s*=\s*[\"']?([\w.-]+)")
MADE = later(r"_?_?version(?:_\w+)?_*|\w+_pb2(?:_grpc)?")
"""Modules that tools write, of what is no code, and that are seldom kept."""

Resolve = frozenset[str] | None


class Modules:
    """Those of one side."""

    def __init__(self, paths: Paths) -> None:
        self._read, self._all = paths.read, paths.all()
        self._files = frozenset(path for path in self._all if path.endswith(SUFFIXES))

    @cached_property
    def _folders(self) -> frozenset[str]:
        """Those that hold Python, at any depth."""
        found = {""}
        for path in self._files:
            folder = posixpath.dirname(path)
            while folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    @cached_property
    def _tops(self) -> dict[str, list[str]]:
        """The folders in which a module or a package of a name stands."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in (*self._files, *self._folders - {""}):
            folder, _, name = path.rpartition("/")
            found[name.partition(".")[0]].add(folder)
        return {name: sorted(folders) for name, folders in found.items()}

    @cached_property
    def _stems(self) -> frozenset[str]:
        """All files without their suffixes."""
        return frozenset(posixpath.join(*_parted(path)) for path in self._all)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._files:
            found[path.rpartition("/")[2]].append(path)
        return found

    def relative(self, path: str, level: int, name: str, members: Sequence[str]) -> Resolve:
        """What `from .name import members` in a file loads; None where something of it is not there."""
        folder = posixpath.dirname(path)
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        return self._with_members(folder, name.split(".") if name else [], members)

    def absolute(self, path: str, name: str, members: Sequence[str] = ()) -> Resolve:
        """What `import name`, or `from name import members`, loads of the tree; None where nobody can tell."""
        parts = name.split(".")
        top, found = parts[0], self._under(self._roots(path, parts[0]), parts, members)
        if found or KNOWN.fullmatch(top) or top in LIBRARIES or top in sys.stdlib_module_names:
            return found or frozenset()
        if found is None:
            found = self._under(self._tops.get(top, ()), parts, members)
        if found is None and (MADE.fullmatch(parts[-1]) or self._is_elsewhere(top)):
            return frozenset()
        return found

    def mentioned(self, path: str, text: str) -> frozenset[str]:
        """What a text may name: a module or something in it, or a file of Python."""
        if text.endswith(SUFFIXES):
            name = text.rpartition("/")[2]
            return frozenset(
                each for each in self._by_name.get(name, ()) if f"/{each}".endswith(f"/{text.lstrip('./')}")
            )
        parts = text.partition(":")[0].strip(".").split(".")
        for end in range(len(parts), 0, -1):
            found = self._under(self._roots(path, parts[0]), parts[:end], ())
            if found:
                return found
        return frozenset()

    def beginning(self, path: str, prefix: str) -> Resolve:
        """All modules whose names begin so, and what is below them; a dot stands for the file's own folder."""
        name = prefix.lstrip(".").replace(".", "/")
        if prefix.startswith("."):
            roots: Sequence[str] = [posixpath.dirname(path)]
        else:
            top, _, more = name.partition("/")
            roots = self._tops.get(top, ()) if more or name.endswith("/") else ()
        begins = tuple(posixpath.join(root, name) for root in roots)
        return frozenset(each for each in self._files if each.startswith(begins)) or None

    def _is_elsewhere(self, top: str) -> bool:
        """The tree does not hold it, under its name or under another one."""
        roots = [root for root in self._tops.get(top, ()) if not self._is_package(root)]
        if any(root in ROOTS or self._at(posixpath.join(root, top)) for root in roots):
            return False
        if top.lower() in self.own_names:
            return False
        mapped = re.compile(rb"[\"']?\b%s\b[\"']?\s*[:=]" % re.escape(top.encode()))
        return not any(MAPS.search(data) and mapped.search(data) for data in self._lists.values())

    @cached_property
    def _lists(self) -> dict[str, bytes]:
        """Where the project says what it is called and made of."""
        paths = sorted(path for path in self._all if LISTS.search(path))[:MOST_LISTS]
        return {path: self._read(path) or b"" for path in paths}

    @cached_property
    def own_names(self) -> frozenset[str]:
        """What the project is called."""
        named = (OWN_NAME.findall(data) for path, data in self._lists.items() if not path.endswith((".txt", ".in")))
        return frozenset(
            re.sub(r"[-.]", "_", name.decode("utf-8", "replace")).lower() for each in named for name in each
        )

    def _roots(self, path: str, top: str) -> list[str]:
        own = posixpath.dirname(path)
        return [each for each in self._tops.get(top, ()) if each == own or not self._is_package(each)]

    def _is_package(self, folder: str) -> bool:
        return posixpath.join(folder, "__init__.py") in self._files

    def _under(self, roots: Sequence[str], parts: Sequence[str], members: Sequence[str]) -> Resolve:
        """What is found below any of the folders."""
        found = [each for each in (self._with_members(root, parts, members) for root in roots) if each is not None]
        return frozenset().union(*found) if found else None

    def _with_members(self, root: str, parts: Sequence[str], members: Sequence[str]) -> Resolve:
        found, base = self._way(root, parts), posixpath.join(root, *parts)
        if found is None:
            return None
        holds_names = bool(self._at(base)) or base not in self._folders
        for member in members:
            place = posixpath.join(base, member)
            inner = self._at(place)
            if not (inner or holds_names or place in self._folders or self._is_written(place)):
                return None
            found |= inner
        return found

    def _way(self, root: str, parts: Sequence[str]) -> Resolve:
        """A module and the packages that it is in, as far as they are kept as Python."""
        found, base = self._init(root), root
        for part in parts:
            base = posixpath.join(base, part)
            here = self._at(base)
            if not here and base not in self._folders:
                return found if self._is_written(base) else None
            found |= here
        return found

    def _is_written(self, place: str) -> bool:
        """In another language, or by a tool."""
        return place in self._stems or MADE.fullmatch(place.rpartition("/")[2]) is not None

    def _at(self, base: str) -> frozenset[str]:
        return frozenset(f"{base}{suffix}" for suffix in SUFFIXES if f"{base}{suffix}" in self._files) | self._init(
            base
        )

    def _init(self, folder: str) -> frozenset[str]:
        names = (posixpath.join(folder, f"__init__{suffix}") for suffix in SUFFIXES[:2])
        return frozenset(name for name in names if name in self._files)


def modules_of(paths: Paths) -> Modules:
    """They are found once per side."""
    return paths.memo.once("python modules", lambda: Modules(paths))


def _parted(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.partition(".")[0]
