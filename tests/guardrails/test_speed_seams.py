"""What makes a scan fast must not change what it says: the short ways give the answers of the long ones."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails.config.readers.toml import read
from ralph.guardrails.golang.inventory import GoTests
from ralph.guardrails.languages import wants_first_line
from ralph.guardrails.source import Source

GO = """package p

import "testing"

func check(t *testing.T, got int) {
	if got != 3 {
		t.Error(got)
	}
}

func TestIt(t *testing.T) { check(t, work(1)) }
func TestOther(t *testing.T) { if work(2) != 4 { t.Error() } }
"""


@given(st.lists(st.text("ab.", min_size=1, max_size=6), min_size=1, max_size=3))
def test_a_suffix_is_what_pathlib_calls_one(parts: list[str]) -> None:
    path = "/".join(("a", *(part + "x" for part in parts)))
    assert wants_first_line(path) is not bool(PurePosixPath(path).suffix)


@pytest.mark.parametrize(
    ("old", "new", "touched"),
    [
        ('import "testing"', 'import (\n"os"\n"testing"\n)', set()),
        ("got != 3", "got != 5", {"check", "TestIt"}),
        ("work(2) != 4", "work(2) != 5", {"TestOther"}),
    ],
)
def test_a_go_test_is_touched_by_its_own_text_and_its_helpers_alone(old: str, new: str, touched: set[str]) -> None:
    assert old in GO
    before, after = _texts(GO), _texts(GO.replace(old, new))
    assert {name for name in before if before[name] != after[name]} == touched


def _texts(code: str) -> dict[str, str]:
    found = GoTests(Source("p_test.go", "go", code.encode())).inventory().tests
    return {test.parts[-1]: test.text for test in found}


def test_bare_and_quoted_toml_keys_are_found_where_they_stand() -> None:
    node = read('[a.b-c]\nx = 1\n"y.z" = 2\n', "f.toml")
    table = node.at("a", "b-c")
    assert table is not None
    assert {name: item.line for name, item in table.mapping.items()} == {"x": 2, "y.z": 3}
