"""Which tests and files other tools look at: pytest, tox, Cargo, nextest, golangci-lint, TypeScript projects."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.config.command_files.scripts import command_files, read_commands
from ralph.guardrails.config.commands.given import FILE_NAMES, PREFIXES, collects
from ralph.guardrails.config.filters import at_most_few, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import absent, flag, floor, no_fewer_paths, no_less, no_more_paths, ranked, same
from ralph.guardrails.config.node import Key, Node, Settings, canonical, occurrences
from ralph.guardrails.config.patterns import covers
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss, Row, compare_rows
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit
from ralph.guardrails.config.tools import tsconfig
from ralph.guardrails.config.tools.python import PYTEST as PYTEST_STRICT
from ralph.record import replace

COLLECTION, EXCLUDED, IGNORED = "cfg.test.collection", "cfg.test.excluded", "cfg.check.failures-ignored"
NOT_RUN, RETRIES, FEW, PARTLY, WEAKER = (
    "cfg.test.not-run",
    "cfg.test.retries",
    "cfg.test.retries-few",
    "cfg.test.partly",
    "cfg.test.weaker-run",
)
LISTS = ("testpaths", "norecursedirs", "python_files", "python_classes", "python_functions", "required_plugins")


def _pytest(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Lists of an ini file are words with blanks between them."""
    for name in LISTS:
        node = settings.get((name,))
        if node is not None:
            settings[(name,)] = node.with_value(
                [item.with_value(word) for item in node.items for word in canonical(item).split()]
            )
    return settings


def _pytest_names(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """A prefix of names is as wide as it is short; names of files that hold nothing of the tree collect nothing."""
    yield from _no_files(before.get(("python_files",)), after.get(("python_files",)), paths)
    for name, default in PREFIXES.items():
        old, new = before.get((name,)), after.get((name,))
        if new is None:
            continue
        now = [canonical(item) for item in new.items]
        for lost in (canonical(item).rstrip("*") for item in old.items) if old else (default,):
            if not collects(now, lost):
                yield Loss(rule=COLLECTION, key=name, text=f"no longer holds {lost}", node=new, old=old)


TESTPATHS = (Row("testpaths", no_fewer_tests(folders=True), COLLECTION),)
LEFT_OUT = (Row("norecursedirs", no_more_tests(), EXCLUDED), Row("collect_ignore", no_more_tests(), EXCLUDED))


def _pytest_lists(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """A helper beside tests is not missed where they are looked for, unless its examples are run, too."""
    collected = [path for path in paths if not path.endswith(".py") or _is_collected(path, before)]
    examples = any("doctest" in canonical(each) for each in (before.get(("addopts",)),) if each is not None)
    yield from compare_rows(TESTPATHS, before, after, paths if examples or not collected else collected)
    for loss in compare_rows(LEFT_OUT, before, after, paths):
        nothing = not examples and loss.node is not None and _holds_nothing(canonical(loss.node), before, paths)
        yield replace(loss, rule=MINOR_EXCLUSION) if nothing else loss
    yield from _pytest_names(before, after, paths)


def _holds_nothing(name: str, settings: Settings, paths: Sequence[str]) -> bool:
    """A folder that is there, and of whose Python files none has a name by which pytest collects it."""
    plain = name.strip("/")
    if not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+", plain):
        return False
    held = [path for path in paths if path.endswith(".py") and path.startswith(f"{plain}/")]
    patterns = (*_file_names(settings), "conftest.py")
    return bool(held) and not any(fnmatchcase(f"/{path}", f"*/{pattern}") for path in held for pattern in patterns)


def _is_collected(path: str, settings: Settings) -> bool:
    patterns = _file_names(settings)
    return any(fnmatchcase(posixpath.basename(path), pattern.rpartition("/")[2]) for pattern in patterns)


def _file_names(settings: Settings) -> Sequence[str]:
    named = settings.get(("python_files",))
    return [canonical(item) for item in named.items] if named else FILE_NAMES


def _no_files(old: Node | None, new: Node | None, paths: Sequence[str]) -> Iterator[Loss]:
    """Where the tree has no file that either side names, what the old names stand for must still have one."""
    was = [canonical(item) for item in old.items] if old else list(FILE_NAMES)
    now = [canonical(item) for item in new.items] if new else list(FILE_NAMES)
    stand_ins = [name.replace("*", "a") for name in was]
    known = [*stand_ins, *(posixpath.basename(path) for path in paths)]
    if not any(fnmatchcase(name, pattern.rpartition("/")[2]) for name in known for pattern in now):
        yield Loss(rule=COLLECTION, key="python_files", text=f"holds no {was[0]} any more", node=new, old=old)


PYTEST = Tool(
    name="pytest's tests",
    places=PYTEST_STRICT.places,
    rows=(
        Row("python_files", no_fewer_tests(FILE_NAMES), COLLECTION),
        Row("reruns", at_most_few(0), RETRIES, FEW),
        Row("retries", at_most_few(0), RETRIES, FEW),
        Row("empty_parameter_set_mark", ranked("skip=xfail fail_at_collect", "skip"), WEAKER),
        Row("required_plugins", no_less(), WEAKER),
    ),
    suffixes=(".py",),
    relative=True,
    refine=_pytest,
    judge=_pytest_lists,
)
TOX = Tool(
    name="tox",
    places=(Place("tox.ini", ("tox",)), Place("tox.toml"), Place("pyproject.toml", ("tool", "tox"))),
    rows=(
        Row("envlist", no_less(), PARTLY),
        Row("env_list", no_less(), PARTLY),
        Row("skip_missing_interpreters", flag(good=False), PARTLY),
    ),
    suffixes=(".py",),
    needs_config=True,
)

TSC = (("tsc",), ("vue-tsc",), ("tsgo",))
TARGETS = ("lib", "bin", "test", "example", "bench")


def _cargo(node: Node) -> Node:
    """The targets of a manifest by their names."""
    found: dict[str, Node] = {}
    for kind in TARGETS:
        for index, target in enumerate(occurrences(node.at(kind))):
            name = target.at("name")
            found[f"{kind} {canonical(name) if name else index}"] = target
    package, workspace = node.at("package"), node.at("workspace")
    if package:
        found["package"] = package.with_value(
            {key: package.mapping[key] for key in package.mapping if key.startswith("auto")}
        )
    if workspace:
        found["workspace"] = workspace
    profile = node.at("profile", "test")
    if profile:
        found["profile"] = profile
    return node.with_value({"targets": node.with_value(found)} if found else None)


CARGO = Tool(
    name="cargo's tests",
    places=(Place("Cargo.toml", shape=_cargo),),
    rows=(
        Row("targets.*.test", flag(good=True, default=True), NOT_RUN),
        Row("targets.*.doctest", flag(good=True, default=True), NOT_RUN),
        Row("targets.*.harness", flag(good=True, default=True), WEAKER),
        Row("targets.*.autotests", flag(good=True, default=True), NOT_RUN),
        Row("targets.*.required-features", absent(), PARTLY),
        Row("targets.workspace.exclude", no_more_paths(), EXCLUDED),
        Row("targets.workspace.members", no_less(all_word="*"), PARTLY),
        Row("targets.profile.debug-assertions", flag(good=True, default=True), WEAKER),
        Row("targets.profile.overflow-checks", flag(good=True, default=True), WEAKER),
    ),
    suffixes=(".rs",),
)


def _nextest(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What is said of some tests of a profile is said of it by their filter."""
    for key in [key for key in settings if key[:1] == ("profile",) and key[2:] == ("overrides",)]:
        for index, item in enumerate(settings[key].items):
            of = item.at("filter") or item.at("platform")
            name = canonical(of) if of is not None else str(index)
            for what in ("retries", "slow-timeout"):
                said = item.at(what, "count") or item.at(what, "on-timeout") or item.at(what)
                if said is not None:
                    settings[("some", f"{key[1]} {name}", what)] = said
    return settings


NEXTEST = Tool(
    name="nextest",
    places=(Place("nextest.toml"),),
    refine=_nextest,
    rows=(
        Row("profile.*.retries", at_most_few(0), RETRIES, FEW),
        Row("profile.*.retries.count", at_most_few(0), RETRIES, FEW),
        Row("some.*.retries", at_most_few(0), RETRIES, FEW),
        *(
            Row(name, ranked("pass fail", "fail"), IGNORED)
            for name in ("profile.*.slow-timeout.on-timeout", "profile.*.leak-timeout.result")
        ),
        Row("profile.*.default-filter", same(), PARTLY),
    ),
    suffixes=(".rs",),
)
GOLANGCI = Tool(
    name="golangci-lint's run",
    places=tuple(Place(f".golangci.{end}") for end in ("yml", "yaml", "toml", "json")),
    rows=(
        Row("run.issues-exit-code", floor(1), IGNORED),
        Row("run.tests", flag(good=True, default=True), "cfg.golangci.exclude"),
    ),
    suffixes=(".go",),
)


def _projects(side: Side) -> Mapping[str, Unit]:
    """The files of a TypeScript project: `include` and `files` together, everything where neither is said."""
    found, extended = tsconfig.projects(side)
    refers = any(tsconfig.references(path, found) for path in found)
    alone = refers and _runs_alone(side)
    return {path: _with_files(path, found, alone=alone) for path in found if path not in extended}


def _runs_alone(side: Side) -> bool:
    """The compiler is run, but never so that it looks at more than one project, or at one that is named."""
    files = [path for path in command_files(side) if re.search(rb"tsc|tsgo", side.bytes(path) or b"")]
    runs = [run.words for path in files for run in read_commands(side, path).runs if run.words[:1] in TSC]
    return bool(runs) and not any(word.startswith(("-b", "--build", "-p", "--project")) for run in runs for word in run)


def _with_files(path: str, units: Mapping[str, Unit], *, alone: bool) -> Unit:
    """What one project compiles, with those that it refers to; what one leaves out another may hold."""
    own = tsconfig.compiled(units[path].settings)
    names = [path] if alone and own == [] else [path, *tsconfig.references(path, units)]
    parts = {name: units[name].settings for name in names}
    held = {name: _seen_from(path, name, tsconfig.compiled(part)) for name, part in parts.items()}
    left_out = {name: _seen_from(path, name, _excluded(part)) for name, part in parts.items()}
    settings: dict[Key, Node] = {}
    excluded = [
        item
        for name, items in left_out.items()
        for item in items or ()
        if not any(_holds(held[other], left_out[other], item) for other in names if other != name)
    ]
    if excluded:
        settings[("exclude",)] = excluded[0].with_value(excluded)
    listed = tsconfig.listed(path, units)
    counted = (items for name, items in held.items() if name == path or name not in listed)
    together = [*(item for items in counted for item in items or ()), *tsconfig.unknown(path, units)]
    said = next((units[path].settings[key] for key in (("include",), ("files",)) if key in units[path].settings), None)
    if said is not None:
        settings[("compiled",)] = said.with_value(together)
    return Unit(settings, tuple(sorted({file for name in names for file in units[name].files})))


def _excluded(settings: Settings) -> list[Node]:
    return settings[("exclude",)].items if ("exclude",) in settings else []


def _seen_from(path: str, other: str, items: list[Node] | None) -> list[Node]:
    """Patterns of one project as another one would write them; without any, its whole folder."""
    folder = posixpath.relpath(posixpath.dirname(other) or ".", posixpath.dirname(path) or ".")
    if folder == ".":
        return items or []
    if items is None:
        return [Node(folder, other)]
    return [item.with_value(posixpath.normpath(posixpath.join(folder, canonical(item)))) for item in items]


def _holds(held: Sequence[Node], left_out: Sequence[Node], item: Node) -> bool:
    """True if a project compiles what another one leaves out."""
    name = canonical(item)
    return name not in map(canonical, left_out) and any(
        name == canonical(wide) or covers(canonical(wide), name.rstrip("/*"), regex=False) for wide in held
    )


TSCONFIG = Tool(
    name="tsconfig's files",
    places=tsconfig.TSCONFIG.places,
    rows=(
        Row("exclude", no_more_paths(), "cfg.tsconfig.files-left-out"),
        Row("compiled", no_fewer_paths(suffixes=(".ts", ".tsx", ".mts", ".cts")), "cfg.tsconfig.files-left-out"),
    ),
    suffixes=(".ts", ".tsx", ".mts", ".cts"),
    needs_config=True,
    adds_only=True,
    units=_projects,
    units_are_files=True,
    relative=True,
    watches=(".json",),
)
TOX_PLATFORMS = Tool(
    name="tox's platforms",
    places=(Place("tox.ini"), Place("tox.toml")),
    rows=(Row("*.platform", same(), PARTLY), Row("env.*.platform", same(), PARTLY)),
    suffixes=(".py",),
    adds_only=True,
)
COLLECTING: tuple[Tool, ...] = (PYTEST, TOX, TOX_PLATFORMS, CARGO, NEXTEST, GOLANGCI, TSCONFIG)
