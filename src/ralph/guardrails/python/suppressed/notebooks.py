"""Comments in the code cells of a Jupyter notebook that switch a check off (policy set v2, class G01).

Rules:

- Linters and type checkers read the code cells of a notebook as one Python file, in order, and honour its comments. So
  do these rules; what cells put out, and what is written between them, switches nothing off.
- Left out are notebooks of other languages, cells that a magic gives to another program, and lines for the shell. What
  coverage leaves out is none of a notebook's.
- A notebook that is no JSON cannot be read: that is a finding where such a word was added.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ralph.guardrails.compare import new_hits
from ralph.guardrails.directives import COMMON_WORDS
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import Prefilter, prefilter
from ralph.guardrails.python.suppressed import comments
from ralph.guardrails.source import Source
from ralph.record import record, replace
from ralph.system.patterns import later

SUFFIX = ".ipynb"
ESCAPED = r"\\u00[2-7]"
"""A letter or mark that JSON spells in another way may be a part of any word."""
COVERAGE = ("py.no-cover", "py.no-branch", "comment.coverage")
TOKEN = later(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:,]|[^\s"{}\[\]:,]+')
CELL_MAGIC = later(r"\s*%%(?!(?:time|timeit|capture|prun)\b)")
OTHER = later(r"\s*(?:[%!?].*|[\w.]+\?{1,2}\s*$)")
PYTHON = later(r"(?i)i?python\d*|")


@record(frozen=False)
class _Cell:
    kind: str
    lines: list[tuple[str, int]]
    """Its code, and the line of the file on which each stands."""
    ended: bool = True
    """The last of them is whole."""


class _NoNotebookError(ValueError):
    pass


def notebooks(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if file.path.lower().endswith(SUFFIX) and file.status in "AM"]
    words = prefilter((*COMMON_WORDS, *comments.WORDS, ESCAPED)) if files else None
    if words is None:
        return
    before: list[Hit] = []
    after: list[Hit] = []
    for file in files:
        if not _worth(file, words):
            continue
        try:
            after += _hits(file.path, change.blobs.after(file.path))
        except _NoNotebookError as error:
            yield _unreadable(file, str(error))
            continue
        try:
            before += _hits(file.path, change.blobs.before(file.path))
        except _NoNotebookError:
            continue  # it answers for nothing
    if after:
        yield from new_hits(before, after, change.files)


def _worth(file: FileChange, words: Prefilter) -> bool:
    """A line with a word that matters was added; or there are no lines, and nobody can tell."""
    return file.binary or words.matches(file.added_text)


def _hits(path: str, data: bytes | None) -> list[Hit]:
    if data is None:
        return []
    lines = list(_code(data))
    source = Source(path, "python", "\n".join(line for line, _ in lines).encode("utf-8", "replace"))
    found = (hit for hit in comments.suppressions(source) if not hit.rule.startswith(COVERAGE))
    return [replace(hit, line=lines[hit.line - 1][1] if 0 < hit.line <= len(lines) else hit.line) for hit in found]


def _code(data: bytes) -> Iterator[tuple[str, int]]:
    """The lines of all code cells as Python reads them, and where they stand in the file."""
    for cell in _cells(data):
        if cell.kind != "code" or any(CELL_MAGIC.match(line) for line, _ in cell.lines[:1]):
            continue
        for line, number in cell.lines:
            yield ("" if OTHER.match(line) else line), number


def _cells(data: bytes) -> list[_Cell]:
    """Raises _NoNotebookError."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _NoNotebookError("the notebook is no JSON") from error
    if not isinstance(whole, dict) or not PYTHON.fullmatch(_language(whole)):
        return []
    cells: list[_Cell] = []
    path: list[str] = []
    """What is open around a token: `[` for a list, and for an object the key that is read."""
    is_key, number, last = False, 1, 0
    for match in TOKEN.finditer(data):
        token = match[0]
        number += data.count(b"\n", last, match.start())
        last = match.start()
        if token in (b"{", b"["):
            if token == b"{" and path in (["cells", "["], ["worksheets", "[", "cells", "["]):
                cells.append(_Cell("", []))
            path.append("[" if token == b"[" else "")
            is_key = token == b"{"
        elif token in (b"}", b"]"):
            path.pop()
        elif token == b",":
            is_key = path[-1:] != ["["]
        elif token[:1] == b'"' and is_key:
            path[-1], is_key = json.loads(token), False
        elif token[:1] == b'"' and cells:
            _told(cells[-1], path, json.loads(token), number)
    return cells


def _told(cell: _Cell, path: list[str], text: str, number: int) -> None:
    """A string somewhere in a cell."""
    inner = path[path.index("cells") + 2 :] if "cells" in path else []
    if inner == ["cell_type"]:
        cell.kind = text
    elif inner in (["source"], ["source", "["], ["input"], ["input", "["]):
        if cell.lines and not cell.ended:
            text = cell.lines.pop()[0] + text
        cell.ended = text.endswith("\n")
        cell.lines += [(line, number) for line in text.removesuffix("\n").split("\n")]


def _language(whole: dict[str, object]) -> str:
    metadata = whole.get("metadata")
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        told = metadata.get(name) if isinstance(metadata, dict) else None
        if isinstance(told, dict) and isinstance(told.get(key), str):
            return str(told[key])
    return ""


def _unreadable(file: FileChange, why: str) -> Hit:
    line = file.hunks[0].new_start if file.hunks else 0
    return hit_at("scan.unreadable", file.path, line, why, "")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (notebooks,)
