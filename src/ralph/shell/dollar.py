"""What a dollar sign begins: variables, expansions, arithmetic, and commands within words.

Computing some expansions runs code that stands in no word: `${x@P}`, `${!x}`, a subscript or arithmetic with names in
it (the shell evaluates their *values* again). Those are refused, whatever they hold. The others are Unknown, with the
commands in them; quotes and braces inside of one are refused, since where it ends then depends on too much.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Literal

from tree_sitter import Node

from ralph.shell.model import Group, Part, Substitution, Text, Unknown, Variable
from ralph.shell.opaque import Opaque
from ralph.shell.outline import scripts

_VARIABLE = re.compile(r"\$([A-Za-z_]\w*|[0-9@*#?$!-])|\$\{([A-Za-z_]\w*|[0-9]+|[@*#?$!-])\}", re.ASCII)
_COUNT = re.compile(r"\$\{#(?:[A-Za-z_]\w*(?:\[(?:[@*]|\d+)\])?|[0-9]+|[@*])\}", re.ASCII)
_FORM = re.compile(
    r"\$\{(?:[A-Za-z_]\w*|[0-9]+|[@*])(?:\[(?:[@*]|\d+)\])?"
    r"(?::[ ]*(?:\d+|(?<=[ ])-\d+)(?::-?\d+)?(?=\})|:?[-+?]|\#\#?|%%?|/[/\#%]?|\^\^?|,,?|(?=\}))",
    re.ASCII,
)
_CONTENT = re.compile(r"[^'\"`${}\\<>\n]+|\\[^\n]|[<>](?!\()")
_NUMBERS = re.compile(r"[\d\s+*/%<>=!&|^~?:,()-]*", re.ASCII)

ARITHMETIC = "arithmetic with names or expansions in it, whose values the shell evaluates as code"


class Dollars(ABC):
    """Reads what begins with a dollar sign in `text`; `nodes` are the nested commands of its tree, by their start."""

    text: str
    nodes: dict[int, Node]

    @abstractmethod
    def script(self, node: Node) -> Group:
        """The commands inside a substitution."""

    def dollar(self, at: int, *, quoted: bool) -> tuple[Part, int]:
        """The part that begins with the dollar sign at this place, and where it ends."""
        if match := _VARIABLE.match(self.text, at):
            return Variable(match[1] or match[2], quoted), match.end()
        following = self.text[at + 1 : at + 2]
        if following == "{":
            return self._expansion(at)
        if following == "[":
            raise Opaque(ARITHMETIC, (at, at + 2), "OPAQUE_ARITHMETIC")
        if self.text.startswith("((", at + 1):
            return self._arithmetic(at)
        if following == "(":
            return self._nested(at, "command_substitution", "output", quoted=quoted)
        return Text("$", quoted), at + 1

    def process(self, at: int) -> tuple[Part, int]:
        """The `<(…)` or `>(…)` at this place."""
        kind: Literal["read", "write"] = "read" if self.text[at] == "<" else "write"
        return self._nested(at, "process_substitution", kind, quoted=False)

    def _nested(
        self, at: int, kind: str, role: Literal["output", "read", "write"], *, quoted: bool
    ) -> tuple[Substitution, int]:
        node = self.nodes.get(at)
        if node is None or node.type != kind:
            raise Opaque("commands within a word that cannot be told from it", (at, at + 2))
        return Substitution(self.script(node), role, quoted), node.end_byte

    def _arithmetic(self, at: int) -> tuple[Unknown, int]:
        node = self.nodes.get(at)
        if node is None or node.type != "arithmetic_expansion":
            raise Opaque("an unclear arithmetic expansion", (at, at + 3), "OPAQUE_ARITHMETIC")
        end = node.end_byte
        if not _NUMBERS.fullmatch(self.text, at + 3, end - 2):
            raise Opaque(ARITHMETIC, (at, end), "OPAQUE_ARITHMETIC")
        return Unknown("arithmetic"), end

    def _expansion(self, at: int) -> tuple[Unknown, int]:
        if match := _COUNT.match(self.text, at):
            return Unknown("a length"), match.end()
        form = _FORM.match(self.text, at)
        if form is None:
            raise Opaque("an expansion that can run code or change a variable", (at, at + 2), "OPAQUE_EXPANSION")
        inner: list[Group] = []
        end = form.end()
        while not self.text.startswith("}", end):
            if match := _CONTENT.match(self.text, end):
                end = match.end()
            elif self.text.startswith("$", end):
                part, end = self.dollar(end, quoted=True)
                inner += scripts(part)
            else:
                raise Opaque("quotes, braces or backticks inside `${…}`", (at, end), "OPAQUE_EXPANSION")
        return Unknown("an expansion", tuple(inner)), end + 1
