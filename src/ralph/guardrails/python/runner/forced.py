"""Fixtures that are forced on tests which did not ask for them (policy set v2, classes G02, G06 and G08).

Rules, for a fixture that a setting (`usefixtures`, also as `-o usefixtures=x`) newly names, and for one of the base
that is now `autouse`:

- A hook may do the same: `addinivalue_line("usefixtures", ...)`, a mark for each test, a name among its fixtures.
- What it does, and what the fixtures and functions do that it uses, is done to every test: if it skips, expects a
  failure or ends the process, the line that forces it has that finding, as the code itself would if it were new.
- One that a setting names, and that puts something in the place of what is tested, does so for all tests.
- A fixture that only sets something up takes nothing away, and neither does one without tests to force it on.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.layout import TEST_FILE
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.runner.exits import exit_hits
from ralph.guardrails.python.runner.fixtures import fixture_hits, judged
from ralph.guardrails.python.runner.module import PLUGIN_NAME, Module
from ralph.guardrails.python.runner.plugins import CONFIGURATION
from ralph.guardrails.python.skipped.detect import skips
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.guardrails.source import Source
from ralph.record import record, replace
from ralph.system.patterns import later

SETTING = later(rb"\busefixtures[\"']?[ \t]*=[ \t]*(?P<names>\[[^\]]*\]|[^\n]*(?:\n[ \t][^\n=]*(?=\n|\Z))*)")
GIVEN = later(rb"(?:-o|--override-ini)[ =\"',]*usefixtures=[\"']?(?P<names>\w+)")
HANDED_OUT = later(
    rb"(?:add_?marker\(.*\busefixtures|addinivalue_line\(\s*[\"']usefixtures[\"']\s*,|\bfixturenames\.(?:append|insert))"
    rb"[^\"']*(?P<names>[\"'].*)"
)
"""By a hook, to tests that are collected."""
NAME = later(rb"[A-Za-z_]\w*")
HOLDS_FIXTURES = later(r"(?:^|/)conftest\.py$|(?:^|/)fixtures?(?:/\w+)*\.py$")
AUTOUSE = later(r"\bautouse\s*=\s*(?!False\b)")
MOST_FILES = 200
MOST_DEEP = 4
"""So many fixtures and functions in a row are followed."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@record
class Place:
    """A fixture, or a function that one calls, where it is defined."""

    path: str
    function: Function
    data: bytes


def forced(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "D":
            continue
        for name, line in _named(file, change):
            yield from _hits(file, line, done_by(name, change), change)
            yield from _hits(file, line, _put_in_place(name, change), change)
        for name, line in _switched_on(file, change):
            yield from _hits(file, line, done_by(name, change), change)


def done_by(name: str, change: Change) -> list[Hit]:
    """The hits for which a fixture of the head takes out whatever test uses it."""
    found: list[Hit] = []
    seen = {name}
    waiting = [(place, MOST_DEEP) for place in _defined(name, change)]
    while waiting:
        place, depth = waiting.pop()
        found += _in_function(place)
        for used in sorted(_used(place.function) - seen) if depth else ():
            seen.add(used)
            waiting += [(each, depth - 1) for each in _defined(used, change) if _reaches(each, place)]
    return found


def _named(file: FileChange, change: Change) -> Iterator[tuple[str, int]]:
    """The fixtures that a setting names and did not name before, each with the line that does."""
    if posixpath.basename(file.path) in CONFIGURATION:
        after = change.blobs.after(file.path) or b""
        if b"usefixtures" in after:
            beside = (posixpath.join(posixpath.dirname(file.path), name) for name in CONFIGURATION)
            known = {name for path in beside for name, _ in _listed(change.blobs.before(path) or b"")}
            yield from ((name, line) for name, line in _listed(after) if name not in known)
        return
    script = file.path.endswith(".py")
    if b"usefixtures" not in file.added_text and not (script and b"fixturenames" in file.added_text):
        return
    if script and not (HOLDS_FIXTURES.search(file.path) or PLUGIN_NAME.search(file.path)):
        return
    form = HANDED_OUT if script else GIVEN
    for number, line in file.added():
        for match in form.finditer(line):
            yield from ((name.decode(), number) for name in NAME.findall(match["names"]))


def _listed(data: bytes) -> Iterator[tuple[str, int]]:
    for form in (SETTING, GIVEN):
        for match in form.finditer(data):
            for name in NAME.finditer(data, match.start("names"), match.end("names")):
                yield name[0].decode(), data.count(b"\n", 0, name.start()) + 1


def _switched_on(file: FileChange, change: Change) -> Iterator[tuple[str, int]]:
    """The fixtures of the base that every test below them now uses."""
    if not file.path.endswith(".py") or b"autouse" not in file.added_text:
        return
    old = {each.name: _decorators(each) for each in _functions(change.blobs.before(file.path))}
    below = _used_below(file, change)
    if not old and not below:
        return
    for function in _functions(change.blobs.after(file.path)):
        was = old.get(function.name, below.get(function.name, ""))
        wider = function.name in below and function.name not in old
        if "fixture" in was and (wider or not AUTOUSE.search(was)) and AUTOUSE.search(_decorators(function)):
            yield function.name, function.decorator_list[0].lineno


def _used_below(file: FileChange, change: Change) -> dict[str, str]:
    """The fixtures of the base's conftest files in folders below that of a conftest, as far as the change is about
    them: here they are used by more tests."""
    folder, name = posixpath.split(file.path)
    inner = f"{folder}/" if folder else ""
    moved = (
        other.path
        for other in change.files
        if name == "conftest.py" and other.path.startswith(inner) and other.path.endswith(f"/{name}") and other != file
    )
    return {each.name: _decorators(each) for path in moved for each in _functions(change.blobs.before(path))}


def _functions(data: bytes | None) -> list[Function]:
    tree = parsed_module(data or b"")
    return [node for node in walk(tree) if isinstance(node, Function)] if tree is not None else []


def _decorators(function: Function) -> str:
    return " ".join(ast.unparse(each) for each in function.decorator_list)


def _defined(name: str, change: Change) -> Iterator[Place]:
    paths = (path for path in change.blobs.paths_after() if HOLDS_FIXTURES.search(path) or PLUGIN_NAME.search(path))
    touched = (file.path for file in change.files if file.status == "M" and TEST_FILE.search(file.path))
    for path in nearest({*paths, *touched}, change, MOST_FILES):
        data = change.blobs.after(path) or b""
        if name.encode() not in data:
            continue
        for function in _functions(data):
            given = re.search(r"fixture\(.*\bname=[\"'](\w+)[\"']", _decorators(function))
            if (given[1] if given else function.name) == name:
                yield Place(path, function, data)


def _used(function: Function) -> frozenset[str]:
    """What a fixture asks for, and what is called in it by a plain name."""
    arguments = (*function.args.args, *function.args.kwonlyargs)
    called = (node.func for node in walk(function) if isinstance(node, ast.Call))
    return frozenset((*(each.arg for each in arguments), *(each.id for each in called if isinstance(each, ast.Name))))


def _reaches(used: Place, place: Place) -> bool:
    """A fixture of any file, or a function of the same one."""
    return used.path == place.path or "fixture" in _decorators(used.function)


def _in_function(place: Place) -> Iterator[Hit]:
    source = Source(place.path, "python", place.data)
    first, last = place.function.lineno, place.function.end_lineno or place.function.lineno
    seen: set[tuple[str, int]] = set()
    for hit in (*skips(Names(source)), *exit_hits(Module(source))):
        if first <= hit.line <= last and (hit.rule, hit.line) not in seen:
            seen.add((hit.rule, hit.line))
            yield hit


def _put_in_place(name: str, change: Change) -> list[Hit]:
    """What stands in the place of the product for all tests, if every one of them uses the fixture."""
    found: list[Hit] = []
    for place in _defined(name, change):
        decorators = place.function.decorator_list
        if not decorators or "fixture" not in _decorators(place.function):
            continue
        # As it would be judged if the file itself said so.
        lines = place.data.split(b"\n")
        row, end = decorators[0].lineno - 1, decorators[0].end_lineno or decorators[0].lineno
        said = lines[row][: decorators[0].col_offset] + b"pytest.fixture(autouse=True)"
        lines[row:end] = [said, *[b""] * (end - row - 1)]
        module = Module(Source(place.path, "python", b"\n".join(lines)))
        first, last = place.function.lineno, place.function.end_lineno or place.function.lineno
        found += [hit for hit in fixture_hits(module) if first <= hit.line <= last]
    return list(judged(found, change))


def _hits(file: FileChange, line: int, found: list[Hit], change: Change) -> Iterator[Hit]:
    if not found or not any(TEST_FILE.search(path) for path in change.blobs.paths_before()):
        return
    rows = (change.blobs.after(file.path) or b"").split(b"\n")
    shown = rows[line - 1].decode("utf-8", "replace").strip()
    for hit in found:
        detail = f"forces on every test what {hit.path} does in line {hit.line}"
        key = f"forces {hit.key}"
        yield replace(hit, path=file.path, line=line, column=1, key=key, snippet=shown, detail=detail)
