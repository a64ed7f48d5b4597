"""The options of Python's type checkers: mypy, zuban, pyright, ty, pyrefly, pytype."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.lattice import absent, flag, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.lists import fewer_named, no_more_any
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import IGNORED, bad
from ralph.guardrails.config.options.model import Option, switch

MYPY_CHECK, CODES_OFF, MYPY_EXCLUDE = "cfg.mypy.check-off", "cfg.mypy.codes-off", "cfg.mypy.exclude"
SKIPPED, MISSING = "cfg.mypy.imports-skipped", "cfg.mypy.missing-imports"
PYRIGHT_RULE = "cfg.pyright.rule"

STRICT = ("strict", "cfg.mypy.strict-off")
MYPY_STRICT = names(
    "--disallow-untyped-defs --disallow-incomplete-defs --disallow-untyped-calls --check-untyped-defs "
    "--warn-return-any --no-implicit-reexport --strict-equality --warn-unused-ignores --disallow-any-generics "
    "--disallow-subclassing-any --disallow-untyped-decorators --extra-checks"
)
"""What `--strict` asks for as well."""
MYPY_CHECKS = names(
    "--warn-unreachable --disallow-any-explicit --disallow-any-expr --disallow-any-unimported "
    "--disallow-any-decorated --strict-equality-for-none --strict-bytes"
)
MYPY_TOLERANCES = names(
    "--no-strict-optional --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls "
    "--allow-any-generics --no-check-untyped-defs --no-warn-return-any --no-warn-unused-ignores "
    "--no-strict-equality --implicit-reexport --implicit-optional --allow-redefinition "
    "--no-warn-no-return --allow-untyped-globals --ignore-errors --allow-any-explicit --allow-any-expr "
    "--allow-any-unimported --allow-any-decorated --allow-subclassing-any --allow-untyped-decorators "
    "--no-extra-checks --no-strict-bytes --no-strict-equality-for-none --no-warn-unreachable "
    "--report-deprecated-as-note"
)
MYPY = (
    switch("--strict", "cfg.mypy.strict-off", good=True),
    *(Option(name, flag(good=True), MYPY_CHECK, takes=False, family=STRICT) for name in MYPY_STRICT),
    *(switch(name, MYPY_CHECK, good=True) for name in MYPY_CHECKS),
    *(switch(name, MYPY_CHECK, good=False) for name in MYPY_TOLERANCES),
    switch("--ignore-missing-imports", MISSING, good=False),
    Option("--follow-imports", ranked("skip silent=error normal", "normal"), SKIPPED),
    Option("--disable-error-code", no_more(), CODES_OFF),
    Option("--enable-error-code", no_less(), MYPY_CHECK),
    Option("--untyped-calls-exclude", no_more(), MYPY_CHECK),
    Option("--exclude", no_more_paths(), MYPY_EXCLUDE),
    Option("-p --package -m --module", fewer_named(), MYPY_EXCLUDE),
)
PYRIGHT = (
    switch("--warnings", PYRIGHT_RULE, good=True),
    Option("--level", ranked("error warning", "warning"), PYRIGHT_RULE),
    bad("--skipunannotated --writebaseline", PYRIGHT_RULE),
)
TY = (
    bad("--exit-zero", IGNORED),
    switch("--error-on-warning", IGNORED, good=True),
    Option("--ignore", no_more(), CODES_OFF),
    Option("--warn", no_more(), CODES_OFF),
    Option("--error", no_less(), CODES_OFF),
    Option("--exclude", no_more_paths(), MYPY_EXCLUDE),
    bad("--add-ignore", IGNORED),
)
PYREFLY = (
    Option("--ignore", no_more(), CODES_OFF),
    Option("--warn --info", no_more(), CODES_OFF),
    Option("--error", no_less(), CODES_OFF),
    Option("--baseline", absent(), IGNORED),
    bad("--update-baseline", IGNORED),
    bad("--suppress-errors", IGNORED),
    Option("--permissive-ignores", flag(good=False), IGNORED),
    Option("--enabled-ignores", no_more(("type", "pyrefly")), IGNORED),
    Option("--check-unannotated-defs", flag(good=True, default=True), MYPY_CHECK),
    Option("--project-excludes", no_more_paths(), MYPY_EXCLUDE),
    Option("--preset -p", ranked("off basic legacy default strict", "default"), IGNORED),
    Option("--min-severity", ranked("error warn info ignore", "error"), IGNORED),
    Option("--replace-imports-with-any", no_more_any(), SKIPPED, minor=MISSING),
    Option("--ignore-missing-imports", no_more(), MISSING),
)
TYPE_OPTIONS: dict[str, Sequence[Option]] = {
    **dict.fromkeys(("mypy", "dmypy", "zuban", "zmypy"), MYPY),
    **dict.fromkeys(("pyright", "basedpyright"), PYRIGHT),
    "ty": TY,
    "pyrefly": PYREFLY,
    "pytype": (
        Option("--disable -d", no_more(), CODES_OFF),
        Option("--exclude -x", no_more_paths(), MYPY_EXCLUDE),
        bad("--no-report-errors", IGNORED),
    ),
}
