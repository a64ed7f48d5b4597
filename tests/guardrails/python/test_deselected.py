"""Marks that the project's own settings leave out."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst

PATH = "tests/test_tax.py"
HEAD = "import pytest\n\nfrom tax import vat\n\n\n"
TEST = "def test_vat():\n    assert vat(100) == 19\n"
OTHER = "\n\ndef test_none():\n    assert vat(0) == 0\n"
MARKED = f"{HEAD}@pytest.mark.slow\n{TEST}{OTHER}"
SETTINGS = {
    "pyproject": {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = \"-q -m 'not slow'\"\n"},
    "list": {"pyproject.toml": '[tool.pytest.ini_options]\naddopts = ["-q", "-m", "not slow and not web"]\n'},
    "ini": {"pytest.ini": '[pytest]\naddopts =\n    -q\n    -m "not (web or slow)"\n'},
    "cfg": {"setup.cfg": "[tool:pytest]\naddopts = -m 'not web and not slow'\n"},
}
OTHERS = {
    "none": {},
    "another mark": {"pytest.ini": "[pytest]\naddopts = -m 'not web'\n"},
    "only such": {"pytest.ini": "[pytest]\naddopts = -m 'slow or web'\n"},
    "listed": {"pytest.ini": "[pytest]\nmarkers =\n    slow: takes minutes\n"},
}
TOLD = {
    "loop": TEST.replace("    assert", "    for _ in range(9):\n        assert"),
    "fixture": TEST.replace("test_vat()", "test_vat(server)"),
    "network": TEST.replace("    assert", "    requests.get(URL)\n    assert"),
}


def judged(settings: dict[str, str], after: str, before: str = HEAD + TEST + OTHER) -> str:
    product = {"tax.py": "def vat(net):\n    return int(net * 0.19)\n", **settings}
    return worst(findings({**product, PATH: before}, {**product, PATH: after}))


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_a_test_that_gets_a_mark_that_is_left_out_is_not_run(settings: dict[str, str]) -> None:
    assert judged(settings, MARKED) == "block"
    assert (
        judged(
            settings, MARKED.replace("@pytest.mark.slow\n", "").replace(HEAD, f"{HEAD}pytestmark = pytest.mark.slow\n")
        )
        == "block"
    )
    assert judged(settings, HEAD + TEST + OTHER, MARKED) == "clean"
    assert judged(settings, HEAD + OTHER.lstrip() + f"\n\n@pytest.mark.slow\n{TEST}", MARKED) == "clean"
    assert (
        judged(settings, f"{HEAD}{TEST}{OTHER}\n\n@pytest.mark.slow\ndef test_new():\n    assert vat(9) == 1\n")
        == "clean"
    )


@pytest.mark.parametrize("settings", OTHERS.values(), ids=OTHERS)
def test_a_mark_that_nothing_leaves_out_is_only_a_mark(settings: dict[str, str]) -> None:
    assert judged(settings, MARKED) == "clean"


@pytest.mark.parametrize("text", TOLD.values(), ids=TOLD)
def test_a_test_that_may_be_slow_is_for_a_person(text: str) -> None:
    assert judged(SETTINGS["ini"], f"{HEAD}@pytest.mark.slow\n{text}{OTHER}", HEAD + text + OTHER) == "review"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".github/workflows/nightly.yml", "jobs:\n  slow:\n    steps:\n      - run: pytest -m slow\n"),
        ("Makefile", "all:\n\tpytest -m ''\n"),
        ("tox.ini", "[testenv:all]\ncommands = pytest -o addopts=\n"),
    ],
)
def test_marked_tests_that_something_runs_are_for_a_person(path: str, text: str) -> None:
    assert judged({**SETTINGS["pyproject"], path: text}, MARKED) == "review"
