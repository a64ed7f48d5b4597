"""Helpers of tests that wait for a condition, and end well where it never held (policy set v2, class G05).

Rule: a function beside tests asks what it is given (`while (!condition())`, `if (await check()) return`) until a limit
of time or of rounds, and at the limit it only returns: all that is awaited holds. It counts as failing if it throws,
rejects or asserts, asks once more behind the loop, or answers whether it held. A promise that rejected at the limit and
now resolves is the same. Of assertions that are waited for see `common.failures.awaiting`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import tree_sitter

from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.files import Touched, holding
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_support
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORDS = (r"\b(?:while|for)\b|setinterval|settimeout|\bbreak\b|\breturn\b|throw|reject|resolve",)
LOOPS = frozenset({"while_statement", "do_statement", "for_statement", "for_in_statement"})
LOOPING = later(rb"\b(?:while|for)\b\s*(?:await\b\s*)?[(/]")
"""What the base had not must have a loop to block."""
WAITS = later(r"(?i).*(?:wait|until|eventual|poll|settle).*")
FAILS = later(
    r"\bthrow\b|(?i:\b\w*(?:reject|fail|assert|expect|abort)\w*\s*[(.])|\b(?:expect|exit|done|check|ensure|require)\w*\s*\("
)
ANSWERS = later(r"\breturn\b[ \t]*(?!new Promise\b|undefined\b|null\b)[^\s;}]|\bresolve\(\s*[^)\s]|\byield\b")
TELLS = later(r"(?:console|log\w*)\.\w+\((?:[^()]|\([^()]*\))*\)")
TIMERS = later(r"\bset(?:Interval|Timeout)\b")
LIMITED = later(r"&&|\|\||[<>]")


def forgetful(files: Sequence[Touched]) -> Iterator[Hit]:
    beside = [each for each in files if is_test_file(each.file.path) or is_support(each.file.path)]
    for sides in holding(beside, WORDS):
        old = [code(source) for source in sides.before.sources]
        known = {each.name: each for source in old for each in _helpers(source)}
        for source in (each for each in sides.after.sources if known or is_in(LOOPING, each.data)):
            for helper in _helpers(code(source), known):
                was = known.get(helper.name)
                if helper.forgets(was) and (was is None or not was.forgets(None)):
                    detail = f"{helper.name}: what it waits for may never hold"
                    hit = source.hit("test.weakened", helper.node, helper.name, detail=detail)
                    yield sides.after.in_git_lines(hit)


def _helpers(code: Code, known: Container[str] | None = None) -> Iterator[_Helper]:
    """`known`: those of the base; of others only those that are called as what waits are looked at."""
    for node in code.names.naming:
        name = _name(code, node) if node.type in FUNCTIONS else ""
        if name and (known is None or name in known or WAITS.fullmatch(name)) and (given := _given(code, node)):
            yield _Helper(code, node, name, given)


def _name(code: Code, function: tree_sitter.Node) -> str:
    parent = code.names.parent(function)
    name = function.child_by_field_name("name")
    if (
        name is None
        and parent is not None
        and parent.type in ("variable_declarator", "pair", "public_field_definition")
    ):
        name = parent.child_by_field_name("name") or parent.child_by_field_name("key")
    elif name is None and parent is not None and parent.type == "assignment_expression":
        name = parent.child_by_field_name("left")
    return code.text(name).rpartition(".")[2]


def _given(code: Code, function: tree_sitter.Node) -> frozenset[str]:
    """The names of its parameters."""
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    words = code.source.walk(listed) if listed is not None else ()
    return frozenset(code.text(node) for node in words if node.type == "identifier")


class _Helper:
    def __init__(self, code: Code, node: tree_sitter.Node, name: str, given: frozenset[str]) -> None:
        self._code, self.node, self.name, self._given = code, node, name, given
        self._text = TELLS.sub("", code.source.text(node))

    def forgets(self, was: _Helper | None) -> bool:
        """`was`: the same function of the base."""
        if self._fails() or ANSWERS.search(self._text):
            return False
        asked = [loop for loop in self._loops() if any(_holds(loop, call) for call in self._asked())]
        if was is not None and was._fails() and was._asked() and self._asked():
            return any(map(self._is_left, asked)) if asked else TIMERS.search(self._text) is not None
        last = max((loop.end_byte for loop in asked), default=0)
        again = any(call.start_byte >= last for call in self._asked())
        return WAITS.fullmatch(self.name) is not None and not again and any(map(self._is_left, asked))

    def _fails(self) -> bool:
        """What it asks is no assertion, whatever it is called."""
        return any(match[0].strip(" (.") not in self._given for match in FAILS.finditer(self._text))

    def _loops(self) -> list[tree_sitter.Node]:
        return [node for node in self._code.source.walk(self.node) if node.type in LOOPS]

    def _asked(self) -> list[tree_sitter.Node]:
        """Calls of what it is given whose answer decides something."""
        calls = self._code.calls_between(self.node.start_byte, self.node.end_byte)
        return [call for call in calls if self._callee(call) in self._given and self._decides(call)]

    def _callee(self, call: tree_sitter.Node) -> str:
        return self._code.text(call.child_by_field_name("function")).partition(".")[0]

    def _decides(self, call: tree_sitter.Node) -> bool:
        child = call
        for above in self._code.names.above(call):
            if above.type in (*LOOPS, "if_statement", "ternary_expression"):
                return child == above.child_by_field_name("condition")
            if above.type == "variable_declarator" or above.type == "assignment_expression":
                return True
            if above.type in ("expression_statement", "return_statement") or above.type in FUNCTIONS:
                return False
            child = above
        return False

    def _is_left(self, loop: tree_sitter.Node) -> bool:
        """It ends, too, where nothing that was asked held."""
        condition = loop.child_by_field_name("condition")
        if loop.type == "for_in_statement":
            return True
        limited = condition is not None and LIMITED.search(self._code.text(condition)) is not None
        if limited and not (loop.type == "for_statement" and condition is None):
            return True
        return any(self._gives_up(node) for node in self._code.source.walk(loop))

    def _gives_up(self, node: tree_sitter.Node) -> bool:
        """`if (Date.now() > end) break;`"""
        then, condition = node.child_by_field_name("consequence"), node.child_by_field_name("condition")
        if node.type != "if_statement" or then is None or condition is None:
            return False
        if any(_holds(condition, call) for call in self._asked()) or not LIMITED.search(self._code.text(condition)):
            return False
        return any(each.type in ("break_statement", "return_statement") for each in self._code.source.walk(then))


def _holds(outer: tree_sitter.Node, inner: tree_sitter.Node) -> bool:
    return outer.start_byte <= inner.start_byte < outer.end_byte
