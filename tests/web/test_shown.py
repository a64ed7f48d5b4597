"""Text of others, as it is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.web import shown

TEXT = st.text(st.characters(), max_size=200)


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("abc\u202edef", "abc\\u202edef"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("a\nb", "a b"),
        ("<script>", "<script>"),  # escaping is the templates' part
    ],
)
def test_a_line(given_text: str, expected: str) -> None:
    assert shown.line(given_text).text == expected


def test_what_is_long_is_cut_and_says_so() -> None:
    found = shown.line("x" * 1_000_000)
    assert len(found.text) == 400
    assert found.cut == "999,600 more characters"
    assert shown.block("line\n" * 100_000).text.count("\n") == shown.MOST_LINES
    assert shown.block("short").cut == ""


@given(TEXT)
def test_nothing_acts(text: str) -> None:
    for found in (shown.line(text), shown.block(text), shown.whole(text)):
        acting = [each for each in found.text if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
        assert set(acting) <= {"\n"}


@given(st.text("ab \n", max_size=300))
def test_what_is_short_is_whole(text: str) -> None:
    assert shown.whole(text) == shown.Shown(text)
