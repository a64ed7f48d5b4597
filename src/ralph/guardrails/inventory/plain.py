"""What extractors of several languages share: a test's facts from its syntax tree and the assertions it holds.

A language says which nodes are assertions (`Extractor.said`), which assign a variable, and what keeps an assertion from
counting; this module writes expressions in one form, follows variables that are given once, and puts `Facts` together.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, partial
from hashlib import blake2b
from typing import ClassVar, Literal

import tree_sitter

from ralph.guardrails.inventory.arranged.overwritten import without_overwritten
from ralph.guardrails.inventory.failures.before import standing_before
from ralph.guardrails.inventory.failures.placed import Place, once_more, placed
from ralph.guardrails.inventory.failures.reach import Reach, reached
from ralph.guardrails.inventory.lending.bodies import Bodies
from ralph.guardrails.inventory.lending.calling import HelperCalls, is_within
from ralph.guardrails.inventory.lending.outer import GIVES_NUMBER, numbers_of, rows_gone_through, value_of
from ralph.guardrails.inventory.model import Check, Facts, Fake, Ghost, Grade, Inventory, Test
from ralph.guardrails.inventory.rows.inputs import constants_of
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.wanted.alternative import judged
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.source import Source
from ralph.record import record, replace
from ralph.system.patterns import later

WORDS = later(r"\w+")


@record
class Found:
    """A test, a helper, or what is left of a test (`why` says why nothing runs it)."""

    parts: tuple[str, ...]
    node: tree_sitter.Node
    body: tree_sitter.Node | None
    kind: Literal["test", "helper"] = "test"
    why: str = ""
    given: Mapping[str, tree_sitter.Node] | None = None
    """What names of the body stand for where it runs, if it stands elsewhere."""


class Extractor(Bodies):
    """One side of one file. The class attributes are node types of the grammar."""

    OWN: ClassVar[re.Pattern[str]]
    """Names of the language and its test frameworks."""
    LOOPS: ClassVar[frozenset[str]]

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._outer: dict[str, tree_sitter.Node | None] = {}

    @abstractmethod
    def found(self) -> Iterator[Found]: ...

    @abstractmethod
    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]: ...

    @abstractmethod
    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        """Why an assertion in `child` cannot fail because of `above`."""

    def rounds(self, loop: tree_sitter.Node, writing: Writing) -> int | None:
        """How often a loop runs, if that is written down."""
        return None

    def rounds_of(self, loop: tree_sitter.Node, node: tree_sitter.Node, writing: Writing) -> int | None:
        """How often a loop comes to `node`, which stands in it."""
        return self.rounds(loop, writing)

    def asks_row(self, branch: tree_sitter.Node, child: tree_sitter.Node, writing: Writing) -> bool:
        """The branch asks for a column of the table that a loop around it goes through: `rounds_of` counts its rows."""
        return False

    def asserts(self, branch: tree_sitter.Node) -> bool:
        """The branch is the assertion itself (`if got != want { t.Error() }`)."""
        return False

    def rows(self, body: tree_sitter.Node, writing: Writing) -> tuple[str, ...]:
        return rows_gone_through(self, body, writing)

    def outer(self, name: str) -> tree_sitter.Node | None:
        """What the file gives a name outside of its tests."""
        if name not in self._outer:
            self._outer[name] = value_of(self, name)
        return self._outer[name]

    @cached_property
    def given_outside(self) -> frozenset[str]:
        """Names that may be given something outside of all tests: they stand in front of an equals sign."""
        lines = (line for part in self._parts_outside for line in part.split("\n") if "=" in line)
        return frozenset(word for line in lines for word in WORDS.findall(line.rpartition("=")[0]))

    @cached_property
    def numbers_outside(self) -> frozenset[str]:
        """Names that may be given a number there, and feed nothing else there."""
        lines = (
            part[part.rfind("\n", 0, match.start()) + 1 : match.start()]
            for part in self._parts_outside
            for match in GIVES_NUMBER.finditer(part)
        )
        return frozenset(word for line in lines for word in WORDS.findall(line) if self.words_outside[word] == 1)

    @cached_property
    def words_outside(self) -> Counter[str]:
        """How often each word stands there."""
        return Counter(word for part in self._parts_outside for word in WORDS.findall(part))

    @cached_property
    def _parts_outside(self) -> list[str]:
        return [self.source.data[start:end].decode("utf-8", "replace") for start, end in self.outside]

    @cached_property
    def outside(self) -> list[tuple[int, int]]:
        """Where the file is outside of the bodies of its tests and helpers: starts and ends, in bytes."""
        gaps, at = [], 0
        bodies = (each.body for each in self._found if each.body is not None)
        for start, end in sorted((body.start_byte, body.end_byte) for body in bodies):
            if start > at:
                gaps.append((at, start))
            at = max(at, end)
        return [*gaps, (at, len(self.source.data))]

    def fakes(self, body: tree_sitter.Node) -> Iterable[tuple[str, tree_sitter.Node]]:
        """Names that the test, or its file, replaces."""
        return ()

    def is_asked(self, name: str, fake: tree_sitter.Node, subjects: str) -> bool:
        """The test asks what it replaces there, by a name for the answer that stands elsewhere."""
        return False

    def parameters(self, found: Found) -> tuple[str, ...] | None:
        """The literal rows of parameters that a test is run with, by its annotations; None if nobody can tell."""
        return ()

    def is_sourced(self, found: Found) -> bool:
        """It has parameters, be it none at all: without a row it does not run."""
        return False

    def retries(self, found: Found) -> int:
        """How often it is run again when it fails, by its annotations."""
        return 0

    def own(self, found: Found) -> Iterable[str]:
        """Functions that the test, or its file, defines in the place of others."""
        return ()

    def vocabulary(self, nodes: Iterable[tree_sitter.Node], writing: Writing) -> tuple[frozenset[str], frozenset[str]]:
        """The names that a test uses, but for its own, and its constants."""
        words, literals = set(), set()
        for node in nodes:
            if node.type in self.NAMES or node.type == "type_identifier":
                word = text_of(node)
                if word not in writing.local and word not in writing.scoped and not self.OWN.fullmatch(word):
                    words.add(word)
            elif node.type in self.LITERALS:
                literals.add(text_of(node))
        return frozenset(words), frozenset(literals)

    def product(self, found: list[Found]) -> bytes:
        return b""

    def context(self, found: Found, rest: str) -> str:
        """What its facts depend on besides its own text; `rest` stands for all of the file that is no test."""
        return rest

    def inventory(self) -> Inventory:
        found = self._found
        around = blake2b(self._around(found), digest_size=8).hexdigest()
        tests, ghosts = [], []
        for each in found:
            facts = cache(partial(self.facts, each))
            line, column, snippet = self._place(each.node)
            if each.why:
                ghosts.append(
                    Ghost(
                        name=each.parts[-1],
                        path=self.source.path,
                        line=line,
                        column=column,
                        snippet=snippet,
                        why=each.why,
                        body=facts().body,
                    )
                )
                continue
            text = f"{text_of(each.node)} {self.context(each, around)}"
            tests.append(
                Test(
                    parts=each.parts,
                    path=self.source.path,
                    line=line,
                    column=column,
                    snippet=snippet,
                    text=text,
                    facts=facts,
                    kind=each.kind,
                )
            )
        return Inventory(tuple(tests), tuple(ghosts), self.product(found))

    @cached_property
    def _found(self) -> list[Found]:
        return list(self.found())

    def demands(self, body: tree_sitter.Node) -> bool:
        """Something in it says something."""
        writing = self.writing(body)
        return any(any(True for _ in self.said(node, writing)) for node in self.speaking(body))

    def _around(self, found: list[Found]) -> bytes:
        parts, at = [], 0
        for each in sorted(found, key=lambda each: each.node.start_byte):
            if each.kind == "test" and each.node.start_byte >= at:
                parts.append(self.source.data[at : each.node.start_byte])
                at = each.node.end_byte
        return b" ".join(b" ".join((*parts, self.source.data[at:])).split())

    def facts(self, found: Found) -> Facts:
        body = found.body
        if body is None:
            return Facts(empty=True)
        writing = self.writing(body).knowing({**numbers_of(self, body), **(found.given or {})})
        parameters = self.parameters(found)
        rows = None if parameters is None else len(parameters) or (0 if self.is_sourced(found) else 1)
        checks = without_overwritten(tuple(map(judged, self.checks(body, writing, rows))), self.source, body)
        nodes = self.nodes(body)
        standing = partial(standing_before, nodes, body, self.source)
        words, literals = self.vocabulary(nodes, writing)
        subjects = " ".join(check.subject for check in checks if check.grade)
        defined = frozenset(self.own(found))
        return Facts(
            checks=checks,
            cases=parameters or (self.rows(body, writing) if parameters is not None else None),
            words=words,
            literals=literals | frozenset(each for row in parameters or () for each in constants_of(row)),
            before=lambda line: frozenset().union(*self.vocabulary(standing(line), writing)),
            body=writing.plain(body),
            empty=not any("comment" not in child.type for child in body.named_children),
            faked=tuple(
                Fake(name, *self._place(node))
                for name, node in self.fakes(body)
                if _called(name, subjects) or self.is_asked(name, node, subjects)
            ),
            retries=self.retries(found),
            own=frozenset(name for name in defined if _called(name, subjects)),
            defined=defined,
        )

    def _place(self, node: tree_sitter.Node) -> Place:
        line = node.start_point.row + self.source.first_line
        return line, node.start_point.column + 1, self.source.line_text(line)

    def checks(self, body: tree_sitter.Node, writing: Writing, rows: int | None = 1) -> Iterator[Check]:
        nested = self.helpers.nested_in(body, writing)
        for node in self.speaking(body):
            if any(is_within(node, each.function) for each in nested.values()):
                continue  # it is said where the function is called
            said = tuple(self.said(node, writing))
            called = self.called(node) if all(map(self.is_unknown, said)) else ""
            written_out = tuple(self.helpers.written_out(called, node, body, writing, nested)) if called else ()
            if written_out:
                said = ()
            elif said and called and self.says_nothing(called):
                said = tuple(
                    replace(each, grade=Grade.NOTHING, why="its own function asserts nothing") for each in said
                )
            elif called and not said and (call := self.helpers.called_in(called, node, writing)) is not None:
                said = (call,)
            if not said and not written_out:
                continue
            reach = reached(self, node, body, writing) if rows != 0 else Reach(Grade.NOTHING, 1, "it runs for no case")
            times = None if reach.times is None or rows is None else reach.times * max(rows, 1)
            place = self._place(node)
            yield from (placed(each, reach, times, place) for each in said)
            for each in written_out:
                often = None if times is None or each.times is None else times * each.times
                yield once_more(each, reach.cap, reach.why, often, place, chosen=reach.chosen)

    @cached_property
    def helpers(self) -> HelperCalls:
        return HelperCalls(self, (each for each in self._found if each.kind == "helper"))


def _called(name: str, text: str) -> bool:
    return name in text and re.search(rf"\b{re.escape(name)}(?:\(|\b)", text) is not None
