"""Linters of which only lists and levels are compared: hadolint, yamllint, SwiftLint, Dart, stylelint and others.

What is taken out of their configuration fails no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import (
    Check,
    Worse,
    absent,
    ceiling,
    flag,
    floor,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
    same,
    words,
)
from ralph.guardrails.config.lists import while_said
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.rows import Row, limit
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, modules
from ralph.guardrails.texts import cut
from ralph.record import replace
from ralph.system.patterns import later

IGNORED, EXCLUDED = "cfg.check.failures-ignored", "cfg.exclude-minor"
STYLE = (".css", ".scss", ".sass", ".less", ".vue", ".html")
SWIFT_LIMITS = names(
    "line_length file_length type_body_length function_body_length cyclomatic_complexity function_parameter_count"
)
STYLE_LIMITS = names(
    "max-nesting-depth selector-max-id selector-max-class selector-max-compound-selectors selector-max-universal "
    "selector-max-type selector-max-attribute selector-max-combinators selector-max-pseudo-class number-max-precision "
    "declaration-block-single-line-max-declarations"
)
SWIFT_LEVELS = names("force_cast force_try force_unwrapping trailing_whitespace")
LINTS = ("core", "recommended", "lints", "flutter", "strict", "all", "analysis_options")
"""Sets of rules for Dart, the smaller ones first."""
ROOTS = later(r"(?:\./)?(?:lib|Sources?|src|app|ios)(?:/|/\*\*?|/\*\*/\*(?:\.\w+)?)?")
OFF = frozenset(("null", "disable", "false", "off", "ignore"))


def _kept() -> Check:
    """A rule that is not to be switched off, nor taken out if it was on."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        if after is None:
            if before is not None and not _is_off(before):
                yield Worse(node=None, text="is gone")
        elif _is_off(after) and not (before is not None and _is_off(before)):
            yield Worse(node=after, text=f"is {cut(canonical(after), 40)}")

    return check


def _no_fewer_lints(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """A set of rules that is no longer included, or a smaller one of the same package; another package's is another."""
    was, now = (canonical(node) if node is not None else "" for node in (before, after))
    if was and not now:
        yield Worse(node=None, text="is gone")
    elif was.startswith("package:") and now != was:
        package, name = now.removeprefix("package:").partition("/")[::2]
        old_package, old = was.removeprefix("package:").partition("/")[::2]
        ranks = [LINTS.index(each.removesuffix(".yaml")) for each in (old, name) if each.removesuffix(".yaml") in LINTS]
        smaller = package == old_package and len(ranks) == 2 and ranks[1] < ranks[0]
        if smaller or not now.startswith("package:"):
            yield Worse(node=after, text=f"is {now}", minor=not smaller)


def _is_off(node: Node) -> bool:
    first = node.items[0] if isinstance(node.value, list) and node.value else node
    return canonical(first).strip().lower() in OFF


def _left_out(key: str) -> Row:
    return Row(key, _no_more_paths, IGNORED, EXCLUDED)


def _no_more_paths(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Of languages that are not told apart here, the folder of all sources is more than a person need look at."""
    for worse in no_more_paths(unknown_is_minor=True)(before, after, paths):
        whole = worse.node is not None and ROOTS.fullmatch(canonical(worse.node)) is not None
        yield replace(worse, minor=worse.minor and not whole)


def _no_check_fewer(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """clang-tidy's list: `bugprone-*,-bugprone-narrowing`. The last pattern that fits a check decides."""
    old, new = ([canonical(item) for item in words(node)] for node in (before, after))
    kept = {name for name in new if not name.startswith("-")}
    for name in old:
        if not name.startswith("-") and not any(fnmatchcase(name, each) for each in kept):
            yield Worse(node=after, text=f"loses {name}")
    for name in new:
        wide = any(fnmatchcase(name[1:].rstrip("*"), each) or name[1:] == each for each in old if each[:1] != "-")
        if name.startswith("-") and name not in old and wide:
            yield Worse(node=after, text=f"leaves out {name}")


PLAIN: tuple[Tool, ...] = (
    Tool(
        name="clang-tidy",
        places=(Place(".clang-tidy"),),
        rows=(
            Row("Checks", _no_check_fewer, IGNORED),
            Row("WarningsAsErrors", no_less(all_word="*"), IGNORED),
            Row("HeaderFilterRegex", same(), EXCLUDED),
            Row("ExcludeHeaderFilterRegex", no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED),
        ),
        suffixes=(".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"),
    ),
    Tool(
        name="checkov",
        places=tuple(Place(f".checkov.{end}") for end in ("yaml", "yml")),
        rows=(
            Row("soft-fail", flag(good=False), IGNORED),
            *(Row(name, no_more(), IGNORED) for name in ("skip-check", "soft-fail-on", "skip-framework", "skip-path")),
            Row("check", filtered(), IGNORED),
            Row("hard-fail-on", no_less(), IGNORED),
            Row("framework", no_less(all_word="all"), IGNORED),
            Row("baseline", absent(), IGNORED),
        ),
        suffixes=(),
    ),
    Tool(
        name="trivy",
        places=(Place("trivy.yaml"),),
        rows=(
            Row("exit-code", floor(0), IGNORED),
            Row("severity", no_less(), IGNORED),
            Row("scan.scanners", no_less(), IGNORED),
            Row("vulnerability.ignore-unfixed", flag(good=False), IGNORED),
        ),
        suffixes=(),
    ),
    Tool(
        name="hadolint",
        places=(Place(".hadolint.yaml"), Place(".hadolint.yml")),
        rows=(
            Row("ignored", no_more(), IGNORED),
            Row("failure-threshold", ranked("error warning info style=ignore=none", "info"), IGNORED),
            Row("no-fail", flag(good=False), IGNORED),
        ),
        suffixes=(),
    ),
    Tool(
        name="yamllint",
        places=(Place(".yamllint"), Place(".yamllint.yml"), Place(".yamllint.yaml")),
        rows=(
            Row("rules.*", _kept(), IGNORED),
            Row("rules.*.level", ranked("warning error", "error"), IGNORED),
            limit("rules.line-length.max", 80),
            Row("extends", ranked("relaxed default", "relaxed"), IGNORED),
            _left_out("ignore"),
        ),
        suffixes=(),
        by_invitation=True,
    ),
    Tool(
        name="swiftlint",
        places=(Place(".swiftlint.yml"), Place(".swiftlint.yaml")),
        rows=(
            Row("disabled_rules", no_more(), IGNORED),
            *(Row(name, no_less(all_word="all"), IGNORED) for name in ("opt_in_rules", "only_rules", "analyzer_rules")),
            Row("strict", flag(good=True), IGNORED),
            Row("lenient", flag(good=False), IGNORED),
            _left_out("excluded"),
            Row("included", no_fewer_paths(suffixes=(".swift",)), IGNORED),
            Row("only_rules", filtered(), IGNORED),
            Row("baseline", absent(), IGNORED),
            limit("warning_threshold"),
            *(limit(key) for name in SWIFT_LIMITS for key in (name, f"{name}.warning", f"{name}.error")),
            *(Row(name, ranked("warning error", "warning"), IGNORED) for name in SWIFT_LEVELS),
            Row("*.severity", ranked("warning error", "warning"), IGNORED),
            Row("custom_rules.*.severity", ranked("warning error", "warning"), IGNORED),
            Row("custom_rules.*.regex", _kept(), IGNORED),
            Row("custom_rules.*.excluded", no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED),
        ),
        suffixes=(".swift",),
    ),
    Tool(
        name="dart",
        places=(Place("analysis_options.yaml"),),
        rows=(
            Row("analyzer.errors.*", ranked("ignore=false info warning error", "warning"), IGNORED),
            *(
                Row(f"analyzer.language.{name}", flag(good=True), IGNORED)
                for name in ("strict-casts", "strict-inference", "strict-raw-types")
            ),
            Row("linter.rules", no_less(), IGNORED),
            Row("linter.rules.*", _kept(), IGNORED),
            _left_out("analyzer.exclude"),
            Row("include", _no_fewer_lints, IGNORED),
        ),
        suffixes=(".dart",),
    ),
    Tool(
        name="stylelint",
        places=(
            *(Place(f".stylelintrc{end}") for end in ("", ".json", ".yml", ".yaml")),
            *modules(".stylelintrc"),
            *modules("stylelint.config"),
            Place("package.json", ("stylelint",)),
        ),
        rows=(
            Row("rules.*", _kept(), IGNORED),
            *(limit(f"rules.{name}") for name in STYLE_LIMITS),
            Row("extends", no_less(), IGNORED),
            Row("defaultSeverity", ranked("warning error", "error"), IGNORED),
            _left_out("ignoreFiles"),
        ),
        suffixes=STYLE,
        watches=SCRIPTS,
    ),
    Tool(
        name="rustfmt",
        places=(Place(".rustfmt.toml"), Place("rustfmt.toml")),
        rows=(Row("disable_all_formatting", flag(good=False), IGNORED), _left_out("ignore")),
        suffixes=(".rs",),
    ),
    Tool(
        name="sqlfluff",
        places=(Place(".sqlfluff", ("sqlfluff",)), Place("pyproject.toml", ("tool", "sqlfluff", "core"))),
        rows=tuple(Row(name, no_more(), IGNORED) for name in ("exclude_rules", "ignore", "warnings")),
        suffixes=(".sql",),
        by_invitation=True,
    ),
    Tool(
        name="ansible-lint",
        places=(Place(".ansible-lint"), Place(".ansible-lint.yml"), Place(".ansible-lint.yaml")),
        rows=(
            *(Row(name, no_more(), IGNORED) for name in ("skip_list", "warn_list")),
            Row("strict", flag(good=True), IGNORED),
            Row("profile", while_said(ranked("min basic moderate safety shared production", "min")), IGNORED),
            _left_out("exclude_paths"),
        ),
        suffixes=(),
        by_invitation=True,
    ),
    Tool(
        name="interrogate",
        places=(Place("pyproject.toml", ("tool", "interrogate")), Place("setup.cfg", ("tool:interrogate",))),
        rows=(Row("fail-under", floor(80), "cfg.coverage.threshold"), _left_out("exclude")),
        suffixes=(".py",),
        by_invitation=True,
    ),
    Tool(
        name="vulture",
        places=(Place("pyproject.toml", ("tool", "vulture")),),
        rows=(Row("min_confidence", ceiling(0), "cfg.test.weaker-run"), _left_out("exclude")),
        suffixes=(".py",),
        by_invitation=True,
    ),
)
