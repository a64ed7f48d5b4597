"""Reading what people write: exact types, no unknown key, one sentence for what is wrong."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError
from ralph.system.records import digest, parse


@dataclass(frozen=True, slots=True)
class Inner:
    level: Literal["low", "high"] = "low"
    ratio: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    name: str
    count: int = 0
    on: bool = False
    note: str | None = None
    inner: Inner = field(default_factory=Inner)
    words: list[str] = field(default_factory=list)
    pairs: tuple[int, ...] = ()
    more: dict[Literal["a", "b"], Inner] = field(default_factory=dict)
    class_: str = field(default="", metadata={"key": "class"})


def test_everything_at_once() -> None:
    data = {
        "name": "n",
        "count": 3,
        "on": True,
        "note": None,
        "inner": {"level": "high", "ratio": 1},
        "words": ["x"],
        "pairs": [1, 2],
        "more": {"a": {}},
        "class": "c",
    }
    assert parse(Outer, data, "f") == Outer(
        name="n",
        count=3,
        on=True,
        inner=Inner("high", 1),
        words=["x"],
        pairs=(1, 2),
        more={"a": Inner()},
        class_="c",
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "f must hold a mapping of keys to values, but holds a list."),
        (None, "f must hold a mapping of keys to values, but holds nothing."),
        ({}, "f: the key 'name' is missing."),
        ({"nam": "n"}, "f: unknown key 'nam'; did you mean 'name'?"),
        ({"name": "n", "zzz": 1}, "f: unknown key 'zzz'; known keys here: name, count, on, note, inner"),
        ({"name": "n", 3: 1}, "f: unknown key '3'; known keys here:"),
        ({"name": "n", "inner": {"levle": 1}}, "f: unknown key 'inner.levle'; did you mean 'level'?"),
        ({"name": 3}, "f: 'name' must be text, but is 3."),
        ({"name": None}, "f: 'name' must be text, but is None."),
        ({"name": "n", "count": True}, "f: 'count' must be a whole number, but is True."),
        ({"name": "n", "count": "3"}, "f: 'count' must be a whole number, but is '3'."),
        ({"name": "n", "count": 3.0}, "f: 'count' must be a whole number, but is 3.0."),
        ({"name": "n", "on": 1}, "f: 'on' must be true or false, but is 1."),
        ({"name": "n", "inner": {"ratio": True}}, "f: 'inner.ratio' must be a number, but is True."),
        ({"name": "n", "inner": {"level": "mid"}}, "f: 'inner.level' must be 'low' or 'high', but is 'mid'."),
        ({"name": "n", "inner": []}, "f: 'inner' must be a mapping, but is []."),
        ({"name": "n", "words": "x"}, "f: 'words' must be a list, but is 'x'."),
        ({"name": "n", "words": ["x", 1]}, "f: 'words.1' must be text, but is 1."),
        ({"name": "n", "more": {"c": {}}}, "f: 'more.c' must be 'a' or 'b', but is 'c'."),
        ({"name": "n", "more": {"a": 1}}, "f: 'more.a' must be a mapping, but is 1."),
    ],
)
def test_what_is_wrong_is_one_sentence(data: Any, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(Outer, data, "f")
    assert str(caught.value).startswith(sentence)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["name", "inner", "more", "x"]) | st.text(), inner),
)


@given(JSON)
def test_nothing_makes_it_crash(data: Any) -> None:
    with contextlib.suppress(ConfigError):
        assert isinstance(parse(Outer, data, "f"), Outer)


def test_a_digest_is_that_of_the_content() -> None:
    assert digest(Inner("high")) == digest({"ratio": 0.5, "level": "high"})
    assert digest(Inner("high")) != digest(Inner("low"))
