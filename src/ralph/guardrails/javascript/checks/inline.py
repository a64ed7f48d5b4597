"""Inline snapshots: values that a runner writes into the test, in a notation of its own (test inventory, class G05).

A number, a truth or a text by itself is compared as what it means. The names that older runners put before lists and
objects say nothing, and neither does what is put before an error's message.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.wanted.values import SNAPSHOT, THROWN
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.system.patterns import later

_PLAIN = later(r"-?\d+(?:\.\d+)?|true|false|null|undefined")
_TEXT = later(r"\"[^\"]*\"")
_PROTOTYPE = later(r"\b(?:Object|Array) (?=[\[{])")
_ERROR = later(r"\[\w*(?:Error|Exception)\w*: (.*)\]|\"(.*)\"")
ENDING = "InlineSnapshot"


def inlined(text: str, *, thrown: bool = False) -> tuple[str, str]:
    """How such a snapshot compares, and with what."""
    words = " ".join(text.split())
    if thrown:
        message = _ERROR.fullmatch(words)
        return THROWN, repr(words if message is None else message[1] or message[2] or "")
    if _PLAIN.fullmatch(words):
        return "==", words
    if _TEXT.fullmatch(words):
        return "==", repr(words[1:-1])
    return SNAPSHOT, _PROTOTYPE.sub("", words).replace('\\"', '"')


def is_thrown(name: str) -> bool:
    """The matcher is one for errors."""
    return "Throw" in name


def inline_literal(code: Code, node: tree_sitter.Node) -> str | None:
    """What a literal wants that is the text of an inline snapshot; None for any other."""
    listed = code.names.parent(node)
    call = code.names.parent(listed) if listed is not None and listed.type == "arguments" else None
    function = unwrapped(call.child_by_field_name("function")) if call is not None else None
    name = function.child_by_field_name("property") if function is not None else None
    if name is None or not code.text(name).endswith(ENDING):
        return None
    value = code.constants.value(node)
    return inlined(value, thrown=is_thrown(code.text(name)))[1] if isinstance(value, str) else None
