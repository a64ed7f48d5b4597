"""ty, pyrefly, pytype and Pyre: type checkers whose rules have levels of their own.

A rule that nothing names has the level of the checker's own choice: most are errors, and a few only warn or are off
(`Levels`). Where warnings fail the run, one is as good as an error. What holds for some files counts as it does for
other checkers: product code must not be checked for less, an exception for one file by its name is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.exclusions.exceptions import named_alone, shown
from ralph.guardrails.config.lattice import (
    absent,
    flag,
    no_fewer_paths,
    no_more,
    no_more_paths,
    ranked,
    truth,
    words,
)
from ralph.guardrails.config.lists import no_more_any
from ralph.guardrails.config.node import Node, Settings, canonical, occurrences
from ralph.guardrails.config.patterns import Weight, weigh
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.suffixes import PY
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

CODES_OFF, RELAXED, EXCLUDE = "cfg.mypy.codes-off", "cfg.mypy.module-relaxed", "cfg.mypy.exclude"
SKIPPED, MISSING, CHECK_OFF = "cfg.mypy.imports-skipped", "cfg.mypy.missing-imports", "cfg.mypy.check-off"
IGNORED = "cfg.check.failures-ignored"
RANKS = {"ignore": 0, "false": 0, "off": 0, "info": 0, "warn": 1, "warning": 1, "error": 2, "true": 2}


@record
class Levels:
    """Where a checker keeps its rules, and which of them are no errors unless somebody says so."""

    rules: str
    mild: re.Pattern[str]
    overrides: str
    where: str
    all_rules: str = ""
    """The name that stands for every rule."""

    def of(self, settings: Settings, rule: str, *, strict: bool) -> int:
        said = settings.get((self.rules, rule)) or settings.get((self.rules, self.all_rules))
        level = 0 if said is None and self.mild.fullmatch(rule) else _rank(said)
        return 2 if strict and level == 1 else level

    def losses(
        self, before: Settings, after: Settings, paths: Sequence[str], *, strict: tuple[bool, bool]
    ) -> Iterator[Loss]:
        """`strict`: whether warnings fail the run, at the base and in the head."""
        named = dict.fromkeys(
            key[1] for side in (after, before) for key in side if len(key) == 2 and key[0] == self.rules
        )
        for rule in named:
            was, now = self.of(before, rule, strict=strict[0]), self.of(after, rule, strict=strict[0])
            if now < was:
                node, old = after.get((self.rules, rule)), before.get((self.rules, rule))
                text = "is no error any more" if node is None else f"is {canonical(node)}"
                yield Loss(rule=CODES_OFF, key=f"{self.rules}.{rule}", text=text, node=node, old=old)
        yield from shown(self._for_some(before, after, paths, strict=strict[1]))

    def _for_some(
        self, before: Settings, after: Settings, paths: Sequence[str], *, strict: bool
    ) -> Iterator[tuple[Loss, str]]:
        key = (self.overrides,)
        known = {canonical(item) for item in occurrences(before.get(key))}
        for item in occurrences(after.get(key)):
            rules = item.at(self.rules)
            if canonical(item) in known or rules is None:
                continue
            files = [canonical(each) for each in words(item.at(self.where))]
            product = not files or any(weigh(each, paths) is not Weight.MINOR for each in files)
            for rule, node in rules.mapping.items():
                if _rank(node) < min(self.of(after, rule, strict=strict), 1 if strict else 2):
                    told = cut(", ".join(files), 60) or "all files"
                    loss = Loss(
                        rule=CODES_OFF if product else RELAXED,
                        key=f"{self.rules}.{rule}",
                        text=f"is {canonical(node)} in {told}",
                        node=node,
                        old=None,
                    )
                    yield loss, named_alone(files[0], paths) if product and len(files) == 1 else ""


def _rank(node: Node | None) -> int:
    return 2 if node is None else RANKS.get(canonical(node).lower(), 2)


TY_LEVELS = Levels(
    rules="rules",
    mild=later(
        r"possibly-.*|unused-.*|redundant-.*|deprecated|division-by-zero|missing-.*|undefined-reveal|.*-comment|.*-rule"
    ),
    overrides="overrides",
    where="include",
    all_rules="all",
)
STRICT = ("terminal", "error-on-warning")


def _ty(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    was, now = (truth(side.get(STRICT), default=False) is True for side in (before, after))
    yield from TY_LEVELS.losses(before, after, paths, strict=(was, now))


TY = Tool(
    name="ty",
    places=(Place("ty.toml"), Place("pyproject.toml", ("tool", "ty"))),
    rows=(
        Row(".".join(STRICT), flag(good=True), IGNORED),
        Row("src.include", no_fewer_paths(suffixes=PY), EXCLUDE),
        Row("src.exclude", no_more_paths(unknown_is_minor=True), EXCLUDE),
        Row("analysis.replace-imports-with-any", no_more_any(), SKIPPED, MISSING),
        Row("analysis.allowed-unresolved-imports", no_more(), MISSING),
        Row("analysis.respect-type-ignore-comments", flag(good=False, default=True), CHECK_OFF),
    ),
    suffixes=PY,
    judge=_ty,
    by_invitation=True,
)

PYREFLY_LEVELS = Levels(
    rules="errors",
    mild=later(
        r"implicit-.*|implicitly-.*|unannotated-.*|un(?:used|necessary|typed|safe|reachable)-?.*|missing-(?:override|source"
        r"|super).*|deprecated|redundant-.*|open-.*|variance-.*|not-required-.*|unresolvable-.*"
    ),
    overrides="sub-config",
    where="matches",
)


def _dashed(node: Node) -> Node:
    """pyrefly takes its options with underscores, too, and rules that are spelled out as keys."""
    keys = {key.replace("_", "-"): value for key, value in node.mapping.items()}
    return node.with_value(keys)


def _pyrefly(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    shown_levels = [canonical(node) if (node := side.get(("min-severity",))) else "error" for side in (before, after)]
    was, now = (level in ("warn", "info", "ignore") for level in shown_levels)
    yield from PYREFLY_LEVELS.losses(before, after, paths, strict=(was, now))


PYREFLY = Tool(
    name="pyrefly",
    places=(Place("pyrefly.toml", shape=_dashed), Place("pyproject.toml", ("tool", "pyrefly"), _dashed)),
    rows=(
        Row("preset", ranked("off basic legacy default strict", "default"), IGNORED),
        Row("min-severity", ranked("error warn info ignore", "error"), IGNORED),
        Row("project-includes", no_fewer_paths(suffixes=PY), EXCLUDE),
        Row("project-excludes", no_more_paths(unknown_is_minor=True), EXCLUDE),
        Row("replace-imports-with-any", no_more_any(), SKIPPED, MISSING),
        Row("ignore-missing-imports", no_more(), MISSING),
        Row("baseline", absent(), IGNORED),
        Row("permissive-ignores", flag(good=False), IGNORED),
        Row("enabled-ignores", no_more(("type", "pyrefly")), IGNORED),
        Row("check-unannotated-defs", flag(good=True, default=True), CHECK_OFF),
        Row("infer-return-types", ranked("never annotated checked", "checked"), CHECK_OFF),
        Row("strict-callable-subtyping", flag(good=True), CHECK_OFF),
        Row(
            "untyped-def-behavior",
            ranked(
                "skip-and-infer-return-any check-and-infer-return-any check-and-infer-return-type",
                "check-and-infer-return-type",
            ),
            CHECK_OFF,
        ),
    ),
    suffixes=PY,
    judge=_pyrefly,
    by_invitation=True,
)
PYTYPE = Tool(
    name="pytype",
    places=(
        Place("pytype.toml", ("tool", "pytype")),
        Place("pyproject.toml", ("tool", "pytype")),
        Place("setup.cfg", ("pytype",)),
        Place("pytype.cfg", ("pytype",)),
    ),
    rows=(
        Row("disable", no_more(), CODES_OFF),
        Row("inputs", no_fewer_paths(suffixes=PY), EXCLUDE),
        Row("exclude", no_more_paths(unknown_is_minor=True), EXCLUDE),
    ),
    suffixes=PY,
    by_invitation=True,
)
PYRE = Tool(
    name="pyre",
    places=(Place(".pyre_configuration"), Place(".pyre_configuration.local")),
    rows=(
        Row("strict", flag(good=True), CHECK_OFF),
        Row("exclude", no_more_paths(unknown_is_minor=True), EXCLUDE),
        Row("ignore_all_errors", no_more_paths(unknown_is_minor=True), EXCLUDE),
        Row("source_directories", no_fewer_paths(absent_is_all=False, suffixes=PY), EXCLUDE),
    ),
    suffixes=PY,
    by_invitation=True,
)
CHECKERS: tuple[Tool, ...] = (TY, PYREFLY, PYTYPE, PYRE)
