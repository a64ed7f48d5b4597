"""Smaller linters and gates that a project keeps a file of data for: JSHint, gitlint, ERB Lint and HAML-Lint, Packwerk,
dprint, Qodana, Semgrep's rules, GrumPHP, CaptainHook and others (lists of lines: `line_files`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import (
    Worse,
    ceiling,
    flag,
    floor,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
    same,
)
from ralph.guardrails.config.lists import kept
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.budgets import no_larger
from ralph.guardrails.config.tools.node_linters import linter
from ralph.guardrails.config.tools.web import SCRIPTS, modules

IGNORED, PARTLY, NOT_RUN = "cfg.check.failures-ignored", "cfg.test.partly", "cfg.test.not-run"
EXCLUDED, MINOR = "cfg.coverage.exclude", "cfg.coverage.exclude-minor"
STRICT = names(
    "undef unused curly eqeqeq forin freeze futurehostile latedef noarg nonbsp nonew strict varstmt bitwise immed"
)
LOOSE = names("evil loopfunc shadow boss eqnull expr")
"""What JSHint lets code do."""
SEVERITIES = "inventory experiment info=low warning=medium error=high=critical"
GENERATED = r".*(?:build|generated|vendor|dist|node_modules|test|spec|mock).*"


def _left_out(key: str) -> Row:
    return Row(key, no_more_paths(unknown_is_minor=True), IGNORED, MINOR_EXCLUSION)


def _tool(name: str, places: Sequence[str], *rows: Row, root: tuple[str, ...] = ()) -> Tool:
    return Tool(name=name, places=tuple(Place(each, root) for each in places), rows=rows, suffixes=(), adds_only=True)


def _rules_by_name(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Semgrep's rules by their names: how severe each is, and what it leaves out."""
    found: dict[Key, Node] = {}
    for rule in settings[("rules",)].items if ("rules",) in settings else ():
        name = rule.at("id")
        if name is not None:
            found["rules", canonical(name)] = rule.at("severity") or name.with_value("ERROR")
            if (out := rule.at("paths", "exclude")) is not None:
                found["left out", canonical(name)] = out
    return found


def _tasks(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """GrumPHP's tasks by their names, whatever is said of each."""
    found = {key[-len(key) + 1 :] if key[:1] == ("parameters",) else key: node for key, node in settings.items()}
    named = {key[1]: node for key, node in found.items() if len(key) > 1 and key[0] == "tasks"}
    return {**found, **{("run", name): node for name, node in named.items()}}


def _no_action_less(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """Fewer actions of a hook; others in their place are for a person to see where they are judged."""
    old, new = (node.items if node is not None else [] for node in (before, after))
    if len(new) < len(old):
        yield Worse(node=after, text=f"has {len(new)} actions, and had {len(old)}")


GRUMPHP = Tool(
    name="grumphp",
    places=tuple(Place(f"grumphp.{end}", ("grumphp",)) for end in ("yml", "yaml", "yml.dist", "dist.yml")),
    rows=(
        Row("run.*", kept(), NOT_RUN),
        Row("tasks.*.metadata.blocking", flag(good=True, default=True), IGNORED),
        Row("tasks.*.metadata.enabled", flag(good=True, default=True), NOT_RUN),
    ),
    suffixes=(),
    refine=_tasks,
    adds_only=True,
)
SEMGREP = Tool(
    name="semgrep's rules",
    places=tuple(Place(f"{dot}semgrep.{end}") for dot in ("", ".") for end in ("yml", "yaml")),
    rows=(
        Row(
            "rules.*", ranked("inventory experiment info=low warning=medium error=high=critical", "inventory"), IGNORED
        ),
        _left_out("left out.*"),
    ),
    suffixes=(),
    refine=_rules_by_name,
    adds_only=True,
)
HOUSE_RULES: tuple[Tool, ...] = (
    _tool(
        "jshint",
        (".jshintrc",),
        *(Row(name, flag(good=True), IGNORED) for name in STRICT),
        *(Row(name, flag(good=False), IGNORED) for name in LOOSE),
        *(limit(name) for name in ("maxcomplexity", "maxdepth", "maxparams", "maxlen", "maxstatements")),
        limit("maxerr"),
    ),
    _tool(
        "gitlint",
        (".gitlint",),
        Row("general.ignore", no_more(), IGNORED),
        Row("general.contrib", no_less(), IGNORED),
        *(limit(f"{name}.line-length") for name in ("title-max-length", "T1", "body-max-line-length", "B1")),
    ),
    _tool(
        "erb lint",
        (".erb_lint.yml", ".erb-lint.yml"),
        Row("linters.*.enabled", flag(good=True), IGNORED),
        *(_left_out(key) for key in ("exclude", "linters.*.exclude")),
    ),
    _tool(
        "haml lint",
        (".haml-lint.yml", ".slim-lint.yml"),
        Row("linters.*.enabled", flag(good=True, default=True), IGNORED),
        limit("linters.*.max"),
        *(_left_out(key) for key in ("exclude", "linters.*.exclude")),
    ),
    _tool("packwerk", ("packwerk.yml",), Row("exclude", no_more_paths(), IGNORED)),
    _tool(
        "packwerk's packages",
        ("package.yml",),
        *(
            Row(f"enforce_{name}", ranked("false true strict", "false"), IGNORED)
            for name in ("dependencies", "privacy", "visibility", "layers")
        ),
    ),
    _tool("dprint", ("dprint.json", ".dprint.json", "dprint.jsonc"), Row("excludes", no_more_paths(), MINOR_EXCLUSION)),
    _tool(
        "attw",
        (".attw.json",),
        Row("profile", ranked("esm-only=node16 strict", "strict"), IGNORED),
        Row("ignoreRules", no_more(), IGNORED),
    ),
    _tool(
        "selene",
        ("selene.toml",),
        *(Row(f"{at}.*", ranked("allow warn deny", "warn"), IGNORED) for at in ("rules", "lints")),
        _left_out("exclude"),
    ),
    _tool(
        "qodana",
        ("qodana.yaml", "qodana.yml"),
        Row("failThreshold", ceiling(), IGNORED),
        Row("failureConditions.severityThresholds.*", ceiling(), IGNORED),
        Row("failureConditions.testCoverageThresholds.*", floor(), "cfg.coverage.threshold"),
        Row("profile.name", same(), PARTLY),
        Row("exclude", no_more(usual=GENERATED), IGNORED),
    ),
    _tool(
        "dive",
        (".dive-ci",),
        Row("rules.lowestEfficiency", floor(), "cfg.lint.limit-lifted"),
        Row("rules.highestWastedBytes", no_larger(), "cfg.lint.limit-lifted", "cfg.lint.limit-raised"),
        limit("rules.highestUserWastedPercent"),
    ),
    _tool(
        "gcovr",
        ("gcovr.cfg", "gcovr.toml"),
        *(
            Row(f"{at}fail-under-{name}", floor(), "cfg.coverage.threshold")
            for at in ("", "*.")
            for name in ("line", "branch", "function", "decision")
        ),
        *(Row(f"{at}exclude", no_more_paths(), EXCLUDED, MINOR) for at in ("", "*.")),
        *(Row(f"{at}filter", no_fewer_paths(absent_is_all=False), "cfg.coverage.scope") for at in ("", "*.")),
    ),
    _tool(
        "schemathesis",
        ("schemathesis.toml",),
        *(
            Row(f"{part}{at}enabled", flag(good=True, default=True), IGNORED)
            for part in ("checks", "phases")
            for at in (".", ".*.")
        ),
    ),
    _tool("deptrac", ("deptrac.yaml", "deptrac.yml"), Row("deptrac.skip_violations.*", no_more(), IGNORED)),
    _tool(
        "captainhook",
        ("captainhook.json",),
        Row("*.enabled", flag(good=True), NOT_RUN),
        Row("*.actions", _no_action_less, NOT_RUN),
    ),
    Tool(
        name="solidity-coverage",
        places=modules(".solcover"),
        rows=(Row("skipFiles", no_more(usual=GENERATED), EXCLUDED, MINOR),),
        suffixes=(),
        adds_only=True,
        watches=SCRIPTS,
    ),
    linter(
        "npm-package-json-lint",
        (
            *(Place(f".npmpackagejsonlintrc{end}") for end in (".json", ".yml")),
            Place("package.json", ("npmpackagejsonlint",)),
        ),
        (),
        (),
        "off",
    ),
    *(GRUMPHP, SEMGREP),
)
