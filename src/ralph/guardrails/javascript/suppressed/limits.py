"""Limits that a comment lifts for its file (policy set v2, class G01): `/* eslint complexity: ["error", 40] */`.

Rule: what a comment says about a rule of ESLint is for a person. A limit that is a multiple there of what ESLint's
configuration of the project says switches the rule off; so it does in the configuration (`config.tools.eslint`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ralph.guardrails.config.rows import MANIFOLD
from ralph.guardrails.config.tools.eslint import LIMITS
from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

SAID, SWITCHED_OFF = "js.eslint-inline-options", "js.eslint-inline-config"
CONFIGURATION = later(r"(?:^|/)(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?|package\.json)$")
NUMBER = later(r"(?<![\w.])\d+")


def lifted(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with comments that lift a limit as such that switch a rule off."""
    configured = cache(lambda: _configured(change))
    for hit in hits:
        lifts = hit.rule == SAID and any(_lifts(name, hit.key, configured()) for name in hit.scope or ())
        yield replace(hit, rule=SWITCHED_OFF) if lifts else hit


def _lifts(name: str, said: str, configured: Mapping[str, int]) -> bool:
    limit = configured.get(name) if name.startswith(LIMITS) else None
    now = _limits(said).get(name)
    return limit is not None and now is not None and now >= MANIFOLD * limit


def _configured(change: Change) -> dict[str, int]:
    """The limits of the base, the highest where several configurations say one."""
    found: dict[str, int] = {}
    for path in sorted(path for path in change.blobs.paths_before() if CONFIGURATION.search(path)):
        text = (change.blobs.before(path) or b"").decode("utf-8", "replace")
        for name, limit in _limits(text).items():
            found[name] = max(limit, found.get(name, 0))
    return found


def _limits(text: str) -> dict[str, int]:
    """The highest number in what is said of each limit."""
    found: dict[str, int] = {}
    for name, said in re.findall(rf"(?<![\w-])((?:{'|'.join(LIMITS)})[\w-]*)[\"']?\s*:\s*(\[[^\]]*\])", text):
        if numbers := NUMBER.findall(said.partition(",")[2]):
            found[name] = max(map(int, numbers))
    return found
