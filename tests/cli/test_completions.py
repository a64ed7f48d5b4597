"""`ralph completions`: a real shell completes, and only what is being typed is loaded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ralph.cli.main import COMMANDS
from tests.cli.command import ralph, refused

BIN = Path(sys.executable).parent
SCRIPT = """
eval "$(ralph completions bash)"
COMP_WORDS=({words}) COMP_CWORD={number}
{function} {program} "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(*words: str, program: str = "ralph", cwd: Path | None = None) -> list[str]:
    """What bash offers for the last word."""
    function = f"_{program.replace('-', '_')}_completion"
    quoted = " ".join(f"'{word}'" for word in (program, *words))
    script = SCRIPT.format(words=quoted, number=len(words), function=function, program=program)
    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script],
        env={"PATH": f"{BIN}{os.pathsep}{os.defpath}", "HOME": os.environ.get("HOME", "/")},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    return ended.stdout.split()


CASES: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "a command": (("ver",), ["verify"]),
    "several": (("re",), ["resume", "reset"]),
    "none": (("nothing",), []),
    "of a group": (("audit", "sh"), ["show"]),
    "an option": (("verify", "--contr"), ["--contract"]),
    "an option of the whole": (("--vers",), ["--version"]),
    "a value": (("scan", "--format", "sa"), ["sarif"]),
    "a shell": (("completions", "f"), ["fish"]),
    "a door": (("hook", "--h"), ["--help"]),
}


@pytest.mark.parametrize(("words", "offered"), CASES.values(), ids=CASES)
def test_bash_completes(words: tuple[str, ...], offered: list[str]) -> None:
    found = completed(*words)
    assert [each for each in found if each in offered] == offered
    assert all(each.startswith(words[-1]) for each in found)


def test_every_command_is_offered_and_the_other_name_too() -> None:
    assert completed("") == list(COMMANDS)
    assert completed("doc", program="ralph-agent") == ["doctor"]


def test_what_is_offered_is_text_and_never_run(tmp_path: Path) -> None:
    """A word that a shell would expand is only compared."""
    completed("$(touch hit)", cwd=tmp_path)
    completed("verify", "--contract", "`touch hit`", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "loads"), [("ralph ", []), ("ralph v", []), ("ralph verify --", ["ralph.cli.verify"])]
)
def test_a_tab_loads_only_what_is_typed(words: str, loads: list[str]) -> None:
    """None of the other commands, and nothing heavy."""
    environ = {
        **os.environ,
        "_RALPH_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    code = "import sys, json\nfrom ralph.cli.main import run\nrun([])\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    modules = json.loads(ended.stdout.splitlines()[-1])
    commands = {path.split(":")[0] for path, _ in COMMANDS.values()}
    assert [each for each in modules if each in commands] == loads
    assert not {"yaml", "rich", "cryptography", "ralph.engine"} & set(modules)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_can_read_its_own(shell: str) -> None:
    said = ralph("completions", shell)
    assert (said.code, said.err) == (0, "")
    assert "_RALPH_COMPLETE=" + shell in said.out
    assert "ralph-agent" in said.out
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=said.out, text=True, check=True, timeout=60)


def test_another_shell_is_refused() -> None:
    refused(ralph("completions", "tcsh"), "tcsh", "bash")
