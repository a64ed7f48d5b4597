"""Real git: no option that the tables call harmless runs a program or changes a file."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from ralph.permissions.programs.git_tables import READING
from ralph.permissions.programs.model import Arg, Call
from ralph.permissions.programs.registry import reader_of
from ralph.permissions.programs.scan import Takes

OPERANDS = {"show": ["HEAD"], "blame": ["a.txt"], "grep": ["o"], "cat-file": ["HEAD"], "rev-parse": ["HEAD"]}
TRIED = ("log", "diff", "show", "status", "blame", "grep", "ls-files", "cat-file", "rev-parse")
TRAPS = {"gpg.program": "gpg", "core.pager": "pager", "core.editor": "editor", "core.sshCommand": "ssh"}


class Repository:
    """A repository whose settings name programs that leave a trace."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.trace = folder / "tree", folder / "ran"
        self.tree.mkdir()
        trap = folder / "trap"
        trap.write_text(f'#!/bin/sh\necho "$@" >> {self.trace}\n')
        trap.chmod(0o755)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
        for key in ("GIT_AUTHOR", "GIT_COMMITTER"):
            self.environment |= {f"{key}_NAME": "a", f"{key}_EMAIL": "a@example.org"}
        self.git("init", "-q")
        for content in ("one\n", "two\n"):
            (self.tree / "a.txt").write_text(content)
            self.git("add", ".")
            self.git("commit", "-qm", content)
        (self.tree / "a.txt").write_text("three\n")
        for setting in TRAPS:
            self.git("config", setting, str(trap))

    def git(self, *words: str) -> int:
        ended = subprocess.run(
            ["git", *words],
            cwd=self.tree,
            env=self.environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=10,
            check=False,
        )
        return ended.returncode

    def digest(self) -> str:
        files = sorted(path for path in self.tree.rglob("*") if path.is_file() and path.name != "index")
        return hashlib.sha256(b"".join(str(path).encode() + path.read_bytes() for path in files)).hexdigest()


@pytest.mark.parametrize("subcommand", TRIED)
def test_harmless_options_are_harmless(subcommand: str, tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    reader = reader_of("git")
    assert reader is not None
    before = repository.digest()
    tried = 0
    for name, option in READING[subcommand].index.items():
        value = ["1"] if option.takes is Takes.VALUE else []
        words = [subcommand, name, *value, *OPERANDS.get(subcommand, [])]
        if name.startswith("--no-") or not reader(_call(words)).only_reads:
            continue
        repository.git(*words)
        tried += 1
    assert tried
    assert not repository.trace.exists()
    assert repository.digest() == before


def test_the_traps_work(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.git("branch", "--edit-description")
    assert repository.trace.exists()


def _call(words: list[str]) -> Call:
    return Call(name="git", path="git", args=tuple(Arg(word, (0, 0)) for word in words))
