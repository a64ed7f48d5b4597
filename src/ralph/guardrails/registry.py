"""Which detectors look at which files: the table of contents of the guardrails.

A family module defines `DETECTORS` (functions from a `Source` to hits) and `WORDS` (regular expressions, matched
without case on changed lines as bytes: a file none of whose changed lines matches is not parsed, which is what
makes a large change cheap; too many matches cost time, one too few costs a finding). It may define `REVISE`, and
`COMPARED_WORDS`: those of its change detectors, by which the scan knows that an unreadable file matters to them.
Modules are named, not imported: a grammar is loaded only when a change needs it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.source import Detector

LANGUAGE_FAMILY = {
    "python": "ralph.guardrails.python",
    "javascript": "ralph.guardrails.javascript",
    "typescript": "ralph.guardrails.javascript",
    "tsx": "ralph.guardrails.javascript",
    "vue": "ralph.guardrails.javascript",
    "go": "ralph.guardrails.golang.detectors",
    "rust": "ralph.guardrails.rust.detectors",
    "java": "ralph.guardrails.jvm",
    "kotlin": "ralph.guardrails.jvm",
    "csharp": "ralph.guardrails.csharp.detectors",
    "ruby": "ralph.guardrails.ruby",
    "shell": "ralph.guardrails.shell",
    "cpp": "ralph.guardrails.cpp",
    "php": "ralph.guardrails.php",
}
PACKAGES = frozenset(module.split(".")[2] for module in LANGUAGE_FAMILY.values())
"""Each holds the rules of one language, or of two that are alike."""

CHANGE_FAMILIES = (
    "ralph.guardrails.config",
    "ralph.guardrails.checks",
    "ralph.guardrails.rewritten",
    "ralph.guardrails.registered",
    "ralph.guardrails.checks.hooks.agents",
    "ralph.guardrails.checks.failures.handing_on",
    "ralph.guardrails.checks.failures.strictness",
    "ralph.guardrails.checks.removed.unhooked",
    "ralph.guardrails.checks.replaced_tools.silent_rules",
    "ralph.guardrails.jvm.bindings",
    "ralph.guardrails.jvm.soft_bases",
    "ralph.guardrails.common.suppressed.marked",
    "ralph.guardrails.common.suppressed.stretched",
    "ralph.guardrails.common.suppressed.asked_less",
    "ralph.guardrails.rust.levels",
    "ralph.guardrails.rust.terminations",
    "ralph.guardrails.rust.unrun",
    "ralph.guardrails.rust.harness",
    "ralph.guardrails.rust.replaced",
    "ralph.guardrails.rust.strategies",
    "ralph.guardrails.rust.unheard",
    "ralph.guardrails.rust.workspaces",
    "ralph.guardrails.javascript",
    "ralph.guardrails.inventory",
    "ralph.guardrails.common.stubbed.functions",
    "ralph.guardrails.common.stubbed.unwritten",
    "ralph.guardrails.common.stubbed.unverified",
    "ralph.guardrails.common.stubbed.decided",
    "ralph.guardrails.common.stubbed.only_counted",
    "ralph.guardrails.common.stubbed.only_told",
    "ralph.guardrails.common.stubbed.dead",
    "ralph.guardrails.common.suppressed.silenced",
    "ralph.guardrails.common.doubles.given",
    "ralph.guardrails.common.doubles.own_subclasses",
    "ralph.guardrails.common.doubles.makers",
    "ralph.guardrails.common.doubles.stubbed_makers",
    "ralph.guardrails.common.doubles.shadowed",
    "ralph.guardrails.common.doubles.before_product",
    "ralph.guardrails.common.doubles.in_front",
    "ralph.guardrails.common.doubles.overridden",
    "ralph.guardrails.common.doubles.copied",
    "ralph.guardrails.common.doubles.wanted_of_double",
    "ralph.guardrails.common.doubles.made_by_no_test",
    "ralph.guardrails.common.assertions.equal_to_all",
    "ralph.guardrails.common.assertions.equal_by_fewer",
    "ralph.guardrails.common.assertions.own",
    "ralph.guardrails.common.assertions.another_function",
    "ralph.guardrails.common.assertions.imported",
    "ralph.guardrails.common.skipped.plain_tests",
    "ralph.guardrails.common.failures.own_runs",
    "ralph.guardrails.common.failures.failed_setup",
    "ralph.guardrails.common.failures.unmet_guards",
    "ralph.guardrails.common.skipped.declared_tests",
    "ralph.guardrails.common.skipped.unmade",
    "ralph.guardrails.common.failures.unfailing",
    "ralph.guardrails.common.failures.awaiting",
    "ralph.guardrails.common.failures.unwaited",
    "ralph.guardrails.common.assertions.normalisers",
    "ralph.guardrails.common.assertions.scrubbed",
    "ralph.guardrails.common.rows.empty_loops",
    "ralph.guardrails.common.failures.telling",
    "ralph.guardrails.common.failures.guards",
    "ralph.guardrails.common.product.aware_elsewhere",
    "ralph.guardrails.common.product.special",
    "ralph.guardrails.common.product.whole_inputs",
    "ralph.guardrails.common.product.input_among_names",
    "ralph.guardrails.common.product.whole_texts",
    "ralph.guardrails.common.product.shapes",
    "ralph.guardrails.common.product.test_constants",
    "ralph.guardrails.common.stubbed.dropped",
    "ralph.guardrails.common.stubbed.refused",
    "ralph.guardrails.common.wanted.recorded",
    "ralph.guardrails.common.wanted.no_longer_rounded",
    "ralph.guardrails.common.wanted.approving",
    "ralph.guardrails.common.wanted.overwritten",
    "ralph.guardrails.common.stubbed.trusted",
    "ralph.guardrails.common.stubbed.unfilled",
    "ralph.guardrails.common.stubbed.given_back",
    "ralph.guardrails.common.stubbed.always_equal",
    "ralph.guardrails.common.product.clients",
    "ralph.guardrails.common.failures.exit_of_many",
    "ralph.guardrails.common.failures.tried_again",
    "ralph.guardrails.common.failures.unended",
    "ralph.guardrails.common.failures.advisory",
    "ralph.guardrails.common.rows.easier",
    "ralph.guardrails.common.wanted.recomputed",
    "ralph.guardrails.common.wanted.given_again",
    "ralph.guardrails.common.skipped.tagged_out",
    "ralph.guardrails.common.failures.pardoned",
    "ralph.guardrails.common.failures.let_pass",
    "ralph.guardrails.common.assertions.comparers",
    "ralph.guardrails.common.assertions.compared_in_part",
    "ralph.guardrails.common.assertions.written_for_nothing",
    "ralph.guardrails.common.assertions.given_in_vain",
    "ralph.guardrails.common.assertions.matched_requests",
    "ralph.guardrails.common.assertions.paired",
    "ralph.guardrails.common.rows.discarded",
    "ralph.guardrails.common.rows.leaving_out",
    "ralph.guardrails.common.rows.data",
    "ralph.guardrails.common.rows.cut_tables",
    "ralph.guardrails.common.rows.given_up",
    "ralph.guardrails.common.assertions.tolerances",
    "ralph.guardrails.common.wanted.carried",
    "ralph.guardrails.common.wanted.cassettes",
    "ralph.guardrails.common.wanted.schema_siblings",
    "ralph.guardrails.common.product.same_members",
    "ralph.guardrails.common.wanted.own_floors",
    "ralph.guardrails.common.assertions.tolerant",
    "ralph.guardrails.common.assertions.rounded",
    "ralph.guardrails.common.failures.rerun",
    "ralph.guardrails.common.failures.rerun_by_runners",
    "ralph.guardrails.common.failures.steps_again",
    "ralph.guardrails.common.rows.fewer_values",
    "ralph.guardrails.common.rows.less_than_usual",
    "ralph.guardrails.csharp.conditional_methods",
    "ralph.guardrails.common.rows.tried_less",
    "ralph.guardrails.common.skipped.switched_off",
    "ralph.guardrails.common.skipped.unset_in_ci",
    "ralph.guardrails.javascript.failures.lenient",
    "ralph.guardrails.javascript.failures.console_guards",
    "ralph.guardrails.common.stubbed.measured",
    "ralph.guardrails.common.stubbed.timed",
    "ralph.guardrails.common.stubbed.unmeasured_rows",
    "ralph.guardrails.golang.answers",
    "ralph.guardrails.common.product.known_inputs",
    "ralph.guardrails.golang.removed.nested_modules",
    "ralph.guardrails.golang.replaced_for_all",
    "ralph.guardrails.golang.measured_constants",
    "ralph.guardrails.golang.product.promoted",
    "ralph.guardrails.golang.product.built_for_tests",
    "ralph.guardrails.golang.assertions.own_equal",
    "ralph.guardrails.golang.removed.said_by_module",
    "ralph.guardrails.golang.failures.unheard_words",
    "ralph.guardrails.golang.removed.seeds",
    "ralph.guardrails.golang.failures.passed_errors",
    "ralph.guardrails.python.product.detect",
    "ralph.guardrails.python.product.one_verdict",
    "ralph.guardrails.python.product.any_name",
    "ralph.guardrails.python.doubles.given",
    "ralph.guardrails.python.skipped.deselected",
    "ralph.guardrails.python.skipped.asking",
    "ralph.guardrails.python.failures.own_exception",
    "ralph.guardrails.python.suppressed.notebooks",
    "ralph.guardrails.python.runner",
    "ralph.guardrails.python.removed.doctests",
    "ralph.guardrails.python.removed.not_descended",
    "ralph.guardrails.python.removed.virtual_folders",
    "ralph.guardrails.python.removed.overridden_hooks",
    "ralph.guardrails.python.removed.star_imports",
    "ralph.guardrails.python.skipped.trial",
    "ralph.guardrails.common.rows.repeated_keys",
    "ralph.guardrails.common.rows.hidden_names",
    "ralph.guardrails.python.assertions.never_run",
    "ralph.guardrails.python.assertions.by_library",
    "ralph.guardrails.python.product.no_property",
    "ralph.guardrails.python.product.uncompared",
    "ralph.guardrails.python.failures.exit_codes",
    "ralph.guardrails.python.removed.inherited",
    "ralph.guardrails.python.rows.narrowed",
    "ralph.guardrails.python.suppressed.widened",
    "ralph.guardrails.python.suppressed.untyped",
    "ralph.guardrails.python.suppressed.stubfiles",
    "ralph.guardrails.python.suppressed.any_attribute",
    "ralph.guardrails.python.suppressed.any_base",
    "ralph.guardrails.python.suppressed.pylint_plugins",
    "ralph.guardrails.python.runner.counted_lines",
    "ralph.guardrails.common.suppressed.vouched",
    "ralph.guardrails.common.suppressed.handed_on",
    "ralph.guardrails.checks.hooks.libraries",
    "ralph.guardrails.checks.hooks.programs",
    "ralph.guardrails.python.suppressed.quieted",
    "ralph.guardrails.ruby.aliases",
    "ralph.guardrails.ruby.awaiting",
    "ralph.guardrails.ruby.reporters",
    "ralph.guardrails.ruby.tasks",
    "ralph.guardrails.ruby.sorbet",
    "ralph.guardrails.hiding.detectors",
    "ralph.guardrails.secrets.detect",
)
"""Modules that define `CHANGE_DETECTORS`: functions from a whole `Change` to hits."""


Revise = Callable[[Sequence[Hit], Change], Iterable[Hit]]
"""A last look of a family at its new hits, with both trees at hand: it may name a milder rule for one."""


class Family(NamedTuple):
    detectors: Sequence[Detector]
    words: Sequence[str]
    compared_words: Sequence[str] = ()
    revise: Revise | None = None
    worth: Callable[[bytes], bool] | None = None
    """Whether the whole content of a file, whose changed lines hold a word, can hold a hit; None: it always can."""


@cache
def family(language: str) -> Family:
    module = importlib.import_module(LANGUAGE_FAMILY[language])
    compared = getattr(module, "COMPARED_WORDS", ())
    return Family(
        module.DETECTORS, module.WORDS, compared, getattr(module, "REVISE", None), getattr(module, "WORTH", None)
    )


def change_detectors(paths: Iterable[str]) -> tuple[ChangeDetector, ...]:
    """Those that may find something in a change of these files.

    Source files of some languages concern the rules of these and those of all languages. Anything else may concern
    any rule, and so may a script of the shell, which runs the tools of every language.
    """
    spoken = {language_of(path) for path in paths}
    if None in spoken or "shell" in spoken:
        return _detectors(PACKAGES)
    return _detectors(frozenset(_package(LANGUAGE_FAMILY[language]) for language in spoken if language))


@cache
def _detectors(packages: frozenset[str]) -> tuple[ChangeDetector, ...]:
    others = PACKAGES - packages
    return tuple(
        detector
        for name in CHANGE_FAMILIES
        if _package(name) not in others
        for detector in importlib.import_module(name).CHANGE_DETECTORS
    )


def _package(module: str) -> str:
    """`python` of `ralph.guardrails.python.runner`."""
    return module.split(".")[2]
