"""Helpers of tests that a call asks by the name of something else: what they assert, they assert there.

Rules (test inventory, class G05):

- A function of another file; a method of a class or an object, of this file or another, on what was made of it; one on
  what Playwright hands to the test; a command of Cypress; a matcher of the project.
- Where the file gives the method's name to a double, or sets it, nobody can tell what is called.
- A function of the module that a test is named after is no helper where something is made of what it gives.
- Helpers that ask each other are not followed into one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.commands import Additions
from ralph.guardrails.javascript.checks.fixtures import beginning, fixture
from ralph.guardrails.javascript.checks.handed import placed
from ralph.guardrails.javascript.checks.modules import Modules, Value, is_function
from ralph.guardrails.javascript.checks.owners import Owner, owner_of
from ralph.guardrails.javascript.checks.parameters import Parameter
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.places import stem
from ralph.guardrails.javascript.syntax.calls import given_back
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.memo import Memo
from ralph.record import record
from ralph.system.patterns import later

HELPER = later(r"_?(?:assert|expect|verify|should|ensure|check)(?:[A-Z_]\w*)?")
MOST_DEEP = 3
"""Helpers that ask helpers."""
_QUOTED = later(rb"(?=[\"'`]([\w$]+)[\"'`])")
_ASSIGNED = later(rb"\b(?:assign|definePropert\w+)\s*\([^;]{0,400}")
_WORD = later(rb"[\w$]+")
_MOCKS = later(r"(?:do)?[mM]ock|unstable_mockModule")
_STANDS = frozenset({"expression_statement", "return_statement", "arrow_function", "array"})
_PASSED = frozenset({"await_expression", "parenthesized_expression", "unary_expression"})


@record
class Lent:
    """What a helper asserts, by the names of its parameters."""

    parameters: tuple[Parameter, ...]
    checks: tuple[Check, ...]
    waits: bool
    """Its failure is only felt by who waits for it."""


@record
class Asked:
    """A helper where it is called."""

    lent: Lent
    handed: tuple[tree_sitter.Node, ...]
    made: Mapping[str, str]
    """What stands for other names in what it asserts: those of its object's constructor."""


@record
class Helper:
    """A function, whose methods it has as `this`, and whether it gives its verdict back as a matcher does."""

    value: Value
    owner: Owner | None = None
    judges: bool = False


Read = Callable[[Helper], Lent | None]
"""What a helper asserts; None if it asserts nothing, or more than can be told."""


class Lending:
    """For the calls of one file; `this`: of what its methods are."""

    def __init__(self, code: Code, paths: Paths | None, memo: Memo, this: Owner | None, read: Read) -> None:
        self._code, self._memo, self._this, self._read = code, memo, this, read
        self._named, self._unnamed = Modules(paths), Modules(paths, asking=True)
        self._additions = Additions(code, paths, self._named)

    def of(self, call: tree_sitter.Node) -> Asked | None:
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or function.type not in ("identifier", *ACCESSES):
            return None
        if function.type == "identifier":
            return self._function(call, function, self._code.names.name(function))
        name, root = self._code.constants.member(function), beginning(function)
        if not name:
            return None
        if root is not None and self._code.origins.of(root) == ("cy",):
            return self._command(call, function, name)
        if not self._stands(call):
            return None
        found = self._method(call, function, name) or self._function(call, function, name)
        return None if found is None or _is_replaced(self._code, name) else found

    def judging(self, name: str, subject: tree_sitter.Node, given: Sequence[tree_sitter.Node]) -> Asked | None:
        """A matcher of the project."""
        found = self._additions.matcher(name)
        helper = Helper(found.value, judges=True) if found is not None and found.value is not None else None
        return self._asked(helper, (subject, *given), {}) if helper is not None else None

    def _function(self, call: tree_sitter.Node, function: tree_sitter.Node, name: str) -> Asked | None:
        path = self._code.origins.of(function)
        if path is None or not path[0].startswith(("./", "../")):
            return None
        value = self._modules(name).meant(self._code, function)
        if value is None or value.code is self._code or not is_function(value.node):
            return None
        of_subject = stem(value.code.source.path) == stem(self._code.source.path)
        if of_subject and not HELPER.fullmatch(name) and not self._stands(call):
            return None  # what the very module under test throws is its own affair where its answer is looked at
        return self._asked(Helper(value), placed(call), {})

    def _method(self, call: tree_sitter.Node, function: tree_sitter.Node, name: str) -> Asked | None:
        receiver, modules = unwrapped(function.child_by_field_name("object")), self._modules(name)
        if receiver is not None and receiver.type in ("this", "super"):
            owner = self._this if receiver.type == "this" or self._this is None else self._this.parent
            value = owner.method(name) if owner is not None else None
            return self._asked(Helper(value, self._this), placed(call), {}) if value is not None else None
        found = self._owner(receiver, modules, name)
        value = found[0].method(name) if found is not None else None
        if found is None or value is None or any(field in _set_in(self._code) for field in found[0].fields):
            return None
        owner, given = found
        return self._asked(Helper(value, owner), placed(call), owner.made(given))

    def _owner(
        self, receiver: tree_sitter.Node | None, modules: Modules, asked: str
    ) -> tuple[Owner, tuple[str, ...]] | None:
        """What a method is called on; one that gives back what it is called on may stand between."""
        if receiver is None or receiver.type not in ("identifier", "new_expression", "call_expression", *ACCESSES):
            return None
        if receiver.type == "call_expression":
            function = unwrapped(receiver.child_by_field_name("function"))
            name = self._code.constants.member(function) if function is not None and function.type in ACCESSES else None
            inner = unwrapped(function.child_by_field_name("object")) if function is not None and name else None
            found = self._owner(inner, modules, asked)
            method = found[0].method(name) if found is not None and name else None
            return found if method is not None and _gives_itself(method.node) else None
        meant = modules.meant(self._code, receiver)
        if meant is not None and meant.node.type == "identifier":
            meant = fixture(modules, meant)
        return owner_of(meant, modules) if meant is not None and not _is_replaced(meant.code, asked) else None

    def _command(self, call: tree_sitter.Node, function: tree_sitter.Node, name: str) -> Asked | None:
        found = self._additions.command(name)
        before = unwrapped(function.child_by_field_name("object"))
        if found is None or found.value is None or before is None:
            return None
        if found.takes_subject and before.type == "identifier":
            return None
        given = (before, *placed(call)) if found.takes_subject else placed(call)
        return self._asked(Helper(found.value), given, {})

    def _asked(self, helper: Helper, handed: Sequence[tree_sitter.Node], made: Mapping[str, str]) -> Asked | None:
        if helper.value.code.source.path in self._mocked:
            return None
        key = _key(helper)
        busy: list[object] = self._memo.once("helpers that are read", list)
        if key in busy or len(busy) >= MOST_DEEP:
            return None
        busy.append(key)
        lent = self._memo.once(key, lambda: self._read(helper))
        busy.remove(key)
        return None if lent is None else Asked(lent, tuple(handed), made)

    def _modules(self, name: str) -> Modules:
        return self._named if HELPER.fullmatch(name) else self._unnamed

    def _stands(self, call: tree_sitter.Node) -> bool:
        """Nothing is made of what the call gives."""
        parent = self._code.names.parent(call)
        while parent is not None and parent.type in _PASSED:
            parent = self._code.names.parent(parent)
        if parent is not None and parent.type in ACCESSES:
            outer = self._code.names.parent(parent)
            return outer is not None and outer.type == "call_expression" and self._stands(outer)
        return parent is not None and parent.type in _STANDS

    @cached_property
    def _mocked(self) -> frozenset[str]:
        """The files of the project in whose place the file puts others."""
        found: set[str] = set()
        for call in self._code.calls if b"ock" in self._code.source.data else ():
            function, given = unwrapped(call.child_by_field_name("function")), placed(call)
            name = self._code.constants.member(function) if function is not None and function.type in ACCESSES else None
            module = self._code.constants.value(given[0]) if given and name and _MOCKS.fullmatch(name) else None
            other = self._named.at(self._code, module) if isinstance(module, str) else None
            found |= {other.source.path} if other is not None else set()
        return frozenset(found)


def _set_in(code: Code) -> frozenset[str]:
    """Members that a file assigns, but for those of `this`."""
    return code.source.memo.once("members that are set", lambda: frozenset(_members_set(code)))


def _members_set(code: Code) -> Iterator[str]:
    for node in code.names.of_types("assignment_expression", "augmented_assignment_expression"):
        target = node.child_by_field_name("left")
        name = code.constants.member(target) if target is not None and not _is_own(target) else None
        yield from () if name is None else (name,)


def _is_replaced(code: Code, name: str) -> bool:
    """`cart.check = …`, `vi.spyOn(cart, "check")`, `Object.assign(cart, { check … })`."""
    spoken = code.source.memo.once("members that are spoken of", lambda: frozenset(_spoken_of(code)))
    return name in _set_in(code) or name.encode() in spoken


def _spoken_of(code: Code) -> Iterator[bytes]:
    yield from (match[1] for match in _QUOTED.finditer(code.source.data))
    for match in _ASSIGNED.finditer(code.source.data):
        yield from _WORD.findall(match[0])


def _is_own(target: tree_sitter.Node) -> bool:
    owner = target.child_by_field_name("object")
    return target.type not in ACCESSES or (owner is not None and owner.type == "this")


def _gives_itself(function: tree_sitter.Node) -> bool:
    answers = list(given_back(function))
    return bool(answers) and all(each.type == "this" for each in answers)


def _key(helper: Helper) -> tuple[object, ...]:
    code, node = helper.value
    owner = helper.owner.key if helper.owner is not None else None
    return ("lent by", code.source.path, node.start_byte, owner, helper.judges)
