"""Accepted findings that give way to others, so that their number says nothing (policy set v2, classes G01, G12, G17).

A baseline loses an entry about a place that was mended and gets one about code of the very change: as many are accepted
as before, and the new finding is one of them.

Rule: the base has fewer entries of the kind (`SQL Injection`, `B602`, `no-eval`) than the head, and fewer about the
file; the file is product code that the change writes. A finding that moves with its code is of a kind that does not
grow; a tool that calls its kinds otherwise tells as much of each file as before. Entries about a file that is gone
count for those that are new, as one of them may be that file under its new name.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.config.readers import Unreadable, read
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

PLACES = ("file", "filename", "file_path", "filePath", "path", "location", "@name", "@src", "@file", "@files", "source")
"""Under which name an entry tells the file."""
KINDS = (
    *("check_name", "warning_type", "test_id", "test_name", "check_id", "rule_id", "ruleId", "rule", "identifier"),
    *("type", "code", "kind", "linter", "id", "@id", "@checks", "@source", "category", "message"),
)
"""Under which name an entry tells what was found, the telling ones first."""
FIGURES = frozenset({"metrics", "stats", "summary", "totals"})
"""What counts lines and files, not findings."""
IS_PATH = later(r"[\w./@+-]*\w\.[A-Za-z]{1,6}")
OF_DETEKT = later(r"(?P<kind>[A-Z]\w+):(?P<file>\w+\.\w+)\$")
OF_LINE = later(r"(?:(?P<before>[\w-]*[A-Za-z][\w-]*)[: \t]+)?(?P<path>[\w./@+-]*\w\.[A-Za-z]{1,6})(?P<rest>[: \t].*)?")
NUMBERS = later(r"\d+|[^\w-]+")
LONGEST = 400_000
Entry = tuple[str, str]
"""The file, and what was found in it."""


def exchanged_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    before, after = change.blobs.before(file.path), change.blobs.after(file.path)
    if before is None or after is None or max(len(before), len(after)) > LONGEST:
        return
    written = {each.path for each in change.files if each.status != "D" and is_product(each.path)}
    if not written:
        return
    was, now = Counter(dict(_counted(file.path, before))), Counter(dict(_counted(file.path, after)))
    known = change.blobs.paths_after()
    gone = sum(count for (path, _), count in was.items() if _of(path, known) is None)
    for (path, kind), count in sorted((now - was).items()):
        owner = _of(path, written)
        of_kind, of_file = (_grown(was, now, at, value) for at, value in ((1, kind), (0, path)))
        if owner is not None and kind and of_kind and of_file > gone:
            line = _line(after, path, kind)
            told = f"{count} new in {owner} in the place of others: {cut(kind, 60)}"
            yield hit_at("evidence.baseline-grown", file.path, line, f"accepted findings, {told}")
            return


def _grown(was: Counter[Entry], now: Counter[Entry], at: int, value: str) -> int:
    before, after = (sum(count for entry, count in side.items() if entry[at] == value) for side in (was, now))
    return max(after - before, 0)


def _of(path: str, known: frozenset[str] | set[str]) -> str | None:
    """The file of the tree that an entry is about; some tools tell the end of its path, or its name alone."""
    if path in known:
        return path
    found = [each for each in known if each.endswith(f"/{path}") or path.endswith(f"/{each}")]
    return found[0] if len(found) == 1 else None


def _counted(path: str, data: bytes) -> Iterator[tuple[Entry, int]]:
    counted: Counter[Entry] = Counter()
    for place, kind, count in _entries(path, data):
        counted[place.removeprefix("./").replace("\\", "/"), kind] += count
    yield from counted.items()


def _entries(path: str, data: bytes) -> Iterator[tuple[str, str, int]]:
    as_json = data.lstrip()[:1] in (b"{", b"[")
    name = posixpath.basename(path)
    try:
        root = read("baseline.json" if as_json else name, data)
    except Unreadable:
        root = None
    if root is not None and (as_json or not name.endswith(".txt")):
        yield from _of_node(root, "", "")
    else:
        yield from _of_lines(data)


def _of_lines(data: bytes) -> Iterator[tuple[str, str, int]]:
    for line in data.decode("utf-8", "replace").splitlines():
        text = line.partition("#")[0].strip()
        if text and (match := OF_LINE.fullmatch(text)) is not None:
            yield match["path"], NUMBERS.sub(" ", f"{match['before'] or ''} {match['rest'] or ''}").strip(), 1


def _of_node(node: Node, place: str, key: str) -> Iterator[tuple[str, str, int]]:
    """Of a table its own entry, if it tells a kind; else those below it. `key` is the name that it stands under."""
    if node.mapping:
        told = next((text for name in PLACES if (text := _text(node.at(name))) and IS_PATH.fullmatch(text)), place)
        kind = next((text for name in KINDS if (text := _text(node.at(name)))), "")
        if told and kind:
            yield told, kind, _count(node)
            return
        if told and node.at("count") is not None:
            yield told, key, _count(node)
            return
        for name, value in node.mapping.items():
            if name in FIGURES:
                continue
            is_place = IS_PATH.fullmatch(name) is not None and bool(value.mapping or isinstance(value.value, list))
            yield from _of_node(value, name if is_place else told, key if is_place else name)
    elif isinstance(node.value, list):
        for item in node.value:
            yield from _of_node(item, place, key)
    elif isinstance(node.value, str):
        yield from _of_text(node.value, place, key)
    elif place and key and isinstance(node.value, int) and not isinstance(node.value, bool):
        yield place, key, node.value


def _of_text(text: str, place: str, key: str) -> Iterator[tuple[str, str, int]]:
    if (match := OF_DETEKT.match(text)) is not None:
        yield match["file"], match["kind"], 1
    elif place:
        yield place, key if IS_PATH.fullmatch(text) else text, 1
    elif IS_PATH.fullmatch(text):
        yield text, key, 1


def _text(node: Node | None) -> str:
    return node.value if node is not None and isinstance(node.value, str) else ""


def _count(node: Node) -> int:
    count = node.at("count")
    return count.value if count is not None and isinstance(count.value, int) else 1


def _line(data: bytes, path: str, kind: str) -> int:
    """Where the file is told, or what was found."""
    lines = data.decode("utf-8", "replace").splitlines()
    name = posixpath.basename(path)
    found = [number for number, line in enumerate(lines, 1) if name in line] or [
        number for number, line in enumerate(lines, 1) if kind in line
    ]
    return found[0] if found else 1
