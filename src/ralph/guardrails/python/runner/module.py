"""A Python file as the test runner sees it: what part it plays, and when a piece of its code runs.

A part is the file's name, or what it defines: a module with a hook is a plugin wherever it lies, unless it holds tests
or stands among them. The `__init__.py` of a package of tests is loaded before them, as a conftest is.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.python.bindings import scope_of
from ralph.guardrails.python.layout import TEST_FILE
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.runner.finding import Hook, decorated_by, decorators_of, hooks_in, name_in
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import Source, parent_of
from ralph.system.patterns import later

PACKAGE_OF_TESTS = later(r"(?:^test|(?:^|/)tests)/(?:\w+/)*__init__\.py$")
STARTUP = later(r"(?:^|/)(?:sitecustomize|usercustomize)\.py$")
PLUGIN_NAME = later(r"(?:^|/)(?:pytest_\w+|\w*pytest_plugin)\.py$")
_DEFINES = later(rb"\bpytest_[a-z]\w*[\"']?\s*[=:(\]]|specname|import[^\n]*\bpytest_[a-z]")
_MAIN = later(r"__name__\s*==\s*[\"']__main__[\"']|[\"']__main__[\"']\s*==\s*__name__")


class Part(Enum):
    CONFTEST = "conftest"
    PLUGIN = "plugin"
    STARTUP = "startup"
    TEST = "test"
    PRODUCT = "product"


class Place(Enum):
    """When a piece of code runs."""

    IMPORT = "at import"
    PROGRAM = "as a program"
    HOOK = "in a hook"
    FIXTURE = "in a fixture"
    TEST = "in a test"
    FUNCTION = "in a function"


class Module:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = Names(source)

    @cached_property
    def part(self) -> Part:
        path = self.source.path
        if path.rpartition("/")[2] == "conftest.py" or PACKAGE_OF_TESTS.search(path):
            return Part.CONFTEST
        if STARTUP.search(path):
            return Part.STARTUP
        if TEST_FILE.search(path):
            return Part.TEST
        if PLUGIN_NAME.search(path) or self.hooks:
            return Part.PLUGIN
        return Part.TEST if TEST_PLACE.search(path) else Part.PRODUCT

    @property
    def is_runners(self) -> bool:
        """True for code that the test runner loads for its own sake."""
        return self.part in (Part.CONFTEST, Part.PLUGIN, Part.STARTUP)

    @cached_property
    def hooks(self) -> tuple[Hook, ...]:
        data = self.source.data
        named = b"pytest_" in data or b"specname" in data
        return tuple(hooks_in(self.names)) if named and _DEFINES.search(data) else ()

    def function_of(self, node: Node) -> Node | None:
        return enclosing(node.parent, "function_definition", "lambda")

    def place(self, node: Node) -> Place:
        """When the code at a node runs."""
        outer = [each for each in self._around(node) if each.type == "function_definition"]
        if not outer and (decorated := decorated_by(node)) is not None:
            return Place.TEST if "test" in self.name(decorated).lower() else Place.FUNCTION
        if not outer:
            return Place.PROGRAM if self._is_program(node) else Place.IMPORT
        if any(hook.node.id == function.id for function in outer for hook in self.hooks):
            return Place.HOOK
        if "fixture" in self.decorators(outer[0]):
            return Place.FIXTURE
        return Place.TEST if any(self.name(each).startswith("test") for each in outer) else Place.FUNCTION

    def name(self, function: Node) -> str:
        return name_in(self.names, function)

    def decorators(self, function: Node) -> str:
        return decorators_of(self.source, function)

    def _around(self, node: Node) -> Iterator[Node]:
        """The functions that a node is inside of, innermost first."""
        scope = scope_of(node)
        while scope.parent is not None:  # what cannot be read has no module around it
            if scope.type in ("function_definition", "lambda"):
                yield scope
            scope = scope_of(scope)

    def _is_program(self, node: Node) -> bool:
        above: Node | None = node
        while above is not None:
            condition = above.child_by_field_name("condition") if above.type == "if_statement" else None
            if condition is not None and _MAIN.search(self.source.text(condition)):
                return True
            above = parent_of(above)
        return False
