"""A change read from a diff alone, for `ralph scan --diff` (design section 7).

A diff shows only parts of its files, but detectors read whole ones. So each file is looked for where the caller says
it may be found (HEAD, the disk): a content that agrees with every line that the diff shows of one side is that side,
and the diff makes the other one of it. Where none agrees, a side is rebuilt from the diff: each shown line stands at
its line number, the lines between are blank. A detector that needs more (a docstring opened far above) judges by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from ralph.guardrails.change.unified import Sides, Unified, read_unified
from ralph.guardrails.model import Change, FileChange, Hunk

Contents = Callable[[str], Iterable[bytes]]
"""What a path may hold, before or after the change."""


def read_patch(data: bytes, source: str = "The diff", contents: Contents = lambda _: ()) -> Change:
    """The change that a diff describes. Raises ConfigError with the line number if it is malformed."""
    unified = read_unified(data, source)
    return Change(files=unified.files, blobs=PatchBlobs(unified, contents), renamed=unified.renamed)


class PatchBlobs:
    """The files of a diff, whole where a content agrees with it, else as far as it shows them."""

    def __init__(self, unified: Unified, contents: Contents) -> None:
        self._files = {file.path: file for file in unified.files}
        self._shown = unified.shown
        self._contents = contents
        self._news, self._olds = dict(unified.renamed), {new: old for old, new in unified.renamed}
        self._known: dict[str, tuple[bytes, bytes]] = {}

    def before(self, path: str) -> bytes | None:
        return self._sides(self._news.get(path, path))[0] if path in self.paths_before() else None

    def after(self, path: str) -> bytes | None:
        return self._sides(path)[1] if path in self.paths_after() else None

    def paths_before(self) -> frozenset[str]:
        return frozenset(path for path, file in self._files.items() if file.status != "A")

    def paths_after(self) -> frozenset[str]:
        return frozenset(path for path, file in self._files.items() if file.status != "D")

    def _sides(self, path: str) -> tuple[bytes, bytes]:
        if path not in self._known:
            file, shown = self._files[path], self._shown[path]
            candidates = chain.from_iterable(self._contents(each) for each in self._names(path, file))
            whole = (_completed(file, shown, content.split(b"\n")) for content in candidates)
            found = next((each for each in whole if each is not None), None)
            self._known[path] = found or (_rebuilt(shown.before), _rebuilt(shown.after))
        return self._known[path]

    def _names(self, path: str, file: FileChange) -> tuple[str, ...]:
        """Where to look for what the diff does not show of a file: one that is new or gone it shows whole."""
        if file.binary:
            return ()
        return (self._olds[path], path) if path in self._olds else (path,) if file.status == "M" else ()


def _completed(file: FileChange, shown: Sides, lines: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Both sides of the file, if `lines` are one of them."""
    if _agrees(lines, shown.before):
        return b"\n".join(lines), b"\n".join(_applied(lines, file.hunks))
    if _agrees(lines, shown.after):
        return b"\n".join(_applied(lines, [_reversed(hunk) for hunk in file.hunks])), b"\n".join(lines)
    return None


def _agrees(lines: Sequence[bytes], shown: Mapping[int, bytes]) -> bool:
    return bool(shown) and all(number <= len(lines) and lines[number - 1] == line for number, line in shown.items())


def _applied(lines: Sequence[bytes], hunks: Sequence[Hunk]) -> list[bytes]:
    result: list[bytes] = []
    at = 0
    for hunk in hunks:
        result += [*lines[at : hunk.old_start - 1], *hunk.added]
        at = hunk.old_start - 1 + len(hunk.removed)
    return [*result, *lines[at:]]


def _reversed(hunk: Hunk) -> Hunk:
    return Hunk(hunk.new_start, hunk.added, hunk.old_start, hunk.removed)


def _rebuilt(lines: Mapping[int, bytes]) -> bytes:
    text = [b""] * max(lines, default=0)
    for number, line in lines.items():
        text[number - 1] = line
    return b"\n".join([*text, b""]) if text else b""
