"""Hats, claims and rules that the tests of this folder share."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from ralph.events import tokens
from ralph.events.door import Evidence, Rules
from ralph.events.inbox import Turn
from ralph.events.model import Event
from ralph.hats.model import Hat

MOMENT = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
BUILD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
REVIEW = "tests: pass, build: pass"
QUALITY = (
    "quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 85%, quality.mutation: 75%, "
    "quality.complexity: 6"
)
BUILDER = Hat(
    id="builder",
    name="Builder",
    triggers=("build.task", "build.blocked"),
    publishes=("build.done", "build.blocked", "review.done", "verify.passed", "docs.*"),
)
CONFESSOR = Hat(
    id="confessor",
    name="Confessor",
    triggers=("build.done",),
    publishes=("confession.clean", "confession.issues_found", "build.task", "*"),
)
HANDLER = Hat(id="handler", name="Handler", triggers=("confession.*",), publishes=("LOOP_COMPLETE", "escalate.human"))
HATS = (BUILDER, CONFESSOR, HANDLER)
TOKEN, SEAL = tokens.mint(3)
TURN = Turn(iteration=3, hat="builder", agent="scripted", model="m-1", task="t1")


def rules(evidence: Evidence = "claimed") -> Rules:
    return Rules(hats=HATS, evidence=evidence, seal=SEAL)


def event(topic: str = "build.done", payload: str = BUILD, number: int | None = None) -> Event:
    found = Event(topic=topic, payload=payload, origin="agent", hat="builder", task="t1", iteration=3)
    return replace(found, number=number)
