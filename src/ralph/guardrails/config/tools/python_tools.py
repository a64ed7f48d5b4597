"""Python's smaller tools: formatters, linters of imports and docstrings, documentation, wheels.

Only what leaves code out, or lets findings pass, is compared. None of them works unasked: a first configuration takes
nothing away where nobody ran the tool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.guardrails.config.filters import at_most_few
from ralph.guardrails.config.lattice import (
    absent,
    ceiling,
    flag,
    floor,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
)
from ralph.guardrails.config.lists import fewer_named, no_wide
from ralph.guardrails.config.node import Key, Node, Settings, canonical, occurrences
from ralph.guardrails.config.python_tasks.wheels import kept_runner, no_more_skipped
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import PY
from ralph.guardrails.config.tool import Place, Tool

IGNORED, WEAKER, NOT_RUN = "cfg.check.failures-ignored", "cfg.test.weaker-run", "cfg.test.not-run"
EXCLUDED, PARTLY, COVERAGE = "cfg.test.excluded", "cfg.test.partly", "cfg.coverage.exclude"


def _left_out(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more_paths(unknown_is_minor=True), IGNORED) for key in keys)


def _codes(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more(), IGNORED) for key in keys)


def _only(key: str) -> Row:
    """The files that are looked at."""
    return Row(key, no_fewer_paths(suffixes=PY), IGNORED)


def _tool(
    name: str,
    rows: Sequence[Row],
    *places: Place,
    programs: tuple[str, ...] = (),
    refine: Callable[[Side, str, dict[Key, Node]], Settings] | None = None,
) -> Tool:
    """One with a table of its name in `pyproject.toml`, and in the other places."""
    table = Place("pyproject.toml", ("tool", name))
    return Tool(
        name=name,
        places=(*places, table),
        rows=rows,
        suffixes=PY,
        by_invitation=True,
        programs=programs,
        refine=refine,
    )


def _ini(section: str, *files: str) -> tuple[Place, ...]:
    return tuple(Place(file, (section,)) for file in files)


def _underscored(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Names with dashes and with underscores are the same."""
    return {tuple(part.replace("-", "_") for part in key): node for key, node in settings.items()}


def _contracts(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """import-linter's contracts by their names; sections of an INI file are read as they are."""
    listed = settings.get(("contracts",))
    found: dict[Key, Node] = {("number",): listed.with_value(len(occurrences(listed)))} if listed is not None else {}
    for item in occurrences(listed):
        name = item.at("name")
        found |= {("contracts", canonical(name) if name else "", key): node for key, node in item.mapping.items()}
    return found


def _contracts_of_ini(node: Node) -> Node:
    sections = {
        name.removeprefix("importlinter:contract:"): values
        for name, values in node.mapping.items()
        if name.startswith("importlinter:contract:")
    }
    listed = [
        values.with_value({"name": values.at("name") or values.with_value(name), **values.mapping})
        for name, values in sections.items()
    ]
    return node.with_value({"contracts": node.with_value(listed)} if listed else None)


CONTRACT_LISTS = ("layers", "modules", "source_modules", "forbidden_modules", "containers", "protected_modules")
INTERROGATE_EASE = (
    "ignore_module ignore_nested_functions ignore_nested_classes ignore_private ignore_semiprivate ignore_magic "
    "ignore_init_method ignore_init_module ignore_setters ignore_property_decorators ignore_overloaded_functions"
)


PLATFORMS = ("linux", "macos", "windows", "override.*")


def _wheels(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """A platform's own settings, and those of an override, hold beside the general ones."""
    found = {key: node for key, node in settings.items() if key != ("overrides",)}
    for index, item in enumerate(occurrences(settings.get(("overrides",)))):
        chosen = item.at("select")
        name = canonical(chosen) if chosen else str(index)
        found |= {("override", name, key): node for key, node in item.mapping.items()}
    return found


def _general(key: Key) -> Key:
    return key[-1:]


PYTHON_TOOLS: tuple[Tool, ...] = (
    _tool(
        "isort",
        _left_out("skip", "skip_glob", "extend_skip", "extend_skip_glob"),
        Place(".isort.cfg", ("settings",)),
        *_ini("isort", "setup.cfg", "tox.ini"),
    ),
    _tool(
        "black",
        (
            *_left_out("exclude", "extend-exclude", "force-exclude"),
            Row("include", no_fewer_paths(suffixes=PY), IGNORED),
        ),
    ),
    _tool("docformatter", _left_out("exclude"), *_ini("docformatter", "setup.cfg", "tox.ini")),
    _tool(
        "pydocstyle",
        (
            *_codes("add_ignore", "ignore"),
            Row("select", fewer_named(all_if_none=True), IGNORED),
            Row("match", absent(), PARTLY),
            Row("match_dir", absent(), PARTLY),
        ),
        *_ini("pydocstyle", ".pydocstyle", ".pydocstyle.ini", ".pydocstylerc", "setup.cfg", "tox.ini"),
        refine=_underscored,
    ),
    _tool(
        "pycodestyle",
        (*_codes("ignore"), *_left_out("exclude"), Row("select", fewer_named(all_if_none=True), IGNORED)),
        *_ini("pycodestyle", "setup.cfg", "tox.ini"),
    ),
    _tool(
        "refurb",
        (
            *_codes("ignore", "disable"),
            Row("disable_all", flag(good=False), IGNORED),
            Row("enable_all", flag(good=True), IGNORED),
            Row("enable", no_less(), IGNORED),
        ),
    ),
    _tool(
        "deptry",
        (
            *_codes("ignore"),
            *_left_out("exclude", "extend_exclude"),
            Row("per_rule_ignores.*", no_more(usual=r"[\w.-]+"), IGNORED),
        ),
    ),
    _tool(
        "importlinter",
        (
            Row("number", floor(0), IGNORED),
            Row("contracts.*.ignore_imports", no_wide(r".*\*.*"), IGNORED),
            *(Row(f"contracts.*.{name}", fewer_named(), WEAKER) for name in CONTRACT_LISTS),
        ),
        *(Place(file, shape=_contracts_of_ini) for file in (".importlinter", "setup.cfg")),
        programs=("lint-imports", "import-linter"),
        refine=_contracts,
    ),
    _tool(
        "interrogate",
        tuple(Row(name, flag(good=False), WEAKER) for name in INTERROGATE_EASE.split()) + _codes("ignore_regex"),
        *_ini("tool:interrogate", "setup.cfg"),
        refine=_underscored,
    ),
    _tool(
        "vulture",
        (*(Row(name, no_wide(), IGNORED) for name in ("ignore_names", "ignore_decorators")), _only("paths")),
    ),
    _tool(
        "codespell",
        _left_out("skip"),
        *_ini("codespell", ".codespellrc", "setup.cfg"),
    ),
    _tool(
        "slotscheck",
        (
            *(Row(name, flag(good=True), IGNORED) for name in ("require-superclass", "strict-imports")),
            *_codes("exclude-modules", "exclude-classes"),
        ),
    ),
    _tool("fixit", _codes("disable")),
    _tool(
        "pydoclint",
        (
            *_left_out("exclude"),
            Row("baseline", absent(), IGNORED),
            *(Row(f"check-{name}", flag(good=True, default=True), IGNORED) for name in ("return-types", "arg-order")),
        ),
    ),
    _tool("mutmut", (_only("paths_to_mutate"), *_left_out("do_not_mutate"))),
    _tool(
        "diff_cover",
        (
            Row("fail_under", floor(), "cfg.coverage.threshold"),
            Row("exclude", no_more_paths(), COVERAGE),
            Row("include", no_fewer_paths(suffixes=PY), COVERAGE),
            Row("compare_branch", no_wide("@|HEAD"), COVERAGE, PARTLY),
        ),
        programs=("diff-cover",),
    ),
    _tool("check-manifest", _left_out("ignore"), *_ini("check-manifest", "setup.cfg", "tox.ini")),
    _tool(
        "complexipy",
        (Row("max-complexity-allowed", ceiling(15, MANIFOLD), LIFTED, RAISED), *_left_out("exclude")),
        Place("complexipy.toml"),
    ),
    _tool(
        "cibuildwheel",
        (
            Row("test-command", kept_runner(), NOT_RUN),
            *(Row(f"{name}.test-command", kept_runner(), NOT_RUN, fallback=_general) for name in PLATFORMS),
            Row("test-skip", no_more_skipped(), EXCLUDED, PARTLY),
            *(Row(f"{name}.test-skip", no_more_skipped(), EXCLUDED, PARTLY) for name in PLATFORMS),
        ),
        refine=_wheels,
    ),
    Tool(
        name="Hatch's tests",
        places=(
            Place("pyproject.toml", ("tool", "hatch", "envs", "hatch-test")),
            Place("hatch.toml", ("envs", "hatch-test")),
        ),
        rows=(Row("retries", at_most_few(0), "cfg.test.retries", "cfg.test.retries-few"),),
        suffixes=PY,
    ),
    Tool(
        name="Read the Docs",
        places=tuple(Place(f"{dot}readthedocs.{end}") for dot in (".", "") for end in ("yaml", "yml")),
        rows=tuple(Row(f"{name}.fail_on_warning", flag(good=True), IGNORED) for name in ("sphinx", "mkdocs")),
        suffixes=(),
    ),
    Tool(
        name="mkdocs",
        places=(Place("mkdocs.yml"), Place("mkdocs.yaml")),
        rows=(
            Row("strict", flag(good=True), IGNORED),
            Row("validation.*", ranked("ignore=info warn", "info"), IGNORED),
            Row("validation.links.not_found", ranked("ignore=info warn", "warn"), IGNORED),
            *(Row(f"validation.{part}.*", ranked("ignore=info warn", "info"), IGNORED) for part in ("nav", "links")),
        ),
        suffixes=(".md",),
    ),
    Tool(
        name="invoke",
        places=tuple(Place(f"invoke.{end}") for end in ("yaml", "yml", "json")),
        rows=(Row("run.warn", flag(good=False), IGNORED), Row("run.dry", flag(good=False), NOT_RUN)),
        suffixes=PY,
    ),
    Tool(
        name="safety",
        places=(Place(".safety-policy.yml"), Place(".safety-policy.yaml")),
        rows=(
            Row("security.continue-on-vulnerability-error", flag(good=False), IGNORED),
            Row("security.ignore-cvss-severity-below", ceiling(0), IGNORED),
        ),
        suffixes=PY,
    ),
)
