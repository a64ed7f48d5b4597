"""What a warden writes is what any reader of JSON reads."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from ralph.system.flat_json import Value, written

VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())


@given(st.dictionaries(st.text(), VALUES))
def test_it_is_read_as_it_was_written(answer: dict[str, Value]) -> None:
    assert json.loads(written(answer)) == answer


def test_what_is_no_character_is_kept() -> None:
    """A name of a file may be any bytes."""
    assert json.loads(written({"trouble": "a\udc80 could not be started"})) == {
        "trouble": "a\udc80 could not be started"
    }
