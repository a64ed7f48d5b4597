"""Tests that no version of Python runs which a project still says that it supports (policy set v2, class G04).

Rule: the head's `requires-python` has a lowest version, and one of the test's marks skips it on each version from there
on. To take such a test away takes nothing away. A lowest version that does not exist yet says nothing.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.model import Change
from ralph.guardrails.python.removed.supported import runs_nowhere
from ralph.guardrails.python.skipped.conditions import VERSIONS
from ralph.guardrails.texts import UnreadableError, decoded
from ralph.system.patterns import later

LOWEST = later(rb"(?m)^\s*(?:requires-python|python_requires)\s*=\s*[\"']?[^\"'\n]*>=\s*3\.(\d+)")
MANIFESTS = ("pyproject.toml", "setup.cfg")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def runs_on_none(test: Test, change: Change) -> bool:
    versions = supported_versions(test.path, change) if test.path.endswith(".py") else ()
    if not versions:
        return False
    try:
        tree = ast.parse(decoded("python", change.blobs.before(test.path) or b""))
    except (SyntaxError, ValueError, RecursionError, UnreadableError):
        return False
    found = list(functions_at(tree, test.parts))
    return len(found) == 1 and runs_nowhere(found[0].decorator_list, found[0].body, versions)


def supported_versions(path: str, change: Change) -> tuple[tuple[int, int], ...]:
    """What the nearest manifest of the head says."""
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        for name in MANIFESTS:
            match = LOWEST.search(change.blobs.after(posixpath.join(folder, name)) or b"")
            if match is not None:
                return tuple((3, minor) for minor in range(int(match[1]), VERSIONS[-1][1] + 1))
    return ()


def functions_at(tree: ast.Module | ast.ClassDef, parts: tuple[str, ...]) -> Iterator[Function]:
    """The functions of this name in the classes of these names."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and len(parts) > 1 and node.name == parts[0]:
            yield from functions_at(node, parts[1:])
        elif isinstance(node, Function) and parts == (node.name,):
            yield node
