"""Checks of a base class that its tests no longer run, as they have a hook of their own (policy set v2, class G05).

Rule: a class of tests gets a `tearDown` (or another hook around its tests) that it had not, which does not call what it
overrides, and the one of a base that the project defines asserts. It blocks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE, after, before
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.assertions.never_run import asserts
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.removed.inherited import DEEPEST, Modules
from ralph.guardrails.python.trees import Definition, walk
from ralph.system.patterns import later

HOOKS = (
    "setUp tearDown setUpClass tearDownClass asyncSetUp asyncTearDown setup_method teardown_method setup_class"
    " teardown_class doCleanups run debug"
)
NAMES = frozenset(HOOKS.split())
WORTH = later(rf"\bdef\s+(?:{HOOKS.replace(' ', '|')})\b".encode())


def overridden_hooks(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if file.status == "M" and file.path.endswith(".py")]
    asked = [file for file in files if TEST_PLACE.search(file.path) and WORTH.search(file.added_text)]
    if not asked:
        return
    old, new = Modules(before(change)), Modules(after(change))
    for file in asked:
        yield from _in_file(file, change, old, new)


def _in_file(file: FileChange, change: Change, old: Modules, new: Modules) -> Iterator[Hit]:
    was = old.classes(file.path)
    for name, owner in new.classes(file.path).items():
        had = {each.name for each in was[name].body if isinstance(each, Definition)} if name in was else set()
        for hook in owner.body:
            if not isinstance(hook, Definition) or hook.name not in NAMES - had or name not in was:
                continue
            base = _asserting(hook.name, (file.path, owner), new)
            if base and not any(
                "super()" in source_of(each) or f".{hook.name}" in source_of(each) for each in hook.body
            ):
                lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
                detail = f"{name}.{hook.name} stands in the place of the one of {base}, which asserts"
                yield hit_at("test.weakened", file.path, hook.lineno, detail, lines[hook.lineno - 1].strip())


def _asserting(hook: str, place: tuple[str, ast.ClassDef], modules: Modules, depth: int = DEEPEST) -> str:
    """The nearest base that has the hook, if that one asserts."""
    for each in place[1].bases if depth else ():
        base = modules.base(place[0], source_of(each))
        if base is None or base[1] is place[1]:
            continue
        own = next((part for part in base[1].body if isinstance(part, Definition) and part.name == hook), None)
        if own is not None:
            return base[1].name if _asserts(own) else ""
        if found := _asserting(hook, base, modules, depth - 1):
            return found
    return ""


def _asserts(function: Definition) -> bool:
    fails = (isinstance(each, ast.Call) and source_of(each.func) == "self.fail" for each in walk(function))
    return asserts(function) or any(fails)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (overridden_hooks,)
