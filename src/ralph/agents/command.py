"""Any program as an agent: it gets the prompt, works in the project, and what it writes is what it says.

Rules (issue: agents; design decisions 25, 30, 36):

- The prompt is an argument where `argv` says `{prompt}`, a file where it says `{prompt_file}`, else standard input.
- Nobody can judge the single actions of such a program, so all of it is in the sandbox, as one command would be: files
  as the policy and the phase say; `.git`, `.ralph` and the ledgers closed; Ralph's keys and the person's secrets not
  there. What a phase takes away beyond files (the shell, subagents) cannot be taken from it. A level that the policy
  demands and the machine lacks ends the turn as `ungoverned`. Without a court, which would hold a policy, the walls are
  those of Ralph's own steps, at the level that the machine has.
- No network, unless its configuration says `network: true`, because its model is elsewhere. `readable` and `writable`
  name what else it needs: its settings in the home folder, which is otherwise empty in there.
- It hands events in with `ralph emit`; the turn's inbox is open to it.
- Lines of its standard output are text, without terminal control sequences, and limited; standard error goes to a log.
- What it used is unknown, unless its configuration says `reports_usage: true`: then lines `RALPH-USAGE {"input_tokens":
  9, "cost_usd": 0.01, ...}` (the names of `base.Usage`) give the figures of the turn so far. They only ever grow, so a
  model that writes such a line itself can make its turn look dearer, never cheaper.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ralph.agents.base import End, Record, Started, Text, Turn, Usage
from ralph.agents.watchdog import Watchdog
from ralph.errors import ConfigError, RalphError, SandboxUnavailable
from ralph.events.terminal import stripped
from ralph.hook.inside import inbox
from ralph.permissions.sandbox.confine import require, start_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.permissions.sandbox.probe import enforced_level
from ralph.permissions.sandbox.walls import demanded, walls_for, walls_for_steps
from ralph.record import asdict, record, replace
from ralph.system import records
from ralph.system.ends import mishap
from ralph.system.git import open_exactly
from ralph.system.lines import Line
from ralph.system.process import Command, Ended
from ralph.system.scratch import scratch
from ralph.system.stream import Running
from ralph.system.text import visible

MOST_TEXT = 4 << 20
"""Characters of a turn's output that become text."""
LONGEST_LINE = 64 << 10
LONGEST_ARGUMENT = 120_000
"""Bytes; the kernel takes a little more."""
GRACE_S = 5.0
MOST_COMPLAINTS = 256 << 20
"""Bytes of standard error; a program that writes more is ended."""
_USAGE = b"RALPH-USAGE "
_FIELD = re.compile(r"\{(prompt|prompt_file)\}")


@record(kw_only=True)
class CommandAgent:
    """`argv` may hold `{prompt}` and `{prompt_file}`; its first word is looked up on the turn's PATH."""

    name: str
    argv: tuple[str, ...]
    network: bool = False
    reports_usage: bool = False
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()

    def run(self, turn: Turn) -> Iterator[Record]:
        try:
            with scratch("client") as folder:
                yield from self._played(turn, folder)
        except SandboxUnavailable as error:
            yield End("ungoverned", str(error))
        except (RalphError, OSError) as error:
            yield End("error", str(error))

    def _played(self, turn: Turn, folder: Path) -> Iterator[Record]:
        level = self._level(turn)
        yield Started(agent=self.name, detail=f"sandbox: {level}")
        command = self._command(turn, folder)
        if isinstance(command, End):
            yield command
            return
        output = _Output(self.reports_usage)
        with start_confined(command, self._walls(turn, folder, level), level) as running:
            watchdog = Watchdog(turn, pulse=lambda: (running.received, command.log.stat().st_size))
            for line in watchdog.watch(running.lines()):
                yield from output.records(line)
            if watchdog.overdue:
                running.stop()
            yield from _rest(running, output)
        assert running.ended is not None
        end = watchdog.overdue.end() if watchdog.overdue else _end(running.ended, turn)
        yield replace(end, usage=output.usage)

    def _level(self, turn: Turn) -> Level:
        level = enforced_level()
        if turn.court is not None:
            require(level, demanded(turn.court.permissions))
        return level

    def _command(self, turn: Turn, folder: Path) -> Command | End:
        file = folder / "prompt.txt"
        file.write_bytes(turn.prompt.encode("utf-8", "replace"))
        values = {"prompt": turn.prompt, "prompt_file": str(file)}
        used = {name for word in self.argv for name in _FIELD.findall(word)}
        argv = tuple(_FIELD.sub(lambda match: values[match[1]], word) for word in self.argv)
        longest = max(len(word.encode("utf-8", "replace")) for word in argv)
        if "prompt" in used and (longest > LONGEST_ARGUMENT or "\0" in turn.prompt):
            return End("error", f"the prompt is no argument that {argv[0]} could take: use {{prompt_file}}")
        return Command(
            line=argv,
            cwd=turn.workdir,
            env={},
            log=(turn.folder or folder) / "client.log",
            timeout_s=math.inf if turn.limits.runtime_s is None else turn.limits.runtime_s,
            grace_s=GRACE_S,
            max_log_bytes=MOST_COMPLAINTS,
            stdin=b"" if used else file.read_bytes(),
        )

    def _walls(self, turn: Turn, folder: Path, level: Level) -> Walls:
        variables = {**turn.env, "RALPH_SANDBOX": str(level)}
        readable = [folder, *(path.expanduser() for path in self.readable)]
        writable = [path.expanduser() for path in self.writable]
        if place := inbox(turn.workdir, turn.env):
            writable.append(place)
        if turn.court is None:
            walls = walls_for_steps(turn.workdir.resolve(), variables, open_network=self.network)
        else:
            root = turn.court.root
            walls = walls_for(turn.court.permissions, root, variables, open_network=self.network)
            readable.append(open_exactly(root).common_dir)  # of a linked work tree it may lie in the home folder
        return replace(
            walls,
            network=(),
            writable=(*walls.writable, *writable),
            readable_home=(*walls.readable_home, *readable),
        )


class _Output:
    """From lines to records."""

    def __init__(self, reports_usage: bool) -> None:
        self.usage: Usage | None = None
        self._reports_usage = reports_usage
        self._room = MOST_TEXT

    def records(self, line: Line) -> Iterator[Record]:
        if self._reports_usage and line.data.startswith(_USAGE) and (used := _usage(line.data[len(_USAGE) :])):
            self.usage = _grown(self.usage or Usage(), used)
            yield self.usage
            return
        if self._room <= 0:
            return
        text = visible(stripped(line.data[:LONGEST_LINE].decode("utf-8", "replace")).removesuffix("\r"), keep="\t")
        left_out = line.left_out + max(0, len(line.data) - LONGEST_LINE)
        text += f" [... {left_out} bytes left out]" if left_out else ""
        if text.strip():
            self._room -= len(text)
            yield Text(text)
            if self._room <= 0:
                yield Text(f"[the rest of the output is left out: it is longer than {MOST_TEXT} characters]")


def _rest(running: Running, output: _Output) -> Iterator[Record]:
    for line in running.lines():
        if line is not None:
            yield from output.records(line)


def _usage(data: bytes) -> Usage | None:
    """What a line says was used; None if it cannot be read, and is text then."""
    try:
        said = records.parse(Usage, json.loads(data), "usage")
    except (ValueError, RecursionError, ConfigError):
        return None
    figures = asdict(said).values()
    return said if all(each is None or (math.isfinite(each) and each >= 0) for each in figures) else None


def _grown(before: Usage, now: Usage) -> Usage:
    """The greater of each figure; of the context the newer, which may shrink."""
    cost = max((each for each in (before.cost_usd, now.cost_usd) if each is not None), default=None)
    names = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "model_calls")
    figures: Mapping[str, int] = {name: max(getattr(before, name), getattr(now, name)) for name in names}
    return replace(now, cost_usd=cost, **figures)


def _end(ended: Ended, turn: Turn) -> End:
    if ended.timed_out:
        return End("timeout", f"the turn took longer than {turn.limits.runtime_s:g} s")
    said = visible(stripped(ended.output).strip().rpartition("\n")[2])[:500]
    why = mishap(ended, 0.0, said)
    if why is None:
        code = ended.exit_code
        return End("completed") if code == 0 else End("error", f"exit code {code}{f': {said}' if said else ''}")
    never_ran = ended.exit_code in (126, 127) or (ended.exit_code is None and ended.signal is None)
    return End("error" if never_ran else "crashed", why)
