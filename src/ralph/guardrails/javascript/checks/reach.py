"""Whether an assertion is reached, how often, and whether its failure reaches the runner (test inventory, class G05).

Going outwards from the assertion to its test: what returns before it, conditions, loops, `try`, callbacks, promises
that nobody waits for. Callbacks of functions that are not known are taken to be called once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import ONLY_THROWN, SWALLOWED, Grade
from ralph.guardrails.javascript.checks.swallow import Swallow
from ralph.guardrails.javascript.checks.thrown_first import runs_always
from ralph.guardrails.javascript.checks.uncalled import Called, is_async
from ralph.guardrails.javascript.checks.waiting import is_forgotten, says
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.collected.nested import NESTED, is_nested
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.constants import UNKNOWN, Verdict
from ralph.guardrails.javascript.syntax.destructuring import key_of
from ralph.guardrails.javascript.syntax.emptiness import has_no_keys, runs_never
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, WRAPPERS, unwrapped
from ralph.record import record
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade
_LEAVES = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
_EACH = frozenset({"forEach", "map", "flatMap", "each", "for", "every", "some", "filter", "reduce", "find"})
_NO_ROUND = later(r"for\s*\([^;]*=\s*(\d+)\s*;\s*\w+\s*<\s*\1\s*;")
_DECLARED = frozenset({"function_declaration", "generator_function_declaration"})
_LATER = frozenset({"setTimeout", "setInterval", "setImmediate", "queueMicrotask", "requestAnimationFrame", "nextTick"})
_FAKES_TIME = later(rb"akeTimers|clock")
_PASSES = later(rb"advance\w*\(|run(?:All|Only|To)\w*\(|\.tick\w*\(|\.next\w*\(|flush\w*\(|\.setTime\(|\belapse\w*\(")


@record
class Reach:
    cap: Grade = EXACT
    times: int | None = 1
    why: str = ""

    def below(self, cap: Grade, why: str) -> Reach:
        return Reach(cap, self.times, why) if cap < self.cap else self

    def by(self, times: int | None) -> Reach:
        return Reach(self.cap, None if times is None or self.times is None else self.times * times, self.why)


NEVER = "it is never reached"
UNAWAITED = "nobody waits for it"
UNCALLED = "nobody calls it"


class Reaching:
    def __init__(self, code: Code, root: tree_sitter.Node, places: Sequence[tree_sitter.Node], sure: bool) -> None:
        self._code, self._root, self._places, self._sure = code, root, places, sure
        self._swallow, self._called = Swallow(code), Called(code, root)
        single = root.child_by_field_name("parameter")
        listed = root.child_by_field_name("parameters")
        params = [single] if single is not None else list(listed.named_children) if listed is not None else []
        patterns = [child.child_by_field_name("pattern") or child for child in params]
        self._reports = any(pattern.type in ("identifier", "required_parameter") for pattern in patterns)
        """The test takes `done` or a context, by which callbacks may report, and says its name; parts of one do not."""
        self._reports = self._reports and any(says(code, root, pattern) for pattern in patterns)
        self._is_script = root.type == "program"
        """What fails there ends the process, whether anybody waits for it or not."""

    def of(self, node: tree_sitter.Node) -> Reach:
        reach, child = Reach(), node
        for parent in self._code.names.above(node):
            if child == self._root:
                break
            reach = self._step(reach, child, parent)
            child = parent
        return reach

    def _step(self, reach: Reach, child: tree_sitter.Node, parent: tree_sitter.Node) -> Reach:
        if child.type in FUNCTIONS and child != self._root:
            reach = self._function(reach, child, parent)
        match parent.type:
            case "statement_block" | "program" | "switch_case" | "switch_default":
                reach = self._after(reach, child, parent)
                return reach.below(self._cap(), "it depends on a condition") if parent.type == "switch_case" else reach
            case "if_statement" | "ternary_expression":
                return self._branch(reach, child, parent)
            case "binary_expression":
                return self._guarded(reach, child, parent)
            case "try_statement":
                return self._tried(reach, child, parent)
            case "for_in_statement" if child == parent.child_by_field_name("body"):
                right, by_keys = parent.child_by_field_name("right"), parent.child_by_field_name("operator")
                if by_keys is not None and by_keys.type == "in" and has_no_keys(self._code.names, right):
                    return reach.below(NOTHING, "it runs for an empty list")
                return self._each(reach, right)
            case "for_statement" if child == parent.child_by_field_name("body"):
                return self._loop(reach, parent).by(None)
            case "while_statement" if child == parent.child_by_field_name("body"):
                return self._loop(reach, parent).by(None)
            case "arguments":
                return self._argument(reach, parent, child)
            case "member_expression" | "call_expression":
                swallowed = self._swallow.chain(child, parent)
                return reach.below(NOTHING, swallowed) if swallowed else reach
        return reach

    def _cap(self) -> Grade:
        """A test that counts its assertions notices one that did not run."""
        return EXACT if self._sure else EXISTS

    def _after(self, reach: Reach, child: tree_sitter.Node, block: tree_sitter.Node) -> Reach:
        for statement in block.named_children:
            if statement.start_byte >= child.start_byte:
                break
            if statement.type in _LEAVES:
                return reach.below(NOTHING, NEVER)
            if statement.type == "if_statement" and self._leaves(statement) and not self._holds(statement):
                reach = self._conditional(reach, statement.child_by_field_name("condition"), skips_when=True)
        return reach

    def _leaves(self, statement: tree_sitter.Node) -> bool:
        """`if (…) return;`: a `throw` there fails the test."""
        last = statement.child_by_field_name("consequence")
        if last is not None and last.type == "statement_block":
            last = next((child for child in reversed(last.named_children) if "comment" not in child.type), None)
        return last is not None and last.type in _LEAVES and last.type != "throw_statement"

    def _holds(self, node: tree_sitter.Node | None) -> bool:
        return node is not None and any(node.start_byte <= place.start_byte < node.end_byte for place in self._places)

    def _branch(self, reach: Reach, child: tree_sitter.Node, parent: tree_sitter.Node) -> Reach:
        yes, no = parent.child_by_field_name("consequence"), parent.child_by_field_name("alternative")
        condition = parent.child_by_field_name("condition")
        if child not in (yes, no) or (self._holds(yes) and self._holds(no) and self._constant(condition) is None):
            return reach
        return self._conditional(reach, condition, skips_when=child == no)

    def _guarded(self, reach: Reach, child: tree_sitter.Node, parent: tree_sitter.Node) -> Reach:
        operator = parent.child_by_field_name("operator")
        if operator is None or operator.type not in ("&&", "||", "??") or child != parent.child_by_field_name("right"):
            return reach
        return self._conditional(reach, parent.child_by_field_name("left"), skips_when=operator.type != "&&")

    def _conditional(self, reach: Reach, condition: tree_sitter.Node | None, *, skips_when: bool) -> Reach:
        constant = self._constant(condition)
        if constant is not None:
            return reach.below(NOTHING, NEVER) if constant == skips_when else reach
        if self._code.constants.judge(condition, skips_when) is Verdict.PLATFORM:
            return reach.below(CLOSE, "it depends on the platform")
        return reach.below(self._cap(), "it depends on a condition")

    def _constant(self, condition: tree_sitter.Node | None) -> bool | None:
        value = self._code.constants.value(condition)
        return None if value is UNKNOWN else bool(value)

    def _loop(self, reach: Reach, loop: tree_sitter.Node) -> Reach:
        condition = loop.child_by_field_name("condition")
        never = condition is not None and self._constant(condition) is False
        never = never or runs_never(self._code.names, condition)
        never = never or (loop.type == "for_statement" and _NO_ROUND.match(self._code.text(loop)) is not None)
        return reach.below(NOTHING, NEVER) if never else reach

    def _each(self, reach: Reach, values: tree_sitter.Node | None) -> Reach:
        if self._code.constants.is_empty_list(values):
            return reach.below(NOTHING, "it runs for an empty list")
        if self._code.constants.is_sieved(values):
            return reach.below(self._cap(), "it runs for what is left of a list")
        return reach.by(self._code.constants.length(values))

    def _tried(self, reach: Reach, child: tree_sitter.Node, parent: tree_sitter.Node) -> Reach:
        handler, last = parent.child_by_field_name("handler"), parent.child_by_field_name("finalizer")
        if last is not None and child != last and self._swallow.returns(last):
            return reach.below(NOTHING, SWALLOWED)
        if child == parent.child_by_field_name("body") and handler is not None and not self._swallow.passes_on(handler):
            if self._holds(handler):
                return reach.below(EXISTS, "its failure is caught")
            return reach.below(NOTHING, SWALLOWED)
        if child == handler and not self._swallow.fails(parent.child_by_field_name("body")):
            return reach.below(self._cap(), ONLY_THROWN)
        return reach

    def _argument(self, reach: Reach, listed: tree_sitter.Node, given: tree_sitter.Node) -> Reach:
        call = self._code.names.parent(listed)
        if call is not None and call.type == "call_expression":
            why = self._swallow.expected(call, given) or self._swallow.wrapper(call)
            return reach.below(NOTHING, why) if why else reach
        return reach

    def _function(self, reach: Reach, function: tree_sitter.Node, parent: tree_sitter.Node) -> Reach:
        """A callback, a function that is called at once, or one with a name."""
        if parent.type == "arguments":
            call = self._code.names.parent(parent)
            return self._callback(reach, function, call) if call is not None else reach
        if function.type in _DECLARED or parent.type == "variable_declarator":
            name = (function if function.type in _DECLARED else parent).child_by_field_name("name")
            called = name is None or self._called.may_be(name, function)
            waited = self._is_script or self._reports
            if name is not None and not waited and self._called.is_only_started(name, function):
                return reach.below(NOTHING, UNAWAITED)
            return reach if called else reach.below(NOTHING, UNCALLED)
        if not self._is_kept(function, parent):
            return reach.below(NOTHING, UNCALLED)
        call = self._called_at_once(parent)
        lost = call is not None and is_async(function) and not (self._is_script or self._is_awaited(call))
        return reach.below(NOTHING, UNAWAITED) if lost else reach

    def _called_at_once(self, parent: tree_sitter.Node) -> tree_sitter.Node | None:
        above = self._code.names.parent(parent) if parent.type == "parenthesized_expression" else None
        return above if above is not None and above.type == "call_expression" else None

    def _callback(self, reach: Reach, function: tree_sitter.Node, call: tree_sitter.Node) -> Reach:
        if call.type == "new_expression":
            lost = self._code.text(call.child_by_field_name("constructor")) == "Promise" and not self.is_awaited(call)
            return reach.below(NOTHING, UNAWAITED) if lost else reach
        if is_async(function) and self._swallow.is_only_settled(call, self._root):
            return reach.below(NOTHING, SWALLOWED)
        callee = unwrapped(call.child_by_field_name("function"))
        name = self._code.constants.member(callee) if callee is not None else None
        if name is None and callee is not None and callee.type == "identifier":
            name = self._code.names.name(callee)
        if name in _EACH and callee is not None and callee.type != "identifier":
            if is_forgotten(self._code, function, call, name, awaited=self._is_awaited(call)):
                reach = reach.below(NOTHING, UNAWAITED)
            return self._each(reach, callee.child_by_field_name("object"))
        if name in ("then", "finally", "catch"):
            second = name == "catch" or next(iter(arguments(call)), function) != function
            caught = callee.child_by_field_name("object") if callee is not None and name == "catch" else None
            second = second and not (caught is not None and runs_always(self._code, caught, function))
            reach = reach.below(self._cap(), "it only runs after a failure") if second and name != "finally" else reach
            return reach if self.is_awaited(call) else reach.below(NOTHING, UNAWAITED)
        if name == "waitFor" and not self.is_awaited(call):
            return reach.below(NOTHING, UNAWAITED)
        if is_nested(self._code, call):
            return reach.below(NOTHING, NESTED)
        if name in _LATER and not self._reports and not self._in_promise(call) and not self._has_fake_timers():
            return reach.below(NOTHING, UNAWAITED)
        return reach

    def _in_promise(self, node: tree_sitter.Node) -> bool:
        return any(above.type == "new_expression" for above in self._above_to_root(node))

    def _has_fake_timers(self) -> bool:
        """Time stands still where nothing lets it pass."""
        return all(pattern.search(self._code.source.data) for pattern in (_FAKES_TIME, _PASSES))

    def _above_to_root(self, node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        for above in self._code.names.above(node):
            if above == self._root:
                return
            yield above

    def _is_awaited(self, node: tree_sitter.Node) -> bool:
        """Awaited, returned, kept in a variable or handed on; an expression for its own sake is none of these."""
        child = node
        for above in self._code.names.above(node):
            if above.type in ("await_expression", "return_statement", "variable_declarator", "assignment_expression"):
                return True
            if above.type == "arrow_function" or above == self._root:
                return above.child_by_field_name("body") == child
            if above.type == "expression_statement":
                return False
            if above.type == "unary_expression" or above.type in FUNCTIONS:
                return False
            child = above
        return True

    def _is_kept(self, function: tree_sitter.Node, parent: tree_sitter.Node) -> bool:
        """Who holds the function may call it; a name of the test's own is asked. `void (() => {})` holds nothing."""
        outer: tree_sitter.Node | None = parent
        while outer is not None and outer.type in WRAPPERS:
            outer = self._code.names.parent(outer)
        if outer is not None and outer.type in ("unary_expression", "expression_statement"):
            return False
        if parent.type == "assignment_expression":
            left = parent.child_by_field_name("left")
            return left is None or not self._is_own(left) or self._called.may_be(left, function)
        key = function if function.type == "method_definition" else parent
        holder = self._code.names.parent(key) if key is not parent or parent.type == "pair" else parent
        above = self._code.names.parent(holder) if holder is not None and holder.type in ("object", "array") else None
        name = above.child_by_field_name("name") if above is not None and above.type == "variable_declarator" else None
        if name is None or not self._is_own(name):
            return True
        named = key.child_by_field_name("key") or key.child_by_field_name("name")
        at = self._code.constants.property_name(key_of(self._code.source, named)) if named is not None else None
        return self._called.member_may_be(name, at, function)

    def _is_own(self, name: tree_sitter.Node) -> bool:
        """A variable that the test itself declares."""
        declared = (
            node.child_by_field_name("name")
            for node in self._code.source.walk(self._root)
            if node.type == "variable_declarator"
        )
        return name.type == "identifier" and any(each is not None and each.text == name.text for each in declared)

    def is_awaited(self, node: tree_sitter.Node) -> bool:
        return self._is_script or self._reports or self._is_awaited(node)
