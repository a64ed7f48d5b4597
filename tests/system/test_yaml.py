"""YAML is read strictly: every key once, plain data only, and errors say where."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError
from ralph.system.yaml import load_yaml


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\na: 2\n", 2),
        ("a: 1\n'a': 2\n", 2),
        ("x:\n  b: 1\n  c: 2\n  b: 3\n", 4),
        ("x: {b: 1, b: 2}\n", 1),
        ("1: a\n1: b\n", 2),
        ("1: a\n0x1: b\n", 2),
        ("true: a\nyes: b\n", 2),
        ("[1]: a\n", 1),
        ("x: !!python/object/apply:os.system [ls]\n", 1),
        ("x: [1\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("x: *y\n", 1),
        ("\tx: 1\n", 1),
    ],
)
def test_bad_text_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ConfigError, match=f"^conf.yaml, line {line}: ") as caught:
        load_yaml(text, "conf.yaml")
    assert "\n" not in str(caught.value)


def test_a_repeated_key_is_named() -> None:
    with pytest.raises(ConfigError, match="'limits' stands twice"):
        load_yaml("limits: 1\nother: 2\nlimits: 3\n", "c")


def test_a_merge_may_be_overridden() -> None:
    assert load_yaml("a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\n", "c")["b"] == {"x": 3, "y": 2}


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    with pytest.raises(ConfigError, match="levels of nesting"):
        load_yaml("[" * 200_000, "c")


def test_control_characters_are_an_error() -> None:
    with pytest.raises(ConfigError):
        load_yaml("a: \x00\n", "c")


@given(st.text())
def test_any_text_is_data_or_a_config_error(text: str) -> None:
    with contextlib.suppress(ConfigError):
        load_yaml(text, "c")
