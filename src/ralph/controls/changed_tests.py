"""What a change did to the tests as they stand in the source: which are new or touched, and where old ones went.

Read from the same inventory that the static rules use (`ralph.guardrails.inventory`). A language whose tests nobody can
read gives whole files: every test in a changed file counts as touched, and of a removed one only the file is known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from ralph.controls.ids import Place
from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.match import Matching, Pair, match
from ralph.guardrails.inventory.model import Inventory, Test
from ralph.guardrails.inventory.product_changes.context import Context, sides_of
from ralph.guardrails.inventory.readers import files_with_tests
from ralph.guardrails.model import Change
from ralph.record import record

_WORD = re.compile(r"[A-Za-z_]\w+")


@record(slots=False)
class ChangedTests:
    """`sides` are both inventories of each changed file with tests that can be read."""

    change: Change
    sides: Mapping[str, tuple[Inventory, Inventory]]

    def successor(self, place: Place) -> Place:
        """Where a test of the base stands in the head: another name or file, or the same."""
        return self._successors.get(place, place)

    def why_gone(self, place: Place) -> str | None:
        """The innocent reason for which a test of the base is in the head no more; None if there is none."""
        removed = self._removed.get(place)
        if removed is None:
            return self._gone_with_its_file(place) if place.path not in self.sides else None
        if removed.facts().words & self._context.gone:
            return "what it tested is gone"
        checks = [check for check in removed.facts().checks if check.grade]
        if (checks and not self._ledger.rest(removed)) or self._is_a_row(removed):
            return "its assertions stand in other tests"
        return None

    def asked_of_what_is_gone(self, place: Place) -> bool:
        """The test as it stood on the base speaks of something that the change takes away."""
        return any(pair.old.facts().words & self._context.gone for pair in self._pairs.get(place, ()))

    def stood(self, place: Place) -> bool:
        """A test of this name stands in the base's source, in a file that the change touches."""
        return place in self._in_base

    def touched(self, place: Place) -> bool:
        """The test, or something in its file that it depends on, is new or was changed."""
        if place.path in self.sides and place in self._in_head:
            return place in self._touched
        return place.path in self._changed_paths

    def rewritten(self, place: Place) -> bool:
        """The test itself is new or was changed, not just something beside it."""
        return self.touched(place) and place not in self._same_body

    @cached_property
    def _matching(self) -> Matching:
        old = [test for before, _ in self.sides.values() for test in before.tests]
        new = [test for _, after in self.sides.values() for test in after.tests]
        return match(old, new)

    @cached_property
    def _pairs(self) -> dict[Place, list[Pair]]:
        """Those of a test of the base."""
        pairs: dict[Place, list[Pair]] = defaultdict(list)
        for pair in self._matching.pairs:
            pairs[_place(pair.old)].append(pair)
        return pairs

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self._matching)

    @cached_property
    def _context(self) -> Context:
        return Context(self.change, self.sides)

    @cached_property
    def _changed_paths(self) -> frozenset[str]:
        return frozenset(file.path for file in self.change.files)

    @cached_property
    def _removed(self) -> dict[Place, Test]:
        return {_place(test): test for test in self._matching.removed}

    @cached_property
    def _in_head(self) -> frozenset[Place]:
        return frozenset(_place(test) for _, after in self.sides.values() for test in after.tests)

    @cached_property
    def _in_base(self) -> frozenset[Place]:
        return frozenset(_place(test) for before, _ in self.sides.values() for test in before.tests)

    @cached_property
    def _touched(self) -> frozenset[Place]:
        return frozenset(_place(test) for test in (*self._matching.added, *(pair.new for pair in self._matching.pairs)))

    @cached_property
    def _same_body(self) -> frozenset[Place]:
        pairs = ((pair, pair.old.facts().body) for pair in self._matching.pairs)
        return frozenset(_place(pair.new) for pair, body in pairs if body and body == pair.new.facts().body)

    @cached_property
    def _successors(self) -> dict[Place, Place]:
        renamed = {_place(pair.old): _place(pair.new) for pair in self._matching.pairs}
        stays = {(test.parts, test.text): _place(test) for _, after in self.sides.values() for test in after.tests}
        for before, _ in self.sides.values():
            for test in before.tests:
                place = _place(test)
                if place not in renamed and place not in self._removed and place not in self._in_head:
                    renamed[place] = stays.get((test.parts, test.text), place)
        return renamed

    def _is_a_row(self, removed: Test) -> bool:
        """A test with parameters took in all of its constants."""
        wanted = removed.facts()
        tables = [new.facts() for new in (*self._matching.added, *(pair.new for pair in self._matching.pairs))]
        return bool(wanted.literals) and any(
            table.cases != () and wanted.literals <= table.literals and wanted.words & table.words for table in tables
        )

    def _gone_with_its_file(self, place: Place) -> str | None:
        if not any(file.path == place.path and file.status == "D" for file in self.change.files):
            return None
        text = (self.change.blobs.before(place.path) or b"").decode("utf-8", "replace")
        return "what it tested is gone" if self._context.gone.intersection(_WORD.findall(text)) else None


def changed_tests(change: Change) -> ChangedTests:
    return ChangedTests(change, sides_of(change, files_with_tests(change)))


def _place(test: Test) -> Place:
    return Place(test.path, test.parts)
