"""Mutation testing: how many mutants must be killed, and which code is mutated: Stryker, Infection, cargo-mutants.

A pattern of Stryker that begins with `!` leaves files out.
"""

from __future__ import annotations

from ralph.guardrails.config.lattice import flag, floor, no_fewer_paths, no_more, no_more_paths
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, modules

THRESHOLD, IGNORED, SCOPE = "cfg.coverage.threshold", "cfg.check.failures-ignored", "cfg.coverage.scope"
EXCLUDED, MINOR = "cfg.coverage.exclude", "cfg.coverage.exclude-minor"
SHARES = names("thresholds.break break-at stryker-config.thresholds.break minMsi minCoveredMsi")


def _mutated(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What is mutated and what is left out of that, apart; .NET's settings stand one level deeper."""
    found = {
        key[1:] if key[0] == "stryker-config" and key[1:] != ("thresholds", "break") else key: node
        for key, node in settings.items()
    }
    for key in (("mutate",), ("ignorePatterns",)):
        listed = found.pop(key, None)
        items = [item for item in listed.items if isinstance(item.value, str)] if listed is not None else []
        out = [item.with_value(canonical(item)[1:]) for item in items if canonical(item).startswith("!")]
        taken = [item for item in items if not canonical(item).startswith("!")]
        if taken:
            found[key] = taken[0].with_value(taken)
        if out:
            found["left out", key[0]] = out[0].with_value(out)
    return found


MUTANTS = Tool(
    name="mutation testing",
    places=(
        *modules("stryker.conf"),
        *modules("stryker.config"),
        *(Place(name) for name in ("stryker.conf.json", "stryker.config.json", "stryker-config.json")),
        *(Place(f"infection.{end}") for end in ("json", "json5", "json.dist")),
    ),
    rows=(
        *(Row(name, floor(), THRESHOLD) for name in SHARES),
        Row("source.excludes", no_more_paths(), EXCLUDED, MINOR),
        Row("ignoreMsiWithNoMutations", flag(good=False), IGNORED),
        Row("mutators.*", flag(good=True), IGNORED),
        Row("mutators.global-ignore", no_more(), EXCLUDED),
        Row("mutate", no_fewer_paths(absent_is_all=False), SCOPE),
        Row("left out.mutate", no_more_paths(unknown_is_minor=True), EXCLUDED, MINOR),
        *(
            Row(name, no_more(), EXCLUDED)
            for name in ("mutator.excludedMutations", "ignore-mutations", "ignore-methods")
        ),
        Row("ignoreStatic", flag(good=False), EXCLUDED),
        Row("dryRunOnly", flag(good=False), "cfg.test.not-run"),
    ),
    suffixes=(),
    programs=("stryker", "infection"),
    refine=_mutated,
    watches=SCRIPTS,
)
CARGO_MUTANTS = Tool(
    name="cargo-mutants",
    places=(Place("mutants.toml"),),
    rows=(
        Row("exclude_globs", no_more_paths(unknown_is_minor=True), EXCLUDED, MINOR),
        Row("exclude_re", no_more(), EXCLUDED),
        Row("examine_globs", no_fewer_paths(suffixes=(".rs",)), SCOPE),
    ),
    suffixes=(".rs",),
)
MUTATIONS: tuple[Tool, ...] = (MUTANTS, CARGO_MUTANTS)
