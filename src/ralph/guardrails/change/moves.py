"""Which files of a change moved: a path that is gone and one that came are the same file under another name.

Rules, tried in this order; each path is in one pair:

1. A diff says so itself, or both paths have one content.
2. They share half of the longer one's telling lines, as git would have it; the most alike first.
3. Files beside them moved from the one folder to the other: the whole folder has another name.
4. The new file defines most of what the old one defined, and stands in its folder or is called like it: a short file
   of which little more than its names is left.

Both are of one kind, by their suffixes. A file that stays has not moved: what is like it is a copy, and new.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ralph.guardrails.model import MODE_GITLINK, MODE_SYMLINK, FileChange
from ralph.record import record
from ralph.system.patterns import later

SHARE = 0.5
"""A file moved when both paths share this much of the longer one's telling lines."""
MOST_NAMES = 0.5
"""Or when the new one defines this much of what the old one defined."""
MOST_NEAR = 40
"""So many new files are looked at for what a deleted one defined."""
LIKELY = 4
"""So many deleted files are looked at closely for each that is new."""
TOO_COMMON = 20
"""A line that more deleted files have than this does not tell where one of them went."""

TELLING = later(rb"(?!\s*(?://|/?\*|#(?!\[)|--|;|<!--)).*\w")
"""A line of code: no comment (a licence tells nothing), no bracket alone."""
DEFINED = later(
    rb"(?m)\b(?:def|class|func|fun|fn|function|interface|struct|enum|trait|module|record)\s+(?:\([^)\n]*\)\s*)?"
    rb"(?:self\.)?(\w{3,})|^(?:export\s+)?(?:const|let|var|val)\s+(\w{3,})"
    rb"|\b(?:it|test|describe|context|specify)\b[\w.]*[ (]\s*[\"'`]([^\"'`\n]{3,})"
    rb"|^\s*(?:public|private|protected|internal|static|export|void)\b[^\n=;(]*?\b(\w{3,})\s*\("
)
"""What a file defines for others, and the titles of its tests."""
COMMON = frozenset(
    b"get set put post add run new all map main init load read open close write build name call each list test tests"
    b" setup setUp tearDown render handle create update delete default index find save start stop equals hashCode"
    b" toString String Error Default from fmt clone drop next __init__ __str__ __repr__ __eq__ __call__".split()
)
"""Names that belong to no file more than to others."""
KINDS = (
    frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"}),
    frozenset({".yml", ".yaml"}),
    frozenset({".json", ".jsonc", ".json5"}),
    frozenset({"makefile", "gnumakefile", "justfile", ".justfile"}),
)
"""Suffixes, or names without one, of files that are read alike; any other is like its own alone."""

SETTINGS = later(r"^\.?[\w-]+rc(?:\.\w+)?$|\.conf(?:ig)?\.\w+$")
"""Settings, which are read in another way under another name; only their suffix may be another one."""
COMPILED = later(r"[jt]sconfig\b.*\.json$")
"""What a compiler takes, by paths from where the file stands: in another folder, it says something else."""
MADE = later(r"[._-](?:min|bundle|chunk)\.\w+$")
WIDE = 2_000
"""A line of so many bytes is no person's: a tool wrote the file, whose name may change with each build."""


@record
class Move:
    old: FileChange
    new: FileChange


def moves(listed: Iterable[FileChange], told: Iterable[tuple[str, str]] = ()) -> tuple[Move, ...]:
    """The files that have another name now, in the order of their new names; `told` are those that a diff names."""
    files = {file.path: file for file in listed if file.status in ("A", "D") and not _is_special(file)}
    if {file.status for file in files.values()} != {"A", "D"}:
        return ()
    finding = _Finding(files)
    finding.take((old, new) for old, new in told if old in files and new in files)
    finding.take(finding.same())
    finding.take(finding.alike())
    finding.take(finding.beside())
    finding.take(finding.named_alike())
    return tuple(Move(files[old], files[new]) for new, old in sorted(finding.origins.items()))


class _Finding:
    """What is left on both sides while pairs are taken off."""

    def __init__(self, files: Mapping[str, FileChange]) -> None:
        self.gone = {path: file for path, file in files.items() if file.status == "D"}
        self.come = {path: file for path, file in files.items() if file.status == "A"}
        self.origins: dict[str, str] = {}

    def take(self, pairs: Iterable[tuple[str, str]]) -> None:
        for old, new in pairs:
            if old in self.gone and new in self.come and _kind(old) == _kind(new):
                self.origins[new] = old
                del self.gone[old], self.come[new]

    def same(self) -> list[tuple[str, str]]:
        by_blob: dict[str, list[str]] = defaultdict(list)
        for path, file in self.gone.items():
            if file.old_blob.strip("0"):
                by_blob[file.old_blob].append(path)
        pairs = ((old, new) for new, file in self.come.items() for old in by_blob.get(file.new_blob, ()))
        return sorted(pairs, key=lambda pair: (posixpath.basename(pair[0]) != posixpath.basename(pair[1]), pair))

    def alike(self) -> list[tuple[str, str]]:
        old = {path: Counter(_telling(file)) for path, file in self.gone.items() if file.hunks}
        holders: dict[bytes, list[str]] = defaultdict(list)
        for path, lines in old.items():
            for line in lines:
                holders[line].append(path)
        scored = []
        for path, file in self.come.items() if holders else ():
            lines = Counter(_telling(file))
            votes = Counter(one for line in lines if len(held := holders.get(line, ())) <= TOO_COMMON for one in held)
            scored += [(-_share(old[one], lines), one, path) for one, _ in votes.most_common(LIKELY)]
        return [(one, path) for share, one, path in sorted(scored) if -share >= SHARE]

    def beside(self) -> list[tuple[str, str]]:
        folders = Counter(filter(None, (_folders(old, new) for new, old in self.origins.items())))
        return [
            (path, other)
            for (old, new), _ in folders.most_common()
            for path in self.gone
            if path.startswith(old) and (other := new + path[len(old) :]) in self.come
        ]

    def named_alike(self) -> Iterator[tuple[str, str]]:
        by_place: dict[object, list[str]] = defaultdict(list)
        for path in self.come:
            for place in _places(path):
                by_place[place].append(path)
        if not by_place:
            return
        names = {path: _defined(file) for path, file in (*self.gone.items(), *self.come.items())}
        for path in list(self.gone):
            near = (new for place in _places(path) for new in by_place.get(place, ()) if new in self.come)
            kept = [(len(names[path] & names[new]), new) for new in islice(near, MOST_NEAR)]
            if names[path] and kept and max(kept)[0] >= MOST_NAMES * len(names[path]):
                yield path, max(kept)[1]


def _is_special(file: FileChange) -> bool:
    if file.binary or {file.old_mode, file.new_mode} & {MODE_SYMLINK, MODE_GITLINK}:
        return True
    return bool(MADE.search(file.path)) or max(map(len, content(file)), default=0) >= WIDE


def content(file: FileChange) -> list[bytes]:
    """The lines of a file that is gone, or that came."""
    return [line for hunk in file.hunks for line in (hunk.removed if file.status == "D" else hunk.added)]


def _telling(file: FileChange) -> Iterator[bytes]:
    return (line.strip() for line in content(file) if TELLING.match(line))


def _share(old: Counter[bytes], new: Counter[bytes]) -> float:
    return (old & new).total() / max(old.total(), new.total(), 1)


def _kind(path: str) -> object:
    name = posixpath.basename(path).lower()
    suffix = posixpath.splitext(name)[1] or name
    kind = next((kind for kind in KINDS if suffix in kind), suffix)
    if COMPILED.match(name):
        return (kind, name, posixpath.dirname(path))
    return (kind, name.rpartition(".")[0]) if SETTINGS.search(name) else kind


def _places(path: str) -> Sequence[object]:
    """Where a file may have moved to: what is called like it first, then its folder."""
    return [(_kind(path), "named", posixpath.basename(path)), (_kind(path), "in", posixpath.dirname(path))]


def _folders(old: str, new: str) -> tuple[str, str] | None:
    """What of both paths stands before their common end, if a folder ends there."""
    if posixpath.basename(old) != posixpath.basename(new):
        return None
    ends, others = old.split("/"), new.split("/")
    while ends and others and ends[-1] == others[-1]:
        ends.pop()
        others.pop()
    begin, other = ("".join(f"{part}/" for part in parts) for parts in (ends, others))
    return (begin, other) if begin else None


def _defined(file: FileChange) -> frozenset[bytes]:
    found = DEFINED.findall(b"\n".join(content(file)))
    return frozenset(name for groups in found for name in groups if name) - COMMON
