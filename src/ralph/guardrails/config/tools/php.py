"""PHPStan and Psalm, which ask for more the higher, or the lower, their level is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Worse, ceiling, flag, floor, no_more, no_more_paths
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool

LEVEL, IGNORED = "cfg.phpstan.level", "cfg.check.failures-ignored"
HIGHEST = 9
"""The level that `max` stood for at first; newer releases know more of them."""


def no_lower_level(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Levels have numbers, and the highest a name; the highest as a number is for a person."""
    was, now = (_numbered(node) for node in (before, after))
    for worse in floor(0)(was, now, paths):
        shown = f"falls from {canonical(before)} to {canonical(after)}" if before and after else worse.text
        high = worse.now is not None and worse.now >= HIGHEST
        yield Worse(node=after, text=shown, was=worse.was, now=worse.now, unreadable=worse.unreadable or high)


def _numbered(node: Node | None) -> Node | None:
    return node.with_value(HIGHEST + 0.5) if node is not None and canonical(node).lower() == "max" else node


def psalm(node: Node) -> Node:
    """The attributes of the outermost element, which may be all that is said."""
    whole = node.at("psalm") or node
    said = {key.removeprefix("@"): value for key, value in whole.mapping.items() if key.startswith("@")}
    return node.with_value({**said, **{key: value for key, value in whole.mapping.items() if key == "ignoreFiles"}})


PHPSTAN = Tool(
    name="phpstan",
    places=(Place("phpstan.neon"), Place("phpstan.neon.dist"), Place("phpstan.dist.neon")),
    rows=(
        Row("parameters.level", no_lower_level, LEVEL),
        Row("parameters.ignoreErrors", no_more(), "cfg.phpstan.ignore"),
        Row("parameters.excludePaths", no_more_paths(), "cfg.phpstan.ignore"),
    ),
    suffixes=(".php",),
)
PSALM = Tool(
    name="psalm",
    places=(
        Place("psalm.xml", shape=psalm),
        Place("psalm.xml.dist", shape=psalm),
        Place("psalm.dist.xml", shape=psalm),
    ),
    rows=(
        Row("errorLevel", ceiling(2), IGNORED),
        *(Row(name, flag(good=True), IGNORED) for name in ("findUnusedCode", "strictBinaryOperands", "totallyTyped")),
    ),
    suffixes=(".php",),
    needs_config=True,
)
PHP: tuple[Tool, ...] = (PHPSTAN, PSALM)
