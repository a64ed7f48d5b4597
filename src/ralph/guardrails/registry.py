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

CHANGE_FAMILIES = (
    "ralph.guardrails.config",
    "ralph.guardrails.checks",
    "ralph.guardrails.rewritten",
    "ralph.guardrails.registered",
    "ralph.guardrails.checks.agents",
    "ralph.guardrails.checks.strictness",
    "ralph.guardrails.jvm.bindings",
    "ralph.guardrails.common.marked",
    "ralph.guardrails.common.stretched",
    "ralph.guardrails.rust.levels",
    "ralph.guardrails.rust.unrun",
    "ralph.guardrails.rust.harness",
    "ralph.guardrails.rust.replaced",
    "ralph.guardrails.rust.strategies",
    "ralph.guardrails.rust.unheard",
    "ralph.guardrails.javascript",
    "ralph.guardrails.inventory",
    "ralph.guardrails.common.stubs",
    "ralph.guardrails.common.unwritten",
    "ralph.guardrails.common.unverified",
    "ralph.guardrails.common.decided",
    "ralph.guardrails.common.silenced",
    "ralph.guardrails.common.given",
    "ralph.guardrails.common.makers",
    "ralph.guardrails.common.stubbed_makers",
    "ralph.guardrails.common.shadowed",
    "ralph.guardrails.common.before_product",
    "ralph.guardrails.common.in_front",
    "ralph.guardrails.common.equal_to_all",
    "ralph.guardrails.common.own_assertions",
    "ralph.guardrails.common.plain_tests",
    "ralph.guardrails.common.own_runs",
    "ralph.guardrails.common.declared_tests",
    "ralph.guardrails.common.unmade",
    "ralph.guardrails.common.unfailing",
    "ralph.guardrails.common.awaiting",
    "ralph.guardrails.common.unwaited",
    "ralph.guardrails.common.normalisers",
    "ralph.guardrails.common.scrubbed",
    "ralph.guardrails.common.empty_loops",
    "ralph.guardrails.common.telling",
    "ralph.guardrails.common.guards",
    "ralph.guardrails.common.special",
    "ralph.guardrails.common.whole_inputs",
    "ralph.guardrails.common.whole_texts",
    "ralph.guardrails.common.shapes",
    "ralph.guardrails.common.test_constants",
    "ralph.guardrails.common.dropped",
    "ralph.guardrails.common.refused",
    "ralph.guardrails.common.recorded",
    "ralph.guardrails.common.overwritten",
    "ralph.guardrails.common.trusted",
    "ralph.guardrails.common.clients",
    "ralph.guardrails.common.exit_of_many",
    "ralph.guardrails.common.unended",
    "ralph.guardrails.common.advisory",
    "ralph.guardrails.common.easier",
    "ralph.guardrails.common.recomputed",
    "ralph.guardrails.common.tagged_out",
    "ralph.guardrails.common.pardoned",
    "ralph.guardrails.common.let_pass",
    "ralph.guardrails.common.comparers",
    "ralph.guardrails.common.compared_in_part",
    "ralph.guardrails.common.discarded",
    "ralph.guardrails.common.leaving_out",
    "ralph.guardrails.common.data_rows",
    "ralph.guardrails.common.cut_tables",
    "ralph.guardrails.common.tolerances",
    "ralph.guardrails.common.carried",
    "ralph.guardrails.common.own_floors",
    "ralph.guardrails.common.tolerant",
    "ralph.guardrails.common.rounded",
    "ralph.guardrails.common.rerun",
    "ralph.guardrails.common.fewer_values",
    "ralph.guardrails.common.tried_less",
    "ralph.guardrails.common.switched_off",
    "ralph.guardrails.common.unset_in_ci",
    "ralph.guardrails.javascript.lenient",
    "ralph.guardrails.javascript.console_guards",
    "ralph.guardrails.golang.answers",
    "ralph.guardrails.common.known_inputs",
    "ralph.guardrails.golang.seeds",
    "ralph.guardrails.golang.passed_errors",
    "ralph.guardrails.python.product",
    "ralph.guardrails.python.one_verdict",
    "ralph.guardrails.python.given",
    "ralph.guardrails.python.deselected",
    "ralph.guardrails.python.asking",
    "ralph.guardrails.python.own_exception",
    "ralph.guardrails.python.notebooks",
    "ralph.guardrails.python.runner",
    "ralph.guardrails.python.doctests",
    "ralph.guardrails.python.exit_codes",
    "ralph.guardrails.python.inherited",
    "ralph.guardrails.python.narrowed",
    "ralph.guardrails.python.widened",
    "ralph.guardrails.python.untyped",
    "ralph.guardrails.python.stubfiles",
    "ralph.guardrails.python.any_attribute",
    "ralph.guardrails.python.quieted",
    "ralph.guardrails.ruby.awaiting",
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


@cache
def change_detectors() -> tuple[ChangeDetector, ...]:
    return tuple(detector for name in CHANGE_FAMILIES for detector in importlib.import_module(name).CHANGE_DETECTORS)
