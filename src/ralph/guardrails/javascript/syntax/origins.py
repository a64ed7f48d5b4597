"""Where a name leads: an expression as a path from a global or from a module (spec: governance engine 1.4).

`process.exit`, `const { exit } = process` and `import { exit } from "node:process"` are all `("process", "exit")`;
`require("./total").total` is `("./total", "total")`, and so is what `vi.mocked` is given of it. Names are followed
through imports, constants, destructuring and single assignments; members may be dotted, in brackets or put together
from constants. None: what only running it could tell, or something that the file defines itself.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.collected.frameworks import GLOBAL_OBJECTS
from ralph.guardrails.javascript.syntax.constants import Constants
from ralph.guardrails.javascript.syntax.destructuring import Key
from ralph.guardrails.javascript.syntax.names import Binding, Names, unwrapped
from ralph.system.patterns import later

Path = tuple[str, ...]

MAX_DEPTH = 12
MAX_VALUES = 3
"""A variable with more values than this is nothing in particular."""
_ASSERT = later(r"(?:node:)?assert(?:/strict)?|power-assert|assert-plus")
_PROCESS = later(r"(?:node:)?process")
_FRAMEWORK = later(
    r"vitest|@jest/globals|jest|bun:test|(?:@playwright/|playwright/)test|expect|@vitest/expect|chai|earl|"
    r"(?:jsr:|npm:)?@std/(?:expect|assert|testing)(?:[@/].*)?|https?://.*/(?:testing|assert|expect)/.*|cypress|jasmine"
)
_LOADERS = frozenset({"require", "requireActual", "importActual", "requireMock", "importMock", "rewire", "proxyquire"})
LOCAL_MODULE = later(r"\.{1,2}(?:/|$)|[@~#]/|~|#|/|src/|lib/|app/")
"""Specifiers that name files of the project: relative ones and the usual aliases."""


class Origins:
    def __init__(self, names: Names, constants: Constants) -> None:
        self._names, self._constants = names, constants
        self._busy: set[int] = set()
        self._known: dict[int, Path | None] = {}

    def of(self, node: tree_sitter.Node | None, depth: int = 0) -> Path | None:
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        if depth == 0:
            if node.id not in self._known:
                self._known[node.id] = self._of(node, depth)
            return self._known[node.id]
        return self._of(node, depth)

    def _of(self, node: tree_sitter.Node, depth: int) -> Path | None:
        match node.type:
            case "identifier" | "shorthand_property_identifier":
                return self._named(node, depth)
            case "member_expression" | "subscript_expression":
                return self._access(node, depth)
            case "call_expression":
                return self._loaded(node, depth)
            case "new_expression":
                return self.instance(node, depth)
        return None

    def instance(self, node: tree_sitter.Node, depth: int = 0) -> Path | None:
        """What an object made by `new X()` is taken for: X's prototype."""
        made = self.of(node.child_by_field_name("constructor"), depth + 1)
        return None if made is None else (*made, "prototype")

    def _named(self, node: tree_sitter.Node, depth: int) -> Path | None:
        binding = self._names.binding(node)
        if binding is None:
            name = self._names.name(node)
            return ("jest",) if name == "vi" else (name,)
        return self.bound(binding, depth)

    def bound(self, binding: Binding, depth: int = 0) -> Path | None:
        if binding.kind == "import":
            return self._along(module(binding.module), binding.path)
        if binding.kind == "parameter" and binding.position == 0 and len(binding.path) == 1:
            # vitest hands its `expect` to a test: `it("…", ({ expect }) => …)`
            return ("expect",) if self._constants.property_name(binding.path[0]) == "expect" else None
        if binding.kind != "value":
            return None
        values = [(binding.value, binding.path)] if binding.value is not None else []
        values += binding.assigned
        if len(values) > MAX_VALUES or id(binding) in self._busy:
            return None
        self._busy.add(id(binding))
        found = {self._along(self.of(value, depth + 1), path) for value, path in values}
        self._busy.discard(id(binding))
        return found.pop() if len(found) == 1 else None

    def _along(self, start: Path | None, keys: tuple[Key, ...]) -> Path | None:
        path = start
        for key in keys:
            name = self._constants.property_name(key)
            if path is None or name is None or name == "*":
                return None
            path = _member(path, name)
        return path

    def _access(self, node: tree_sitter.Node, depth: int) -> Path | None:
        name = self._constants.member(node)
        inner = node.child_by_field_name("object")
        if name is None or inner is None:
            return None
        base = self.of(inner, depth + 1)
        if base is None and name == "mock" and self._is_given(inner):
            return (name,)  # node's `test("…", (t) => t.mock…)`
        if base is None and "".join(self._names.source.text(inner).split()) == "import.meta":
            return module("vitest") if name == "vitest" else ("import.meta", name)
        return None if base is None else _member(base, name)

    def _is_given(self, node: tree_sitter.Node) -> bool:
        """The first parameter of a function."""
        binding = self._names.binding(node) if node.type == "identifier" else None
        return binding is not None and binding.kind == "parameter" and binding.position == 0 and not binding.path

    def _loaded(self, call: tree_sitter.Node, depth: int) -> Path | None:
        """`require("x")`, `import("x")`, `jest.requireActual("x")`; `vi.mocked(x)` is `x`, and so is its prototype."""
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or arguments is None or not arguments.named_children:
            return None
        called = ("import",) if function.type == "import" else self.of(function, depth + 1)
        if called in (("jest", "mocked"), ("Object", "getPrototypeOf"), ("Reflect", "getPrototypeOf")):
            return self.of(arguments.named_children[0], depth + 1)
        if called is None or (called != ("import",) and called[-1] not in _LOADERS):
            return None
        name = self._constants.value(arguments.named_children[0])
        return module(name) if isinstance(name, str) else None


def module(name: str) -> Path:
    """A module, or what it is also known as."""
    if _ASSERT.fullmatch(name):
        return ("assert",)
    if _PROCESS.fullmatch(name):
        return ("process",)
    if _FRAMEWORK.fullmatch(name):
        return ("framework",)
    return (name,)


def _member(path: Path, name: str) -> Path:
    if path == ("framework",):
        return path if name == "default" else ("jest",) if name in ("vi", "jest") else (name,)
    if len(path) == 1 and path[0] in GLOBAL_OBJECTS:
        return ("jest",) if name == "vi" else (name,)
    if (name == "default" and len(path) == 1) or (name == "__proto__" and path[-1] == "prototype"):
        return path
    if path == ("node:test",) and name == "mock":
        return (name,)
    if path == ("assert",) and name in ("strict", "ok", "assert"):
        return path
    return (*path, name)
