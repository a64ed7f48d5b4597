"""What a test hands to the function that it shares with others (test inventory, classes G04 and G05).

Rules:

- `test("a title", fails, parse)`: the test is about `parse` as if its own body called it. What it hands on besides the
  title is what it names: imported functions, and texts of one word.
- Behind `...rest` nobody knows which parameter an argument is for.
"""

from __future__ import annotations

from itertools import takewhile

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.system.patterns import later

_WORD = later(r"[\w$-]+")


def handed(code: Code, call: tree_sitter.Node) -> frozenset[str]:
    """The words that a test hands to its function, which itself is handed by name."""
    given = arguments(call)[1:]
    names = {code.names.name(node) for node in given if node.type == "identifier" and _is_imported(code, node)}
    texts = (code.constants.value(node) for node in given if node.type == "string")
    return frozenset(names | {text for text in texts if isinstance(text, str) and _WORD.fullmatch(text)})


def placed(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The arguments whose places are known."""
    return list(takewhile(lambda node: node.type != "spread_element", arguments(call)))


def _is_imported(code: Code, node: tree_sitter.Node) -> bool:
    binding = code.names.binding(node)
    return binding is not None and binding.kind == "import"
