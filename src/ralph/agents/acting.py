"""What the words of a script do: one turn of the scripted agent, action by action. See `scripted.py` for the rules."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ralph.agents.base import Claim, Decided, End, Record, Text, ToolCall, ToolResult, Turn, Usage
from ralph.agents.script import Action
from ralph.agents.watchdog import Watchdog
from ralph.errors import RalphError
from ralph.events import inbox, tokens
from ralph.hook.model import Call
from ralph.mcp.answer import answer
from ralph.mcp.model import PREFIX
from ralph.system import stream
from ralph.system.process import Command
from ralph.system.scratch import scratch

COMMAND_LIMIT_S = 120.0
GRACE_S = 5.0
"""Time for `ralph exec` to look at what the command did."""
TICK_S = 0.05

Arguments = Mapping[str, Any]
Result = tuple[bool, str]


class Stage:
    """One turn that is played."""

    def __init__(self, turn: Turn, name: str) -> None:
        self.turn = turn
        self.name = name
        self.watchdog = Watchdog(turn)
        self.usage: Usage | None = None
        self.end: End | None = None
        self._calls = 0

    def play(self, actions: Iterable[Action]) -> Iterator[Record]:
        """All records of the turn, its end included."""
        for word, argument in actions:
            if self.end is None and (overdue := self.watchdog.check()):
                self.end = overdue.end()
            if self.end is not None:
                break
            yield from WORDS[word](self, argument)
            self.watchdog.alive()
        end = self.end or End("completed")
        yield End(end.reason, end.detail, self.usage, end.retry_after_s)

    def act(
        self, tool: str, target: str, given: Arguments, act: Callable[[Arguments], Result], asked: tuple[str, Arguments]
    ) -> Iterator[Record]:
        """Do something that is judged before as the call `asked`, a client's tool and its arguments."""
        self._calls += 1
        number = str(self._calls)
        yield ToolCall(tool, target, number, given)
        as_tool, arguments = asked
        if self.turn.court is not None:
            call = Call(
                tool=as_tool,
                arguments=arguments,
                cwd=os.path.realpath(self.turn.workdir),
                session=self.turn.session or "",
                client=self.turn.court.client,
                id=number,
            )
            with self.watchdog.paused():  # a person may be asked
                ruling = self.turn.court.answer(call)
            yield Decided(id=number, tool=tool, outcome="allow" if ruling.allowed else "deny", reason=ruling.reason)
            if not ruling.allowed:
                yield ToolResult(False, ruling.reason, number, ran=False)
                return
            arguments = arguments if ruling.arguments is None else ruling.arguments
        try:
            ok, output = act(arguments)
        except OSError as error:
            ok, output = False, f"{error.filename}: {error.strerror}"
        except (RalphError, UnicodeError) as error:
            ok, output = False, str(error)
        yield ToolResult(ok, output, number)

    def shell(self, arguments: Arguments) -> Result:
        """Run a command, as long as the turn may last."""
        with scratch("agent") as folder:
            command = Command(
                line=arguments["command"],
                cwd=self.turn.workdir,
                env=self.turn.env,
                log=folder / "output.log",
                timeout_s=COMMAND_LIMIT_S,
                grace_s=GRACE_S,
            )
            with stream.start(command, to_log=True) as running:
                for _ in running.lines(TICK_S):
                    if self.watchdog.check():
                        running.stop()
        self._end_if_overdue()
        ended = running.ended
        assert ended is not None
        return ended.exit_code == 0, ended.output or ended.trouble or ""

    def wait(self, seconds: float) -> None:
        left = seconds
        while left > 0 and not self.watchdog.check():
            self.turn.stop.wait(min(left, TICK_S))
            left -= TICK_S
        self._end_if_overdue()

    def _end_if_overdue(self) -> None:
        if self.watchdog.overdue:
            self.end = self.watchdog.overdue.end()


def _say(stage: Stage, text: str) -> Iterator[Record]:
    yield Text(text)


def _claim(stage: Stage, claim: Arguments) -> Iterator[Record]:
    yield Claim(claim["topic"], claim.get("payload", ""))


def _emit(stage: Stage, event: Arguments) -> Iterator[Record]:
    topic, payload = event["topic"], event.get("payload", "")
    if inbox.VARIABLE not in stage.turn.env:
        yield Claim(topic, payload)
        return

    def post(_: Arguments) -> Result:
        folder, _card = inbox.card(stage.turn.env)
        inbox.post(folder, topic, payload, stage.turn.env.get(tokens.VARIABLE, ""))
        return True, f"{topic} was handed in"

    yield from stage.act("emit", topic, event, post, (f"{PREFIX}ralph_emit", event))


def _write(stage: Stage, file: Arguments) -> Iterator[Record]:
    path = stage.turn.workdir / file["path"]

    def write(_: Arguments) -> Result:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["content"], "utf-8")
        return True, f"wrote {len(file['content'])} characters"

    yield from stage.act("write", file["path"], file, write, ("Write", _named(path, content=file["content"])))


def _replace(stage: Stage, edit: Arguments) -> Iterator[Record]:
    path, old, new = stage.turn.workdir / edit["path"], edit["old"], edit["new"]

    def replace(_: Arguments) -> Result:
        text = path.read_text("utf-8")
        if is_replaced(text, old, new):
            return True, "it was replaced already"
        if not text.count(old) or (text.count(old) > 1 and not edit.get("all")):
            return False, f"the text to replace stands {text.count(old)} times in {edit['path']}"
        path.write_text(text.replace(old, new), "utf-8")
        return True, "replaced"

    asked = ("Edit", _named(path, old_string=old, new_string=new, replace_all=edit.get("all", False)))
    yield from stage.act("replace", edit["path"], edit, replace, asked)


def is_replaced(text: str, old: str, new: str) -> bool:
    """Whether the replacement was done before: the new text stands there, and the old one nowhere but in it."""
    return old not in (text.replace(new, "\0") if old in new else text) and new in text


def _delete(stage: Stage, name: str) -> Iterator[Record]:
    def delete(arguments: Arguments) -> Result:
        if stage.turn.court is not None:
            return stage.shell(arguments)
        (stage.turn.workdir / name).unlink()
        return True, "deleted"

    asked = ("Bash", {"command": f"rm -- {shlex.quote(name)}"})
    yield from stage.act("delete", name, {"path": name}, delete, asked)


def _run(stage: Stage, line: str) -> Iterator[Record]:
    arguments = {"command": line}
    yield from stage.act("run", line, arguments, stage.shell, ("Bash", arguments))


def _commit(stage: Stage, message: str) -> Iterator[Record]:
    yield from _run(stage, f"git add -A && git commit -q -m {shlex.quote(message)}")


def _tool(stage: Stage, call: Arguments) -> Iterator[Record]:
    name, arguments = call["name"].removeprefix(PREFIX), call.get("arguments") or {}

    def ask(_: Arguments) -> Result:
        told = answer(stage.turn.tools, name, arguments)
        return not told.refused, told.text

    yield from stage.act(f"{PREFIX}{name}", name, arguments, ask, (f"{PREFIX}{name}", arguments))


def _usage(stage: Stage, used: Arguments) -> Iterator[Record]:
    stage.usage = Usage(**used)
    yield stage.usage
    limit, cost = stage.turn.limits.cost_usd, stage.usage.cost_usd
    if limit is not None and cost is not None and cost >= limit:
        stage.end = End("budget", f"the turn cost {cost:g} USD, and may cost {limit:g}")


def _wait(stage: Stage, seconds: float) -> Iterator[Record]:
    stage.wait(seconds)
    yield from ()


def _end(stage: Stage, end: Any) -> Iterator[Record]:
    how = {"reason": end} if isinstance(end, str) else dict(end)
    stage.end = End(**{"detail": "as the script says", **how})
    yield from ()


def _crash(stage: Stage, signal: str) -> Iterator[Record]:
    stage.end = End("crashed", f"the client was ended by {signal}, as the script says")
    yield from ()


def _named(path: Path, **arguments: str | bool) -> Arguments:
    return {"file_path": str(path), **arguments}


WORDS: Mapping[str, Callable[[Stage, Any], Iterator[Record]]] = {
    "say": _say,
    "claim": _claim,
    "emit": _emit,
    "write": _write,
    "replace": _replace,
    "delete": _delete,
    "run": _run,
    "commit": _commit,
    "tool": _tool,
    "usage": _usage,
    "wait_s": _wait,
    "end": _end,
    "crash": _crash,
}
