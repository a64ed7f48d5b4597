"""A tool that Ralph offers to agents, however it reaches them: in the process, over stdio, over HTTP.

Rules (issue: MCP): an input schema is strict (`additionalProperties: false`, limits, only what is really required in
`required`); a result is a JSON object; what is wrong with a call is a `ToolError` whose message tells the agent what to
do. A tool is called by several threads at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ralph.errors import RalphError
from ralph.mcp.validate import unknown_words
from ralph.record import record

PREFIX = "mcp__ralph__"
"""How clients name the tools of the server `ralph`."""


class ToolError(RalphError):
    """The call was refused; the message is for the agent."""


@record(kw_only=True)
class Tool:
    """`schema` is the JSON Schema of the arguments, `call` takes arguments that were checked against it.

    `reads` is True for a tool that changes nothing.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    call: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    reads: bool = False

    def __post_init__(self) -> None:
        if words := unknown_words(self.schema):
            raise ValueError(f"the schema of {self.name} holds what nobody checks: {', '.join(words)}")
