"""Linters of interfaces and contracts: Spectral, Redocly, Buf, protolint, Solhint; what dredd runs of a description."""

from __future__ import annotations

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import flag, no_less, no_more, no_more_paths
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.levels import EXCLUDED, IGNORED, leveled, presets
from ralph.guardrails.config.tools.web import modules

BUF_LINT = presets("MINIMAL BASIC DEFAULT=STANDARD", "STANDARD")
BUF_BREAKING = presets("WIRE WIRE_JSON PACKAGE FILE", "FILE")

CONTRACTS: tuple[Tool, ...] = (
    leveled(
        "spectral",
        tuple(Place(f".spectral.{end}") for end in ("yaml", "yml", "json")),
        Row("extends", presets(), IGNORED),
    ),
    leveled(
        "redocly",
        tuple(Place(f"{dot}redocly.{end}") for dot in ("", ".") for end in ("yaml", "yml")),
        Row("extends", presets("minimal recommended=spec recommended-strict", "recommended"), IGNORED),
    ),
    Tool(
        name="redocly's exceptions",
        places=(Place(".redocly.lint-ignore.yaml"),),
        rows=(Row("*.*", no_more(), IGNORED),),
        suffixes=(),
    ),
    leveled("vacuum", (Place("vacuum.yaml"), Place("vacuum-ruleset.yaml")), Row("extends", presets(), IGNORED)),
    Tool(
        name="buf",
        places=(Place("buf.yaml"),),
        rows=(
            Row("lint.use", BUF_LINT, IGNORED),
            Row("breaking.use", BUF_BREAKING, IGNORED),
            *(Row(f"{part}.except", no_more(), IGNORED) for part in ("lint", "breaking")),
            *(Row(f"{part}.ignore", no_more(), IGNORED) for part in ("lint", "breaking")),
            *(Row(f"{part}.ignore_only.*", no_more(), IGNORED) for part in ("lint", "breaking")),
            Row("lint.disallow_comment_ignores", flag(good=True), IGNORED),
            Row("lint.allow_comment_ignores", flag(good=False), IGNORED),
            Row("breaking.ignore_unstable_packages", flag(good=False), IGNORED),
        ),
        suffixes=(".proto",),
    ),
    Tool(
        name="protolint",
        places=tuple(Place(f"{dot}protolint.{end}") for dot in (".", "") for end in ("yaml", "yml")),
        rows=(
            Row("lint.rules.add", no_less(), IGNORED),
            Row("lint.rules.remove", no_more(), IGNORED),
            Row("lint.rules.all_default", flag(good=True), IGNORED),
            Row("lint.ignores", no_more(), IGNORED),
            *(
                Row(f"lint.{part}.exclude", no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED)
                for part in ("files", "directories")
            ),
        ),
        suffixes=(".proto",),
    ),
    leveled(
        "solhint",
        (Place(".solhint.json"), *modules(".solhint"), *modules("solhint.config")),
        Row("extends", presets("solhint:default solhint:recommended solhint:all"), IGNORED),
        Row("excludedFiles", no_more_paths(), IGNORED),
        suffixes=(".sol",),
    ),
    Tool(
        name="dredd",
        places=(Place("dredd.yml"), Place("dredd.yaml")),
        rows=(
            *(Row(name, flag(good=False), "cfg.test.not-run") for name in ("dry-run", "names")),
            *(Row(name, filtered(), "cfg.test.filtered") for name in ("only", "method")),
        ),
        suffixes=(),
    ),
)
