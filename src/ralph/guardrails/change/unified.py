"""Reading unified diffs, git's or plain ones, with or without context lines, with text (a mail, a log) around them.

- Hunks are read by their line counts; a line that fits no count is an error with its number, never skipped.
- The name in `+++` counts (in `---` for a deletion), as for tools that apply a diff. A rename is a deletion and an
  addition, of which only the changed lines are known.
- A path stands in a diff once: of a series of patches the later ones count lines in files that nobody has here.
- Modes and blob ids that a diff does not tell are git's for a plain file, and zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from ralph.errors import ConfigError
from ralph.guardrails.change.hunks import MalformedError, is_header, read_hunk, without_pointers
from ralph.guardrails.change.names import in_file_line, in_git_line, stripped
from ralph.guardrails.model import MODE_GITLINK, FileChange, Hunk
from ralph.record import field, record, replace
from ralph.system.patterns import later

MAX_LINE = 5_000_000
"""Line numbers beyond this are refused: rebuilding the file would cost memory for nothing."""

_ABSENT = "000000"
_PLAIN = "100644"
_NO_ID = "0" * 40
_EXTENDED = later(
    rb"(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to"
    rb"|(?:dis)?similarity index|index) (.*)"
)
_INDEX = later(rb"([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d{6}))?")


@record(frozen=False)
class _Header:
    """What stands before the hunks of one file; `fields` are git's extended header lines."""

    old: str | None = None
    new: str | None = None
    fields: dict[str, bytes] = field(default_factory=dict)
    binary: bool = False

    @property
    def status(self) -> Literal["A", "M", "D"]:
        if "deleted file mode" in self.fields or self.new is None:
            return "D"
        created = {"new file mode", "rename to", "copy to"} & self.fields.keys()
        return "A" if created or self.old is None else "M"


@record
class Sides:
    """The lines of a file that a diff shows, by number."""

    before: dict[int, bytes] = field(default_factory=dict)
    after: dict[int, bytes] = field(default_factory=dict)

    def context(self, old_line: int, new_line: int, text: bytes) -> None:
        self.before[old_line] = self.after[new_line] = text

    def changed(self, hunks: Iterable[Hunk]) -> None:
        for hunk in hunks:
            self.before.update(enumerate(hunk.removed, start=hunk.old_start))
            self.after.update(enumerate(hunk.added, start=hunk.new_start))


@record
class Unified:
    """The files of a diff, by path the lines of them that it shows, and the old and new names of those it renames."""

    files: tuple[FileChange, ...]
    shown: Mapping[str, Sides]
    renamed: tuple[tuple[str, str], ...] = ()


def read_unified(data: bytes, source: str) -> Unified:
    """Raises ConfigError with the line number if the diff is malformed, or if there is no diff in the text."""
    reader = _Reader(data.split(b"\n"))
    try:
        reader.read()
    except MalformedError as error:
        raise ConfigError(f"{source} cannot be read as a diff: line {error.at + 1} {error}.") from None
    if not reader.files and data.strip():
        raise ConfigError(f"{source} holds no unified diff: make one with `git diff HEAD`.")
    return Unified(tuple(reader.files.values()), reader.sides, tuple(reader.renamed))


class _Reader:
    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.at = 0
        self.files: dict[str, FileChange] = {}
        self.sides: dict[str, Sides] = {}
        self.renamed: list[tuple[str, str]] = []

    def read(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith(b"diff --git ") or self._begins_plain(self.at):
                self._file()
            elif line.startswith((b"diff --cc ", b"diff --combined ", b"@@@ ")):
                raise MalformedError("begins a combined diff of a merge: give the diff against one parent", self.at)
            elif is_header(line):
                raise MalformedError("begins a hunk, but no file was named", self.at)
            else:
                self.at += 1

    def _begins_plain(self, at: int) -> bool:
        return self.lines[at].startswith(b"--- ") and self._starts(at + 1, b"+++ ") and self._starts(at + 2, b"@@ -")

    def _starts(self, at: int, mark: bytes) -> bool:
        return at < len(self.lines) and self.lines[at].startswith(mark)

    def _file(self) -> None:
        begin = self.at
        header = self._header()
        path = header.new or header.old
        if not path:
            raise MalformedError("begins a file without a name", begin)
        sides = Sides()
        hunks: list[Hunk] = []
        while self._starts(self.at, b"@@ -"):
            more, after = read_hunk(self.lines, self.at, sides.context)
            if any(h.old_start + len(h.removed) > MAX_LINE or h.new_start + len(h.added) > MAX_LINE for h in more):
                raise MalformedError(f"counts lines beyond {MAX_LINE}", self.at)
            if hunks and more and more[0].old_start < hunks[-1].old_start + len(hunks[-1].removed):
                raise MalformedError("begins a hunk that overlaps the one before it", self.at)
            hunks += more
            self.at = after
        self._no_more_lines(bool(hunks))
        sides.changed(hunks)
        self._add(_file_change(path, header, tuple(hunks)), sides, begin)
        if source := header.fields.get("rename from"):
            gone = _Header(old=in_file_line(source))
            self._add(_file_change(gone.old or "", gone, ()), Sides(sides.before), begin)
            self.renamed.append((gone.old or "", path))

    def _header(self) -> _Header:
        header = _Header()
        known = None
        if self.lines[self.at].startswith(b"diff --git "):
            known = in_git_line(self.lines[self.at].removeprefix(b"diff --git ").rstrip(b"\r"))
            self.at += 1
            while self.at < len(self.lines) and (match := _EXTENDED.fullmatch(self.lines[self.at].rstrip(b"\r"))):
                header.fields[match[1].decode("ascii")] = match[2]
                self.at += 1
            sources = (header.fields.get(key) for key in ("rename from", "copy from"))
            targets = (header.fields.get(key) for key in ("rename to", "copy to"))
            header.old = next((in_file_line(name) for name in sources if name), known)
            header.new = next((in_file_line(name) for name in targets if name), known)
        if self._starts(self.at, b"--- ") and self._starts(self.at + 1, b"+++ "):
            old, new = (in_file_line(self.lines[self.at + n][4:].rstrip(b"\r")) for n in (0, 1))
            header.old, header.new = stripped(old, new, known)
            self.at += 2
        elif self._starts(self.at, b"Binary files ") or self._starts(self.at, b"GIT binary patch"):
            header.binary = True
            self.at += 1
        return header

    def _no_more_lines(self, after_hunk: bool) -> None:
        line = self.lines[self.at] if self.at < len(self.lines) else b""
        follows = line[:1] in (b"+", b" ", b"\\") or (line[:1] == b"-" and line.rstrip() != b"--")
        if after_hunk and follows and not self._begins_plain(self.at):
            raise MalformedError("is more than the line counts of its hunk allow", self.at)

    def _add(self, file: FileChange, sides: Sides, at: int) -> None:
        known = self.files.get(file.path)
        if known is None:
            self.files[file.path], self.sides[file.path] = file, sides
        elif (known.status, file.status) == ("D", "A"):  # how git shows a file that became a link, or the reverse
            self.files[file.path] = replace(
                file, status="T", old_mode=known.old_mode, old_blob=known.old_blob, hunks=known.hunks + file.hunks
            )
            self.sides[file.path] = Sides(self.sides[file.path].before, sides.after)
        else:
            raise MalformedError(f"changes {file.path} a second time: give one diff of the whole change", at)


def _file_change(path: str, header: _Header, hunks: tuple[Hunk, ...]) -> FileChange:
    ids = _INDEX.fullmatch(header.fields.get("index", b""))
    old_id, new_id, mode = (each and each.decode("ascii") for each in ids.groups()) if ids else (None, None, None)

    def mode_of(*names: str) -> str:
        return next(
            (header.fields[name].decode("ascii", "replace") for name in names if name in header.fields), mode or _PLAIN
        )

    old_mode = _ABSENT if header.status == "A" else mode_of("deleted file mode", "old mode")
    new_mode = _ABSENT if header.status == "D" else mode_of("new file mode", "new mode")
    return FileChange(
        path=path,
        status=header.status,
        old_mode=old_mode,
        new_mode=new_mode,
        old_blob=old_id or _NO_ID,
        new_blob=new_id or _NO_ID,
        binary=header.binary,
        hunks=without_pointers(hunks) if MODE_GITLINK in (old_mode, new_mode) else hunks,
    )
