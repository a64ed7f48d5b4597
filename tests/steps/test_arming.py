"""How a command line is changed so that its tools write reports, and where that is impossible."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ralph.steps.arming import Armed, arm
from ralph.steps.commandline import read_line
from ralph.steps.tools.recipe import Kind

SCRIPTS = {
    "lint": "eslint .",
    "lint:quiet": "eslint . || true",
    "lint:all": "tsc --noEmit && eslint src",
    "lint:nested": "npm run lint",
    "lint:first": "eslint . && prettier --check .",
    "style": "prettier --check .",
    "loop": "npm run loop",
    "test": "vitest",
}
ESLINT = "--format json --output-file /r/eslint.json"
RUFF = "RUFF_OUTPUT_FORMAT=json RUFF_OUTPUT_FILE=/r/ruff.json RUFF_NO_CACHE=true"
PYTEST = "--junitxml=/r/junit.xml -o junit_family=xunit1"
VITEST = "--reporter=default --reporter=junit --outputFile.junit=/r/junit.xml"


def armed(tmp_path: Path, command: str, hint: str | None = None) -> Armed:
    (tmp_path / "package.json").write_text(json.dumps({"scripts": SCRIPTS}))
    kind: Kind = "tests" if re.search(r"pytest|vitest|npm t", f"{command} {hint}") else "diagnostics"
    return arm(command, kind=kind, hint=hint, root=tmp_path, reports=Path("/r"))


ASKED = {
    # the tool by its name, wherever it stands
    "ruff check .": f"{RUFF} ruff check . --verbose",
    "ruff check . || true": f"{RUFF} ruff check . --verbose || true",
    "cd web && npx eslint 'a b' > log 2>&1": f"cd web && npx eslint 'a b' {ESLINT} > log 2>&1",
    "eslint . | tee log": f"eslint . {ESLINT} | tee log",
    "eslint . # all of it": f"eslint . {ESLINT} # all of it",
    "eslint -- -odd-name": f"eslint {ESLINT} -- -odd-name",
    "(.venv/bin/pytest -k 'a and b')": f"(.venv/bin/pytest -k 'a and b' {PYTEST})",
    "DEBUG=1 pytest": f"DEBUG=1 pytest {PYTEST}",
    # through a runner
    "uv run --with x pytest -q": f"uv run --with x pytest -q {PYTEST}",
    "python3.12 -m pytest": f"python3.12 -m pytest {PYTEST}",
    "poetry run ruff check": f"{RUFF} poetry run ruff check --verbose",
    "node node_modules/eslint/bin/eslint.js .": f"node node_modules/eslint/bin/eslint.js . {ESLINT}",
    "timeout 60 npx vitest run": f"timeout 60 npx vitest run {VITEST}",
    "npm exec -- eslint .": f"npm exec -- eslint . {ESLINT}",
    "pnpm exec tsc -b": "pnpm exec tsc -b --pretty false --listFiles --force",
    # through a package script
    "npm run lint": f"npm run lint -- {ESLINT}",
    "npm run --silent lint -- --fix": f"npm run --silent lint -- --fix {ESLINT}",
    "npm run lint:all": f"npm run lint:all -- {ESLINT}",
    "npm run lint:nested": f"npm run lint:nested -- -- {ESLINT}",
    "pnpm lint": f"pnpm lint {ESLINT}",
    "yarn run lint": f"yarn run lint {ESLINT}",
    "npm test": f"npm test -- {VITEST}",
    "npm t": f"npm t -- {VITEST}",
    # options about the look of the output that the tool would not take twice
    "ruff check -q --output-format=github .": f"{RUFF} ruff check   . --verbose",
    "ruff check --output-format github .": f"{RUFF} ruff check   . --verbose",
    # the same tool twice: each has a report of its own
    "pytest a; pytest b": "pytest a --junitxml=/r/junit-1.xml -o junit_family=xunit1; "
    "pytest b --junitxml=/r/junit-2.xml -o junit_family=xunit1",
}


@pytest.mark.parametrize("command", ASKED)
def test_the_tool_is_asked_where_it_is_started(tmp_path: Path, command: str) -> None:
    result = armed(tmp_path, command)
    assert (result.line, result.obstacle) == (ASKED[command], None)


OBSTACLES = {
    "npm run lint:quiet": "does not end with the tool alone",
    "npm run lint:first": "does not end with the tool alone",
    "for d in a b; do pytest $d; done": "loop",
    "npm -w web run lint": "other packages",
}


@pytest.mark.parametrize("command", OBSTACLES)
def test_a_tool_that_cannot_be_asked_is_an_obstacle(tmp_path: Path, command: str) -> None:
    result = armed(tmp_path, command)
    assert result.line == command
    assert OBSTACLES[command] in (result.obstacle or "")


def test_a_named_tool_behind_make_is_asked_by_environment_or_not_believed(tmp_path: Path) -> None:
    assert armed(tmp_path, "make check", "pytest").env == {
        "PYTEST_ADDOPTS": "--junitxml=/r/junit.xml -o junit_family=xunit1"
    }
    assert armed(tmp_path, "make check", "ruff").env["RUFF_OUTPUT_FILE"] == "/r/ruff.json"
    assert "cannot be asked" in (armed(tmp_path, "make check", "eslint").obstacle or "")
    assert armed(tmp_path, "make check", "mypy").obstacle is None, "its output says all that is needed"


@pytest.mark.parametrize("command", ["true", "echo ok", "exit 0", ":; cd ."])
def test_words_of_the_shell_measure_nothing(tmp_path: Path, command: str) -> None:
    assert not armed(tmp_path, command).measures


@pytest.mark.parametrize("command", ["cargo clippy", "npm run style", "npm run loop", "golangci-lint run && echo ok"])
def test_an_unknown_tool_runs_as_it_is(tmp_path: Path, command: str) -> None:
    result = armed(tmp_path, command)
    assert (result.line, result.measures, result.obstacle) == (command, True, None)
    assert [each.recipe.tool for each in result.asked] == ["generic"]


@pytest.mark.parametrize(
    ("command", "alone"),
    [("ruff check .", True), ("cd a && ruff check .", True), ("ruff check . && ruff format --check .", False)],
)
def test_whether_other_commands_may_decide_the_exit_code(tmp_path: Path, command: str, alone: bool) -> None:
    assert armed(tmp_path, command).alone is alone


def test_a_character_that_crashes_the_grammar_is_read_as_a_letter() -> None:
    command = read_line("echo {\U0010ffff é && ruff").commands
    assert [each.texts for each in command] == [("echo", "{\U0010ffff", "é"), ("ruff",)]


@settings(max_examples=50)
@given(st.text(max_size=60))
@example("0|")
@example("a && ")
def test_any_text_can_be_read_and_words_lie_where_they_say(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass").decode("utf-8", "ignore")
    for command in read_line(data).commands:
        for word in command.words:
            assert 0 <= word.start < word.end <= len(data.encode())
