"""Which expressions are test functions, and with which modifiers (spec: governance engine 1.4).

A reference is followed from the name through imports, `require`, aliases, destructuring, members (dotted or in
brackets), conditional expressions and calls such as `.each(table)` back to a test framework. A global called `it` or
`describe` counts only in a file that defines a test with it; so does a name imported from the project itself.
A parameter is a test's context if its function is a test's callback.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.collected.frameworks import (
    FACTORIES,
    FOCUS,
    GLOBAL_OBJECTS,
    HOOKS,
    MEMBERS,
    MODULES,
    NAMESPACES,
    OFF,
    OFF_IF,
    PLAIN,
    SUITES,
    TEST_BY_DEFAULT,
    TESTS,
    Kind,
    kind_of,
)
from ralph.guardrails.javascript.syntax.constants import Constants
from ralph.guardrails.javascript.syntax.destructuring import Key
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Binding, Names, unwrapped
from ralph.record import record, replace

MAX_DEPTH = 12
MAX_STEPS = 200
"""References followed for one expression: variables with many values lead to many others."""
ACCESSES = frozenset({"member_expression", "subscript_expression"})


@record
class Modifier:
    """`name` is `?` if it cannot be read."""

    name: str
    argument: tree_sitter.Node | None = None
    """What `skipIf`, `each` and the like were called with; None for a plain member."""
    guard: tuple[tree_sitter.Node, bool] | None = None
    """The condition that chooses the modifier, and its value then: `slow ? it.skip : it`."""

    @property
    def is_off(self) -> bool:
        return self.name in OFF or self.name in OFF_IF or self.name == "?"


@record
class Ref:
    """A test function, a suite function, a hook, a test's context or a framework's module."""

    kind: Kind
    modifiers: tuple[Modifier, ...] = ()
    local: str = ""
    """The name in the file, if only its use can tell that it is a test function; `./` before it: a declared name."""

    @property
    def last(self) -> str:
        return self.modifiers[-1].name if self.modifiers else ""

    @property
    def is_made(self) -> bool:
        """True for what `each(table)` and the like gave: called, it defines a test."""
        return bool(self.modifiers) and self.modifiers[-1].argument is not None

    @property
    def defines(self) -> bool:
        """True if calling it defines a test or a suite."""
        return self.kind in ("test", "suite") and (self.is_made or self.last not in FACTORIES)

    @property
    def matters(self) -> bool:
        return any(modifier.is_off or modifier.name in FOCUS for modifier in self.modifiers)


class Roots:
    def __init__(self, names: Names, constants: Constants) -> None:
        self._names, self._constants = names, constants
        self._busy: set[int] = set()
        self._steps = 0
        self.callbacks: dict[int, Ref] = {}
        """Functions that a test framework calls, by node id."""
        self._settled: dict[int, Ref | None] = {}

    def ref(self, node: tree_sitter.Node | None, depth: int = 0) -> Ref | None:
        node = unwrapped(node)
        self._steps = self._steps + 1 if depth else 0
        if node is None or depth > MAX_DEPTH or self._steps > MAX_STEPS:
            return None
        match node.type:
            case "identifier" | "shorthand_property_identifier":
                return self._named(node, depth)
            case "this":
                return self._this(node)
            case "member_expression" | "subscript_expression":
                return self._access(node, depth)
            case "call_expression":
                return self._called(node, depth)
            case "ternary_expression":
                return self._chosen(node, depth)
            case "binary_expression":
                return self._either(node, ("left", "right"), depth)
        return None

    def settled(self, node: tree_sitter.Node | None) -> Ref | None:
        """The same of a node of the file, found once: for when all callbacks are known."""
        if node is None:
            return None
        if node.id not in self._settled:
            self._settled[node.id] = self.ref(node)
        return self._settled[node.id]

    def bound(self, binding: Binding, depth: int = 0) -> Ref | None:
        """What a declared name is; of several values, one that matters."""
        if binding.kind == "import":
            return _imported(binding)
        if binding.kind == "parameter":
            return self._parameter(binding)
        if id(binding) in self._busy:
            return None  # `text = text.trim()` says nothing about what it is
        self._busy.add(id(binding))
        found = [(binding.value, binding.path), *binding.assigned]
        refs = [ref for value, path in found if (ref := self.along(self.ref(value, depth + 1), path)) is not None]
        self._busy.discard(id(binding))
        return next((ref for ref in refs if ref.matters), refs[0] if refs else None)

    def accessed(self, ref: Ref, key: Key) -> Ref | None:
        """A member of what `ref` is."""
        name = self._constants.property_name(key)
        if ref.kind == "module":
            return None if name is None else _member_of_module(ref, name)
        if ref.kind == "hook":
            return None
        if name is None and ref.kind == "context":
            return None
        if name is None:
            return replace(ref, modifiers=(*ref.modifiers, Modifier("?")))
        if ref.kind == "test" and name == "info":
            return Ref("context", (Modifier(name),))
        if ref.kind == "context" and name in ("test", "step", "it"):
            return Ref("test")
        if name in HOOKS:
            return Ref("hook", local=ref.local)
        if name in OFF or name in OFF_IF or name in FOCUS or name in PLAIN:
            kind = "suite" if name in SUITES else "test" if name in TESTS or name == "step" else ref.kind
            return replace(ref, kind=kind, modifiers=(*ref.modifiers, Modifier(name)))
        return None

    def _named(self, node: tree_sitter.Node, depth: int) -> Ref | None:
        binding = self._names.binding(node)
        name = self._names.name(node)
        if binding is None:
            return _global(name)
        found = self.bound(binding, depth)
        return replace(found, local=f"./{name}") if found is not None and found.local else found

    def _this(self, node: tree_sitter.Node) -> Ref | None:
        around = (
            above for above in self._names.above(node) if above.type in FUNCTIONS and above.type != "arrow_function"
        )
        return Ref("context") if (owner := next(around, None)) is not None and owner.id in self.callbacks else None

    def _parameter(self, binding: Binding) -> Ref | None:
        owner = self.callbacks.get(binding.function.id) if binding.function is not None else None
        if owner is None or binding.position > 1:
            return None
        rows = {"each": 2, "for": 1}
        if binding.position < max((rows.get(modifier.name, 0) for modifier in owner.modifiers), default=0):
            return None  # a row of the table, not the context
        return self.along(Ref("context"), binding.path)

    def along(self, ref: Ref | None, path: tuple[Key, ...]) -> Ref | None:
        for key in path:
            ref = self.accessed(ref, key) if ref is not None else None
        return ref

    def _access(self, node: tree_sitter.Node, depth: int) -> Ref | None:
        inner = node.child_by_field_name("object")
        if node.type == "member_expression":
            member = node.child_by_field_name("property")
            key: Key | None = self._names.name(member) if member is not None else None
        else:
            key = node.child_by_field_name("index")
        if inner is None or key is None:
            return None
        name = self._constants.property_name(key)
        if name is not None and name not in MEMBERS and kind_of(name) is None:
            return None  # most members are of something else: nobody has to find out what
        base = unwrapped(inner)
        if key == "vitest" and self._names.source.text(inner) == "import.meta":
            return Ref("module")
        if base is not None and base.type == "identifier" and self._is_global_object(base):
            return _global(name or "")
        ref = self.ref(inner, depth + 1)
        return self.accessed(ref, key) if ref is not None else None

    def _is_global_object(self, node: tree_sitter.Node) -> bool:
        return self._names.name(node) in GLOBAL_OBJECTS and self._names.binding(node) is None

    def _called(self, node: tree_sitter.Node, depth: int) -> Ref | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if function is None:
            return None
        if function.type == "import" or (function.type == "identifier" and self._names.name(function) == "require"):
            module = self._constants.value(first)
            return _module(module) if isinstance(module, str) else None
        if self._is_reflection(function) and arguments is not None and len(arguments.named_children) > 1:
            ref = self.ref(first, depth + 1)
            return self.accessed(ref, arguments.named_children[1]) if ref is not None else None
        ref = self.ref(function, depth + 1)
        if ref is None or ref.last not in FACTORIES or ref.is_made:
            return None
        return replace(ref, modifiers=(*ref.modifiers[:-1], Modifier(ref.last, first or arguments)))

    def _is_reflection(self, function: tree_sitter.Node) -> bool:
        return "".join(self._names.source.text(function).split()) == "Reflect.get"

    def _chosen(self, node: tree_sitter.Node, depth: int) -> Ref | None:
        ref = self._either(node, ("consequence", "alternative"), depth)
        condition = node.child_by_field_name("condition")
        if ref is None or not ref.matters or condition is None:
            return ref
        yes = self.ref(node.child_by_field_name("consequence"), depth + 1)
        guard = (condition, yes == ref)
        modifiers = tuple(replace(each, guard=guard) if each.is_off else each for each in ref.modifiers)
        return replace(ref, modifiers=modifiers)

    def _either(self, node: tree_sitter.Node, fields: tuple[str, str], depth: int) -> Ref | None:
        refs = [ref for field in fields if (ref := self.ref(node.child_by_field_name(field), depth + 1)) is not None]
        return next((ref for ref in refs if ref.matters), refs[0] if refs else None)


def _global(name: str) -> Ref | None:
    if name in NAMESPACES:
        return Ref("module", local=name)
    found = kind_of(name)
    return _of(found, name) if found else None


def _imported(binding: Binding) -> Ref | None:
    name = binding.path[0] if binding.path else None
    if not MODULES.fullmatch(binding.module):
        found = kind_of(name) if isinstance(name, str) else None
        return _of(found, str(name)) if found else None
    ref: Ref | None = _module(binding.module)
    for key in binding.path:
        ref = _member_of_module(ref, key) if ref is not None and isinstance(key, str) else None
    return ref


def _module(name: str) -> Ref | None:
    if not MODULES.fullmatch(name):
        return Ref("module", local=name)
    return Ref("test") if TEST_BY_DEFAULT.fullmatch(name) else Ref("module")


def _member_of_module(ref: Ref, name: str) -> Ref | None:
    """A member of a framework's module; the module of a framework that exports its test function is that."""
    if ref.kind == "test":
        if name == "default":
            return ref
        if name in OFF or name in FOCUS:
            return Ref("test", (Modifier(name),))
    if name == "default":
        return ref
    if ref.local in NAMESPACES:
        if name not in NAMESPACES[ref.local]:
            return None
        return (
            Ref("test", (Modifier(name),))
            if name in OFF or name in FOCUS
            else Ref("suite" if name == "module" else "test")
        )
    found = kind_of(name)
    return _of(found, name if ref.local else "") if found else None


def _of(found: tuple[Kind, str], local: str) -> Ref:
    kind, modifier = found
    return Ref(kind, (Modifier(modifier),) if modifier else (), local)
