"""Further options of Node's linters and type checkers by which they look at less, or forgive more: one table each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ralph.guardrails.config.lattice import absent, flag, no_fewer_paths, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import IGNORED, bad, without
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.suffixes import JS

TYPES_OFF, RULE_OFF, IGNORES = "cfg.tsconfig.check-off", "cfg.eslint.rule-off", "cfg.eslint.ignores"
OTHER_FILE = "cfg.other-configuration"
ESLINT = (
    switch("--report-unused-disable-directives", "cfg.eslint.warnings-allowed", good=True),
    Option("--report-unused-disable-directives-severity", ranked("off=0 warn=1 error=2", "error"), IGNORED),
    Option("--ignore-path", absent(), OTHER_FILE),
)
TSC = tuple(
    Option(f"--{name}", flag(good=False), TYPES_OFF)
    for name in ("allowUnreachableCode", "allowUnusedLabels", "noResolve", "suppressImplicitAnyIndexErrors")
)
OXLINT = (
    Option("--ignore-pattern", no_more_paths(), IGNORES),
    Option("--ignore-path", absent(), OTHER_FILE),
    *(bad(f"--disable-{name}-plugin", RULE_OFF) for name in names("unicorn typescript oxc")),
)
BIOME = (
    Option("--linter-enabled", flag(good=True, default=True), "cfg.biome.rule-off"),
    Option("--only", absent(), "cfg.biome.rule-off"),
    bad("--suppress", "cfg.eslint.suppressions"),
)
STYLELINT = (
    Option("--ignore-pattern --ip", no_more_paths(), IGNORED),
    Option("--ignore-path -i", absent(), OTHER_FILE),
)
PRETTIER = (
    bad("--require-pragma", "check.narrowed"),
    bad("--check-ignore-pragma", "cfg.test.partly"),
    Option("--ignore-path", absent(), OTHER_FILE),
)
SVELTE = (
    switch("--fail-on-warnings", IGNORED, good=True),
    Option("--threshold", ranked("error warning", "warning"), IGNORED),
    Option("--ignore", no_more_paths(), "cfg.tsconfig.files-left-out"),
    Option("--compiler-warnings", no_more(), IGNORED),
    Option("--diagnostic-sources", absent(), IGNORED),
    bad("--no-tsconfig", IGNORED),
)
COUNTER = (
    *(switch(name, "cfg.coverage.threshold", good=True) for name in ("--100", "--per-file")),
    switch("--all", "cfg.coverage.scope", good=True),
    Option("--include -n", no_fewer_paths(suffixes=JS), "cfg.coverage.scope"),
)
DEPCHECK = (
    Option("--ignores", no_more(usual=r"[@\w].*"), IGNORED),
    Option("--ignore-patterns", no_more_paths(), IGNORED),
    bad("--skip-missing", IGNORED),
)
API_EXTRACTOR = (bad("--local -l", "cfg.test.snapshots-rewritten"),)
BUN = (bad("--only-failures", "cfg.test.filtered"), without("--path-ignore-patterns"))
NODE_OPTIONS: Mapping[str, Sequence[Option]] = {
    "eslint": ESLINT,
    "tsc": TSC,
    "vue-tsc": TSC,
    "tsgo": TSC,
    "oxlint": OXLINT,
    "biome": BIOME,
    "stylelint": STYLELINT,
    "prettier": PRETTIER,
    "svelte-check": SVELTE,
    "depcheck": DEPCHECK,
    "api-extractor": API_EXTRACTOR,
    "npm test": BUN,
    "nyc": COUNTER,
    "c8": COUNTER,
}
