"""deno and oxlint, which check with ESLint's rules: what is left out of them is left out as of ESLint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.filters import no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import ceiling, flag, no_fewer_paths, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.patterns import Weight, weigh
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.tsconfig import CHECKS, STRICT_MEMBERS

RULE_OFF, IGNORES = "cfg.eslint.rule-off", "cfg.eslint.ignores"
TEST = "test"
DENO_PARTS = ("lint", TEST)
DENO_ON = ("noImplicitOverride", "forceConsistentCasingInFileNames")
LEVELS = "off=allow=0=false warn=1 error=deny=2"
CATEGORIES = ("suspicious", "pedantic", "perf", "style", "restriction", "nursery")


def _deno(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What is left out of everything is left out of each part; older files name paths one level deeper."""
    everywhere = settings.pop(("exclude",), None)
    for part in DENO_PARTS:
        for name in ("include", "exclude"):
            older = settings.pop((part, "files", name), None)
            if older:
                settings.setdefault((part, name), older)
        own = settings.get((part, "exclude"))
        if everywhere:
            items = [*everywhere.items, *(own.items if own else ())]
            settings[(part, "exclude")] = everywhere.with_value(items)
    return settings


DENO = Tool(
    name="deno",
    places=(Place("deno.json"), Place("deno.jsonc")),
    rows=(
        Row("lint.rules.tags", no_less(("recommended",)), "cfg.eslint.preset-removed"),
        Row("lint.rules.include", no_less(), "cfg.eslint.rule-removed"),
        Row("lint.rules.exclude", no_more(), RULE_OFF),
        Row("lint.include", no_fewer_paths(suffixes=JS), IGNORES),
        Row("lint.exclude", no_more_paths(), IGNORES),
        Row(f"{TEST}.include", no_fewer_tests(), "cfg.test.collection"),
        Row(f"{TEST}.exclude", no_more_tests(), "cfg.test.excluded"),
        Row("compilerOptions.strict", flag(good=True, default=True), "cfg.tsconfig.strict-off"),
        *(
            Row(f"compilerOptions.{name}", flag(good=True, default=True), "cfg.tsconfig.strict-member-off")
            for name in STRICT_MEMBERS
        ),
        *(
            Row(f"compilerOptions.{name}", flag(good=True, default=name in DENO_ON), "cfg.tsconfig.check-off")
            for name in CHECKS
        ),
    ),
    suffixes=JS,
    by_invitation=True,
    refine=_deno,
)


def _overrides(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Rules that are off, or only warn, for some files."""
    key = ("overrides",)
    known = {canonical(item) for item in before[key].items} if key in before else set()
    for item in after[key].items if key in after else ():
        files = (item.at("files") or item.with_value([])).items
        minor = bool(files) and all(weigh(canonical(file), paths) is Weight.MINOR for file in files)
        for name, node in flat(item.at("rules")).items() if canonical(item) not in known else ():
            level = canonical(node.items[0] if node.items else node)
            if level in ("off", "allow", "0", "false"):
                rule = MINOR_EXCLUSION if minor else RULE_OFF
                yield Loss(rule=rule, key="/".join(name), text="is off for some files", node=node, old=None)


OXLINT = Tool(
    name="oxlint",
    places=(Place(".oxlintrc.json"), Place(".oxlintrc.jsonc")),
    rows=(
        Row("rules.*", ranked(LEVELS, "warn"), RULE_OFF),
        Row("categories.correctness", ranked(LEVELS, "warn"), "cfg.eslint.preset-removed"),
        *(Row(f"categories.{name}", ranked(LEVELS, "off"), "cfg.eslint.preset-removed") for name in CATEGORIES),
        Row("ignorePatterns", no_more_paths(), IGNORES),
        Row("plugins", no_less(), "cfg.eslint.preset-removed"),
        *(Row(f"options.{name}", flag(good=True), RULE_OFF) for name in ("typeAware", "typeCheck", "denyWarnings")),
        Row("options.maxWarnings", ceiling(), "cfg.eslint.warnings-allowed"),
    ),
    suffixes=JS,
    by_invitation=True,
    judge=_overrides,
)

LINTERS: tuple[Tool, ...] = (DENO, OXLINT)
