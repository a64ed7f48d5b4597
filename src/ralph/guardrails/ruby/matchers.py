"""Matchers that a project defines for RSpec, as methods: `expect(r).to be_bill(3)` asserts what its `match` says.

Rules:

- What its last line says holds, and what it expects before. Of a block that branches, returns or rescues nobody knows.
- One that notes what is wrong, and ends with whether it noted anything, says the opposite of each reason to note
  something: `@wrong << "status" unless status == 200`, and `@wrong.empty?` at its end.
- The name that `define` or `matcher` gives it, and its one block of `match`, of one parameter, make a method of that
  parameter and of those of the matcher.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.ruby.expectations import name_and_arguments
from ralph.syntax import parse
from ralph.system.patterns import later

PLAIN = frozenset(
    {"assignment", "call", "binary", "unary", "identifier", "parenthesized_statements"}
    | {"true", "false", "nil", "integer", "string", "simple_symbol"}
)
"""Statements that are always reached, and leave nothing out."""
NOTED_NOTHING = later(r"(?P<list>@?\w+)\.(?:empty\?|none\?)")
NOTES = later(r"(?P<list>@?\w+)\s*(?:<<|\.push\b)(?P<what>[^\n]*?)\s(?P<word>unless|if)\s+(?P<reason>[^\n]+)")
NOTES_BELOW = later(
    r"(?P<word>unless|if)\s+(?P<reason>[^\n]+?)\s*(?:\bthen\b)?\n\s*(?P<list>@?\w+)\s*(?:<<|\.push\b)[^\n]*\n\s*end"
)
LEAVES = later(r"\b(?:return|next|break|redo|throw|raise|rescue|ensure)\b")


def name_of(call: tree_sitter.Node) -> str:
    """The name of the matcher that a call defines; empty if it defines none."""
    name, arguments = name_and_arguments(call) if call.type == "call" else ("", [])
    receiver = call.child_by_field_name("receiver") if call.type == "call" else None
    of_rspec = name == "define" and receiver is not None and text_of(receiver) in ("RSpec::Matchers", "Matchers")
    named = of_rspec or (name == "matcher" and receiver is None)
    return text_of(arguments[0]).strip("'\":") if named and arguments else ""


def as_method(call: tree_sitter.Node) -> tree_sitter.Node | None:
    """The matcher that a call defines as a method, on the lines where its block stands."""
    block, asked = call.child_by_field_name("block"), _asked(call)
    if block is None or asked is None:
        return None
    body, taken, given = asked.child_by_field_name("body"), _parameters(asked), _parameters(block)
    statements = [each for each in body.named_children if each.type != "comment"] if body is not None else []
    if len(taken) != 1 or not statements:
        return None
    told = _of_notes(statements) or _told(statements)
    if not told:
        return None
    head = f"def {name_of(call)}({', '.join([*taken, *given])})"
    lines = "\n".join([head, *told, "end"])
    made = "\n" * max(statements[0].start_point.row - 1, 0) + lines
    root = parse("ruby", made.encode()).root_node
    return root.named_children[0] if root.named_children and not root.has_error else None


def _told(statements: Sequence[tree_sitter.Node]) -> list[str]:
    if any(map(_may_leave, statements)):
        return []
    *before, last = statements
    return [*map(text_of, before), text_of(last) if _expects(last) else f"assert(({text_of(last)}))"]


def _of_notes(statements: Sequence[tree_sitter.Node]) -> list[str]:
    """What holds where nothing was noted: of each statement a line, or nothing if they are no notes."""
    ends = NOTED_NOTHING.fullmatch(text_of(statements[-1]))
    if ends is None:
        return []
    told, begins = list[str](), False
    for each in statements[:-1]:
        text = text_of(each)
        note = NOTES.fullmatch(text) or NOTES_BELOW.fullmatch(text)
        if note is not None and note["list"] == ends["list"] and begins:
            reason = note["reason"]
            told.append(f"assert(({reason}))" if note["word"] == "unless" else f"refute(({reason}))")
        elif not begins and re.fullmatch(rf"{ends['list']}\s*=\s*(?:\[\s*\]|Array\.new)", text):
            begins = True
        elif ends["list"] in text or _may_leave(each):
            return []
        else:
            told.append(text)
    return told if begins and any(each.startswith(("assert", "refute")) for each in told) else []


def _asked(call: tree_sitter.Node) -> tree_sitter.Node | None:
    """The block of `match`."""
    block = call.child_by_field_name("block")
    body = block.child_by_field_name("body") if block is not None else None
    calls = [each for each in body.named_children if each.type == "call"] if body is not None else []
    found = [
        inner
        for each in calls
        if name_and_arguments(each) == ("match", []) and (inner := each.child_by_field_name("block")) is not None
    ]
    return found[0] if len(found) == 1 else None


def _parameters(block: tree_sitter.Node) -> list[str]:
    listed = block.child_by_field_name("parameters")
    return [text_of(each) for each in listed.named_children] if listed is not None else []


def _may_leave(statement: tree_sitter.Node) -> bool:
    return statement.type not in PLAIN or LEAVES.search(text_of(statement)) is not None


def _expects(statement: tree_sitter.Node) -> bool:
    receiver = statement.child_by_field_name("receiver") if statement.type == "call" else None
    return receiver is not None and name_and_arguments(receiver)[0] == "expect"
