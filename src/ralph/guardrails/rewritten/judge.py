"""Everything that rewrites an installed tool, of base and head, and what of it is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.rewritten import SOURCES, may_name
from ralph.guardrails.rewritten.found import Found
from ralph.guardrails.rewritten.orders import orders
from ralph.guardrails.rewritten.patches import patched
from ralph.guardrails.rewritten.scripts import written
from ralph.guardrails.rewritten.vendored import vendored
from ralph.guardrails.texts import cut

RULE = "env.runner-replaced"
"""A tool that is rewritten in place is another tool of that name. The released set has no rule of its own for it."""


def rewritten(change: Change) -> Iterator[Hit]:
    blobs = change.blobs
    before, after = Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())
    paths = [file.path for file in change.files if not is_sample(file.path)]
    yield from map(_hit, patched(paths, before, after))
    yield from map(_hit, vendored(change))
    names = [file.path for file in change.files if file.path in set(paths) and may_name(file, change)]
    old = Counter(each.key for path in names for each in _found(path, before, before))
    for path in names:
        for each in _found(path, after, before):
            if old[each.key] > 0:
                old[each.key] -= 1
            else:
                yield _hit(each)


def _found(path: str, side: Side, before: Side) -> Iterator[Found]:
    yield from orders(path, side, before)
    if path.endswith(SOURCES):
        yield from written(path, side.text(path) or "")


def _hit(found: Found) -> Hit:
    return hit_at(RULE, found.path, found.line, cut(found.detail, 150), found.text, key=found.key)
