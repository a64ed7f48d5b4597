"""A command of a task as text: what Hatch, PDM, Poe, pixi and Task run if their callers say nothing more.

Rules:

- `{args:-q tests}` of Hatch and PDM stands for its default, `{{.CLI_ARGS | default "tests"}}` of Task, too; without a
  default they stand for what a caller says.
- So do the arguments that a task of Poe (`${name}`) or pixi (`{{ name }}`) declares under `args`.
- Hatch's `{root}` is the project's folder. What other braces stand for is not known.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

CALLERS = "$@"
ARGS = later(r"\{args(?::(?P<default>(?:[^{}]++|\{[^{}]*+\})*+))?\}")
CLI_ARGS = later(
    r"\{\{-?[ \t]*\.CLI_ARGS[ \t]*"
    r"(?:\|[ \t]*default[ \t]+(?P<quote>[\"'`])(?P<default>[^\"'`{}]*)(?P=quote)[ \t]*)?-?\}\}"
)
DECLARED = later(r"\$\{(?P<braced>\w+)(?::-(?P<default>[^{}]*))?\}|\$(?P<bare>\w+)|\{\{[ \t]*(?P<filled>\w+)[ \t]*\}\}")


def of_hatch(text: str) -> str:
    """PDM has the same form."""
    return ARGS.sub(_default, text).replace("{root}", ".") if "{args" in text or "{root}" in text else text


def of_task(text: str) -> str:
    return CLI_ARGS.sub(_default, text) if ".CLI_ARGS" in text else text


def declared(text: str, arguments: Node | None) -> str:
    """`arguments`: what the task has under `args`, by name or as a list."""
    if arguments is None or not ("$" in text or "{{" in text):
        return text
    given = _defaults(arguments)

    def filled(found: re.Match[str]) -> str:
        name = found["braced"] or found["bare"] or found["filled"]
        return (given[name] or found["default"] or CALLERS) if name in given else found[0]

    return DECLARED.sub(filled, text)


def _default(found: re.Match[str]) -> str:
    return found["default"] or CALLERS


def _defaults(arguments: Node) -> dict[str, str]:
    named = dict(arguments.mapping)
    for item in arguments.items:
        name = item.at("name") or item.at("arg") if item.mapping else item
        if name is not None:
            named[canonical(name)] = item
    return {name: canonical(default) if (default := item.at("default")) else "" for name, item in named.items()}
