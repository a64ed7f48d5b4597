"""Classes and objects whose methods tests call, and what `this` is in them (test inventory, class G05).

Rules:

- A method is the one function of a name that a class has, or else the class that it extends; the one that an object
  has. What is decorated, declared twice, or assigned later is none.
- `this.total` is what the constructor assigned, a field was given, a getter is, or a parameter of the constructor that
  is a property: once, and nowhere else. Parameters of the constructor stand in it under a name of their own, as a
  method may have others that are called the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.handed import placed
from ralph.guardrails.javascript.checks.modules import CLASSES, Modules, Value, is_function
from ralph.guardrails.javascript.checks.parameters import Parameter, are_kept, parameters
from ralph.guardrails.javascript.checks.putting import Shown, put_in
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.syntax.calls import arguments, returned
from ralph.guardrails.javascript.syntax.destructuring import key_of
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.record import replace

MOST_PARENTS = 4
_FIELDS = frozenset({"field_definition", "public_field_definition"})
_METHODS = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_MADE = "_made_with_"


class Owner:
    """A class as its objects have it, or as it is itself (`fixed`); or an object that is written out."""

    def __init__(self, value: Value, modules: Modules, *, fixed: bool = False, depth: int = 0) -> None:
        self.code, self.node = value
        self.fixed = fixed
        self._modules, self._depth = modules, depth

    @property
    def key(self) -> tuple[str, int, bool]:
        return (self.code.source.path, self.node.start_byte, self.fixed)

    def method(self, name: str) -> Value | None:
        if self._assigned[name]:
            return None
        if found := self._by_name.get(name):
            function = self._function(found[0]) if len(found) == 1 else None
            return None if function is None else Value(self.code, function)
        parent = self.parent if not self._is_open else None
        return None if parent is None else parent.method(name)

    @cached_property
    def methods(self) -> Mapping[str, tree_sitter.Node]:
        """Its own, by their names."""
        names = sorted(name for name in self._by_name if name and name != "constructor")
        found = {name: value.node for name in names if (value := self.method(name)) is not None}
        return dict(sorted(found.items(), key=lambda item: item[1].start_byte))

    @cached_property
    def parent(self) -> Owner | None:
        heritage = next((child for child in self.node.named_children if child.type == "class_heritage"), None)
        named = heritage.named_children[0] if heritage is not None and heritage.named_children else None
        if named is not None and named.type == "extends_clause":
            named = named.child_by_field_name("value")
        value = self._modules.meant(self.code, named) if self._depth < MOST_PARENTS else None
        if value is None or value.node.type not in CLASSES or value.node.id == self.node.id:
            return None
        return the_owner(value, self._modules, fixed=self.fixed, depth=self._depth + 1)

    def made(self, given: Sequence[str]) -> dict[str, str]:
        """What stands for the parameters of the constructor, where it is called."""
        found: dict[str, str] = {}
        for each in self._parameters:
            one = given[each.position] if not each.key and each.position < len(given) else each.default or each.name
            found[_MADE + each.name] = one
        return found

    @cached_property
    def fields(self) -> Mapping[str, Shown]:
        """As they are written with the constructor's parameters under names of their own."""
        found = self._inherited()
        if self.node.type == "object":
            found = self._of_object()
            return found | self._makers(found)
        constructor = self._constructor
        if constructor is not None and not are_kept(self.code, constructor):
            return found
        known = parameters(self.code, constructor) if constructor is not None else ()
        marked = {each.name: _MADE + each.name for each in known}
        for name, value, inside in self._given():
            if self._assigned[name] <= inside and self._counted[name] == 1:
                text = Writing(self.code, found).of(value)
                found[name] = Shown(put_in(text, marked) if inside or value.type == "identifier" else text)
            else:
                found.pop(name, None)
        return found | self._makers(found)

    def _makers(self, fields: Mapping[str, Shown]) -> dict[str, Shown]:
        """Methods that only give back an expression: `row(n) { return this.rows.nth(n); }`."""
        writing, found = Writing(self.code, fields), dict[str, Shown]()
        for name, function in self.methods.items():
            taken, one = parameters(self.code, function), returned(function)
            plain = one is not None and one.type != "this" and not any(each.key or each.default for each in taken)
            if plain and are_kept(self.code, function):
                found[name] = Shown(writing.of(one), tuple(each.name for each in taken))
        return found

    def _given(self) -> Iterator[tuple[str, tree_sitter.Node, bool]]:
        """Names, what each is given, and whether it is in the constructor; parameters that are properties first."""
        constructor = None if self.fixed else self._constructor
        listed = constructor.child_by_field_name("parameters") if constructor is not None else None
        for each in listed.named_children if listed is not None else ():
            pattern = each.child_by_field_name("pattern")
            kept = any(part.type in ("accessibility_modifier", "readonly") for part in each.children)
            if pattern is not None and kept:
                yield self.code.text(pattern), pattern, False
        for each in self._members:
            value = each.child_by_field_name("value")
            if each.type in _FIELDS and value is not None and not is_function(unwrapped(value)):
                yield self._name(each), value, False
        body = constructor.child_by_field_name("body") if constructor is not None else None
        for statement in body.named_children if body is not None else ():
            set_ = statement.named_children[0] if statement.type == "expression_statement" else None
            name = self._own(set_.child_by_field_name("left")) if set_ is not None else ""
            right = set_.child_by_field_name("right") if set_ is not None and name else None
            if right is not None and set_ is not None and set_.type == "assignment_expression":
                yield name, right, True
        for each in self._members:
            if any(part.type == "get" for part in each.children) and (one := returned(each)) is not None:
                yield self._name(each), one, False

    @cached_property
    def _counted(self) -> Counter[str]:
        return Counter(name for name, _, _ in self._given())

    def _of_object(self) -> dict[str, Shown]:
        writing = Writing(self.code)
        kept = (each for each in self._members if each.type == "pair" and not self._assigned[self._name(each)])
        pairs = ((self._name(each), unwrapped(each.child_by_field_name("value"))) for each in kept)
        return {name: Shown(writing.of(value)) for name, value in pairs if not is_function(value)}

    def _inherited(self) -> dict[str, Shown]:
        """What the class itself declares is its own."""
        return {name: shown for name, shown in self._of_parent().items() if name not in self._by_name}

    def _of_parent(self) -> dict[str, Shown]:
        parent = self.parent
        if parent is None or self.node.type == "object":
            return {}
        constructor = self._constructor
        if constructor is None or self.fixed:
            return dict(parent.fields)
        calls = self.code.calls_between(constructor.start_byte, constructor.end_byte)
        functions = ((call, call.child_by_field_name("function")) for call in calls)
        found = [call for call, function in functions if function is not None and function.type == "super"]
        if len(found) != 1:
            return {}
        marked = {each.name: _MADE + each.name for each in parameters(self.code, constructor)}
        given = [put_in(Writing(self.code).of(each), marked) for each in arguments(found[0])]
        made = parent.made(given)
        return {name: replace(each, text=put_in(each.text, made)) for name, each in parent.fields.items()}

    @cached_property
    def _parameters(self) -> Sequence[Parameter]:
        constructor = self._constructor
        if constructor is not None:
            return parameters(self.code, constructor)
        parent = self.parent
        return parent._parameters if parent is not None else ()

    @cached_property
    def _constructor(self) -> tree_sitter.Node | None:
        """The one that has a body."""
        body = self.node.child_by_field_name("body")
        named = (each for each in (body.named_children if body is not None else ()) if each.type == "method_definition")
        return next((each for each in named if self._name(each) == "constructor"), None)

    @cached_property
    def _members(self) -> list[tree_sitter.Node]:
        if self.node.type == "object":
            return [each for each in self.node.named_children if each.type not in ("comment", "spread_element")]
        body = self.node.child_by_field_name("body")
        every = body.named_children if body is not None else []
        return [
            each
            for each in every
            if each.type in _FIELDS | _METHODS and any(part.type == "static" for part in each.children) == self.fixed
        ]

    @cached_property
    def _by_name(self) -> Mapping[str, list[tree_sitter.Node]]:
        found: dict[str, list[tree_sitter.Node]] = defaultdict(list)
        for each in self._members:
            found[self._name(each)].append(each)
        return found

    @cached_property
    def _is_open(self) -> bool:
        """What it has may come from elsewhere."""
        return any(each.type == "spread_element" for each in self.node.named_children)

    def _function(self, member: tree_sitter.Node) -> tree_sitter.Node | None:
        before = member.prev_named_sibling
        decorated = any(part.type == "decorator" for part in member.children)
        if decorated or (before is not None and before.type == "decorator") or self._is_open:
            return None
        if member.type == "method_definition":
            plain = not any(part.type in ("get", "set") for part in member.children)
            return member if plain else None
        if member.type == "shorthand_property_identifier":
            found = self._modules.meant(self.code, member)
            return found.node if found is not None and found.code is self.code and is_function(found.node) else None
        value = unwrapped(member.child_by_field_name("value"))
        return value if is_function(value) else None

    def _name(self, member: tree_sitter.Node) -> str:
        if member.type == "shorthand_property_identifier":
            return self.code.names.name(member)
        named = next((each for key in ("key", "name", "property") if (each := member.child_by_field_name(key))), None)
        return "" if named is None else self.code.constants.property_name(key_of(self.code.source, named)) or ""

    def _own(self, left: tree_sitter.Node | None) -> str:
        """The name behind `this.`."""
        owner = left.child_by_field_name("object") if left is not None and left.type in ACCESSES else None
        named = self.code.constants.member(left) if left is not None and owner is not None else None
        return named or "" if owner is not None and owner.type == "this" else ""

    @cached_property
    def _assigned(self) -> Counter[str]:
        """What the class, or the file, assigns to members of these names: as `this.total = …`, or of whatever else."""
        found: Counter[str] = Counter()
        for node in self.code.names.of_types(
            "assignment_expression", "augmented_assignment_expression", "update_expression"
        ):
            target = node.child_by_field_name("left") or node.child_by_field_name("argument")
            name = self.code.constants.member(target) if target is not None and target.type in ACCESSES else None
            inside = self.node.start_byte <= node.start_byte < self.node.end_byte
            if name and target is not None and (inside or not self._is_this(target)):
                found[name] += 1
        return found

    def _is_this(self, target: tree_sitter.Node) -> bool:
        owner = target.child_by_field_name("object")
        return owner is not None and owner.type == "this"


def the_owner(value: Value, modules: Modules, *, fixed: bool = False, depth: int = 0) -> Owner:
    """The one that there is of it."""
    key = ("owner of", value.code.source.path, value.node.start_byte, fixed, depth)
    return modules.once(key, lambda: Owner(value, modules, fixed=fixed, depth=depth))


def owner_of(value: Value, modules: Modules) -> tuple[Owner, tuple[str, ...]] | None:
    """What a value's methods belong to, and what it was made with."""
    code, node = value
    if node.type == "object":
        return the_owner(value, modules), ()
    if node.type in CLASSES:
        return the_owner(value, modules, fixed=True), ()
    if node.type != "new_expression":
        return None
    made = modules.meant(code, node.child_by_field_name("constructor"))
    if made is None or made.node.type not in CLASSES:
        return None
    writing = Writing(code)
    return the_owner(made, modules), tuple(writing.of(each) for each in placed(node))
