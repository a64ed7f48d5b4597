"""Rust: new examples that only show the form of some data (policy set v2, class G02).

Rule: an ignored example that declares types and nothing else, and that the base did not run, is for a person. It never
was a test: it calls nothing and asserts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.unrun import fenced, is_run
from ralph.record import replace
from ralph.syntax import parse
from ralph.system.patterns import later

TYPES = frozenset({"struct_item", "enum_item", "union_item", "type_item"})
BESIDE = frozenset({"attribute_item", "line_comment", "block_comment"})
MARK = later(r"(?m)^//[/!] ?(?:# )?")


def without_sketches(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        sketch = hit.rule == "rust.doctest-ignored" and _is_new_sketch(hit, change)
        yield replace(hit, rule="py.doctest-skip") if sketch else hit


def _is_new_sketch(hit: Hit, change: Change) -> bool:
    examples = fenced(change.blobs.after(hit.path))
    text = next((text for line, _, text in examples if line == hit.line), None)
    if text is None or not _declares_only(MARK.sub("", text)):
        return False
    changed = (file.path for file in change.files if file.path.endswith(".rs"))
    before = (each for path in changed for each in fenced(change.blobs.before(path)))
    return not any(is_run(info) and bare(was) == bare(text) for _, info, was in before)


def bare(text: str) -> str:
    return re.sub(r"\s", "", MARK.sub("", text))


def _declares_only(text: str) -> bool:
    root = parse("rust", text.encode()).root_node
    kinds = {node.type for node in root.named_children}
    return not root.has_error and bool(kinds & TYPES) and kinds <= TYPES | BESIDE
