"""A test that is new and skipped is shown; an old test under a new name is no new test."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, judge, worst

OLD = "import unittest\n\nimport pytest\n\n\ndef test_old():\n    assert 1\n"
SKIPPED = "\n\n@pytest.mark.skip\ndef test_new():\n    assert 1\n"
NEW = {
    "function": SKIPPED,
    "coroutine": "\n\nasync def test_new():\n    pytest.skip()\n",
    "class": "\n\n@pytest.mark.xfail\nclass TestNew:\n    def test_new(self):\n        assert 1\n",
    "class by its mark": "\n\nclass TestNew:\n    pytestmark = pytest.mark.skip\n\n    def test_new(self): ...\n",
    "class by its set-up": (
        "\n\nclass T(unittest.TestCase):\n    def setUp(s):\n        s.skipTest()\n\n    def test_new(s): ...\n"
    ),
    "parameters": "\n\n@pytest.mark.parametrize('x', [])\ndef test_new(x):\n    assert x\n",
    "nested": "\n\ndef test_new():\n    def inner():\n        pytest.skip()\n\n    inner()\n",
}
STILL_A_SKIP = {
    "fixture": "\n\n@pytest.fixture(autouse=True)\ndef all_of_them():\n    pytest.skip()\n",
    "helper": "\n\ndef need():\n    pytest.skip()\n",
    "marker for others": "\n\nlater = pytest.mark.skip(reason='x')\n",
    "old class": "\n\n@pytest.mark.skip\nclass TestNew:\n    def test_old(self): ...\n",
    "module": "\n\npytestmark = pytest.mark.skip\n\n\ndef test_new(): ...\n",
}


@pytest.mark.parametrize("code", NEW.values(), ids=NEW)
def test_a_new_test_is_for_a_person(code: str) -> None:
    assert judge(OLD, OLD + code) == "review"


@pytest.mark.parametrize("code", STILL_A_SKIP.values(), ids=STILL_A_SKIP)
def test_what_reaches_old_tests_is_a_skip(code: str) -> None:
    assert judge(OLD, OLD + code) == "block"


def test_a_new_module_may_be_skipped_as_a_whole() -> None:
    text = "import pytest\n\npytestmark = pytest.mark.skip\n\n\ndef test_new(): ...\n"
    assert judge("", text) == "review"


def test_a_new_file_may_ask_for_a_library_that_nothing_names() -> None:
    new = 'import pytest\n\nplot = pytest.importorskip("bokeh")\n\n\ndef test_plot():\n    assert plot\n'
    before = {"tests/test_old.py": OLD}
    assert worst(findings(before, {**before, "tests/test_plot.py": new})) == "review"
    assert worst(findings(before, {"tests/test_plot.py": new + OLD.partition("\n\n\n")[2]})) == "block"
    assert (
        worst(findings(before, {"tests/test_old.py": OLD.replace("\n\n\n", "\npytest.importorskip('bokeh')\n\n\n", 1)}))
        == "block"
    )


def test_an_old_test_under_a_new_name_is_not_new() -> None:
    assert judge(OLD, OLD.replace("def test_old", "@pytest.mark.skip\ndef test_renamed")) == "block"


def test_an_old_test_that_moves_into_a_skipped_file_is_not_new() -> None:
    moved = {"tests/test_b.py": "import pytest\n\npytestmark = pytest.mark.skip\n\n\ndef test_old():\n    assert 1\n"}
    assert worst(findings({"tests/test_a.py": OLD}, moved)) == "block"
    renamed = {"tests/test_b.py": moved["tests/test_b.py"].replace("test_old", "test_b")}
    assert worst(findings({"tests/test_a.py": OLD}, renamed)) == "block"
