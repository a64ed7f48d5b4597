"""The tutorial is true: its commands are run as they stand there, in a real shell, and say what it says they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from ralph.approvals.person import AGENT_MARKS

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FAILING = re.compile(r"^(ralph .+?)  # exit code (\d)$", re.MULTILINE)
MARK = "@@ block"


def script(blocks: list[str]) -> str:
    """All of them in one shell, which ends at the first command that fails and is not said to."""
    expected = [FAILING.sub(r"\1 && code=0 || code=$?; test $code -eq \2", each) for each in blocks]
    return "set -euo pipefail\nexec 2>&1\n" + "".join(f"echo '{MARK}'\n{each}" for each in expected)


def environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in AGENT_MARKS and not key.startswith("XDG_")}
    person = {f"GIT_{role}_{what}": "me@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, **person, "HOME": str(home), "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull}


def test_the_tutorial(tmp_path: Path) -> None:
    found = BLOCK.findall(PAGE.read_text("utf-8"))
    blocks = [text for kind, text in found if kind == "sh"]
    (tmp_path / "home").mkdir()
    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script(blocks)],
        cwd=tmp_path,
        env=environment(tmp_path / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stdout[-3000:]
    said = ended.stdout.split(f"{MARK}\n")[1:]
    assert len(said) == len(blocks)
    number = -1
    for kind, text in found:
        if kind == "sh":
            number += 1
        elif number >= 0:
            in_order(text.splitlines(), said[number])


def in_order(lines: list[str], output: str) -> None:
    place = 0
    for line in lines:
        place = output.find(line, place)
        assert place >= 0, f"{line!r} is not said, or not there:\n{output}"
        place += len(line)
