"""Hats to try things with."""

from __future__ import annotations

from typing import Any

from ralph.hats.model import Hat, Topology

REFUSALS = {"build.done": "build.blocked", "review.done": "review.blocked", "verify.passed": "verify.failed"}


def hat(identifier: str, triggers: str, publishes: str, **keys: Any) -> Hat:
    """A hat whose topics are written with blanks between them."""
    given = {"name": identifier.title(), "instructions": "Work, then publish.", **keys}
    return Hat(id=identifier, triggers=tuple(triggers.split()), publishes=tuple(publishes.split()), **given)


def topology(*hats: Hat, **keys: Any) -> Topology:
    return Topology(name="tried", hats=hats, **{"done": "build.done", **keys})


BUILDER = hat("builder", "build.task build.blocked", "build.done")
