"""Test code that ends the process with success before the runner can report (policy set v2, class G08).

Rules, for the test files of Rust, Java, Kotlin, C# and Ruby: an exit with status zero blocks; under a condition, or
inside what an assertion or a fake is given, it is for a person. Product code may end its process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import reader_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"\bexit\b|\bhalt\b|exitprocess|getcurrentprocess",)
EXITS = {
    "rust": r"(?:std::)?process::exit\(0\)",
    "java": r"(?:System\.exit|Runtime\.getRuntime\(\)\.(?:exit|halt))\(0\)",
    "kotlin": r"(?:kotlin\.system\.)?exitProcess\(0\)|System\.exit\(0\)|Runtime\.getRuntime\(\)\.(?:exit|halt)\(0\)",
    "csharp": r"(?:System\.)?Environment\.Exit\(0\)|(?:\w+\.)*Process\.GetCurrentProcess\(\)\.Kill\(\)",
    "ruby": r"(?:(?:Kernel|Process)\.|::Kernel\.)?exit!?(?:\((?:0|true)?\)| 0| true)?",
}
CONDITIONS = later(r"if\w*|unless\w*|\w*if_\w+|conditional\w*|switch\w*|when\w*|match_arm|case|catch\w*|rescue\w*")
GIVEN = later(r"\b(?:expect|assert\w*|refute\w*|receive|Assert\.Throws\w*|stub\w*|fork)\b[^;\n]*")


def exits(source: Source) -> Iterator[Hit]:
    reader = reader_of(source.language)
    if reader is None or source.language not in EXITS:
        return
    tests = reader.is_test_file(source.path)
    if not tests and source.language != "rust":
        return
    form = re.compile(EXITS[source.language])
    last = -1
    for node in source.walk():
        plain = "call" in node.type or "invocation" in node.type or node.type == "identifier"
        if plain and node.start_byte > last and form.fullmatch("".join(text_of(node).split("\n"))):
            parent = node.parent
            if not tests and not _in_test_module(node):
                continue
            if node.type == "identifier" and (parent is None or "body" not in parent.type):
                continue
            last = node.end_byte
            guarded = _guarded(source, node.start_byte)
            yield source.hit("test.exit-guarded" if guarded else "test.exit", node, text_of(node))


def _in_test_module(node: tree_sitter.Node) -> bool:
    """Inside `#[cfg(test)] mod tests { }`."""
    above: tree_sitter.Node | None = node
    while above is not None:
        before = above.prev_named_sibling if above.type == "mod_item" else None
        if before is not None and re.match(r"#\[\s*cfg\s*\(.*\btest\b", text_of(before)):
            return True
        above = above.parent
    return False


def _guarded(source: Source, start: int) -> bool:
    node = source.tree.root_node.descendant_for_byte_range(start, start)
    while node is not None:
        line = source.lines[node.start_point.row][: node.start_point.column].decode("utf-8", "replace")
        if CONDITIONS.fullmatch(node.type) or GIVEN.search(line):
            return True
        node = node.parent
    return False
