"""Canonical JSON: the quick way writes what the RFC's own way writes, byte for byte, or leaves it to that."""

from __future__ import annotations

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ralph.system import canonical

TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


@given(VALUES)
def test_it_writes_what_the_rfc_prescribes(value: object) -> None:
    try:
        expected = rfc8785.dumps(value)  # type: ignore[arg-type]
    except ValueError:
        with pytest.raises(ValueError):
            canonical.dumps(value)
    else:
        assert canonical.dumps(value) == expected


@pytest.mark.parametrize(
    "value",
    [{1: "x"}, {"a": {None: 1}}, [2**53], -(2**53), {"a": object()}, {"a": (b"x",)}],
    ids=["a number as key", "null as key", "too large", "too small", "an object", "bytes"],
)
def test_what_is_no_plain_json_is_refused(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        canonical.dumps(value)
