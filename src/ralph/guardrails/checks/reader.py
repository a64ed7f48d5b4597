"""Collects the checks of one file while one of the readers goes through it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from ralph.guardrails.checks.failures.judged import Shell, judged
from ralph.guardrails.checks.model import Flaw, Gate, Place
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.shell.folders import joined
from ralph.guardrails.config.node import Node, canonical
from ralph.record import replace

Flaws = Mapping[Flaw, str]
NONE: Flaws = MappingProxyType({})


class Collector:
    def __init__(self, path: str, place: Place) -> None:
        self.path, self.place = path, place
        self.gates: list[Gate] = []
        self.variables: dict[str, str | None] = {}
        self.folder: str | None = ""
        """Where what is read now is run, as its file says it."""
        self.checked_out: tuple[str, ...] = ()
        """What a sparse checkout left there for what is read now."""

    def variable(self, name: str, value: str, line: int) -> None:
        """A variable that all texts from here on know, set on this line."""
        self.variables[name] = None if "${{" in value else value

    def text(self, text: str, line: int, slot: str, shell: Shell, flaws: Flaws = NONE, /) -> None:
        """The checks of a shell text that begins on this line; `flaws` are those of the place that runs it."""
        known = tuple(sorted(self.variables.items()))
        for check, own in judged(text, shell, known):
            self.add(check.words, check.kind, line + check.row, slot, {**own, **flaws}, check.certain)
            inside = None if check.folder is None else joined(self.folder, check.folder)
            self.gates[-1] = replace(self.gates[-1], folder=inside)

    def add(self, words: tuple[str, ...], kind: Kind, line: int, slot: str, flaws: Flaws, certain: bool = True) -> None:
        gate = Gate(words=words, kind=kind, path=self.path, line=line, slot=slot, place=self.place)
        where = replace(gate, folder=self.folder, checked_out=self.checked_out)
        self.gates.append(replace(where, flaws=dict(flaws), certain=certain))

    @contextmanager
    def within(self, *said: Node | None) -> Iterator[None]:
        """What is read meanwhile is run in the folder that the first of these names, if there is one."""
        before, node = self.folder, next((each for each in said if each is not None), None)
        self.folder = before if node is None else joined("", canonical(node))
        try:
            yield
        finally:
            self.folder = before

    def relocate(self, start: int, rows: list[int], /) -> None:
        """Lines of a text that was put together from pieces are those of its pieces."""
        for index, gate in enumerate(self.gates[start:], start):
            self.gates[index] = replace(gate, line=rows[min(gate.line, len(rows) - 1)] if rows else 0)
