"""PHPStan and Psalm, which ask for more the higher, or the lower, their level is."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import (
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
    words,
)
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat, names, occurrences
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.system.patterns import later

LEVEL, IGNORED = "cfg.phpstan.level", "cfg.check.failures-ignored"
EXCLUDED = ("analyse", "analyseAndScan")
CHECKS = {
    "checkUninitializedProperties": False,
    "checkMissingIterableValueType": True,
    "checkImplicitMixed": False,
    "checkExplicitMixed": False,
    "checkBenevolentUnionTypes": False,
    "checkTooWideReturnTypesInProtectedAndPublicMethods": False,
    "reportMaybes": True,
    "reportUnmatchedIgnoredErrors": True,
    "reportStaticMethodSignatures": False,
}
"""What is asked beyond the level; none of it is lost that was not said, but for what is on by itself."""
PSALM_CHECKS = names(
    "findUnusedCode strictBinaryOperands totallyTyped findUnusedVariablesAndParams reportMixedIssues "
    "findUnusedPsalmSuppress ensureArrayStringOffsetsExist ensureArrayIntOffsetsExist"
)
ISSUES = ("suppress", "info", "error")
ACCEPTS = later(r"['\"]?\b(?:message|rawMessage|identifier)\b['\"]?\s*(?::|=>)")
INCLUDES = ("includes",)
NEON = (".neon", ".neon.dist")
HIGHEST = 9
"""The level that `max` stood for at first; newer releases know more of them."""


def no_lower_level(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Levels have numbers, and the highest a name; the highest as a number is for a person."""
    was, now = (_numbered(node) for node in (before, after))
    for worse in floor(0)(was, now, paths):
        shown = f"falls from {canonical(before)} to {canonical(after)}" if before and after else worse.text
        high = worse.now is not None and worse.now >= HIGHEST
        yield Worse(node=after, text=shown, was=worse.was, now=worse.now, unreadable=worse.unreadable or high)


def no_rules_less(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Files of rules that are no longer included; a list of accepted errors is none."""
    for worse in no_less()(before, after, paths):
        if "baseline" not in worse.text:
            yield worse


def _numbered(node: Node | None) -> Node | None:
    return node.with_value(HIGHEST + 0.5) if node is not None and canonical(node).lower() == "max" else node


def psalm(node: Node) -> Node:
    """The attributes of the outermost element, which may be all that is said."""
    whole = node.at("psalm") or node
    said = {key.removeprefix("@"): value for key, value in whole.mapping.items() if key.startswith("@")}
    files = whole.at("projectFiles") or node.with_value({})
    kept: dict[str, Node] = {}
    for name, place in (("checked", files), ("left out", files.at("ignoreFiles") or node.with_value({}))):
        items = [item for kind in ("directory", "file") for item in occurrences(place.at(kind))]
        paths = [path for item in items if (path := item.at("@name")) is not None]
        if paths:
            kept[name] = paths[0].with_value(paths)
    handlers = whole.at("issueHandlers") or node.with_value({})
    kept["issues"] = handlers.with_value(
        {name: level for name, each in handlers.mapping.items() if (level := _level(each))}
    )
    return node.with_value({**said, **kept})


def _level(handler: Node) -> Node | None:
    """How an issue is taken: for all files, or for those that are named, of which the mildest counts."""
    said = handler.at("@errorLevel")
    of_some = [kind for each in occurrences(handler.at("errorLevel")) if (kind := each.at("@type")) is not None]
    return said or min(of_some, key=lambda kind: ISSUES.index(canonical(kind)), default=None)


def _included(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """What a file of the project says that is included: lists are added to, the rest stands behind."""
    for item in reversed(settings[INCLUDES].items if INCLUDES in settings else ()):
        path = posixpath.normpath(posixpath.join(directory, canonical(item)))
        below = side.node(path) if path.endswith(NEON) and "baseline" not in path else None
        for key, node in flat(below).items():
            both = isinstance(node.value, list) and key in settings
            settings[key] = (
                settings[key].with_value([*settings[key].items, *node.items]) if both else settings.get(key, node)
            )
    return _accepted(side, directory, settings)


def _accepted(side: Side, directory: str, settings: Settings) -> Settings:
    """The first of the lists of accepted errors that are included."""
    for item in settings[("includes",)].items if ("includes",) in settings else ():
        path = posixpath.normpath(posixpath.join(directory, canonical(item)))
        if "baseline" in path and ACCEPTS.search(side.text(path) or ""):
            return {**settings, ("accepted",): item}
    return settings


def _first_baseline(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """Errors are accepted where none were: neither with a higher level nor more rules, nor ones that were ignored."""
    if ("accepted",) not in after or ("accepted",) in before or not before:
        return
    known, now = (side.get(("parameters", "ignoreErrors")) for side in (before, after))
    moved = known is not None and len(known.items) > len(now.items if now is not None else ())
    level = ("parameters", "level")
    higher = canonical(before[level]) != canonical(after[level]) if level in before and level in after else False
    old, new = ({canonical(item) for item in words(side.get(("includes",)))} for side in (before, after))
    if not moved and not higher and all("baseline" in name for name in new - old):
        node = after[("accepted",)]
        yield Loss(rule="cfg.phpstan.ignore", key="includes", text=f"gains {canonical(node)}", node=node, old=None)


PHPSTAN = Tool(
    name="phpstan",
    places=(Place("phpstan.neon"), Place("phpstan.neon.dist"), Place("phpstan.dist.neon")),
    rows=(
        Row("parameters.level", no_lower_level, LEVEL),
        Row("parameters.paths", no_fewer_paths(absent_is_all=False, suffixes=(".php",)), "cfg.phpstan.ignore"),
        *(Row(f"parameters.excludePaths.{name}", no_more_paths(), "cfg.phpstan.ignore") for name in EXCLUDED),
        Row("parameters.strictRules.*", flag(good=True, default=True), LEVEL),
        *(Row(f"parameters.{name}", flag(good=True, default=default), LEVEL) for name, default in CHECKS.items()),
        Row("parameters.customRulesetUsed", flag(good=False), LEVEL),
        Row("includes", no_rules_less, LEVEL),
        Row("parameters.ignoreErrors", no_more(), "cfg.phpstan.ignore"),
        Row("parameters.excludePaths", no_more_paths(), "cfg.phpstan.ignore"),
    ),
    suffixes=(".php",),
    refine=_included,
    judge=_first_baseline,
)
PSALM = Tool(
    name="psalm",
    places=(
        Place("psalm.xml", shape=psalm),
        Place("psalm.xml.dist", shape=psalm),
        Place("psalm.dist.xml", shape=psalm),
    ),
    rows=(
        Row("errorLevel", ceiling(2), IGNORED),
        *(Row(name, flag(good=True), IGNORED) for name in PSALM_CHECKS),
        Row("checked", no_fewer_paths(suffixes=(".php",)), IGNORED),
        Row("left out", no_more_paths(), IGNORED),
        Row("issues.*", ranked("suppress info error", "error"), IGNORED),
        Row("errorBaseline", absent(), IGNORED),
    ),
    suffixes=(".php",),
    needs_config=True,
)
PHP: tuple[Tool, ...] = (PHPSTAN, PSALM)
