"""Leaving the process with success before the runner can report (policy set v2, class G08).

Rules:

- In tests and what supports them (setup, teardown, reporters) an exit with status 0 blocks, unless the file replaces
  `process.exit` to look at the call. A script among tests that also exits with another status is for a person.
- A handler of `exit`, `beforeExit` or of errors nobody caught that exits with 0, or sets `exitCode` to 0, blocks.
- Product code with a test of its own that exits with 0 from inside a function blocks: the test's run is a success then.
  Without such a test it is for a person. Commands, handlers of signals and functions called `main`, `shutdown` and the
  like may end the process.
- Replacing `process.exit` outside of tests blocks.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_command, is_config, is_support
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.constants import UNKNOWN
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

WORDS = (r"\bexit(?:Code)?\b|uncaughtException|unhandledRejection", r"reallyExit", r"\bprocess\s*(?:\?\.)?\[")

_EXITS = frozenset({("process", "exit"), ("process", "reallyExit"), ("Deno", "exit"), ("Bun", "exit")})
IN_PRODUCT = "js.exit-in-product"

_LISTENS = frozenset({"on", "once", "addListener", "prependListener", "prependOnceListener"})
_ENDS = frozenset({"exit", "beforeExit"})
_ERRORS = frozenset({"uncaughtException", "unhandledRejection", "uncaughtExceptionMonitor"})
_MAY_EXIT = later(
    r"(?i).*(?:main|run|start|shutdown|shut_?down|exit|quit|stop|close|terminate|abort|die|help|usage|version|cleanup|"
    r"signal|handler|bail|command|action|cli|install|prompt|cancel|listen|serve|restart|finish|bootstrap).*"
)
_REPORTS = later(r"on(?:Run(?:Complete|Start)|Test\w+|TaskUpdate|Finished|PathsCollected|Watcher\w+)|setupNodeEvents")
"""What reporters and plugins of test runners call their methods."""
_CHAINED = frozenset({"then", "finally", "catch", "action", "command", "close", "end", "listen", "once", "on", "parse"})
_EXPORTS = later(rb"(?m)^export\b|\bexports\s*[.=\[]")
_LEADS_OUT = later(rb"(?:spyOn|stub|replace|method)\s*\(\s*process\s*,\s*[\"'`]exit|process\.exit\s*=[^=]")


def exits(source: Source) -> Iterator[Hit]:
    """Everything that one side of a file can tell by itself; exits of product code are told apart by `beside_tests`."""
    yield from _Exits(code(source)).hits()


def leaving(source: Source) -> Iterator[Hit]:
    """Exits with success of a file that a test runner loads, wherever it stands."""
    yield from _Exits(code(source)).in_loaded()


class _Exits:
    def __init__(self, code: Code) -> None:
        self._code = code
        self._path = code.source.path

    @cached_property
    def _found(self) -> list[tree_sitter.Node]:
        of = self._code.origins.of
        return [call for call in self._code.calls if of(call.child_by_field_name("function")) in _EXITS]

    @cached_property
    def _is_honest(self) -> bool:
        return any(self._status(call) not in (0.0, UNKNOWN) for call in self._found)

    def in_loaded(self) -> Iterator[Hit]:
        for call in self._found if not self._is_honest and not _LEADS_OUT.search(self._code.source.data) else ():
            if self._status(call) == 0.0 and (self._handled(call) or "exit") in _ENDS | _ERRORS:
                yield self._code.source.hit("js.exit-in-test", call, self._code.text(call))

    def hits(self) -> Iterator[Hit]:
        honest = self._is_honest
        for call in self._found:
            if self._status(call) == 0.0 and (rule := self._rule(call, honest)):
                yield self._code.source.hit(rule, call, self._code.text(call))
        yield from self._deafened()
        for node in self._code.names.naming:
            if node.type == "assignment_expression":
                yield from self._assigned(node)

    def _status(self, call: tree_sitter.Node) -> object:
        given = arguments(call)
        value = self._code.constants.value(given[0]) if given else 0.0
        return 0.0 if value in (None, 0.0, "0") and value is not False else value

    def _rule(self, call: tree_sitter.Node, honest: bool) -> str | None:
        handled = self._handled(call)
        if any(_REPORTS.fullmatch(self._code.text(above.child_by_field_name("name"))) for above in self._around(call)):
            return "js.exit-in-test"
        if handled in _ENDS or handled in _ERRORS:
            return "js.exit-in-handler"
        is_test = is_test_file(self._path) or self._code.cases.are_tests
        if is_test or is_support(self._path) or is_config(self._path):
            if _LEADS_OUT.search(self._code.source.data):
                return "js.exit-looked-at"
            return "js.exit-among-tests" if honest and not self._code.cases.are_tests else "js.exit-in-test"
        if is_command(self._path) or not (self._inside(call) or self._at_import(call)):
            return None
        return IN_PRODUCT

    def _at_import(self, call: tree_sitter.Node) -> bool:
        """A statement of its own in a module that gives others something: whoever imports it ends."""
        statement = self._code.names.parent(call)
        above = self._code.names.parent(statement) if statement is not None else None
        return above is not None and above.type == "program" and _EXPORTS.search(self._code.source.data) is not None

    def _around(self, call: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        return (above for above in self._code.names.above(call) if above.type in FUNCTIONS)

    def _handled(self, node: tree_sitter.Node) -> str | None:
        """The event whose handler this stands in."""
        for above in self._code.names.above(node):
            if above.type != "call_expression":
                continue
            function = unwrapped(above.child_by_field_name("function"))
            path = self._code.origins.of(function)
            if (
                path is not None
                and path[0] == "process"
                and path[-1] in ("on", "once", "addListener", "prependListener")
            ):
                event = self._code.constants.value(next(iter(arguments(above)), None))
                return event if isinstance(event, str) else "?"
        return None

    def _inside(self, call: tree_sitter.Node) -> bool:
        """In a function that gives no reason to end the process."""
        if self._handled(call) is not None or self._code.source.data.startswith(b"#!"):
            return False
        functions = list(self._around(call))
        if not functions:
            return False
        return not any(self._may_exit(function) for function in functions)

    def _may_exit(self, function: tree_sitter.Node) -> bool:
        parent = self._code.names.parent(function)
        name = function.child_by_field_name("name")
        if name is None and parent is not None:
            name = parent.child_by_field_name("name") or parent.child_by_field_name("key")
        if name is not None:
            return _MAY_EXIT.fullmatch(self._code.text(name)) is not None
        call = self._code.names.parent(parent) if parent is not None and parent.type == "arguments" else None
        callee = unwrapped(call.child_by_field_name("function")) if call is not None else None
        return callee is not None and self._code.constants.member(callee) in _CHAINED

    def _deafened(self) -> Iterator[Hit]:
        """A handler of errors nobody caught that does nothing: they no longer end the process."""
        if not (is_test_file(self._path) or self._code.cases.are_tests or is_support(self._path)):
            return
        for call in self._code.calls:
            path, given = self._code.origins.of(call.child_by_field_name("function")), arguments(call)
            if path is None or path[0] != "process" or path[-1] not in _LISTENS or len(given) < 2:
                continue
            handler = unwrapped(given[1])
            body = handler.child_by_field_name("body") if handler is not None and handler.type in FUNCTIONS else None
            empty = body is not None and not [each for each in body.named_children if "comment" not in each.type]
            if empty and self._code.constants.value(given[0]) in _ERRORS:
                yield self._code.source.hit("js.exit-in-handler", call, self._code.text(call))

    def _assigned(self, node: tree_sitter.Node) -> Iterator[Hit]:
        path = self._code.origins.of(node.child_by_field_name("left"))
        right = node.child_by_field_name("right")
        if path == ("process", "exitCode") and self._code.constants.value(right) in (0.0, None, "0"):
            if self._handled(node) in _ENDS | _ERRORS:
                yield self._code.source.hit("js.exit-in-handler", node, self._code.text(node))
            elif is_test_file(self._path) or is_support(self._path):
                yield self._code.source.hit("js.exit-among-tests", node, self._code.text(node))
        elif path in _EXITS and not (is_test_file(self._path) or self._code.cases.are_tests):
            yield self._code.source.hit("js.exit-in-handler", node, self._code.text(node))


def judged(hit: Hit, paths: frozenset[str], loaded: frozenset[str]) -> Hit:
    """An exit of product code, now that all files are known; `loaded` are those that a test runner loads."""
    if hit.path in loaded:
        return replace(hit, rule="js.exit-in-test")
    return replace(hit, rule="js.exit-in-tested-code") if _has_test(hit.path, paths) else hit


def _has_test(path: str, paths: frozenset[str]) -> bool:
    """True if a test is called like this file, beside it or in a folder of tests."""
    stem = posixpath.basename(path).split(".")[0]
    return any(
        is_test_file(other) and re.split(r"[._-](?:test|spec)\b|\.", posixpath.basename(other))[0] == stem
        for other in paths
        if stem in other
    )
