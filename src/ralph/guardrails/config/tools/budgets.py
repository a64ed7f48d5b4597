"""Numbers that a project asks of itself: types, sizes, copies, cycles, scores, mutants.

A share that must be reached must not fall. A size or a count that may be reached is a limit like those of linters: some
more is for a person to look at, several times as much is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import (
    Check,
    Worse,
    absent,
    ceiling,
    flag,
    floor,
    no_fewer_paths,
    no_more,
    no_more_paths,
    number,
    ranked,
)
from ralph.guardrails.config.node import Key, Node, Settings, canonical, flat, names
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Loss, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, exported, modules
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

THRESHOLD, IGNORED, EXCLUDED = "cfg.coverage.threshold", "cfg.check.failures-ignored", "cfg.exclude-minor"
UNITS = {"": 1, "b": 1, "k": 1e3, "kb": 1e3, "kib": 1024, "m": 1e6, "mb": 1e6, "mib": 1024**2, "ms": 1, "s": 1e3}
AMOUNT = later(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z]*)")
SIZES = names("limit maxSize maximumError maximumWarning")
LEVELS = "off=false ignore info warn=warning=1 error=2=true"
PRESETS = "none lighthouse:no-pwa lighthouse:recommended=lighthouse:all"
OF_RUNS = "optimistic median=median-run pessimistic"
"""Which of several runs is the one that counts, weakest first."""
GO_SHARES = names("threshold.total threshold.file threshold.package")


def _left_out(key: str) -> Row:
    return Row(key, no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED)


def amount(node: Node | None) -> float | None:
    """`10 kB` and `1 s` as numbers; None for what is no amount."""
    match = AMOUNT.fullmatch(canonical(node).strip()) if node is not None else None
    unit = UNITS.get(match["unit"].lower()) if match is not None else None
    return float(match["number"]) * unit if match is not None and unit is not None else None


def no_larger() -> Check:
    """A size that must not rise; up to several times as much is minor."""
    counts = ceiling(None, MANIFOLD)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (node.with_value(amount(node)) if node is not None else None for node in (before, after))
        for worse in counts(was, now, paths):
            shown = f"rises from {canonical(before)} to {canonical(after)}" if before and after else worse.text
            yield Worse(node=after, text=shown, minor=worse.minor, unreadable=worse.unreadable)

    return check


def _listed(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Budgets of a list by what each is about, wherever the list stands."""
    found: dict[Key, Node] = {}
    for key, node in settings.items():
        for index, item in enumerate(node.value) if isinstance(node.value, list) else ():
            named = next((each for name in ("name", "path", "type") if (each := item.at(name)) is not None), None)
            place = "/".join((*key, canonical(named) if named is not None else str(index)))
            found |= {("sizes", place, name): value for name, value in item.mapping.items() if name in SIZES}
        if key[-1:] and key[-1] in SIZES:
            found[("sizes", "/".join(key[:-1]), key[-1])] = node
    return found


def _sizes(name: str, *places: Place, invited: bool = True) -> Tool:
    return Tool(
        name=name,
        places=places,
        rows=tuple(Row(f"sizes.*.{size}", no_larger(), LIFTED, RAISED) for size in SIZES),
        suffixes=(),
        refine=_listed,
        by_invitation=invited,
        watches=SCRIPTS,
    )


def _forbidden(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """The rules of dependency-cruiser by their names; one without a level warns."""
    found = {key: node for key, node in settings.items() if key[0] == "options"}
    for kind in ("forbidden", "required"):
        node = settings.get((kind,))
        for index, item in enumerate(node.items if node is not None else ()):
            name = item.at("name")
            level = item.at("severity") or item.with_value("warn")
            found[("levels", canonical(name) if name is not None else f"{kind} {index}")] = level
    return found


def _kept_level() -> Check:
    """A rule that made the run fail goes on doing so."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        if before is not None and canonical(before) == "error" and (after is None or canonical(after) != "error"):
            yield Worse(node=after, text="is gone" if after is None else f"is {cut(canonical(after), 40)}")

    return check


def _asserted(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Lighthouse's assertions: `["error", {"minScore": 0.9}]` as a level and numbers; those of a list of pages, too."""
    found: dict[Key, Node] = {key[1:]: node for key, node in settings.items() if key == ("ci", "assert", "preset")}
    pages = settings.get(("ci", "assert", "assertMatrix"))
    for index, part in enumerate(pages.items if pages is not None else ()):
        named = part.at("matchingUrlPattern")
        place = f"{canonical(named) if named is not None else index} "
        of_part = {("ci", "assert", *key): node for key, node in flat(part).items()}
        found |= {(key[0], place + key[1], *key[2:]): node for key, node in _asserted_of(of_part).items()}
    return found | _asserted_of(settings)


def _asserted_of(settings: Settings) -> dict[Key, Node]:
    found: dict[Key, Node] = {}
    for key, node in settings.items():
        if key == ("ci", "assert", "aggregationMethod"):
            found[("of runs", "all")] = node
        if key[:3] != ("ci", "assert", "assertions"):
            continue
        for item in node.items:
            if item.mapping:
                found |= {("numbers", "/".join(key[3:]), name): value for name, value in item.mapping.items()}
            else:
                found[("asserted", "/".join(key[3:]))] = item
    return found


def _lowered(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """A score must not fall to under nine tenths of what it was unseen; measured again, it wavers."""
    for worse in floor()(before, after, paths):
        was, now = number(before, None), number(after, None)
        few = isinstance(was, float) and isinstance(now, float) and now >= was * 0.9
        yield Worse(node=worse.node, text=worse.text, minor=few, unreadable=worse.unreadable)


TYPES = Tool(
    name="type-coverage",
    places=(Place("package.json", ("typeCoverage",)),),
    rows=(
        Row("atLeast", floor(), THRESHOLD),
        Row("is", floor(), THRESHOLD),
        Row("strict", flag(good=True), IGNORED),
        Row("ignoreCatch", flag(good=False), EXCLUDED),
        _left_out("ignoreFiles"),
    ),
    suffixes=JS,
)
COPIES = Tool(
    name="jscpd",
    places=(Place(".jscpd.json"), Place("package.json", ("jscpd",))),
    rows=(
        limit("threshold"),
        limit("minTokens", 50),
        limit("minLines", 5),
        Row("exitCode", floor(0), IGNORED),
        _left_out("ignore"),
    ),
    suffixes=(),
    by_invitation=True,
)
KNIP = Tool(
    name="knip",
    places=(
        *(Place(f"{dot}knip.{end}") for dot in ("", ".") for end in ("json", "jsonc")),
        *modules("knip"),
        *modules("knip.config"),
        Place("package.json", ("knip",)),
    ),
    rows=(
        Row("rules.*", ranked(LEVELS, "error"), IGNORED),
        Row("exclude", no_more(), IGNORED),
        *(Row(name, no_more(usual=".*"), IGNORED, EXCLUDED) for name in ("ignoreDependencies", "ignoreBinaries")),
        *(_left_out(name) for name in ("ignore", "ignoreFiles")),
        *(Row(name, no_more(), IGNORED) for name in ("ignoreUnresolved", "ignoreWorkspaces")),
        Row("project", no_fewer_paths(), IGNORED),
        Row("include", absent(), "cfg.test.partly"),
    ),
    suffixes=JS,
    by_invitation=True,
    watches=SCRIPTS,
)
CRUISER = Tool(
    name="dependency-cruiser",
    places=(*modules(".dependency-cruiser"), Place(".dependency-cruiser.json")),
    rows=(Row("levels.*", _kept_level(), IGNORED), _left_out("options.exclude.path")),
    suffixes=JS,
    programs=("depcruise",),
    refine=_forbidden,
    watches=SCRIPTS,
)
LIGHTHOUSE = Tool(
    name="lighthouse",
    places=tuple(
        Place(f"{dot}lighthouserc.{end}", shape=exported)
        for dot in ("", ".")
        for end in ("json", "js", "cjs", "yml", "yaml")
    ),
    rows=(
        Row("asserted.*", ranked(LEVELS, "error"), IGNORED),
        Row("assert.preset", ranked(PRESETS, "none"), IGNORED),
        Row("numbers.*.minScore", _lowered, THRESHOLD, RAISED),
        Row("numbers.*.minLength", floor(), THRESHOLD),
        Row("numbers.*.aggregationMethod", ranked(OF_RUNS, "optimistic"), "cfg.test.retries"),
        Row("of runs.*", ranked(OF_RUNS, "optimistic"), "cfg.test.retries"),
        *(
            Row(f"numbers.*.{name}", ceiling(None, MANIFOLD), LIFTED, RAISED)
            for name in ("maxNumericValue", "maxLength")
        ),
    ),
    suffixes=(),
    programs=("lhci",),
    refine=_asserted,
    watches=SCRIPTS,
)


def _go_floors(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """An exception from the floors of files and packages, by its path."""
    for index, item in enumerate(settings[("override",)].items if ("override",) in settings else ()):
        path, own = item.at("path"), item.at("threshold")
        if own is not None:
            settings[("floors", canonical(path) if path is not None else str(index))] = own
    return settings


def _go_exceptions(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """One that came with the change asks for less than all files, or packages, were asked for."""
    usual = [number(before.get(("threshold", name)), None) for name in ("file", "package")]
    asked = max((each for each in usual if isinstance(each, float)), default=None)
    for key, node in after.items():
        now = number(node, None)
        lower = asked is not None and isinstance(now, float) and now < asked
        if lower and key[:1] == ("floors",) and key not in before:
            yield Loss(rule=THRESHOLD, key=key[1], text=f"is asked for {canonical(node)}", node=node, old=None)


GO_COVERAGE = Tool(
    name="go-test-coverage",
    places=(Place(".testcoverage.yml"), Place(".testcoverage.yaml")),
    rows=(
        *(Row(name, floor(), THRESHOLD) for name in (*GO_SHARES, "floors.*")),
        Row("exclude.paths", no_more_paths(), "cfg.coverage.exclude", "cfg.coverage.exclude-minor"),
    ),
    suffixes=(".go",),
    refine=_go_floors,
    judge=_go_exceptions,
)
BUDGETS: tuple[Tool, ...] = (
    *(TYPES, COPIES, KNIP, CRUISER, LIGHTHOUSE, GO_COVERAGE),
    _sizes("size-limit", Place("package.json", ("size-limit",)), Place(".size-limit.json"), *modules(".size-limit")),
    _sizes("bundlesize", Place("package.json", ("bundlesize",)), Place("bundlesize.config.json")),
    _sizes(
        "bundlewatch",
        Place("package.json", ("bundlewatch",)),
        Place(".bundlewatch.config.json"),
        Place("bundlewatch.config.json"),
        *modules("bundlewatch.config"),
    ),
    _sizes("angular", Place("angular.json", ("projects",)), invited=False),
)
