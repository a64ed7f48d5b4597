"""Exit statuses that a script of checks is told, hands on, and that nobody looks at (policy set v2, class G10).

`child.on("close", (code) => resolve({ name, code }))` fails for nothing by itself: somewhere the script has to ask for
the `code` of what it got. Where it only prints it, or asks how promises were settled, a failed check is a success.

Rules:

- The status is the first parameter of what is called at the end of another program (`close`, `exit`), or a member of
  what `spawnSync` gave. Printed, or handed on under a name, it is looked at by nobody; anything else looks at it.
- Under that name, nothing in the script reads it but to print it.
- What runs is a check by what is written in the call, or is taken from a table. What the script exports, hands to a
  module of the project's own, or goes through as a whole, others may look at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

QUIET = frozenset({"spawn", "spawnSync", "fork"})
"""They end well whatever becomes of what they run."""
ENDINGS = frozenset({"close", "exit"})
LISTENS = frozenset({"on", "once", "addListener"})
STATUS = frozenset({"status", "exitCode"})
PRINTS = frozenset({"console", "process"})
SETTLED = later(r"[\"'`](?:rejected|fulfilled)[\"'`]")
ELSEWHERE = later(
    r"\bexport\s|\bexports\b|\b(?:from|require\(|import\()\s*[\"'`]\.|\bObject\.(?:values|entries|assign)\(|\bwriteFile"
    r"|\.\.\.\s*(?:result|each|run)\b"
)
"""Others may look at what it found, or it may go through all of it."""
TOLD, LOOKED = "told", "looked"


class UnreadStatuses:
    def __init__(self, code: Code, calls: Iterable[tree_sitter.Node], checkers: re.Pattern[str]) -> None:
        """`calls` run other programs; `checkers` finds the names of those that check."""
        self._code = code
        self._calls = [call for call in calls if self._may_check(call, checkers)]

    def places(self) -> Iterator[tree_sitter.Node]:
        """Where a status is told that nobody looks at."""
        if not self._calls or ELSEWHERE.search(self._code.text(self._code.names.nodes[0])):
            return
        found = [(source, self._fates(source)) for source in self._sources()]
        if any(LOOKED in fates for _, fates in found):
            return
        for source, fates in found:
            if fates - {TOLD} and not any(map(self._is_read, fates - {TOLD})):
                yield source
                return

    def _may_check(self, call: tree_sitter.Node, checkers: re.Pattern[str]) -> bool:
        """By what is written in it; what is taken from a table may be anything."""
        path, given = self._code.origins.of(call.child_by_field_name("function")), arguments(call)[:2]
        if path is None or path[-1] not in QUIET:
            return False
        strings = [node for each in given for node in self._code.source.walk(each) if node.type == "string"]
        named = any(checkers.search(self._code.text(each)) for each in given)
        return bool(given) and (named or (not strings and given[0].type in ("identifier", "member_expression")))

    def _sources(self) -> Iterator[tree_sitter.Node]:
        """The parameters, names and members that hold the status of another program."""
        for call in self._code.calls:
            function, given = unwrapped(call.child_by_field_name("function")), arguments(call)
            if function is None or function.type != "member_expression" or len(given) != 2:
                continue
            ending = self._code.text(given[0]).strip("\"'`") in ENDINGS
            if ending and self._code.constants.member(function) in LISTENS and given[1].type in FUNCTIONS:
                yield from self._first_parameter(given[1])
        ran = {self._code.text(name) for call in self._calls if (name := self._name_of(call)) is not None}
        for node in self._code.names.of_types("member_expression"):
            owner = self._code.text(node.child_by_field_name("object"))
            if owner in ran and self._code.constants.member(node) in STATUS:
                yield node

    def _first_parameter(self, function: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        listed = function.child_by_field_name("parameters")
        names = listed.named_children if listed is not None else [function.child_by_field_name("parameter")]
        first = next((each for each in names if each is not None and "comment" not in each.type), None)
        if first is not None and first.type == "required_parameter":
            first = first.child_by_field_name("pattern")
        if first is not None and first.type == "identifier":
            yield first

    def _name_of(self, call: tree_sitter.Node) -> tree_sitter.Node | None:
        parent = self._code.names.parent(call)
        while parent is not None and parent.type in ("await_expression", "parenthesized_expression"):
            parent = self._code.names.parent(parent)
        if parent is None or parent.type != "variable_declarator":
            return None
        name = parent.child_by_field_name("name")
        return name if name is not None and name.type == "identifier" else None

    def _fates(self, source: tree_sitter.Node) -> set[str]:
        """What becomes of it: it is told, looked at, or goes on under a name."""
        if source.type == "member_expression":
            return {self._fate(source)}
        function = next((each for each in self._code.names.above(source) if each.type in FUNCTIONS), None)
        body = function.child_by_field_name("body") if function is not None else None
        if body is None:
            return {LOOKED}
        kinds = ("identifier", "shorthand_property_identifier")
        uses = [each for each in self._code.source.walk(body) if each.type in kinds and each.text == source.text]
        return {self._fate(each) for each in uses}

    def _fate(self, use: tree_sitter.Node) -> str:
        if use.type == "shorthand_property_identifier":
            return self._code.text(use)
        parent = self._code.names.parent(use)
        if parent is None:
            return LOOKED
        if parent.type == "pair" and parent.child_by_field_name("value") == use:
            return self._code.text(parent.child_by_field_name("key")).strip("\"'`")
        if parent.type == "template_substitution":
            return TOLD
        call = self._code.names.parent(parent) if parent.type == "arguments" else None
        path = self._code.origins.of(call.child_by_field_name("function")) if call is not None else None
        prints = path is not None and path[0] in PRINTS and path[-1] not in ("exit", "reallyExit", "kill")
        return TOLD if prints else LOOKED

    def _is_read(self, name: str) -> bool:
        """Something asks for it under that name; how a promise was settled is another question."""
        for node in self._code.names.of_types("member_expression", "subscript_expression"):
            parent = self._code.names.parent(node)
            about = parent is not None and SETTLED.search(self._code.text(parent)) is not None
            if self._code.constants.member(node) == name and not about and self._fate(node) != TOLD:
                return True
        for pattern in self._code.names.of_types("shorthand_property_identifier_pattern", "pair_pattern"):
            key = pattern.child_by_field_name("key") if pattern.type == "pair_pattern" else pattern
            if self._code.text(key).strip("\"'`") == name and self._is_used(pattern):
                return True
        return False

    def _is_used(self, pattern: tree_sitter.Node) -> bool:
        value = pattern.child_by_field_name("value") if pattern.type == "pair_pattern" else pattern
        named = self._code.text(value)
        uses = (each for each in self._code.names.of_types("identifier") if self._code.text(each) == named)
        return any(self._fate(each) == LOOKED for each in uses)
