"""The options by which checkers of prose, pages, links and of rarer languages look at less or forgive."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.harm import IGNORED, PARTLY, bad
from ralph.guardrails.config.lattice import absent, ceiling, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import names
from ralph.guardrails.config.option import Option, switch


def _off(spellings: str) -> Option:
    """Names of rules that are left out."""
    return Option(spellings, no_more(), IGNORED)


def _paths(spellings: str) -> Option:
    return Option(spellings, no_more_paths(), IGNORED)


def _kept(spellings: str) -> Option:
    return switch(spellings, IGNORED, good=True)


VERILATOR = names(
    "UNUSED UNUSEDSIGNAL UNUSEDPARAM UNDRIVEN WIDTH WIDTHTRUNC WIDTHEXPAND UNOPTFLAT PINMISSING PINCONNECTEMPTY LATCH "
    "CASEINCOMPLETE CASEOVERLAP CASEX BLKSEQ MULTIDRIVEN SELRANGE IMPLICIT INITIALDLY STMTDLY TIMESCALEMOD DECLFILENAME"
)
"""Its warnings that projects have most often."""
PROSE_OPTIONS: dict[str, Sequence[Option]] = {
    "cspell": (
        bad("--no-exit-code --no-must-find-files", IGNORED),
        _paths("--exclude -e"),
    ),
    "typos": (_paths("--exclude"),),
    "remark": (_kept("--frail -f"), bad("--quiet -q", PARTLY)),
    "linkinator": (
        Option("--skip -s", no_more(), IGNORED),
        _kept("--recurse -r"),
        _kept("--check-fragments"),
        bad("--skip-external", PARTLY),
    ),
    "lychee": (
        bad("--offline", IGNORED),
        Option("--accept -a", no_more(), IGNORED),
        Option("--exclude-path", no_more_paths(), IGNORED),
    ),
    "markdown-link-check": (Option("--alive -a", no_more(), IGNORED),),
    "html-validate": (Option("--max-warnings", ceiling(), IGNORED), _off("--rule")),
    "typedoc": (_kept("--treatWarningsAsErrors"), _kept("--treatValidationWarningsAsErrors")),
    "jsdoc": (_kept("--pedantic"),),
    "axe": (_kept("--exit -q"), _off("--disable -d"), Option("--rules -r --tags -t", absent(), IGNORED)),
    "i18next": (_kept("--fail-on-warnings"), _kept("--fail-on-update")),
    "verilator": (
        _kept("-Wall"),
        _kept("-Wpedantic"),
        bad("-Wno-fatal -Wno-lint -Wno-style", IGNORED),
        *(bad(f"-Wno-{name}", IGNORED) for name in VERILATOR),
    ),
    "perlcritic": (
        Option("--severity", ceiling(5), IGNORED),
        *(_kept(f"--{name}") for name in ("stern", "harsh", "cruel", "brutal")),
        _off("--exclude"),
        Option("--include", no_less(), IGNORED),
    ),
    "solhint": (Option("--max-warnings -w", ceiling(), IGNORED),),
    "clj-kondo": (Option("--fail-level", ranked("error warning info", "warning"), IGNORED),),
    "ameba": (
        _off("--except"),
        Option("--only", filtered(), IGNORED),
        Option("--fail-level", ranked("error warning convention", "convention"), IGNORED),
    ),
    "selene": (bad("--allow-warnings", IGNORED),),
    "deadnix": (_kept("--fail -f"), Option("--exclude", no_more_paths(), IGNORED)),
    "buildifier": (
        Option("-mode --mode", ranked("fix print_if_changed diff check", "fix"), IGNORED),
        Option("-lint --lint", ranked("off fix warn", "off"), IGNORED),
        Option("-warnings --warnings", absent(), PARTLY),
    ),
    **dict.fromkeys(
        ("stylua", "alejandra", "nixfmt", "nixpkgs-fmt", "gersemi", "cmake-format", "mdformat"), (_kept("--check -c"),)
    ),
    **dict.fromkeys(("fourmolu", "ormolu"), (Option("--mode -m", ranked("stdout=inplace check", "stdout"), IGNORED),)),
    "doc8": (
        _off("--ignore"),
        _paths("--ignore-path"),
        Option("--max-line-length", ceiling(79), "cfg.lint.limit-raised"),
    ),
    "rstcheck": (
        Option("--report-level", ranked("none severe error warning info", "info"), IGNORED),
        _off("--ignore-directives --ignore-roles --ignore-substitutions --ignore-languages"),
        Option("--ignore-messages", absent(), IGNORED),
    ),
    "mdl": (Option("--rules -r", filtered(), IGNORED), Option("--tags -t", filtered(), IGNORED)),
    "pymarkdown": (_off("--disable-rules -d"), Option("--exclude -e", no_more_paths(), IGNORED)),
    **dict.fromkeys(
        ("markdownlint", "markdownlint-cli2"), (_off("--disable"), Option("--ignore -i", no_more_paths(), IGNORED))
    ),
    "cmake-lint": (_off("--disabled-codes"),),
    "ls-lint": (bad("--warn -warn", IGNORED),),
    "slim-lint": (_off("--exclude-linter"), Option("--include-linter", filtered(), IGNORED)),
    "haml-lint": (
        _off("--exclude-linter"),
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
