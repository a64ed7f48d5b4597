"""Options with which a rule of ESLint holds for little of what it held for, and comments that suppress nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

LOOSE = later(
    r"eqeqeq (?:smart|allow-null|null=ignore)|no-unused-vars (?:args=none|vars=local|caughtErrors=none)"
    r"|no-unused-vars \w+Pattern=(?:\^|\.|\^?\.\*\$?)|no-empty allowEmptyCatch=true|no-explicit-any ignoreRestArgs=true"
    r"|ban-ts-comment ts-(?:ignore|nocheck|expect-error)=false|no-floating-promises ignoreVoid=true"
    r"|no-console allow=.*\"log\".*|camelcase properties=never|no-undef typeof=false|no-shadow builtinGlobals=false"
    r"|prefer-const destructuring=all|no-cond-assign except-parens|consistent-return treatUndefinedAsUnspecified=true"
)
NAMES_ITEMS = ("no-restricted-", "id-denylist")
"""Rules that find what their options name."""
LEVELS = {"off": 0, "false": 0, "0": 0, "warn": 1, "true": 1, "1": 1, "error": 2, "2": 2}
USUAL = 1
MISSING = "no longer names"


def loosened(name: str, old: Node, new: Node) -> Iterator[Loss]:
    was, now = (set(_options(node)) for node in (old, new))
    short = name.rpartition("/")[2]
    loose = sorted(option for option in now - was if LOOSE.fullmatch(f"{short} {option}"))
    if loose:
        yield Loss(rule="cfg.eslint.rule-off", key=name, text=f"is loosened by {loose[0]}", node=new, old=old)
    elif short.startswith(NAMES_ITEMS):
        gone = sorted(set(_named(old)) - set(_named(new)))
        if gone:
            yield Loss(rule="cfg.eslint.rule-off", key=name, text=f"{MISSING} {cut(gone[0], 60)}", node=new, old=old)


def unused_comments(old: Node | None, new: Node | None) -> Iterator[Loss]:
    """Comments that suppress nothing were an error, or were told of, and are no longer."""
    was, now = (LEVELS.get(canonical(node)) if node is not None else USUAL for node in (old, new))
    if was is not None and now is not None and old is not None and now < was:
        text = f"is {canonical(new)}" if new is not None else "is gone"
        key = "reportUnusedDisableDirectives"
        yield Loss(rule="cfg.eslint.warnings-allowed", key=key, text=text, node=new, old=old)


def _options(node: Node) -> Iterator[str]:
    """`smart`, `args=none`."""
    for option in node.items[1:]:
        yield from (f"{key}={canonical(value)}" for key, value in option.mapping.items())
        if isinstance(option.value, str):
            yield option.value


def _named(node: Node) -> Iterator[str]:
    """What the options name, also in lists of theirs, whatever is said about it."""
    waiting = list(node.items[1:]) if isinstance(node.value, list) else []
    while waiting:
        item = waiting.pop()
        if isinstance(item.value, list):
            waiting += item.value
        elif isinstance(item.value, str):
            yield item.value
        elif item.mapping:
            named = [item.at(name) for name in ("name", "selector", "object", "property", "regex", "group")]
            lists = [item.at(name) for name in ("paths", "patterns", "importNames")]
            known = [each for each in named if each is not None]
            yield from (canonical(each) for each in known)
            waiting += [each for each in lists if each is not None]
