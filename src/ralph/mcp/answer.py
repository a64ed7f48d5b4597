"""One call of a tool, from its name and arguments to what the agent is told. Every way to a tool ends here.

Rules:

- Arguments are checked first; a call that is refused changed nothing.
- The text is a message, a blank line, and the result as JSON; the same result stands beside it as data. A refusal is
  its sentence.
- What a tool raises and Ralph did not foresee is `internal error` to the agent, without a word of what happened
  (paths, values); Ralph is told everything through `report`.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ralph.errors import RalphError
from ralph.mcp.model import Tool
from ralph.mcp.validate import problem
from ralph.record import record

Report = Callable[[str], None]
MESSAGE = "message"
"""The key of a result that holds its sentence for the agent."""


@record(kw_only=True)
class Answer:
    """What the agent is told. `data` is None for a refusal."""

    text: str
    data: dict[str, Any] | None = None

    @property
    def refused(self) -> bool:
        return self.data is None


def to_stderr(text: str) -> None:
    """Standard output may belong to a protocol."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a server has no other voice


def answer(tools: Iterable[Tool], name: str, arguments: Mapping[str, Any] | None, report: Report = to_stderr) -> Answer:
    """Call the tool of that name. Raises nothing but what stops a process."""
    known = {each.name: each for each in tools}
    tool = known.get(name)
    if tool is None:
        return Answer(text=f"There is no tool of this name here; there are: {', '.join(known) or 'none'}.")
    given = {} if arguments is None else arguments
    if wrong := problem(given, tool.schema):
        return Answer(text=f"{name} was not called: {wrong}")
    try:
        data = _plain(tool.call(given))
        return Answer(text=_text(data), data=data)
    except RalphError as error:
        return Answer(text=str(error))
    except Exception:  # noqa: BLE001 - whatever it is, the agent gets an answer and the server goes on
        report(f"ralph: the tool {name} failed:\n{traceback.format_exc().rstrip()}")
        return Answer(text=f"{name} ended in an internal error of Ralph; what it did is unknown: go on without it.")


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """The result as any reader of JSON takes it: halves of characters (from names of files) would stop a server."""
    plain: dict[str, Any] = json.loads(json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))
    return plain


def _text(data: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in data.items() if key != MESSAGE}
    message = str(data.get(MESSAGE, ""))
    return "\n\n".join(filter(None, (message, json.dumps(rest, indent=2, ensure_ascii=False) if rest else "")))
