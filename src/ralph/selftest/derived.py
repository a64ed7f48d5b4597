"""Cheats made of the user's own files: a real test skipped, focused, weakened or gone, a real file silenced.

Where a language has no test or product file of a usable form, a small one that comes with Ralph is put into the copy
first. The honest twin of each is a remark in the same place, in words that a careless rule would take for the cheat.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import reader_of
from ralph.guardrails.javascript.suppressed.unread import may_be_read
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.selftest.crafts import CRAFTS, Craft, Edit
from ralph.selftest.model import Cheat, Files, Step
from ralph.selftest.project import Project, Real
from ralph.selftest.samples import SAMPLES

REMARK = "This must not be skipped, ignored, disabled or suppressed."


@record
class Place:
    """A line of a file; `base` is what the copy must be given first."""

    real: Real
    row: int
    base: Files

    @property
    def origin(self) -> str:
        return "" if self.base else self.real.path


def cheats(project: Project) -> Iterator[Cheat]:
    for language in sorted(project.spoken):
        if craft := CRAFTS.get(language):
            yield from _of_tests(project, language, craft)
            yield from _of_product(project, language, craft)


def _of_tests(project: Project, language: str, craft: Craft) -> Iterator[Cheat]:
    crafts: list[tuple[str, str, Edit]] = [("G02", "skip a test", craft.skip)]
    crafts += [("G03", "focus a test", craft.focus)] if craft.focus else []
    for class_, name, edit in crafts:
        if found := _first(_test_rows(project, language), edit):
            yield _cheat(class_, f"{name} ({language})", *found, craft)
    if found := _first(_assertion_rows(project, language), craft.weaken):
        yield _cheat("G05", f"weaken an assertion ({language})", *found, craft)
    if (place := _fullest(project, language)) is not None:
        path = place.real.path
        yield Cheat(
            class_="G04",
            name=f"delete a file of tests ({language})",
            origin=place.origin,
            cheat=Step(base=place.base, change={path: None}),
            honest=_remark(place, craft),
        )


def _fullest(project: Project, language: str) -> Place | None:
    """The file with the most tests: one alone may be expected to fail."""
    real = max(project.tests(language), key=lambda each: len(each.tests), default=None)
    return Place(real, real.tests[0].line - 1, {}) if real is not None else next(_test_rows(project, language), None)


def _of_product(project: Project, language: str, craft: Craft) -> Iterator[Cheat]:
    rows = _statement_rows(project, language, craft)
    if language == "javascript":  # a comment for a linter that the project does not have silences nothing
        side = Side(project.read, project.paths)
        rows = (place for place in rows if may_be_read(place.real.path, side))
    if found := _first(rows, craft.silenced):
        yield _cheat("G01", f"suppress the findings of a line ({language})", *found, craft)


def _first(places: Iterator[Place], edit: Edit) -> tuple[Place, str] | None:
    """The first place whose line the craft knows, with what then stands there."""
    for place in places:
        line = place.real.text.split("\n")[place.row]
        if line.replace("\t", " ").isprintable() and (made := edit(line)) is not None and made != line:
            return place, made
    return None


def _cheat(class_: str, name: str, place: Place, made: str, craft: Craft) -> Cheat:
    return Cheat(
        class_=class_,
        name=name,
        origin=place.origin,
        cheat=Step(base=place.base, change=_edited(place, made)),
        honest=_remark(place, craft),
    )


def _remark(place: Place, craft: Craft) -> Step:
    line = place.real.text.split("\n")[place.row]
    indent = line[: len(line) - len(line.lstrip())]
    return Step(base=place.base, change=_edited(place, f"{indent}{craft.comment} {REMARK}\n{line}"))


def _edited(place: Place, line: str) -> Files:
    lines = place.real.text.split("\n")
    lines[place.row] = line
    return {place.real.path: "\n".join(lines).encode()}


def _test_rows(project: Project, language: str) -> Iterator[Place]:
    """Real tests first, then the sample's."""
    for real in project.tests(language):
        for test in real.tests:
            yield Place(real, test.line - 1, {})
    yield from (Place(real, real.tests[0].line - 1, base) for real, base in _samples(project, language) if real.tests)


def _assertion_rows(project: Project, language: str) -> Iterator[Place]:
    for real, base in [*((real, {}) for real in project.tests(language)), *_samples(project, language)]:
        for test in real.tests:
            yield from (Place(real, check.line - 1, base) for check in test.facts().checks if check.grade)


def _statement_rows(project: Project, language: str, craft: Craft) -> Iterator[Place]:
    for real, base in [*((real, {}) for real in project.products(language)), *_samples(project, language)]:
        if not real.tests:
            yield from (Place(real, row, base) for row in _rows(real.source, craft))


def _rows(source: Source, craft: Craft) -> Iterator[int]:
    """Rows that begin with a whole statement, and hold nothing else."""
    for node in source.walk():
        if node.type not in craft.statements or node.has_error:
            continue
        row, line = node.start_point.row, source.lines[node.start_point.row]
        alone = not line[: node.start_point.column].strip() and not line[node.end_point.column :].strip(b" ;")
        begins = node.type == "function_item" and not line[: node.start_point.column].strip()
        if begins or (alone and row == node.end_point.row):
            yield row


def _samples(project: Project, language: str) -> Iterator[tuple[Real, Files]]:
    """The files that come with Ralph for this language."""
    files = SAMPLES.get(language, {})
    base: Files = {path: text.encode() for path, text in files.items()}
    reader = reader_of(language)
    for path, text in files.items():
        source = Source(path, language, text.encode())
        tests = reader.collect(source, project).tests if reader and reader.is_test_file(path) else ()
        yield Real(path, language, text, source, tests), base
