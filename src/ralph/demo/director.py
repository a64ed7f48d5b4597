"""Plays the person: starts the run, kills it in the middle, goes on with it, and approves what the agent asks for.

Everything happens as a person would do it: each command is a process of its own, what the run says is shown as it
comes, and the kill is SIGKILL, which nobody can prepare for.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from ralph.approvals.answering import Desk
from ralph.approvals.model import Status
from ralph.demo.stage import PROMPT, SCRIPT
from ralph.record import record

LOOK_S = 0.3
CUE = "> run pytest -q"
"""What the agent does when Ralph is killed."""
REASON = "The page describes what nobody does any more."


@record(kw_only=True)
class Director:
    """`say` shows a line of the run, `announce` what the person does."""

    root: Path
    environ: Mapping[str, str]
    say: Callable[[str], None]
    announce: Callable[[str], None]

    def play(self) -> int:
        """The whole arc; the exit code of its last command."""
        over = threading.Event()
        person = threading.Thread(target=self._approve_what_comes, args=(over,), daemon=True)
        person.start()
        try:
            self.announce(f'$ ralph run --agent scripted:script.yaml "{PROMPT}"')
            code = self._command("run", "--agent", f"scripted:{SCRIPT}", PROMPT, cue=CUE)
            self.announce("$ kill -9 RALPH        (it dies in the middle of the agent's turn)")
            self.announce(f"  it ended with {code}\n\n$ ralph resume")
            return self._command("resume")
        finally:
            over.set()
            person.join()

    def _command(self, *words: str, cue: str | None = None) -> int:
        """Run a command, show what it says, and kill it at the cue."""
        line = [sys.executable, "-m", "ralph", words[0], "-C", str(self.root), *words[1:]]
        with subprocess.Popen(
            line, env=self.environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as process:
            assert process.stderr is not None
            try:
                for raw in process.stderr:
                    told = raw.decode("utf-8", "replace").rstrip("\n")
                    self.say(told)
                    if cue and told.strip() == cue:
                        process.kill()
            except BaseException:
                process.terminate()
                raise
        return process.returncode

    def _approve_what_comes(self, over: threading.Event) -> None:
        """Approve each request once, with a reason, in a process of the person's own."""
        seen: set[str] = set()
        while not over.wait(LOOK_S):
            for entry in Desk(self.root, self.environ).entries():
                if entry.status is not Status.OPEN or entry.id in seen:
                    continue
                seen.add(entry.id)
                self.announce(f"\n$ ralph approvals approve {entry.id} --reason '{REASON}'")
                line = [sys.executable, "-m", "ralph", "approvals", "approve", entry.id, "--reason", REASON]
                subprocess.run([*line, "-C", str(self.root)], env=self.environ, check=True, capture_output=True)
