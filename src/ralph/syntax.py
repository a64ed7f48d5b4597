"""Source code as syntax trees: the only way to a tree-sitter tree.

Grammars are loaded when they are first asked for, so that a program that reads only shell lines loads only that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from itertools import islice
from typing import Any

import tree_sitter

from ralph.errors import MissingToolError

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
BUILD_LINE = re.compile(rb"(?:\xef\xbb\xbf)?[ \t]*(?:(#:)[^\n]*|(?:#!|//)[^\n]*)?\r?(?:\n|\Z)")
"""A line at the top of a C# program of a single file: one for the build, a comment, an empty one."""
RESERVED = (
    b"break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|finally|for|function|if"
    b"|import|in|instanceof|new|return|super|switch|this|throw|try|typeof|var|void|while|with|yield"
)
RESERVED_IN_TAGS = re.compile(rb"(?<=\s)(?:" + RESERVED + rb")(?=\s*=(?![=>]))|(?<=<)var(?=[\s/>])|(?<=</)var(?=\s*>)")
"""Words of JavaScript where an element of JSX may have them for a name: `class=`, `for=`, `<var>`."""
NAMES_IN_TAGS = """[
    (jsx_attribute (property_identifier) @found)
    (jsx_opening_element (identifier) @found)
    (jsx_closing_element (identifier) @found)
    (jsx_self_closing_element (identifier) @found)
]"""
BEFORE_SIGNATURES = re.compile(rb"(?<=[ \t\n])[ \t](?=<[A-Za-z_$][\w$]*(?:\s*[,>=]|\s+extends\b)|<\n)")
"""The blank before a line of TypeScript that begins with what may be the types of a call: `<Item extends object>(`."""
MEMBERS = "[(interface_body) (object_type)] @found"
OPERATORS = re.compile(rb"[|<>]")
MOST_OPERATORS = 400
"""So many pipes and redirections of one line of shell text are read by `parse_bounded`."""


def parse(language: str, data: bytes) -> tree_sitter.Tree:
    """The syntax tree of some code. `language` is a key of GRAMMARS.

    The scanner of tree-sitter-bash 0.25.1 looks some characters up behind the end of a table and ends the process, so
    that shell text is parsed with every byte beyond ASCII as a letter. Offsets stay; `node.text` does not.
    """
    return parser(language).parse(data.translate(PLAIN) if language == "shell" else data)


def parse_bounded(language: str, data: bytes) -> tree_sitter.Tree:
    """The same for whole files that anybody may have written: nothing in one may make the grammar take for ever.

    Of a line of shell text the operators beyond those that are read are letters, as the grammar takes time for each
    pair. Who asks must say what is `unread`; who decides what may run must not ask here. The lines for the build that
    a C# program of a single file begins with (`#:package Cake`) are comments to the grammar, which does not know them.
    """
    if language == "csharp":
        return parse(language, _without_build_lines(data))
    if language == "javascript":
        return _with_names_in_tags(data)
    if language == "typescript":
        return _with_signatures_apart(data)
    return parse(language, _tamed(data) if language == "shell" else data)


def walk(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Every node, depth first, in source order: with a cursor, a sixth of the time of asking each for its children."""
    cursor, depth = root.walk(), 0
    while True:
        if (node := cursor.node) is not None:
            yield node
        if cursor.goto_first_child():
            depth += 1
            continue
        while depth and not cursor.goto_next_sibling():
            cursor.goto_parent()
            depth -= 1
        if not depth:
            return


def unread(line: bytes) -> int | None:
    """The column of the first operator of a line of shell text that is not read; None where all are."""
    operators = islice(OPERATORS.finditer(line), MOST_OPERATORS, None)
    return next((match.start() for match in operators), None)


def _tamed(data: bytes) -> bytes:
    if len(data) <= MOST_OPERATORS or unread(data) is None:
        return data
    lines = data.split(b"\n")
    ends = (unread(line) for line in lines)
    return b"\n".join(
        line if end is None else line[:end] + OPERATORS.sub(b"x", line[end:])
        for line, end in zip(lines, ends, strict=True)
    )


def _with_names_in_tags(data: bytes) -> tree_sitter.Tree:
    """The grammar of JavaScript takes no reserved word for a name in JSX (`<b class="x">`), and of a large file that
    has one it can read nothing at all. Such words are read as names: those alone that are names where all are read so,
    so that no string and no code is read as anything else. Offsets stay; `node.text` of a name does not.
    """
    tree = parse("javascript", data)
    if not tree.root_node.has_error or not RESERVED_IN_TAGS.search(data):
        return tree
    renamed = parse("javascript", RESERVED_IN_TAGS.sub(_as_a_name, data)).root_node
    found = tree_sitter.QueryCursor(_names_in_tags()).captures(renamed).get("found", [])
    names = {node.start_byte for node in found}
    return parse("javascript", RESERVED_IN_TAGS.sub(lambda at: _as_a_name(at) if at.start() in names else at[0], data))


def _as_a_name(word: re.Match[bytes]) -> bytes:
    return b"x" + word[0][1:]


def _with_signatures_apart(data: bytes) -> tree_sitter.Tree:
    """The grammar of TypeScript takes a call's signature with types on a line of its own (`<Item>(item: Item): void`)
    for types of the member above it, which ends at the line's end, and can read nothing of a file that has some. There,
    between the members of a type, a semicolon is read for the blank before it: it says what the line's end says.
    """
    tree = parse("typescript", data)
    if not tree.root_node.has_error or not BEFORE_SIGNATURES.search(data):
        return tree
    apart = parse("typescript", BEFORE_SIGNATURES.sub(b";", data)).root_node
    found = tree_sitter.QueryCursor(_members()).captures(apart).get("found", [])
    ends = {part.start_byte for node in found for part in node.children if part.type == ";"}
    return parse("typescript", BEFORE_SIGNATURES.sub(lambda at: b";" if at.start() in ends else at[0], data))


@cache
def _members() -> tree_sitter.Query:
    return tree_sitter.Query(grammar("typescript"), MEMBERS)


@cache
def _names_in_tags() -> tree_sitter.Query:
    return tree_sitter.Query(grammar("javascript"), NAMES_IN_TAGS)


def _without_build_lines(data: bytes) -> bytes:
    """Every byte stays where it is. Behind the first code they are no such lines, and an error to the compiler, too."""
    start = 0
    while start < len(data) and (found := BUILD_LINE.match(data, start)):
        if found[1]:
            data = data[: found.start(1)] + b"//" + data[found.end(1) :]
        start = found.end()
    return data


@cache
def parser(language: str) -> tree_sitter.Parser:
    return tree_sitter.Parser(grammar(language))


@cache
def grammar(language: str) -> tree_sitter.Language:
    package, function = GRAMMARS[language]
    return tree_sitter.Language(getattr(_binding(package), function)())


def _binding(package: str) -> Any:
    """The compiled part of a grammar's package, alone: the rest is there to find query files, and costs 5 ms."""
    found = PathFinder.find_spec(package)
    places = found.submodule_search_locations if found else None
    spec = PathFinder.find_spec(f"{package}._binding", places) if places else None
    if spec is None or spec.loader is None:
        raise MissingToolError(f"The Python package {package} is not installed, which Ralph needs: install Ralph anew.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
