"""Checks of the lattice for lists of names: modules, tests of a linter, members that are taken for granted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, ceiling, number, same, words
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

PYTHON = (".py", ".pyi")
EVERYTHING = r"\^?\.[*+]\$?|\*+"
NEWEST = later(r"HEAD|@|true|True|")
"""No other commit than the one that is checked out."""


def no_more_any() -> Check:
    """Modules whose types are taken for anything: those of the project itself are no longer checked."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old = {canonical(item) for item in words(before)}
        for item in words(after):
            name = canonical(item)
            if name not in old and not name.startswith("!"):
                own = any(_is_of(name, path) for path in paths)
                yield Worse(node=item, text=f"takes {name} for anything", minor=not own)

    return check


def _is_of(name: str, path: str) -> bool:
    """A module of the tree that a pattern of modules (`shop.*`, `**`) holds."""
    if not path.endswith(PYTHON) or not is_product(path):
        return False
    first = name.partition(".")[0]
    top = path.removeprefix("src/").removeprefix("lib/").partition("/")[0].removesuffix(".py")
    return first in ("*", "**", top)


def no_wide(pattern: str = EVERYTHING) -> Check:
    """Names that are left alone: a pattern that fits all of them leaves nothing, any other one is for a person."""
    wide = re.compile(pattern)

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old = {canonical(item) for item in words(before)}
        for item in words(after):
            name = canonical(item)
            if name not in old:
                yield Worse(node=item, text=f"gains {cut(name, 80)}", minor=not wide.fullmatch(name))

    return check


def only_these() -> Check:
    """A list of all that is done: it narrows the check where it is said for the first time, and must not shrink."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ([canonical(item) for item in words(node)] for node in (before, after))
        if new and not old:
            yield Worse(node=after, text=f"is {cut(','.join(new), 120)}")
        yield from (Worse(node=after, text=f"loses {name}") for name in old if new and name not in new)

    return check


def only_wide(pattern: str = EVERYTHING) -> Check:
    """The same where any other pattern is an everyday one."""
    names = no_wide(pattern)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        yield from (worse for worse in names(before, after, paths) if not worse.minor)

    return check


def fewer_named(*, all_if_none: bool = False) -> Check:
    """Modules or parts that are looked at: none takes the place of all of them, or says nothing; `shop` holds
    `shop.models`."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ([canonical(item) for item in words(node)] for node in (before, after))
        if not new:
            return
        if not old and all_if_none:
            yield Worse(node=after, text=f"is only {cut(', '.join(new), 80)}")
        for name in old:
            if not any(name == wide or name.startswith(f"{wide}.") for wide in new):
                yield Worse(node=after, text=f"loses {name}")

    return check


def other_file() -> Check:
    """Another configuration is for a person to look at; one that says nothing, such as `/dev/null`, is a plain loss."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        for worse in same()(before, after, paths):
            nothing = after is not None and canonical(after) in ("/dev/null", "NUL")
            yield replace(worse, minor=not nothing)

    return check


def nowhere() -> Check:
    """A configuration file that must not be one that says nothing, such as `/dev/null`."""
    other = other_file()

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        yield from (worse for worse in other(before, after, paths) if not worse.minor)

    return check


def patience() -> Check:
    """A number of seconds that must not rise; none at all is no limit."""
    counts = ceiling()

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (None if node is None or number(node, None) == 0 else node for node in (before, after))
        for worse in counts(was, now, paths):
            yield Worse(node=after, text=worse.text, minor=worse.minor, unreadable=worse.unreadable)

    return check


def while_said(check: Check) -> Check:
    """What is no longer said at all is no loss."""

    def judged(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        yield from check(before, after, paths) if after is not None else ()

    return judged


def kept() -> Check:
    """Something that is named must not go."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        if before is not None and after is None:
            yield Worse(node=None, text="is gone")

    return check


def since_another() -> Check:
    """Tests of what changed since a commit: since the newest one nothing did, since another one only running tells."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node) if node and node.value not in (None, False) else "" for node in (before, after))
        if now and now != was:
            yield Worse(node=after, text=f"is {cut(now, 100)}", minor=NEWEST.fullmatch(now) is None)

    return check
