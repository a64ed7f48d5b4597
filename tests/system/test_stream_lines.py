"""Pieces of bytes become lines of bounded length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.system.lines import Line, Lines


def fed(pieces: list[bytes], longest: int) -> list[Line]:
    lines = Lines(longest)
    found = [line for piece in pieces for line in lines.feed(piece)]
    rest = lines.rest()
    return [*found, rest] if rest else found


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param([b"a\nb\n"], [Line(b"a"), Line(b"b")], id="two in one piece"),
        pytest.param([b"a", b"b", b"\n"], [Line(b"ab")], id="one in three pieces"),
        pytest.param([b"\n\n"], [Line(b""), Line(b"")], id="empty ones"),
        pytest.param([b"a\nb"], [Line(b"a"), Line(b"b")], id="the last without an end"),
        pytest.param(
            [b"a\r\nb\r\x0b\n", b"\xe2\x80\xa8\n"], [Line(b"a\r"), Line(b"b\r\x0b"), Line(b"\xe2\x80\xa8")], id="LF"
        ),
        pytest.param([b"\0\xff\n"], [Line(b"\0\xff")], id="what is no text"),
        pytest.param([b"abcdefg\nhi\n"], [Line(b"abcd", 3), Line(b"hi")], id="too long"),
        pytest.param([b"abc", b"def", b"ghi\n"], [Line(b"abcd", 5)], id="too long, in pieces"),
        pytest.param([b"abcdefg"], [Line(b"abcd", 3)], id="too long, without an end"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_lines(pieces: list[bytes], expected: list[Line]) -> None:
    assert fed(pieces, 4) == expected


@given(st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"a", b"\n"))), st.integers(0, 20))
def test_nothing_is_lost_but_what_is_counted(pieces: list[bytes], longest: int) -> None:
    whole = b"".join(pieces)
    expected = whole.split(b"\n") if whole.rpartition(b"\n")[2] else whole.split(b"\n")[:-1]
    found = fed(pieces, longest)
    assert [line.data for line in found] == [data[:longest] for data in expected]
    assert [len(line.data) + line.left_out for line in found] == [len(data) for data in expected]
