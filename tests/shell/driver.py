"""Runs inside the oracle's sandbox: each line by a real bash whose PATH holds only programs that log their arguments.

Reads a JSON list of lines from stdin, writes a JSON list of `[exit code or null, [argument list, …]]`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STUB = """#!/bin/sh
printf '%s\\0' "$#" "${0##*/}" "$@" >> "$CALLS"
"""


def main() -> None:
    request = json.load(sys.stdin)
    place = Path(tempfile.mkdtemp())
    stubs = place / "bin"
    stubs.mkdir()
    for name in request["programs"]:
        (stubs / name).write_text(STUB)
        (stubs / name).chmod(0o755)
    for name in request["real"]:
        (stubs / name).symlink_to(f"/usr/bin/{name}")
    (place / "start").write_text(f"enable -n {' '.join(request['off'])}\nFUNCNEST=20\n")
    json.dump([run(line, place, request["timeout_s"]) for line in request["lines"]], sys.stdout)


def run(line: str, place: Path, timeout_s: float) -> tuple[int | None, list[list[str]]]:
    calls = place / "calls"
    calls.write_bytes(b"")
    environment = {
        "PATH": str(place / "bin"),
        "HOME": str(place),
        "LC_ALL": "C.UTF-8",
        "BASH_ENV": str(place / "start"),
        "CALLS": str(calls),
    }
    with tempfile.TemporaryDirectory(dir=place) as empty:
        shell = subprocess.Popen(
            [b"/bin/bash", b"--noprofile", b"--norc", b"-c", line.encode("utf-8", "surrogateescape")],
            cwd=empty,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code: int | None = shell.wait(timeout_s)
        except subprocess.TimeoutExpired:
            code = None
        settle(shell.pid)
    return code, parsed(calls.read_bytes())


def settle(group: int) -> None:
    """Wait shortly for background commands, then end what is left of the session."""
    for _ in range(20):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def parsed(log: bytes) -> list[list[str]]:
    fields = [os.fsdecode(field) for field in log.split(b"\0")[:-1]]
    calls = []
    while fields:
        count = int(fields[0]) + 2
        calls.append(fields[1:count])
        fields = fields[count:]
    return calls


if __name__ == "__main__":
    main()
