"""Rows of a file of cases that are gone, whatever else changes in it (policy set v2, class G05): all languages.

Rules, for a table (CSV and its like, JSON, JSON lines, YAML) that stands beside tests, and says what is wanted by the
name of a column or its own:

- A row is kept where a row of the head says the same in every column that both tables have, or, where no column has
  its name any more, the same in the same order. A new column takes nothing away.
- A row that says half of it is an edited one; what arrives in another file of tests moved; the same row twice is one.
- An edited row that wants something else by the name of a column blocks if no product code changed with it; one that
  is edited otherwise is for a person, and so is one of another table that tests go through row by row.
- Rows that are gone block. They are for a person where the product gave up what they name, or where most rows are gone
  and as many others came: that is another table.
"""

from __future__ import annotations

import csv
import io
import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.errors import ConfigError
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.readers import TEST_PLACE, is_support
from ralph.guardrails.inventory.recorded import SAYS_EXPECTED
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.texts import cut
from ralph.system.patterns import later
from ralph.system.yaml import load_yaml

TABLES = (".csv", ".tsv", ".psv", ".json", ".jsonl", ".ndjson", ".yaml", ".yml")
WANTED = later(
    r"(?i:(?:expect|want|should)\w*|exp|out(?:put|come)?)|(?i:\w+_(?:expected|wanted))|\w+(?:Expected|Wanted)"
)
"""Columns that say what is wanted."""
CASES = later(r"(?i)(?:^|[/_.-])(?:test_?)?(?:cases?|vectors|expect(?:ed|ations))(?=[/_.-])")
RECORDED = later(r"(?i)(?:^|/)(?:__snapshots__|snapshots|goldens?|cassettes|approv\w*|recordings?)/")
"""Rules of their own are about these."""
WORD = later(r"[A-Za-z_][\w.-]{3,}")
ONE_BY_ONE = later(
    rb"\bparametri[sz]e\b|\.each\b|\bforEach\(|\bfor\b[^\n]*\b(?:in|of|range)\b|\bDynamicTest\b|@\w+Source\b"
)
LARGEST = 400_000
MOST_FILES = 300
MOST_ROWS = 2_000

Row = Mapping[str, str]


def rows_gone(change: Change) -> Iterator[Hit]:
    for file in change.files:
        beside = file.path.endswith(TABLES) and TEST_PLACE.search(file.path) and not RECORDED.search(file.path)
        if file.status != "M" or file.binary or not beside or not any(hunk.removed for hunk in file.hunks):
            continue
        before, after = (_rows(file.path, side(file.path)) for side in (change.blobs.before, change.blobs.after))
        if before and after and (CASES.search(file.path) or any(map(WANTED.fullmatch, before[0]))):
            yield from _judged(change, file, before, after)
        elif before and after and _is_gone_through(file.path, change):
            lost, fresh = _differing(before, after)
            yield from _edited([each for each in _paired(lost, fresh) if each[1] is not None], file, change)


def _judged(change: Change, file: FileChange, before: Sequence[Row], after: Sequence[Row]) -> Iterator[Hit]:
    lost, fresh = _differing(before, after)
    pairs = list(_paired(lost, fresh))
    yield from _edited(pairs, file, change)
    gone = [row for row, other in pairs if other is None and not _arrives(row, file, change)]
    if not gone:
        return
    another = len(gone) * 2 > len(before) and len(after) >= len(before)
    mild = another or all(_given_up(row, change) for row in gone)
    told = ", ".join(cut(" | ".join(row.values()), 60) for row in gone[:3])
    yield hit_at(
        "test.somewhat-weaker" if mild else "test.fewer-cases",
        file.path,
        next((hunk.new_start for hunk in file.hunks if hunk.removed), 1),
        f"rows of {file.path.rpartition('/')[2]} are gone: {told}",
        told,
        key=told,
    )


def _differing(before: Sequence[Row], after: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    lost = [row for row in before if not any(_is_kept(row, other) for other in after)]
    return lost, [row for row in after if not any(_is_kept(other, row) for other in before)]


def _is_gone_through(path: str, change: Change) -> bool:
    """Code beside tests speaks of the file, and makes a test of each of several things."""
    name = posixpath.basename(path).encode()
    beside = (each for each in change.blobs.paths_after() if TEST_PLACE.search(each) and language_of(each))
    texts = (change.blobs.after(each) or b"" for each in nearest(beside, change, MOST_FILES))
    return any(name in text and ONE_BY_ONE.search(text) for text in texts)


def _edited(pairs: Sequence[tuple[Row, Row | None]], file: FileChange, change: Change) -> Iterator[Hit]:
    edited = [(row, now) for row, now in pairs if now is not None]
    others = [(row, {name for name in row.keys() & now.keys() if row[name] != now[name]}) for row, now in edited]
    if SAYS_EXPECTED.search(posixpath.basename(file.path)) or not any(names for _, names in others):
        return
    with_code = Context(change, {}).product_changed
    wanted = [row for row, names in others if any(map(WANTED.fullmatch, names))]
    row = (wanted or [row for row, names in others if names])[0]
    told = cut(" | ".join(row.values()), 60)
    mild = "test.expected-changed-with-code" if with_code else "test.somewhat-weaker"
    yield hit_at(
        "test.expected-changed" if wanted and not with_code else mild,
        file.path,
        next((hunk.new_start for hunk in file.hunks if hunk.removed), 1),
        f"a row of {file.path.rpartition('/')[2]} says something else: {told}",
        told,
        key=f"edited {told}",
    )


def _rows(path: str, data: bytes | None) -> list[Row]:
    """Nothing where the file is no table, or too large for one that people wrote."""
    if data is None or len(data) > LARGEST:
        return []
    text = data.decode("utf-8-sig", "replace")
    try:
        found = list(_of_lines(path, text) if path.endswith("sv") else _of_values(path, text))
    except (ValueError, RecursionError, csv.Error, ConfigError):
        return []
    return found if len(found) <= MOST_ROWS else []


def _of_lines(path: str, text: str) -> Iterator[Row]:
    head = text.partition("\n")[0]
    sign = "\t" if path.endswith(".tsv") else max(",;|\t", key=head.count)
    lines = [line for line in csv.reader(io.StringIO(text), delimiter=sign) if any(cell.strip() for cell in line)]
    names = [cell.strip() for cell in lines[0]] if lines else []
    for line in lines[1:]:
        if line[0].lstrip().startswith("#"):
            continue
        names += [f"column {number}" for number in range(len(names), len(line))]
        yield {name: cell.strip() for name, cell in zip(names, line, strict=False)}


def _of_values(path: str, text: str) -> Iterator[Row]:
    if not path.endswith(("jsonl", "ndjson")):
        whole = json.loads(text) if path.endswith(".json") else load_yaml(text, path)
        lists = [whole, *whole.values()] if isinstance(whole, dict) else [whole]
        listed = max((each for each in lists if isinstance(each, list)), key=len, default=[])
    else:
        listed = [json.loads(line) for line in text.split("\n") if line.strip()]
    for each in listed:
        if isinstance(each, dict):
            yield {str(name): json.dumps(value, sort_keys=True, default=str) for name, value in each.items()}


def _is_kept(row: Row, other: Row) -> bool:
    shared = row.keys() & other.keys()
    if shared:
        return all(row[name] == other[name] for name in shared)
    cells = iter(other.values())
    return all(any(cell == each for each in cells) for cell in row.values())


def _paired(lost: Sequence[Row], fresh: list[Row]) -> Iterator[tuple[Row, Row | None]]:
    """Lost rows, each with the row that came for it, and says half of the same, if one did."""
    for row in lost:
        alike = max(fresh, key=lambda other: _alike(row, other), default=None)
        if alike is not None and _alike(row, alike) * 2 >= len(row.keys() & alike.keys()) > 0 < _alike(row, alike):
            fresh.remove(alike)
            yield row, alike
        else:
            yield row, None


def _alike(row: Row, other: Row) -> int:
    return sum(row[name] == other[name] for name in row.keys() & other.keys())


def _arrives(row: Row, file: FileChange, change: Change) -> bool:
    cells = [cell.strip('"').encode() for cell in row.values() if cell.strip('" ')]
    others = (each for each in change.files if each.path != file.path and TEST_PLACE.search(each.path))
    return any(all(cell in line for cell in cells) for each in others for _, line in each.added())


def _given_up(row: Row, change: Change) -> bool:
    """Lines of the product are gone with a word of the row, and no line came with it."""
    product = [file for file in change.files if not is_support(file.path) and not file.binary]
    hunks = [hunk for file in product for hunk in file.hunks]
    removed, added = (
        _words(line for hunk in hunks for line in hunk.removed),
        _words(line for hunk in hunks for line in hunk.added),
    )
    words = frozenset(word for cell in row.values() for word in WORD.findall(cell))
    return not words.isdisjoint(removed - added)


def _words(lines: Iterable[bytes]) -> frozenset[str]:
    return frozenset(word for line in lines for word in WORD.findall(line.decode("utf-8", "replace")))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (rows_gone,)
