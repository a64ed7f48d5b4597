"""Rust: what becomes of a panic that a test catches (see `inventory`)."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.writing import text_of

DEMANDED = r"\s*\.(?:unwrap|expect)\("


def passed_on(call: tree_sitter.Node) -> bool:
    """`resume_unwind`, or `.unwrap()` and `.expect(…)` of the outcome, be it under a name."""
    statement = call
    while statement.parent is not None and statement.parent.type not in ("block", "source_file"):
        statement = statement.parent
    text = text_of(statement)
    end = call.end_byte - statement.start_byte
    behind = text.encode()[end:].decode("utf-8", "replace")
    if "resume_unwind(" in text or re.match(DEMANDED, behind):
        return True
    held = re.match(r"let\s+(?:mut\s+)?(\w+)\b[^=]*=", text)
    if held is None or statement.parent is None:
        return False
    after = text_of(statement.parent).encode()[statement.end_byte - statement.parent.start_byte :].decode()
    name = re.escape(held[1])
    return re.search(rf"\b{name}{DEMANDED}|resume_unwind\(|\b{name}\s*\?;", after) is not None
