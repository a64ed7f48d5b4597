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
from ralph.system.git import Repository
from tests.guardrails.memory import change
from tests.guardrails.test_change_patch import diff
from tests.system.repositories import commit, make, write

SHOP = "from decimal import Decimal\n\n\ndef price(name):\n    return Decimal(3)\n\n\ndef stock(name):\n    return 9\n"
TEST = """\
import shop


def test_price():
    assert shop.price(1) == 3


def test_stock():
    assert shop.stock(1) == 9
"""
SKIPPED = TEST.replace("import shop\n", "import pytest\nimport shop\n").replace(
    "def test_stock", "@pytest.mark.skip\ndef test_stock"
)


def pairs(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {move.old.path: move.new.path for move in moves(change(before, after).files)}


def test_a_file_moved_if_most_of_its_lines_did() -> None:
    edited = SHOP.replace("Decimal(3)", "Decimal(4)")
    assert pairs({"a.py": SHOP, "b.py": TEST}, {"c.py": TEST, "d.py": edited}) == {"a.py": "d.py", "b.py": "c.py"}


def test_a_file_that_is_gone_need_not_have_moved() -> None:
    assert pairs({"a.py": SHOP, "b.py": TEST}, {"c.py": TEST}) == {"b.py": "c.py"}
    assert pairs({"b.py": TEST}, {"c.py": TEST, "a.py": SHOP}) == {"b.py": "c.py"}


def test_a_copy_of_a_file_that_stays_is_new() -> None:
    assert pairs({"a.py": SHOP}, {"a.py": SHOP, "b.py": SHOP}) == {}


def test_a_file_of_another_kind_has_not_moved() -> None:
    assert pairs({"a.py": SHOP}, {"a.txt": SHOP}) == {}
    assert pairs({"a.js": SHOP}, {"a.ts": SHOP}) == {"a.js": "a.ts"}


def test_settings_of_another_name_are_others() -> None:
    assert pairs({".eslintrc.js": SHOP}, {"eslint.config.js": SHOP}) == {}
    assert pairs({"jest.config.js": SHOP}, {"jest.config.ts": SHOP}) == {"jest.config.js": "jest.config.ts"}


def test_what_a_compiler_takes_depends_on_the_folder() -> None:
    assert pairs({"a/tsconfig.json": SHOP}, {"b/tsconfig.json": SHOP}) == {}
    before, after = ({f"{folder}/{name}": SHOP for name in ("tsconfig.json", "x.ts")} for folder in ("a", "b"))
    assert pairs(before, after) == {"a/x.ts": "b/x.ts"}


def test_what_a_tool_wrote_has_another_name_each_time() -> None:
    assert pairs({"x.1.min.js": SHOP}, {"x.2.min.js": SHOP}) == {}
    wide = SHOP + "x = " + "1 + " * 1_000 + "1\n"
    assert pairs({"x-1.py": wide}, {"x-2.py": wide}) == {}


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


FAKED = 'jest.mock("./total", () => ({ total: () => 33 }));\n'
SCRIPT = "".join(
    f'test("adds {word}", () => {{\n  expect(total(["{word}"])).toBe({number});\n}});\n'
    for number, word in enumerate(("tea", "milk", "bread"))
)


def rules(found: Change) -> set[tuple[str, str]]:
    return {(finding.rule, finding.path) for finding in scan(found, registry.load("v2"))}


class TestOfARepository:
    @pytest.fixture
    def repo(self, tmp_path: Path) -> Repository:
        text = 'const { total } = require("./total");\n\n' + SCRIPT
        repo = make(tmp_path, {"total.test.js": text, "total.js": "exports.total = (names) => names.length;\n"})
        (tmp_path / "unit").mkdir()
        (tmp_path / "total.test.js").unlink()
        write(tmp_path, {"unit/total.test.js": text.replace("./total", "../total") + FAKED.replace("./", "../")})
        commit(tmp_path)
        return repo

    def test_a_test_that_moved_is_no_new_test(self, repo: Repository) -> None:
        real = read_change(repo, repo.resolve("HEAD~1"), repo.resolve("HEAD"))
        assert rules(real) == {("test.subject-faked", "unit/total.test.js")}

    @pytest.mark.parametrize("options", [(), ("-U0",), ("--no-renames",), ("-M", "-C", "--find-copies-harder")])
    def test_a_diff_says_the_same_whether_it_tells_of_the_renaming_or_not(
        self, repo: Repository, options: tuple[str, ...]
    ) -> None:
        patch = diff(repo, *options)
        assert (b"rename from" in patch) is ("--no-renames" not in options)
        old = repo.read(repo.tree_of(repo.resolve("HEAD~1")), "total.test.js") or b""
        read = read_patch(patch, contents=lambda path: [old] if path == "total.test.js" else [])
        assert rules(read) == {("test.subject-faked", "unit/total.test.js")}

    def test_both_names_have_the_lines_that_a_diff_shows(self, repo: Repository) -> None:
        read = read_patch(diff(repo, "-M"))
        assert read.renamed == (("total.test.js", "unit/total.test.js"),)
        assert (read.blobs.before("total.test.js") or b"").startswith(b'const { total } = require("./total");\n')
        assert read.blobs.before("unit/total.test.js") is None
