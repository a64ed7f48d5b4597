"""`python -m tools.schemas` writes `schemas/`: a JSON Schema of every file that people write.

They are made of the dataclasses that read the files. That of `ralph.policy.json` is written by hand, since its reader
is no dataclass (it starts for every use of a tool); `tests/permissions/test_schema.py` holds both to the same.
Ralph itself checks more than a schema can say: repeated keys, and what one key means for another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ralph.cli.schema import FILES
from ralph.config.notify import WAYS
from ralph.config.schema import Config
from ralph.context.schema import AppContext
from ralph.contracts.schema import AutonomyContract
from ralph.events.gate_settings import GateEntry
from ralph.hats.loader import Preset
from ralph.loop.plan.limits import ID
from ralph.loop.plan.model import ImplementationPlan
from ralph.policy.schema import PolicyFile
from ralph.record import field, record
from tools.keys import Further, Schema, schema_of

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "schemas"
WRITTEN_BY_HAND = "ralph.policy.json"

SAID: Schema = {"pattern": r"\S"}
POSITIVE: Schema = {"exclusiveMinimum": 0}
NOT_NEGATIVE: Schema = {"minimum": 0}
PERCENT: Schema = {"minimum": 0, "maximum": 100}
OUTSIDE: Schema = {"pattern": "^(/|~/)"}
INSIDE: Schema = {"pattern": r"\S", "not": {"type": "string", "pattern": r"^/|(^|/)\.\.(/|$)"}}
TASK_ID: Schema = {"pattern": f"^{ID.pattern}$"}
REFERENCE: Schema = {"pattern": r"^(env:[A-Za-z_][A-Za-z0-9_]*|keyring:[^/\s]+/\S+)$"}
REST = "(:[0-9]+)?([/#].*)?$"
LOOPBACK = r"[Hh][Tt]{2}[Pp]://(127\.0\.0\.1|[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|\[::1\])"
ELSEWHERE = "[Hh][Tt]{2}[Pp][Ss]://[^@/?#]+"
TIMES = ("created_at", "last_modified", "frozen_at")
NO_RESERVED: Schema = {"not": {"type": "string", "pattern": r"^(human|loop|task)(\.|$)|^build\.task$"}}


def _one_way(way: str) -> Schema:
    """A target of notifications has exactly one; a webhook is signed."""
    return {"required": [way, *(["secret"] if way == "webhook" else [])], "properties": {way: {"type": "string"}}}


@record
class Configured(Config):
    """`ralph.yml` with what its gates hold, which the events read."""

    gates: Mapping[str, GateEntry] = field(default_factory=dict)
    """More gated topics, further checks and higher floors, by topic. No floor can be lowered."""


CONFIG: Further = {
    **dict.fromkeys(("agent", "event_loop.done"), SAID),
    "preset": {"pattern": r"^[^/]*\S[^/]*$", "not": {"type": "string", "pattern": "/"}},
    **dict.fromkeys(("event_loop.mutation_score_warn_threshold", "event_loop.confidence"), PERCENT),
    **{f"cost_limits.{key}": POSITIVE for key in ("per_iteration", "per_session", "total")},
    **{f"limits.{key}": POSITIVE for key in ("iterations", "runtime_s", "tokens")},
    **{f"breaker.{key}": POSITIVE for key in ("failures", "stagnation", "cooldown_s")},
    **{f"phases.{key}.max_iterations": POSITIVE for key in ("discovery", "planning", "building", "validation")},
    "agents": {"propertyNames": {"pattern": r"^[A-Za-z][A-Za-z0-9_-]*$"}},
    "agents.*.kind": {"enum": ["claude", "claude-cli", "codex", "command", None]},
    **{f"agents.*.{key}": SAID for key in ("command", "program", "model")},
    "agents.*.env": {"propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}},
    **{f"agents.*.prices.{key}": NOT_NEGATIVE for key in ("input", "output", "cache_read", "cache_write")},
    "agents.*.context_window": {"minimum": 1},
    **{f"agents.*.{key}.*": OUTSIDE for key in ("readable", "writable")},
    "gates.*.refusal": NO_RESERVED,
    "gates.*.checks.*.at_least": NOT_NEGATIVE,
    "gates.*.checks.*.at_most": NOT_NEGATIVE,
    "notify": {"propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,60}$"}},
    "notify.*": {"oneOf": [_one_way(way) for way in WAYS]},
    "notify.*.events": {"minItems": 1},
    "notify.*.webhook": {"pattern": f"^(env:|keyring:|({ELSEWHERE}|{LOOPBACK}){REST})"},
    "telemetry.endpoint": {"pattern": f"^[Hh][Tt]{{2}}[Pp][Ss]?://[^@/?#]+{REST}"},
    **{f"notify.*.{key}": REFERENCE for key in ("secret", "apprise")},
    "notify.*.command": SAID,
    "notify.*.timeout_s": {"exclusiveMinimum": 0, "maximum": 60},
}
CONTEXT: Further = {f"paths.{key}": INSIDE for key in ("coverage_report", "test_report")}
CONTRACT: Further = {
    **{f"limits.{key}": NOT_NEGATIVE for key in ("lines_added", "files_changed")},
    "steps.*.not_applicable": SAID,
}
POLICY_SET: Further = {
    "policy.version": {"pattern": "^v[1-9][0-9]*$"},
    "policy.released_at": {"pattern": r"^\d{4}-\d{2}-\d{2}$"},
    "rules.*.class": {"pattern": r"^[GS]\d\d$"},
    **{f"rules.*.{key}": {"minLength": 1} for key in ("reason", "fix")},
    **{f"guardrails.forbidden_patterns.*.*.{key}": {"minLength": 1} for key in ("pattern", "reason")},
    "steps.coverage": {"required": ["required", "min_percent"]},
    "steps.coverage.min_percent": {"type": "number", **PERCENT},
    **{f"steps.{key}.max_errors": NOT_NEGATIVE for key in ("lint", "typecheck")},
    **{f"thresholds.{key}": NOT_NEGATIVE for key in ("max_lines_added", "max_files_changed")},
}
PRESET: Further = {"confidence": PERCENT}
PLAN: Further = {
    **{key: {"pattern": r"^\d{4}"} for key in (*TIMES, "tasks.*.completed_at")},
    "tasks.*.id": TASK_ID,
    "tasks.*.dependencies.*": TASK_ID,
    "tasks.*.priority": {"minimum": 1},
    **{f"tasks.*.{key}": NOT_NEGATIVE for key in ("estimated_tokens", "actual_tokens_used", "retry_count")},
}


def made() -> dict[str, Schema]:
    """Every schema that is made, by the name that `ralph schema` gives it."""
    either: Schema = {"not": {"required": ["guardrails", "rules"], "properties": _NOT_NULL}}
    return {
        "ralph.yml": schema_of(Configured, CONFIG),
        "ralph-context.yaml": schema_of(AppContext, CONTEXT),
        "contract": schema_of(AutonomyContract, CONTRACT),
        "preset": schema_of(Preset, PRESET),
        "policy-set": schema_of(PolicyFile, POLICY_SET) | either,
        "plan": schema_of(ImplementationPlan, PLAN, leave_out=("extra",), open_to=True) | {"required": ["tasks"]},
    }


_NOT_NULL: Schema = {key: {"type": "object", "minProperties": 1} for key in ("guardrails", "rules")}


def texts() -> dict[Path, str]:
    """Every file that is made, with its content."""
    found = {}
    for name, body in made().items():
        file = FILES[name]
        head = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:ralph-governance:{name}:1",
            "title": name,
            "description": file.describes,
        }
        found[FOLDER / file.file] = json.dumps(head | body, indent=2, ensure_ascii=False) + "\n"
    return found


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, "utf-8")
