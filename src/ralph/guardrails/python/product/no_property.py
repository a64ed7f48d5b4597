"""Members of the product that tests read, and that became methods, or the other way round (policy set v2, class G05).

Rule: the product takes `@property` away, and a test that stays asks only whether the member is true
(`assert book.is_balanced`): a method always is. It blocks where the decorator stood.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import Definition, parsed_module, walk
from ralph.system.patterns import later

GONE = later(rb"^\s*@(?:functools\.)?(?:cached_)?property\b")
MOST_TESTS = 300


def no_property(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or TEST_PLACE.search(file.path):
            continue
        if not any(GONE.match(line) for line in file.removed()):
            continue
        before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
        was, now = parsed_module(before), parsed_module(after)
        if was is None or now is None:
            continue
        methods = _members(now, as_property=False)
        for name in sorted(_members(was, as_property=True).keys() & methods.keys()):
            if test := _asked_for_truth(name, change):
                number = methods[name]
                line = after.decode("utf-8", "replace").split("\n")[number - 1].strip()
                detail = f"{name} is a method now, which is always true, and {test} asks for no more"
                yield hit_at("test.weakened", file.path, number, detail, line)


def _members(tree: ast.Module, *, as_property: bool) -> dict[str, int]:
    """Methods with one parameter, and their lines, by their class's name and their own."""
    found: dict[str, int] = {}
    for owner in (each for each in walk(tree) if isinstance(each, ast.ClassDef)):
        for each in owner.body:
            if isinstance(each, Definition) and len(each.args.args) == 1:
                is_property = any(source_of(one).endswith("property") for one in each.decorator_list)
                if is_property is as_property:
                    found[each.name] = each.lineno
    return found


def _asked_for_truth(name: str, change: Change) -> str:
    """A test file of the head that has it as a question, uncalled, and called nowhere."""
    asks = re.compile(
        rf"(?m)^\s*assert\s+(?:not\s+)?[\w.\[\]()\"']+\.{name}\s*(?:$|,|#|and\b|or\b)|\.assert(?:True|False)\([\w.]+\.{name}\s*[,)]".encode()
    )
    paths = (path for path in change.blobs.paths_after() if path.endswith(".py") and TEST_PLACE.search(path))
    for path in nearest(paths, change, MOST_TESTS):
        if asks.search(change.blobs.after(path) or b""):
            return path
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (no_property,)
