"""Files that moved: which they are, and that a change is judged as if they had been edited where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ralph.guardrails.change import read_change
from ralph.guardrails.change.moves import moves
from ralph.guardrails.change.patch import read_patch
from ralph.guardrails.in_place import in_place
from ralph.guardrails.model import Change
from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

SHOP = "from decimal import Decimal\n\n\ndef price(name):\n    return Decimal(3)\n\n\ndef stock(name):\n    return 9\n"
TEST = "import shop\n\n\ndef test_price():\n    assert shop.price(1) == 3\n\n\ndef test_stock():\n    assert shop.stock(1) == 9\n"
SKIPPED = TEST.replace("import shop\n", "import pytest\nimport shop\n").replace(
    "def test_stock", "@pytest.mark.skip\ndef test_stock"
)


def pairs(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {move.old.path: move.new.path for move in moves(change(before, after))}


def test_a_file_moved_if_most_of_its_lines_did() -> None:
    edited = SHOP.replace("Decimal(3)", "Decimal(4)")
    assert pairs({"a.py": SHOP, "b.py": TEST}, {"c.py": TEST, "d.py": edited}) == {"a.py": "d.py", "b.py": "c.py"}


def test_a_copy_of_a_file_that_stays_is_new() -> None:
    assert pairs({"a.py": SHOP}, {"a.py": SHOP, "b.py": SHOP}) == {}


def test_a_file_of_another_kind_has_not_moved() -> None:
    assert pairs({"a.py": SHOP}, {"a.txt": SHOP}) == {}
    assert pairs({"a.js": SHOP}, {"a.ts": SHOP}) == {"a.js": "a.ts"}


def test_a_licence_tells_nothing() -> None:
    licence = "".join(f"# line {number} of a licence\n" for number in range(30))
    assert pairs({"a.py": licence + "one = 1\n"}, {"b.py": licence + "other = 2\n"}) == {}


def test_a_file_moves_with_its_folder() -> None:
    before = {"tests/test_shop.py": TEST, "tests/golden/price.txt": "3\n"}
    after = {"test/test_shop.py": TEST, "test/golden/price.txt": "4\n"}
    assert pairs(before, after) == dict(zip(before, after, strict=True))


def test_a_short_file_is_known_by_what_it_defines() -> None:
    stub = "def price(name): ...\ndef stock(name): ...\n"
    assert pairs({"app/shop.py": SHOP}, {"app/store.py": stub}) == {"app/shop.py": "app/store.py"}
    assert pairs({"app/shop.py": SHOP}, {"lib/store.py": stub}) == {}


def test_the_edit_makes_the_new_file_of_the_old_one() -> None:
    moved = in_place(change({"tests/a_test.py": TEST}, {"tests/b_test.py": SKIPPED}))
    assert moved is not None
    (file,) = moved.change.files
    assert (file.path, file.status) == ("tests/b_test.py", "M")
    lines = TEST.encode().split(b"\n")
    for hunk in reversed(file.hunks):
        assert tuple(lines[hunk.old_start - 1 : hunk.old_start - 1 + len(hunk.removed)]) == hunk.removed
        lines[hunk.old_start - 1 : hunk.old_start - 1 + len(hunk.removed)] = hunk.added
    assert b"\n".join(lines) == SKIPPED.encode()
    assert moved.change.blobs.before("tests/b_test.py") == TEST.encode()


def test_a_change_whose_files_moved_as_they_were_is_judged_once() -> None:
    assert in_place(change({"a.py": SHOP}, {"b.py": SHOP})) is None
    assert in_place(change({"a.py": SHOP}, {"a.py": TEST})) is None
