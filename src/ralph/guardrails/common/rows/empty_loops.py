"""Tests that go through the files of a folder in which no file is any more (policy set v2, class G05).

Rule: a pattern of files in a test (`DATA.glob("*.json")`, `filepath.Glob("testdata/*.txt")`) that some file of the base
met, and none of the head: the loop over them is empty, and passes. It is none where the test wants that there are some,
and where a file may not be in version control. Python's paths are worked out; of other languages those that are written
down are looked for in the folders above the test.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.rows.globbed import Globbed, globbed
from ralph.system.patterns import later

LISTS = later(rb"\b(?:r?glob|iglob|iterdir|listdir|scandir|Glob|globSync|globby)\b|\bDir\[")
WORDS = (b"glob", b"iterdir", b"listdir", b"scandir", b"Glob", b"Dir[")
"""One of them is in all of these; the files are many, and to look for a word is cheap."""
PIECE = r"(?:__dirname|__dir__|import\.meta\.dirname|[\"'`][\w./*?{},@ -]+[\"'`])"
WRITTEN = later(
    r"(?:\bfilepath\.Glob|\b(?:fast[gG]lob|fg|glob|globby)(?:\.sync|Sync)?|\bglobSync|\bDir\.glob|\bDir|\bimport\.meta\.glob|\bglob!)"
    rf"[(\[]\s*(?:(?:filepath\.Join|path\.(?:join|resolve)|File\.(?:join|expand_path))\()?(?P<pieces>{PIECE}(?:\s*,\s*{PIECE})*)"
)
TEXT = later(r"[\"'`]([^\"'`]*)[\"'`]")
WANTS_SOME = later(r"(?i)len\(|length|size|empty|\bcount\b|no (?:files|fixtures|cases)|!= 0|> ?0|toBeGreater")
AROUND = 8
"""Lines behind a pattern in which a test may say that there are some."""
MOST_FILES = 300
MOST_BYTES = 400_000


def emptied(change: Change) -> Iterator[Hit]:
    touched = {file.path for file in change.files}
    if not any(_moves_data(file, change) for file in change.files):
        return
    tops = {path.partition("/")[0] for path in touched}
    near = (path for path in change.blobs.paths_after() if "/" not in path or path.partition("/")[0] in tops)
    tests = nearest(filter(_is_test, near), change, MOST_FILES)
    sides = _Tree(change.blobs.paths_before()), _Tree(change.blobs.paths_after())
    for path in tests:
        data = change.blobs.after(path) or b""
        if len(data) > MOST_BYTES or not any(word in data for word in WORDS) or LISTS.search(data) is None:
            continue
        before = data if path not in touched else change.blobs.before(path) or b""
        met = {each.owner for each in _patterns(path, before) if each.meets(sides[0].paths)}
        for each in _patterns(path, data):
            if each.owner in met and not each.meets(sides[1].paths):
                yield _hit(path, each)


class _Tree:
    """The paths of a side, folders included: a pattern may name one."""

    def __init__(self, files: Iterable[str]) -> None:
        found = set(files)
        for path in list(found):
            while path := posixpath.dirname(path):
                if path in found:
                    break
                found.add(path)
        self.paths = frozenset(found)


def _moves_data(file: FileChange, change: Change) -> bool:
    """Something that a test may look for is gone, or it looks elsewhere."""
    if file.status == "D":
        return bool(TEST_PLACE.search(file.path) or language_of(file.path) is None)
    return file.status == "M" and _is_test(file.path) and LISTS.search(change.blobs.after(file.path) or b"") is not None


def _is_test(path: str) -> bool:
    spoken = language_of(path)
    reader = reader_of(spoken)
    return reader is not None and bool(reader.is_test_file(path) or TEST_PLACE.search(path))


def _patterns(path: str, data: bytes) -> list[Globbed]:
    if path.endswith(".py"):
        return list(globbed(path, data))
    return list(_written(path, data.decode("utf-8", "replace").split("\n")))


def _written(path: str, lines: list[str]) -> Iterator[Globbed]:
    folders = [posixpath.dirname(path)]
    while folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    for number, line in enumerate(lines):
        for match in WRITTEN.finditer(line) if len(line) < 400 else ():
            pattern = posixpath.normpath("/".join(TEXT.findall(match["pieces"])))
            told = any(WANTS_SOME.search(each) for each in lines[number : number + AROUND])
            if "*" in pattern and not told and not pattern.startswith(("/", "..")):
                places = tuple(posixpath.join(folder, pattern) for folder in folders)
                yield Globbed(owner=match["pieces"], line=number + 1, text=line.strip(), patterns=places)


def _hit(path: str, found: Globbed) -> Hit:
    detail = "no file is there to go through any more"
    return hit_at("test.weakened", path, found.line, detail, found.text, key=found.text)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (emptied,)
