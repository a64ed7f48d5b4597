"""JavaScript: errors that nobody wanted, and that a table's test lets pass (G05; see `golang.failures.passed_errors`).

    try {
      got = parse(input);
    } catch (thrown) {
      if (error) expect(thrown.message).toMatch(error);
      return;
    }

A row that wants no error passes where there is one: what is asked of the value stands below.

Rule: in a file of tests, a handler asserts only where the row wants an error, and then leaves. It blocks where the
base's file had no such handler and called the same function; else it is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.common.product.special import touches
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
WORTH = later(rb"\bcatch\b")
WANTED = later(r"!{0,2}(?P<name>[A-Za-z_$][\w$]*)(?:\??\.[\w$]+)*(?:\s*!==?\s*(?:undefined|null|false|''|\"\"))?")
ASSERTS = later(r"\b(?:expect|assert\w*|throw|fail|should|t\.(?:is|deepEqual|throws|regex|fail|equal|match|ok))\b")
CALLED = later(r"\b([A-Za-z_$][\w$]*)\(")
LEAVES = frozenset({"return", "continue"})
LARGEST = 200_000


def passed_errors(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language_of(file.path)
        if file.status in "AM" and spoken in LANGUAGES and is_test_file(file.path) and WORTH.search(file.added_text):
            yield from _of_file(file, spoken or "", change)


def _of_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
    source = read_source(file.path, spoken, after) if max(len(before), len(after)) <= LARGEST else None
    if source is None:
        return
    added = [number for number, _ in file.added()]
    base = read_source(file.path, spoken, before) if before else None
    known = {text_of(node) for node in _lenient(base)} if base is not None else set()
    called = set(CALLED.findall(before.decode("utf-8", "replace")))
    for node in _lenient(source):
        if touches(node, source, added) and text_of(node) not in known:
            tried = node.parent.child_by_field_name("body") if node.parent is not None else None
            asked = called.intersection(CALLED.findall(text_of(tried))) if tried is not None else set()
            rule = "test.weakened" if asked and not known else "test.somewhat-weaker"
            detail = "an error that no row wants passes: its handler asserts under a condition, and leaves"
            yield source.hit(rule, node, detail, detail=detail)


def _lenient(source: Source) -> Iterator[tree_sitter.Node]:
    for node in source.captures("(catch_clause) @found"):
        body, caught = node.child_by_field_name("body"), node.child_by_field_name("parameter")
        statements = [each for each in body.named_children if each.type != "comment"] if body is not None else []
        if len(statements) < 2 or text_of(statements[-1]).strip("; ") not in LEAVES or _asserts_in_try(node):
            continue
        asking = [each for each in statements[:-1] if each.type == "if_statement"]
        others = [each for each in statements[:-1] if each not in asking]
        if asking and not any(ASSERTS.search(text_of(each)) for each in others):
            name = text_of(caught) if caught is not None else ""
            if all(_asks_for_one(each, name) for each in asking):
                yield node


def _asserts_in_try(handler: tree_sitter.Node) -> bool:
    """A failed assertion is what it takes: that is another trick."""
    tried = handler.parent.child_by_field_name("body") if handler.parent is not None else None
    return tried is not None and ASSERTS.search(text_of(tried)) is not None


def _asks_for_one(node: tree_sitter.Node, caught: str) -> bool:
    condition = unwrapped(node.child_by_field_name("condition"))
    then = node.child_by_field_name("consequence")
    if condition is None or then is None or node.child_by_field_name("alternative") is not None:
        return False
    match = WANTED.fullmatch(text_of(condition).strip())
    if match is None or match["name"] == caught or re.match(r"!(?!!)", text_of(condition).strip()):
        return False
    return ASSERTS.search(text_of(then)) is not None
