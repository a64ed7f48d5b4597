"""The detectors of what is hidden, for the registry."""

from __future__ import annotations

from ralph.guardrails.hiding.attributes import hidden_by_attributes
from ralph.guardrails.hiding.encoded import encoded_code
from ralph.guardrails.hiding.generated import called_generated
from ralph.guardrails.hiding.ignores import hidden_by_ignoring, passed_over
from ralph.guardrails.hiding.lines import hidden_in_lines
from ralph.guardrails.hiding.releases import releases
from ralph.guardrails.hiding.submodules import submodule_settings
from ralph.guardrails.model import ChangeDetector

CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (
    hidden_in_lines,
    encoded_code,
    called_generated,
    hidden_by_attributes,
    hidden_by_ignoring,
    passed_over,
    releases,
    submodule_settings,
)
