"""Small readings of JavaScript syntax: texts, literals, and what an assignment does to a value."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.config.node import Node
from ralph.system.patterns import later

_ALIKE = "bfnrtvxu0'\"\\\n"
_ESCAPE = later(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|.)", re.DOTALL)


IN_CI = later(
    r"\(?(?P<not>!)?(?:!!|Boolean\()?(?:(?:process\.|import\.meta\.)?env(?:\.|\[[\"'])(?:CI|GITHUB_ACTIONS)(?:[\"']\])?"
    r"|(?:\w+\.)?is_?CI|CI)\)?(?:===?[\"'](?:true|1)[\"']|!==?(?:undefined|null|[\"'](?:false)?[\"']))?\)?"
    r"|\(?[\"'](?:CI|GITHUB_ACTIONS)[\"']inprocess\.env\)?",
    re.IGNORECASE,
)


def holds_in_ci(condition: tree_sitter.Node) -> bool | None:
    """Whether a condition that asks for CI, and for nothing else, holds there; None for any other."""
    match = IN_CI.fullmatch("".join(text_of(condition).split()))
    return None if match is None else not match["not"]


def canonical_text(node: tree_sitter.Node) -> str:
    """The source without comments, white space and trailing commas."""
    tokens: list[str] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "comment":
            continue
        if current.type in ("string", "template_string", "regex") or not current.children:
            tokens.append(text_of(current))
        else:
            stack.extend(reversed(current.children))
    return re.sub(r",(?= [\])}])", "", " ".join(tokens)).replace(" . ", ".").replace(" ( ", "(").replace(" )", ")")


def patched(node: Node, keys: tuple[str, ...], value: Node | None, *, append: bool) -> Node:
    """`node` after an assignment to, a deletion of, or a push onto what stands under `keys`."""
    if not keys:
        if append and value and isinstance(node.value, list):
            return node.with_value([*node.value, value])
        return value or node
    inside = dict(node.mapping)
    child = inside.get(keys[0]) or node.with_value({})
    if len(keys) == 1 and value is None:
        inside.pop(keys[0], None)
    else:
        inside[keys[0]] = patched(child, keys[1:], value, append=append)
    return node.with_value(inside)


def returns(body: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in body.named_children:
        if child.type == "return_statement":
            yield child
        elif "function" not in child.type and "class" not in child.type:
            yield from returns(child)


def told(function: tree_sitter.Node) -> tree_sitter.Node | None:
    """Of a function like `(config) => config.set({...})` what its parameter is told; karma is configured so."""
    body = function.child_by_field_name("body")
    given = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    name = re.match(r"\(?\s*([\w$]+)", text_of(given)) if given is not None else None
    waiting = [body] if body is not None and name is not None else []
    while waiting:
        node = waiting.pop(0)
        called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if name is not None and called is not None and text_of(called) == f"{name[1]}.set" and listed is not None:
            return next((each for each in listed.named_children if each.type != "comment"), None)
        if node.type in ("statement_block", "expression_statement", "parenthesized_expression"):
            waiting += node.named_children
    return None


def last_name(function: tree_sitter.Node) -> str:
    name = function.child_by_field_name("property") or function
    return text_of(name)


def text_of(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def string_value(node: tree_sitter.Node) -> str:
    raw = text_of(node)
    if "\\" not in raw:
        return raw[1:-1]
    try:
        return str(ast.literal_eval(_ESCAPE.sub(_in_python, raw)))
    except (ValueError, SyntaxError):
        return raw[1:-1]


def _in_python(escape: re.Match[str]) -> str:
    """JavaScript's escapes are Python's, but for \\u{...} and for letters that mean themselves (`\\/`)."""
    if escape[1]:
        return f"\\U{int(escape[1], 16):08x}"
    return escape[0] if escape[0][1] in _ALIKE else escape[0][1]


def number_value(text: str) -> int | float | str:
    try:
        return int(text.replace("_", ""), 0) if re.fullmatch(r"[0-9_]+|0[xXoObB][0-9a-fA-F_]+", text) else float(text)
    except ValueError:
        return text
