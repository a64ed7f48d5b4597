"""What a detector found out about a project of its kind."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.context.schema import Language
from ralph.record import field, record


@record(kw_only=True)
class Proposal:
    """`commands` and `tools` by the keys of the context file; `missing`: a step's name to why it has no command."""

    language: Language
    name: str | None = None
    commands: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    source: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    coverage_report: str | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
