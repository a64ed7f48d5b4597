"""Configuration that got weaker: parsed before and after, and compared along what each setting means.

Spec: governance engine 1.4 (`config_tampering`); classes G03, G11 and G12. Comments and formatting never count, and
neither does where a setting stands: the configuration in effect is compared, tool by tool (`compare`), with the tool's
defaults for what is not said. A setting is watched by a row of a table (`tools`, `flags`); what "worse" means
is one of a few checks (`lattice`). Nothing is run: what only running could tell is shown to a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from ralph.guardrails.config.all_tools import TOOLS
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.compare import Comparison
from ralph.guardrails.config.exclusions import accepted, collectors, required_features
from ralph.guardrails.config.exclusions.new_helpers import helpers_shown
from ralph.guardrails.config.moved.left_to_projects import left_to_projects
from ralph.guardrails.config.moved.other_runners import weighed_anew
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.readers import has_reader
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.record import replace

PLACES = frozenset(place.name for tool in TOOLS for place in tool.places)
GLOBS = tuple(name for name in PLACES if "*" in name)
UNREADABLE = "cfg.unreadable"
V1_MINIMUM_COVERAGE = 80
V1_THRESHOLD = "v1.config_tampering.coverage_threshold"
V1_STRICT = "v1.config_tampering.typescript_strict"


def weakened(change: Change) -> Iterator[Hit]:
    """Every setting that the change makes weaker, and every configuration that it makes unreadable."""
    before, after = _sides(change)
    yield from _hits(_losses(change, before, after), before, after)
    yield from _unreadable(change, before, after)


def v1_tampering(change: Change) -> Iterable[Hit]:
    """The two rules of policy v1: a coverage threshold that falls to under 80, and TypeScript's `strict` off."""
    before, after = _sides(change)
    found = []
    for loss in _losses(change, before, after):
        if loss.rule == "cfg.coverage.threshold" and loss.was is not None and (loss.now or 0) < V1_MINIMUM_COVERAGE:
            found.append((V1_THRESHOLD, loss))
        elif loss.rule == "cfg.tsconfig.strict-off":
            found.append((V1_STRICT, loss))
    yield from _hits([replace(loss, rule=rule) for rule, loss in found], before, after)


def _sides(change: Change) -> tuple[Side, Side]:
    blobs = change.blobs
    return Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())


def _losses(change: Change, before: Side, after: Side) -> list[Loss]:
    changed = frozenset(file.path for file in change.files)
    found = (collectors.weighed(loss, after) for loss in Comparison(before, after, changed).losses(TOOLS))
    found = (required_features.weighed(loss, before, after) for loss in found)
    found = (weighed_anew(loss, after) for loss in found)
    found = (helpers_shown(loss, before, after) for loss in found)
    found = (left_to_projects(loss, before, after) for loss in found)
    return [*found, *accepted.losses(before, after, changed)]


def _hits(losses: Iterable[Loss], before: Side, after: Side) -> Iterator[Hit]:
    """One hit per rule, setting and place, however many units the loss shows in."""
    seen = set()
    for loss in losses:
        place = loss.node or loss.old
        if place is None:
            continue
        line = loss.node.line if loss.node else 0
        identity = (loss.rule, place.path, line, loss.key)
        if (identity, loss.heir) in seen:
            continue
        known = (identity, "") in seen
        seen |= {(identity, ""), (identity, loss.heir)}
        hit = Hit(
            rule=loss.rule,
            path=place.path,
            line=line,
            column=loss.node.column if loss.node else 0,
            key=f"{loss.key} {loss.text}",
            snippet=_line(after if loss.node else before, place.path, place.line),
            detail=f"{loss.key} {loss.text}",
        )
        if not known:
            yield hit
        if loss.heir:
            yield replace(hit, path=loss.heir, line=0, column=0)


def _unreadable(change: Change, before: Side, after: Side) -> Iterator[Hit]:
    """Files that hold configuration and that parsed before, or are new."""
    for file in change.files:
        if not has_reader(file.path) or not _configures(file.path) or is_sample(file.path):
            continue
        before.node(file.path)
        after.node(file.path)
        if file.path in after.broken and file.path not in before.broken:
            reason = after.broken[file.path]
            yield hit_at(UNREADABLE, file.path, 1, reason, key=UNREADABLE)


def _configures(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name in PLACES or is_ci_file(path) or any(fnmatchcase(name, glob) for glob in GLOBS)


def _line(side: Side, path: str, line: int) -> str:
    lines = (side.text(path) or "").splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
