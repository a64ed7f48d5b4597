"""Which sessions of a noxfile run when nobody names one.

Rule: a session with `default=False`, or one that `nox.options.sessions` does not hold, is left out, unless a file of a
CI system names sessions itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.side import Side
from ralph.guardrails.python.trees import parsed_module
from ralph.system.patterns import later

LEFT_OUT = "nox leaves the session out unless it is named"
WORTH = later(r"default\s*=\s*False|options\.(?:sessions|keywords)")
NAMES_ONE = later(r"\bnox\b[^\n]*\s(?:-s|-e|-k|-t|--sessions?|--keywords|--tags)\b|wntrblm/nox|excitedleigh")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def left_out(text: str, side: Side) -> frozenset[int]:
    """The lines of these sessions; none where the file cannot be read: then nothing in it is known."""
    if not WORTH.search(text):
        return frozenset()
    module = parsed_module(text)
    if module is None:
        return frozenset()
    lines = {line for start, end in _sessions(module) for line in range(start, end + 1)}
    named = lines and any(NAMES_ONE.search(side.text(path) or "") for path in side.paths if is_ci_file(path))
    return frozenset() if named else frozenset(lines)


def _sessions(module: ast.Module) -> Iterator[tuple[int, int]]:
    listed = _listed(module)
    for each in module.body:
        if not isinstance(each, Function):
            continue
        marks = [mark for mark in each.decorator_list if "session" in ast.unparse(mark)]
        given = {key.arg: key.value for mark in marks if isinstance(mark, ast.Call) for key in mark.keywords}
        off = isinstance(default := given.get("default"), ast.Constant) and default.value is False
        name = value.value if isinstance(value := given.get("name"), ast.Constant) else each.name
        if marks and (off if listed is None else not _holds(listed, str(name))):
            yield each.lineno, each.end_lineno or each.lineno


def _listed(module: ast.Module) -> list[str] | None:
    """The literal value of `nox.options.sessions`; None without one."""
    for each in module.body:
        match each:
            case ast.Assign(
                targets=[ast.Attribute(attr="sessions") as target], value=ast.List() | ast.Tuple() as value
            ):
                if "options" in ast.unparse(target) and all(isinstance(item, ast.Constant) for item in value.elts):
                    return [str(item.value) for item in value.elts if isinstance(item, ast.Constant)]
    return None


def _holds(listed: list[str], name: str) -> bool:
    """A parametrized session is named with its parameters: `tests-3.12`, `tests(sql)`."""
    return any(each == name or re.match(re.escape(name) + r"[-(]", each) for each in listed)
