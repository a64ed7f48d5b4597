"""A helper of tests that waits for an assertion to hold, and forgets that it never did (policy set v2, class G05).

Rule (Java, Kotlin, C#, JavaScript, TypeScript, PHP, Python; Ruby has its own): a new or edited function beside tests
calls what it is given in a loop, in a `try` whose handler takes failed assertions, and nothing after that can fail: all
that is awaited holds. It counts as failing if it throws or asserts, hands the failure or an answer to somebody, or
calls what it was given again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

FUNCTIONS = later(
    r"(?:method|(?:generator_)?function)_declaration|local_function_statement|(?:function|method)_definition"
    r"|function_expression|arrow_function"
)
LOOPS = later(r"(?:enhanced_|c_style_)?for(?:_in|each|_each)?_statement|(?:do_)?while_statement|do_statement")
TRIES = {
    "java": "[(try_statement) (try_with_resources_statement)] @found",
    "kotlin": "(try_expression) @found",
    **dict.fromkeys(("csharp", "php", "python", "javascript", "typescript", "tsx"), "(try_statement) @found"),
}
HANDLERS = frozenset({"catch_clause", "catch_block", "except_clause"})
BODIES = ("block", "statement_block", "compound_statement")
WORDS = later(rb"\bcatch\b|\bexcept\b")
FAILED = r"\b(?:Throwable|Error|Assert\w*(?:Error|Exception)|AssertionFailedError|XunitException|FailedException)\b"
TAKES = {
    "java": later(FAILED),
    "kotlin": later(FAILED),
    "php": later(rf"{FAILED}|\bExpectationFailedException\b|^catch\s*\(\s*\\?Exception\b"),
    "csharp": later(rf"{FAILED}|^catch\s*\{{|^[^{{]*\bException\b"),
    "python": later(rf"{FAILED}|^except\s*:|\b(?:Base)?Exception\b"),
    **dict.fromkeys(("javascript", "typescript", "tsx"), later(r"")),
}
"""What the head of a handler says that takes failed assertions."""
FAILS = later(
    r"(?i:throw(?!able))|\braise\b|\b(?i:fail|assert|reject)\w*\s*[(.]|\bassert\b|\b(?:expect|exit|error|check|require)\w*\s*\("
)
COMMENT = later(r"(?<!:)//[^\n]*|/\*.*?\*/|(?m:^\s*#[^\n]*)", re.DOTALL)
INTERRUPTED = later(r"catch\s*\((?:final\s+)?(?:\w+\s*:\s*)?InterruptedException\b[^)]*\)\s*\{[^{}]*\}")
ANSWERS = later(r"\breturn\b[ \t]*[^\s;}]|\byield\b")
TELLS = later(
    r"(?:[\w.]*\b(?:log\w*|console|System\.(?:out|err)|Console)\.\w+|print\w*|\w*sleep|pause)\s*\([^\n]*", re.I
)
PARAMETER = later(r"\b[A-Za-z_]\w*\b")


def forgotten(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        reader = reader_of(spoken)
        beside = is_beside_tests(file.path, reader)
        if spoken not in TAKES or not beside or not WORDS.search(change.blobs.after(file.path) or b""):
            continue
        known = {text_of(each) for each in _forgetful(read_source(file.path, spoken, change.blobs.before(file.path)))}
        source = read_source(file.path, spoken, change.blobs.after(file.path))
        for node in _forgetful(source):
            if source is not None and text_of(node) not in known:
                yield source.hit("test.weakened", node, text_of(node)[:80], detail="what it waits for may never hold")


def _forgetful(source: Source | None) -> Iterator[tree_sitter.Node]:
    for node in source.captures(TRIES[source.language]) if source is not None else ():
        loop = _around(node, _is_loop)
        function = None if loop is None else _around(loop, lambda each: FUNCTIONS.fullmatch(each.type) is not None)
        if source is not None and loop and function and _forgets(source, node, loop, function):
            yield function


def _around(node: tree_sitter.Node, is_it: Callable[[tree_sitter.Node], bool]) -> tree_sitter.Node | None:
    above = node.parent
    while above is not None and not is_it(above):
        above = above.parent
    return above


def _is_loop(node: tree_sitter.Node) -> bool:
    return LOOPS.fullmatch(node.type) is not None or (
        node.type == "call_expression" and re.match(r"repeat\s*\([^{]*\)\s*\{", text_of(node)) is not None
    )


def _forgets(source: Source, tried: tree_sitter.Node, loop: tree_sitter.Node, function: tree_sitter.Node) -> bool:
    body = next((child for child in tried.named_children if child.type in BODIES), None)
    handlers = [child for child in tried.named_children if child.type in HANDLERS]
    taking = [each for each in handlers if TAKES[source.language].search(_head(each))]
    if body is None or not taking or not calls(text_of(body), _given(function)):
        return False
    after = source.data[tried.end_byte : function.end_byte].decode("utf-8", "replace")
    before = source.data[loop.start_byte : tried.start_byte].decode("utf-8", "replace")
    ended = next((text_of(child) for child in tried.named_children if child.type == "finally_clause"), "")
    rest = "\n".join(_bare(text) for text in (before, ended, after, *map(_said, taking)))
    if FAILS.search(rest) or ANSWERS.search(rest) or ANSWERS.search(text_of(body)):
        return False
    return not calls(rest, _given(function)) and not any(_hands_on(each, _bare(_said(each))) for each in taking)


def _bare(text: str) -> str:
    """Without comments, what only tells, and waiting that is interrupted."""
    return TELLS.sub("", INTERRUPTED.sub("", COMMENT.sub("", text)))


def _head(handler: tree_sitter.Node) -> str:
    return (
        text_of(handler).partition("{")[0] + "{" if "{" in text_of(handler) else text_of(handler).split(":\n")[0] + ":"
    )


def _said(handler: tree_sitter.Node) -> str:
    """What the handler does."""
    blocks = [child for child in handler.named_children if child.type in BODIES]
    return text_of(blocks[-1]) if blocks else ""


def _hands_on(handler: tree_sitter.Node, said: str) -> bool:
    """What was caught goes somewhere else than into a variable of the function."""
    names = re.findall(r"\b[a-z_]\w*\b(?=\s*[){:])", _head(handler))
    return any(re.search(rf"[(.\[,]\s*{name}\b|\b{name}\b\s*[),]|\.\w+\s*=\s*{name}\b", said) for name in names)


def _given(function: tree_sitter.Node) -> frozenset[str]:
    """Names of its parameters, and their types."""
    kinds = ("formal_parameters", "function_value_parameters", "parameter_list", "parameters")
    found = next((child for child in function.named_children if child.type in kinds), None)
    found = found or function.child_by_field_name("parameter")
    return frozenset(PARAMETER.findall(text_of(found))) if found is not None else frozenset()


def calls(text: str, names: frozenset[str]) -> bool:
    called = re.findall(
        r"(?<![\w.])(\w+)(?:\??\.(?:run|call|invoke|execute|accept|get|apply|test|Invoke)\w*)?\s*\(", text
    )
    return any(name in names for name in called)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (forgotten,)
