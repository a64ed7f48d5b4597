"""A change answers for what it adds, not for what it moves, narrows or finds there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails.compare import new_hits
from ralph.guardrails.model import FileChange, Hit, Hunk
from tests.guardrails.memory import change

CODE = "\n".join(f"line {number}" for number in range(1, 31)) + "\n"
NOTHING: frozenset[str] = frozenset()


def hit(
    path: str = "a.py", line: int = 1, key: str = "k", scope: frozenset[str] | None = NOTHING, rule: str = "r"
) -> Hit:
    return Hit(rule=rule, path=path, line=line, column=1, key=key, snippet=key, scope=scope)


def edited(path: str = "a.py", old: int = 1, new: int = 1, length: int = 1, status: str = "M") -> FileChange:
    """A file of which lines `old`.. became lines `new`.."""
    removed = tuple(b"x%d" % number for number in range(length if status != "A" else 0))
    added = tuple(b"x%d" % number for number in range(length if status != "D" else 0))
    return FileChange(
        path=path,
        status=status,  # type: ignore[arg-type]
        old_mode="100644",
        new_mode="100644",
        old_blob="",
        new_blob="",
        hunks=(Hunk(old, removed, new, added),),
    )


def found(before: Sequence[Hit], after: Sequence[Hit], *files: FileChange) -> list[tuple[str, int, str]]:
    return [(each.path, each.line, each.key) for each in new_hits(before, after, files)]


def codes(*names: str) -> frozenset[str]:
    return frozenset(names)


class TestEqualKeys:
    def test_what_the_base_has_is_not_new(self) -> None:
        assert found([hit()], [hit()]) == []

    def test_a_hit_is_new(self) -> None:
        assert found([], [hit()]) == [("a.py", 1, "k")]

    def test_what_is_gone_is_no_finding(self) -> None:
        assert found([hit()], []) == []

    def test_a_moved_line_costs_nothing(self) -> None:
        assert found([hit(line=3)], [hit(line=20)], edited(old=3, new=20)) == []

    def test_a_line_moved_to_another_file_costs_nothing(self) -> None:
        assert found([hit("a.py")], [hit("b.py", 9)]) == []

    def test_a_copy_is_new(self) -> None:
        assert len(found([hit("a.py")], [hit("a.py"), hit("b.py")])) == 1

    def test_a_file_keeps_its_own_before_others_are_served(self) -> None:
        assert found([hit("b.py")], [hit("a.py"), hit("b.py")]) == [("a.py", 1, "k")]

    def test_of_equal_keys_the_one_on_an_added_line_is_new(self) -> None:
        assert found([hit(line=8)], [hit(line=2), hit(line=9)], edited(new=2)) == [("a.py", 2, "k")]
        assert found([hit(line=8)], [hit(line=8), hit(line=9)], edited(new=9)) == [("a.py", 9, "k")]

    def test_another_rule_with_the_same_key_earns_nothing(self) -> None:
        assert len(found([hit(rule="x")], [hit(rule="y")])) == 1

    def test_removing_a_suppression_pays_for_no_other(self) -> None:
        assert found([hit(key="skip a")], [hit(key="skip b")], edited()) == [("a.py", 1, "skip b")]


class TestNarrowing:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (None, codes("E1")),
            (codes("E1", "E2"), codes("E1")),
            (codes("E1"), codes("E1")),
            (None, None),
        ],
        ids=["everything to one", "two to one", "the same, other text", "everything, other text"],
    )
    def test_in_the_same_place_it_costs_nothing(self, old: frozenset[str] | None, new: frozenset[str] | None) -> None:
        assert found([hit(key="old", scope=old)], [hit(key="new", scope=new)], edited()) == []

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (codes("E1"), None),
            (codes("E1"), codes("E1", "E2")),
            (codes("E1"), codes("E2")),
            (NOTHING, codes("E1")),
            (None, NOTHING),
            (NOTHING, NOTHING),
        ],
        ids=["to everything", "one more", "another", "from nothing told", "to nothing told", "nothing told"],
    )
    def test_widening_is_new(self, old: frozenset[str] | None, new: frozenset[str] | None) -> None:
        assert found([hit(key="old", scope=old)], [hit(key="new", scope=new)], edited()) == [("a.py", 1, "new")]

    def test_widening_under_the_same_key_is_new(self) -> None:
        assert found([hit(scope=codes("E1"))], [hit(scope=None)], edited()) == [("a.py", 1, "k")]

    def test_a_wider_one_elsewhere_in_the_file_pays_for_nothing(self) -> None:
        before, after = hit(line=20, key="old", scope=None), hit(line=1, key="new", scope=codes("E1"))
        files = FileChange(
            path="a.py",
            status="M",
            old_mode="",
            new_mode="",
            old_blob="",
            new_blob="",
            hunks=(Hunk(1, (b"a",), 1, (b"b",)), Hunk(20, (b"c",), 20, (b"d",))),
        )
        assert found([before], [after], files) == [("a.py", 1, "new")]

    def test_one_place_pays_once(self) -> None:
        before = [hit(key="all", scope=None)]
        after = [hit(line=1, key="x", scope=codes("E1")), hit(line=2, key="y", scope=codes("E2"))]
        assert len(found(before, after, edited(length=2))) == 1

    def test_each_narrowing_takes_the_place_that_fits(self) -> None:
        before = [hit(line=1, key="all", scope=None), hit(line=2, key="E1 E2", scope=codes("E1", "E2"))]
        after = [hit(line=1, key="E1", scope=codes("E1")), hit(line=2, key="E9", scope=codes("E9", "E8"))]
        assert found(before, after, edited(length=2)) == []

    def test_in_a_file_that_moved_it_costs_nothing(self) -> None:
        before, after = hit("old.py", 5, "all", None), hit("new.py", 5, "E1", codes("E1"))
        moved = edited("old.py", length=9, status="D"), edited("new.py", length=9, status="A")
        assert found([before], [after], *moved) == []

    def test_a_deleted_file_pays_nothing_to_an_unlike_new_one(self) -> None:
        before, after = hit("old.py", 5, "all", None), hit("new.py", 1, "E1", codes("E1"))
        files = edited("old.py", length=9, status="D"), edited("new.py", length=2, status="A")
        assert found([before], [after], *files) == [("new.py", 1, "E1")]


HITS = st.lists(
    st.builds(
        hit,
        path=st.sampled_from(["a.py", "b.py", "c.py"]),
        line=st.integers(1, 30),
        key=st.sampled_from("klm"),
        scope=st.sampled_from([NOTHING, None, codes("E1"), codes("E1", "E2")]),
        rule=st.sampled_from("rs"),
    ),
    max_size=12,
)


@given(HITS, HITS, st.randoms(use_true_random=False))
def test_the_order_of_hits_does_not_matter(before: list[Hit], after: list[Hit], random: object) -> None:
    expected = new_hits(before, after, ())
    random.shuffle(before)  # type: ignore[attr-defined]
    random.shuffle(after)  # type: ignore[attr-defined]
    assert new_hits(before, after, ()) == expected


@given(HITS, st.data())
def test_permuting_lines_and_files_adds_nothing(hits: list[Hit], data: st.DataObject) -> None:
    places = data.draw(st.permutations([(each.path, each.line) for each in hits]))
    moved = [hit(path, line, each.key, each.scope, each.rule) for each, (path, line) in zip(hits, places, strict=True)]
    files = change({"a.py": CODE, "b.py": CODE}, {"a.py": CODE[::-1], "c.py": CODE}).files
    assert new_hits(hits, moved, files) == []


@given(HITS, HITS, st.integers(1, 30))
def test_adding_a_hit_adds_exactly_one(before: list[Hit], after: list[Hit], line: int) -> None:
    files = (edited(length=30), edited("b.py", length=30))
    more = [*after, hit("a.py", line, "never seen", NOTHING)]
    assert len(new_hits(before, more, files)) == len(new_hits(before, after, files)) + 1


@given(HITS, st.integers(1, 30))
def test_adding_a_second_equal_hit_adds_exactly_one(hits: list[Hit], line: int) -> None:
    for each in hits:
        assert len(new_hits(hits, [*hits, each], ())) == 1


@given(HITS, HITS)
def test_taking_hits_away_never_adds_a_finding(before: list[Hit], after: list[Hit]) -> None:
    files = (edited(length=30), edited("b.py", length=30))
    assert len(new_hits(before, after[1:], files)) <= len(new_hits(before, after, files))
