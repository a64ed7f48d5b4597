"""Tests under another name, and those that no runner finds under the new name of their file (class G04)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.findings import about_file, at
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.readers import Side, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Hit


def renamed_tests(pairs: Iterable[Pair], head: Side) -> Iterator[Hit]:
    by_path: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        if pair.old.kind != "test":
            continue
        if pair.old.path != pair.new.path and _is_lost(pair, head):
            yield at(pair.new, "test.not-run", pair.new.name, f"{pair.new.name}: its file's name is none of a test")
        elif pair.renamed and not pair.unnamed:
            by_path[pair.new.path].append(f"{pair.old.name} is now {pair.new.name}")
    for path, names in by_path.items():
        yield about_file("test.renamed", path, names)


def _is_lost(pair: Pair, head: Side) -> bool:
    """Its language's runner goes by names of files."""
    asked = getattr(reader_of(language_of(pair.new.path)), "is_lost_by_name", None)
    return asked is not None and bool(asked(pair.old.path, pair.new.path, head))
