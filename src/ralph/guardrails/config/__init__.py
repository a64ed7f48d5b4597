"""Configuration that got weaker: parsed before and after, and compared along what each setting means.

Interface first; see the modules for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.model import Change, ChangeDetector, Hit

CHANGE_DETECTORS: tuple[ChangeDetector, ...] = ()


def v1_tampering(change: Change) -> Iterable[Hit]:
    return ()
