"""Shell text as a tree whose words can be read: what a word is, with the variables put in whose values are known.

A word of which only running could tell is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import tree_sitter

from ralph.guardrails.checks.shell.numbers import ARRAY, ITEM, arithmetic, items
from ralph.guardrails.config.command_files.shellwords import unescaped, without_expressions
from ralph.record import record
from ralph.syntax import parse_bounded, walk
from ralph.system.patterns import later

EXPANSION = later(
    r"\$\{(?P<count>#)?(?P<name>\w+|\?)(?:\[(?P<index>[^\]]*)\])?(?:(?P<operator>:?[-=+])(?P<other>.*))?\}", re.DOTALL
)

SPREAD = later(r"\"\$\{(?P<name>\w+)\[@\]\}\"")
"""Each of an array's items is a word."""
COMPARED = later(r"\$?\{?(?P<name>[A-Za-z_]\w*)\}?[\"']?\s*(?:-\w\w|[<>=!]=?)\s*[\"']?(?P<number>\d{1,6})\b")
WITH_ANOTHER = later(r"\$?\{?([A-Za-z_]\w*)\}?[\"']?\s*(?:-\w\w|[<>=!]=?)\s*[\"']?\$?\{?([A-Za-z_]\w*)\b")
MARGIN = 2
Variables = Mapping[str, str | None]


@record(slots=False)
class Script:
    """One shell text. `row` is the row of the file on which it begins."""

    text: str
    row: int = 0

    @cached_property
    def data(self) -> bytes:
        return without_expressions(self.text).encode("utf-8", "replace")

    @cached_property
    def root(self) -> tree_sitter.Node:
        return parse_bounded("shell", self.data).root_node

    @cached_property
    def _compared(self) -> Mapping[str, int]:
        """The highest number that each name is compared with."""
        found: dict[str, int] = {}
        for match in COMPARED.finditer(self.text):
            found[match["name"]] = max(found.get(match["name"], 0), int(match["number"]))
        return found

    @cached_property
    def _together(self) -> frozenset[str]:
        """Names that are compared with one another."""
        return frozenset(name for match in WITH_ANOTHER.finditer(self.text) for name in match.groups())

    def counted(self, name: str, value: int) -> int:
        """What a counter holds, as far as the script can tell: beyond the numbers that it is compared with it is just
        more. One that is compared with another one is what it is."""
        return value if name in self._together else min(value, self._compared.get(name, 0) + MARGIN)

    def of(self, node: tree_sitter.Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def walk(self, node: tree_sitter.Node | None = None) -> Iterator[tree_sitter.Node]:
        return walk(node or self.root)

    def words(self, command: tree_sitter.Node, variables: Variables, *, defaults: bool = True) -> list[str]:
        """The words of a simple command as its program gets them; what is not known stays as written."""
        found: list[str] = []
        for child in command.named_children:
            if child.type == "command_name":
                child = child.named_children[0] if child.named_children else child
            elif child.type in ("variable_assignment", "comment") or "redirect" in child.type:
                continue
            spread = SPREAD.fullmatch(self.of(child)) if child.type == "string" else None
            held = variables.get(spread["name"]) if spread is not None else None
            if held is not None and held.startswith(ARRAY):
                found += items(held)
                continue
            value = self.value(child, variables, defaults=defaults)
            parts = child.children if child.type == "concatenation" else [child]
            bare = value is not None and any(part.type in ("simple_expansion", "expansion") for part in parts)
            text = self.of(child) if value is None else value
            found += text.split() if bare else [text]
        return found

    def value(self, node: tree_sitter.Node, variables: Variables, *, defaults: bool = False) -> str | None:
        """The text that a word stands for. With `defaults`, a variable that nothing sets has its default."""
        match node.type:
            case "raw_string":
                return self.of(node)[1:-1]
            case "string" | "concatenation" | "array":
                return self._joined(node, variables, defaults)
            case "simple_expansion":
                return _first(variables.get(self.of(node)[1:]))
            case "expansion":
                return _expansion(self.of(node), variables, defaults)
            case "arithmetic_expansion":
                found = arithmetic(self.of(node)[3:-2], variables)
                return None if found is None else str(found)
            case "command_substitution":
                return variables.get(f"$({node.start_byte})")  # what it lists (see `listings`)
            case "process_substitution" | "ansi_c_string" | "translated_string":
                return None
        return None if node.named_children else unescaped(self.of(node))

    def _joined(self, node: tree_sitter.Node, variables: Variables, defaults: bool) -> str | None:
        parts = []
        for child in node.children:
            if not child.is_named and child.type in ('"', "(", ")"):
                continue
            value = self.value(child, variables, defaults=defaults)
            if value is None and node.type != "array":
                return None
            parts.append(self.of(child) if value is None else value)
        return ARRAY + "".join(part + ITEM for part in parts) if node.type == "array" else "".join(parts)


def _expansion(text: str, variables: Variables, defaults: bool) -> str | None:
    match = EXPANSION.fullmatch(text)
    if match is None:
        return None
    held, operator = variables.get(match["name"]), match["operator"] or ""
    if held is not None and held.startswith(ARRAY):
        return _of_array(match, items(held))
    if match["count"]:
        return None if held is None else str(len(held))
    if operator.endswith("+"):
        return None if held is None else match["other"] if held else ""
    if operator and (held == "" or (held is None and defaults)):
        return match["other"].strip("\"'")
    return held


def _of_array(match: re.Match[str], held: list[str]) -> str | None:
    if match["count"]:
        return str(len(held))
    index = match["index"] or "0"
    if index in ("@", "*"):
        return " ".join(held)
    return held[int(index)] if index.isdigit() and int(index) < len(held) else None


def _first(held: str | None) -> str | None:
    """An array's bare name stands for its first item."""
    return next(iter(items(held)), "") if held is not None and held.startswith(ARRAY) else held
