"""What bash really runs: lines are executed in a sandbox where every program only logs how it was called.

For property tests of everything that judges shell lines: `run_lines(lines)` tells the argument lists that were
executed, and `fits(command, argv)` whether a simple command, as it was read, can have become one of them.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ralph.shell.model import Node, Simple, Text, Word
from ralph.shell.outline import scripts

BUILTINS = ("echo", "printf", "test", "[", "true", "false", ":", "pwd", "read")
PROGRAMS = ("git", "rm", "curl", "npm", "ls", "cat", "mv", "tee", "time", "env", *BUILTINS)
"""Programs that only log how they were called; the driver turns the builtins of these names off."""

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


@dataclass(frozen=True, slots=True)
class Ran:
    """How bash ended (None: it had to be stopped), and every argument list that it executed, in order."""

    code: int | None
    calls: tuple[tuple[str, ...], ...]


def run_lines(
    lines: Sequence[str], *, programs: Sequence[str] = PROGRAMS, real: Sequence[str] = (), timeout_s: float = 2.0
) -> list[Ran]:
    """Run each line in an empty folder of its own, without network, and with nothing but logging programs on PATH.

    `real` are programs of the system that are there as well, to start others (`env`, `xargs`).
    """
    sandbox = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--dev", "/dev"]
    sandbox += ["--proc", "/proc", "--tmpfs", "/tmp", "--clearenv"]
    driver = Path(__file__).with_name("driver.py")
    # The driver and Python may lie below /tmp themselves.
    for needed in (driver.parent, Path(sys.base_prefix)):
        sandbox += ["--ro-bind", str(needed), str(needed)]
    request = {"lines": list(lines), "programs": list(programs), "real": list(real)}
    done = subprocess.run(
        [*sandbox, str(Path(sys.executable).resolve()), "-I", "-S", str(driver)],
        input=json.dumps({**request, "off": BUILTINS, "timeout_s": timeout_s}),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
        check=True,
        timeout=60 + timeout_s * len(lines),
    )
    return [Ran(code, tuple(tuple(call) for call in calls)) for code, calls in json.loads(done.stdout)]


def commands(node: Node) -> Iterator[Simple]:
    """Every simple command anywhere in a reading, those within words included."""
    words: list[Word] = []
    if isinstance(node, Simple):
        yield node
        words += [*node.words, *(assignment.value for assignment in node.assignments)]
    else:
        words += node.values
        for part in node.parts:
            yield from commands(part)
    words += [word for redirect in node.redirects for word in (redirect.target, redirect.body) if word]
    for script in (script for word in words for part in word.parts for script in scripts(part)):
        yield from commands(script)


def fits(command: Simple, argv: Sequence[str]) -> bool:
    """True if the words of a command can have become these arguments: exactly, where they are known."""
    pattern = "".join(
        re.escape(word.literal) + "\0" if word.literal is not None else _pattern(word) for word in command.words
    )
    return re.fullmatch(pattern, "".join(f"{argument}\0" for argument in argv), re.DOTALL) is not None


def _pattern(word: Word) -> str:
    parts = "".join(re.escape(part.text) if isinstance(part, Text) else ".*" for part in word.parts)
    # An unquoted expansion may become no word at all, or several.
    return f"(?:{parts}\0)?"
