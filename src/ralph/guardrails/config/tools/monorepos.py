"""What tools for many packages say of tests and linters: Nx, Angular, Turborepo; what release-it runs first.

A target is known by its name, wherever it stands: `targets` of a project, `targetDefaults` of the whole, `architect`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.config.filters import filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import Check, Worse, absent, ceiling, flag, no_fewer_paths, no_less
from ralph.guardrails.config.lists import since_another
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.hashed import HASHED, listed, of_nx, of_task
from ralph.guardrails.config.tools.hashed import ROWS as HASHED_ROWS
from ralph.system.patterns import later

IGNORED, FILTERED, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.filtered", "cfg.test.excluded"
HOLDS_TARGETS = frozenset(("targets", "targetDefaults", "architect"))
OPTIONS = frozenset(("options", "configurations"))
IDLE = later(r"nx:noop|@nrwl/\S+:noop|true|:|exit(?:\s+0)?|(?:echo|printf)\b[^&|;]*")


def _targets(side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Options of targets by option, project and target."""
    found: dict[Key, Node] = {}
    checks: list[Node] = []
    idle: dict[str, Node] = {}
    for key, node in settings.items():
        held = next((index for index, name in enumerate(key) if name in HOLDS_TARGETS), None)
        if held is not None and len(key) > held + 3 and key[held + 2] in OPTIONS:
            found[key[-1], "/".join(key[:-1])] = node
            if key[-1] in ("command", "commands") and all(map(_is_idle, node.items)):
                idle["/".join(key[: held + 2])] = node
        elif held is not None and key[-1] in ("executor", "builder", "command") and is_named(key[-2]):
            checks.append(node.with_value("/".join(key[:-1])))
            if _is_idle(node):
                idle["/".join(key[:-1])] = node
        elif held is not None and key[-1] == "dependsOn":
            found["needs", "/".join(key[:-1])] = node
        elif key in (("defaultBase",), ("affected", "defaultBase")):
            found["since", "base"] = node
    checks = [node for node in checks if canonical(node) not in idle]
    found |= of_nx(side, settings)
    found |= {("idle", name): node for name, node in idle.items() if is_named(name.rpartition("/")[2])}
    return found | ({("checks",): checks[0].with_value(checks)} if checks else {})


def _is_idle(node: Node) -> bool:
    """What is run does nothing, whatever the target is called."""
    said = node.at("command") or node
    return IDLE.fullmatch(canonical(said).strip()) is not None


def _tasks(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What each task of Turborepo waits for, and what it hangs on."""
    found: dict[Key, Node] = {}
    for key, node in settings.items():
        if len(key) == 3 and key[0] in ("tasks", "pipeline") and key[2] == "dependsOn":
            found["needs", key[1]] = node
        elif len(key) == 3 and key[0] in ("tasks", "pipeline") and key[2] == "inputs" and node.items:
            found |= of_task(key[1], listed(node))
    return found


def _no_check_less() -> Check:
    """Of a list of tasks or commands those that check stay."""
    fewer = no_less()

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        for worse in fewer(before, after, paths) if after is not None else ():
            if any(is_named(word.strip("^")) for word in worse.text.removeprefix("loses ").split()):
                yield worse

    return check


MONOREPOS: tuple[Tool, ...] = (
    *HASHED,
    Tool(
        name="targets",
        places=tuple(Place(name) for name in ("nx.json", "project.json", "angular.json", "workspace.json")),
        rows=(
            Row("checks", no_less(), "check.removed-here"),
            Row("idle.*", absent(), "cfg.test.not-run"),
            Row("needs.*", _no_check_less(), "check.removed-here"),
            Row("since.base", since_another(), FILTERED, "cfg.test.partly"),
            Row("passWithNoTests.*", flag(good=False), "cfg.test.none-accepted"),
            *(Row(f"{name}.*", filtered(), FILTERED) for name in ("testNamePattern", "testFile", "grep", "spec")),
            *(Row(f"{name}.*", flag(good=False), IGNORED) for name in ("quiet", "force")),
            Row("maxWarnings.*", ceiling(), "cfg.eslint.warnings-allowed"),
            Row("lintFilePatterns.*", no_fewer_paths(absent_is_all=False), "cfg.eslint.ignores"),
            Row("include.*", no_fewer_tests(("**/*.spec.ts", "**/*.test.ts")), "cfg.test.collection"),
            Row("exclude.*", no_more_tests(), EXCLUDED),
            Row("codeCoverage.*", flag(good=True), "cfg.coverage.off"),
            *HASHED_ROWS,
        ),
        suffixes=(),
        refine=_targets,
        everywhere=True,
    ),
    Tool(
        name="turbo",
        places=(Place("turbo.json"), Place("turbo.jsonc")),
        rows=(Row("needs.*", _no_check_less(), "check.removed-here"), *HASHED_ROWS),
        suffixes=(),
        refine=_tasks,
    ),
    Tool(
        name="release-it",
        places=(
            *(Place(f".release-it.{end}") for end in ("json", "yaml", "yml", "toml")),
            Place("package.json", ("release-it",)),
        ),
        rows=(Row("hooks.*", _no_check_less(), "cfg.test.not-run"),),
        suffixes=(),
    ),
)
