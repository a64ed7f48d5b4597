"""pyright and pylint. A pyright mode decides what an unnamed rule is; naming the rule is judged against that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import (
    flag,
    floor,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
    same,
)
from ralph.guardrails.config.lists import fewer_named, no_more_any, only_wide
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat, names
from ralph.guardrails.config.rows import Loss, Row, compare_rows, limit
from ralph.guardrails.config.suffixes import PY
from ralph.guardrails.config.tool import Place, Tool

MODES = "off basic standard strict"
LEVELS = "false=none information warning true=error"
BASIC_ERRORS = frozenset(
    names(
        "reportArgumentType reportAssignmentType reportAttributeAccessIssue reportCallIssue reportGeneralTypeIssues"
        " reportIndexIssue reportInvalidTypeForm reportInvalidTypeArguments reportMissingImports reportOperatorIssue"
        " reportOptionalMemberAccess reportOptionalSubscript reportOptionalIterable reportOptionalCall"
        " reportOptionalOperand reportOptionalContextManager reportRedeclaration reportReturnType"
        " reportTypedDictNotRequiredAccess reportUndefinedVariable reportUnboundVariable reportAbstractUsage"
        " reportNoOverloadImplementation reportUnhashable reportPrivateImportUsage reportUnsupportedDunderAll"
        " reportInconsistentOverload reportUnusedCoroutine reportUnusedExcept reportInvalidStringEscapeSequence"
    )
)
STANDARD_ERRORS = frozenset(
    names(
        "reportIncompatibleMethodOverride reportIncompatibleVariableOverride reportFunctionMemberAccess "
        "reportOverlappingOverload reportPossiblyUnbound"
    )
)


def _rules(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Every named rule, against what it was; a change of mode is judged by itself."""
    named = {key for side in (before, after) for key in side if len(key) == 1 and key[0].startswith("report")}
    for key in sorted(named):
        row = Row(key[0], ranked(LEVELS, _default(before, key[0])), "cfg.pyright.rule")
        yield from compare_rows([row], _only(before, key), _only(after, key), paths)
    yield from _environments(before, after)


def _environments(before: Settings, after: Settings) -> Iterator[Loss]:
    """Rules that a part of the tree switches off for itself."""
    key = ("executionEnvironments",)
    known = {(_root(item), name) for item in (before[key].items if key in before else ()) for name in item.mapping}
    for item in after[key].items if key in after else ():
        for name, node in item.mapping.items():
            weak = canonical(node) in ("false", "none", "information", "warning", "off")
            if weak and name.startswith(("report", "typeChecking", "strict")) and (_root(item), name) not in known:
                yield Loss(rule="cfg.pyright.rule", key=name, text=f"is off in {_root(item)}", node=node, old=None)


def _root(environment: Node) -> str:
    root = environment.at("root")
    return canonical(root) if root else "."


def _default(settings: Settings, rule: str) -> str:
    mode = settings.get(("typeCheckingMode",))
    name = canonical(mode) if mode else "standard"
    if name == "off":
        return "none"
    on = (
        name in ("strict", "all", "recommended")
        or rule in BASIC_ERRORS
        or (rule in STANDARD_ERRORS and name != "basic")
    )
    return "error" if on else "none"


def _only(settings: Settings, key: Key) -> Settings:
    return {key: settings[key]} if key in settings else {}


def _based(node: Node) -> Node:
    """basedpyright asks for all that it recommends, and fails on warnings, unless its table says otherwise."""
    mode = node.at("typeCheckingMode") or node.with_value("recommended")
    usual = {"failOnWarnings": node.with_value(True)} if canonical(mode) in ("recommended", "all") else {}
    return node.with_value({"typeCheckingMode": mode, **usual, **node.mapping})


PYRIGHT = Tool(
    name="pyright",
    places=(
        Place("pyrightconfig.json"),
        Place("pyproject.toml", ("tool", "pyright")),
        Place("pyproject.toml", ("tool", "basedpyright"), _based),
    ),
    rows=(
        Row("typeCheckingMode", ranked(f"{MODES} recommended=all", "standard"), "cfg.pyright.mode"),
        Row("include", no_fewer_paths(suffixes=PY), "cfg.pyright.ignore"),
        Row("strict", no_fewer_paths(absent_is_all=False, suffixes=PY), "cfg.pyright.mode"),
        Row("ignore", no_more_paths(), "cfg.pyright.ignore"),
        Row("exclude", no_more_paths(unknown_is_minor=True), "cfg.pyright.ignore"),
        Row("enableTypeIgnoreComments", flag(good=False, default=True), "cfg.pyright.rule"),
        Row("failOnWarnings", flag(good=True), "cfg.pyright.rule"),
        Row("analyzeUnannotatedFunctions", flag(good=True, default=True), "cfg.pyright.rule"),
        Row("strictParameterNoneValue", flag(good=True, default=True), "cfg.pyright.rule"),
        *(Row(f"strict{name}Inference", flag(good=True), "cfg.pyright.rule") for name in ("List", "Dictionary", "Set")),
    ),
    suffixes=(".py", ".pyi"),
    judge=_rules,
    programs=("basedpyright",),
    by_invitation=True,
)


def _one_section(node: Node) -> Node:
    """pylint finds its options in any section, with dashes or underscores."""
    keys: dict[str, Node] = {}
    for key, value in flat(node).items():
        keys[key[-1].replace("_", "-")] = value
    return node.with_value(keys or None)


def _shared_ini(node: Node) -> Node:
    return _one_section(node.with_value({k: v for k, v in node.mapping.items() if k.lower().startswith("pylint")}))


PYLINT_LIMITS = (
    *(("args", 5), ("branches", 12), ("statements", 50), ("complexity", 10), ("locals", 15), ("attributes", 7)),
    *(("parents", 7), ("public-methods", 20), ("bool-expr", 5), ("module-lines", 1000), ("nested-blocks", 5)),
    *(("positional-arguments", 5), ("returns", 6)),
)
PATTERNS = names("ignored-classes generated-members dummy-variables-rgx ignored-argument-names no-docstring-rgx")
"""Names that are left alone; which of them is everyday work, all of them is not."""

PYLINT = Tool(
    name="pylint",
    places=(
        *(Place(name, shape=_one_section) for name in ("pylintrc", ".pylintrc")),
        *(
            Place(name, ("tool", "pylint"), _one_section)
            for name in ("pylintrc.toml", ".pylintrc.toml", "pyproject.toml")
        ),
        *(Place(name, shape=_shared_ini) for name in ("setup.cfg", "tox.ini")),
    ),
    rows=(
        Row("disable", no_more(), "cfg.pylint.disable"),
        Row("enable", no_less(), "cfg.pylint.disable"),
        Row("fail-under", floor(10), "cfg.pylint.disable"),
        Row("exit-zero", flag(good=False), "cfg.check.failures-ignored"),
        Row("errors-only", flag(good=False), "cfg.pylint.disable"),
        Row("ignore", no_more_paths(unknown_is_minor=True), "cfg.pylint.exclude"),
        Row("ignore-paths", no_more_paths(unknown_is_minor=True), "cfg.pylint.exclude"),
        Row("ignore-patterns", no_more_paths(unknown_is_minor=True), "cfg.pylint.exclude"),
        *(Row(name, no_less(), "cfg.pylint.disable") for name in ("fail-on", "load-plugins")),
        Row("confidence", fewer_named(all_if_none=True), "cfg.pylint.disable"),
        Row("evaluation", same(), "cfg.test.weaker-run"),
        Row("ignored-modules", no_more_any(), "cfg.pylint.exclude"),
        *(Row(name, only_wide(), "cfg.pylint.disable") for name in PATTERNS),
        *(limit(f"max-{name}", usual) for name, usual in PYLINT_LIMITS),
        limit("min-similarity-lines", 4),
    ),
    suffixes=(".py", ".pyi"),
)
