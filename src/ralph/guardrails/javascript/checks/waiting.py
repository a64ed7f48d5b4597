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
from ralph.guardrails.javascript.checks.writing import MAX_PUT_IN, Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.names import WRAPPERS, unwrapped

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
        if _has_await_around(code, plain):
            return True
        if plain.type == "identifier":
            node = writing.given(plain)
        elif plain.type in OWNER:
            node = plain.child_by_field_name(OWNER[plain.type])
        else:
            return False
    return False


def _has_await_around(code: Code, node: tree_sitter.Node) -> bool:
    above = code.names.parent(node)
    while above is not None and above.type in WRAPPERS:
        if above.type == "await_expression":
            return True
        above = code.names.parent(above)
    return False
