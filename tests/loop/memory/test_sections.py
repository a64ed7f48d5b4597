"""Sections fit into their limit, whole lines only, and the most important stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ralph.loop.memory.sections import Section, combine

LONG = tuple(f"line {number}" for number in range(100))


def section(title: str, lines: tuple[str, ...], rank: int = 1, share: int = 100, newest_last: bool = False) -> Section:
    return Section(title=title, lines=lines, rank=rank, share=share, newest_last=newest_last)


def test_what_fits_is_whole_and_in_its_order() -> None:
    text = combine("# Title", [section("B", ("two",), rank=2), section("A", ("one",), rank=1)], 100)
    assert text == "# Title\n\n## B\ntwo\n\n## A\none\n"


def test_what_does_not_fit_loses_whole_lines_at_its_end_and_says_how_many() -> None:
    text = combine("#", [section("A", LONG)], 60)
    assert text.splitlines() == ["#", "", "## A", "line 0", "line 1", "line 2", "line 3", "[96 lines left out]"]


def test_where_the_end_is_the_newest_the_beginning_goes() -> None:
    text = combine("#", [section("A", LONG, newest_last=True)], 60)
    assert text.splitlines() == ["#", "", "## A", "[97 lines left out]", "line 97", "line 98", "line 99"]


def test_less_important_sections_keep_their_share() -> None:
    text = combine("#", [section("A", LONG, rank=1), section("B", LONG, rank=2, share=60)], 400)
    assert "## B\nline 0\nline 1" in text
    assert text.index("## B") > 300


def test_what_a_section_does_not_use_goes_to_others() -> None:
    alone = combine("#", [section("A", LONG, share=50)], 1000)
    assert "line 99" in alone


def test_a_section_whose_heading_does_not_fit_is_left_out() -> None:
    assert combine("#", [section("A" * 50, LONG)], 40) == "#\n"


lines = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=300), min_size=1, max_size=60).map(tuple)
sections = st.lists(
    st.builds(
        Section,
        title=st.text(st.characters(exclude_characters="\n"), max_size=20),
        lines=lines,
        rank=st.integers(1, 9),
        share=st.integers(0, 2000),
        newest_last=st.booleans(),
    ),
    max_size=9,
    unique_by=lambda each: each.title,
)


@given(sections, st.integers(10, 5000))
def test_no_document_is_longer_than_its_limit_and_no_line_is_half(given_sections: list[Section], limit: int) -> None:
    text = combine("# Title", given_sections, limit)
    assert len(text) <= limit
    known = {line for each in given_sections for line in (*each.lines, f"## {each.title}")}
    for line in text.split("\n"):
        assert line in known or line in ("# Title", "") or line.endswith(" left out]")
