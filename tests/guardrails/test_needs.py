"""What an expression needs stands in whatever it matches: else the prefilter would pass over a file."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.needs import alternatives, needed
from ralph.guardrails.prefilter import expression, vocabulary
from ralph.guardrails.registry import LANGUAGE_FAMILY, family

PARTS = sorted(
    {
        part
        for language in {name: language for language, name in LANGUAGE_FAMILY.items()}.values()
        for word in family(language).words
        for part in alternatives(word)
    }
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("skip", {"skip"}),
        ("SkipTest", {"skiptest"}),
        (r"\bskip\b", {"skip"}),
        (r"type:\s*ignore", {"ignore"}),
        ("a(?:bc|de)f", {"bc", "de"}),
        ("(?:bc|d*)", None),
        ("(?:skip)?", None),
        ("(?:skip)+", {"skip"}),
        ("(?:skip)?only", {"only"}),
        (r"[xf]it\(", {"it"}),
        (r"^\s*@\s*\w+", None),
        ("no-check", {"check"}),
        ("é", None),
    ],
)
def test_needs(written: str, expected: set[str] | None) -> None:
    assert needed(written) == (None if expected is None else {each.encode() for each in expected})


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a|b", ["a", "b"]),
        ("a(?:b|c)|d", ["a(?:b|c)", "d"]),
        (r"a\|b|c", [r"a\|b", "c"]),
        ("[|]|[]|]|[^]|]", ["[|]", "[]|]", "[^]|]"]),
        (r"\(|\)|[(]|x", [r"\(", r"\)", "[(]", "x"]),
        ("", [""]),
    ],
)
def test_alternatives(written: str, expected: list[str]) -> None:
    assert alternatives(written) == expected


def test_the_alternatives_of_all_families_are_expressions() -> None:
    assert len(PARTS) > 300
    for part in PARTS:
        re.compile(part)
    assert sum(needed(part) is None for part in PARTS) < len(PARTS) / 10, "each of these is tried on every change"


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_matches_holds_what_is_needed(data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(PARTS))
    written = data.draw(st.from_regex(re.compile(part, re.MULTILINE | re.ASCII)))
    needs = needed(part)
    for blob in (written.encode(), written.upper().encode(), written.lower().encode()):
        if needs is not None and expression([part]).search(blob):
            assert any(need in vocabulary(blob) for need in needs)
