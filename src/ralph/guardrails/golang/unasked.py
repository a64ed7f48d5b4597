"""Suppressions of a linter that nothing ran before this change (policy set v2, class G01).

Rule: a `nolint` that names linters of which the base's configuration of golangci-lint ran none, and the head's runs
each, stands in the place of the wider setting: it is for a person, whether it says why or not. So is it only where no
command of the base names such a linter itself, and the head's configuration no longer leaves it out.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.moved.adopted import MAY_RUN
from ralph.guardrails.config.node import Settings
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.golangci import DEFAULT, GOLANGCI, STANDS_FOR, is_unclear, runs
from ralph.guardrails.model import Change, Hit
from ralph.record import replace

UNEXPLAINED, EXPLAINED = "go.nolint-unexplained", "go.nolint"
CONFIGURATION = frozenset(place.name for place in GOLANGCI.places)


def still_asked(hits: Sequence[Hit], change: Change) -> list[Hit]:
    if not any(posixpath.basename(file.path) in CONFIGURATION for file in change.files):
        return list(hits)
    blobs = change.blobs
    before, after = Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())
    commands = [before.text(path) or "" for path in sorted(before.paths) if MAY_RUN.search(path) or is_ci_file(path)]
    return [_milder(hit) if _is_new(hit, before, after, commands) else hit for hit in hits]


def _milder(hit: Hit) -> Hit:
    return replace(hit, rule=EXPLAINED)


def _is_new(hit: Hit, before: Side, after: Side, commands: Sequence[str]) -> bool:
    if hit.rule != UNEXPLAINED or not hit.scope:
        return False
    linters = {each for name in hit.scope for each in STANDS_FOR.get(name, (name,))}
    was, now = _settings(before, hit.path), _settings(after, hit.path)
    if was is None or now is None or not linters.isdisjoint(DEFAULT) or is_unclear(was):
        return False
    if any(runs(name, was) for name in linters) or not all(runs(name, now) for name in linters):
        return False
    return not any(name in text for text in commands if "golangci" in text for name in (*linters, "enable-all"))


def _settings(side: Side, path: str) -> Settings | None:
    """golangci-lint takes the configuration of the nearest folder above."""
    units = GOLANGCI.find_units(side)
    folder = posixpath.dirname(path)
    while folder and folder not in units:
        folder = posixpath.dirname(folder)
    return units[folder].settings if folder in units else None
