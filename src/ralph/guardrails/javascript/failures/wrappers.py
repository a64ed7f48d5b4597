"""Scripts of Node that run a check and lose its failure (policy set v2, class G10).

Rules, for a script that the tests, lint or checks of a `package.json`, a Makefile or a pipeline call:

- A checker that is run by a function that does not throw (`spawnSync`, `spawn`, `exec` with a callback, shelljs) has to
  have its status looked at, and something has to fail for it: a `throw`, another exit status than 0, `exitCode`. If
  nothing does, or nobody looks, the failure is lost.
- One that throws (`execSync`, `execa`) loses its failure in a `try` whose `catch` does none of that.
- A failure that is settled or caught, and then only told, is lost (`settled`); so is the status of failed tests that
  a script ends well with (`statuses`), or that it hands on to nobody who looks (`unread_statuses`).
- What hands the result on (a `return`, an argument) is not looked into, nor is a script that was so at the base.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import tree_sitter

from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side, resolve
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.doubles.mocks import SUFFIXES
from ralph.guardrails.javascript.failures.failing import failing
from ralph.guardrails.javascript.failures.settled import Settled
from ralph.guardrails.javascript.failures.statuses import mapped
from ralph.guardrails.javascript.failures.unread_statuses import UnreadStatuses
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.texts import cut, read_source
from ralph.system.patterns import later

WORDS = prefilter((r"child_process|execa|cross-spawn|shelljs|\bBun\s*\.\s*spawn",))
_SCRIPTS = frozenset({"javascript", "typescript"})
_CHECKERS = later(
    r"\b(?:jest|vitest|mocha|eslint|playwright|cypress|ava|nyc|c8|karma|wdio|stylelint|tsc|vue-tsc|tsgo|biome|oxlint|jasmine|pytest"
    r"|ruff|mypy|tap|uvu)\b|--test\b|\b(?:npm|yarn|pnpm|bun)\b[\"',\s\[]+(?:run[\"',\s]+)?(?:t|test|lint|check|typecheck|verify)\b"
)
_QUIET = frozenset({"spawnSync", "spawn", "exec", "execFile", "sync", "fork"})
_LOUD = frozenset({"execSync", "execFileSync", "execa", "execaSync", "execaCommand", "execaCommandSync", "$"})
_RUNNERS = later(r"(?:node:)?child_process|execa|cross-spawn|shelljs|Bun|spawn(?:Sync)?")
_MANAGERS = later(r"(?<![\w-])(?:npm|yarn|pnpm|bun)(?![\w-])")
_WORD = later(r"[\w:-]+")
_STATUS = frozenset({"status", "code", "exitCode", "error", "signal", "failed", "success"})
CALLERS = later(r"(?:^|/)(?:package\.json|[Mm]akefile|\.gitlab-ci\.yml)$|^\.github/workflows/[^/]+\.ya?ml$|^\.husky/")
PROGRAMS = later(r"(?:^|/)(?:scripts?|tools?|bin|ci|dev|hack|\.github)/[^/]+$")
"""What is called `ci-test.mjs` there runs tests, and is none."""
MOST_CALLERS = 40
ENDS = later(rb"process\.exit|exitCode")
IMPORTED = later(rb"(?:\bfrom\s*|\brequire\(\s*|\bimport\s*\(?\s*)[\"'](?P<module>\.{1,2}/[\w./-]+)[\"']")
TEXT = later(r"[\"'](?P<text>[^\"'\n]*)[\"']")
MOST_IMPORTS = 20
LARGEST = 100_000


def wrapped(change: Change) -> Iterator[Hit]:
    side = Side(change.blobs.after, change.blobs.paths_after())
    for file in change.files:
        language = language_of(file.path)
        asks = is_test_file(file.path) and not PROGRAMS.search(file.path)
        if file.status == "D" or language not in _SCRIPTS or asks:
            continue
        head = _lost(file.path, language, side)
        if not head or not _is_called(file.path, side):
            continue
        base = Side(change.blobs.before, change.blobs.paths_before())
        known = Counter(hit.key for hit in _lost(file.path, language, base))
        for hit in head:
            if not known[hit.key]:
                yield hit
            known[hit.key] -= 1


def _is_called(path: str, side: Side) -> bool:
    """A check of the project is this script."""
    stem = re.escape(posixpath.splitext(posixpath.basename(path))[0])
    name = re.compile(rf"(?<![\w-])(?:\.{{0,2}}/)?(?:[\w.@-]+/)*{stem}(?:\.[cm]?[jt]s)?(?![\w./-])")
    for caller in sorted(each for each in side.paths if CALLERS.search(each))[:MOST_CALLERS]:
        if not caller.endswith("package.json"):
            lines = (side.text(caller) or "").splitlines()
            if any(name.search(line) and re.search(r"\b(?:node|tsx|ts-node|bun|\./)", line) for line in lines):
                return True
            continue
        node = side.node(caller)
        scripts = node.at("scripts") if node is not None else None
        for title, value in scripts.mapping.items() if scripts is not None else ():
            if is_named(title) and name.search(canonical(value)):
                return True
    return False


def _lost(path: str, language: str, side: Side) -> list[Hit]:
    data = side.bytes(path)
    if data is None or len(data) > LARGEST:
        return []
    helper = "" if WORDS.matches(data) else _helper(path, data, side)
    source = read_source(path, language, data) if helper or WORDS.matches(data) else None
    return [] if source is None else list(_Wrapper(code(source), helper).hits())


def _helper(path: str, data: bytes, side: Side) -> str:
    """The text of a module of the project that runs something for a script that ends with a status of its own."""
    if ENDS.search(data) is None:
        return ""
    for match in islice(IMPORTED.finditer(data), MOST_IMPORTS):
        target = resolve(side.paths, path, match["module"].decode(), SUFFIXES)
        text = side.bytes(target) if target is not None else None
        if text is not None and WORDS.matches(text):
            return text.decode("utf-8", "replace")
    return ""


class _Wrapper:
    def __init__(self, code: Code, helper: str) -> None:
        self._code, self._helper = code, helper

    def hits(self) -> Iterator[Hit]:
        running: list[tree_sitter.Node] = []
        for call in self._code.calls:
            path = self._code.origins.of(call.child_by_field_name("function"))
            if path is None or not _RUNNERS.fullmatch(path[0]):
                continue
            running.append(call)
            given = self._code.text(call.child_by_field_name("arguments"))
            lost = self._is_unheard(call) if path[-1] in _QUIET else path[-1] in _LOUD and self._is_swallowed(call)
            if lost and _CHECKERS.search(given):
                detail = cut(f"{path[-1]}{' '.join(given.split())}", 120)
                yield self._code.source.hit("check.result-lost", call, detail, detail=detail)
        if (running or self._helper) and self._may_check():
            unread = UnreadStatuses(self._code, running, _CHECKERS)
            for node in (*mapped(self._code), *Settled(self._code, running).places(), *unread.places()):
                detail = cut(self._code.text(node), 120)
                yield self._code.source.hit("check.result-lost", node, detail, detail=detail)

    def _is_unheard(self, call: tree_sitter.Node) -> bool:
        """Nobody looks at its status, or nothing comes of it."""
        parent = self._code.names.parent(call)
        while parent is not None and parent.type in ("await_expression", "parenthesized_expression"):
            call, parent = parent, self._code.names.parent(parent)
        if parent is None or parent.type in ("return_statement", "arrow_function", "arguments", "array", "pair"):
            return False
        fails = self._fails(self._code.names.nodes[0])
        if not fails:
            return True
        name = parent.child_by_field_name("name") if parent.type == "variable_declarator" else None
        if name is not None and name.type == "identifier":
            return not any(self._looks(node) for node in self._uses(name))
        sync = b"Sync" in (call.text or b"") or b"sync(" in (call.text or b"")
        return parent.type == "expression_statement" and sync

    def _uses(self, name: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        wanted = name.text
        for node in self._code.names.of_types("identifier", "shorthand_property_identifier"):
            if node.text == wanted and node.start_byte != name.start_byte:
                yield node

    def _looks(self, use: tree_sitter.Node) -> bool:
        """At the status, or at an event; whatever it is handed to may do so."""
        parent = self._code.names.parent(use)
        if parent is None or parent.type not in ACCESSES or parent.child_by_field_name("object") != use:
            return True
        member = self._code.constants.member(parent)
        return member is None or member in _STATUS or member in ("on", "once", "then", "addListener", "exited")

    def _is_swallowed(self, call: tree_sitter.Node) -> bool:
        child = call
        for above in self._code.names.above(call):
            if above.type == "try_statement" and above.child_by_field_name("body") == child:
                handler = above.child_by_field_name("handler")
                if handler is not None:
                    return not self._fails(handler)
            if above.type in FUNCTIONS:
                return False
            child = above
        return False

    def _fails(self, root: tree_sitter.Node) -> bool:
        """Something below it ends in failure, or may."""
        return next(failing(self._code, root), None) is not None

    def _may_check(self) -> bool:
        """A checker is named in the script, or a script of the project that checks, which a package manager runs."""
        nodes = self._code.names.of_types("string", "template_string")
        words = [self._code.text(node).strip("\"'`") for node in nodes]
        words += [match["text"] for match in TEXT.finditer(self._helper)]
        said = " ".join(words)
        named = _MANAGERS.search(said) and any(is_named(word) for word in words if _WORD.fullmatch(word))
        return bool(named) or _CHECKERS.search(said) is not None
