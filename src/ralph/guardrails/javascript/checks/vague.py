"""What matches everything, or nearly: patterns, and what a test writes down itself (test inventory, class G05)."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.javascript.checks.matchers import UNKNOWN
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

_WORDS = later(r"\w{3,}")


def is_vague(node: tree_sitter.Node | None) -> bool:
    r"""A pattern without any word in it, that may match anywhere: `/\d/`."""
    text = _pattern(node)
    return text is not None and not text.startswith("^") and not _WORDS.search(text)


def matches_all(node: tree_sitter.Node | None) -> bool:
    """A pattern such as `/.*/`."""
    text = _pattern(node)
    if text is None:
        return False
    try:
        compiled = re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return compiled.search("") is not None and compiled.search("\0q~7\n z") is not None


def is_made_here(subject: tree_sitter.Node | None) -> bool:
    """An object, a list or a function that the test itself writes down is always something."""
    plain = unwrapped(subject)
    return plain is not None and plain.type in ("array", "object", "arrow_function", "function_expression")


def is_of_others(said: Said) -> bool:
    """A matcher of the project's own may ask something else about a constant: `expect("no key").toHaveBeenWarned()`."""
    return said.relation in (UNKNOWN.relation, UNKNOWN.negated) and said.wanted_node is None and not said.wanted


def _pattern(node: tree_sitter.Node | None) -> str | None:
    plain = unwrapped(node)
    if plain is None or plain.type != "regex":
        return None
    pattern = plain.child_by_field_name("pattern")
    return (pattern.text or b"").decode("utf-8", "replace") if pattern is not None else ""


def demands_nothing(said: Said, wanted: str | None) -> bool:
    """Whatever is looked at, it holds."""
    node = unwrapped(said.wanted_node)
    if said.relation in ("matches", "in", "part") and wanted == "''":
        return True
    if said.relation == "part" and node is not None and node.type == "object" and not node.named_children:
        return True
    if said.relation == "matches" and node is not None and node.type == "regex":
        return matches_all(node)
    if said.relation == "satisfies" and node is not None and node.type in FUNCTIONS:
        body = node.child_by_field_name("body")
        return body is not None and body.type in ("true", "number", "string")
    return said.relation == "!=" and wanted in ("NaN", "Number.NaN")
