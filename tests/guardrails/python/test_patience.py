"""Tests that may fail more often or take longer."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import judge

HEAD = (
    "import time\n\nimport pytest\nfrom flaky import flaky\nfrom net import ping\n"
    "from tenacity import retry, stop_after_attempt\n\n\n"
)
TEST = "def test_ping():\n    assert ping() == 1\n"
RETRIED = {
    "flaky": f"@pytest.mark.flaky(reruns=3)\n{TEST}",
    "flaky without a number": f"@pytest.mark.flaky\n{TEST}",
    "flaky's own": f"@flaky(max_runs=5, min_passes=1)\n{TEST}",
    "bare": f"@flaky\n{TEST}",
    "tenacity": f"@retry(stop=stop_after_attempt(5))\n{TEST}",
    "module": f"pytestmark = pytest.mark.flaky(reruns=5)\n\n\n{TEST}",
    "module list": f"pytestmark = [pytest.mark.slow, pytest.mark.flaky(reruns=5)]\n\n\n{TEST}",
    "class": "@pytest.mark.flaky(reruns=2)\nclass TestPing:\n    def test_ping(self):\n        assert ping() == 1\n",
    "own decorator": "def again(times):\n    def around(test):\n        def run():\n"
    "            for _ in range(times):\n"
    "                try:\n                    return test()\n                except AssertionError:\n"
    f"                    pass\n            return test()\n\n        return run\n\n    return around\n\n\n"
    f"@again(5)\n{TEST}",
    "own decorator without arguments": "def stubborn(test):\n    def run():\n        while True:\n            try:\n"
    "                return test()\n            except Exception:\n                time.sleep(1)\n\n"
    f"    return run\n\n\n@stubborn\n{TEST}",
    "loop": "def test_ping():\n    for _ in range(5):\n        try:\n"
    "            assert ping() == 1\n            break\n"
    "        except AssertionError:\n            time.sleep(1)\n",
}


@pytest.mark.parametrize("text", RETRIED.values(), ids=RETRIED)
def test_a_test_that_is_run_again_is_blocked(text: str) -> None:
    assert judge(HEAD + TEST, HEAD + text) == "block"


@pytest.mark.parametrize("text", RETRIED.values(), ids=RETRIED)
def test_taking_it_back_is_no_finding(text: str) -> None:
    assert judge(HEAD + text, HEAD + TEST) == "clean"
    assert judge(HEAD + text, HEAD + text + "\n\nX = 1\n") == "clean"


def test_a_new_test_that_is_run_again_is_for_a_person() -> None:
    assert (
        judge(HEAD + TEST, f"{HEAD}{TEST}\n\n@pytest.mark.flaky\ndef test_pong():\n    assert ping() == 2\n")
        == "review"
    )


def with_limit(limit: str) -> str:
    return f"{HEAD}@pytest.mark.timeout({limit})\n{TEST}"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("5", "600", "block"),
        ("5", "0", "block"),
        ("5", "8", "review"),
        ("600", "5", "clean"),
        ("timeout=5", "5", "clean"),
    ],
)
def test_a_limit_that_is_raised_is_shown(before: str, after: str, expected: str) -> None:
    assert judge(with_limit(before), with_limit(after)) == expected


def test_a_limit_that_is_gone_is_for_a_person() -> None:
    assert judge(with_limit("5"), HEAD + TEST) == "review"
    assert judge(HEAD + TEST, with_limit("5")) == "clean"


@pytest.mark.parametrize(("bound", "expected"), [("600", "block"), ("0.3", "review"), ("0.1", "clean")])
def test_a_measured_time_may_not_grow(bound: str, expected: str) -> None:
    text = "def test_speed():\n    t0 = time.monotonic()\n    ping()\n    assert time.monotonic() - t0 < {}\n"
    assert judge(HEAD + text.format("0.2"), HEAD + text.format(bound)) == expected


PATIENT = {
    "raises again": "def told(test):\n    def run():\n        for name in NAMES:\n            try:\n"
    "                test()\n            except AssertionError:\n                raise\n\n    return run\n\n\n",
    "no loop": "def timed(test):\n    def run():\n        start = time.monotonic()\n        test()\n"
    "        print(time.monotonic() - start)\n\n    return run\n\n\n",
    "another error": "def waiting(test):\n    def run():\n        for _ in range(3):\n            try:\n"
    "                return test()\n            except ConnectionError:\n                time.sleep(1)\n\n"
    "    return run\n\n\n",
}


@pytest.mark.parametrize("code", PATIENT.values(), ids=PATIENT)
def test_a_decorator_that_feels_each_failure_is_no_finding(code: str) -> None:
    name = code.partition("(")[0].removeprefix("def ")
    assert judge(HEAD + TEST, f"{HEAD}{code}@{name}\n{TEST}") == "clean"
