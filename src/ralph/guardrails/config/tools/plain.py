"""Linters of which only lists and levels are compared: hadolint, yamllint, SwiftLint, Dart, stylelint and others.

What is taken out of their configuration fails no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, ceiling, flag, floor, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, modules

IGNORED, EXCLUDED = "cfg.check.failures-ignored", "cfg.exclude-minor"
STYLE = (".css", ".scss", ".sass", ".less", ".vue", ".html")
OFF = frozenset(("null", "disable", "false", "off", "ignore"))


def _kept() -> Check:
    """A rule that is not to be switched off, nor taken out if it was on."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        if after is None:
            if before is not None and not _is_off(before):
                yield Worse(node=None, text="is gone")
        elif _is_off(after) and not (before is not None and _is_off(before)):
            yield Worse(node=after, text=f"is {canonical(after)[:40]}")

    return check


def _is_off(node: Node) -> bool:
    first = node.items[0] if isinstance(node.value, list) and node.value else node
    return canonical(first).strip().lower() in OFF


def _left_out(key: str) -> Row:
    return Row(key, no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED)


PLAIN: tuple[Tool, ...] = (
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
            _left_out("ignore"),
        ),
        suffixes=(),
    ),
    Tool(
        name="swiftlint",
        places=(Place(".swiftlint.yml"), Place(".swiftlint.yaml")),
        rows=(
            Row("disabled_rules", no_more(), IGNORED),
            *(Row(name, no_less(), IGNORED) for name in ("opt_in_rules", "only_rules", "analyzer_rules")),
            Row("strict", flag(good=True), IGNORED),
            Row("lenient", flag(good=False), IGNORED),
            _left_out("excluded"),
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
            Row("extends", no_less(), IGNORED),
            Row("defaultSeverity", ranked("warning error", "error"), IGNORED),
            _left_out("ignoreFiles"),
        ),
        suffixes=STYLE,
        watches=SCRIPTS,
    ),
    Tool(
        name="sqlfluff",
        places=(Place(".sqlfluff", ("sqlfluff",)), Place("pyproject.toml", ("tool", "sqlfluff", "core"))),
        rows=tuple(Row(name, no_more(), IGNORED) for name in ("exclude_rules", "ignore", "warnings")),
        suffixes=(".sql",),
    ),
    Tool(
        name="ansible-lint",
        places=(Place(".ansible-lint"), Place(".ansible-lint.yml"), Place(".ansible-lint.yaml")),
        rows=(
            *(Row(name, no_more(), IGNORED) for name in ("skip_list", "warn_list")),
            Row("strict", flag(good=True), IGNORED),
            _left_out("exclude_paths"),
        ),
        suffixes=(),
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
