"""Rules for JavaScript, TypeScript, and the scripts of Vue and Svelte components (spec: governance engine 1.4).

`DETECTORS` look at one side of a file; `CHANGE_DETECTORS` compare both, where only that can tell what happened: a
pragma that is gone, and a skip of a test that ran before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ralph.guardrails.directives import COMMON, COMMON_WORDS, suppressions
from ralph.guardrails.hiding.generated import comes_generated
from ralph.guardrails.hiding.releases import is_release
from ralph.guardrails.javascript.built import OF_SOURCES, is_built
from ralph.guardrails.javascript.checks import open_types
from ralph.guardrails.javascript.code import looks_like_test
from ralph.guardrails.javascript.collected.renamed_out import renamed_out
from ralph.guardrails.javascript.doubles import amended, answered_api, mocks, put_in_place, setups, stand_ins
from ralph.guardrails.javascript.doubles.arriving import came_from_elsewhere, was_there
from ralph.guardrails.javascript.doubles.auto_mocks import auto_mocked
from ralph.guardrails.javascript.failures import cypress, exits, forgetful, own_programs, pictures, retries
from ralph.guardrails.javascript.failures.hidden_in_pictures import hidden_in_pictures
from ralph.guardrails.javascript.failures.passed_errors import passed_errors
from ralph.guardrails.javascript.failures.snapshots import snapshots
from ralph.guardrails.javascript.failures.unheard_runs import unheard_runs
from ralph.guardrails.javascript.failures.wrappers import wrapped
from ralph.guardrails.javascript.files import holding, sources_of, touched
from ralph.guardrails.javascript.places import is_support
from ralph.guardrails.javascript.product import modes, stubs, swallows
from ralph.guardrails.javascript.product.answers import answered
from ralph.guardrails.javascript.runner import outcomes, patches
from ralph.guardrails.javascript.runner.by_api import by_api
from ralph.guardrails.javascript.runner.detect import runners
from ralph.guardrails.javascript.runner.found_first import found_first
from ralph.guardrails.javascript.runner.loaded import loaded_files
from ralph.guardrails.javascript.runner.preloaded import preloaded
from ralph.guardrails.javascript.runner.unloaded import unloaded
from ralph.guardrails.javascript.skipped import detect
from ralph.guardrails.javascript.skipped.in_sources import in_sources
from ralph.guardrails.javascript.suppressed import (
    augmented,
    compiler,
    coverage,
    eslint,
    expected,
    linters,
    oxlint,
    pragmas,
    processors,
    regions,
    widened,
)
from ralph.guardrails.javascript.suppressed.bivariant import bivariant
from ralph.guardrails.javascript.suppressed.escapes import cast_away, escapes
from ralph.guardrails.javascript.suppressed.limits import lifted
from ralph.guardrails.javascript.suppressed.lost_types import lost_types
from ralph.guardrails.javascript.suppressed.rule_api import without_api
from ralph.guardrails.javascript.suppressed.same_casts import without_same
from ralph.guardrails.javascript.suppressed.softeners import softened
from ralph.guardrails.javascript.suppressed.unread import without_unread
from ralph.guardrails.javascript.syntax.components import scripts_of
from ralph.guardrails.javascript.words import (
    CODE_WORDS,
    COMPILER_WORDS,
    COVERAGE_WORDS,
    DEFINITION_WORDS,
    ESLINT_WORDS,
    LINTER_WORDS,
    PRAGMA_WORDS,
    TEST_WORDS,
)
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Detector, Source
from ralph.record import replace

__all__ = ["CHANGE_DETECTORS", "DETECTORS", "REVISE", "WORDS", "scripts_of"]

NEW_TESTS = {mocks.FAKED: "test.subject-faked-in-new-test", "test.retried": "test.retried-new-test"}
"""What rules are called for a test file that the change brings."""
FILE_WIDE = frozenset(
    {"js.eslint-disable", "js.tslint-disable", "js.suppression-unclosed", "js.biome-ignore-file", "js.ts-nocheck"}
)
"""What generators switch off in the header of what they write."""
REGION_WORDS = (*ESLINT_WORDS, *LINTER_WORDS, *COVERAGE_WORDS)
GAMING_WORDS = (
    *patches.WORDS,
    *exits.WORDS,
    *modes.WORDS,
    *retries.WORDS,
    *mocks.WORDS,
    *amended.WORDS,
    *cypress.WORDS,
    *outcomes.WORDS,
    *processors.WORDS,
)
WORDS = (*COMPILER_WORDS, *REGION_WORDS, *CODE_WORDS, *COMMON_WORDS, *GAMING_WORDS)
COMPARED_WORDS = (*PRAGMA_WORDS, *TEST_WORDS)


def _scanners(source: Source) -> Iterator[Hit]:
    return suppressions(source, COMMON, ("//", "/*"))


def _where(words: tuple[str, ...], detect: Callable[[Source], Iterable[Hit]]) -> Detector:
    """A detector that looks at every script of a component, and only at what holds one of its words."""

    def detector(source: Source) -> Iterator[Hit]:
        for script in sources_of(source.path, source.language, source.data):
            if prefilter(words).matches(script.data):
                yield from detect(script if source.language == "vue" else source)

    return detector


def compared(change: Change) -> Iterator[Hit]:
    every = touched(change)
    files = holding(every, COMPARED_WORDS)
    for sides in files:
        yield from pragmas.removed(sides)
    yield from oxlint.line_comments(change, files)
    yield from detect.skipped(change, files, lambda: holding(every, DEFINITION_WORDS))
    worked = holding(every, stubs.WORDS)
    yield from stubs.stubbed(worked)
    yield from swallows.swallowed([sides for sides in worked if not is_built(change, sides.path)])
    yield from widened.widened(holding(every, widened.WORDS))
    yield from augmented.augmented(holding(every, augmented.WORDS))
    yield from stand_ins.replaced(change, holding(every, stand_ins.WORDS))
    yield from forgetful.forgetful(every)
    yield from open_types.open_to_all(holding(every, open_types.WORDS))
    yield from answered_api.answered(change, holding(every, answered_api.WORDS))
    yield from setups.mocked(change, holding(every, setups.WORDS))
    yield from setups.put_in_place(change, holding(every, put_in_place.WORDS))
    yield from pictures.pictures(holding(every, pictures.WORDS))


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """With what only the rest of the two trees tells: a new test takes nothing away, an exit may stand in a hook."""
    own = [hit for hit in without_unread(hits, change) if not is_release(hit.path, change)]
    known = list(lifted(expected.errors(own, change), change))
    for hit in cast_away(list(without_same(known, change)), change):
        if hit.rule == exits.IN_PRODUCT:
            yield exits.judged(hit, change.blobs.paths_after(), loaded_files(change))
        elif hit.rule == "js.exit-in-test" and own_programs.is_started(hit.path, change):
            yield replace(hit, rule="js.exit-among-tests")
        elif _is_about_new(hit, change.blobs.before(hit.path)) or _is_of_sources(hit, change):
            continue
        elif hit.rule in FILE_WIDE and comes_generated(change, hit.path):
            yield replace(hit, rule="hidden.generated-new")
        elif hit.rule in NEW_TESTS and _is_of_new_test(hit, change):
            yield replace(hit, rule=NEW_TESTS[hit.rule])
        else:
            yield hit


def _is_about_new(hit: Hit, before: bytes | None) -> bool:
    """About a test, or a whole file, that the base did not have."""
    return (before is None and hit.key.startswith(cypress.UNCAUGHT)) or retries.of_new_test(hit, before)


def _is_of_new_test(hit: Hit, change: Change) -> bool:
    """In a new file of new tests, or a double that only new tests ask."""
    new_file = change.blobs.before(hit.path) is None and not is_support(hit.path)
    if new_file and hit.rule == "test.retried" and not _has_tests(hit.path, change):
        return False
    if new_file:
        return not came_from_elsewhere(hit, change)
    return hit.rule == mocks.FAKED and was_there(hit, change)


def _has_tests(path: str, change: Change) -> bool:
    """What a file without tests says, it says of those of others."""
    data, language = change.blobs.after(path), language_of(path)
    return data is None or language in (None, "vue") or looks_like_test(Source(path, language or "", data))


def _is_of_sources(hit: Hit, change: Change) -> bool:
    """What a built file has from what it was built of."""
    return hit.rule.startswith(OF_SOURCES) and is_built(change, hit.path)


DETECTORS: tuple[Detector, ...] = (
    _where(COMPILER_WORDS, compiler.directives),
    _where(ESLINT_WORDS, eslint.directives),
    _where(LINTER_WORDS, linters.directives),
    _where(COVERAGE_WORDS, coverage.exemptions),
    _where(REGION_WORDS, regions.unclosed),
    _where(CODE_WORDS, escapes),
    _where(COMMON_WORDS, _scanners),
    _where(patches.WORDS, patches.patches),
    _where(exits.WORDS, exits.exits),
    _where(modes.WORDS, modes.modes),
    _where(retries.WORDS, retries.retries),
    _where(outcomes.WORDS, outcomes.outcomes),
    _where(mocks.WORDS, mocks.mocks),
    _where(amended.WORDS, amended.amended),
    _where(processors.WORDS, processors.processors),
    _where(cypress.WORDS, cypress.cypress),
)
CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (
    *(compared, runners, preloaded, softened, snapshots, wrapped, answered),
    *(
        without_api,
        passed_errors,
        by_api,
        auto_mocked,
        unloaded,
        lost_types,
        in_sources,
        unheard_runs,
        found_first,
        bivariant,
        hidden_in_pictures,
        renamed_out,
    ),
)
REVISE = revised
