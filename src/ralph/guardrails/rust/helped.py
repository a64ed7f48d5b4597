"""Rust: what calls of functions and macros of tests ask (see `inventory.lending`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import tree_sitter

from ralph.guardrails.inventory.lending.calling import HelperCalls
from ralph.guardrails.inventory.lending.files import source_at
from ralph.guardrails.inventory.lending.handing import Given, handed, matched, parameters
from ralph.guardrails.inventory.plain import Extractor, Found
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.rust.lending import as_function, file_of
from ralph.guardrails.rust.macros import arguments_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TYPES = later(r"::<[^()]*>$")


class Lending(Extractor):
    """A macro is called by its name with `!`, and is a function of that name."""

    FUNCTIONS = "(function_item name: (identifier) @found)"

    def __init__(self, source: Source, paths: Paths | None) -> None:
        super().__init__(source)
        self._paths = paths

    def called(self, node: tree_sitter.Node) -> str:
        if node.type == "macro_invocation" and (macro := node.child_by_field_name("macro")) is not None:
            name = f"{text_of(macro).replace('::', '.')}!"
            return name if name in self.helpers.bodies() or self.lent(name) is not None else ""
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        written = TYPES.sub("", text_of(function)) if function is not None else ""
        return "" if "." in written else written.replace("::", ".")

    def is_unknown(self, said: Said) -> bool:
        return said.relation.startswith("assert_")

    def lent(self, called: str) -> HelperCalls | None:
        return self.source.memo.once(("lent", called), lambda: self._lent(called))

    def _lent(self, called: str) -> HelperCalls | None:
        name, paths = called.rpartition(".")[2], self._paths
        place = file_of(called, self.source, paths) if paths is not None else None
        if place is None or paths is None:
            return self.helpers if called != name and self.declares(name) else None
        if called == name and self.declares(name):
            return None

        def read() -> HelperCalls | None:
            source = source_at(place, "rust", paths)
            return type(self)(source, paths=paths).helpers if source is not None else None

        return paths.memo.once(("rust helpers of", place), read)

    def declares(self, name: str) -> int:
        if not name.endswith("!"):
            return super().declares(name)
        macros = self.source.captures("(macro_definition name: (identifier) @found)")
        return sum(text_of(each) == name[:-1] for each in macros)

    def handed(
        self, helper: tree_sitter.Node, call: tree_sitter.Node, called: str
    ) -> Mapping[str, tree_sitter.Node] | None:
        """What is only borrowed is what it is."""
        if call.type == "macro_invocation":
            found = matched(parameters(helper), [Given("", each) for each in arguments_of(call)])
        else:
            found = handed(helper, call)
        return None if found is None else {name: _itself(value) for name, value in found.items()}

    def macro(self, node: tree_sitter.Node, modules: tuple[str, ...], *, alone: bool) -> Iterator[Found]:
        """A macro that asserts something, if its file calls it, or is there for others; `alone`: it has no test."""
        function = as_function(node)
        body, name = (
            function.child_by_field_name(field) if function is not None else None for field in ("body", "name")
        )
        if function is None or body is None or name is None:
            return
        used = re.search(rb"(?<!macro_rules! )\b" + text_of(name).encode() + rb"!", self.source.data)
        if (used or alone) and self.demands(body):
            yield Found((*modules, f"{text_of(name)}!"), function, body, "helper")


def _itself(value: tree_sitter.Node) -> tree_sitter.Node:
    inner = value.child_by_field_name("value") if value.type == "reference_expression" else None
    return value if inner is None else inner
