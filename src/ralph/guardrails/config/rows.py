"""Rows: one line per setting that is watched, and the one comparison that all tables share.

    Row("report.fail_under", floor(), "cfg.coverage.threshold")

A key is a path of names with `*` for any name. A setting that is absent takes the value of its `fallback` key, then its
default. A setting implied by another (`strict` and its family) carries that one's node, and a loss of it is reported
once, as `family` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from ralph.guardrails.config.lattice import Check, Worse, ceiling
from ralph.guardrails.config.node import SPREAD, Key, Node, Opaque, Settings, canonical
from ralph.guardrails.config.readers.choices import possible
from ralph.guardrails.config.readers.in_ci import hangs_on_it, there
from ralph.record import record

RETRIES = "cfg.test.retries"
UNREADABLE_VALUE = "cfg.unreadable-value"
MOVED = "cfg.moved"
MINOR_EXCLUSION = "cfg.exclude-minor"


LIFTED, RAISED = "cfg.lint.limit-lifted", "cfg.lint.limit-raised"
FEW_IN_CI = 2
MANIFOLD = 3
"""So many times as high, a limit of a linter limits nothing any more."""


@record
class Row:
    key: str
    check: Check
    rule: str
    minor_rule: str = MINOR_EXCLUSION
    fallback: Callable[[Key], Key] | None = None
    family: tuple[str, str] | None = None

    @property
    def pattern(self) -> Key:
        return _key(self.key)


@record(kw_only=True)
class Loss:
    """One setting that got worse. `node` stands in the head (None: the setting is gone), `old` in the base."""

    rule: str
    key: str
    text: str
    node: Node | None
    old: Node | None
    was: float | None = None
    now: float | None = None
    removed: bool = False
    """The setting is gone although `node` tells where that shows (an option of a command that is still there)."""
    heir: str = ""
    """The file that holds the configuration now, where the one that held the setting no longer counts."""

    @property
    def gone(self) -> bool:
        return self.node is None or self.removed


def limit(key: str, usual: float | None = None) -> Row:
    """The row of a number that a linter lets code reach."""
    return Row(key, ceiling(usual, MANIFOLD), LIFTED, RAISED)


@cache
def _key(dotted: str) -> Key:
    return tuple(dotted.split("."))


def compare_rows(rows: Iterable[Row], before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    rows = tuple(rows)
    for row in rows:
        for key in _keys(row.pattern, before, after):
            yield from _losses(row, key, before, after, paths)
    yield from _opaque_losses(rows, before, after)


def _keys(pattern: Key, *sides: Settings) -> Iterable[Key]:
    """The settings that a row is about; most rows name one."""
    if "*" not in pattern:
        return (pattern,) if any(pattern in side for side in sides) else ()
    return dict.fromkeys(key for side in sides for key in side if matches(pattern, key))


def matches(pattern: Key, key: Key) -> bool:
    return len(pattern) == len(key) and all(part in ("*", name) for part, name in zip(pattern, key, strict=True))


def _losses(row: Row, key: Key, before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    old, new = _lookup(row, key, before), _lookup(row, key, after)
    if (hangs_on_it(old) or hangs_on_it(new)) and (worse := _worse_in_ci(row, old, new, paths)) is not None:
        text = f"{worse.text} in CI"
        yield Loss(rule=row.rule, key=".".join(key), text=text, node=new, old=old, was=worse.was, now=worse.now)
        return
    if _is_choice(old) or _is_choice(new):
        yield from _of_choices(row, key, old, new, paths)
        return
    for worse in row.check(old, new, paths):
        rule = UNREADABLE_VALUE if worse.unreadable else row.minor_rule if worse.minor else row.rule
        name = ".".join(key)
        if row.family and old is not None and old is before.get(_key(row.family[0])):
            top = after.get(_key(row.family[0]))
            if worse.node is None or worse.node is top:
                name, rule = row.family[0], row.family[1]
                yield Loss(rule=rule, key=name, text="is off" if top else "is gone", node=top, old=old)
                continue
        yield Loss(rule=rule, key=name, text=worse.text, node=worse.node, old=old, was=worse.was, now=worse.now)


def _of_choices(row: Row, key: Key, old: Node | None, new: Node | None, paths: Sequence[str]) -> Iterator[Loss]:
    """What hangs on a question, and may be worse than all that it was."""
    if (old and canonical(old)) == (new and canonical(new)):
        return
    (before, all_before), (after, all_after) = possible(old), possible(new)
    worse = _worst(row, before, after, paths) if all_before else []
    in_ci_only = hangs_on_it(new) and row.rule != RETRIES
    if worse and not in_ci_only:
        for each in worse:
            usual = row.rule == RETRIES and hangs_on_it(new) and (each.now or 0) <= FEW_IN_CI
            rule = UNREADABLE_VALUE if each.unreadable else row.minor_rule if each.minor or usual else row.rule
            text, node = f"{each.text} in some case", each.node or new
            yield Loss(rule=rule, key=".".join(key), text=text, node=node, old=old, was=each.was, now=each.now)
    elif worse or not (all_before and all_after) or (hangs_on_it(old) and _opaque(new) and not hangs_on_it(new)):
        text = "changes to what only running it could tell" if new else "is gone"
        yield Loss(rule=UNREADABLE_VALUE, key=".".join(key), text=text, node=new, old=old)


def _worst(row: Row, before: list[Node | None], after: list[Node | None], paths: Sequence[str]) -> list[Worse]:
    """How the worst of the new values is worse than each of the old ones."""
    found: list[Worse] = []
    for now in after:
        against = [list(row.check(was, now, paths)) for was in before]
        least = min(against, key=len, default=[])
        if least and (not found or any(not each.minor and not each.unreadable for each in least)):
            found = least
    return found


def _lookup(row: Row, key: Key, settings: Settings) -> Node | None:
    found = settings.get(key)
    if found is None and row.fallback:
        found = settings.get(row.fallback(key))
    return found


def _is_choice(node: Node | None) -> bool:
    """It cannot be read, or it is a list with a part that may be there or not."""
    listed = node is not None and isinstance(node.value, list)
    items = node.items if node is not None and listed else ()
    return _opaque(node) or any(isinstance(item.value, Opaque) and item.value.may_be for item in items)


def _opaque(node: Node | None) -> bool:
    return node is not None and isinstance(node.value, Opaque)


def _worse_in_ci(row: Row, old: Node | None, new: Node | None, paths: Sequence[str]) -> Worse | None:
    """What is plainly worse where CI runs. Repeating tests once or twice there alone is usual, and for a person."""
    was, now = (there(node) if node is not None else None for node in (old, new))
    if _opaque(was) or _opaque(now) or row.rule == RETRIES:
        return None
    return next((worse for worse in row.check(was, now, paths) if not (worse.minor or worse.unreadable)), None)


def _opaque_losses(rows: Iterable[Row], before: Settings, after: Settings) -> Iterator[Loss]:
    """Parts that cannot be read, above or beside a watched setting, and that differ."""
    patterns = [row.pattern for row in rows]
    old, new = ({key: node for key, node in side.items() if _hides(key, node, patterns)} for side in (before, after))
    for key in dict.fromkeys([*new, *old]):
        if key not in old or key not in new or canonical(old[key]) != canonical(new[key]):
            name = ".".join(part for part in key if not part.startswith(SPREAD)) or "the whole configuration"
            yield Loss(
                rule=UNREADABLE_VALUE,
                key=name,
                text="changes in a part that only running it could tell",
                node=new.get(key),
                old=old.get(key),
            )


def _hides(key: Key, node: Node, patterns: Iterable[Key]) -> bool:
    spread = next((index for index, name in enumerate(key) if name.startswith(SPREAD)), None)
    if spread is None and not isinstance(node.value, Opaque):
        return False
    above = key[:spread]
    return any(len(pattern) > len(above) and matches(pattern[: len(above)], above) for pattern in patterns)
