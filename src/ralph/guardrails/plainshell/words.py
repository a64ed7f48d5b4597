"""The words of shell commands as a script that runs from top to bottom would give them.

Rule: a variable is put in where its value is known at that point of the script, and a value is known as the text that
it was given: `out=$(./add 1 2)` makes `$(./add 1 2)` of `"$out"`. Quotes around a whole word say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import tree_sitter

from ralph.guardrails.source import Source
from ralph.record import record
from ralph.syntax import walk
from ralph.system.patterns import later

EXPANSIONS = frozenset({"simple_expansion", "expansion"})
NAME = later(r"\$\{?(?P<name>\w+|[?@*#])\}?")
ALL = later(r"\"?\$\{?[@*]\}?\"?")
NEEDLESS = later(r"(?P<quote>[\"'])(?P<word>[$\w./:=@%+{}-]+)(?P=quote)")
"""A word inside a command that would be the same without its quotes."""
LONGEST = 400
"""A value that is longer is not put in."""

Values = Mapping[str, str]


@record
class Words:
    """The words of one file."""

    source: Source

    def of(self, node: tree_sitter.Node, values: Values) -> str:
        """A word or a command without the quotes around it, with what is known of its variables."""
        match node.type:
            case "raw_string":
                return self.source.text(node)[1:-1]
            case "string":
                return NEEDLESS.sub(r"\g<word>", self._written(node, values)[1:-1])
            case "concatenation":
                return "".join(self.of(child, values) for child in node.children)
        return NEEDLESS.sub(r"\g<word>", self._written(node, values))

    def of_command(self, command: tree_sitter.Node, values: Values, given: Sequence[str]) -> list[str]:
        """`given`: what the script or function was given, for `"$@"`."""
        found: list[str] = []
        for child in command.named_children:
            if child.type == "command_name" and child.named_children:
                child = child.named_children[0]
            if child.type in ("variable_assignment", "comment") or "redirect" in child.type:
                continue
            text = self.of(child, values)
            if ALL.fullmatch(self.source.text(child)):
                found += given
            elif child.type in EXPANSIONS and "(" not in text:
                found += text.split()
            else:
                found.append(text)
        return found

    def _written(self, node: tree_sitter.Node, values: Values) -> str:
        data, at, parts = self.source.data, node.start_byte, []
        for child in walk(node):
            if child.type in EXPANSIONS and child.start_byte >= at:
                parts += [_decoded(data[at : child.start_byte]), _value(self.source.text(child), values)]
                at = child.end_byte
        return "".join((*parts, _decoded(data[at : node.end_byte])))


def _decoded(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return re.sub(r"\\?\n[ \t]*", " ", re.sub(r"`([^`]*)`", r"$(\1)", text))


def _value(text: str, values: Values) -> str:
    found = NAME.fullmatch(text)
    return text if found is None else values.get(found["name"], f"${found['name']}")
