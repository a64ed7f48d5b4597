"""Biome: rules by group or by name, presets, and what is left out; an override counts as the files that it is for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Worse, flag, floor, no_fewer_paths, no_less, no_more_paths, ranked, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.patterns import Weight, weigh
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import split_list
from ralph.record import replace

LANGUAGES = ("javascript", "json", "css", "graphql")
LINTED = (*JS, *(f".{ending}" for ending in ("json", "jsonc", "css", "graphql", "gql", "html", "astro")))
BIOME_LEVELS = "off=false info warn error=on=true"
ALL_OFF = ("linter", "is-off")
"""Where the linter is off altogether, and for no files on again, a rule that nothing is said of is off as well."""


def _biome_refine(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """A rule is a word or an object with a `level`; `recommended` and `all` are switches beside them.

    What is said stands before what a file that is extended says."""
    found: dict[Key, Node] = {}
    for item in reversed(settings[("extends",)].items if ("extends",) in settings else ()):
        below = side.node(posixpath.normpath(posixpath.join(directory, canonical(item))))
        settings = {**flat(below), **settings}
    for key, node in settings.items():
        at = key.index("rules") if "rules" in key else len(key)
        rule = key[at + 1 :]
        if len(rule) == 3 and rule[2] == "level":
            key = key[:-1]
        if key[-1:] in (("recommended",), ("all",)) and len(rule) in (1, 2):
            key = (*key[:at], "presets", *rule)
        found[key] = node
    enabled, overrides = found.get(("linter", "enabled")), found.get(("overrides",))
    again = overrides is not None and any(item.at("linter") is not None for item in overrides.items)
    if enabled is not None and canonical(enabled) == "false" and not again:
        found[ALL_OFF] = enabled
    return found


def _biome_overrides(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Rules that an override switches off; it counts as the files that it is for."""
    key = ("overrides",)
    known = {canonical(item) for item in before[key].items} if key in before else set()
    for item in after[key].items if key in after else ():
        if canonical(item) in known:
            continue
        files = (item.at("includes") or item.at("include") or item.with_value([])).items
        minor = bool(files) and all(weigh(canonical(file), paths) is Weight.MINOR for file in files)
        for name, node in flat(item).items():
            if canonical(node) in ("off", "false") and ("rules" in name or name[-1:] == ("enabled",)):
                rule = MINOR_EXCLUSION if minor else "cfg.biome.rule-off"
                yield Loss(rule=rule, key=".".join(name), text="is off for some files", node=node, old=None)


def _no_preset_less(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Another preset in the place of one may be a stricter one; a file of the project is told by what it says."""
    old, new = ({canonical(item) for item in words(node)} for node in (before, after))
    for worse in no_less()(before, after, paths):
        if not worse.text.removeprefix("loses ").startswith(("./", "../", "//")):
            yield replace(worse, minor=bool(new - old))


BIOME = Tool(
    name="biome",
    places=tuple(Place(name) for name in ("biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc")),
    rows=(
        Row("linter.enabled", flag(good=True, default=True), "cfg.biome.rule-off"),
        Row("linter.presets.recommended", flag(good=True, default=True), "cfg.biome.rule-off"),
        Row("linter.presets.*.recommended", flag(good=True, default=True), "cfg.biome.rule-off"),
        Row("linter.presets.all", flag(good=True), "cfg.biome.rule-off"),
        Row("linter.presets.*.all", flag(good=True), "cfg.biome.rule-off"),
        Row("linter.rules.*.*", ranked(BIOME_LEVELS, "error"), "cfg.biome.rule-off", fallback=lambda _key: ALL_OFF),
        Row("linter.rules.*", ranked(BIOME_LEVELS, "error"), "cfg.biome.rule-off", fallback=lambda _key: ALL_OFF),
        *(Row(f"{name}.linter.enabled", flag(good=True, default=True), "cfg.biome.rule-off") for name in LANGUAGES),
        Row("linter.domains.*", ranked("none recommended all", "recommended"), "cfg.biome.rule-off"),
        Row("extends", _no_preset_less, "cfg.biome.rule-off", "cfg.other-configuration"),
        Row("files.maxSize", floor(1_048_576), "cfg.biome.ignore"),
        Row("linter.ignore", no_more_paths(), "cfg.biome.ignore"),
        Row("files.ignore", no_more_paths(), "cfg.biome.ignore"),
        Row("files.includes.out", no_more_paths(), "cfg.biome.ignore"),
        Row("linter.includes.out", no_more_paths(), "cfg.biome.ignore"),
        Row("files.includes.in", no_fewer_paths(suffixes=LINTED), "cfg.biome.ignore"),
        Row("linter.includes.in", no_fewer_paths(suffixes=LINTED), "cfg.biome.ignore"),
    ),
    suffixes=JS,
    refine=lambda side, directory, settings: split_list(
        dict(split_list(dict(_biome_refine(side, directory, settings)), ("files", "includes"))), ("linter", "includes")
    ),
    judge=_biome_overrides,
    watches=(".json", ".jsonc"),
    by_invitation=True,
)
