"""What a project asks of its data, its models and its speed: dbt, Great Expectations, promptfoo, Artillery, budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, absent, ceiling, flag, floor, no_less, no_more, ranked
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.budgets import no_larger
from ralph.guardrails.config.tools.levels import IGNORED

THRESHOLD, NOT_RUN, EXCLUDED = "cfg.coverage.threshold", "cfg.test.not-run", "cfg.test.excluded"
OF_TESTS = ("severity", "enabled", "error_if", "limit", "where")
KINDS = ("models", "sources", "seeds", "snapshots")
MOST_DEEP = 8
Judge = Callable[[Settings, Settings, Sequence[str]], Iterator[Loss]]
Refine = Callable[[Side, str, dict[Key, Node]], Settings]


def _dbt_project(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What holds for tests, whatever folder they are of: `tests: {shop: {+severity: warn}}`."""
    return {
        (key[-1].removeprefix("+"), "/".join(key[1:-1])): node
        for key, node in settings.items()
        if key[0] in ("tests", "data_tests", "unit_tests") and key[-1].removeprefix("+") in OF_TESTS
    }


def _dbt_models(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """The tests of each model and column by their names, and what each is told."""
    found: dict[Key, Node] = {}
    for kind in KINDS:
        for item in settings[(kind,)].items if (kind,) in settings else ():
            _of_part(found, item, "", 0)
    return found


def _of_part(found: dict[Key, Node], item: Node, above: str, depth: int) -> None:
    name = item.at("name")
    place = f"{above}/{canonical(name) if name is not None else ''}"
    told = [test for key in ("tests", "data_tests") if (said := item.at(key)) is not None for test in said.items]
    if told or name is not None:
        found[("tests", place)] = item.with_value([test.with_value(_test_name(test)) for test in told])
    for test in told:
        inner = test.at(_test_name(test))
        for each in (inner, inner.at("config") if inner is not None else None, test.at("config")):
            for key, value in each.mapping.items() if each is not None else ():
                if key in OF_TESTS:
                    found[(key, f"{place}/{_test_name(test)}")] = value
    enforced = item.at("config", "contract", "enforced")
    if enforced is not None:
        found[("enforced", place)] = enforced
    for key in ("columns", "tables"):
        for part in (item.at(key) or item.with_value([])).items if depth < MOST_DEEP else ():
            _of_part(found, part, place, depth + 1)


def _test_name(test: Node) -> str:
    return next(iter(test.mapping)) if test.mapping else canonical(test)


def _while_there() -> Check:
    """Tests of a model or column that stays."""
    fewer = no_less()

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        if after is not None:
            yield from fewer(before, after, paths)

    return check


DBT_ROWS = (
    Row("severity.*", ranked("warn error", "error"), IGNORED),
    Row("enabled.*", flag(good=True, default=True), NOT_RUN),
    Row("error_if.*", absent(), IGNORED),
    *(Row(f"{name}.*", absent(), "cfg.test.partly") for name in ("where", "limit")),
)


def _expected(node: Node) -> Node:
    """Great Expectations: each by its kind and column; the share of rows that it must hold for."""
    found: dict[str, Node] = {}
    shares: dict[str, Node] = {}
    listed = node.at("expectations")
    for item in listed.items if listed is not None else ():
        kind, column = item.at("expectation_type") or item.at("type"), item.at("kwargs", "column")
        if kind is None:
            continue
        name = f"{canonical(kind)} {canonical(column) if column is not None else ''}"
        found[name] = kind.with_value(name)
        shares[name] = item.at("kwargs", "mostly") or item.with_value(1)
    if not found:
        return node.with_value({})
    return node.with_value({"expected": node.with_value(list(found.values())), "mostly": node.with_value(shares)})


def _evals(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """promptfoo: the tests by their variables, each with what it asserts, and the thresholds."""
    found = {key: node for key, node in settings.items() if key[-1] == "threshold"}
    for test in settings[("tests",)].items if ("tests",) in settings else ():
        variables = test.at("vars") or test.at("description")
        name = canonical(variables) if variables is not None else ""
        said = (test.at("assert") or test.with_value([])).items
        found[("asserts", name)] = test.with_value([each.with_value(_assertion(each)) for each in said])
        found[("tests", name)] = test.with_value(name)
        found |= {("thresholds", f"{name} {_assertion(each)}"): at for each in said if (at := each.at("threshold"))}
    return found


def _fewer_evals(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """Tests that are gone, where there are fewer than before."""
    old, new = ({key: node for key, node in side.items() if key[0] == "tests"} for side in (before, after))
    if len(new) < len(old):
        for key, node in old.items():
            if key not in new:
                yield Loss(rule=EXCLUDED, key=key[1], text="is gone", node=None, old=node)


def _assertion(node: Node) -> str:
    return " ".join(canonical(each) for key in ("type", "value") if (each := node.at(key)) is not None)


def _sizes(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Lighthouse's budgets of a list: each number by its path and what it is about."""
    return dict(_numbers(settings.get(())))


def _numbers(whole: Node | None) -> Iterator[tuple[Key, Node]]:
    for page in whole.items if whole is not None else ():
        path = canonical(page.at("path") or page.with_value(""))
        for kind in ("timings", "resourceSizes", "resourceCounts"):
            for item in (page.at(kind) or page.with_value([])).items:
                about = item.at("metric") or item.at("resourceType")
                if about is not None and (budget := item.at("budget")) is not None:
                    yield ("budgets", f"{path} {kind} {canonical(about)}"), budget


def _ensured(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Artillery: `ensure` by its numbers, its `thresholds` by their metrics."""
    found: dict[Key, Node] = {
        key: node for key, node in settings.items() if key[:2] == ("config", "ensure") and len(key) == 3
    }
    for key in (("config", "ensure", "thresholds"), ("config", "plugins", "ensure", "thresholds")):
        for item in settings[key].items if key in settings else ():
            found |= {("most", name): value for name, value in item.mapping.items()}
    return {("ensure", key[-1]) if key[0] == "config" else key: node for key, node in found.items()}


def _tool(
    name: str,
    places: tuple[Place, ...],
    rows: tuple[Row, ...],
    refine: Refine | None = None,
    judge: Judge | None = None,
) -> Tool:
    return Tool(name=name, places=places, rows=rows, suffixes=(), refine=refine, judge=judge)


MEASURES: tuple[Tool, ...] = (
    _tool("dbt", (Place("dbt_project.yml"),), DBT_ROWS, _dbt_project),
    _tool(
        "dbt's models",
        tuple(Place(name) for name in ("schema.yml", "_*.yml", "*_models.yml", "*__models.yml", "*_sources.yml")),
        (
            Row("tests.*", _while_there(), EXCLUDED),
            Row("enforced.*", flag(good=True), IGNORED),
            *DBT_ROWS,
        ),
        _dbt_models,
    ),
    _tool(
        "great expectations",
        (Place("*_suite.json", shape=_expected),),
        (Row("expected", no_less(), EXCLUDED), Row("mostly.*", floor(1), THRESHOLD)),
    ),
    _tool(
        "promptfoo",
        tuple(Place(f"promptfooconfig.{end}") for end in ("yaml", "yml", "json")),
        (
            Row("asserts.*", _while_there(), EXCLUDED),
            Row("thresholds.*", floor(), THRESHOLD),
            Row("defaultTest.options.threshold", floor(), THRESHOLD),
            Row("defaultTest.threshold", floor(), THRESHOLD),
        ),
        _evals,
        _fewer_evals,
    ),
    _tool(
        "artillery",
        tuple(Place(name) for name in ("artillery.yml", "artillery.yaml", "*.artillery.yml")),
        (
            Row("ensure.maxErrorRate", ceiling(), IGNORED),
            *(Row(f"ensure.{name}", ceiling(None, MANIFOLD), LIFTED, RAISED) for name in ("p50", "p95", "p99", "max")),
            Row("most.*", ceiling(None, MANIFOLD), LIFTED, RAISED),
        ),
        _ensured,
    ),
    _tool(
        "lighthouse's budgets",
        (Place("budget.json"), Place("budgets.json")),
        (Row("budgets.*", no_larger(), LIFTED, RAISED),),
        _sizes,
    ),
    _tool(
        "squawk",
        (Place(".squawk.toml"),),
        (Row("excluded_rules", no_more(), IGNORED), Row("excluded_paths", no_more(), IGNORED)),
    ),
    _tool(
        "django's migrations",
        (
            *(Place(name, ("django_migration_linter",)) for name in ("setup.cfg", "tox.ini")),
            Place("pyproject.toml", ("tool", "django_migration_linter")),
        ),
        (
            *(Row(name, no_more(), IGNORED) for name in ("exclude_migration_tests", "exclude_apps", "ignore_name")),
            Row("ignore_name_contains", no_more(), IGNORED),
            Row("warnings_as_errors", flag(good=True), IGNORED),
        ),
    ),
)
