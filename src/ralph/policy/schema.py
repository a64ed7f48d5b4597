"""The form of a policy file (spec: governance engine 1.4). Unknown keys are refused everywhere.

A set says where its rules match in one of two ways: by `guardrails` (v1: regular expressions on added lines),
or by `rules`, whose ids the detectors of `ralph.guardrails` name (v2 and later).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ralph.errors import ConfigError
from ralph.policy.model import Meaning, StepRule, Thresholds
from ralph.record import field, record
from ralph.results import Severity
from ralph.system import records
from ralph.system.yaml import load_yaml


@record
class Header:
    version: str
    """`v1`, `v2` and so on."""
    released_at: str | None
    """The day of its release; null for a draft."""
    immutable: bool
    """A released set never changes again."""


@record
class ForbiddenPattern:
    pattern: str
    """A regular expression for added lines."""
    reason: str
    """What a person is told."""


@record
class CoverageThreshold:
    min_allowed: float
    """A threshold lowered to under this is tampering."""
    tampering_detection: bool
    """Whether it is looked for."""


@record
class TypescriptStrict:
    must_be_enabled: bool
    """`strict` may not be turned off."""
    tampering_detection: bool
    """Whether it is looked for."""


@record
class ConfigTampering:
    coverage_threshold: CoverageThreshold
    """Lowered coverage thresholds."""
    typescript_strict: TypescriptStrict
    """`strict` of TypeScript."""


@record
class Guardrails:
    forbidden_patterns: dict[Literal["typescript", "javascript", "testing", "python"], list[ForbiddenPattern]]
    """Patterns by the kind of file they are for."""
    config_tampering: ConfigTampering
    """What a change of configuration may not do."""


@record
class RuleEntry:
    class_: str = field(metadata={"key": "class"})
    """The class of trick that it answers: `G01` to `G20`."""
    severity: Severity
    """Whether a finding blocks, or is shown for review."""
    reason: str
    """Why the rule is there."""
    fix: str
    """What to do instead."""


@record
class Steps:
    lint: StepRule
    """The linter."""
    typecheck: StepRule
    """The type checker."""
    tests: StepRule
    """The tests."""
    coverage: StepRule
    """Coverage of lines."""


@record
class Verdicts:
    PASS: Meaning
    """Everything required was measured and holds."""
    FAIL: Meaning
    """Something does not hold, or could not be measured."""
    BLOCKED: Meaning
    """A guardrail or a limit was broken."""


@record(kw_only=True)
class PolicyFile:
    policy: Header
    """Which set it is."""
    guardrails: Guardrails | None = None
    """Rules as regular expressions (v1); a set has these or `rules`."""
    rules: dict[str, RuleEntry] | None = None
    """Rules by the ids that Ralph's detectors name (v2 and later)."""
    steps: Steps
    """What each step must reach."""
    thresholds: Thresholds
    """How large a change may be without a contract that says so."""
    verdicts: Verdicts
    """What each verdict means."""


def parse(text: str, source: str) -> PolicyFile:
    """The policy file's content. Raises ConfigError that names the place and what is wrong there."""
    file = records.parse(PolicyFile, load_yaml(text, source), source)
    for problem in _problems(file):
        raise ConfigError(f"{source}: {problem}; correct the policy set")
    return file


def _problems(file: PolicyFile) -> Iterator[str]:
    """What the types alone do not say."""
    if not re.fullmatch(r"v[1-9][0-9]*", file.policy.version):
        yield f"policy.version must be v1, v2 and so on, not {file.policy.version!r}"
    if file.policy.released_at is not None and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", file.policy.released_at):
        yield f"policy.released_at must be a day such as 2026-01-05, not {file.policy.released_at!r}"
    if file.guardrails and file.rules:
        yield "a policy set has either `guardrails` or `rules`, not both"
    yield from _number_problems(file)
    for name, rule in (file.rules or {}).items():
        if not re.fullmatch(r"G\d\d|S\d\d", rule.class_):
            yield f"rules.{name}.class must be G01 to G20, or S01 for secrets, not {rule.class_!r}"
        if not rule.reason or not rule.fix:
            yield f"rules.{name} must give a reason and a fix"
    for group, entries in (file.guardrails.forbidden_patterns if file.guardrails else {}).items():
        for entry in entries:
            yield from _pattern_problems(f"guardrails.forbidden_patterns.{group}", entry)


def _number_problems(file: PolicyFile) -> Iterator[str]:
    minimum = file.steps.coverage.min_percent
    if minimum is None or not 0 <= minimum <= 100:
        yield f"steps.coverage.min_percent must be a percentage, not {minimum}"
    for name in ("max_lines_added", "max_files_changed"):
        if getattr(file.thresholds, name) < 0:
            yield f"thresholds.{name} must not be negative"
    for name in ("lint", "typecheck"):
        if (getattr(file.steps, name).max_errors or 0) < 0:
            yield f"steps.{name}.max_errors must not be negative"


def _pattern_problems(place: str, entry: ForbiddenPattern) -> Iterator[str]:
    try:
        re.compile(entry.pattern)
    except re.error as error:
        yield f"{place}: {entry.pattern!r} is not a regular expression: {error}"
    if not entry.pattern or not entry.reason:
        yield f"{place}: every pattern needs a reason"
