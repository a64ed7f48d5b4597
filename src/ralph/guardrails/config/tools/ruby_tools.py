"""RuboCop, Standard, reek, Steep and Sorbet.

- What RuboCop loads (`require`, or `plugins` since 1.72) brings cops of its own.
- A method or pattern that a cop allows is an exception that all can see; a pattern for all methods switches it off.
- Sorbet's configuration is a file of its options, one a line.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import Worse, flag, no_fewer_paths, no_less, no_more, no_more_paths, ranked, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat
from ralph.guardrails.config.rows import Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.record import replace
from ralph.system.patterns import later

IGNORED, EXCLUDED = "cfg.check.failures-ignored", "cfg.exclude-minor"
ALL = later(r"(?:!ruby/regexp )?/?\^?(?:\.|\[\w\])?[*+]?\$?/?|")
COMMENT = later(r"(?m)^\s*#[^\n]*")
DIAGNOSTICS = later(r"\bconfigure_code_diagnostics\(?\s*(?:D|Steep::Diagnostic)::Ruby\.(?P<level>\w+)")
MUTED = later(r"\[\s*(?:D|Steep::Diagnostic)::Ruby::(?P<name>\w+)\s*\]\s*=\s*(?:nil|:information|:hint)")
LISTED = {name: later(rf"(?m)^\s*{name}\b[ (]*(?P<list>[^\n]*)") for name in ("check", "ignore")}
TEXT = later(r"[\"']([^\"'\n]+)[\"']")


def _few(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    old = {canonical(item) for item in words(before)}
    for item in words(after):
        if canonical(item) not in old and ALL.fullmatch(canonical(item)):
            yield Worse(node=item, text=f"allows {canonical(item)}")


def _rubocop(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`inherit_from` names files of the tree that this one is laid over, `.rubocop_todo.yml` among them."""
    whole = side.node(posixpath.join(directory, ".rubocop.yml"))
    inherited = whole.at("inherit_from") if whole else None
    for item in reversed(inherited.items if inherited else []):
        below = side.node(posixpath.normpath(posixpath.join(directory, canonical(item))))
        if below:
            settings = {**flat(below), **settings}
    beyond = [item for item in (inherited.items if inherited else []) if not _is_here(side, directory, canonical(item))]
    gems = whole.at("inherit_gem") if whole else None
    beyond += [gems.with_value(name) for name in gems.mapping] if gems else []
    if beyond:
        settings = {**settings, ("presets",): beyond[0].with_value(beyond)}
    loaded = [
        item for name in ("require", "plugins") for item in (settings[(name,)].items if (name,) in settings else ())
    ]
    return {**settings, ("extensions",): loaded[0].with_value(loaded)} if loaded else settings


def _is_here(side: Side, directory: str, name: str) -> bool:
    return "todo" in name or posixpath.normpath(posixpath.join(directory, name)) in side.paths


def _no_preset_less(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """Another preset in the place of one may be a stricter one."""
    old, new = ({canonical(item) for item in words(node)} for node in (before, after))
    yield from (replace(worse, minor=bool(new - old)) for worse in no_less()(before, after, paths))


RUBOCOP = Tool(
    name="rubocop",
    places=(Place(".rubocop.yml"), Place(".rubocop_todo.yml")),
    rows=(
        Row("*.Enabled", flag(good=True, default=True), "cfg.rubocop.cop-off"),
        limit("*.Max"),
        Row("*.Severity", ranked("info=refactor convention warning error fatal", "convention"), "cfg.rubocop.cop-off"),
        Row("AllCops.DisabledByDefault", flag(good=False), "cfg.rubocop.cop-off"),
        Row("AllCops.NewCops", ranked("disable pending enable", "pending"), "cfg.rubocop.cop-off"),
        Row("*.Exclude", no_more_paths(), "cfg.rubocop.exclude"),
        Row("AllCops.Include", no_fewer_paths(suffixes=(".rb",)), "cfg.rubocop.exclude"),
        Row("extensions", no_less(), "cfg.rubocop.cop-off"),
        Row("presets", _no_preset_less, "cfg.rubocop.cop-off", "cfg.other-configuration"),
        *(Row(f"*.Allowed{name}", _few, "cfg.rubocop.cop-off") for name in ("Methods", "Patterns")),
    ),
    suffixes=(".rb", ".rake"),
    everywhere=True,
    refine=_rubocop,
)
STANDARD = Tool(
    name="standard",
    places=(Place(".standard.yml"), Place(".standard_todo.yml")),
    rows=(Row("ignore", no_more_paths(), IGNORED, EXCLUDED),),
    suffixes=(".rb", ".rake"),
    everywhere=True,
)
LIMITS = (
    "max_methods",
    "max_statements",
    "max_params",
    "max_calls",
    "max_copies",
    "max_instance_variables",
    "max_nesting",
)
REEK = Tool(
    name="reek",
    places=(Place(".reek.yml"), Place("config.reek"), Place(".reek")),
    rows=(
        *(Row(f"{part}.*.enabled", flag(good=True, default=True), IGNORED) for part in ("detectors", "directories.*")),
        *(limit(f"detectors.*.{name}") for name in LIMITS),
        Row("detectors.*.exclude", no_more(usual=".*[A-Z].*"), IGNORED, EXCLUDED),
        Row("exclude_paths", no_more_paths(), IGNORED, EXCLUDED),
    ),
    suffixes=(".rb",),
    by_invitation=True,
)


def _steep(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in files_named(side, "Steepfile"):
        text = COMMENT.sub("", side.text(path) or "")
        settings: dict[Key, Node] = {}
        for match in DIAGNOSTICS.finditer(text):
            settings[("level",)] = Node(match["level"], path, text.count("\n", 0, match.start()) + 1, 1)
        lists = {"muted": [(match["name"], match.start()) for match in MUTED.finditer(text)]}
        for name, form in LISTED.items():
            lists[name] = [
                (each, match.start()) for match in form.finditer(text) for each in TEXT.findall(match["list"])
            ]
        for name, items in lists.items():
            nodes = [Node(item, path, text.count("\n", 0, place) + 1, 1) for item, place in items]
            if nodes:
                settings[(name,)] = nodes[0].with_value(nodes)
        found[path] = Unit(settings, (path,))
    return found


STEEP = Tool(
    name="steep",
    places=(Place("Steepfile"),),
    rows=(
        Row("level", ranked("silent lenient default strict all_error", "default"), IGNORED),
        Row("muted", no_more(), IGNORED),
        Row("check", no_fewer_paths(absent_is_all=False, suffixes=(".rb",)), IGNORED),
        Row("ignore", no_more_paths(), IGNORED, EXCLUDED),
    ),
    suffixes=(".rb",),
    units=_steep,
    units_are_files=True,
)


def _sorbet(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in files_named(side, "config"):
        if posixpath.basename(posixpath.dirname(path)) != "sorbet":
            continue
        settings: dict[Key, Node] = {}
        for number, line in enumerate((side.text(path) or "").split("\n"), 1):
            option, _, value = re.sub(r"^\s*--ignore\s*$", "", line.strip()).lstrip("-").partition("=")
            if option and value:
                known = settings[(option,)].items if (option,) in settings else []
                item = Node(value, path, number, 1)
                settings[(option,)] = item.with_value([*known, item])
        found[path] = Unit(settings, (path,))
    return found


SORBET = Tool(
    name="sorbet",
    places=(Place("config"),),
    rows=(
        Row("ignore", no_more_paths(), IGNORED, EXCLUDED),
        *(Row(name, no_more(), IGNORED) for name in ("suppress-error-code", "isolate-error-code")),
        Row("typed", ranked("ignore false true strict strong", "true"), IGNORED),
    ),
    suffixes=(".rb",),
    units=_sorbet,
    units_are_files=True,
)
RUBY_TOOLS: tuple[Tool, ...] = (RUBOCOP, STANDARD, REEK, STEEP, SORBET)
