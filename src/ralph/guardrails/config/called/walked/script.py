"""The commands that a shell script comes to when it is called with some words, as one line of shell.

Rule: conditions, choices and loops over what is known are gone through, variables and words are put in; where only
running could tell, both ways stay as they are. What says something, or sets the script up, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import tree_sitter

from ralph.guardrails.checks.shell.outline import shell_flags
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.called.walked import commands, compounds
from ralph.guardrails.config.called.walked.asked import truth
from ralph.guardrails.config.called.walked.names import Names, starting
from ralph.guardrails.config.called.walked.run import End, Run, TooMuch

MOST_STEPS, LARGEST = 1_500, 30_000
KINDS: dict[str, Callable[[Run, tree_sitter.Node], End]] = {
    "command": commands.command,
    "test_command": lambda run, node: End(truth=truth(run.names, run.script, node)),
    "list": compounds.list_,
    "pipeline": compounds.pipeline,
    "negated_command": compounds.negated,
    "redirected_statement": compounds.redirected,
    "subshell": compounds.subshell,
    "compound_statement": compounds.compound,
    "if_statement": compounds.if_,
    "case_statement": compounds.case,
    "while_statement": compounds.while_,
    "for_statement": compounds.for_,
    "variable_assignment": commands.assignment,
    "variable_assignments": commands.declared,
    "declaration_command": commands.declared,
    "function_definition": commands.function,
}


def walked(text: str, words: Sequence[str], environment: Mapping[str, str], asked: frozenset[str]) -> str | None:
    """None for a script that cannot be followed. `asked`: variables that calls of it set anywhere."""
    script = Script(text) if len(text) <= LARGEST else None
    if script is None or script.root.has_error:
        return None
    first = text.partition("\n")[0]
    errexit = first.startswith("#!") and shell_flags(first.split())[0]
    try:
        end = Walk(script, starting(environment, asked, tuple(words)), errexit=errexit).sequence(script.root.children)
    except TooMuch:
        return None
    return f"( {end.text} )" if end.text else ":"


class Walk:
    """Follows one script. What it knows changes on the way (`names`)."""

    def __init__(self, script: Script, names: Names, *, errexit: bool) -> None:
        self.script, self.names, self.errexit = script, names, errexit
        self.steps, self.deep = MOST_STEPS, 0
        self.options = 0
        """Words that `getopts` has gone through."""

    def sequence(self, nodes: Sequence[tree_sitter.Node]) -> End:
        parts: list[str] = []
        said: bool | None = True
        for index, node in enumerate(nodes):
            run = KINDS.get(node.type)
            if run is None:
                continue
            self.steps -= 1
            if self.steps < 0:
                raise TooMuch
            end = run(self, node)
            apart = index + 1 < len(nodes) and nodes[index + 1].type == "&"
            parts += [f"{{ {end.text} & }}" if apart else end.text] if end.text else ()
            said = True if apart else end.truth
            if end.flow and not apart:
                return End(self.joined(parts), said, end.flow)
        return End(self.joined(parts), said)

    def joined(self, parts: Sequence[str]) -> str:
        return (" && " if self.errexit else "; ").join(parts)

    def either(self, *ways: Callable[[], End]) -> list[End]:
        """Ways of which only running could tell which is gone: what they agree on is known behind them."""
        start, ends, found = self.names, list[End](), list[Names]()
        for way in ways:
            self.names = start.copied()
            end = way()
            ends.append(end)
            if not end.flow:
                found.append(self.names)
        self.names = start
        for names in found[:1]:
            self.names.forget(names, names)
        for names in found[1:]:
            self.names.forget(self.names.copied(), names)
        return ends
