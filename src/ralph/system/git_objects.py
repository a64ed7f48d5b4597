"""Reading git objects, and believing none of them unchecked.

Git does not compare an object with its name when it reads it. Whoever can write `.git/objects` can therefore put
other content under the id of a file in the base, or of a file that is about to be added, and so make a change vanish
from every diff. Here each object is hashed again, and one that is not what its name says is a RepositoryError.

One `git cat-file --batch` serves all reads. It is started by the first one, again if it was killed, and ends
with its `Objects` or, its input being a pipe, with Ralph. Paths are text with undecodable bytes kept as surrogates.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import stat
import subprocess
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, NamedTuple

from ralph.errors import RepositoryError
from ralph.system.git_door import TIMEOUT_S, GitTimeoutError, command, environment, neutral_dir
from ralph.system.timed_pipe import TimedPipe

MODE_TREE = "40000"
MODE_GITLINK = "160000"
MODE_SYMLINK = "120000"

_BATCH = 500
"""Requests written before answers are read: few enough to lie in the pipe, or both sides would wait for ever."""
_MOST_TREES = 10_000
_LARGE = 4 << 20
_KEPT_BYTES = 64 << 20
_BEGINNING = 1 << 16


class Entry(NamedTuple):
    """One entry of a tree. A folder's mode is written as trees have it, `40000`."""

    name: str
    mode: str
    id: str

    @property
    def is_tree(self) -> bool:
        return self.mode == MODE_TREE

    @property
    def is_file(self) -> bool:
        return self.mode.startswith("100")


class Objects:
    """The objects under one `objects` directory (and its alternates), read and checked."""

    def __init__(self, directory: Path, object_format: str, timeout_s: float = TIMEOUT_S) -> None:
        self._directory = directory
        self._format = object_format
        self._timeout_s = timeout_s
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._kept: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._kept_bytes = 0
        self._checked: set[str] = set()
        self._trees: dict[str, Mapping[str, Entry]] = {}
        self._large: dict[str, bytes] = {}

    def read(self, object_id: str) -> tuple[str, bytes]:
        """(kind, content). Raises RepositoryError if the object is missing or is not what its name says."""
        with self._lock:
            if object_id not in self._kept:
                self._load([object_id], stream_over=math.inf)
            self._kept.move_to_end(object_id)
            return self._kept[object_id]

    def blob(self, object_id: str) -> bytes:
        return self._of_kind(object_id, "blob")

    def beginning(self, object_id: str, size: int) -> bytes:
        """The first bytes of a blob, which is not kept as a whole if it is large."""
        with self._lock:
            if object_id not in self._kept and object_id not in self._large:
                self._load([object_id], stream_over=_LARGE)
            return (self._large.get(object_id) or self._kept[object_id][1])[:size]

    def tree(self, object_id: str) -> tuple[Entry, ...]:
        return tuple(_entries(self._of_kind(object_id, "tree"), hashlib.new(self._format).digest_size))

    def _by_name(self, object_id: str) -> Mapping[str, Entry]:
        """The first entry of each name in a tree. Remembered: what a tree holds is its name."""
        if object_id not in self._trees:
            if len(self._trees) >= _MOST_TREES:
                self._trees.clear()
            self._trees[object_id] = {entry.name: entry for entry in reversed(self.tree(object_id))}
        return self._trees[object_id]

    def peel(self, object_id: str) -> str:
        """The tree that a commit, a tag or a tree stands for."""
        kind, data = self.read(object_id)
        while kind != "tree":
            field = {"commit": b"tree ", "tag": b"object "}.get(kind)
            if field is None or not data.startswith(field):
                raise RepositoryError(f"The object {object_id} is a {kind}, not a commit or a tree.")
            object_id = data[len(field) : data.index(b"\n")].decode("ascii", "replace")
            kind, data = self.read(object_id)
        return object_id

    def check(self, object_ids: Iterable[str]) -> None:
        """Make sure that objects are what their names say; what is not large is kept for reading."""
        with self._lock:
            self._load([each for each in dict.fromkeys(object_ids) if each not in self._checked], stream_over=_LARGE)

    def walk(self, tree: str) -> Iterator[tuple[str, Entry]]:
        """Every entry below a tree that is no tree itself, with its path; folders are read level by level."""
        level = [("", tree)]
        while level:
            self.check(object_id for _, object_id in level)
            deeper = []
            for prefix, object_id in level:
                for entry in self.tree(object_id):
                    if entry.is_tree:
                        deeper.append((f"{prefix}{entry.name}/", entry.id))
                    else:
                        yield prefix + entry.name, entry
            level = deeper

    def find(self, tree: str, path: str) -> Entry | None:
        """The entry at `path`, None if there is none."""
        entry = Entry("", MODE_TREE, tree)
        for name in path.split("/"):
            if not entry.is_tree:
                return None
            found = self._by_name(entry.id).get(name)
            if found is None:
                return None
            entry = found
        return entry

    def close(self) -> None:
        """End the process; a later read starts another."""
        with self._lock:
            if self._process is not None and self._owner == os.getpid():
                _end(self._process)
            self._process = None

    def _of_kind(self, object_id: str, wanted: str) -> bytes:
        kind, data = self.read(object_id)
        if kind != wanted:
            raise RepositoryError(f"The object {object_id} is a {kind}, not a {wanted}.")
        return data

    def _load(self, object_ids: list[str], *, stream_over: float) -> None:
        for _ in range(2):
            try:
                for start in range(0, len(object_ids), _BATCH):
                    self._load_batch(object_ids[start : start + _BATCH], stream_over)
                return
            except (BrokenPipeError, EOFError):
                self.close()  # somebody killed it: once more with another
            except TimeoutError:
                self.close()
                raise GitTimeoutError(
                    f"git did not read an object in {self._directory} within {self._timeout_s:g} s; a named pipe in "
                    "place of an object makes it wait."
                ) from None
            except BaseException:
                self.close()  # what is still in the pipe answers nobody
                raise
        raise RepositoryError(f"git cannot read the objects in {self._directory}.")

    def _load_batch(self, object_ids: list[str], stream_over: float) -> None:
        requests, answers = self._running()
        requests.write("".join(f"{each}\n" for each in object_ids).encode())
        requests.flush()
        for object_id in object_ids:
            self._receive(answers, object_id, stream_over)

    def _receive(self, answers: TimedPipe, object_id: str, stream_over: float) -> None:
        header = answers.line().split()
        if len(header) != 3:
            raise RepositoryError(
                f"The object {object_id} is missing in {self._directory}: fetch it (a shallow or partial clone lacks "
                "objects), or restore the repository."
            )
        kind, size = header[1].decode("ascii"), int(header[2])
        digest = hashlib.new(self._format, b"%s %d\0" % (header[1], size))
        wanted = size if size <= stream_over else _BEGINNING
        content = bytearray()
        for chunk in answers.chunks(size):
            digest.update(chunk)
            content += chunk[: wanted - len(content)]
        answers.read(1)
        if digest.hexdigest() != object_id:
            raise RepositoryError(
                f"The object {object_id} in {self._directory} is not what its name says: somebody changed the "
                "repository's object store; run `git fsck` and restore it from a clone you trust."
            )
        self._checked.add(object_id)
        if size <= stream_over:
            self._keep(object_id, kind, bytes(content))
        else:
            self._large[object_id] = bytes(content)

    def _keep(self, object_id: str, kind: str, content: bytes) -> None:
        self._kept[object_id] = (kind, content)
        self._kept_bytes += len(content)
        while self._kept_bytes > _KEPT_BYTES and len(self._kept) > 1:
            _, (_, oldest) = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest)

    def _running(self) -> tuple[IO[bytes], TimedPipe]:
        if self._process is None or self._owner != os.getpid():  # a fork asks a git of its own: answers are for one
            neutral = neutral_dir(self._format)
            process = subprocess.Popen(
                command(["cat-file", "--batch"]),
                cwd=neutral,
                env=environment(git_dir=neutral, objects=self._directory),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            weakref.finalize(self, _end, process)
            assert process.stdin is not None
            assert process.stdout is not None
            self._process, self._owner = process, os.getpid()
            self._pipes = process.stdin, TimedPipe(process.stdout.fileno(), self._timeout_s)
        return self._pipes


def _entries(data: bytes, id_size: int) -> Iterator[Entry]:
    at = 0
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        name = os.fsdecode(data[space + 1 : end])
        yield Entry(name, _canonical(int(data[at:space], 8)), data[end + 1 : end + 1 + id_size].hex())
        at = end + 1 + id_size


def _canonical(mode: int) -> str:
    """The mode git takes an entry for; trees made by other hands hold others, such as 040000 or 100664."""
    if stat.S_ISREG(mode):
        return "100755" if mode & 0o100 else "100644"
    if stat.S_ISLNK(mode):
        return MODE_SYMLINK
    return MODE_TREE if stat.S_ISDIR(mode) else MODE_GITLINK


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    process.kill()
    process.wait()
