"""Stored snapshots rewritten or thrown away (policy set v2, class G13).

Rules:

- An entry that is gone, or a file that is, while the test that wants it is still there, blocks: the next run writes
  down whatever the code does. So does an entry that became empty. One that has another name and the same value, or the
  message of an error with the error's kind, is there.
- An entry with another value blocks if nothing but tests changed with it: the snapshot was made to agree. Else it is
  for a person, also where it names a package of which the tests have another version. A new entry, and one that moved
  to another file, are none of these.
- Pictures cannot be read: changed or taken away, they are for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ralph.guardrails.inventory.product_changes.noticed import is_noticed
from ralph.guardrails.inventory.product_changes.packages import names_raised
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

_ENTRY = later(rb"^exports\[`((?:[^`\\]|\\.)*)`\]\s*=\s*`((?:[^`\\]|\\.)*)`;?", re.MULTILINE | re.DOTALL)
_STORED = later(r"\.(?:snap|shot)$")
_PICTURE = later(r"(?:-snapshots|__image_snapshots__|__screenshots__|snapshots)/.*\.(?:png|jpe?g|webp)$")
_WANTS = later(rb"MatchSnapshot|MatchingSnapshot|MatchFileSnapshot|toMatchAriaSnapshot|\bsnapshot\s*\(")
_TEXT = later(rb"\"(.*)\"", re.DOTALL)
_ERROR = later(rb"\[\w+: (.*)\]", re.DOTALL)
_NUMBER = later(r"(?:: .*)? \d+$")
_WORD = later(r"[\w']{3,}")
_NO_PRODUCT = later(r"(?i)\.(?:snap|shot|md|png|jpe?g|webp)$|(?:^|/)\.[^/]+$")


@record
class _Entry:
    path: str
    line: int
    value: bytes


def snapshots(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if _STORED.search(file.path)]
    if files:
        yield from _Stored(change, files).hits()
    for file in change.files:
        if _PICTURE.search(file.path) and file.status != "A":
            yield hit_at("js.snapshot-picture", file.path, 0, posixpath.basename(file.path))


class _Stored:
    def __init__(self, change: Change, files: list[FileChange]) -> None:
        self._change = change
        self._files = files
        self._before = {file.path: _entries(file.path, change.blobs.before(file.path)) for file in files}
        self._after = {file.path: _entries(file.path, change.blobs.after(file.path)) for file in files}
        self._everywhere = {name: entry for entries in self._after.values() for name, entry in entries.items()}

    @cached_property
    def _with_product(self) -> bool:
        """Something else changed that a test may notice, be it what a test is given."""
        others = (
            path
            for path in (file.path for file in self._change.files)
            if not (_NO_PRODUCT.search(path) or is_test_file(path))
        )
        sides = ((path, self._change.blobs.before(path), self._change.blobs.after(path)) for path in others)
        return any(is_noticed(path, old or b"", new or b"", ()) for path, old, new in sides)

    def hits(self) -> Iterator[Hit]:
        for path, old in self._before.items():
            new = self._after[path]
            gone = [name for name in old if name not in new and name not in self._everywhere]
            lost = [name for name in _without_renamed(gone, old, new) if self._wanted(path, name)]
            if lost:
                yield hit_at("js.snapshot-removed", path, 0, ", ".join(lost[:3]))
            for name, entry in old.items():
                now = new.get(name) or self._everywhere.get(name)
                if now is not None and now.value != entry.value:
                    yield hit_at(self._rule(now), now.path, now.line, name)

    def _rule(self, now: _Entry) -> str:
        if not now.value.strip():
            return "js.snapshot-removed"
        told = now.value.decode("utf-8", "replace")
        with_code = self._with_product or names_raised(told, self._change)
        return "js.snapshot-changed-with-code" if with_code else "js.snapshot-changed"

    def _wanted(self, path: str, name: str) -> bool:
        """The test that the entry belongs to is still there and still asks for a snapshot."""
        folder, file = posixpath.split(path)
        test = posixpath.join(posixpath.dirname(folder) if folder.endswith("__snapshots__") else folder, file)
        test = posixpath.splitext(test)[0]
        data = self._change.blobs.after(test)
        if data is None or not _WANTS.search(data):
            return False
        text = data.decode("utf-8", "replace")
        words = _WORD.findall(_NUMBER.sub("", name))
        return all(word in text for word in words)


def _without_renamed(gone: list[str], old: Mapping[str, _Entry], new: Mapping[str, _Entry]) -> Iterator[str]:
    """An entry of a new name that holds the very same is the old one: its test was renamed or put under a title."""
    came = Counter(entry.value for name, entry in new.items() if name not in old)
    for name in gone:
        same = next((value for value in (old[name].value, *_with_kind(old[name].value, came)) if came[value]), None)
        if same is None:
            yield name
        else:
            came[same] -= 1


def _with_kind(value: bytes, came: Iterable[bytes]) -> Iterator[bytes]:
    """The same message of an error, with the error's kind: as Vitest writes what Jest wrote as a text."""
    text = _TEXT.fullmatch(value.strip())
    for each in came if text is not None else ():
        error = _ERROR.fullmatch(each.strip())
        if text is not None and error is not None and error[1] == text[1]:
            yield each


def _entries(path: str, data: bytes | None) -> Mapping[str, _Entry]:
    found = {}
    for match in _ENTRY.finditer(data or b""):
        line = (data or b"").count(b"\n", 0, match.start()) + 1
        found[match[1].decode("utf-8", "replace")] = _Entry(path, line, match[2])
    return found
