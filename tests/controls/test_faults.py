"""Which faults can be put into changed lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.controls import mutants
from ralph.controls.faults import Fault, faults
from ralph.syntax import parse
from tests.guardrails.memory import change

PYTHON = {
    "a < b": ["a <= b"],
    "a == b": ["a != b"],
    "a not in b": ["a in b"],
    "a and b": ["a or b"],
    "not a": ["a"],
    "a + b": ["a - b"],
    "a * 7": ["a / 7", "a * 8"],
    "True": ["False"],
    "a + 0": ["a + 1"],
    "'x' + a": [],
    "'a < b'": [],
}


@pytest.mark.parametrize("code", PYTHON)
def test_python(code: str) -> None:
    assert mutated("a.py", f"x = {code}\n") == [f"x = {each}\n" for each in PYTHON[code]]


SCRIPT = {
    "a === b": ["a !== b"],
    "a && b": ["a || b"],
    "!a": ["a"],
    "a ?? b": ["a && b"],
    "a <= 3": ["a < 3", "a <= 4"],
    "true": ["false"],
    "`a < ${b}`": [],
}


@pytest.mark.parametrize("path", ["a.js", "a.ts", "a.tsx"])
@pytest.mark.parametrize("code", SCRIPT)
def test_script(path: str, code: str) -> None:
    assert mutated(path, f"x = {code};\n") == [f"x = {each};\n" for each in SCRIPT[code]]


def test_results() -> None:
    assert mutated("a.py", "def f():\n    return a\n") == ["def f():\n    return None\n"]
    assert mutated("a.py", "def f():\n    return None\n") == []
    assert mutated("a.py", "def f():\n    return\n") == []
    assert mutated("a.ts", "function f() {\n  return a;\n}\n") == ["function f() {\n  return undefined;\n}\n"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tests/test_a.py", "x = 1 < 2\n"),
        ("README.md", "1 < 2\n"),
        ("a.go", "var x = 1 < 2\n"),
        ("a.py", "import a\nx: int | None\n"),
        ("a.ts", "type A = 1 | 2;\n"),
        ("a.py", '"""a < b"""\n'),
    ],
)
def test_nothing_to_exchange(path: str, text: str) -> None:
    assert mutated(path, text) == []


def test_only_changed_lines() -> None:
    found = faults(change({"a.py": "x = a < b\ny = 1\n"}, {"a.py": "x = a < b\ny = 2\n"}))
    assert [str(fault) for fault in found] == ["a.py:2: `2` became `3`"]


def test_each_function_gets_its_turn() -> None:
    text = "def f(a):\n    return a < b < c\n\n\ndef g(a):\n    return a < 1\n"
    assert [fault.line for fault in faults(change({}, {"a.py": text}))][:2] == [2, 6]


@given(st.lists(st.sampled_from(["x = a < 1", "def f(b):", "    return not b", "é = 'ü' == x", ")", "if a and b:"])))
def test_a_fault_changes_exactly_its_place(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    for fault in faults(change({}, {"a.py": text})):
        data = fault.put_into(text.encode())
        assert data != text.encode()
        assert data[: fault.start] == text.encode()[: fault.start]
        assert data.endswith(text.encode()[fault.end :])


def test_the_verdict_on_mutants() -> None:
    found = [Fault("a.py", 1, 0, 1, "1", "2", 0), Fault("a.py", 2, 2, 3, "x " * 60, "", 0)]
    assert mutants.judge((), (), 0).status == "idle"
    assert mutants.judge(found, (), 0).status == "open"
    assert mutants.judge(found, (), 2).status == "held"
    left = mutants.judge(found, found[1:], 2)
    assert (left.status, left.reason) == ("broken", f"2 of 2 faults tried, 1 not found: {found[1]}")
    assert str(found[1]).endswith("...` was taken away")


def mutated(path: str, text: str) -> list[str]:
    """The file with each of its faults, the outermost first; all of them are still code."""
    found = [fault.put_into(text.encode()).decode() for fault in faults(change({}, {path: text}))]
    language = {"py": "python", "js": "javascript", "ts": "typescript", "tsx": "tsx"}.get(path.rpartition(".")[2])
    assert all(language and not parse(language, each.encode()).root_node.has_error for each in found)
    return found
