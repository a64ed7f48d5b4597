"""Package scripts stand in the tree under judgement: they must not turn a command of the context into another one.

Rules (design decisions 1, 5): the base says what a command runs. Where `npm run typecheck` starts tsc in the base, it
starts tsc in the tree too, or nothing was verified; tests may move to another runner that Ralph can ask. How the tool
is called is for the guardrails to compare.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from ralph.engine.case import Case
from ralph.steps.invocation import PACKAGE_FILE, Found, find, runs_script
from ralph.steps.tools.recipe import Kind
from ralph.system.scratch import scratch

KINDS: dict[str, Kind] = {"lint": "diagnostics", "typecheck": "diagnostics", "tests": "tests", "coverage": "tests"}


def replaced_commands(case: Case) -> dict[str, str]:
    """Steps whose command no longer runs the tool that it runs in the base, and what to say of them."""
    commands = {name: line for name, line in case.commands.items() if name in KINDS and line and runs_script(line)}
    if not commands:
        return {}
    with scratch("scripts") as base:
        for path in case.repo.paths(case.base_tree):
            if PurePosixPath(path).name == PACKAGE_FILE:
                (base / path).parent.mkdir(parents=True, exist_ok=True)
                (base / path).write_bytes(case.repo.read(case.base_tree, path) or b"")
        lost = {name: _lost(line, KINDS[name], base, case.repo.root) for name, line in commands.items()}
    return {
        name: f"its script in {PACKAGE_FILE} runs {tool} in the base, and no longer does; a person changes what is run"
        for name, tool in lost.items()
        if tool
    }


def _lost(line: str, kind: Kind, base: Path, root: Path) -> str | None:
    """A tool that the line starts in the base and not here. An obstacle is no loss: the step says it better."""
    now = find(line, kind, root)
    before, after = _tools(find(line, kind, base)), _tools(now)
    if now.obstacle or (kind == "tests" and after):
        return None
    return next(iter(sorted(before - after)), None)


def _tools(found: Found) -> set[str]:
    return {each.recipe.tool for each in found.invocations}
