"""Where an expression is tried: the answer is that of a search of the whole text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.leads import Lead, lead
from ralph.guardrails.prefilter import WORTH_PLACES, Text, expression
from tests.guardrails.test_needs import FORMS, PARTS

MUCH = b".\n" * 100 * WORTH_PLACES
"""So long that some places are worth trying."""


@pytest.mark.parametrize(
    ("written", "runs", "most_before"),
    [
        (r"\bskip\s*\(", {"skip"}, 0),
        (r"Skip(?:Test)?", {"skip"}, 0),
        (r"(?:^|[^.\w$])[xf]?(?:it|test)\s*\(", {"it", "test"}, 2),
        (r"(?:a|bc.*d)e", {"a", "bc"}, 0),
        (r"(?:ab|\.c)d", {"ab", "c"}, 1),
        (r"(?:ab)?cd", {"cd"}, 2),
        (r"(?<!x)ab", {"ab"}, 0),
        (r"[cv]8", {"8"}, 1),
    ],
)
def test_leads(written: str, runs: set[str], most_before: int) -> None:
    assert lead(written) == Lead(frozenset(runs), most_before)


@pytest.mark.parametrize("written", ["....ab", r"\s*ab", "(?:ab)+c", r"(?:ab|)\.", r"\.", ""])
def test_what_may_begin_with_anything_has_none(written: str) -> None:
    assert lead(written) is None


def test_most_expressions_have_one() -> None:
    assert sum(lead(part) is None for part in PARTS) < len(PARTS) / 8


def same(part: str, blob: bytes) -> None:
    assert Text(blob)._tried(part) is (expression([part]).search(blob) is not None)


PADDING = st.sampled_from([b"", MUCH])


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PARTS), st.data(), PADDING, PADDING, st.sampled_from([b"", b" ", b"x", b"_", b"\n"]))
def test_what_matches_is_found(part: str, data: st.DataObject, before: bytes, after: bytes, near: bytes) -> None:
    written = data.draw(st.from_regex(re.compile(part, re.MULTILINE | re.ASCII))).encode()
    for blob in (written, written.upper(), written.swapcase()):
        same(part, before + near + blob + near + after)


@settings(max_examples=300, deadline=None)
@given(FORMS, st.lists(st.sampled_from(["ab", "AB", "c", "_", "9", " ", ".", "\n", "é"]), max_size=8), PADDING)
def test_any_expression_is_found_where_it_matches(form: str, text: list[str], around: bytes) -> None:
    same(form, around + "".join(text).encode() + around)


def test_a_text_of_nothing_but_the_word_is_searched() -> None:
    text = Text(b"it " * 100_000)
    begins = lead(r"\bit\s*\(")
    assert begins is not None
    assert text._starts(begins) is None
    assert len(text._places_of("it")) < 100_000 / 10
