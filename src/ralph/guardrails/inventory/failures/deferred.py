"""Functions within a test: one that nobody calls, or waits for, checks nothing.

Rules: a closure that stands by itself, or under a name that the rest of the test does not have, is never called; that
the name is thrown away (`_ = run`) is no call. One that another thread runs counts if the test waits for that. One that
is run for a value that may not be there (`ifPresent`, `?.let`) demands that something happened, one for each of nothing
demands nothing. What a factory of tests gives back its runner goes through.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.failures.lazy import is_lazy
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.writing import text_of
from ralph.syntax import walk
from ralph.system.patterns import later

CLOSURES = frozenset(
    {"lambda_expression", "lambda", "lambda_literal", "closure_expression", "anonymous_method_expression"}
    | {"local_function_statement", "anonymous_function", "function_declaration", "function_item", "func_literal"}
    | {"async_block", "method"}
)
RUBY_BLOCKS = frozenset({"block", "do_block"})
BLOCKS = frozenset(
    {"block", "body_statement", "statements", "constructor_body", "function_body", "then", "statement_list", "ensure"}
)
HELD = later(
    r"(?:[\w<>\[\],.?&: ]+\s)?(?P<name>[A-Za-z_]\w*)\s*(?::[^=]*)?=\s*"
    r"(?:new\s+(?:Func|Action|(?:Async)?TestDelegate)\b[^()]*\()?(?:async\s+|move\s+|proc\s*|lambda\s*|Proc\.new\s*)?"
)
PROCEDURE = later(r"\s*(?:lambda|proc|Proc\.new)\s*")
STARTED = later(
    r"\b(?:Task\.Run|StartNew|new Thread|QueueUserWorkItem|\w+Async|\w*[Ee]xecutor\w*(?:\(\w*\))?\.(?:submit|execute)"
    r"|Thread\.new|thread::spawn|(?:tokio|task)::spawn|launch|thread|GlobalScope\.async|ContinueWith|start(?:Virtual)?Thread"
    r"|AfterFunc\([^,]*,|fork|at_exit|Fiber\.new)\s*[({]?\s*(?:async\s*)?(?:move\s*)?$"
)
UNFELT = later(r"\bnew Thread\s*\(\s*$|\bthread\s*(?:\([^()]*\)\s*)?$")
JOINED = later(r"\.(?:join|start)\(")
"""On Java's machine what a thread throws ends the thread, and whoever joins it hears nothing."""
LAZY = later(
    r"(?:\.stream\(\)|\b(?:Int|Long)?Stream\.of\(.*\)|\.asSequence\(\)|\b(?:sequence|flow)Of\(.*\)|\.lazy)"
    r"(?:\..*)?\.(?:map|filter|peek|onEach|each_with_index|flat_?[mM]ap)\s*[({]?\s*$"
    r"|\.(?:Select|Where|SelectMany)\(\s*$|\b(?:sequence|flow|lazy)(?:<[^<>]*>)?\s*$|\bnew Lazy<[^<>]*>\(\s*$"
    r"|\b(?:LazyLock|Lazy|LazyCell|OnceCell)::new\(\s*$|\bEnumerator\.new\s*$",
    re.DOTALL,
)
"""What only runs when its values are asked for."""
LISTED = later(r"\s*(\w+)\s*=\s*append\(\s*\1\s*,\s*|\s*define_(?:singleton_)?method\(?\s*:(\w+)\)?\s*")
OBSERVES = later(r"(?<!\w)(?:expect|assertThatCode)\s*[({]?\s*$")
"""What only looks at what a function does: nothing is wanted before more is said."""
ONLY_THERE = later(
    r"\b(?:assert(?:NotNull)?|(?:Is)?NotNull|refute_nil|assert_not_nil)[( ]\s*\w+\s*\)?\s*(?=[;\r\n}]|$)"
    r"|\bexpect\(\w+\)\.to\s+(?:be|be_truthy|be_a|be_an|respond_to)\b"
)
"""What asks no more of a function than to be there."""
NAMED = later(r"(?:\w[\w<>,.:? ]*\s)??(\w+)\s*(?:=(?!=)|by\b)")
CLOSED = later(r"[\s)};]*(?:end\b)?[\s)};]*$")
AWAITED = later(
    r"(?i)\b(?:join\w*|get|await\w*|wait\w*|value|result|shutdown|close)\b|CountDownLatch|latch|runBlocking|runTest"
)
LOST = later(r"let _\s*=")
THROWN_AWAY = later(r"\b_\s*:?=\s*&?\w+[ \t]*(?=[;\r\n}]|$)")
GIVES = later(r"\s*(?:return\b|=(?!=))")
FACTORY = later(r"@(?:\w+\.)*TestFactory\b")
MAY_COMMENT = later(rb"//|/\*|#")
FOR_EACH = later(r"\b(?:for_?[eE]ach\w*|ForEach\w*|onEach|repeat\(.*\))\s*[({]?\s*$")
FOR_NOTHING = later(
    r"\brepeat\(0\)\s*$|\b(?:empty(?:List|Set|Sequence)|(?:list|set|sequence|arrayList|mutableList)Of)(?:<\w+>)?\(\)\.\w+\s*$"
    r"|\bAll\(\s*(?:Array|Enumerable)\.Empty<[^<>]*>\(\),\s*$|\bassertThat\((?:List|Set)\.of\(\)\)\.all\w*\($"
    r"|\b(?:List|Set|Stream)\.(?:of|empty)\(\)\.\w+\($"
    r"|(?<!\w)\[\]\.\w+\s*\(?$"
)
MAYBE = later(r".*(?:\.ifPresent\(|\?\.(?:let|also|run|apply)\s*|\.(?:and_then|inspect|map)\()", re.DOTALL)


def deferred(node: tree_sitter.Node, body: tree_sitter.Node) -> tuple[Grade, str]:
    """How much an assertion inside of this function can demand, and why not more."""
    if node.type in ("local_function_statement", "function_declaration", "function_item", "method"):
        name = node.child_by_field_name("name")
        text = text_of(body)
        if name is not None and text_of(node).startswith("async "):
            text = re.sub(rf"(?m)\b_\s*=\s*{re.escape(text_of(name))}\([^()]*\)\s*(?:;|$)", "", text)
        called = name is None or _times(text_of(name), text) > 1
        return (Grade.EXACT, "") if called else (Grade.NOTHING, "nobody calls the function around it")
    if node.parent is not None and node.parent.child_by_field_name("function") == node:
        return Grade.EXACT, ""
    before = said_before(node, body)
    after = _between(node.end_byte, body.end_byte, body)
    if node.type == "async_block" and after.lstrip().startswith("."):
        return Grade.EXACT, ""
    held = HELD.fullmatch(before)
    alone = PROCEDURE.fullmatch(before) if node.type in RUBY_BLOCKS else not before.strip()
    if held is not None or alone:
        named = held is not None and _is_named(held["name"], before, after, body, node)
        return (Grade.EXACT, "") if named else (Grade.NOTHING, "nobody calls the function around it")
    if why := _unheard(node, before, after, body):
        return Grade.NOTHING, why
    if STARTED.search(before):
        waits = AWAITED.search(before) is not None or AWAITED.search(after) is not None
        if not waits or LOST.match(before):
            return Grade.NOTHING, "nothing waits for it"
    if FOR_NOTHING.search(before):
        return Grade.NOTHING, "it runs for no case"
    if _is_lazy(node, before, body):
        return Grade.NOTHING, "nothing goes through what it is handed to"
    if MAYBE.fullmatch(before) and not LAZY.search(before) and not _is_made_for_runner(before, body):
        return Grade.EXISTS, "it runs under a condition"
    return Grade.EXACT, ""


def _unheard(node: tree_sitter.Node, before: str, after: str, body: tree_sitter.Node) -> str:
    """Why it does not run, or nobody hears of its failure, by what it is handed to."""
    if (listed := LISTED.fullmatch(before)) is not None and not _times(listed[1] or listed[2], after):
        return "nobody calls what it is put into"
    if OBSERVES.search(before) and _is_unasked(node, before, "", body):
        return "nobody asks what becomes of it"
    if LAZY.search(before) and _is_unasked(node, before, after, body) and not _is_made_for_runner(before, body):
        return "nobody asks for the values that it would be run for"
    if UNFELT.search(before) and JOINED.search(said := text_of(body)) and "UncaughtException" not in said:
        return "its failure ends a thread and not the test"
    return ""


def _is_made_for_runner(before: str, body: tree_sitter.Node) -> bool:
    """A factory of tests gives back what it is handed to."""
    method = body.parent if GIVES.match(before) else None
    head = text_of(method)[: body.start_byte - method.start_byte] if method is not None else ""
    return FACTORY.search(head) is not None


def _is_named(name: str, before: str, after: str, body: tree_sitter.Node, node: tree_sitter.Node) -> bool:
    """Something calls it later on, or another function that was made before it may."""
    earlier = _between(body.start_byte, node.start_byte, body).removesuffix(before)
    return _times(name, after) > 0 or re.search(rf"\b{re.escape(name)}\(", earlier) is not None


def _times(name: str, text: str) -> int:
    """How often a function is named where it is not just thrown away."""
    return len(re.findall(rf"\b{re.escape(name)}\b", ONLY_THERE.sub(" ", THROWN_AWAY.sub(" ", text))))


def _is_unasked(node: tree_sitter.Node, before: str, after: str, body: tree_sitter.Node) -> bool:
    """Nothing follows in the statement, and the name that it may have is not used."""
    statement = _statement(node, body)
    if not CLOSED.match(_between(node.end_byte, statement.end_byte, statement)):
        return False
    held = NAMED.match(before)
    return held is None or not _times(held[1], after)


def is_for_each(node: tree_sitter.Node, body: tree_sitter.Node) -> bool:
    """It runs once for each of many."""
    return FOR_EACH.search(said_before(node, body)) is not None


def _is_lazy(node: tree_sitter.Node, before: str, body: tree_sitter.Node) -> bool:
    """The last thing that a closure says is what it gives; a test gives nothing."""
    statement = _statement(node, body)
    around = statement.parent
    given = around is not None and around != body and around.named_children[-1] == statement
    if given and _is_closure(around, body):
        return False
    after = _between(node.end_byte, statement.end_byte, statement)
    return is_lazy(before, after, _between(statement.end_byte, body.end_byte, body))


def _is_closure(block: tree_sitter.Node | None, body: tree_sitter.Node) -> bool:
    """The block is all that a closure does."""
    above = None if block is None or block == body else block.parent
    kinds = CLOSURES | RUBY_BLOCKS
    return block is not None and (block.type in kinds or (above is not None and above != body and above.type in kinds))


def said_before(node: tree_sitter.Node, body: tree_sitter.Node) -> str:
    """What stands before a function in its statement."""
    return _between(_statement(node, body).start_byte, node.start_byte, _statement(node, body))


def _statement(node: tree_sitter.Node, body: tree_sitter.Node) -> tree_sitter.Node:
    while node.parent is not None and node != body and node.parent.type not in BLOCKS:
        node = node.parent
    return node


def _between(start: int, end: int, node: tree_sitter.Node) -> str:
    """The code that stands there; what a comment says is none."""
    text = bytearray(node.text or b"")
    if MAY_COMMENT.search(text, start - node.start_byte, end - node.start_byte):
        for each in walk(node):
            if "comment" in each.type:
                first, last = each.start_byte - node.start_byte, each.end_byte - node.start_byte
                text[first:last] = b" " * (last - first)
    return text[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace")
