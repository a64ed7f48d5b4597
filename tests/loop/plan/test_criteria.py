"""Which criteria are measured: only what is certainly a command, and nothing that looks like one is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.loop.plan.criteria import judged, looks_measured, measured, read
from ralph.permissions.disk import here
from tests.loop.plan.making import SPEC_EXAMPLE, allowing

MEASURED = {
    'verify:"pytest -q"': "pytest -q",
    'verify:"pytest -q" :fast max:2': "pytest -q",
    '  verify:"a && b"  ': "a && b",
    "uv run pytest tests/test_login.py passes": "uv run pytest tests/test_login.py",
    "uv run pytest && uv run mypy . passes": "uv run pytest && uv run mypy .",
    "pytest passes": "pytest",
    "pytest passes.": "pytest",
    "npm test passes": "npm test",
    "cd web && npm test passes": "cd web && npm test",
    "make check passes": "make check",
    "go test ./... passes": "go test ./...",
    "cargo test --all passes": "cargo test --all",
    "PYTHONPATH=. pytest passes": "PYTHONPATH=. pytest",
    "./scripts/check.sh passes": "./scripts/check.sh",
    ".venv/bin/pytest passes": ".venv/bin/pytest",
    "grep -q TODO src/a.py passes": "grep -q TODO src/a.py",
    "! grep -rn TODO src passes": "! grep -rn TODO src",
    "`tox` passes": "tox",
    "`file upload` passes": "file upload",
    "pytest | tee -a log passes": "pytest | tee -a log",
}

CLAIMED = [
    "User model exists in models/user.py",
    "POST /api/register creates user",
    "All tests pass",
    "The whole test suite passes",
    "uv run pytest",
    "uv run pytest succeeds",
    "Verify that the login works",
    "verifying works",
    'title: "Login" is shown',
    "pytest\u00a0-q passes",
    "py\u200btest -q passes",
    "passes",
    "",
    # What a shell could run, and would end well or badly for reasons of its own.
    "file upload passes",
    "test suite passes",
    "type checking passes",
    "time travel passes",
    "linting passes",
    "date validation passes",
    "user login in app/models.py passes",
    "login via /api/login passes",
    "tests/test_a.py passes",
    "make sure the login passes",
    "go through the login passes",
    "python code style passes",
    "uv run pytest a.py and uv run mypy passes",
    "the command pytest -q passes",
    "Pytest -q passes",
    "pytest 'unclosed passes",
    "first line\npytest passes",
]

UNCLEAR = [
    "verify: pytest",
    "verify:pytest -q",
    'Verify:"pytest"',
    "verify `pytest`",
    'verify "pytest"',
    'verify :"pytest"',
    'verify:"pytest',
    'verify:""',
    'verify:"pytest" max:0',
    'verify:"pytest" and more',
    'verify:"a" :: verify:"b"',
    ':: verify:"pytest"',
    "verify:“pytest”",
    'verify:"pytest" cwd:"../outside"',
    "verify",
    'verfy:"pytest"',
    'run:"pytest"',
    'command: "pytest"',
    'ｖｅｒｉｆｙ:"pytest"',
    'ver\u200bify:"pytest"',
    'verify\u200b:"pytest"',
    '\u202everify:"pytest"',
    'verify:"py\u200btest"',
    'verify:"pytest\u00a0-q"',
]


@pytest.mark.parametrize(("text", "command"), MEASURED.items(), ids=list(MEASURED))
def test_measured(text: str, command: str) -> None:
    assert measured(text) == command
    assert read(text).problem is None


@pytest.mark.parametrize("text", CLAIMED)
def test_claimed(text: str) -> None:
    found = read(text)
    assert (found.gate, found.problem) == (None, None)
    assert judged(found, None).kind == "claimed"


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_resembles_a_gate_is_told(text: str) -> None:
    found = read(text)
    assert found.gate is None
    assert found.problem is not None
    assert found.problem.endswith(".")
    assert "\n" not in found.problem
    assert judged(found, None).kind == "unclear"


def test_the_criteria_of_the_spec() -> None:
    commands = [measured(text) for each in json.loads(SPEC_EXAMPLE)["tasks"] for text in each["verification_criteria"]]
    assert commands == [
        *(None, None, "uv run pytest tests/test_user_model.py"),
        *(None, None, "uv run pytest tests/test_registration.py"),
    ]


def test_options_of_a_gate_are_kept() -> None:
    gate = read('verify:"npm test" timeout:90 cwd:"web"').gate
    assert gate is not None
    assert (gate.timeout_s, gate.cwd) == (90.0, "web")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pytest -q passes", "measured"),
        ("npm test passes", "claimed"),
        ("git push --force passes", "claimed"),
        ('verify:"npm test"', "measured"),
        ("it works", "claimed"),
    ],
)
def test_permissions_decide(tmp_path: Path, text: str, kind: str) -> None:
    """What they do not allow is claimed; a verify gate stays one, and will be refused: it never holds."""
    found = judged(read(text), (allowing("pytest"), here(tmp_path)))
    assert found.kind == kind
    allowed = text in ("pytest -q passes", "it works")
    assert (found.why is None) == allowed
    if found.why:
        assert found.why.startswith("the permissions do not allow ")


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("mytool passes", True),
        ("`pytest -q` succeeds", True),
        ("the code is documented in `README.md`", False),
        ("The login passes every test", False),
        ("user login with a wrong password passes", False),
    ],
)
def test_what_may_have_been_meant_as_a_command(text: str, doubt: bool) -> None:
    assert looks_measured(text) is doubt


texts = st.text(max_size=60)


@given(texts | st.builds("{} passes".format, texts) | st.builds("verify{}".format, texts))
def test_any_text_is_read(text: str) -> None:
    found = read(text)
    assert found.gate is None or found.problem is None
    assert found.gate is None or found.gate.command.strip()
