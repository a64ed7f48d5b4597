"""Checks and how they are run: scripts, targets, CI jobs and hooks, compared between base and head (policy set v2)."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.config import is_product
from ralph.guardrails.model import Change, ChangeDetector, Hit


def weakened(change: Change) -> Iterable[Hit]:
    """A change of product code alone is let by without loading the rest."""
    if all(is_product(file.path) for file in change.files):
        return ()
    from ralph.guardrails.checks import detect

    return detect.weakened(change)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (weakened,)
