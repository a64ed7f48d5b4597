"""How a Node project is measured: its own scripts where it has them, else its tools run directly."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ralph.context.proposal import Proposal

LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
}
RUNNERS = {"npm": "npx --no-install", "pnpm": "pnpm exec", "yarn": "yarn run", "bun": "bunx"}
COVERAGE_REPORT = "coverage/lcov.info"
SCRIPTS = {
    "lint": ("lint",),
    "typecheck": ("typecheck", "type-check", "check-types", "tsc", "types"),
    "test": ("test:ci", "test:unit", "test"),
}

Read = Callable[[str], bytes | None]


def propose(paths: frozenset[str], read: Read) -> Proposal:
    package = _package(read)
    manager = next((name for lock, name in LOCKS.items() if lock in paths), "npm")
    scripts, wanted = _mapping(package, "scripts"), _wanted(package)
    framework = _framework(scripts, wanted)
    direct = _direct(paths, wanted, framework, RUNNERS[manager])
    commands: dict[str, str] = {}
    for key, names in SCRIPTS.items():
        script = next((name for name in names if scripts.get(name) and "no test specified" not in scripts[name]), None)
        if script:
            commands[key] = f"{manager} test" if script == "test" else f"{manager} run {script}"
        elif key in direct:
            commands[key] = direct[key]
    if "coverage" in direct:
        commands["coverage"] = direct["coverage"]
    tools = {"package_manager": manager}
    tools |= {"lint_tool": "eslint"} if "eslint" in wanted and "lint" in commands else {}
    tools |= {"test_framework": framework} if framework else {}
    tools |= {"typecheck_tool": "tsc"} if "typescript" in wanted and "typecheck" in commands else {}
    name = package.get("name")
    return Proposal(
        language="typescript" if "tsconfig.json" in paths or "typescript" in wanted else "javascript",
        name=name if isinstance(name, str) else None,
        commands=commands,
        tools=tools,
        source=tuple(f"{folder}/" for folder in ("src", "lib") if _holds(paths, folder)),
        tests=tuple(f"{folder}/" for folder in ("tests", "test", "__tests__") if _holds(paths, folder)),
        coverage_report=COVERAGE_REPORT if "coverage" in commands else None,
        missing=_missing(commands),
    )


def _framework(scripts: Mapping[str, str], wanted: frozenset[str]) -> str | None:
    """The runner that the project's own script starts, else one that it depends on."""
    started = next((scripts[name].split() for name in SCRIPTS["test"] if scripts.get(name)), [])
    candidates = [tool for tool in ("vitest", "jest") if tool in wanted]
    return next((tool for tool in candidates if tool in started), next(iter(candidates), None))


def _direct(paths: frozenset[str], wanted: frozenset[str], framework: str | None, runner: str) -> dict[str, str]:
    """Commands for the tools the project has, for what it has no script."""
    found = {}
    if "eslint" in wanted:
        found["lint"] = f"{runner} eslint ."
    if "typescript" in wanted and "tsconfig.json" in paths:
        found["typecheck"] = f"{runner} tsc --noEmit"
    if framework == "vitest":
        found["test"] = f"{runner} vitest run"
        if wanted & {"@vitest/coverage-v8", "@vitest/coverage-istanbul"}:
            found["coverage"] = f"{runner} vitest run --coverage.enabled --coverage.reporter=lcovonly"
    if framework == "jest":
        found["test"] = f"{runner} jest"
        found["coverage"] = f"{runner} jest --coverage --coverageReporters=lcovonly"
    return found


def _missing(commands: Mapping[str, str]) -> dict[str, str]:
    why = {
        "lint": ("lint", "there is no script `lint` and no eslint"),
        "typecheck": ("typecheck", "there is no script `typecheck` and no TypeScript with a tsconfig.json"),
        "tests": ("test", "there is no script `test` and neither vitest nor jest"),
        "coverage": ("coverage", "neither vitest with a coverage provider nor jest was found"),
    }
    return {step: reason for step, (key, reason) in why.items() if key not in commands}


def _package(read: Read) -> Mapping[str, Any]:
    try:
        loaded = json.loads(read("package.json") or b"{}")
    except ValueError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _mapping(package: Mapping[str, Any], key: str) -> dict[str, str]:
    value = package.get(key)
    return {name: item for name, item in value.items() if isinstance(item, str)} if isinstance(value, dict) else {}


def _wanted(package: Mapping[str, Any]) -> frozenset[str]:
    return frozenset({**_mapping(package, "dependencies"), **_mapping(package, "devDependencies")})


def _holds(paths: frozenset[str], folder: str) -> bool:
    return any(path.startswith(f"{folder}/") for path in paths)
