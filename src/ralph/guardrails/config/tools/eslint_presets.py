"""Presets of ESLint rules: by what name each is known, and which of one package asks for more than another.

1. Presets are known by name only: fewer of them is a loss. Those that only switch rules off for a formatter or for the
   compiler make up for none.
2. Packages call their presets alike: all, strict, recommended, essential, base; with types (`strictTypeChecked`) or
   without. A milder one of the same package in a stricter one's place is a loss, however it is spelled.
3. One that switches off what needs types (`disableTypeChecked`) is a loss where it is for every file.
4. Any other exchange is for a person to look at, unless the new one only adds rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ralph.guardrails.config.node import Node, Opaque, canonical, names
from ralph.guardrails.config.rows import UNREADABLE_VALUE, Loss
from ralph.record import record
from ralph.system.patterns import later

STRICTER = frozenset(names("recommended strict all stylistic airbnb standard vitals"))
SOFT = later(r"(?i)prettier|disable-?type|eslint-?recommended$")
UNTYPED = later(r"disable-?type-?checked")
LEVELS = {"base": 0, "essential": 1, "strongly": 2, "recommended": 3, "vitals": 3, "strict": 4, "all": 5}
TYPED = frozenset(names("type typed checked requiring checking"))
EMPTY = frozenset(
    names("plugin eslint default configs config flat rules js mjs cjs core web only latest legacy ts index")
)
STYLE = frozenset(names("stylistic style prettier format formatting"))


@record
class Grade:
    package: frozenset[str]
    level: int
    typed: bool


def preset(node: Node) -> str:
    """ESLint's own presets have one name in the older format and another in the flat one."""
    said = node.value.text if isinstance(node.value, Opaque) else ""
    name = said if said.startswith("@eslint/js#") else canonical(node)
    return f"@eslint/js#default.configs.{name.removeprefix('eslint:')}" if name.startswith("eslint:") else name


def losses(was: Mapping[str, Node], now: Mapping[str, Node], everywhere: Iterable[str]) -> Iterator[Loss]:
    """What the presets of the head, by name, no longer ask for; some of them are for every file."""
    lost = [name for name in was if name not in now]
    gained = [name for name in now if name not in was]
    milder = {name: new for name in lost if (new := _milder(name, gained, now))}
    for name, new in milder.items():
        yield Loss(rule="cfg.eslint.preset-removed", key=name, text=f"is now {new}", node=now[new], old=was[name])
    held = {name: wide for name in lost if (wide := _wider(name, now))}
    known = {*milder, *held, *milder.values(), *held.values()}
    firm, heirs = (
        [name for name in side if not SOFT.search(_plain(name)) and name not in known] for side in (lost, gained)
    )
    for name in firm[len(heirs) :]:
        yield Loss(rule="cfg.eslint.preset-removed", key=name, text="is gone", node=None, old=was[name])
    untyped = [name for name in everywhere if UNTYPED.search(_plain(name)) and name in gained]
    typed = any((grade := _grade(name)) and grade.typed for name in now if name not in untyped)
    for name in untyped if typed else ():
        text = f"{name} switches off for every file what needs types"
        yield Loss(rule="cfg.eslint.preset-removed", key=name, text=text, node=now[name], old=None)
    for name in gained:
        if lost or not _only_adds(name):
            yield Loss(rule=UNREADABLE_VALUE, key="presets", text=f"gains {name}", node=now[name], old=None)


def _milder(name: str, gained: list[str], now: Mapping[str, Node]) -> str | None:
    """The new preset of the same package, if all that the head has of it ask for less."""
    old = _grade(name)
    if old is None:
        return None
    here = [grade for each in now if (grade := _grade(each)) and grade.package == old.package]
    if any(grade.level >= old.level for grade in here) and (not old.typed or any(grade.typed for grade in here)):
        return None
    return next((each for each in gained if (new := _grade(each)) and new.package == old.package), None)


def _wider(name: str, now: Mapping[str, Node]) -> str | None:
    """A preset of the same package that asks for as much and more."""
    old = _grade(name)
    for each in now if old else ():
        new = _grade(each)
        if new and old and new.package == old.package and new.level >= old.level and new.typed >= old.typed:
            return each
    return None


def _grade(name: str) -> Grade | None:
    """None for a preset whose name says nothing about how much it asks for, or that is about looks."""
    plain = _plain(name)
    parts = [re.sub(r"\d+$", "", part) for part in re.split(r"[^a-z0-9]+", plain) if part]
    package = frozenset(parts) - LEVELS.keys() - TYPED - EMPTY
    said = [LEVELS[part] for part in parts if part in LEVELS]
    if package & STYLE:
        return None
    if not said:
        return Grade(package, 0, typed=False) if package == {"next"} else None
    if SOFT.search(plain):
        return Grade(package, 0, typed=False)
    own = package or frozenset(["eslint"])
    return Grade(own, min(said) if "strongly" in parts else max(said), bool(TYPED & set(parts)))


def _plain(name: str) -> str:
    """In small letters, words apart, without the marks around what could not be evaluated."""
    return re.sub(r"([a-z])([A-Z])", r"\1-\2", re.sub(r"\\u00[0-9a-f]{2}", " ", name)).lower().strip('" ]')


def _only_adds(name: str) -> bool:
    """Names of presets of packages that only switch rules on."""
    return not name.startswith(".") and bool(STRICTER.intersection(re.split(r"[^a-z]+", name.lower())))
