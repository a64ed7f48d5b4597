"""Sizes and characters that no line may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.shell.hazards import MAX_BYTES, hazard
from ralph.shell.model import Group, Unreadable
from ralph.shell.read import read


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ls\x00", "OPAQUE_CHARACTER"),
        ("ls\r\nid", "OPAQUE_CHARACTER"),
        ("ls\x0bid", "OPAQUE_CHARACTER"),
        ("ls '\x1b[2K'", "OPAQUE_CHARACTER"),
        ("ls '\u202e'", "OPAQUE_CHARACTER"),
        ("ls \u2066x", "OPAQUE_CHARACTER"),
        ("echo a\u2028id", "OPAQUE_CHARACTER"),
        ("echo '\U000e0041'", "OPAQUE_CHARACTER"),
        ("echo '\udc80'", "OPAQUE_CHARACTER"),
        ("echo '\uffff'", "OPAQUE_CHARACTER"),
        ("echo \x85", "OPAQUE_CHARACTER"),
        ("a" * (MAX_BYTES + 1), "OPAQUE_SIZE"),
        ("é" * (MAX_BYTES // 2 + 1), "OPAQUE_SIZE"),
        ("grep '\t' a\nls", None),
        ("grep 'é ü 漢字 😀' Größe.md", None),
        ("echo 'full\u3000width'", None),
    ],
)
def test_hazards(text: str, code: str | None) -> None:
    found = hazard(text)
    assert (found.code if found else None) == code


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_gets_an_answer(text: str) -> None:
    assert isinstance(hazard(text), Unreadable | None)
    assert isinstance(read(text), Group | Unreadable)
