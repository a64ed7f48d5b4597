"""What replaces a part of the product for all tests at once (policy set v2, class G06).

An autouse fixture, a hook or a conftest at import that gives a name of the product something else blocks if a test of
the project calls that name: it is what is tested; so does what answers for it what tests want (`wanted`). Other parts
of the product (a mailer, a clock, a setting) are for a person; other people's modules and the standard library are
collaborators. A name of a test module is what the module imported under it. A stopped stopwatch (`time.perf_counter`)
blocks if a test measures a time limit with it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.kinds import calls, written
from ralph.guardrails.python.layout import TEST_FILE
from ralph.guardrails.python.names import positional
from ralph.guardrails.python.runner.module import Module, Part, Place
from ralph.guardrails.python.runner.wanted import answers_what_is_wanted
from ralph.guardrails.python.words import Node
from ralph.record import replace
from ralph.system.patterns import later

FOR_ALL = "py.patched-for-all"
SUBJECT = "py.subject-patched-for-all"
PATCHES = later(r"(?:^|\.)(?:setattr|patch|patch\.object|setitem)$")
PATCHED = "py.runner-patched"
THE_TESTS = later(
    r"(?:vars\(|sys\.modules\[)?(?:request|item|node|func|function)(?:\.\w+)*\.(?:module|__globals__)"
    r"(?:\.__name__\]|\))?(?:\.__dict__)?"
)
"""The names of the module of whatever test is about to run,"""
WHATEVER = "any test."
"""by which they are told apart from those of a module."""
STOPWATCH = later(r"(?:time\.(?:time|perf_counter|monotonic|process_time|thread_time)(?:_ns)?|timeit\.default_timer)")
INNER = later(r"\.__(?:code|func|wrapped)__$")
"""What a function does, given something else in place: that is the function itself."""
LIMITED = later(r"\bassert\b[^\n]*<|\bassertLess(?:Equal)?\(")
OF_TESTS = frozenset(("tests", "test", "testing"))
MOST_TESTS = 400
"""So many files with tests are asked what they are about."""


def fixture_hits(module: Module) -> Iterator[Hit]:
    """Every name that may be the product's, in what runs for all tests; `judged` knows the tree."""
    if module.part not in (Part.CONFTEST, Part.PLUGIN, Part.TEST):
        return
    for call in calls(module.source):
        function = call.child_by_field_name("function")
        if function is not None and PATCHES.search(module.source.text(function)) and _for_all(module, call):
            for path in _patched(module, call):
                yield module.source.hit(FOR_ALL, call, path, detail=path)
    for node in written(module.source):
        if not _is_plain_value(module, node) and _for_all(module, node):
            for path in _assigned(module, node):
                yield module.source.hit(FOR_ALL, node, path, detail=path)


def judged(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, without those that are not about the product, and with those on what is tested as such."""
    paths = change.blobs.paths_after() if any(hit.rule == FOR_ALL for hit in hits) else frozenset()
    for hit in hits:
        if hit.rule != FOR_ALL:
            yield hit
        elif STOPWATCH.fullmatch(hit.detail or ""):
            if _is_measured(hit.detail or "", change, paths):
                yield replace(hit, rule=PATCHED)
        else:
            path = _imported_as(INNER.sub("", hit.detail or ""), change, paths)
            if is_own(path, paths, hit.path):
                tested = _is_tested(path, change, paths) or answers_what_is_wanted(hit, path, change)
                yield replace(hit, rule=SUBJECT) if tested else hit


def _for_all(module: Module, node: Node) -> bool:
    place = module.place(node)
    if place is Place.FIXTURE:
        function = module.function_of(node)
        while function is not None and "fixture" not in module.decorators(function):
            function = module.function_of(function)
        return function is not None and re.search(r"autouse\s*=\s*(?!False)", module.decorators(function)) is not None
    return module.part is not Part.TEST and place in (Place.IMPORT, Place.HOOK)


def _patched(module: Module, call: Node) -> Iterator[str]:
    arguments = positional(call)
    first = module.names.constant(arguments[0]) if arguments else None
    if isinstance(first, str):
        yield from [first] * ("." in first)
        return
    name = module.names.constant(arguments[1]) if len(arguments) > 1 else None
    if isinstance(name, str):
        if THE_TESTS.fullmatch(module.source.text(arguments[0])):
            yield WHATEVER + name
        for owner in sorted(module.names.paths(arguments[0])):
            yield name if owner == "sys.modules" else f"{owner}.{name}"


def _assigned(module: Module, node: Node) -> Iterator[str]:
    owner = node.child_by_field_name("object") or node.child_by_field_name("value")
    name = node.child_by_field_name("attribute") or node.child_by_field_name("subscript")
    if owner is not None and name is not None and THE_TESTS.fullmatch(module.source.text(owner)):
        yield WHATEVER + module.source.text(name).strip("\"'")
    yield from (path for path in sorted(module.names.paths(node)) if not path.startswith(("self.", "cls.", "request.")))


def _is_plain_value(module: Module, target: Node) -> bool:
    """A setting: a number, a text or a truth value stands for no function."""
    value = target.parent.child_by_field_name("right") if target.parent is not None else None
    return value is not None and (value.type in ("true", "false", "none") or module.names.constant(value) is not None)


def is_own(path: str, paths: frozenset[str], place: str = "") -> bool:
    """True if the first part of a dotted name is a module or a package of the tree, and no test.

    `place`: a file that imports it; a project may lie in a folder of the repository, above that file.
    """
    first = path.partition(".")[0]
    if not first or first in ("conftest", "tests", "test") or first.startswith("test_"):
        return False
    above = [str(each) for each in PurePosixPath(place).parents if each.name not in OF_TESTS]
    places = [posixpath.join(*folder, first) for root in above or [""] for folder in _sources(root)]
    if any(f"{place}.py" in paths or f"{place}/__init__.py" in paths for place in places):
        return True
    folders = tuple(f"{place}/" for place in places)
    return any(each.startswith(folders) and each.endswith(".py") for each in paths)


def _sources(root: str) -> Iterator[tuple[str, ...]]:
    """Where a project in this folder may keep its packages."""
    here = () if root in ("", ".") else (root,)
    yield from (here, *((*here, name) for name in ("src", "lib", "python")))


def _imported_as(path: str, change: Change, paths: frozenset[str]) -> str:
    """What a test module imported under a name of its own: `test_rates.quote` is `freight.rates.quote`."""
    *owners, name = path.split(".")
    module = owners[-1] if owners else ""
    whatever = path.startswith(WHATEVER)
    if not whatever and not module.startswith("test_") and not module.endswith("_test"):
        return path
    imported = re.compile(
        rf"^from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\([^)]*|[^#\n]*)(?<!as )\b{re.escape(name)}\b", re.MULTILINE
    )
    for each in sorted(paths):
        if each.endswith(".py" if whatever else f"{module}.py") and TEST_FILE.search(each):
            found = imported.search((change.blobs.after(each) or b"").decode("utf-8", "replace"))
            if found is not None:
                return f"{found[1]}.{name}"
    return path


def _is_measured(path: str, change: Change, paths: frozenset[str]) -> bool:
    """A test takes the time twice and says what is too long."""
    name = re.escape(path.rpartition(".")[2])
    clock = re.compile(rf"=\s*[\w.]*\b{name}\(\).*\b{name}\(\)\s*-\s*\w+", re.DOTALL)
    tests = nearest(filter(TEST_FILE.search, paths), change, MOST_TESTS)
    texts = ((change.blobs.after(each) or b"").decode("utf-8", "replace") for each in tests)
    return any(LIMITED.search(text) is not None and clock.search(text) is not None for text in texts)


def _is_tested(path: str, change: Change, paths: frozenset[str]) -> bool:
    """True if a test calls the name, imported or as a member of what it is a part of, or imports it: it is a module."""
    *owners, name = path.split(".")
    owner = owners[-1] if owners else name
    if owners:
        called = re.compile(
            rf"^\s*from\s+[\w.]*\b{re.escape(owner)}\b[\w.]*\s+import\b[^#]*\b{re.escape(name)}\b.*^.*\b{re.escape(name)}\s*\("
            rf"|\b{re.escape(owner)}\.{re.escape(name)}\s*\(|^\s*(?:from|import)\s+{re.escape(path)}\b",
            re.MULTILINE | re.DOTALL,
        )
        if owner[:1].isupper():  # a method: something of its class is asked
            made, method = rf"(?:\w+\.)*{re.escape(owner)}\(", rf"\.{re.escape(name)}\s*\("
            asked = (
                rf"\b{re.escape(owner)}\b.*^[^\n#]*\bassert\w*\b[^\n]*{method}",
                rf"\b(?P<object>\w+)\s*=\s*{made}.*\b(?P=object){method}",
                rf"\bdef\s+(?P<given>\w+)\([^\n]*\n(?:[^\n]*\n){{0,5}}?\s*(?:return|yield)\s+{made}.*\b(?P=given){method}",
            )
            called = re.compile("|".join((called.pattern, *asked)), re.MULTILINE | re.DOTALL)
    else:
        called = re.compile(rf"^\s*(?:from|import)\s+{re.escape(name)}\b", re.MULTILINE)
    tests = nearest(filter(TEST_FILE.search, paths), change, MOST_TESTS)
    texts = ((change.blobs.after(each) or b"").decode("utf-8", "replace") for each in tests)
    return any(name in text and called.search(text) is not None for text in texts)
