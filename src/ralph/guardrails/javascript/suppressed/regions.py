"""Suppressions that nothing ends (spec: governance engine 1.4; classes G01 and G11).

A region that is not closed is a second hit beside its directive: taking `/* eslint-enable */` or `/* c8 ignore stop */`
away makes a suppression wider although its own comment stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.javascript.suppressed import coverage, eslint, linters
from ralph.guardrails.javascript.suppressed.eslint import listed
from ralph.guardrails.javascript.suppressed.notes import Note, notes, styled
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_NAMES = r"(?![\w-])(?P<scope>(?:(?!\s--)[\s\S])*)"
_END = {
    "js.eslint-disable": later(r"\s*eslint-enable" + _NAMES),
    "js.oxlint-disable": later(r"\s*(?:oxlint|eslint)-enable" + _NAMES),
    "js.tslint-disable": later(r"\s*tslint:enable" + _NAMES),
    "js.stylelint-disable": later(r"\s*stylelint-enable" + _NAMES),
    "js.biome-ignore-file": later(r"[\s*]*biome-ignore-end\s+(?P<scope>[^:\n]*)"),
    "js.coverage-ignore": later(r"[\s\S]*(?:ignore\s+stop|node:coverage\s+enable)\b(?P<scope>)"),
}
_OPENS_COVERAGE = ("start", "disable")


def unclosed(source: Source) -> Iterator[Hit]:
    found = (*notes(source), *styled(source))
    opened = (*eslint.directives(source), *linters.directives(source), *coverage.exemptions(source))
    for hit in opened:
        if hit.rule in _END and (hit.rule != "js.coverage-ignore" or hit.key.endswith(_OPENS_COVERAGE)):
            later = [note for note in found if (note.comment.line, note.comment.column) > (hit.line, hit.column)]
            if not _is_closed(hit, later):
                place = next(note.comment for note in found if note.comment.line == hit.line)
                yield source.hit("js.suppression-unclosed", place, hit.key, hit.scope)


def _is_closed(hit: Hit, later: Iterable[Note]) -> bool:
    left = None if hit.scope is None else set(hit.scope)
    for note in later:
        match = _END[hit.rule].match(note.body)
        if match is None or (hit.rule == "js.eslint-disable" and note.kind == "line"):
            continue
        ended = listed(match["scope"], r"[\s,:]+")
        if not ended:
            return True
        if left is not None:
            left -= ended
            if not left:
                return True
    return False
