"""An expression in one spelling, whatever its layout (test inventory, class G05).

Comments, parentheses around a whole, `await`, casts, quotes' style and trailing commas are left out. Constants that
are given once are put in where they are used: `const got = f(1); expect(got)` looks at `f(1)`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise

import tree_sitter

from ralph.guardrails.javascript.checks.putting import Shown, joined, shown, taken_apart
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.doubles.mocking import ONE_MAKER, ONE_WATCHER
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

MAX_PUT_IN = 30
"""Constants put in, one inside the other and side by side, before the rest stays a name."""
LARGE = 600
"""Bytes of a constant that is not written out where it is used."""
_TEXTS = frozenset({"string", "template_string"})
_TRANSPARENT = frozenset({"await_expression", "as_expression", "satisfies_expression", "non_null_expression"})
_LEFT_OUT = frozenset({";", "comment", "html_comment"})
_CLOSING = frozenset({")", "]", "}"})
_LITERALS = frozenset({"string", "number", "true", "false", "null", "undefined", "regex", "template_string"})
_COMMENT = later(rb"//|/\*")
_LAYOUT = later(rb"\s+|;|,(?=\s*[)\]}])")
_TYPES = frozenset({"type_annotation", "type_arguments", "type_parameters", "accessibility_modifier"})
_NOT_CONSTANT = frozenset({"identifier", "call_expression", "new_expression", "this", "shorthand_property_identifier"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
"""`{ name }` says the same as `{ name: name }`."""
SORTED = (".", "sort", "(", ")")
_NUMBER_NAMES = frozenset({"undefined", "NaN", "Infinity", "Number", "MAX_SAFE_INTEGER", "EPSILON"})


class Writing:
    """`fields`: what members of `this` are written as."""

    def __init__(self, code: Code, fields: Mapping[str, Shown] | None = None) -> None:
        self._code, self._fields = code, fields or {}
        self._whole: dict[int, str] = {}
        self._written: dict[int, str] = {}
        self._arguments: dict[int, list[tree_sitter.Node]] = {}
        """What stands for the parameters of functions, by the function's id."""

    @contextmanager
    def called(self, function: tree_sitter.Node, given: list[tree_sitter.Node]) -> Iterator[None]:
        """While this holds, parameters of `function` are written as what is given for them."""
        outer = self._arguments
        self._arguments = {**outer, function.id: given}
        try:
            yield
        finally:
            self._arguments = outer

    def of(self, node: tree_sitter.Node | None) -> str:
        plain = unwrapped(node)
        if plain is None:
            return ""
        if self._arguments:
            return joined(self._words(plain))
        if plain.id not in self._whole:
            self._whole[plain.id] = joined(self._words(plain))
        return self._whole[plain.id]

    def body(self, node: tree_sitter.Node) -> str:
        """Statements as written, without comments and layout: names stay names."""
        return self._layout_free(node).decode("utf-8", "replace")

    def _layout_free(self, node: tree_sitter.Node) -> bytes:
        data = self._code.source.data[node.start_byte : node.end_byte]
        if _COMMENT.search(data):
            for comment in reversed([each for each in self._code.source.walk(node) if "comment" in each.type]):
                start, end = comment.start_byte - node.start_byte, comment.end_byte - node.start_byte
                data = data[:start] + data[end:]
        return _LAYOUT.sub(b"", data).replace(b"'", b'"')

    def value(self, node: tree_sitter.Node | None) -> tree_sitter.Node | None:
        """The expression itself, or the one that a constant of the file was given."""
        plain = unwrapped(node)
        for _ in range(MAX_PUT_IN):
            given = self.given(plain) if plain is not None and plain.type == "identifier" else None
            if given is None:
                return plain
            plain = given
        return plain

    def is_constant(self, node: tree_sitter.Node | None) -> bool:
        """True for what is made of literals only, whatever stands between them."""
        plain = self.value(node)
        if plain is None:
            return True
        for part in self._code.source.walk(plain):
            if part.type in FUNCTIONS:
                return False
            if part.type in _NOT_CONSTANT and self._code.names.name(part) not in _NUMBER_NAMES:
                given = self.given(part) if part.type == "identifier" else None
                if given is None or not self.is_literal(given):
                    return False
        return True

    def is_literal(self, node: tree_sitter.Node | None) -> bool:
        """True for one literal, a sign before it included."""
        plain = self.value(node)
        if plain is not None and plain.type == "unary_expression":
            plain = unwrapped(plain.child_by_field_name("argument"))
        if plain is None or plain.type not in _LITERALS:
            return plain is not None and plain.type == "identifier" and self._code.names.name(plain) in _NUMBER_NAMES
        return not any(child.type == "template_substitution" for child in plain.named_children)

    def number(self, node: tree_sitter.Node | None) -> float | None:
        plain = self.value(node)
        if plain is None or plain.type not in ("number", "unary_expression", "binary_expression"):
            infinite = plain is not None and self._code.text(plain) in ("Infinity", "Number.POSITIVE_INFINITY")
            return float("inf") if infinite else None
        text = self._code.source.text(plain).replace("_", "").replace(" ", "")
        try:
            return float(text)
        except ValueError:
            return self._product(plain)

    def _product(self, node: tree_sitter.Node) -> float | None:
        """`5 * 60 * 1000`."""
        if node.type == "number":
            text = self._code.source.text(node).replace("_", "").rstrip("n")
            return float(int(text, 0)) if re.fullmatch(r"0[xXbBoO][0-9a-fA-F]+", text) else None
        left, right = (self.number(node.child_by_field_name(name)) for name in ("left", "right"))
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return None
        match operator.type:
            case "*":
                return left * right
            case "+":
                return left + right
            case "-":
                return left - right
            case "/" if right:
                return left / right
        return None

    def given(self, name: tree_sitter.Node) -> tree_sitter.Node | None:
        """The value that a variable is given once and for all, unless it is a function."""
        binding = self._code.names.binding(name)
        if binding is None or binding.path:
            return None
        if binding.kind == "parameter":
            known = binding.function is not None and not binding.assigned
            given = self._arguments.get(binding.function.id, ()) if binding.function is not None and known else ()
            return unwrapped(given[binding.position]) if binding.position < len(given) else None
        values = [*([binding.value] if binding.value is not None else []), *(value for value, _ in binding.assigned)]
        if binding.kind != "value" or len(values) != 1 or any(path for _, path in binding.assigned):
            return None
        value = unwrapped(values[0])
        if value is None or value.type in FUNCTIONS or value.type == "class":
            return None
        if value.type in ("array", "object") and not value.named_children:
            return None  # to be filled
        if value.start_byte <= name.start_byte < value.end_byte:
            return None
        return value

    def _words(self, node: tree_sitter.Node) -> list[str]:
        words: list[str] = []
        self._write(node, [MAX_PUT_IN], words)
        return words

    def _write(self, node: tree_sitter.Node, left: list[int], words: list[str]) -> None:
        kind = node.type
        if kind in _LEFT_OUT or kind in _TYPES:
            return
        if kind in _TEXTS and not any(child.type == "template_substitution" for child in node.named_children):
            words.append(self._text(node))
        elif kind in _NAMES:
            self._name(node, left, words)
        elif kind == "number":
            number = self.number(node)
            words.append(shown(number) if number is not None else self._code.source.text(node))
        elif kind in _TRANSPARENT:
            inner = unwrapped(node)
            if inner is not None:
                self._write(inner, left, words)
        elif self._fields and (field := self._field(node)) is not None:
            words.append(field)
        elif kind == "call_expression" and (double := self._double(node)) is not None:
            words.append(double)
            self._write_children(node.children[-1], left, words)
        elif node.child_count == 0:
            words.append(self._code.source.text(node))
        else:
            self._write_children(node, left, words)

    def _name(self, node: tree_sitter.Node, left: list[int], words: list[str]) -> None:
        words += (self._code.names.name(node), ":") if node.type != "identifier" else ()
        given = self.given(node) if left[0] > 0 else None
        is_wanted = node.type != "identifier" and given is None and not self._is_asked(node)
        taken = taken_apart(self._code.names.binding(node)) if is_wanted else None
        if taken is not None and left[0] > 0:
            left[0] -= 1
            self._write(taken[0], left, words)
            words += (".", taken[1])
        elif given is None:
            words.append(self._code.names.name(node))
        elif given.end_byte - given.start_byte > LARGE:
            words.append(self._summary(given))
        else:
            left[0] -= 1
            self._write(given, left, words)
            words += SORTED if self._is_sorted(node, given) else ()

    def _is_asked(self, member: tree_sitter.Node) -> bool:
        """It is looked at with others: `expect({ net, vat })`."""
        whole = self._code.names.parent(member) or member
        call = self._code.names.parent(self._code.names.parent(whole) or whole)
        if call is None or call.type != "call_expression":
            return True
        expects = self._code.text(call.child_by_field_name("function")) == "expect"
        return expects or (len(arguments(call)) > 1 and arguments(call)[0] == whole)

    def _field(self, node: tree_sitter.Node) -> str | None:
        """What `this.name` stands for, or `this.name(x)`."""
        called = node.type == "call_expression"
        access = unwrapped(node.child_by_field_name("function")) if called else node
        owner = (
            access.child_by_field_name("object") if access is not None and access.type == "member_expression" else None
        )
        if access is None or owner is None or owner.type != "this":
            return None
        shown = self._fields.get(self._code.text(access.child_by_field_name("property")))
        if shown is None or (shown.parameters is not None) is not called:
            return None
        return shown.called_with([self.of(each) for each in arguments(node)]) if called else shown.text

    def _double(self, call: tree_sitter.Node) -> str | None:
        """What makes a double, by one name."""
        function = call.children[0]
        if (
            function.type != "member_expression"
            or call.child_count != 2
            or function.end_byte - function.start_byte > 12
        ):
            return None
        return (ONE_MAKER if len(arguments(call)) < 2 else ONE_WATCHER).get(self._code.source.text(function))

    def _is_sorted(self, name: tree_sitter.Node, given: tree_sitter.Node) -> bool:
        """Between the two a statement puts what it holds in order: `names.sort()`."""
        return any(
            given.end_byte < each.start_byte < name.start_byte
            and self._code.names.binding(each) == self._code.names.binding(name)
            for each in self._sorted.get(self._code.names.name(name), ())
        )

    @cached_property
    def _sorted(self) -> Mapping[str, list[tree_sitter.Node]]:
        """Variables that a statement sorts where they are, by their names."""
        found: dict[str, list[tree_sitter.Node]] = defaultdict(list)
        for call in self._code.calls if b".sort(" in self._code.source.data else ():
            function, above = call.child_by_field_name("function"), self._code.names.parent(call)
            owner = function.child_by_field_name("object") if function is not None else None
            alone = above is not None and above.type == "expression_statement"
            if (
                alone
                and owner is not None
                and owner.type == "identifier"
                and self._code.text(function).endswith(".sort")
            ):
                found[self._code.names.name(owner)].append(owner)
        return found

    def _text(self, node: tree_sitter.Node) -> str:
        """A literal; a name that is a key needs no quotes."""
        value, above = self._code.constants.value(node), self._code.names.parent(node)
        if not isinstance(value, str):
            return self._code.source.text(node)
        is_key = above is not None and above.type == "pair" and above.child_by_field_name("key") == node
        return value if is_key and value.isidentifier() else repr(value)

    def _write_children(self, node: tree_sitter.Node, left: list[int], words: list[str]) -> None:
        children = [child for child in node.children if child.type not in _LEFT_OUT]
        for child, after in pairwise([*children, None]):
            if child is not None and not (child.type == "," and after is not None and after.type in _CLOSING):
                self._write(child, left, words)

    def _summary(self, node: tree_sitter.Node) -> str:
        """A large value, told from others without writing it out."""
        if node.id not in self._written:
            data = self._layout_free(node)
            self._written[node.id] = (
                f"{data[:40].decode('utf-8', 'replace')}...{blake2b(data, digest_size=6).hexdigest()}"
            )
        return self._written[node.id]
