"""A git directory of our own for a working copy: its configuration, attributes, excludes and index (decision 4).

The index is kept between snapshots, because it spares hashing files that did not change: an entry whose size, inode
and times are the file's is believed. That belief is guarded in two ways.

- The directory must lie where no agent can write, so outside the repository (checked) and the sandbox: who can forge
  an index entry can hide an edit. Configuration, attributes and excludes are written anew whenever they differ.
- Git compares whole seconds and distrusts only a young modification time, which anyone can set back. So an entry
  whose change time (which only the kernel sets) is not older than the second in which its snapshot began is stored as
  not trusted; any later edit then differs in change time from every entry that is trusted.

Each snapshot works on a copy under a name of its own, which takes the index's place at the end: a killed one leaves
nothing that hinders the next, and concurrent ones do not see each other.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import struct
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.system.files import reason
from ralph.system.git import Repository
from ralph.system.git_door import Answer, ask, neutral_config
from ralph.system.hold import held_folder

OWN_PATHS = (".ralph/", "state/progress.jsonl", "state/learning.jsonl")
"""What Ralph itself writes into a working copy; never part of a tree unless somebody committed it."""

_ATTRIBUTES = "* -text !eol -crlf -ident -filter !working-tree-encoding\n"
_ENTRY = struct.Struct(">10I")
"""The head of an index entry: ctime s, ns, mtime s, ns, device, inode, mode, user, group, size; then id and flags."""
_SIZE_OFFSET = 36
_NAME_LENGTH = 0x0FFF
_EXTENDED = 0x4000


class Shadow:
    """One snapshot's access to the shadow directory: runs git on the working copy with our directory and index."""

    def __init__(self, repo: Repository, directory: Path, index: Path) -> None:
        self.repo = repo
        self.directory = directory
        self.index = index

    def git(self, args: Sequence[str], stdin: bytes = b"") -> bytes:
        """Run git; a warning is a failure too, because git leaves out what it cannot read and says so in a warning."""
        answer = self.ask(args, stdin)
        if answer.code or _warnings(answer):
            raise RepositoryError(
                f"The files of {self.repo.root} cannot all be read: {answer.complaint()}; mend or remove what is named."
            )
        return answer.stdout

    def ask(self, args: Sequence[str], stdin: bytes = b"") -> Answer:
        return ask(
            args,
            git_dir=self.directory,
            work_tree=self.repo.root,
            index=self.index,
            objects=self.repo.objects_dir,
            stdin=stdin,
        )


@contextmanager
def opened(repo: Repository, directory: Path, *, warm: bool) -> Iterator[Shadow]:
    """The shadow directory, prepared, with a copy of its index (none unless `warm`), which is kept if all went well."""
    started = int(time.time())
    directory = directory.absolute()
    if directory.resolve().is_relative_to(repo.root.resolve()):
        raise RepositoryError(f"{directory} lies inside the repository, where an agent could forge Ralph's git index.")
    try:
        _prepare(directory, repo.object_format)
        with held_folder(directory, "run") as scratch:
            index = scratch / "index"
            if warm:
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy2(directory / "index", index)
            yield Shadow(repo, directory, index)
            if index.exists():
                trusted = without_young(index.read_bytes(), started, repo.object_format)
                index.write_bytes(trusted)
                index.replace(directory / "index")
    except OSError as error:
        raise RepositoryError(f"Ralph's git directory {directory} cannot be used: {reason(error)}.") from None


def without_young(index: bytes, started: int, object_format: str) -> bytes:
    """The index with every entry that changed in or after second `started` marked as git marks what it distrusts:
    with size 0."""
    id_size = hashlib.new(object_format).digest_size
    data = bytearray(index)
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3):
        raise RepositoryError("Ralph's own git index has a format that it did not ask for.")
    at = 12
    for _ in range(count):
        if _ENTRY.unpack_from(data, at)[0] >= started:
            data[at + _SIZE_OFFSET : at + _SIZE_OFFSET + 4] = bytes(4)
        flags_at = at + _ENTRY.size + id_size
        (flags,) = struct.unpack_from(">H", data, flags_at)
        name_at = flags_at + (4 if flags & _EXTENDED else 2)
        length = flags & _NAME_LENGTH
        if length == _NAME_LENGTH:
            length = data.index(0, name_at) - name_at
        at += (name_at - at + length + 8) & ~7
    body = bytes(data[:-id_size])
    return body + hashlib.new(object_format, body).digest()


def _prepare(directory: Path, object_format: str) -> None:
    for folder in ("refs", "info"):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    _ensure(directory / "HEAD", "ref: refs/heads/none\n")
    _ensure(directory / "config", neutral_config(object_format, bare=False))
    _ensure(directory / "info" / "attributes", _ATTRIBUTES)
    _ensure(directory / "info" / "exclude", "".join(f"/{path}\n" for path in OWN_PATHS))


def _ensure(path: Path, content: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        if path.read_text() == content:
            return
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w") as file:
        file.write(content)
    Path(temporary).replace(path)


def _warnings(answer: Answer) -> list[bytes]:
    """What git complained of, but for rule files it does not follow: what they would hide or convert is seen then."""
    return [line for line in answer.stderr.splitlines() if not line.endswith(_HARMLESS)]


_HARMLESS = (b".gitignore': Too many levels of symbolic links", b".gitattributes': Too many levels of symbolic links")
