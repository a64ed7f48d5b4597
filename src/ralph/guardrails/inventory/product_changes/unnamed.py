"""Names that no file of the product has any more: what bore them is gone, wherever it may have stood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ralph.guardrails.inventory.product_changes.renamed import Names
from ralph.guardrails.model import Change
from ralph.system.patterns import later

MOST_FILES = 1000
"""So many files are looked through for what may be gone."""
COMMENTED = later(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*[\s\S]*?\*/')
WORD = later(rb"[A-Za-z_]\w+")


def unnamed(
    declared: Iterable[str],
    touched: Sequence[tuple[bytes, bytes]],
    change: Change,
    is_product: Callable[[str], bool],
) -> frozenset[str]:
    """Those that stand in none of the `touched` files of the head, nor in any file of the product that the change does
    not touch, unless they only changed to another name. Of a tree with too many files nobody can tell."""
    before, after = [old for old, _ in touched], [new for _, new in touched]
    there = frozenset[str]().union(*map(words, after))
    gone = frozenset(declared) - there
    if not gone:
        return gone
    known = {file.path for file in change.files}
    paths = [path for path in change.blobs.paths_after() if path not in known and is_product(path)]
    if len(paths) > MOST_FILES:
        return frozenset()
    for path in paths:
        gone -= words(change.blobs.after(path) or b"")
    return gone - Names(before, after, gone, there.difference(*map(words, before))).renamed


def words(data: bytes) -> frozenset[str]:
    """All but those of comments, in a language that comments as C does."""
    text = COMMENTED.sub(lambda match: match[0] if match[0][:1] == b'"' else b" ", data)
    return frozenset(word.decode("utf-8", "replace") for word in WORD.findall(text))
