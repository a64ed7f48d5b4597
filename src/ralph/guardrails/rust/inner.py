"""Rust: files and modules of tests that a new `#![cfg(...)]` leaves out of a plain run (policy set v2, class G04).

Rule: it was not there before, tests were, and a plain run of the tests does not meet it (`built`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import after
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.built import left_out, on_at
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
        known = Counter(text_of(node) for node in Source(file.path, "rust", old).captures(INNER))
        source = Source(file.path, "rust", new)
        for node in source.captures(INNER):
            text = text_of(node)
            if known[text]:
                known[text] -= 1
            elif why := left_out([text], on):
                yield source.hit("test.not-run", node, why, detail=f"the tests of {file.path}: {why}")
