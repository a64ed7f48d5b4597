"""The options by which checkers of prose, pages, links and of rarer languages look at less or forgive."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import absent, ceiling, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import IGNORED, PARTLY, bad, paths_off, rules_off, strict
from ralph.guardrails.config.options.model import Option

VERILATOR = names(
    "UNUSED UNUSEDSIGNAL UNUSEDPARAM UNDRIVEN WIDTH WIDTHTRUNC WIDTHEXPAND UNOPTFLAT PINMISSING PINCONNECTEMPTY LATCH "
    "CASEINCOMPLETE CASEOVERLAP CASEX BLKSEQ MULTIDRIVEN SELRANGE IMPLICIT INITIALDLY STMTDLY TIMESCALEMOD DECLFILENAME"
)
"""Its warnings that projects have most often."""
PROSE_OPTIONS: dict[str, Sequence[Option]] = {
    "cspell": (
        bad("--no-exit-code --no-must-find-files", IGNORED),
        paths_off("--exclude -e"),
    ),
    "typos": (paths_off("--exclude"),),
    "remark": (strict("--frail -f"), bad("--quiet -q", PARTLY)),
    "linkinator": (
        Option("--skip -s", no_more(), IGNORED),
        strict("--recurse -r"),
        strict("--check-fragments"),
        bad("--skip-external", PARTLY),
    ),
    "lychee": (
        bad("--offline", IGNORED),
        Option("--accept -a", no_more(), IGNORED),
        Option("--exclude-path", no_more_paths(), IGNORED),
    ),
    "markdown-link-check": (Option("--alive -a", no_more(), IGNORED),),
    "html-validate": (Option("--max-warnings", ceiling(), IGNORED), rules_off("--rule")),
    "typedoc": (strict("--treatWarningsAsErrors"), strict("--treatValidationWarningsAsErrors")),
    "jsdoc": (strict("--pedantic"),),
    "axe": (strict("--exit -q"), rules_off("--disable -d"), Option("--rules -r --tags -t", absent(), IGNORED)),
    "i18next": (strict("--fail-on-warnings"), strict("--fail-on-update")),
    "verilator": (
        strict("-Wall"),
        strict("-Wpedantic"),
        bad("-Wno-fatal -Wno-lint -Wno-style", IGNORED),
        *(bad(f"-Wno-{name}", IGNORED) for name in VERILATOR),
    ),
    "perlcritic": (
        Option("--severity", ceiling(5), IGNORED),
        *(strict(f"--{name}") for name in ("stern", "harsh", "cruel", "brutal")),
        rules_off("--exclude"),
        Option("--include", no_less(), IGNORED),
    ),
    "solhint": (Option("--max-warnings -w", ceiling(), IGNORED),),
    "clj-kondo": (Option("--fail-level", ranked("error warning info", "warning"), IGNORED),),
    "ameba": (
        rules_off("--except"),
        Option("--only", filtered(), IGNORED),
        Option("--fail-level", ranked("error warning convention", "convention"), IGNORED),
    ),
    "selene": (bad("--allow-warnings", IGNORED),),
    "deadnix": (strict("--fail -f"), Option("--exclude", no_more_paths(), IGNORED)),
    "buildifier": (
        Option("-mode --mode", ranked("fix print_if_changed diff check", "fix"), IGNORED),
        Option("-lint --lint", ranked("off fix warn", "off"), IGNORED),
        Option("-warnings --warnings", absent(), PARTLY),
    ),
    **dict.fromkeys(
        ("stylua", "alejandra", "nixfmt", "nixpkgs-fmt", "gersemi", "cmake-format", "mdformat"), (strict("--check -c"),)
    ),
    **dict.fromkeys(("fourmolu", "ormolu"), (Option("--mode -m", ranked("stdout=inplace check", "stdout"), IGNORED),)),
    "doc8": (
        rules_off("--ignore"),
        paths_off("--ignore-path"),
        Option("--max-line-length", ceiling(79), "cfg.lint.limit-raised"),
    ),
    "rstcheck": (
        Option("--report-level", ranked("none severe error warning info", "info"), IGNORED),
        rules_off("--ignore-directives --ignore-roles --ignore-substitutions --ignore-languages"),
        Option("--ignore-messages", absent(), IGNORED),
    ),
    "mdl": (Option("--rules -r", filtered(), IGNORED), Option("--tags -t", filtered(), IGNORED)),
    "pymarkdown": (rules_off("--disable-rules -d"), Option("--exclude -e", no_more_paths(), IGNORED)),
    **dict.fromkeys(
        ("markdownlint", "markdownlint-cli2"), (rules_off("--disable"), Option("--ignore -i", no_more_paths(), IGNORED))
    ),
    "cmake-lint": (rules_off("--disabled-codes"),),
    "ls-lint": (bad("--warn -warn", IGNORED),),
    "slim-lint": (rules_off("--exclude-linter"), Option("--include-linter", filtered(), IGNORED)),
    "haml-lint": (
        rules_off("--exclude-linter"),
        Option("--include-linter", filtered(), IGNORED),
        Option("--fail-level", ranked("fatal error warning info", "info"), IGNORED),
    ),
    "detekt": (
        Option("--max-issues", ceiling(0), IGNORED),
        Option("--baseline -b", absent(), IGNORED),
        Option("--excludes -ex", no_more_paths(), IGNORED),
    ),
    "ktlint": (Option("--baseline", absent(), IGNORED), Option("--limit", absent(), PARTLY)),
    "pmd": (bad("--no-fail-on-violation --no-fail-on-error", IGNORED), Option("--minimum-priority", floor(5), IGNORED)),
}
