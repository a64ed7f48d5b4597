"""Whether an assertion waits for what it looks at (test inventory, class G05).

`expect(await f())` does, and so do `expect((await f()).name)` and `const got = await f(); expect(got)`. Where something
else is waited for (`expect(f(await g()))`), nobody can tell whose answer is looked at.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.model import Waits
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.finding import Found
from ralph.guardrails.javascript.checks.uncalled import is_async
from ralph.guardrails.javascript.checks.writing import MAX_PUT_IN, Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import WRAPPERS, unwrapped
from ralph.system.patterns import later

DEAF = frozenset({"forEach", "every", "some", "filter", "find"})
"""They call what they are given, and wait for no promise of it."""
_REPORTS = later(
    r"(?i)t|tt|st|assert|test|q?unit|ctx|context|done|cb|callback|next|end|finish|resolve|reject|ok|fail|\w+Done"
)
LISTS = frozenset({"map", "flatMap"})
"""They give a list of promises: to wait for a list is to wait for none of them."""
OWNER = {**dict.fromkeys(ACCESSES, "object"), "call_expression": "function", "unary_expression": "argument"}
"""Where to look for what is waited for, in what is made of its answer."""


def waits(code: Code, writing: Writing, found: Found) -> Waits:
    if _is_waited_for(code, writing, found.said.subject):
        return "subject"
    said = code.source.data[found.node.start_byte : found.node.end_byte]
    return "somewhere" if found.waits or re.search(rb"\bawait\b", said) else ""


def _is_waited_for(code: Code, writing: Writing, node: tree_sitter.Node | None) -> bool:
    for _ in range(MAX_PUT_IN):
        plain = unwrapped(node)
        if plain is None:
            return False
        if has_await_around(code, plain):
            return True
        if plain.type == "identifier":
            node = writing.given(plain)
        elif plain.type in OWNER:
            node = plain.child_by_field_name(OWNER[plain.type])
        else:
            return False
    return False


def has_await_around(code: Code, node: tree_sitter.Node) -> bool:
    above = code.names.parent(node)
    while above is not None and above.type in WRAPPERS:
        if above.type == "await_expression":
            return True
        above = code.names.parent(above)
    return False


def is_forgotten(code: Code, function: tree_sitter.Node, call: tree_sitter.Node, name: str, *, awaited: bool) -> bool:
    """`rows.forEach(async (row) => …)`: the test is over before any of them is. Libraries take the list first."""
    if not is_async(function) or len(arguments(call)) > 1:
        return False
    return name in DEAF or (name in LISTS and (has_await_around(code, call) or not awaited))


def says(code: Code, root: tree_sitter.Node, pattern: tree_sitter.Node) -> bool:
    """The test says the name of what it takes, by which callbacks may report: not at its own end, before they run. A
    helper takes much else: there the name has to tell."""
    if pattern.type != "identifier":
        return True
    if not code.cases.owns(root) and not _REPORTS.fullmatch(code.names.name(pattern)):
        return False
    same = [node for node in code.source.walk(root) if node.type == "identifier" and node.text == pattern.text]
    return len(same) > 1 and not any(_ends_test(code, root, node) for node in same)


def _ends_test(code: Code, root: tree_sitter.Node, name: tree_sitter.Node) -> bool:
    """`done();` as a statement of the test itself."""
    call = code.names.parent(name)
    if call is None or call.type != "call_expression" or arguments(call):
        return False
    statement = code.names.parent(call)
    if statement is None or statement.type != "expression_statement":
        return False
    return code.names.parent(statement) == root.child_by_field_name("body")
