"""The commands that Python task files run, and which of them may fail without anybody noticing.

Rules:

- A command is run by a method `run` (nox, invoke), by `subprocess`, `os.system` or `pytest.main`, by whatever name they
  are imported, or by a function of the file that hands its parameter on to one of them.
- A failed command raises (`check=True`, `check_call`, a session's `run`), or its status has to be looked at: returned
  to somebody who looks, given to `exit`, compared, kept. Printing it is no look.
- What raises may be caught: then the handler must raise, exit with something else than 0, or note the failure in a
  name that is used later on.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.config.python_tasks.loops import looped
from ralph.guardrails.config.python_tasks.maps import is_unread
from ralph.guardrails.config.python_tasks.started import is_cut_off, started
from ralph.guardrails.config.python_tasks.words import written
from ralph.syntax import parse, walk
from ralph.system.patterns import later

RAISING = later(r"\.(?:run|run_always|run_install)$")
STATUS = frozenset(("run", "call", "Popen", "system", "getstatusoutput"))
CHECKED = frozenset(("check_call", "check_output"))
IMPORTED = later(
    r"(?m)^[ \t]*from (?P<module>subprocess|os|pytest) import \(?(?P<names>[^)\n#]*(?:\n[^)\n#]*)*?)(?:\)|$)"
)
RENAMED = later(r"(?m)^[ \t]*import (?P<module>subprocess|os|pytest) as (?P<name>\w+)")
CATCHES = later(
    r"^except\*?\s*$|CalledProcessError|SubprocessError|Exception|SystemExit|UnexpectedExit|CommandFailed|Failure"
)
SUPPRESSES = later(r"with [^\n:]*\bsuppress\([^\n:]*(?:Error|Exception|Exit|CommandFailed|Failure)\b")
ENDS = later(r"\braise\b|\b_?exit\((?!\s*0?\s*\))|\breturn\s+(?:[1-9]|\w+\.|False)|\.error\(")
LEAVES = later(r"(?:return|raise)\b|\w+\.(?:skip|error)\(|(?:sys\.|os\._)?(?:exit|quit)\(")
NOTED = later(r"(?m)(?<![\w.])(?P<name>[A-Za-z_]\w*)(?:\s*(?:\||\+|-)?=(?!=)|\.(?:append|add|extend)\()")
SHOWN = later(r"(?:print|echo|\w+\.(?:print|echo|log|debug|info|warning|warn|error|write))$")
MADE = later(r"tools\.(\w+)(?:\.\w+)?\(")
"""A command of duty's that is put together by a function of its name: `tools.mypy("src")`."""
WAITING = frozenset((b"wait", b"poll", b"kill", b"terminate"))
OUTPUT = frozenset((b"stdout", b"stderr", b"args", b"output", b"communicate"))
STARTED = frozenset(("create_subprocess_exec", "create_subprocess_shell"))
DEPTH = 4

Node = tree_sitter.Node


def commands(text: str) -> Iterator[tuple[str, int]]:
    """(shell text, line): `session.run("pytest", "-q")`, `subprocess.run(["pytest"])`, as far as it is written out."""
    for call in Tasks(text).calls:
        words = call.words
        if words:
            yield (words[0] if len(words) == 1 else shlex.join(words)), call.line


def forgiven(text: str) -> frozenset[int]:
    """The lines whose commands may fail."""
    tasks = Tasks(text)
    return frozenset(call.line for call in tasks.calls if tasks.may_fail(call))


def unreached(text: str) -> frozenset[int]:
    """The lines behind a statement that leaves the function, or the file: `return`, `session.skip()`, `exit()`."""
    lines: set[int] = set()
    root = parse("python", text.encode("utf-8", "replace")).root_node
    for node in walk(root):
        body = (
            root if node == root else node.child_by_field_name("body") if node.type == "function_definition" else None
        )
        statements = body.named_children if body is not None else []
        left = next((each for each in statements if LEAVES.match(_text(each))), None)
        if left is not None and body is not None:
            lines |= set(range(left.end_point.row + 2, body.end_point.row + 2))
    return frozenset(lines)


class Call:
    """A call that runs a command. `name`: `run` and its like of the library; empty for a method that raises.
    `item`: what a loop gives it in one of its rounds. `by`: the call in the helper that it goes through."""

    def __init__(self, node: Node, given: Node, name: str, item: Node | None = None, by: Call | None = None) -> None:
        self.node, self.arguments, self.name, self._item, self.by = node, given, name, item, by
        self.line = (item or node).start_point.row + 1

    @property
    def given(self) -> list[Node]:
        return [child for child in self.arguments.named_children if child.type != "comment"]

    @property
    def words(self) -> list[str]:
        given = self.given if self._item is None else [self._item]
        is_list = bool(given) and given[0].type in ("list", "tuple")
        listed = given[0].named_children if is_list else given
        words = [word for child in listed for word in written(child)]
        if words[:1] == [None] and (made := MADE.match(_text(listed[0]))):
            words[0] = made[1]
        elif words[:1] == [None] and (_text(listed[0]).endswith("executable") or words[1:2] == ["-m"]):
            words[0] = "python"
        found = started([word for word in words if word is not None], self.by or self, listed=is_list)
        return ["pytest", *found] if self.name == "main" else found

    def keyword(self, key: str) -> str:
        for child in self.arguments.named_children:
            if child.type == "keyword_argument" and _text(child.child_by_field_name("name")) == key:
                return _text(child.child_by_field_name("value"))
        return ""


class Tasks:
    def __init__(self, text: str) -> None:
        self.text = text
        self.root = parse("python", text.encode("utf-8", "replace")).root_node

    @cached_property
    def _names(self) -> dict[str, str]:
        """What the file calls the functions of the libraries."""
        modules = [("subprocess", "sp"), *((each, each) for each in ("subprocess", "os", "pytest", "asyncio"))]
        modules += [(match["module"], match["name"]) for match in RENAMED.finditer(self.text)]
        known = {"subprocess": STATUS - {"system"} | CHECKED, "os": {"system"}, "pytest": {"main"}, "asyncio": STARTED}
        found = {f"{name}.{each}": each for module, name in modules for each in known[module]}
        for match in IMPORTED.finditer(self.text):
            for each in match["names"].split(","):
                name, _, other = each.strip().partition(" as ")
                if name in known[match["module"]]:
                    found[(other or name).strip()] = name
        return found

    @cached_property
    def _all(self) -> list[tuple[Node, Node, str]]:
        """Every call with its arguments and the text of what is called."""
        found = []
        for node in walk(self.root):
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if node.type == "call" and function is not None and arguments is not None:
                found.append((node, arguments, _text(function)))
        return found

    @cached_property
    def _direct(self) -> list[Call]:
        return [
            Call(node, arguments, self._names.get(function, ""))
            for node, arguments, function in self._all
            if function in self._names or RAISING.search(function)
        ]

    @cached_property
    def _helpers(self) -> dict[str, Call]:
        """Functions that run what they are given."""
        found = {}
        for call in self._direct:
            function = _function(call.node)
            name = _text(function.child_by_field_name("name")) if function is not None else ""
            parameters = _text(function.child_by_field_name("parameters")) if function is not None else ""
            first = next((each for each in call.arguments.named_children if each.type != "comment"), None)
            given = re.search(r"[A-Za-z_]\w*", _text(first)) if first is not None else None
            word = given[0] if given and first is not None and "string" not in first.type else ""
            if name and word and re.search(rf"\b{word}\b", parameters):
                found[name] = call
        return found

    @cached_property
    def calls(self) -> list[Call]:
        handed = [
            Call(node, arguments, f"def {function}", by=self._helpers[function])
            for node, arguments, function in self._all
            if function in self._helpers and function not in self._names
        ]
        found = sorted([*self._direct, *handed], key=lambda call: call.node.start_byte)
        return [each for call in found for each in self._rounds(call)]

    def _rounds(self, call: Call) -> list[Call]:
        """The call, or one for each command that a loop gives it."""
        items = looped(call.given[0], self.root) if call.given else None
        return (
            [call] if items is None else [Call(call.node, call.arguments, call.name, item, call.by) for item in items]
        )

    def may_fail(self, call: Call) -> bool:
        codes, helper = call.keyword("success_codes"), call.by
        if call.keyword("dry") == "True" or re.search(r"[1-9]|range", codes) or self._caught(call.node):
            return True
        if (helper or call).name == "system" and is_cut_off(call.node, self.root):
            return True
        if helper is not None:
            if _is_returned(helper.node):
                return self._raises_nothing(helper) and self._ignored(call.node)
            return self.may_fail(helper)
        return self._raises_nothing(call) and self._ignored(call.node)

    def _raises_nothing(self, call: Call) -> bool:
        if not call.name:
            return "True" in (call.keyword("warn"), call.keyword("nofail")) or call.keyword("check") == "False"
        return call.name not in CHECKED and call.keyword("check") in ("", "False")

    def _ignored(self, node: Node, depth: int = 0) -> bool:
        """Nobody looks at the value."""
        above = node.parent
        if above is None or above.type == "expression_statement":
            return True
        match above.type:
            case "attribute":
                return self._of_attribute(above, depth)
            case "parenthesized_expression" | "await" | "interpolation" | "string":
                return self._ignored(above, depth)
            case "assignment" | "augmented_assignment":
                left = above.child_by_field_name("left")
                return left is not None and left.type == "identifier" and not self._used(above, left, depth)
            case "argument_list" if above.parent is not None and above.parent.type == "call":
                return SHOWN.match(_text(above.parent.child_by_field_name("function"))) is not None
            case "return_statement":
                return self._callers_ignore(above, depth)
            case "pair" | "expression_list" | "tuple":
                return is_unread(node, self.text)
        return False

    def _of_attribute(self, attribute: Node, depth: int) -> bool:
        name = attribute.child_by_field_name("attribute")
        asked = attribute.parent
        if name is not None and name.text in OUTPUT:
            return True
        if name is not None and name.text in WAITING and asked is not None and asked.type == "call":
            return self._ignored(asked, depth)
        return name is not None and name.text != b"check_returncode" and self._ignored(attribute, depth)

    def _used(self, assignment: Node, name: Node, depth: int) -> bool:
        """The name is looked at before it is set anew in the same block."""
        scope = _function(assignment) or self.root
        own, block = assignment.parent, assignment.parent.parent if assignment.parent is not None else None
        for node in walk(scope):
            if node.type != "identifier" or node.text != name.text or node.start_byte <= assignment.end_byte:
                continue
            above = node.parent
            if above is not None and above.type == "assignment" and above.child_by_field_name("left") == node:
                held = above.parent.parent if above.parent is not None else None
                again = _text(above.child_by_field_name("right"))
                if own is not None and held == block and not re.search(rf"\b{_text(name)}\b", again):
                    return False
                continue
            if not self._ignored(node, depth):
                return True
        return False

    def _callers_ignore(self, statement: Node, depth: int) -> bool:
        function = _function(statement)
        if function is None or depth >= DEPTH or any(each.type == "decorator" for each in _siblings(function)):
            return False
        name = _text(function.child_by_field_name("name"))
        callers = [node for node, _, called in self._all if called == name]
        return bool(callers) and all(self._ignored(node, depth + 1) for node in callers)

    def _caught(self, node: Node) -> bool:
        """Inside a `try` or `with` that takes the failure, and nobody hears of it."""
        child, above = node, node.parent
        while above is not None and above.type != "function_definition":
            if above.type == "with_statement" and SUPPRESSES.match(_text(above)):
                return True
            tried = above.type == "try_statement" and child == above.child_by_field_name("body")
            if tried and any(self._swallows(each, above) for each in above.named_children):
                return True
            child, above = above, above.parent
        return False

    def _swallows(self, clause: Node, whole: Node) -> bool:
        kinds, _, rest = _text(clause).partition(":")
        if clause.type == "finally_clause":
            return re.search(r"(?m)^\s*return\b", rest) is not None
        if clause.type != "except_clause" or not CATCHES.search(kinds) or ENDS.search(rest):
            return False
        scope = _function(whole)
        end = scope.end_byte if scope is not None else self.root.end_byte
        after = (self.root.text or b"")[whole.end_byte : end].decode("utf-8", "replace")
        return not any(re.search(rf"\b{match['name']}\b", after) for match in NOTED.finditer(rest))


def _function(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type != "function_definition":
        above = above.parent
    return above


def _siblings(node: Node) -> list[Node]:
    return node.parent.named_children if node.parent is not None and node.parent.type == "decorated_definition" else []


def _is_returned(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type in ("attribute", "parenthesized_expression", "await"):
        above = above.parent
    return above is not None and above.type == "return_statement"


def _text(node: Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")
