"""Rust: property tests that are given less than before (policy set v2, class G05): proptest and quickcheck.

Rules, for lines of a file of tests that are there in the base, too, and that differ in this only:

- A text is of fewer letters, or shorter (`"[a-z0-9]{0,9}"`, `"[a-z]{1,9}"`); a range is inside of what it was; what
  was any number is one of a range. It blocks where no code but that of tests changed; else a person looks.
- What a test of the base leaves out (`prop_assume!`) is `common.rows.leaving_out`'s.
- What still stands somewhere in the file is no loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

PROPERTIES = later(rb"\b(?:proptest|quickcheck)\b")
STRATEGY = later(r"(?<!\w)in\s|\bStrategy\b|\bvec\(|\bprop(?:_\w+|::)|\bany::<|\bcollection::|^\"(?:[^\"\\]|\\.)*\",?$")
LOOP = later(r"\bfor\s")
GIVEN = later(
    r"\"(?P<text>(?:[^\"\\]|\\.)*)\"|(?P<low>-?\d[\d_]*)\w*\.\.(?P<closed>=?)(?P<high>-?\d[\d_]*)\w*|(?P<any>\bany::<[iuf]\w+>\(\))"
)
PIECE = later(r"(?P<letters>\.|\[(?:[^\[\]\\&]|\\.)+\]|\\PC|\\w|\\d)(?P<many>[*+?]|\{\d+(?:,\d+)?\})?", re.DOTALL)
MANY = {"*": (0, 32), "+": (1, 32), "?": (0, 1), None: (1, 1)}
LETTERS = [chr(number) for number in range(1, 0x250)]


def strategies(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".rs"):
            continue
        if PROPERTIES.search(change.blobs.after(file.path) or b""):
            yield from _narrower(file, change)


def _narrower(file: FileChange, change: Change) -> Iterator[Hit]:
    kept = {line.strip() for line in (change.blobs.after(file.path) or b"").split(b"\n")}
    for hunk in file.hunks:
        removed = {shape: text for line in hunk.removed if line.strip() not in kept for shape, text in _given(line)}
        for number, line in enumerate(hunk.added, start=hunk.new_start):
            for shape, new in _given(line):
                old = removed.get(shape, new)
                if not _gives_less(old, new):
                    continue
                rule = "test.somewhat-weaker" if _has_product(change) else "test.weakened"
                detail = f"`{cut(old, 80)}` became `{cut(new, 80)}`: it is given less"
                yield hit_at(rule, file.path, number, detail, new, key=new)


def _given(line: bytes) -> Iterator[tuple[str, str]]:
    """The line without what it gives, and with it; nothing of a line that gives nothing."""
    text = line.strip().decode("utf-8", "replace")
    if STRATEGY.search(text) and not LOOP.search(text):
        yield GIVEN.sub("\0", text), text


def _has_product(change: Change) -> bool:
    return any(file.path.endswith(".rs") and not TEST_PLACE.search(file.path) for file in change.files)


def _gives_less(old: str, new: str) -> bool:
    """Something is less, and nothing is more or cannot be compared."""
    pairs = [(was, now) for was, now in zip(GIVEN.finditer(old), GIVEN.finditer(new), strict=True) if was[0] != now[0]]
    return bool(pairs) and all(_is_less(was, now) for was, now in pairs)


def _is_less(old: re.Match[str], new: re.Match[str]) -> bool:
    if old["any"] or new["any"]:
        return bool(old["any"] and new["low"])
    if old["low"] and new["low"]:
        (low, high), (least, most) = _bounds(old), _bounds(new)
        return low <= least and most <= high
    was, now = (_generated(match["text"]) if match["text"] is not None else None for match in (old, new))
    if was is None or now is None:
        return False
    return was[0] >= now[0] and was[1] <= now[1] and now[2] <= was[2] and was != now


def _bounds(match: re.Match[str]) -> tuple[int, int]:
    return int(match["low"]), int(match["high"]) - (not match["closed"])


def _generated(text: str) -> tuple[frozenset[str], int, int] | None:
    """The letters of a text, and how many there may be; None if it is made of several pieces."""
    piece = PIECE.fullmatch(re.sub(r"\\([\\\"])", r"\1", text))
    if piece is None:
        return None
    try:
        letter = re.compile("[^\\n]" if piece["letters"] in (".", "\\PC") else piece["letters"])
    except re.error:
        return None
    many = piece["many"]
    least, most = MANY[many] if many in MANY else map(int, (many[1:-1].split(",") * 2)[:2])
    return frozenset(filter(letter.fullmatch, LETTERS)), least, most


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (strategies,)
