"""The form of a policy file (spec: governance engine 1.4). Unknown keys are refused everywhere.

A set says where its rules match in one of two ways: by `guardrails` (v1: regular expressions on added lines),
or by `rules`, whose ids the detectors of `ralph.guardrails` name (v2 and later).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ralph.errors import ConfigError
from ralph.system.yaml import load_yaml


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return pattern


Expression = Annotated[str, AfterValidator(_compiles), Field(min_length=1)]
Text = Annotated[str, Field(min_length=1)]
Percent = Annotated[float, Field(ge=0, le=100)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Header(Model):
    version: Annotated[str, Field(pattern=r"^v[1-9][0-9]*$")]
    released_at: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None
    immutable: bool


class ForbiddenPattern(Model):
    pattern: Expression
    reason: Text


class CoverageThreshold(Model):
    min_allowed: Percent
    tampering_detection: bool


class TypescriptStrict(Model):
    must_be_enabled: bool
    tampering_detection: bool


class ConfigTampering(Model):
    coverage_threshold: CoverageThreshold
    typescript_strict: TypescriptStrict


class Guardrails(Model):
    forbidden_patterns: dict[Literal["typescript", "javascript", "testing", "python"], list[ForbiddenPattern]]
    config_tampering: ConfigTampering


class RuleEntry(Model):
    class_: Annotated[str, Field(alias="class", pattern=r"^G\d\d$")]
    severity: Literal["block", "review"]
    reason: Text
    fix: Text


class Step(Model):
    required: bool
    max_errors: Annotated[int, Field(ge=0)] | None = None
    must_all_pass: bool | None = None
    min_percent: Percent | None = None


class Steps(Model):
    lint: Step
    typecheck: Step
    tests: Step
    coverage: Step


class Thresholds(Model):
    max_lines_added: Annotated[int, Field(ge=0)]
    max_files_changed: Annotated[int, Field(ge=0)]


class Meaning(Model):
    meaning: Text
    agent_action: Text
    human_action: Text


class Verdicts(Model):
    PASS: Meaning
    FAIL: Meaning
    BLOCKED: Meaning


def _none_is_empty(value: Any) -> Any:
    return {} if value is None else value


class PolicyFile(Model):
    policy: Header
    guardrails: Guardrails | None = None
    rules: Annotated[dict[str, RuleEntry], BeforeValidator(_none_is_empty)] = {}
    steps: Steps
    thresholds: Thresholds
    verdicts: Verdicts

    @model_validator(mode="after")
    def one_way_to_match(self) -> Self:
        if self.guardrails and self.rules:
            raise ValueError("a policy set has either `guardrails` or `rules`, not both")
        return self


def parse(text: str, source: str) -> PolicyFile:
    """The policy file's content. Raises ConfigError that names the place and what is wrong there."""
    try:
        return PolicyFile.model_validate(load_yaml(text, source))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{source}: {where}: {first['msg']}; correct the policy set") from error
