"""What Claude Code is answered before it uses a tool, whichever way it asks (research: agent clients, 1.4 and 1.5).

Rules (design decisions 24, 25 and 33):

- The turn's court decides. Without a court nothing is allowed but Ralph's own tools.
- Before it, what the turn does not offer is refused: a client may know more tools than it was told to offer. So is a
  subagent with a worktree of its own, for that is a change of the repository that nobody would be asked about.
- Every answer is a record, and is one before the client learns of it. Whatever goes wrong denies: a question without
  an answer, or with one that is no JSON, lets some clients run the tool.
- Many may ask at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager

from ralph.agents.base import Decided, Turn
from ralph.agents.claude_line import offered
from ralph.errors import RalphError
from ralph.hook import wire
from ralph.hook.model import Answer, Call
from ralph.mcp.model import PREFIX

CLIENT = "claude"
TIMEOUT_S = 24 * 3600
"""How long the client waits for an answer, of which the court knows best how long it takes: a person may be asked."""
_DELEGATES = ("Agent", "Task")


class Law:
    """The answers of one turn. `tell` gets each as a record, `paused` stands around the time that it takes."""

    def __init__(self, turn: Turn, tell: Callable[[Decided], None], paused: Callable[[], AbstractContextManager[None]]):
        self._court = turn.court
        self._offered = frozenset(offered(turn.capabilities))
        self._tell = tell
        self._paused = paused
        self.allowed: set[str] = set()
        """The ids of the calls that may happen."""

    def answer(self, question: bytes) -> bytes:
        """The hook's output for its input, both as JSON. Never raises."""
        call: Call | None = None
        try:
            with self._paused():
                call = wire.read(question, CLIENT)
                answer = self._judged(call) if call else Answer(False, "Nothing was asked.")
            reply = wire.write(answer)
        except Exception as error:  # noqa: BLE001 - an error that got away could let the tool run
            told = str(error) if isinstance(error, RalphError) else f"Ralph failed ({type(error).__name__}: {error})"
            answer = Answer(False, told)
            reply = wire.write(answer)
        if answer.allowed and call:
            self.allowed.add(call.id)
        number, tool = (call.id, call.tool) if call else (None, "?")
        self._tell(Decided(id=number, tool=tool, outcome="allow" if answer.allowed else "deny", reason=answer.reason))
        return reply

    def _judged(self, call: Call) -> Answer:
        is_own = call.tool.startswith(PREFIX)
        if not call.id:
            return Answer(False, "The client gave the call no id, so nobody could tell what came of it.")
        if not is_own and call.tool not in self._offered:
            return Answer(False, f"{call.tool} is not offered in this turn.")
        if call.tool in _DELEGATES and call.arguments.get("isolation"):
            return Answer(False, "Subagents work in the project's own folder: leave `isolation` out.")
        if self._court is not None:
            return self._court.answer(call)
        return Answer(is_own, "It is a tool of Ralph's own." if is_own else "Nobody decides in this turn.")


def settings(url: str, token: str) -> str:
    """The client's settings by which it asks a server of Ralph's, and takes no answer for a denial."""
    hook = {
        "type": "http",
        "url": url,
        "headers": {"Authorization": f"Bearer {token}"},
        "timeout": TIMEOUT_S,
        "onFailure": "block",
    }
    return json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}})
