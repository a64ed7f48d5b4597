"""Whether what changed in a file of the product is anything that a test could notice.

Rules:

- Comments and layout are nothing, but for those that a compiler or a runtime reads: `//go:embed`, `# coding: latin-1`,
  `/** @jsx h */`, an example in a comment of Rust. What a Python function says of itself is nothing either, unless it
  is an example, or something may show it: `__doc__`, a decorator, a command.
- A function that is new, under a name that the file did not have, is nothing to the tests that were there: nothing
  calls it yet, or what calls it changed as well. A decorator may hand it on, and a special name is called by itself.
- What no grammar reads, or reads with errors, is noticed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from ralph.guardrails.languages import language_of
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.syntax import GRAMMARS
from ralph.system.patterns import later

READ = later(
    rb"//(?:go:|export |line |/|!)|/\*(?:line |[*!]?[\s*]*@jsx)|//\s*\+build\b|#!|#.*\b(?:coding|encoding)\b\s*[:=]"
    rb"|#\s*(?:frozen_string_literal|shareable_constant_value|warn_indent)\b"
)
"""Comments that do something."""
WITH_C = later(rb"^import\s+\"C\"|^\s*\"C\"$", re.MULTILINE)
"""What stands above it in a comment is a program."""
COMMENT = later(rb"(?:#|//|/\*|\*).*")
"""At most: the sign may stand in a text."""
SPECIAL = later(r"__\w+__|init|main|setup|teardown|pytest_\w+|default|_missing_")
"""Names that are called without being named."""
SHOWN = later(rb"(?:async\s+)?def\s+(?:do_|cmd_|command)")
"""Commands, whose help is what they say of themselves."""
FUNCTIONS = {
    "python": frozenset({"function_definition"}),
    "javascript": frozenset({"function_declaration", "generator_function_declaration"}),
    "go": frozenset({"function_declaration"}),
    "rust": frozenset({"function_item"}),
}
FUNCTIONS |= dict.fromkeys(("typescript", "tsx"), FUNCTIONS["javascript"])
"""By language, what defines a function that stands by itself."""


@record
class Unit:
    """One statement of a file: all its words, each with how deep it stands, and what it defines if it is a function."""

    words: tuple[tuple[int, bytes], ...]
    defines: str = ""


def is_noticed(path: str, old: bytes, new: bytes, known: Iterable[bytes]) -> bool:
    """`old` and `new` are both sides of a file; `known`: the texts of tests, which may name what is new."""
    if old == new:
        return False
    language = language_of(path, (new or old).partition(b"\n")[0])
    if language not in GRAMMARS:
        return old.split() != new.split()
    if not new or _takes_code(old, new) or WITH_C.search(new):
        return True
    before, after = (Source(path, language, data) for data in (old, new))
    if before.tree.root_node.has_error or after.tree.root_node.has_error:
        return True
    if b"__doc__" in new and b"__doc__" in old:
        return True
    was, now = list(_units(before)), list(_units(after))
    named = [unit.defines for unit in now if unit.defines and unit not in was]
    fresh = {name for name in named if not any(_has_word(text, name) for text in (old, *known))}
    return was != [unit for unit in now if unit.defines not in fresh]


def _takes_code(old: bytes, new: bytes) -> bool:
    """A line without any comment is gone: no grammar needs to be asked."""
    gone = Counter(old.split(b"\n")) - Counter(new.split(b"\n"))
    there = frozenset(part.strip() for line in new.split(b"\n") for part in (line, COMMENT.sub(b"", line)))
    return any(line.strip() not in there and not COMMENT.search(line) for line in gone)


def _has_word(text: bytes, name: str) -> bool:
    word = name.encode()
    return word in text and re.search(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)", text) is not None


def _units(source: Source) -> Iterator[Unit]:
    for node in source.tree.root_node.children:
        words = tuple(_words(node))
        if words:
            yield Unit(words, _defined(node, FUNCTIONS.get(source.language, frozenset())))


def _words(top: tree_sitter.Node) -> Iterator[tuple[int, bytes]]:
    """The leaves, without what only people read. In Python only its depth tells of what a statement is a part."""
    waiting: list[tuple[int, tree_sitter.Node]] = [(0, top)]
    while waiting:
        depth, node = waiting.pop()
        text = node.text or b""
        if "comment" in node.type and node.type != "comments":
            if READ.match(text):
                yield depth, text
        elif not node.child_count:
            if text.strip() or node.type.endswith(("content", "fragment", "text")):
                yield depth, text
        elif not _is_told_only(node):
            waiting += [(depth + 1, child) for child in reversed(node.children)]


def _is_told_only(node: tree_sitter.Node) -> bool:
    """What a Python function says of itself; where it is handed to a decorator, that may show it, as its users do."""
    if node.type != "expression_statement" or node.child_count != 1 or node.children[0].type != "string":
        return False
    body = node.parent
    function = body.parent if body is not None and body.type == "block" else None
    if function is None or function.type != "function_definition" or body is None or body.named_children[0] != node:
        return False
    above = function.parent
    decorated = above is not None and above.type == "decorated_definition"
    return not decorated and b">>>" not in (node.text or b"") and not SHOWN.match(function.text or b"")


def _defined(node: tree_sitter.Node, functions: frozenset[str]) -> str:
    """The name of a plain function."""
    inner: Sequence[tree_sitter.Node] = node.named_children if node.type == "export_statement" else (node,)
    exported = [each for each in inner if each.type in functions]
    name = exported[0].child_by_field_name("name") if len(exported) == len(inner) == 1 else None
    text = (name.text or b"").decode("utf-8", "replace") if name is not None else ""
    by_default = node.type == "export_statement" and any(child.type == "default" for child in node.children)
    return "" if by_default or SPECIAL.fullmatch(text) else text
