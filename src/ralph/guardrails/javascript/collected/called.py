"""Whether anybody calls a function that defines tests, while the runner collects them.

Rules: a function that stands by itself, or under a name that the code of the file has nowhere else (as itself, in a
list or an object, as a method), is called by nobody. One given to a timer or a promise is called when the tests have
been collected, and one given to a function of the file that does not use it never. What a file exports is called, but
for a file that runners collect, where another one must load it. What anybody else gets is called.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

HOLDS = frozenset(
    {"array", "object", "pair", "parenthesized_expression", "class_body", "as_expression", "satisfies_expression"}
)
NAMED = frozenset(
    {
        *("function_declaration", "generator_function_declaration", "variable_declarator", "method_definition"),
        *("class_declaration", "public_field_definition", "field_definition"),
    }
)
TOO_LATE = later(r"(?:.*\.)?(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)|.*\.(?:then|catch|finally)")
UNUSED = frozenset({"void", "typeof", "!"})
WORDS = (
    *("identifier", "property_identifier", "shorthand_property_identifier", "private_property_identifier"),
    *("type_identifier", "shorthand_property_identifier_pattern", "string_fragment"),
)
"""By what code may name a function; a text may do so if it is nothing else."""
EXPORTED = later(r"(?:module\.)?exports\b")
COLLECTED = later(r"[._-](?:test|spec|cy|e2e)\.[cm]?[jt]sx?$")
SUFFIXES = tuple(f".{kind}{end}" for kind in ("js", "ts", "mjs", "mts", "cjs", "cts") for end in ("", "x"))
MOST_FILES = 3000


def is_called(code: Code, function: tree_sitter.Node, paths: Paths) -> bool:
    node: tree_sitter.Node | None = function
    while node is not None:
        parent = code.names.parent(node)
        if node.type in NAMED and node.type not in ("method_definition", "public_field_definition"):
            return _is_named_again(code, node, paths)
        if node.type == "method_definition" and _is_named_again(code, node, paths):
            return True
        if parent is not None and parent.type == "assignment_expression" and EXPORTED.match(_left(code, parent)):
            return _is_asked_for(code, paths)
        if parent is None or parent.type not in (*HOLDS, *NAMED):
            return parent is None or not _is_idle(code, node, parent)
        node = parent
    return True


def _left(code: Code, assignment: tree_sitter.Node) -> str:
    return code.text(assignment.child_by_field_name("left"))


def _is_named_again(code: Code, node: tree_sitter.Node, paths: Paths) -> bool:
    """By the code, or, where it is only exported, by another file."""
    named = node.child_by_field_name("name")
    if named is None:
        return True
    name = code.text(named)
    others = [each for each in code.names.of_types(*WORDS) if code.text(each) == name and each.id != named.id]
    outside = [each for each in others if not node.start_byte <= each.start_byte < node.end_byte]
    if any(not _is_exported(code, each) for each in outside):
        return True
    exported = bool(outside) or any(each.type == "export_statement" for each in code.names.above(node))
    return exported and _is_asked_for(code, paths)


def _is_exported(code: Code, word: tree_sitter.Node) -> bool:
    """It stands in `export { … }`, `module.exports = { … }` or `exports.name = …`."""
    for above in code.names.above(word):
        if above.type in ("export_specifier", "export_statement"):
            return True
        if above.type == "assignment_expression":
            return EXPORTED.match(_left(code, above)) is not None
        if above.type not in ("object", "pair", "export_clause", "member_expression"):
            return False
    return False


def _is_asked_for(code: Code, paths: Paths) -> bool:
    """Another file loads this one. What only supports tests is there for others, and of too many files nobody knows."""
    path = code.source.path
    if not COLLECTED.search(path):
        return True
    stem = re.sub(r"(?:\.[cm]?[jt]sx?)$", "", path.rpartition("/")[2])
    scripts = [each for each in paths.all() if each.endswith(SUFFIXES) and each != path]
    loads = re.compile(rb"/" + re.escape(stem.encode()) + rb"(?:\.\w+)?[\"'`]")
    return len(scripts) > MOST_FILES or any(loads.search(paths.read(each) or b"") for each in scripts)


def _is_idle(code: Code, function: tree_sitter.Node, parent: tree_sitter.Node) -> bool:
    """Nothing is done with the function where it stands."""
    if parent.type == "expression_statement":
        plain = unwrapped(function)
        return plain is not None and plain.type in FUNCTIONS
    if parent.type == "unary_expression":
        operator = parent.child_by_field_name("operator")
        return operator is not None and operator.type in UNUSED
    call = code.names.parent(parent) if parent.type == "arguments" else None
    if call is None or call.type != "call_expression":
        return False
    callee = unwrapped(call.child_by_field_name("function"))
    if callee is None:
        return False
    return TOO_LATE.fullmatch(code.source.text(callee)) is not None or _drops(code, callee, call, function)


def _drops(code: Code, callee: tree_sitter.Node, call: tree_sitter.Node, function: tree_sitter.Node) -> bool:
    """A function of the file that has no use for what it is given here."""
    binding = code.names.binding(callee) if callee.type == "identifier" else None
    value = unwrapped(binding.value) if binding is not None and binding.kind != "import" else None
    if value is None or value.type not in FUNCTIONS:
        return False
    body, parameters = value.child_by_field_name("body"), value.child_by_field_name("parameters")
    given = [unwrapped(each) for each in arguments(call)]
    place = next((index for index, each in enumerate(given) if each is not None and each.id == function.id), None)
    if body is None or parameters is None or place is None or b"arguments" in (body.text or b""):
        return False
    listed = parameters.named_children
    if place >= len(listed):
        return not (listed and b"..." in (listed[-1].text or b""))
    words = re.findall(r"[A-Za-z_$][\w$]*", code.source.text(listed[place]))
    return bool(words) and re.search(rf"(?<![\w$]){re.escape(words[0])}(?![\w$])", code.source.text(body)) is None
