"""Processors of ESLint and Stylelint that hand on less than the linter found (policy set v2, class G10).

Rule: what a `postprocess` is handed are the findings of each part of a file, and what it gives back is reported. One
that gives back nothing, or what `filter` or `slice` left of them, or that makes them warnings, drops findings for all
files that it is for; so does a `preprocess` that gives the linter no text, and a method of the linter itself that is
replaced so. Findings that are flattened, or moved to where their part stands in the file, are what processors are for.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.syntax.calls import given_back
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"\b(?:pre|post)process\b", r"\b(?:Linter|ESLint|CLIEngine)\.prototype\.")
NAMED = later(rb"\b(?:pre|post)process\b|\b(?:Linter|ESLint|CLIEngine)\.prototype\.")
FARTHEST = 6
"""So many nodes up from a word is what it is the name of: a key in quotes, a member of a member."""
FORGIVEN = "cfg.check.failures-ignored"
HANDS_ON = frozenset({"preprocess", "postprocess"})
REPLACED = later(r"(?:\w+\.)*(?:Linter|ESLint|CLIEngine)\.prototype\.(?:_?verify\w*|lint(?:Files|Text)|executeOn\w+)$")
"""Of the linter itself."""
NOTHING = later(r"\[\s*(?:\[\s*\]|[\"'`]{2})?\s*\]|null|undefined|void 0")
FEWER = later(r"\.(?:filter|splice|pop|shift|find|at)\(|\.slice\(\s*[^)\s]|\bflatMap\([^)]*=>\s*\[\s*\]")
MILDER = later(r"\b(?:severity[\"']?\s*[:=]\s*[\"']?(?:[01]\b|warn)|fatal[\"']?\s*[:=]\s*false)")


def processors(source: Source) -> Iterator[Hit]:
    for node in _around_names(source):
        name, function = _member(source, node)
        if function is not None and (place := _hands_on_less(source, name, function)):
            yield source.hit(FORGIVEN, place, f"{name} drops what the linter found")


def _around_names(source: Source) -> Iterator[tree_sitter.Node]:
    """What stands around each place that has one of the words: something is given the name there, or nothing is."""
    root, seen = source.tree.root_node, set[int]()
    for match in NAMED.finditer(source.data):
        node = root.descendant_for_byte_range(*match.span())
        for _ in range(FARTHEST):
            if node is not None and node.id not in seen:
                seen.add(node.id)
                yield node
            node = node.parent if node is not None else None


def _member(source: Source, node: tree_sitter.Node) -> tuple[str, tree_sitter.Node | None]:
    """The function of `postprocess(found) {…}`, `postprocess: (found) => …`, `exports.postprocess = …` and the like; or
    of `Linter.prototype.verify = …`."""
    fields = (node.child_by_field_name(field) for field in ("name", "key", "left"))
    written = [found for found in fields if found is not None]
    named = next((source.text(found).rpartition(".")[2].strip("\"'") for found in written), "")
    if named not in HANDS_ON and not any(REPLACED.match(source.text(found)) for found in written):
        return named, None
    value = node if node.type in ("method_definition", "function_declaration") else node.child_by_field_name("value")
    value = value or node.child_by_field_name("right")
    return named, value if value is not None and value.type in {*FUNCTIONS, "method_definition"} else None


def _hands_on_less(source: Source, name: str, function: tree_sitter.Node) -> tree_sitter.Node | None:
    answers = list(given_back(function))
    empty = next((each for each in answers if NOTHING.fullmatch(source.text(each))), None)
    if name == "preprocess" or (empty is not None and len(answers) == 1):
        return empty if len(answers) == 1 else None
    text = source.text(function)
    return function if FEWER.search(text) or MILDER.search(text) else None
