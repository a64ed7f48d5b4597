"""The clean environment, and the digests of the programs that run in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ralph.steps.environment import clean_environment, project_path
from ralph.steps.tool_digests import changed_tools, tool_digests

BEHAVIOUR = (
    *("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONPATH", "PYTHONSTARTUP", "RUFF_CONFIG", "MYPYPATH"),
    *("NODE_OPTIONS", "VITEST", "npm_config_script_shell", "RUSTFLAGS", "GOFLAGS", "GIT_DIR"),
    *("LD_PRELOAD", "BASH_ENV", "ENV", "PS4", "SOME_API_KEY"),
)


def clean(root: Path, **started_with: str) -> dict[str, str]:
    return clean_environment(started_with, root=root, scratch=Path("/s"), bytecode=Path("/b"))


@pytest.mark.parametrize("name", BEHAVIOUR)
def test_nothing_that_tells_a_tool_how_to_behave_is_passed_on(tmp_path: Path, name: str) -> None:
    assert name not in clean(tmp_path, **{name: "x"})


@pytest.mark.parametrize("name", ["HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SSL_CERT_FILE", "JAVA_HOME", "GOPATH"])
def test_who_and_where_is_passed_on(tmp_path: Path, name: str) -> None:
    assert clean(tmp_path, **{name: "x"})[name] == "x"


def test_what_is_set_for_all(tmp_path: Path) -> None:
    env = clean(tmp_path, CI="false", COVERAGE_FILE="mine")
    assert (env["CI"], env["PYTHONNOUSERSITE"], env["LANG"]) == ("1", "1", "C.UTF-8")
    assert (env["COVERAGE_FILE"], env["PYTHONPYCACHEPREFIX"]) == ("/s/coverage-data", "/b")


def test_the_projects_own_tools_come_first_and_relative_places_are_dropped(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    assert (
        project_path("/usr/bin::.:node_modules/.bin:/bin:/usr/bin", tmp_path) == f"{tmp_path}/.venv/bin:/usr/bin:/bin"
    )


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def digests(root: Path, command: str = "tool --x && ./own.sh | cat") -> dict[str, str]:
    return tool_digests([command], root=root, env={"PATH": f"{root}/.venv/bin:{os.environ['PATH']}"}, known={})


def test_the_programs_of_the_commands_and_of_the_project_have_digests(tmp_path: Path) -> None:
    program(tmp_path / ".venv/bin/tool")
    program(tmp_path / "own.sh")
    program(tmp_path / "node_modules/eslint/bin.js")
    (tmp_path / "node_modules/.bin").mkdir()
    (tmp_path / "node_modules/.bin/eslint").symlink_to("../eslint/bin.js")
    found = digests(tmp_path)
    assert {".venv/bin/tool", "own.sh", "node_modules/.bin/eslint"} <= found.keys()
    assert any(path.endswith("/cat") for path in found)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a program written over": lambda root: (root / ".venv/bin/tool").write_text("#!/bin/sh\nexit 0\n"),
    "a program added": lambda root: program(root / ".venv/bin/ruff"),
    "a program removed": lambda root: (root / ".venv/bin/tool").unlink(),
    "the target of a link": lambda root: (root / "node_modules/eslint/bin.js").write_text("exit 0"),
    "a package added": lambda root: program(root / ".venv/lib/python3.11/site-packages/x-1.dist-info/RECORD"),
    "code run at every start": lambda root: program(root / ".venv/lib/python3.11/site-packages/x.pth"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(tmp_path: Path, change: str) -> None:
    program(tmp_path / ".venv/bin/tool")
    program(tmp_path / "node_modules/eslint/bin.js")
    (tmp_path / "node_modules/.bin").mkdir()
    (tmp_path / "node_modules/.bin/eslint").symlink_to("../eslint/bin.js")
    known: dict[str, str] = {}

    def look() -> dict[str, str]:
        return tool_digests(["tool"], root=tmp_path, env={"PATH": f"{tmp_path}/.venv/bin"}, known=known)

    before = look()
    assert changed_tools(before, look()) == []
    CHANGES[change](tmp_path)
    assert len(changed_tools(before, look())) == 1
