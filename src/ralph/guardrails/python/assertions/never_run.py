"""Assertions that are still written, and that no test reaches any more (policy set v2, class G05).

Rules, for a file of tests or of their support that a change edits:

- A function with assertions becomes a generator (`yield`), or a coroutine (`async def`), and a test calls it as a
  statement of its own: nothing of it runs.
- What held a list in a test is made as it goes now (`(... for ...)`, `map`, `filter`, `zip`, `iter`, `reversed`), is
  used up first (`sum(1 for _ in rows)`, `list(rows)`), and then gone through for assertions.
- A context manager's `__exit__` that gave nothing gives a value now: where that is true, what fails inside is lost. A
  constant that is false, and a call that may give anything, are none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import Definition, parsed_module, walk
from ralph.system.patterns import later

WORTH = later(rb"\byield\b|\basync def\b|=\s*\(.*\bfor\b|=\s*(?:map|filter|zip|iter|reversed|enumerate)\(|\breturn\b")
LAZY = frozenset(("map", "filter", "zip", "iter", "reversed", "enumerate"))
USES_UP = frozenset(("list", "tuple", "set", "sorted", "sum", "len", "dict", "any", "all", "max", "min", "Counter"))
MOST_TESTS = 200


def never_run(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or not TEST_PLACE.search(file.path):
            continue
        if WORTH.search(file.added_text):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    data = change.blobs.after(file.path) or b""
    old, new = parsed_module(change.blobs.before(file.path) or b""), parsed_module(data)
    if old is None or new is None:
        return
    lines, was = data.decode("utf-8", "replace").split("\n"), _functions(old)
    for name, function in _functions(new).items():
        before_it = was.get(name)
        if before_it is None or ast.dump(before_it) == ast.dump(function):
            continue
        if told := _told(name, before_it, function, file, change):
            yield hit_at("test.weakened", file.path, function.lineno, told, lines[function.lineno - 1].strip())


def _functions(tree: ast.Module) -> dict[str, Definition]:
    """By their names, those of classes with the class's."""
    found: dict[str, Definition] = {}
    for node in tree.body:
        if isinstance(node, Definition):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found.update({f"{node.name}.{each.name}": each for each in node.body if isinstance(each, Definition)})
    return found


def _told(name: str, old: Definition, new: Definition, file: FileChange, change: Change) -> str:
    own = name.rpartition(".")[2]
    if own == "__exit__":
        return (
            f"{name} gives a value now, and what fails inside is lost where that is true"
            if _holds_back(old, new)
            else ""
        )
    if own.startswith("test"):
        used = _used_up(old, new)
        return f"{name}: {used} is used up before it is gone through" if used else ""
    later_on = "a generator" if _is_generator(new) > _is_generator(old) else ""
    later_on = later_on or (
        "a coroutine" if isinstance(new, ast.AsyncFunctionDef) > isinstance(old, ast.AsyncFunctionDef) else ""
    )
    if not later_on or not asserts(old) or any(map(_is_fixture, new.decorator_list)):
        return ""
    return (
        f"{name} is {later_on} now, and nothing of it runs where it is only called"
        if _is_only_called(own, file, change)
        else ""
    )


def _is_generator(function: Definition) -> bool:
    inner = {
        id(part)
        for each in walk(function)
        if isinstance(each, Definition | ast.Lambda) and each is not function
        for part in walk(each)
    }
    return any(isinstance(part, ast.Yield | ast.YieldFrom) and id(part) not in inner for part in walk(function))


def asserts(function: Definition) -> bool:
    """It has an `assert`, or calls a method that is named so."""
    calls = (source_of(each.func) for each in walk(function) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.Assert) for each in walk(function)) or any(".assert" in each for each in calls)


def _is_fixture(decorator: ast.expr) -> bool:
    return any(word in source_of(decorator) for word in ("fixture", "contextmanager", "coroutine"))


def _is_only_called(name: str, file: FileChange, change: Change) -> bool:
    """A test calls it as a statement, and does nothing with what that gives."""
    paths = (path for path in change.blobs.paths_after() if path.endswith(".py") and TEST_PLACE.search(path))
    for path in (file.path, *nearest(paths, change, MOST_TESTS)):
        data = change.blobs.after(path) or b""
        tree = parsed_module(data) if name.encode() in data else None
        for node in walk(tree) if tree is not None else ():
            call = node.value if isinstance(node, ast.Expr) else None
            if isinstance(call, ast.Call) and source_of(call.func).rpartition(".")[2] == name:
                return True
    return False


def _holds_back(old: Definition, new: Definition) -> bool:
    if any(isinstance(each, ast.Return) and each.value is not None for each in walk(old)):
        return False
    given = [each.value for each in walk(new) if isinstance(each, ast.Return) and each.value is not None]
    return any(_may_be_true(each) for each in given)


def _may_be_true(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return bool(constant)
        case (
            ast.Name()
            | ast.Attribute()
            | ast.BinOp()
            | ast.JoinedStr()
            | ast.List(elts=[_, *_])
            | ast.Tuple(elts=[_, *_])
        ):
            return True
        case ast.Dict(keys=[_, *_]):
            return True
    return False


def _used_up(old: Definition, new: Definition) -> str:
    """The name of what is gone through only once, and for nothing."""
    for step, name in _lazy(new.body):
        made = [each.value for each in walk(old) if isinstance(each, ast.Assign) and source_of(each.targets[0]) == name]
        behind = new.body[new.body.index(step) + 1 :]
        if not made or any(_is_lazy(each) for each in made) or _is_given_again(name, behind):
            continue
        loop = next((n for n, each in enumerate(behind) if _goes_through(each, name)), None)
        if loop is not None and any(_uses_up(each, name) for each in behind[:loop]):
            return name
    return ""


def _lazy(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    for step in body:
        if isinstance(step, ast.Assign) and isinstance(step.targets[0], ast.Name) and _is_lazy(step.value):
            yield step, step.targets[0].id


def _is_lazy(value: ast.expr) -> bool:
    called = source_of(value.func) if isinstance(value, ast.Call) else ""
    return isinstance(value, ast.GeneratorExp) or called in LAZY


def _is_given_again(name: str, steps: Sequence[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Assign) and source_of(each.targets[0]) == name for each in steps)


def _goes_through(step: ast.stmt, name: str) -> bool:
    """A loop over it, or a question about all of it, that asserts."""
    if isinstance(step, ast.For):
        return source_of(step.iter) == name and any(
            isinstance(each, ast.Assert) or (isinstance(each, ast.Call) and ".assert" in source_of(each.func))
            for each in walk(step)
        )
    if not isinstance(step, ast.Assert):
        return False
    every = (each for each in walk(step) if isinstance(each, ast.Call) and source_of(each.func) == "all")
    return any(
        isinstance(part, ast.comprehension) and source_of(part.iter) == name for each in every for part in walk(each)
    )


def _uses_up(step: ast.stmt, name: str) -> bool:
    for each in walk(step):
        if isinstance(each, ast.Call) and source_of(each.func).rpartition(".")[2] in USES_UP:
            given = each.args[0] if each.args else None
            if given is not None and any(isinstance(part, ast.Name) and part.id == name for part in walk(given)):
                return True
        if isinstance(each, ast.For | ast.comprehension) and source_of(each.iter) == name:
            return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (never_run,)
