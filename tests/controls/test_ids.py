"""Ids of tests in reports, and where the tests stand."""

from __future__ import annotations

import pytest

from ralph.controls.ids import Place, Places, last_name, tail, without_case

PLACES = Places(["tests/test_a.py", "tests/a/test_a.py", "src/a.test.ts", "pkg/a_test.go"])


@pytest.mark.parametrize(
    ("test", "path", "parts"),
    [
        ("tests/test_a.py::test_x", "tests/test_a.py", ("test_x",)),
        ("tests/test_a.py::TestB::test_x[1-a::b]", "tests/test_a.py", ("TestB", "test_x")),
        ("tests/test_a.py", "tests/test_a.py", ()),
        ("tests.test_a::test_x", "tests/test_a.py", ("test_x",)),
        ("tests.a.test_a.TestB::test_x[2]", "tests/a/test_a.py", ("TestB", "test_x")),
        ("src/a.test.ts::adds > to zero", "src/a.test.ts", ("adds", "to zero")),
        ("src/a.test.ts::adds [1] and [2]", "src/a.test.ts", ("adds [1] and [2]",)),
    ],
)
def test_where_a_test_stands(test: str, path: str, parts: tuple[str, ...]) -> None:
    assert PLACES.of(test) == Place(path, parts)


@pytest.mark.parametrize("test", ["example.com/pkg::TestX", "tests/test_b.py::test_x", "x", ""])
def test_a_test_of_no_known_file(test: str) -> None:
    assert PLACES.of(test) is None


def test_parts_of_an_id() -> None:
    assert without_case("a.py::test_x[1-[2]]") == "a.py::test_x"
    assert without_case("a.py::test_x") == "a.py::test_x"
    assert tail("tests/a.py::TestB::test_x") == "TestB::test_x"
    assert last_name("a.test.ts::adds > to zero") == "to zero"
    assert last_name("tests.test_a.TestB::test_x") == "test_x"
