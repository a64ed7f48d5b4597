"""Source code as syntax trees: the only way to a tree-sitter tree.

Grammars are loaded when they are first asked for, so that a program that reads only shell lines loads only that one.
"""

from __future__ import annotations

import importlib
from functools import cache

import tree_sitter

GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "shell": ("tree_sitter_bash", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "php": ("tree_sitter_php", "language_php"),
}

PLAIN = bytes(range(128)) + b"x" * 128
"""Every byte beyond ASCII as a letter."""


def parse(language: str, data: bytes) -> tree_sitter.Tree:
    """The syntax tree of some code. `language` is a key of GRAMMARS.

    The scanner of tree-sitter-bash 0.25.1 looks some characters up behind the end of a table and ends the process, so
    that shell text is parsed with every byte beyond ASCII as a letter. Offsets stay; `node.text` does not.
    """
    return parser(language).parse(data.translate(PLAIN) if language == "shell" else data)


@cache
def parser(language: str) -> tree_sitter.Parser:
    return tree_sitter.Parser(grammar(language))


@cache
def grammar(language: str) -> tree_sitter.Language:
    module, function = GRAMMARS[language]
    return tree_sitter.Language(getattr(importlib.import_module(module), function)())
