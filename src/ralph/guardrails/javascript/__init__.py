"""Rules for JavaScript, TypeScript, and the scripts of Vue and Svelte components (spec: governance engine 1.4).

`DETECTORS` look at one side of a file; `CHANGE_DETECTORS` compare both, where only that can tell what happened: a
pragma that is gone, and a skip of a test that ran before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ralph.guardrails.directives import COMMON, COMMON_WORDS, suppressions
from ralph.guardrails.javascript import compiler, coverage, eslint, linters, oxlint, pragmas, regions, skips
from ralph.guardrails.javascript.components import scripts_of
from ralph.guardrails.javascript.escapes import escapes
from ralph.guardrails.javascript.files import changed
from ralph.guardrails.javascript.words import CODE_WORDS, COMMENT_WORDS, DEFINITION_WORDS, PRAGMA_WORDS, TEST_WORDS
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Detector, Source

__all__ = ["CHANGE_DETECTORS", "DETECTORS", "WORDS", "scripts_of"]

WORDS = (*COMMENT_WORDS, *CODE_WORDS, *COMMON_WORDS)
COMPARED_WORDS = (*PRAGMA_WORDS, *TEST_WORDS)


def _scanners(source: Source) -> Iterator[Hit]:
    if prefilter(COMMON_WORDS).matches(source.data):
        yield from suppressions(source, COMMON, ("//", "/*"))


def _escapes(source: Source) -> Iterator[Hit]:
    if prefilter(CODE_WORDS).matches(source.data):
        yield from escapes(source)


def _in_scripts(detector: Callable[[Source], Iterator[Hit]]) -> Detector:
    """A detector that looks at every script of a component, too."""

    def detect(source: Source) -> Iterator[Hit]:
        for script in scripts_of(source.path, source.data) if source.language == "vue" else [source]:
            yield from detector(script)

    return detect


def compared(change: Change) -> Iterator[Hit]:
    files = list(changed(change, COMPARED_WORDS))
    for sides in files:
        yield from pragmas.removed(sides)
    yield from oxlint.line_comments(change, files)
    yield from skips.skipped(change, files, lambda: changed(change, DEFINITION_WORDS))


DETECTORS: tuple[Detector, ...] = tuple(
    _in_scripts(detector)
    for detector in (
        compiler.directives,
        eslint.directives,
        linters.directives,
        coverage.exemptions,
        regions.unclosed,
        _escapes,
        _scanners,
    )
)
CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (compared,)
