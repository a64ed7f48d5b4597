"""staticcheck and revive by themselves, which read files of their own."""

from __future__ import annotations

from ralph.guardrails.config.filters import no_check_off
from ralph.guardrails.config.lattice import ceiling, flag, floor, no_less, no_more_paths, ranked
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.rows import Row, limit
from ralph.guardrails.config.tool import Place, Tool

IGNORED, EXCLUDED = "cfg.check.failures-ignored", "cfg.exclude-minor"
COUNTS = frozenset(("cyclomatic", "cognitive-complexity", "function-length", "argument-limit", "line-length-limit"))
"""Rules of which the arguments are limits."""


def _revive(node: Node) -> Node:
    """`[rule.x]` asks for a rule, unless it says that it is disabled."""
    rules = node.at("rule")
    asked: list[Node] = []
    limits: dict[str, Node] = {}
    for name, rule in rules.mapping.items() if rules is not None else ():
        off, counts = rule.at("disabled"), rule.at("arguments")
        if off is None or off.value is not True:
            asked.append(rule.with_value(name))
        if name in COUNTS and counts is not None:
            limits |= {f"{name} {number}": item for number, item in enumerate(counts.items)}
    found = {"rules": node.with_value(asked)} if asked else {}
    return node.with_value({**node.mapping, **found, "limit": node.with_value(limits)})


STATICCHECK = Tool(
    name="staticcheck",
    places=(Place("staticcheck.conf"),),
    rows=(Row("checks", no_check_off(), IGNORED),),
    suffixes=(".go",),
)
REVIVE = Tool(
    name="revive",
    places=tuple(Place(name, shape=_revive) for name in ("revive.toml", ".revive.toml")),
    rows=(
        *(Row(name, floor(0), IGNORED) for name in ("errorCode", "warningCode")),
        Row("confidence", ceiling(0.8), IGNORED),
        Row("severity", ranked("warning error", "warning"), IGNORED),
        Row("rule.*.severity", ranked("warning error", "warning"), IGNORED),
        Row("enableAllRules", flag(good=True), IGNORED),
        Row("rules", no_less(), IGNORED),
        limit("limit.*"),
        Row("exclude", no_more_paths(), IGNORED, EXCLUDED),
        Row("rule.*.exclude", no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED),
    ),
    suffixes=(".go",),
)
GO_LINTERS: tuple[Tool, ...] = (STATICCHECK, REVIVE)
