"""The readers: the same data from every format, with places, and no text that breaks them."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.config import weakened
from ralph.guardrails.config.all_tools import TOOLS
from ralph.guardrails.config.node import Node, flat, plain
from ralph.guardrails.config.readers import SCRIPT_SUFFIXES, Unreadable, has_reader, read, script
from tests.guardrails.memory import change

NAMES = ["a.json", "a.toml", "a.yml", "a.ini", "a.xml", "a.neon", ".editorconfig", ".eslintrc", ".eslintignore"]
NAMES += ["a.properties"]
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF), max_size=12)
DATA: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(WORDS.filter(lambda key: key != "__proto__"), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(DATA)
def test_json_is_read_as_json_reads_it(data: Any) -> None:
    assert plain(read("a.json", json.dumps(data, indent=1).encode())) == data


@settings(deadline=None)
@given(st.dictionaries(WORDS, DATA, max_size=4))
def test_a_module_is_read_as_its_json(data: Any) -> None:
    text = f"export default {json.dumps(data, ensure_ascii=False)};"
    assert plain(script.read_exports(text, "a.mjs").mapping["default"]) == data


@settings(deadline=None)
@given(st.sampled_from(NAMES), st.binary(max_size=200))
def test_no_bytes_break_a_reader(name: str, data: bytes) -> None:
    with contextlib.suppress(Unreadable):
        assert isinstance(read(name, data), Node)


@settings(deadline=None)
@given(st.sampled_from(SCRIPT_SUFFIXES), st.text(alphabet="export default{}[]():,;.=>'\"`$\n ab1", max_size=120))
def test_no_text_breaks_the_reading_of_modules(suffix: str, text: str) -> None:
    with contextlib.suppress(Unreadable):
        assert isinstance(script.read_exports(text, f"a{suffix}"), Node)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "# x\n[a.b]\nc = 1\n"),
        ("a.toml", "[a]\nx = 0\nb.c = 1\n"),
        ("a.yml", "x: 0\na:\n  b: {c: 1}\n"),
        ("a.json", '{"x": 0,\n "a": {\n  "b": {"c": 1}}}'),
        ("a.xml", "<a>\n<b>\n<c>1</c></b></a>"),
    ],
)
def test_a_key_knows_its_line(name: str, text: str) -> None:
    leaf = flat(read(name, text.encode()))["a", "b", "c"]
    assert (str(plain(leaf)), leaf.line) == ("1", 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "[a]\nb = [\n  'x',\n  'y',\n]\n"),
        ("a.yml", "a:\n  b:\n  - x\n  - y\n"),
        ("a.ini", "[a]\nb =\n  x\n  y\n"),
    ],
)
def test_an_item_of_a_list_knows_its_line(name: str, text: str) -> None:
    items = flat(read(name, text.encode()))["a", "b"].items
    assert [(item.value, item.line) for item in items] == [("x", 3), ("y", 4)]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("const a = {b: 1}; export default a;", {"b": 1}),
        ("const a = {b: 1}; a.b = 2; a['c'] = 3; export default a;", {"b": 2, "c": 3}),
        ("module.exports = {a: 1}; module.exports.b = 2;", {"a": 1, "b": 2}),
        ("const b = {x: 1}; module.exports = {...b, y: -2, z: !1};", {"x": 1, "y": -2, "z": False}),
        ("export default (() => { const a = {b: 1}; return a; });", {"b": 1}),
        ("export default defineConfig(async ({mode}) => ({a: `t`}));", {"a": "t"}),
        ("export default {a: 1} as const satisfies X;", {"a": 1}),
        ("export default [1, ...[2, 3], ...x];", [1, 2, 3, "«... x»"]),
        ("import j from 'x'; export default j.configs.all;", "«x#default.configs.all»"),
        ("export default process.env.CI ? 1 : /* no */ 2;", "«process.env.CI ? 1 : 2»"),
    ],
)
def test_modules(source: str, value: Any) -> None:
    assert plain(script.read_exports(source, "a.ts").mapping["default"]) == value


def test_yaml_anchors_and_merge_keys() -> None:
    node = read("a.yml", b"a: &a {x: 1, y: 1}\nb: &b {y: 2}\nc:\n  <<: [*b, *a]\n  z: 3\n")
    assert plain(node)["c"] == {"y": 2, "x": 1, "z": 3}


@pytest.mark.parametrize("path", ["pyproject.toml", "codecov.yml", "package.json"])
def test_a_number_of_thousands_of_digits_is_a_number(path: str) -> None:
    huge = "0x" + "f" * 5_000
    form = {"pyproject.toml": "[tool.coverage.report]\nfail_under = {}\nexclude_also = [{}]\n"}
    text = form.get(path, '{{"nyc": {{"lines": {}}}, "ignore": [{}]}}')
    before, after = text.format(90, 1), text.format(huge, huge)
    assert all(hit.rule for hit in weakened(change({"a.py": "", path: before}, {"a.py": "", path: after})))


def test_every_place_of_a_table_has_a_reader() -> None:
    """A table of settings is worth nothing where its file cannot be read; tools with units of their own read lines."""
    named = [(tool.name, place.name) for tool in TOOLS if tool.units is None for place in tool.places]
    assert [each for each in named if not has_reader(each[1].replace("*", "x"))] == []


def test_neon_is_read_with_tabs_parameters_and_tables_of_any_form() -> None:
    text = """includes:
\t- rules.neon   # more rules

parameters:
\tlevel: max
\tpaths: [
\t\t%currentWorkingDirectory%/src
\t\ttests
\t]
\tignoreErrors:
\t\t- '#it''s: x#'
\t\t-
\t\t\tmessage: '#y#'
\t\t\tcount: 2
\t\t- {identifier: foo, path: a.php}
services:
\t- App\\Rule(@one, 2)
"""
    assert plain(read("phpstan.neon.dist", text.encode())) == {
        "includes": ["rules.neon"],
        "parameters": {
            "level": "max",
            "paths": ["%currentWorkingDirectory%/src", "tests"],
            "ignoreErrors": ["#it's: x#", {"message": "#y#", "count": 2}, {"identifier": "foo", "path": "a.php"}],
        },
        "services": ["App\\Rule(@one, 2)"],
    }
