"""coverage.py, pytest and bandit: tables over plain keys."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.config.filters import no_more_ignored
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
    number,
    ranked,
    words,
)
from ralph.guardrails.config.lists import patience
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import PY
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.pyright import PYLINT, PYRIGHT
from ralph.system.patterns import later

THRESHOLD, OFF = "cfg.coverage.threshold", "cfg.coverage.off"
SCOPE, EXCLUDE = "cfg.coverage.scope", "cfg.coverage.exclude"
STRICTNESS, WEAKER, SKIPS = "cfg.pytest.strictness", "cfg.test.weaker-run", "cfg.bandit.skips"
MINOR_OMISSION = "cfg.coverage.exclude-minor"
FLOOR: Key = ("report", "fail_under")
UNDER = later(r"--cov-fail-under[= ]\s*(\d+(?:\.\d+)?)")
OPTIONS = (
    ("pytest.ini", ("pytest",)),
    ("pyproject.toml", ("tool", "pytest", "ini_options")),
    ("tox.ini", ("pytest",)),
    ("setup.cfg", ("tool:pytest",)),
)
A_PART = later(r"(?:\./|\*/)?(?:src/|lib/)?\w+/[\w./-]*[\w*]|.*\w\.py")
PACKAGE = later(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
UNREACHED = (
    r"(\\[sb]|\W)*(if (\w+\\?\.)?TYPE_CHECKING:?|if __name__ == .__main__.:?"
    r"|raise (NotImplemented|Assertion)Error.{0,8}"
    r"|@(abc\.|\(abc\\\.\)\?)?abstractmethod|@(typing\.)?overload|class .{1,8}\bProtocol\b.{0,6}|def __(repr|str)__"
    r"|assert_never.{0,6}|\\?\.\\?\.\\?\.|pragma: no cover|if (0|False):|pass|:? ?\\\.\{3\})\W*"
)
"""Lines that no test reaches, as most projects name them: declarations, guards, what only a type checker sees."""


def _included() -> Check:
    """A first list takes away what it does not hold; of a tree without sources, if it names a part of them."""
    lists = no_fewer_paths(suffixes=PY)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        parts = words(after) if before is None and not any(map(is_product, paths)) else []
        if parts and all(A_PART.fullmatch(canonical(item)) for item in parts):
            yield Worse(node=after, text="holds a part of the sources, where all were measured")
        yield from lists(before, after, paths)

    return check


def _no_fewer_packages() -> Check:
    """Folders, or packages by their names: `shop` holds `shop.models`."""
    lists = no_fewer_paths(absent_is_all=False, suffixes=PY)

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterable[Worse]:
        return lists(before and _in_folders(before), after and _in_folders(after), paths)

    return check


def _in_folders(node: Node) -> Node:
    return node.with_value([item.with_value(_folder(canonical(item))) for item in words(node)])


def _folder(name: str) -> str:
    return name.replace(".", "/") if PACKAGE.fullmatch(name) else name


def _coverage_ini(node: Node) -> Node:
    """In shared files coverage's sections are `coverage:run`, `coverage:report`."""
    sections = {
        name.removeprefix("coverage:"): values for name, values in node.mapping.items() if name.startswith("coverage:")
    }
    return node.with_value(sections or None)


def _in_effect(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """The plugin `covdefaults` asks for everything, branches too, unless the file says otherwise."""
    plugins = settings.get(("run", "plugins"))
    if plugins is not None and any(canonical(item) == "covdefaults" for item in words(plugins)):
        settings.setdefault(FLOOR, plugins.with_value(100))
        settings.setdefault(("run", "branch"), plugins.with_value(True))
    return _asked_on_the_command_line(side, directory, settings)


def _asked_on_the_command_line(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """`--cov-fail-under` among pytest's own options takes the place of what is configured, if it asks for less."""
    if FLOOR in settings:
        for name, root in OPTIONS:
            node = side.node(posixpath.join(directory, name))
            options = node.at(*root, "addopts") if node is not None else None
            told = " ".join(canonical(item) for item in options.items or [options]) if options is not None else ""
            if options is not None and (match := UNDER.search(told)):
                floor_set = number(settings[FLOOR], None)
                lower = isinstance(floor_set, float | int) and float(match[1]) < floor_set
                return {**settings, FLOOR: options.with_value(float(match[1]))} if lower else settings
    return settings


COVERAGE = Tool(
    name="coverage",
    places=(
        Place(".coveragerc"),
        Place(".coveragerc.toml", ("tool", "coverage")),
        Place(".coveragerc.toml"),
        Place("setup.cfg", shape=_coverage_ini),
        Place("tox.ini", shape=_coverage_ini),
        Place("pyproject.toml", ("tool", "coverage")),
    ),
    rows=(
        Row("report.fail_under", floor(), THRESHOLD),
        Row("report.precision", floor(0), "cfg.coverage.precision"),
        Row("run.branch", flag(good=True), OFF),
        Row("run.source", _no_fewer_packages(), SCOPE),
        Row("run.source_pkgs", _no_fewer_packages(), SCOPE),
        Row("run.source_dirs", no_fewer_paths(absent_is_all=False, suffixes=PY), SCOPE),
        Row("run.include", _included(), SCOPE),
        Row("report.include", _included(), SCOPE),
        Row("run.omit", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("report.omit", no_more_paths(), EXCLUDE, MINOR_OMISSION),
        Row("report.exclude_lines", no_more(usual=UNREACHED), EXCLUDE, MINOR_OMISSION),
        Row("report.exclude_also", no_more(usual=UNREACHED), EXCLUDE, MINOR_OMISSION),
        Row("report.partial_branches", no_more(), EXCLUDE),
        Row("report.partial_also", no_more(), EXCLUDE),
        Row("report.ignore_errors", flag(good=False), "cfg.coverage.report-optional"),
        Row("report.include_namespace_packages", flag(good=True), SCOPE),
    ),
    suffixes=PY,
    refine=_in_effect,
)


def _by_new_names(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """`xfail_strict` is `strict_xfail` by now."""
    older = settings.pop(("xfail_strict",), None)
    if older is not None:
        settings.setdefault(("strict_xfail",), older)
    return settings


def _no_blind_examples(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """Examples of documentation that are not run, or whose errors nobody compares."""
    old, new = ({word for item in words(node) for word in canonical(item).split()} for node in (before, after))
    for name in sorted((new - old) & {"SKIP", "IGNORE_EXCEPTION_DETAIL"}):
        yield Worse(node=after, text=f"gains {name}", minor=name != "SKIP")


PYTEST = Tool(
    name="pytest",
    places=(
        *(Place(name, ("pytest",)) for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini")),
        Place("pyproject.toml", ("tool", "pytest", "ini_options")),
        Place("pyproject.toml", ("tool", "pytest")),
        Place("tox.ini", ("pytest",)),
        Place("setup.cfg", ("tool:pytest",)),
    ),
    rows=(
        *(Row(name, flag(good=True), STRICTNESS) for name in ("strict_xfail", "strict_parametrization_ids")),
        Row("strict", flag(good=True), STRICTNESS),
        Row("strict_markers", flag(good=True), STRICTNESS),
        Row("strict_config", flag(good=True), STRICTNESS),
        Row("filterwarnings", no_less(), STRICTNESS),
        Row("timeout", patience(), WEAKER),
        Row("max_warnings", ceiling(), STRICTNESS),
        Row("collect_imported_tests", flag(good=True, default=True), "cfg.test.partly"),
        Row("asyncio_mode", ranked("strict auto", "strict"), WEAKER),
        Row("doctest_optionflags", _no_blind_examples, "cfg.test.excluded", WEAKER),
        Row("filterwarnings", no_more_ignored(), STRICTNESS),
    ),
    suffixes=PY,
    refine=_by_new_names,
)

BANDIT = Tool(
    name="bandit",
    places=(
        Place("pyproject.toml", ("tool", "bandit")),
        Place(".bandit", ("bandit",)),
        *(Place(f"{dot}bandit.{end}") for dot in ("", ".") for end in ("yaml", "yml", "json")),
    ),
    rows=(
        Row("skips", no_more(), SKIPS),
        Row("tests", no_less(), SKIPS),
        Row("exclude_dirs", no_more_paths(unknown_is_minor=True), SKIPS),
        Row("exclude", no_more_paths(unknown_is_minor=True), SKIPS),
        Row("targets", no_fewer_paths(suffixes=PY), SKIPS),
        Row("baseline", absent(), SKIPS),
        *(Row(name, ceiling(1), SKIPS) for name in ("level", "confidence")),
    ),
    suffixes=PY,
)

PYTHON: tuple[Tool, ...] = (COVERAGE, PYTEST, PYRIGHT, PYLINT, BANDIT)
