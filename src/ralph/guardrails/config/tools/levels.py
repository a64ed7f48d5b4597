"""Linters whose rules have levels, wherever they stand: a word, a switch, a number, a list or a table with a severity.

A rule that nothing is said of has the level that its preset gives it; what made the run fail goes on doing so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, ranked, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS

IGNORED, EXCLUDED = "cfg.check.failures-ignored", "cfg.exclude-minor"
LEVELS = "off=false=0=null=none=ignore info=hint warn=warning=1 error=true=2"
OFF = frozenset(("off", "false", "0", "null", "none", "ignore"))
KNOWN = frozenset(LEVELS.replace("=", " ").split())
Refine = Callable[[Side, str, dict[Key, Node]], Settings]


def level(node: Node) -> Node:
    """How severe a rule is, as a word of `LEVELS`; whatever else is said of it, it is on."""
    first = node.items[0] if isinstance(node.value, list) and node.value else node
    said = first.at("severity") or first.at("level") or first
    word = canonical(said).lower()
    return node.with_value(word if word in KNOWN else "error")


def _with_levels(places: Sequence[Place], rules: str) -> Refine:
    def refine(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
        found = {key: node for key, node in settings.items() if key[0] != rules}
        start = f"{directory}/" if directory else ""
        for place in places:
            whole = side.node(f"{start}{place.name}") if f"{start}{place.name}" in side.paths else None
            part = place.part(whole) if whole is not None else None
            said = part.at(rules) if part is not None else None
            for name, node in said.mapping.items() if said is not None else ():
                found.setdefault(("levels", name), level(node))
        return found

    return refine


def _for_some(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """Rules that an override switches off."""
    key = ("overrides",)
    known = {canonical(item) for item in before[key].items} if key in before else set()
    for item in after[key].items if key in after else ():
        rules = item.at("rules")
        for name, node in rules.mapping.items() if rules is not None and canonical(item) not in known else ():
            if canonical(level(node)) in OFF:
                yield Loss(rule=IGNORED, key=name, text="is off for some files", node=node, old=None)


def leveled(
    name: str,
    places: Sequence[Place],
    *rows: Row,
    usual: str = "warn",
    rules: str = "rules",
    suffixes: tuple[str, ...] = (),
    programs: tuple[str, ...] = (),
) -> Tool:
    """`usual`: how severe a rule is that nothing is said of."""
    return Tool(
        name=name,
        places=places,
        rows=(Row("levels.*", ranked(LEVELS, usual), IGNORED), *rows),
        suffixes=suffixes,
        refine=_with_levels(places, rules),
        judge=_for_some,
        by_invitation=True,
        watches=SCRIPTS,
        programs=programs,
    )


def presets(order: str = "", usual: str = "") -> Check:
    """Sets of rules of which some hold others (`order`, the smallest first), and others that stand for themselves; of a
    set with a word behind it (`["oas", "recommended"]`), `off` is none of it and `all` all."""
    ranks = {word: rank for rank, listed in enumerate(order.split()) for word in listed.split("=")}

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        old, new = (_sets(node) or ({usual: 1} if usual and node is None else {}) for node in (before, after))
        most = max((ranks[name] for name in new if name in ranks), default=-1)
        for name, much in old.items():
            if ranks.get(name, len(ranks)) <= most and name in ranks:
                continue
            if new.get(name, 0) < much:
                yield Worse(node=after, text=f"loses {name}" if after else "is gone")

    return check


def _sets(node: Node | None) -> dict[str, int]:
    """How much of each set: none, what is recommended, all."""
    found: dict[str, int] = {}
    listed = node.items if node is not None else ()
    for item in listed:
        pair = [canonical(each) for each in item.items] if isinstance(item.value, list) else []
        if len(pair) == 2:
            found[pair[0]] = {"off": 0, "all": 2}.get(pair[1], 1)
        else:
            found |= {canonical(each): 1 for each in words(item)}
    return found


def inside(folder: str) -> Callable[[Node], Node]:
    """What a file with an everyday name says, if it lies in this folder."""

    def shape(node: Node) -> Node:
        return node if f"/{folder}/" in f"/{node.path}" else node.with_value({})

    return shape
