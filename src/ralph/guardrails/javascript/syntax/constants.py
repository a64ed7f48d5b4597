"""Values that can be read off a JavaScript file without running it (spec: governance engine 1.4).

Used for property names (`it["sk" + "ip"]`), options (`{skip: SLOW}`) and conditions (`if (process.env.FULL)`).
What cannot be read is unknown, never false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

import tree_sitter

from ralph.guardrails.conditions import on_linux, vocabulary
from ralph.guardrails.javascript.skipped.never import holds
from ralph.guardrails.javascript.syntax.destructuring import Key, key_of
from ralph.guardrails.javascript.syntax.emptiness import is_empty
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Names, unwrapped
from ralph.system.patterns import later

MAX_DEPTH = 12
MAX_EXPANSIONS = 20

Unknown = Enum("Unknown", "UNKNOWN")
UNKNOWN = Unknown.UNKNOWN
Value = str | float | bool | None | Unknown

PLATFORM = vocabulary(
    "platform arch version versions browserName isMobile userAgent type release osType",
    "process os node typeof undefined window document navigator globalThis Deno Bun build semver lt lte gt gte "
    "satisfies includes startsWith some test match split map Number parseInt parseFloat exec",
)
_PLATFORM_NAME = later(
    r"_?(?:is|on|has)?_?(?:win(?:dows|32)?|mac(?:os)?|osx|darwin|linux|posix|unix|android|ios)\d*", re.IGNORECASE
)
_ENVIRONMENT = later(r"\bprocess\s*\.\s*(?:env|argv)\b|\bimport\.meta\.env\b|\b(?:Deno|Bun)\s*\.\s*(?:env|args|argv)\b")
_ALWAYS = later(
    r"(?P<no>[!\s]*)(?:Boolean\s*)?\(?\s*(?:process(?:\s*\.\s*(?:versions?(?:\s*\.\s*(?:node|v8))?|platform|arch|pid|ppid|title"
    r"|release(?:\s*\.\s*name)?|version\s*\.\s*startsWith\s*\(\s*[\"'`]v[\"'`]\s*\)|execPath|cwd\s*\(\s*\)|hrtime|stdout|stdin|stderr|nextTick|memoryUsage|uptime\s*\(\s*\)))?"
    r"|globalThis|Object|Array|Math(?:\s*\.\s*PI)?|JSON|Promise|Symbol|Map|Set|Number|String|console|import\.meta(?:\.url)?"
    r"|(?:new\s+)?Date(?:\s*\.\s*now)?(?:\s*\(\s*\))?|__(?:file|dir)name|typeof\s+\w+)\s*\)?"
)
"""What is always there where tests run, asked for nothing but being there."""
_NUMBER = later(r"(?<![\w.\"'`])\d+(?:\.\d+)*")
_ESCAPES = later(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\n)|(.))")


class Verdict(Enum):
    """What a condition says about whether the code under it runs."""

    NEVER_SKIPS = "never"
    PLATFORM = "platform"
    OPT_IN = "opt-in"
    UNKNOWN = "unknown"


class Constants:
    def __init__(self, names: Names) -> None:
        self._names = names
        self._source = names.source

    def property_name(self, key: Key) -> str | None:
        """The name that a property access means; None if it cannot be read."""
        if isinstance(key, str):
            return key
        value = self.value(key)
        return value if isinstance(value, str) else None

    def member(self, access: tree_sitter.Node) -> str | None:
        """The name of the member that a dotted or bracketed access means."""
        member = access.child_by_field_name("property")
        if member is not None:
            return self._names.name(member)
        index = access.child_by_field_name("index")
        return self.property_name(index) if index is not None else None

    def value(self, node: tree_sitter.Node | None, depth: int = 0) -> Value:
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return UNKNOWN
        match node.type:
            case "string":
                return self._string(node)
            case "template_string":
                return self._template(node, depth)
            case "number":
                text = self._source.text(node).replace("_", "")
                return float(text) if re.fullmatch(r"[\d.]+(?:e\d+)?", text) else 1.0
            case "true" | "false":
                return node.type == "true"
            case "null" | "undefined":
                return None
            case "binary_expression":
                return self._binary(node, depth)
            case "unary_expression":
                return self._unary(node, depth)
            case "identifier" | "shorthand_property_identifier":
                return self._variable(node, depth)
            case "arrow_function" | "function_expression" | "object" | "array" | "regex":
                return True
        return UNKNOWN

    def object_of(self, node: tree_sitter.Node | None, depth: int = 0) -> tree_sitter.Node | None:
        """The object literal that an expression is, directly or through a variable."""
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        if node.type == "object":
            return node
        binding = self._names.binding(node) if node.type == "identifier" else None
        if binding is None or binding.kind != "value" or binding.path:
            return None
        return self.object_of(binding.value, depth + 1)

    def is_empty_list(self, node: tree_sitter.Node | None) -> bool:
        """True for `[]` and its like, directly or through a constant (`emptiness`)."""
        return is_empty(self._names, node)

    def length(self, node: tree_sitter.Node | None) -> int | None:
        """How many items a literal list has, also through a constant."""
        held = self._held(node)
        if held is None or held.type != "array" or not held.named_children:
            return 0 if is_empty(self._names, node) else None
        items = [child for child in held.named_children if "comment" not in child.type]
        return None if any(item.type == "spread_element" for item in items) else len(items)

    def is_sieved(self, node: tree_sitter.Node | None, depth: int = 0) -> bool:
        """Only some of other values are left of it, which may be none: `list.filter(paid)`, also through a constant."""
        held = self._held(node)
        called = held.child_by_field_name("function") if held is not None and held.type == "call_expression" else None
        callee = unwrapped(called)
        if callee is None or callee.type != "member_expression" or depth > MAX_DEPTH:
            return False
        return self.member(callee) == "filter" or self.is_sieved(callee.child_by_field_name("object"), depth + 1)

    def _held(self, node: tree_sitter.Node | None) -> tree_sitter.Node | None:
        """What a constant holds; the node itself if it is no name, None if it may hold anything."""
        node = unwrapped(node)
        for _ in range(MAX_DEPTH):
            binding = self._names.binding(node) if node is not None and node.type == "identifier" else None
            if binding is None:
                return node
            if binding.kind != "value" or binding.path or binding.assigned:
                return None
            node = unwrapped(binding.value)
        return None

    def options(
        self, node: tree_sitter.Node, depth: int = 0
    ) -> Iterator[tuple[str, tree_sitter.Node, tree_sitter.Node]]:
        """(name, value, place) of every option in an object literal, spread objects included."""
        for child in node.named_children if depth < MAX_DEPTH else ():
            if child.type == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and value is not None:
                    yield self.property_name(key_of(self._names.source, key)) or "?", value, child
            elif child.type == "shorthand_property_identifier":
                yield self._names.name(child), child, child
            elif child.type == "spread_element" and (spread := self.object_of(child.named_children[0])) is not None:
                for name, value, _ in self.options(spread, depth + 1):
                    yield name, value, child

    def judge(self, condition: tree_sitter.Node | None, skips_when: bool) -> Verdict:
        """Why code runs or not, if it is skipped when `condition` is `skips_when`."""
        condition = unwrapped(condition)
        if condition is not None and condition.type in FUNCTIONS:
            condition = unwrapped(condition.child_by_field_name("body"))
        if condition is None:
            return Verdict.OPT_IN
        value = self.value(condition)
        if value is not UNKNOWN:
            return Verdict.OPT_IN if bool(value) == skips_when else Verdict.NEVER_SKIPS
        if condition.type == "ternary_expression" and (turned := self._turned(condition, skips_when)) is not None:
            return self.judge(condition.child_by_field_name("condition"), turned)
        if always := _ALWAYS.fullmatch(self._written(condition)):
            return Verdict.OPT_IN if ((always["no"] or "").count("!") % 2 == 0) == skips_when else Verdict.NEVER_SKIPS
        text = self._expanded(condition, [])
        if _ENVIRONMENT.search(text):
            return Verdict.OPT_IN
        if (answer := holds(text)) is not None:
            return Verdict.OPT_IN if answer == skips_when else Verdict.NEVER_SKIPS
        if not PLATFORM.only_platform(_NUMBER.sub('"n"', text)):
            return Verdict.UNKNOWN
        return Verdict.OPT_IN if on_linux(text) is skips_when else Verdict.PLATFORM

    def _written(self, node: tree_sitter.Node) -> str:
        """The condition's text, or that of the constant that it is."""
        binding = self._names.binding(node) if node.type == "identifier" else None
        plain = binding is not None and binding.kind == "value" and not binding.path and not binding.assigned
        value = unwrapped(binding.value) if plain and binding is not None else None
        if binding is not None and value is None:
            return ""
        return self._source.text(value or node)

    def _turned(self, ternary: tree_sitter.Node, skips_when: bool) -> bool | None:
        """What the condition of `x ? yes : no` is when the whole is `skips_when`, if both branches are constants."""
        yes = self.value(ternary.child_by_field_name("consequence"))
        no = self.value(ternary.child_by_field_name("alternative"))
        if yes is UNKNOWN or no is UNKNOWN or bool(yes) == bool(no):
            return None
        return bool(yes) == skips_when

    def _expanded(self, node: tree_sitter.Node, budget: list[tree_sitter.Node]) -> str:
        """The condition's text with its constants written out, as long as `budget` has room for more of them."""
        text, end = "", node.start_byte
        for part in self._source.walk(node):
            if part.type == "identifier" and part.start_byte >= end:
                replacement = self._meaning(part, budget)
                if replacement is not None:
                    text += self._source.data[end : part.start_byte].decode("utf-8", "replace") + replacement
                    end = part.end_byte
        return text + self._source.data[end : node.end_byte].decode("utf-8", "replace")

    def _meaning(self, name: tree_sitter.Node, budget: list[tree_sitter.Node]) -> str | None:
        """What a name stands for: its value, or `process.platform` for what is called `isWindows` elsewhere."""
        binding = self._names.binding(name)
        if binding is not None and binding.kind == "value" and binding.value is not None:
            if len(budget) >= MAX_EXPANSIONS:
                return None
            budget.append(name)
            return f"({self._expanded(binding.value, budget)}){_members(binding.path)}"
        if binding is not None and binding.kind == "import" and binding.module.removeprefix("node:") == "process":
            return f"process{_members(binding.path)}"
        return "process.platform" if _PLATFORM_NAME.fullmatch(self._names.name(name)) else None

    def _string(self, node: tree_sitter.Node) -> str:
        return _ESCAPES.sub(_character, self._source.text(node)[1:-1])

    def _template(self, node: tree_sitter.Node, depth: int) -> Value:
        text = ""
        for child in node.named_children:
            if child.type == "template_substitution":
                value = self.value(child.named_children[0] if child.named_children else None, depth + 1)
                if not isinstance(value, str):
                    return UNKNOWN
                text += value
            elif "comment" not in child.type:
                text += _ESCAPES.sub(_character, self._source.text(child))
        return text

    def _binary(self, node: tree_sitter.Node, depth: int) -> Value:
        left = self.value(node.child_by_field_name("left"), depth + 1)
        right = self.value(node.child_by_field_name("right"), depth + 1)
        operator = node.child_by_field_name("operator")
        match operator.type if operator is not None else "":
            case "+" if isinstance(left, str) and isinstance(right, str):
                return left + right
            case "&&" if left is not UNKNOWN:
                return right if left else left
            case "||" if left is not UNKNOWN:
                return left if left else right
            case "&&" if right is not UNKNOWN and not right:
                return False
            case "||" if right is not UNKNOWN and right:
                return True
            case "===" | "==" if left is not UNKNOWN and right is not UNKNOWN:
                return left == right
            case "!==" | "!=" if left is not UNKNOWN and right is not UNKNOWN:
                return left != right
        return UNKNOWN

    def _unary(self, node: tree_sitter.Node, depth: int) -> Value:
        operator = self._source.text(node)[:1]
        value = self.value(node.child_by_field_name("argument"), depth + 1)
        if operator == "!" and value is not UNKNOWN:
            return not value
        return None if self._source.text(node).startswith("void") else UNKNOWN

    def _variable(self, node: tree_sitter.Node, depth: int) -> Value:
        binding = self._names.binding(node)
        if binding is None:
            return None if self._names.name(node) == "undefined" else UNKNOWN
        if binding.kind != "value" or binding.path or binding.assigned:
            return UNKNOWN
        return self.value(binding.value, depth + 1)


def _members(path: tuple[Key, ...]) -> str:
    return "".join(f".{key}" for key in path if isinstance(key, str) and key != "default")


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16) % 0x110000)
    return "" if match[4] else {"n": "\n", "t": "\t"}.get(match[5], match[5])
