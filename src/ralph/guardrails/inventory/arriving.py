"""A test that is new and does not run yet takes nothing away: a person is shown it, nothing is blocked.

Rules (policy set v2, class G02; Python and JavaScript have rules of their own for it):

- New are tests whose names, with those of the groups around them, no changed file of the base has, in a change that
  takes no test away: a skip under a new name for an old test is a skip. A group may have another name.
- The file is new itself, or had tests before. A skip in a group, or in a hook of one, is about all tests in it. Code
  that no test belongs to (a helper, a configuration, a base class) can skip old tests: a skip there is never new.
- So are rows of a table, where the skip is about no others (`skipped_new`).
- A title without a body, or one of TestNG that is not enabled, is new beside another test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.product_changes.context import sides_of
from ralph.guardrails.inventory.readers import files_with_tests, language
from ralph.guardrails.inventory.rows.skipped_new import is_about_new_rows
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.record import replace

SKIPS = frozenset({"go.skip", "rust.ignore", "jvm.skip", "csharp.skip", "ruby.skip"})
BESIDE = frozenset({"ruby.no-body", "jvm.test-disabled"})
NEW = "py.skip-new-test"
"""The rule's text speaks of any language; its name is that of the language that had it first."""
WHOLE = frozenset({"namespace_declaration", "file_scoped_namespace_declaration"})

Names = frozenset[tuple[str, ...]]


def without_new_tests(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with those that are about nothing but new tests turned into a matter for a person."""
    arriving: Arriving | None = None
    for hit in hits:
        if hit.rule in SKIPS | BESIDE:
            arriving = arriving or Arriving(change)
            if arriving.is_about_new(hit) or (hit.rule in SKIPS and is_about_new_rows(hit.path, hit.line, change)):
                hit = replace(hit, rule=NEW)
        yield hit


class Arriving:
    """What a change's tests were. A new file is read for a finding in it, and where a test may have moved there."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._files = {file.path: file for file in files_with_tests(change)}
        self._sides = sides_of(change, (file for file in self._files.values() if file.status != "A"))

    def is_about_new(self, hit: Hit) -> bool:
        file = self._files.get(hit.path)
        if file is None or self._takes_away:
            return False
        self._sides = {**self._sides, **sides_of(self._change, [file], self._sides)}
        before, after = self._sides[hit.path]
        if not before.tests and file.status != "A":
            return False
        lines = {test.line: test.parts for test in after.tests if test.kind == "test"}
        if hit.rule == "ruby.no-body":
            return bool(lines)
        spoken = language(file, self._change)
        source = read_source(hit.path, spoken, self._change.blobs.after(hit.path)) if spoken and lines else None
        if source is None:
            return False
        held = _tests_at(source, hit, lines)
        new = held.isdisjoint(self._before) and not any(parts[-1] in self._regrouped for parts in held)
        return bool(held) and new and (hit.rule not in BESIDE or len(held) < len(lines))

    @cached_property
    def _before(self) -> Names:
        return frozenset(test.parts for old, _ in self._sides.values() for test in old.tests if test.kind == "test")

    @cached_property
    def _takes_away(self) -> bool:
        """A test of the base is nowhere in the head, not even in a group that came with it."""
        if not self._before - self._after():
            return False
        self._sides = sides_of(self._change, self._files.values(), self._sides)
        gone, came = (Counter(parts[-1] for parts in names) for names in self._differing())
        return bool(gone - came)

    @property
    def _regrouped(self) -> frozenset[str]:
        """The own names of tests whose group has another name now: they are not new."""
        return frozenset(parts[-1] for parts in self._differing()[0])

    def _differing(self) -> tuple[Names, Names]:
        """The tests of the base that the head does not have by their names, and the reverse."""
        after = self._after()
        return self._before - after, after - self._before

    def _after(self) -> Names:
        return frozenset(test.parts for _, new in self._sides.values() for test in new.tests if test.kind == "test")


def _tests_at(source: Source, hit: Hit, lines: dict[int, tuple[str, ...]]) -> Names:
    """The tests of the nearest thing around a place that holds any; none for the whole file."""
    node = source.tree.root_node.descendant_for_point_range((hit.line - 1, hit.column - 1), (hit.line - 1, hit.column))
    while node is not None and node.parent is not None and not _is_whole(node):
        node = _item(node)
        first, last = node.start_point.row + 1, node.end_point.row + 1
        if held := frozenset(parts for line, parts in lines.items() if first <= line <= last):
            return held
        node = node.parent
    return frozenset()


def _is_whole(node: tree_sitter.Node) -> bool:
    """It is all that a namespace holds."""
    above = node.parent.type if node.parent is not None and node.type == "declaration_list" else ""
    return node.type in WHOLE or above in WHOLE


def _item(node: tree_sitter.Node) -> tree_sitter.Node:
    """What an attribute of Rust stands on."""
    while node.type in ("attribute_item", "line_comment", "block_comment") and node.next_named_sibling is not None:
        node = node.next_named_sibling
    return node
