"""Variables that a subshell sets and that the shell around it asks: what is set there never comes out.

`find . | while read -r t; do bash "$t" || failed=1; done; exit "$failed"` ends well, whatever fails.

Rule: what decides how a script or function ends (`exit "$n"`, a condition whose branch leaves) asks a variable that,
wherever it is asked, has nothing but what it began with, as everything else is set in a subshell: in a part of a
pipeline, in parentheses, in a substitution, in the background. A function is where it is called. A subshell that tells
how it ends by itself (`exit 1`) is none of these; nor is the last part of a pipeline with `lastpipe` and in other
shells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.record import record
from ralph.system.patterns import later

Place = frozenset[int]
"""The subshells around something, by where they begin."""
MOST_CALLS, MOST_SETS = 3, 200
ENCLOSING = frozenset(("subshell", "command_substitution", "process_substitution"))
LAST_STAYS = later(r"\blastpipe\b|\A#!.*\b(?:zsh|ksh)\b")
TELLS = later(r"\b(?:exit|return)\b(?!\s*[\"']?0\b)|\bfalse\b")
LEAVES = later(rf"{TELLS.pattern}|\b(?:die|fail|fatal|abort)\b")
FAILURE = later(r"(?i)fail|err|bad|broken|status|result|^(?:rc|ret|code|ko)$|_(?:rc|ret|code)$|miss")
"""What somebody calls a variable that nothing sets to begin with."""
COUNTS = later(r"\b(?P<name>[A-Za-z_]\w*)\s*(?:\+\+|--|[-+*|&]?=(?!=))|(?:\+\+|--)\s*(?P<other>[A-Za-z_]\w*)")
TAKES = frozenset(("read", "mapfile", "readarray", "getopts"))
LET = frozenset(("let", "eval"))


@record
class Setting:
    name: str
    value: str | None
    """None for what only a run could tell."""
    node: tree_sitter.Node


def unheard(script: Script) -> Iterator[tuple[str, int]]:
    """Names of such variables, each with the row where it is asked."""
    found = _Subshells(script)
    names = {each.name for each in found.settings if found.contexts(each.node) != [frozenset()]}
    for name in sorted(names):
        row = found.asked_in_vain(name)
        if row is not None:
            yield name, row


class _Subshells:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.nodes = list(script.walk())
        self._known: dict[tuple[int, int, int], list[Place]] = {}
        self.last_stays = LAST_STAYS.search(script.text) is not None
        self.settings = list(self._settings())[:MOST_SETS]
        self.functions = {
            script.of(name): node
            for node in self.nodes
            if node.type == "function_definition" and (name := node.child_by_field_name("name")) is not None
        }
        self.calls = self._calls()

    def asked_in_vain(self, name: str) -> int | None:
        own = [each for each in self.settings if each.name == name]
        inside = [each for each in own if frozenset() not in self.contexts(each.node)]
        if not inside or self._is_local_twice(own) or any(self._tells(each) for each in inside):
            return None
        for node in self._asking(name):
            seen = [each for each in own if self._is_seen(each.node, node)]
            values = {each.value for each in seen}
            begun = len(values) == 1 or (not seen and FAILURE.search(name) is not None)
            if None not in values and begun and any(each.value not in values for each in inside):
                return node.start_point.row
        return None

    def contexts(self, node: tree_sitter.Node, depth: int = 0) -> list[Place]:
        """The subshells in which something runs: one answer for each way to get there."""
        key = (node.start_byte, node.end_byte, depth)
        if key not in self._known:
            self._known[key] = self._contexts(node, depth)
        return self._known[key]

    def _contexts(self, node: tree_sitter.Node, depth: int) -> list[Place]:
        own, above = self._around(node)
        if above is None:
            return [own]
        name = above.child_by_field_name("name")
        calls = self.calls.get(self.script.of(name), ()) if name is not None else ()
        if not calls or depth >= MOST_CALLS:
            return [frozenset()]
        ways = (way for call in calls for way in self.contexts(call, depth + 1))
        return list(dict.fromkeys(own | way for way in ways))

    def _around(self, node: tree_sitter.Node) -> tuple[Place, tree_sitter.Node | None]:
        """The subshells up to the function around a node, and that."""
        found: set[int] = set()
        below, above = node, node.parent
        while above is not None and above.type != "function_definition":
            if self._opens(below, above):
                found.add(below.start_byte * 2 + 1)
            if above.type in ENCLOSING:
                found.add(above.start_byte * 2)
            below, above = above, above.parent
        return frozenset(found), above

    def _opens(self, node: tree_sitter.Node, above: tree_sitter.Node) -> bool:
        """A part of a pipeline, or what runs in the background."""
        if above.type == "pipeline":
            return not (self.last_stays and node == above.named_children[-1])
        after = node.next_sibling
        return after is not None and after.type == "&"

    def _calls(self) -> Mapping[str, Sequence[tree_sitter.Node]]:
        found: dict[str, list[tree_sitter.Node]] = {}
        for node in self.nodes if self.functions else ():
            name = node.child_by_field_name("name") if node.type == "command" else None
            if name is not None and self.script.of(name) in self.functions:
                found.setdefault(self.script.of(name), []).append(node)
        return found

    def _settings(self) -> Iterator[Setting]:
        script = self.script
        for node in self.nodes:
            match node.type:
                case "variable_assignment":
                    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                    if name is not None and (node.parent is None or node.parent.type != "command"):
                        added = any(child.type == "+=" for child in node.children)
                        yield Setting(_bare(script.of(name)), None if added else _constant(script, value), node)
                case "for_statement":
                    variable = node.child_by_field_name("variable")
                    if variable is not None:
                        yield Setting(script.of(variable), None, node)
                case "compound_statement" if node.children and node.children[0].type == "((":
                    yield from self._counted(node)
                case "arithmetic_expansion":
                    yield from self._counted(node)
                case "command":
                    words = script.words(node, {})
                    if words[:1] and words[0] in TAKES:
                        yield from (Setting(word, None, node) for word in words[1:] if word.isidentifier())
                    elif words[:1] and words[0] in LET:
                        yield from self._counted(node)
                    elif words[:2] == ["printf", "-v"] and len(words) > 2:
                        yield Setting(_bare(words[2]), None, node)

    def _counted(self, node: tree_sitter.Node) -> Iterator[Setting]:
        for match in COUNTS.finditer(self.script.of(node)):
            yield Setting(match["name"] or match["other"], None, node)

    def _is_seen(self, setting: tree_sitter.Node, asking: tree_sitter.Node) -> bool:
        ways = product(self.contexts(setting), self.contexts(asking))
        return any(one <= other for one, other in ways)

    def _is_local_twice(self, own: Sequence[Setting]) -> bool:
        """A name that functions have for themselves may be several variables."""
        declared = [each.node for each in own if each.node.parent is not None]
        local = [
            node for node in declared if node.parent is not None and self.script.of(node.parent).startswith("local")
        ]
        homes = {self._home(node) for node in local}
        return bool(homes) and ({self._home(each.node) for each in own} != homes or len(homes) > 1)

    def _home(self, node: tree_sitter.Node) -> int:
        above: tree_sitter.Node | None = node
        while above is not None and above.type != "function_definition":
            above = above.parent
        return -1 if above is None else above.start_byte

    def _tells(self, setting: Setting) -> bool:
        """The subshell says by its own end what happened in it."""
        above: tree_sitter.Node | None = setting.node
        while above is not None:
            outer = above.parent
            whole = above.type in (*ENCLOSING, "function_definition")
            if whole or (outer is not None and self._opens(above, outer)):
                inside = (child for child in self.script.walk(above) if child.type == "command")
                return any(TELLS.match(self.script.of(child)) for child in inside)
            above = outer
        return False

    def _asking(self, name: str) -> Iterator[tree_sitter.Node]:
        """Where a variable decides how the script, or a function, ends."""
        form = re.compile(rf"\$\{{?[#!]?{name}\b|(?<![\w$.-]){name}\b(?!=(?!=))")
        for node in self.nodes:
            kind = node.type
            if kind == "command":
                words = self.script.of(node)
                ends = re.match(r"(?:exit|return)\b", words) is not None
                asks = ends or re.match(rf"(?:\[|test\b|\"?\$\{{?{name}\b)", words) is not None
            else:
                ends, asks = False, kind == "test_command" or (kind == "compound_statement" and _is_sum(node))
            if asks and form.search(self.script.of(node)) and (ends or self._decides(node)):
                yield node

    def _decides(self, node: tree_sitter.Node) -> bool:
        """A condition by which the script is left, or that is the last thing in it."""
        below, above = node, node.parent
        while above is not None and above.type in ("list", "negated_command", "redirected_statement"):
            if above.type == "list" and LEAVES.search(self.script.of(above)):
                return True
            below, above = above, above.parent
        if above is None:
            return True
        if above.type in ("if_statement", "elif_clause") and below != above.child_by_field_name("body"):
            return LEAVES.search(self.script.of(above)) is not None
        last = next((child for child in reversed(above.named_children) if child.type != "comment"), None)
        return last == below and (above.type == "program" or self._ends_function(above))

    def _ends_function(self, body: tree_sitter.Node) -> bool:
        return body.parent is not None and body.parent.type == "function_definition"


def _is_sum(node: tree_sitter.Node) -> bool:
    return bool(node.children) and node.children[0].type == "(("


def _bare(name: str) -> str:
    """Of an element, the array."""
    return name.partition("[")[0]


def _constant(script: Script, value: tree_sitter.Node | None) -> str | None:
    return "" if value is None else script.value(value, {})
