"""Rust: new examples that only show the form of some data (policy set v2, class G02).

Rules:

- An ignored example that declares types and nothing else, and that the base did not run, is for a person. It never was
  a test: it calls nothing and asserts nothing.
- So is one that declares functions, of which none is `main` and none asserts, in the same comment as an example that is
  run and asserts something: it shows what the code is like. No example that the base ran may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.unrun import fenced, is_run
from ralph.record import replace
from ralph.syntax import parse
from ralph.system.patterns import later

TYPES = frozenset({"struct_item", "enum_item", "union_item", "type_item"})
CODE = frozenset({"function_item", "impl_item", "trait_item"})
ITEMS = TYPES | CODE | {"use_declaration", "const_item"}
BESIDE = frozenset({"attribute_item", "line_comment", "block_comment"})
ASSERTS = later(
    r"\b(?:debug_)?assert\w*!|\bpanic!|\bunreachable!|\.unwrap\w*\(|\.expect\w*\(|\bfn\s+main\b|::main\b|::test\b"
)
ASSERTION = later(r"\bassert\w*!")
DOC = later(r"\s*//[/!]")
MARK = later(r"(?m)^//[/!] ?(?:# )?")


def without_sketches(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        sketch = hit.rule == "rust.doctest-ignored" and _is_new_sketch(hit, change)
        yield replace(hit, rule="py.doctest-skip") if sketch else hit


def _is_new_sketch(hit: Hit, change: Change) -> bool:
    after = change.blobs.after(hit.path)
    examples = list(fenced(after))
    text = next((text for line, _, text in examples if line == hit.line), None)
    if text is None:
        return False
    changed = [file.path for file in change.files if file.path.endswith(".rs")]
    ran = [bare(was) for path in changed for _, info, was in fenced(change.blobs.before(path)) if is_run(info)]
    if _declares_only(MARK.sub("", text), TYPES, TYPES):
        return bare(text) not in ran
    if ASSERTS.search(text) or not _declares_only(MARK.sub("", text), CODE, ITEMS):
        return False
    first, last = _comment((after or b"").decode("utf-8", "replace").split("\n"), hit.line)
    shown = (each for line, info, each in examples if first <= line <= last and is_run(info))
    if not any(ASSERTION.search(each) for each in shown):
        return False
    run = {bare(each) for path in changed for _, info, each in fenced(change.blobs.after(path)) if is_run(info)}
    return run.issuperset(ran)


def _comment(lines: Sequence[str], line: int) -> tuple[int, int]:
    """The first and the last line of the documentation that a line is part of."""
    first = last = line
    while first > 1 and DOC.match(lines[first - 2]):
        first -= 1
    while last < len(lines) and DOC.match(lines[last]):
        last += 1
    return first, last


def bare(text: str) -> str:
    return re.sub(r"\s", "", MARK.sub("", text))


def _declares_only(text: str, some: frozenset[str], items: frozenset[str]) -> bool:
    """Some of these at least, and no others than those."""
    root = parse("rust", text.encode()).root_node
    kinds = {node.type for node in root.named_children}
    return not root.has_error and bool(kinds & some) and kinds <= items | BESIDE
