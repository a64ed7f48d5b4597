"""Rust: files and modules of tests that a new `#![cfg(...)]` leaves out of a plain run (policy set v2, class G04).

Rule: it was not there before, tests were, and a plain run of the tests does not meet it (`built`). One that follows
from those that the file had (`implied`) leaves out nothing more: a part of a condition was taken away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import after
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.built import left_out, on_at
from ralph.guardrails.rust.implied import follows
from ralph.guardrails.rust.inventory import TEST
from ralph.guardrails.source import Source
from ralph.system.patterns import later

INNER = "(inner_attribute_item) @found"
WORTH = later(rb"#!\[\s*cfg\b")


def newly_left_out(change: Change) -> Iterator[Hit]:
    for file in change.files:
        added = file.added_text if file.path.endswith(".rs") else b""
        if WORTH.search(added) is None or file.status == "A":
            continue
        old, new = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
        if TEST.search(old.decode("utf-8", "replace")) is None:
            continue
        on = on_at(file.path, after(change))
        had = list(Source(file.path, "rust", old).captures(INNER))
        known = Counter(map(text_of, had))
        of_file = [text_of(node) for node in had if _is_of_file(node)]
        source = Source(file.path, "rust", new)
        for node in source.captures(INNER):
            text = text_of(node)
            if known[text]:
                known[text] -= 1
            elif (why := left_out([text], on)) and not (_is_of_file(node) and follows(text, of_file)):
                yield source.hit("test.not-run", node, why, detail=f"the tests of {file.path}: {why}")


def _is_of_file(node: tree_sitter.Node) -> bool:
    return node.parent is not None and node.parent.type == "source_file"
