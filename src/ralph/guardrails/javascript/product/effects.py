"""What of the data changes where product code found out that it is tested (policy set v2, class G07).

Rules:

- A branch that gives a variable or a table of the file another constant changes answers: it blocks where a runner was
  found, and where a mode was found if one number of a table takes the place of another, if the variable is then
  calculated with in what the function returns, or if it is one more or less than it would be.
- So does a choice of the module between two ways to do something, where a runner was found and a function does it in
  the one that was chosen: `const lock = process.env.VITEST ? mutex : none`. Doubles are none, by their names.
- So does what gives a variable its own value in another form (`text = text.trim()`) where a runner was found.
- What tests honestly set is no such thing: flags, levels, ports, addresses, waiting times, names of databases, what is
  called to be made, what is given to `process.env` or exported.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

_QUIET = later(
    r"(?i).*(?:level|log|silent|verbos|quiet|debug|trace|timeout|delay|interval|debounce|throttle|wait|sleep|backoff|retr(?:y|ies)"
    r"|attempt|port|host|url|uri|origin|endpoint|path|dir|folder|file|database|\bdb|conn|pool|worker|concurren|rounds|salt|cost|ttl"
    r"|cache|env|mode|test|mock|flag|enabled?|disabled?|animat|duration|metric|telemetry|analytics|storage|batch|poll|sample|limit"
    r"|prefix|suffix|name|key|version|options?|config|settings).*"
)
"""Names of what tests may set without another answer."""
_PLAIN = later(r"(?i).*(?:test|silent|mock|memory|local|fake|stub|sqlite|noop|none|off|error|warn|debug).*")
_SUMS = frozenset({"+", "-", "*", "/", "%", "**"})
_PASSES = frozenset({"parenthesized_expression", "unary_expression", "as_expression", "non_null_expression"})
_ASSIGNS = frozenset({"assignment_expression", "augmented_assignment_expression", "update_expression"})
_MADE = frozenset({"call_expression", "new_expression", "await_expression", "true", "false", "null", "undefined"})
_WAYS = frozenset({"identifier", "new_expression", *FUNCTIONS, *ACCESSES, "object"})
_WORKER = later(r"WORKER|_ID\b|POOL")
_CHANGED = later(
    r"at|concat|filter|flat(?:Map)?|join|map|normalize|pad(?:End|Start)|repeat|replace(?:All)?|reverse|slice|sort|split|substr"
    r"|substring|to(?:LowerCase|Reversed|Sorted|UpperCase)|trim(?:End|Start)?"
)
"""What gives a text or a list in another form."""
_GOES = later(
    r"sort|toSorted|map|flatMap|filter|reduce(?:Right)?|find(?:Last)?(?:Index)?|some|every|forEach|groupBy|sortBy|orderBy"
)
"""Methods that do with each element what they are told."""
_TABLES = frozenset({"set", "push", "unshift", "add", "splice", "fill"})


class Effects:
    def __init__(self, code: Code) -> None:
        self._code = code

    def of(self, branches: list[tree_sitter.Node], by_runner: bool) -> bool:
        """A branch changes data that answers are made of."""
        return any(self._changes(node, by_runner) for branch in branches for node in self._code.source.walk(branch))

    def names(self, value: tree_sitter.Node, by_runner: bool) -> bool:
        """`value`, which depends on being tested, is a number of the module, or is calculated with and returned."""
        parent = self._code.names.parent(value)
        while parent is not None and parent.type in _PASSES:
            parent = self._code.names.parent(parent)
        name = parent.child_by_field_name("name") or parent.child_by_field_name("key") if parent is not None else None
        if parent is None or name is None or parent.type not in ("variable_declarator", "pair") or self._is_quiet(name):
            return False
        answers = [value.child_by_field_name(each) for each in ("consequence", "alternative")]
        numbers = all(each is not None and self._is_number(each) for each in answers)
        if parent.type == "variable_declarator" and (self._is_calculated(name) or self._is_shifted(answers)):
            return True
        if parent.type == "variable_declarator" and by_runner and self._is_done(name, answers):
            return True
        return by_runner and numbers

    def _is_done(self, name: tree_sitter.Node, answers: list[tree_sitter.Node | None]) -> bool:
        """Both answers are ways to do something, and a function does it: it calls the name, or a method of it."""
        ways = [unwrapped(each) for each in answers]
        if any(way is None or way.type not in _WAYS or _PLAIN.match(self._code.text(way)) for way in ways):
            return False
        wanted = self._code.names.name(name)
        done = (call for call in self._code.names.of_types("call_expression") if wanted in self._does(call))
        return any(above.type in FUNCTIONS for call in done for above in self._code.names.above(call))

    def _does(self, call: tree_sitter.Node) -> set[str]:
        """The name that is called, and what a method of a list is told to do with its elements."""
        function = unwrapped(call.child_by_field_name("function"))
        member = self._code.constants.member(function) if function is not None and function.type in ACCESSES else None
        given = (unwrapped(each) for each in (arguments(call) if _GOES.fullmatch(member or "") else ()))
        told = {self._code.names.name(each) for each in given if each is not None and each.type == "identifier"}
        return told | {self._called(call)}

    def _called(self, call: tree_sitter.Node) -> str:
        """The name that is called, or whose method is."""
        called = unwrapped(call.child_by_field_name("function"))
        if called is not None and called.type in ACCESSES:
            called = unwrapped(called.child_by_field_name("object"))
        return self._code.names.name(called) if called is not None and called.type == "identifier" else ""

    def _is_shifted(self, answers: list[tree_sitter.Node | None]) -> bool:
        """`limit + 1` and `limit`: one answer is the other one, and a number more or less."""
        one, other = (unwrapped(each) for each in answers)
        if one is None or other is None:
            return False
        for whole, part in ((one, other), (other, one)):
            operator = whole.child_by_field_name("operator") if whole.type == "binary_expression" else None
            sides = [unwrapped(whole.child_by_field_name(side)) for side in ("left", "right")]
            if operator is not None and operator.type in _SUMS and part.text in [each and each.text for each in sides]:
                return any(each is not None and self._is_number(each) for each in sides)
        return False

    def _changes(self, node: tree_sitter.Node, by_runner: bool) -> bool:
        if node.type == "call_expression":
            return by_runner and self._is_merged(node)
        if node.type not in _ASSIGNS:
            return False
        target = unwrapped(node.child_by_field_name("left") or node.child_by_field_name("argument"))
        if target is None or not self._is_own(target) or self._is_quiet(target):
            return False
        value = unwrapped(node.child_by_field_name("right"))
        if by_runner and value is not None and self._is_made_of(target, value):
            return True
        if value is not None and not self._is_data(value):
            return False
        if by_runner:
            return True
        if target.type == "identifier":
            return self._is_calculated(target)
        return value is not None and self._is_number(value) and self._had_number(target)

    def _is_made_of(self, target: tree_sitter.Node, value: tree_sitter.Node) -> bool:
        """`text = text.trim().replace("!", "")`: what is worked on, changed on its way."""
        node: tree_sitter.Node | None = value
        while node is not None and node.type in ("call_expression", *ACCESSES):
            if node.type in ACCESSES and not _CHANGED.fullmatch(self._code.constants.member(node) or ""):
                break
            node = unwrapped(node.child_by_field_name("function") or node.child_by_field_name("object"))
        return node is not None and node != value and node.text == target.text

    def _is_merged(self, call: tree_sitter.Node) -> bool:
        """`Object.assign(UNITS, {h: 3600})`, `UNITS.set("h", 3600)`."""
        given = arguments(call)
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or len(given) < 1 or function.type not in ACCESSES:
            return False
        target = given[0] if self._code.origins.of(function) == ("Object", "assign") else None
        name = self._code.constants.member(function)
        if target is None and name in _TABLES and self._is_table(function.child_by_field_name("object")):
            target = function.child_by_field_name("object")
        if target is None or not self._is_own(target) or self._is_quiet(target):
            return False
        return all(self._is_data(part) for part in given[1:] or given)

    def _is_table(self, node: tree_sitter.Node | None) -> bool:
        binding = self._code.names.binding(node) if node is not None and node.type == "identifier" else None
        value = unwrapped(binding.value) if binding is not None and binding.kind == "value" else None
        if value is None:
            return False
        made = self._code.text(value.child_by_field_name("constructor")) if value.type == "new_expression" else ""
        return value.type in ("array", "object") or made in ("Map", "Set")

    def _is_own(self, target: tree_sitter.Node) -> bool:
        """A variable that the file gives a value, or a part of one."""
        node: tree_sitter.Node | None = target
        while node is not None and node.type in ACCESSES:
            node = unwrapped(node.child_by_field_name("object"))
        if node is not None and node.type == "this":
            return True
        binding = self._code.names.binding(node) if node is not None and node.type == "identifier" else None
        return binding is not None and binding.kind in ("value", "parameter")

    def _is_quiet(self, target: tree_sitter.Node) -> bool:
        return any(_QUIET.fullmatch(word) for word in self._code.text(target).replace("[", ".").split("."))

    def _is_data(self, value: tree_sitter.Node) -> bool:
        """A constant, or something calculated; nothing that is made, switched or told from other workers."""
        text = self._code.text(value)
        if value.type in FUNCTIONS or text in ('""', "''", "[]", "{}", "undefined") or _WORKER.search(text):
            return False
        if value.type in ("string", "template_string") and _PLAIN.fullmatch(text):
            return False
        made = (part for part in self._code.source.walk(value) if part.type in _MADE)
        return all(part.type == "call_expression" and self._is_sum(part) for part in made)

    def _is_sum(self, call: tree_sitter.Node) -> bool:
        path = self._code.origins.of(call.child_by_field_name("function"))
        return path is not None and path[0] in ("Math", "Number", "BigInt", "parseInt", "parseFloat")

    def _is_number(self, value: tree_sitter.Node) -> bool:
        return isinstance(self._code.constants.value(value), float)

    def _had_number(self, target: tree_sitter.Node) -> bool:
        """The table that is changed has a number at that place."""
        table = self._code.constants.object_of(target.child_by_field_name("object"))
        name = self._code.constants.member(target)
        options = self._code.constants.options(table) if table is not None else ()
        return any(each == name and self._is_number(value) for each, value, _ in options)

    def _is_calculated(self, name: tree_sitter.Node) -> bool:
        """What the function returns is calculated from the variable."""
        function = next((above for above in self._code.names.above(name) if above.type in FUNCTIONS), None)
        return function is not None and any(self._is_part(use) for use in self._uses(name, function))

    def _uses(self, name: tree_sitter.Node, function: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        wanted = self._code.names.name(name)
        for node in self._code.source.walk(function):
            if node.type == "identifier" and self._code.names.name(node) == wanted:
                yield node

    def _is_part(self, node: tree_sitter.Node) -> bool:
        calculated = False
        for above in self._code.names.above(node):
            operator = above.child_by_field_name("operator") if above.type == "binary_expression" else None
            if operator is not None and operator.type in _SUMS:
                calculated = True
            elif above.type == "return_statement":
                return calculated
            elif above.type == "arrow_function":
                body = above.child_by_field_name("body")
                return calculated and body is not None and body.type != "statement_block"
            elif above.type == "call_expression":
                if not self._is_sum(above):
                    return False
            elif above.type not in _PASSES and above.type != "arguments":
                return False
        return False
