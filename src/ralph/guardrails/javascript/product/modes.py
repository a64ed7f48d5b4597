"""Product code that behaves in another way when it is tested (policy set v2, class G07).

Rules:

- What a runner sets (`VITEST`, `JEST_WORKER_ID`, ...), globals that only exist in tests, the runner's name on the
  command line, a test's file name on the stack, or a double by what it remembers (`save.mock.calls`): a value, a
  `return` or a `throw` that depends on it blocks.
- `NODE_ENV === "test"` is used to keep quiet or to choose a database: it blocks only where a function gives something
  else back for it; else it is for a person.
- Data that the branch changes counts as its answer (`effects`).
- A longer name (`VITEST_BROWSER_IDLE_TIMEOUT`) that says nothing of a run, its workers or its tests is a setting that
  somebody has to set, as any other variable is: for a person.
- Not in tests, their support and configuration, and not for tests that stand in the source (`import.meta.vitest`).
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.product.effects import Effects
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_RUNNERS = (
    r"VITEST\w*|JEST\w*|MOCHA\w*|CYPRESS\w*|PLAYWRIGHT\w*|NODE_TEST_CONTEXT|AVA_PATH|TAP|TAP_CHILD_ID|NODE_V8_COVERAGE|"
    r"KARMA\w*|WDIO\w*|BUN_TEST|TEST_WORKER_INDEX|STRYKER\w*"
)
_SETTING = later(
    r"\b(?:VITEST|JEST|MOCHA|CYPRESS|PLAYWRIGHT|KARMA|WDIO|STRYKER)"
    r"(?!\w*_(?:ACTIVE|CI|CURRENT|DETECTED|ENABLED|ENV|ID|INSIDE|IS|MODE|ON|POOL|PRESENT|PROCESS|RAN|RUN|RUNNER|RUNNING"
    r"|RUNTIME|SESSION|SHARD|STATE|SUITE|TEST|TESTED|TESTING|TESTS|THREAD|UNDER|WORKER|WORKERS)(?:_|\b))"
    r"(?:_[A-Z0-9]+){2,}\b"
)
"""No runner sets these."""
_TESTING = r"[\"'`](?:test|testing|jest|vitest)[\"'`]"
WORDS = (
    rf"\b(?:{_RUNNERS})\b",
    r"jest|vitest|mocha|cypress|playwright|navigator\s*\.\s*webdriver",
    r"\bNODE_ENV\b|\benv\s*\)?\s*(?:\?\.|\.|\[)\s*[\"'`]?(?:MODE|TEST)\b|npm_lifecycle",
    r"\.\s*stack\b|captureStackTrace|require\.main|module\.parent|\bargv\b",
    r"typeof\s+(?:it|test|describe|expect|beforeEach|afterEach)\b|\bin\s+(?:globalThis|global|window)\b",
    r"isMockFunction|isSinonProxy|\.mock\b|\bmock[\"'`]\s+in\b|\.constructor\??\.name\b",
    r"\bglobal(?:This)?\s*\.\s*(?:it|test|describe|expect|jest|vi|__\w*test\w*|__\w*jest\w*)\b",
    r"\b__(?:karma|stryker|wdio)|\buserAgent\b|\bexecArgv\b",
)
_DETECTS = later(
    rf"\benv\s*(?:\?\.|\.)\s*(?:{_RUNNERS})\b|\benv\s*\[\s*[\"'`](?:{_RUNNERS})[\"'`]|[\"'`](?:{_RUNNERS})[\"'`]\s+in\s+process"
    r"|typeof\s+(?:jest|vi|vitest|it|test|describe|expect|beforeEach|afterEach|mocha|cy|Cypress)\b"
    r"|\b(?:globalThis|global|window)(?:\s+as\s+[\w.]+\))?\s*\??\.\s*(?:jest|vi|it|test|describe|expect|Cypress|mocha)\b"
    r"|\b__(?:vitest|jest|karma|mocha|playwright|cypress|stryker|wdio)\w*|\buserAgent\b[^\n]*(?:jsdom|[hH]appy-?[dD][oO][mM])"
    r"|\brequire\s*\.\s*(?:cache|resolve)\b[^\n]*[\"'`/](?:jest|vitest|mocha|ava|tap|jasmine)[\"'`/-]"
    r"|[\"'`](?:jest|vi|it|describe|expect|__vitest_worker__|Cypress)[\"'`]\s+in\s+(?:globalThis|global|window)"
    r"|\bnavigator\s*\.\s*webdriver\b"
    r"|\b(?:keys|entries|ownKeys)\(\s*[\w.]*\benv\s*\)[\s\S]{0,160}?[\"'`/^(|](?:VITEST|JEST|MOCHA|CYPRESS|PLAYWRIGHT|KARMA|STRYKER)"
    r"|npm_lifecycle_(?:event|script)[^\n]*test"
    r"|\.stack\b[^\n]*(?:test|spec|jest|vitest|mocha|node_modules)|(?:test|spec|jest|vitest|mocha)\b[^\n]*\.stack\b"
    r"|(?:argv|execArgv)\b[^\n]*(?:jest|vitest|mocha|[\"'`/.](?:test|spec)|--test)"
    r"|/[^/\n]*(?:jest|vitest|mocha)[^/\n]*/[a-z]*\.(?:test|exec)\([^\n]*\bargv\b"
    r"|(?:require\.main|module\.parent)\b[^\n]*(?:test|spec|jest|vitest|mocha)"
    r"|\b_isMockFunction\b|\bisMockFunction\(|\.isSinonProxy\b|\.mock\s*\??\.\s*(?:calls|results|callCount|instances)\b"
    r"|(?:\w\.\w+|\bas any\))\.mock\b(?!\s*[.(=])|\bmock[\"'`]\s+in\s+\w"
    r"|\.constructor\??\.name\b[^\n]*(?:[fF]ake|[mM]ock|[sS]tub|[sS]py|(?:Buffered|Custom|Null)Console)"
    r"|\b(?:Buffered|Custom|Null)Console\b[^\n]*\.constructor\??\.name\b"
)
_MODE = later(
    rf"(?:NODE_ENV[\"'`]?\]?|\benv\s*\)?\s*(?:\?\.|\.|\[)\s*[\"'`]?MODE[\"'`]?\]?|\bAPP_ENV\b)\s*[!=]==?\s*{_TESTING}"
    rf"|{_TESTING}\s*[!=]==?\s*[\w.\[\]\"']*(?:NODE_ENV|env\.MODE)|\benv\.TEST\b"
)
_ENDS = later(r"\b(?:process\s*\.\s*(?:exit|exitCode|reallyExit|abort|kill)|Deno\s*\.\s*exit)\b")
_DECIDING = frozenset(
    {"if_statement", "ternary_expression", "while_statement", "switch_statement", "binary_expression"}
)
_VALUES = frozenset({"ternary_expression", "binary_expression"})
_IN_SOURCE = later(r"import\.meta(?:\s+as\s[^()]*\))?\s*(?:\?\.|\.|\[)\s*[\"'`]?vitest\b")


def modes(source: Source) -> Iterator[Hit]:
    if is_product(source.path):
        yield from _Modes(code(source)).hits()


class _Modes:
    def __init__(self, code: Code) -> None:
        self._code = code
        self._effects = Effects(code)

    def hits(self) -> Iterator[Hit]:
        seen: set[int] = set()
        for node in self._code.names.of_types(*_DECIDING):
            condition = self._condition(node)
            if condition is None or node.id in seen:
                continue
            text = self._written_out(condition)
            in_source = _IN_SOURCE.search(text)
            if in_source and not self._inside(node):
                continue
            told = _SETTING.sub("SETTING", text)
            runner, mode = in_source or _DETECTS.search(told), _MODE.search(told)
            if runner or mode:
                seen.update(part.id for part in self._code.source.walk(condition))
                yield self._hit(node, condition, runner is not None)
            elif told != text and _DETECTS.search(text):
                yield self._code.source.hit("js.test-mode", condition, self._code.text(condition))

    def _condition(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        if node.type in ("if_statement", "ternary_expression", "while_statement"):
            return node.child_by_field_name("condition")
        if node.type == "switch_statement":
            return node.child_by_field_name("value")
        if node.type == "binary_expression":
            operator = node.child_by_field_name("operator")
            decides = operator is not None and operator.type in ("&&", "||", "??")
            return node.child_by_field_name("left") if decides else None
        return None

    def _written_out(self, condition: tree_sitter.Node) -> str:
        """The condition with its constants and its own predicates written out."""
        texts: list[str] = []
        for node in self._code.source.walk(condition):
            if node.type == "identifier" and (binding := self._code.names.binding(node)) is not None:
                value = binding.value
                if value is not None and value.end_byte - value.start_byte < 600:
                    texts.append(self._code.text(value) + "".join(f".{key}" for key in binding.path))
        return " ".join((*texts, self._code.text(condition)))

    def _hit(self, node: tree_sitter.Node, condition: tree_sitter.Node, by_runner: bool) -> Hit:
        changes = self._gives_something_else(node, condition, by_runner)
        rule = "js.test-detected" if changes else "js.test-mode"
        return self._code.source.hit(rule, condition, self._code.text(condition))

    def _gives_something_else(self, node: tree_sitter.Node, condition: tree_sitter.Node, by_runner: bool) -> bool:
        """The answer depends on it: a value, a `return` or a `throw` inside a function, the end of the process."""
        inside = self._inside(node)
        if by_runner and _ENDS.search(self._code.text(node)[len(self._code.text(condition)) :]):
            return True
        if node.type in _VALUES:
            parent = self._code.names.parent(node)
            while parent is not None and parent.type == "parenthesized_expression":
                parent = self._code.names.parent(parent)
            if parent is not None and parent.type == "expression_statement":
                return self._effects.of(node.named_children[1:], by_runner)
            if inside and (by_runner or self._is_returned(node)):
                return True
            return node.type == "ternary_expression" and self._effects.names(node, by_runner)
        branches = [node.child_by_field_name(name) for name in ("consequence", "alternative", "body")]
        if self._effects.of([branch for branch in branches if branch is not None], by_runner):
            return True
        if not inside:
            return False
        ends = ("return_statement", "throw_statement") if by_runner else ("return_statement",)
        return any(
            part.type in ends and (part.named_children or by_runner)
            for branch in branches
            if branch is not None
            for part in self._code.source.walk(branch)
        )

    def _inside(self, node: tree_sitter.Node) -> bool:
        return any(above.type in FUNCTIONS for above in self._code.names.above(node))

    def _is_returned(self, node: tree_sitter.Node) -> bool:
        for above in self._code.names.above(node):
            if above.type == "return_statement":
                return True
            if above.type in FUNCTIONS:
                return (
                    above.type == "arrow_function"
                    and (body := above.child_by_field_name("body")) is not None
                    and (body.type != "statement_block")
                )
            if above.type in ("arguments", "variable_declarator", "expression_statement", "pair"):
                return False
        return False
