"""Ruby: what calls of a test's own methods and matchers ask (see `inventory.lending`, `matchers`, `outright`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.lending.calling import HelperCalls, is_within
from ralph.guardrails.inventory.lending.files import called_on, source_at
from ralph.guardrails.inventory.lending.handing import Given, arguments_of, handed, matched, parameters
from ralph.guardrails.inventory.model import Facts, Grade
from ralph.guardrails.inventory.plain import Extractor, Found
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import HELPER, Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.ruby import lending, matchers
from ralph.guardrails.ruby.expectations import EQUAL, KNOWN, RECEIVES, UNORDERED, name_and_arguments
from ralph.guardrails.ruby.outright import numbers_of_groups, outright
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

LETS = later(rb"\blet!?[ (]:\w+\)?[ \t]*(?:\{|do\b)[ \t\n]*-?\.?\d")
"""A number is named for the examples of a group."""
TO = "to "
"""What stands before the name of a matcher, and tells it from a method."""


class Lending(Extractor):
    """`expect(r).to be_bill(3)` calls `to be_bill`."""

    FUNCTIONS = "[(method name: (_) @found) (singleton_method name: (_) @found)]"

    def __init__(self, source: Source, paths: Paths | None) -> None:
        super().__init__(source)
        self._paths = paths

    def facts(self, found: Found) -> Facts:
        if self._lets:
            numbers = numbers_of_groups(found.node)
            alone = {name: value for name, value in numbers.items() if self._is_let_alone(name)}
            found = replace(found, given={**alone, **(found.given or {})})
        facts, writing = super().facts(found), Writing(self.NAMES, self.LITERALS, {})
        return replace(facts, outright=outright(facts.checks, found.node, writing))

    @cached_property
    def _lets(self) -> bool:
        return LETS.search(self.source.data) is not None

    def _is_let_alone(self, name: str) -> bool:
        """Outside of examples it is only named: nothing is made with it."""
        return self.source.data.count(f"(:{name})".encode()) == self.words_outside[name]

    def called(self, node: tree_sitter.Node) -> str:
        if node.type != "call":
            return ""
        receiver, (name, arguments) = node.child_by_field_name("receiver"), name_and_arguments(node)
        if receiver is None or text_of(receiver) == "self":
            return "" if name == "expect" else name  # `expect(x)` alone demands nothing
        if receiver.type == "constant":
            called = called_on(receiver, name)
            return called if called and self.lent(called) is not None else ""
        matcher = arguments[0] if name == "to" and len(arguments) == 1 else None
        if matcher is None or matcher.child_by_field_name("receiver") is not None:
            return ""
        named = name_and_arguments(matcher)[0]
        return f"{TO}{named}" if named and not super().declares(named) else ""  # a method stands before a matcher

    def is_unknown(self, said: Said) -> bool:
        own = said.relation.isidentifier() and said.relation not in EQUAL | UNORDERED | RECEIVES
        return own and said.relation not in KNOWN and said.grade > Grade.NOTHING

    def lent(self, called: str) -> HelperCalls | None:
        return self.source.memo.once(("lent", called), lambda: self._lent(called))

    def _lent(self, called: str) -> HelperCalls | None:
        owner, _, name = called.rpartition(".")
        plain, paths = name.removeprefix(TO), self._paths
        if owner and any(lending.constant_of(each) == owner for each in self._places):
            return self.helpers
        if paths is None or self.declares(name) or not (plain != name or HELPER.match(name)):
            return None
        read = [self._read(path, paths) for path in lending.files_of(plain, self.source, paths)]
        seen = [each for each in read if each is not None and self._is_seen(each, owner, name, paths)]
        return seen[0].helpers if len(seen) == 1 else None

    def _is_seen(self, other: Lending, owner: str, name: str, paths: Paths) -> bool:
        """Of the methods of another file one that this one can call, whether it asserts anything or not."""
        if name.startswith(TO):
            return other.declares(name) > 0
        names = other.source.captures(self.FUNCTIONS)
        methods = [each.parent for each in names if text_of(each) == name and each.parent is not None]
        if owner:
            places = (lending.place_of(each) for each in methods)
            return any(place is not None and lending.constant_of(place) == owner for place in places)
        return any(lending.is_visible(each, other.source.path, self.source, paths) for each in methods)

    def _read(self, path: str, paths: Paths) -> Lending | None:
        def read() -> Lending | None:
            source = source_at(path, "ruby", paths)
            return type(self)(source, paths=paths) if source is not None else None

        return paths.memo.once(("ruby helpers of", path), read)

    def sees(self, helper: tree_sitter.Node, node: tree_sitter.Node) -> bool:
        """It stands in no class or module, in one around the call, or in one that is included or inherited from."""
        place = lending.place_of(helper)
        if place is None or is_within(node, place):
            return True
        paths, name = self._paths, lending.constant_of(place)
        here = name in lending.named(place.type, self.source.data)
        return here or (paths is not None and lending.is_visible(helper, self.source.path, self.source, paths))

    def declares(self, name: str) -> int:
        if not name.startswith(TO):
            return super().declares(name)
        calls = self.source.captures("(call) @found") if b"atcher" in self.source.data else ()
        return sum(matchers.name_of(each) == name.removeprefix(TO) for each in calls)

    def handed(
        self, helper: tree_sitter.Node, call: tree_sitter.Node, called: str
    ) -> Mapping[str, tree_sitter.Node] | None:
        if not called.startswith(TO):
            return handed(helper, call)
        expects, matcher = call.child_by_field_name("receiver"), name_and_arguments(call)[1][0]
        name, looked_at = name_and_arguments(expects) if expects is not None else ("", [])
        given = arguments_of(matcher)
        if name != "expect" or len(looked_at) != 1 or given is None or matcher.child_by_field_name("block") is not None:
            return None
        return matched(parameters(helper), [Given("", looked_at[0]), *given])

    def matcher(self, call: tree_sitter.Node, groups: tuple[str, ...]) -> Iterator[Found]:
        """What a call defines for others to speak of."""
        method = matchers.as_method(call)
        body = method.child_by_field_name("body") if method is not None else None
        if method is not None and body is not None and self.demands(body):
            yield Found((*groups, f"{TO}{matchers.name_of(call)}"), method, body, "helper")

    @property
    def _places(self) -> list[tree_sitter.Node]:
        return [*self.source.captures("[(class) (module)] @found")]
