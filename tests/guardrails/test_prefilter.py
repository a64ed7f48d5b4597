"""The cheap question has one answer, whichever engine gives it."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.common.assertions import tolerant
from ralph.guardrails.common.failures import exit_of_many, pardoned, telling, unended
from ralph.guardrails.common.product import clients
from ralph.guardrails.common.stubbed import trusted
from ralph.guardrails.common.wanted import overwritten
from ralph.guardrails.javascript.checks import open_types
from ralph.guardrails.javascript.failures import forgetful
from ralph.guardrails.prefilter import (
    WORTH_TABLES,
    Matcher,
    hyperscan_matcher,
    is_in,
    is_in_part,
    prefilter,
    re_matcher,
)
from ralph.guardrails.registry import LANGUAGE_FAMILY, family
from tests.guardrails.memory import corpus

WORDS = ("skip", r"#\s*noqa", r"type:\s*ignore", "^only$", r"\bfit\b", r"[a-c]{3}x?")
FAST, SLOW = hyperscan_matcher(WORDS), re_matcher(WORDS)
ATOMS = [
    "skip",
    "SKIP",
    "#",
    " ",
    "noqa",
    "\n",
    "only",
    "type:",
    "ignore",
    "fit",
    "fitter",
    "abc",
    "\r",
    "é",
    "ｓ",
    "\x00",
]

ASKED = {
    "what knows a client": clients.WORTH,
    "what runs": exit_of_many.RUNS,
    "what ends": exit_of_many.ENDS,
    "what ends in Python": exit_of_many.PYTHON_ENDS,
    "what ended": unended.WORTH,
    "what may write": overwritten.CHANGED,
    "what writes": overwritten.WORTH,
    "what is recorded": overwritten.MAY_BE_RECORDED,
    "what is told of failures": pardoned.WORTH,
    "what tests": pardoned.OF_TESTS,
    "what tells": telling.WORTH,
    "what is near": tolerant.NEAR,
    "what says yes": trusted.WORTH,
    "what verifies": trusted.MAY_VERIFY,
    "what loops": forgetful.LOOPING,
    "what demands of types": open_types.DEMANDING,
}
ASKED_OF_PARTS = {
    "a client": clients.NAMED,
    "a place in documents": clients.PLACEHOLDER,
    "a host": clients.HOST,
    "a condition": telling.ASKS,
    "what is told": telling.TELLS,
    "a write": overwritten.WRITES,
    "of tests": overwritten.OF_TESTS,
}


@given(st.lists(st.sampled_from(ATOMS), max_size=30).map("".join), st.binary(max_size=30))
def test_both_engines_agree(text: str, noise: bytes) -> None:
    pytest.importorskip("hyperscan")
    fast, slow = FAST or SLOW, SLOW
    for blob in (text.encode(), noise, noise + text.encode()):
        assert fast(blob) == slow(blob)


@pytest.mark.parametrize("module", sorted(set(LANGUAGE_FAMILY.values())))
@settings(max_examples=30, deadline=None)
@given(lines=st.lists(st.text(max_size=20), max_size=6))
def test_both_engines_agree_on_the_words_that_families_have(module: str, lines: list[str]) -> None:
    pytest.importorskip("hyperscan")
    fast, slow = both(module)
    blob = "\n".join(lines).encode()
    assert fast(blob) == slow(blob)


@cache
def both(module: str) -> tuple[Matcher, Matcher]:
    """Look-around and back references are unknown to Hyperscan and would make every scan of the language slow."""
    words = next(tuple(family(language).words) for language, name in LANGUAGE_FAMILY.items() if name == module)
    fast = hyperscan_matcher(words)
    assert fast is not None
    return fast, re_matcher(words)


def test_an_expression_that_hyperscan_does_not_know_is_matched_all_the_same() -> None:
    words = prefilter((r"(?<!no)skip",))
    assert not words.matches(b"x" * (WORTH_TABLES + 1))
    assert words.matches(b"a skip")
    assert not words.matches(b"a noskip")


@pytest.mark.parametrize(
    ("blob", "expected"),
    [
        ("", False),
        ("nothing here", False),
        ("x = 1  # NoQA", True),
        ("a\nonly\nb", True),
        ("a only b", False),
        ("@pytest.mark.ｓｋｉｐ", True),
        ("caſe", False),
        ("\x00skip\x00", True),
    ],
)
def test_words(blob: str, expected: bool) -> None:
    assert prefilter(WORDS).matches(blob.encode()) is expected


def test_spans_are_of_the_line_as_written() -> None:
    assert list(prefilter(("skip",)).spans(b"a skip, SKIP")) == [(2, 6), (8, 12)]
    assert list(prefilter(("skip",)).spans("ｓｋｉｐ".encode())) == [(0, 12)]


@cache
def texts() -> tuple[str, ...]:
    """All of the recorded cases, and their lines."""
    whole = {text for case in corpus() for side in ("before", "after") for text in case[side].values()}
    return tuple(sorted({*whole, *(line for text in whole for line in text.split("\n"))}))


@pytest.mark.parametrize("what", ASKED)
def test_to_ask_for_words_first_changes_no_answer(what: str) -> None:
    form, blobs = ASKED[what], [text.encode() for text in texts() if text.isascii()]
    assert [blob for blob in blobs if is_in(form, blob) != (form.search(blob) is not None)] == []


@pytest.mark.parametrize("what", ASKED_OF_PARTS)
def test_nor_does_it_in_parts_of_texts(what: str) -> None:
    form = ASKED_OF_PARTS[what]
    assert [text for text in texts() if is_in_part(form, text) != (form.search(text) is not None)] == []
