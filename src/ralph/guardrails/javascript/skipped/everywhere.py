"""Skips for a platform that hold on every platform there is (class G02).

`["chromium", "webkit"].includes(browserName)` reads like a skip for two engines, and skips the test altogether where
the project's Playwright configuration names no other. The condition is worked out for each engine and operating system;
what cannot be worked out for one of them is taken to run there.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.constants import UNKNOWN
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.model import Change
from ralph.system.patterns import later

ENGINES = frozenset({"chromium", "firefox", "webkit"})
_SYSTEMS = ("linux", "darwin", "win32")
_CONFIG = later(r"(?:^|/)playwright[\w.-]*\.config\.[cm]?[jt]s$")
_COMMENT = later(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
_DEVICE = later(
    r"(?P<chromium>Desktop (?:Chrome|Edge)|Pixel|Galaxy|Nexus|Moto|[\"'`]chromium[\"'`])"
    r"|(?P<firefox>Desktop Firefox|[\"'`]firefox[\"'`])|(?P<webkit>Desktop Safari|iPhone|iPad|[\"'`]webkit[\"'`])"
)
MOST_CONFIGS = 10


def engines(change: Change) -> frozenset[str]:
    """The engines that the Playwright configuration of the head names; all of them, if it names none."""
    paths = sorted(path for path in change.blobs.paths_after() if _CONFIG.search(path) and "node_modules/" not in path)
    found: set[str] = set()
    for path in paths[:MOST_CONFIGS]:
        text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
        found |= {match.lastgroup or "" for match in _DEVICE.finditer(_COMMENT.sub("", text))}
    return frozenset(found) or ENGINES


class Everywhere:
    def __init__(self, code: Code, engines: frozenset[str]) -> None:
        self._code, self._engines = code, engines

    def holds(self, condition: tree_sitter.Node, wanted: bool) -> bool:
        """The condition is `wanted` on every platform."""
        node = unwrapped(condition)
        if node is not None and node.type in FUNCTIONS:
            node = unwrapped(node.child_by_field_name("body"))
        places = itertools.product(sorted(self._engines), _SYSTEMS)
        known = ({"browserName": engine, "process.platform": system} for engine, system in places)
        answers = [self._value(node, each) for each in known]
        return all(isinstance(answer, bool) and answer == wanted for answer in answers)

    def _value(self, node: tree_sitter.Node | None, known: Mapping[str, str], depth: int = 0) -> object:
        node = unwrapped(node)
        if node is None or depth > 12:
            return UNKNOWN
        text = self._code.text(node)
        if text in known:
            return known[text]
        match node.type:
            case "identifier":
                binding = self._code.names.binding(node)
                plain = binding is not None and binding.kind == "value" and not binding.path and not binding.assigned
                return self._value(binding.value, known, depth + 1) if plain and binding is not None else UNKNOWN
            case "array":
                return [self._value(each, known, depth + 1) for each in node.named_children]
            case "unary_expression" if text.startswith("!"):
                value = self._value(node.child_by_field_name("argument"), known, depth + 1)
                return not value if isinstance(value, bool) else UNKNOWN
            case "binary_expression":
                return self._compared(node, known, depth)
            case "call_expression":
                return self._asked(node, known, depth)
        return self._code.constants.value(node)

    def _compared(self, node: tree_sitter.Node, known: Mapping[str, str], depth: int) -> object:
        operator = node.child_by_field_name("operator")
        left, right = (self._value(node.child_by_field_name(each), known, depth + 1) for each in ("left", "right"))
        match operator.type if operator is not None else "":
            case "&&" | "||" as both:
                ends = both == "||"
                if left is ends or right is ends:
                    return ends
                return not ends if isinstance(left, bool) and isinstance(right, bool) else UNKNOWN
            case "===" | "==" if UNKNOWN not in (left, right):
                return left == right
            case "!==" | "!=" if UNKNOWN not in (left, right):
                return left != right
        return UNKNOWN

    def _asked(self, call: tree_sitter.Node, known: Mapping[str, str], depth: int) -> object:
        """`list.includes(x)`, `x.startsWith("y")`, `/x/.test(y)`."""
        function = unwrapped(call.child_by_field_name("function"))
        given = arguments(call)
        name = self._code.constants.member(function) if function is not None and len(given) == 1 else None
        if function is None or name is None:
            return UNKNOWN
        receiver = unwrapped(function.child_by_field_name("object"))
        asked = self._value(given[0], known, depth + 1)
        if not isinstance(asked, str) or receiver is None:
            return UNKNOWN
        if name == "test" and receiver.type == "regex":
            return _matches(self._code.text(receiver), asked)
        if name == "has" and receiver.type == "new_expression":
            listed = receiver.child_by_field_name("arguments")
            receiver = listed.named_children[0] if listed is not None and listed.named_children else receiver
        value = self._value(receiver, known, depth + 1)
        if name in ("includes", "has") and isinstance(value, list | str) and UNKNOWN not in value:
            return asked in value
        return value.startswith(asked) if name == "startsWith" and isinstance(value, str) else UNKNOWN


def _matches(written: str, text: str) -> object:
    """Plain alternatives only: what `(chromium|webkit)` and the like mean is the same everywhere."""
    pattern, _, options = written[1:].rpartition("/")
    if not re.fullmatch(r"[\w|^$()?:-]*", pattern):
        return UNKNOWN
    try:
        return re.search(pattern, text, re.IGNORECASE if "i" in options else 0) is not None
    except re.error:
        return UNKNOWN
