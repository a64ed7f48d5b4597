"""What there is to plant in: the languages of a repository, and real tests and product files of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.inventory.model import Inventory, Test
from ralph.guardrails.inventory.readers import is_support, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.memo import Memo
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.record import record
from ralph.selftest.bundled import ANYWHERE, family
from ralph.system.git import Repository

LARGEST = 60_000
"""Bytes. A file of the usual size shows as much, and sooner."""
LOOKED_AT = 40
"""Files of a language that are read in search of a good one."""


@record
class Real:
    """A file of the repository, read; its tests are in the order in which they stand."""

    path: str
    language: str
    text: str
    source: Source
    tests: tuple[Test, ...] = ()


class Project:
    """A repository at one commit."""

    def __init__(self, repo: Repository, commit: str) -> None:
        self._repo = repo
        self.tree = repo.tree_of(commit)
        self.paths = repo.paths(self.tree)
        self.memo = Memo()
        self._by_language: dict[str, list[str]] = {}
        for path in sorted(self.paths, key=lambda path: (path.count("/"), path)):
            if language := language_of(path):
                self._by_language.setdefault(language, []).append(path)

    @property
    def languages(self) -> frozenset[str]:
        """By their families: TypeScript is JavaScript's."""
        return frozenset(family(language) for language in self._by_language) - ANYWHERE

    @property
    def spoken(self) -> Mapping[str, Sequence[str]]:
        """The files of each language."""
        return self._by_language

    def text(self, path: str) -> str | None:
        """A file as text; None if it is none."""
        data = self._repo.read(self.tree, path)
        try:
            return None if data is None or len(data) > LARGEST else data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def tests(self, language: str) -> Iterator[Real]:
        """Files of a language with tests that its runner would run, those near the top first."""
        reader = reader_of(language)
        if reader is None:
            return
        listed = [path for path in self._by_language.get(language, ()) if reader.is_test_file(path)]
        for real in self._read(listed[:LOOKED_AT], language):
            try:
                found = reader.collect(real.source, self)
            except Exception:  # noqa: BLE001 (a file that cannot be read as tests is no place to plant one)
                continue
            tests = tuple(sorted(_real(found), key=lambda test: test.line))
            if tests:
                yield Real(real.path, language, real.text, real.source, tests)

    def products(self, language: str) -> Iterator[Real]:
        """Files of a language that are neither tests nor stand beside them."""
        reader = reader_of(language)
        listed = [
            path
            for path in self._by_language.get(language, ())
            if not is_support(path) and not (reader and reader.is_test_file(path))
        ]
        yield from self._read(listed[:LOOKED_AT], language)

    def read(self, path: str) -> bytes | None:
        return self._repo.read(self.tree, path)

    def all(self) -> frozenset[str]:
        return self.paths

    def _read(self, paths: Sequence[str], language: str) -> Iterator[Real]:
        for path in paths:
            text = self.text(path)
            if not text or "\r" in text or not text.endswith("\n"):
                continue
            try:
                data = one_line_end(language, decoded(language, text.encode()))
            except UnreadableError:
                continue
            yield Real(path, language, text, Source(path, language, data))


def _real(found: Inventory) -> Iterator[Test]:
    return (test for test in found.tests if test.kind == "test")
