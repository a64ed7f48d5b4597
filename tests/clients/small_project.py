"""A small Python project with tests, and what a person has in mind for it: `--json`."""

from __future__ import annotations

from tests.clients.minds import Edit, Mind, Play, Say, Shell, Tool, Write, part

WISH = "add a --json flag"

FILES = {
    "pyproject.toml": """\
[project]
name = "units"
version = "1.0"

[tool.ruff]
line-length = 100

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
addopts = "-p no:hypothesispytest -p no:anyio -p no:xdist"
""",
    ".gitignore": "__pycache__/\n.pytest_cache/\n.ruff_cache/\n",
    "src/units/__init__.py": "",
    "src/units/cli.py": '''\
"""Miles as kilometres."""

import argparse


def main(words: list[str]) -> str:
    parser = argparse.ArgumentParser()
    parser.add_argument("miles", type=float)
    given = parser.parse_args(words)
    return f"{given.miles * 1.609344:.1f} km"
''',
    "tests/test_cli.py": """\
from units.cli import main


def test_a_marathon() -> None:
    assert main(["26.2"]) == "42.2 km"
""",
}

SPEC = """\
# The answer as JSON

When I call the program from a script, I want to read its answer as JSON, so I can go on with the number.

## Problem Statement
Scripts have to cut the number out of a text.

## Success Criteria
- `--json` prints one JSON object with the key `km`.

## Constraints
- Without the flag nothing changes.
- Assumption: the number is not rounded.

## Acceptance Criteria
- [ ] verify:"pytest tests/test_json.py"
- [ ] The text without the flag is as before
"""

TEST = """\
import json

from units.cli import main


def test_the_number_is_not_rounded() -> None:
    assert json.loads(main(["--json", "1"])) == {"km": 1.609344}
"""

HELP_TEST = """\
import pytest

from units.cli import main


def test_the_help_names_the_flag(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "print JSON" in capsys.readouterr().out
"""


def done(summary: str) -> Tool:
    return Tool("ralph_signal_phase_complete", {"summary": summary})


def task(name: str, description: str, *criteria: str, **more: object) -> Tool:
    given = {"task_id": name, "description": description, "verification_criteria": list(criteria), **more}
    return Tool("ralph_add_task", given)


def claim(name: str) -> Tool:
    return Tool("ralph_mark_task_complete", {"task_id": name, "verification_notes": "pytest and ruff ran."})


DISCOVERY: Play = (Write("specs/json.md", SPEC), done("One specification."), Say("Written."))
PLANNING: Play = (
    task("flag", "Add the flag, with a test.", "pytest tests/test_json.py passes", spec_files=["specs/json.md"]),
    task("help", "Say in the help what the flag does, with a test.", "pytest tests/test_help.py passes",
         dependencies=["flag"], priority=2),
    done("Two tasks."),
    Say("Planned."),
)  # fmt: skip
FLAG: Play = (
    Write("tests/test_json.py", TEST),
    Edit("src/units/cli.py", "import argparse\n", "import argparse\nimport json\n"),
    Edit(
        "src/units/cli.py",
        "    given = parser.parse_args(words)\n",
        '    parser.add_argument("--json", action="store_true")\n'
        "    given = parser.parse_args(words)\n"
        "    if given.json:\n"
        '        return json.dumps({"km": given.miles * 1.609344})\n',
    ),
    Shell("pytest tests/test_json.py"),
    claim("flag"),
    Say("It is there."),
)
HELP: Play = (
    Write("tests/test_help.py", HELP_TEST),
    Edit(
        "src/units/cli.py",
        '    parser.add_argument("--json", action="store_true")\n',
        '    parser.add_argument("--json", action="store_true", help="print JSON")\n',
    ),
    claim("help"),
    Say("It is said."),
)
VALIDATION: Play = (Shell("pytest"), done("Everything that the specification asks for is there."), Say("Read."))


POLICY = {
    "version": 1,
    "mode": "delivery",
    "files": {"allowRead": ["."], "allowWrite": ["src", "tests"], "denyRead": [".env"], "denyWrite": [".git"]},
    "commands": {
        "allow": ["pytest", "ruff check", "bash tools/probe.sh"],
        "deny": ["git push"],
        "packs": ["readonly-tools", "readonly-git"],
    },
    "approval": {"requiredFor": [], "requireReason": True},
    "checks": {"required": ["test", "lint"], "rollbackOnFail": True},
}
CHECKLIST = """\
# The answer as JSON

- [ ] flag-1: Add the flag, with a test.
  - pytest tests/test_json.py passes
- [ ] help-1: Say in the help what the flag does, with a test. (depends on flag-1)
  - pytest tests/test_help.py passes
"""
PROBE = "sleep 300 &\nsetsid sleep 301 &\nwait\n"
SLOW, LOOK = Shell("bash tools/probe.sh"), Shell("ls", tokens=200_000)


def honest() -> Mind:
    """Does everything well, the first time."""
    return Mind(
        (
            part("DISCOVERY MODE", plays=(DISCOVERY,)),
            part("PLANNING MODE", plays=(PLANNING,)),
            part("BUILDING MODE", "Task `flag`", plays=(FLAG,)),
            part("BUILDING MODE", "Task `help`", plays=(HELP,)),
            part("VALIDATION MODE", plays=(VALIDATION,)),
        )
    )


def troubled() -> Mind:
    """Is denied, lies, is stopped, dies, spends too much, is there when Ralph dies, and then does everything well."""
    flag = (
        (Shell("git push origin main"), claim("flag-1"), Say("It is done.")),
        (SLOW,),
        (SLOW,),
        (LOOK, LOOK),
        (SLOW,),
        tuple(claim("flag-1") if move == claim("flag") else move for move in FLAG),
    )
    help_ = tuple(claim("help-1") if move == claim("help") else move for move in HELP)
    return Mind(
        (
            part("BUILDING MODE", "Task `flag-1`", plays=flag),
            part("BUILDING MODE", "Task `help-1`", plays=(help_,)),
            part("VALIDATION MODE", plays=(VALIDATION,)),
        )
    )
