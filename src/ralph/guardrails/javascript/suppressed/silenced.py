"""Errors of the compiler that a cast of what is handed on silences (policy set v2, class G01).

Rules, for a cast to `any` in product code where the base had the same code without it:

- In an argument or an operand it silences what the compiler said about it: `label(seat as any)`, `(a as any) - b`.
  So it does for a value that is written out where it is given a name or answered (`{ row: "1" } as any`).
- In a file where much else changes the code is no longer the old one: there it is for a person.
- What is handed to a package's function, or to one that nobody here declares, is for a person: the types of packages
  are sometimes wrong. So is a cast to `never`, which is how keys that are put together get a type.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.files import sources_of
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.syntax.names import WRAPPERS, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

_CASTS = frozenset({"as_expression", "type_assertion"})
_WRITTEN_OUT = frozenset({"object", "array", "string", "number", "true", "false"})
_GIVEN = frozenset(
    {"variable_declarator", "assignment_expression", "return_statement", "pair", "arrow_function", "array"}
    | {"public_field_definition", "required_parameter", "optional_parameter"}
)
_COMBINES = frozenset(
    {"+", "-", "*", "/", "%", "**", "<", ">", "<=", ">=", "==", "===", "!=", "!==", "in", "&", "|", "^"}
)
_CAST = later(r"\s+as\s+any\b|<any>(?=[\s\w({\[\"'`])")
_PARENTHESES = later(r"(?<![\w$)\]])\(([\w$.\[\]\"'!]+)\)")
_NAMES = later(rb"(?m)\bimport\s+(?:type\s+)?([^;\"'`]*?)\bfrom\s*[\"'`]([^\"'`\n]+)[\"'`]")
_REQUIRED = later(
    rb"\b(?:const|let|var)\s+([^=;]*?)=\s*(?:await\s+)?(?:require|import)\s*\(\s*[\"'`]([^\"'`\n]+)[\"'`]"
)
_BUILT_IN = frozenset(
    {"Array", "BigInt", "Boolean", "Date", "Error", "Intl", "JSON", "Map", "Math", "Number", "Object", "Promise"}
    | {"Reflect", "RegExp", "Set", "String", "Symbol", "URL", "WeakMap", "console", "globalThis", "structuredClone"}
    | {"decodeURIComponent", "encodeURIComponent", "fetch", "isFinite", "isNaN", "parseFloat", "parseInt"}
)
MOST_OTHER = 10
_WORD = later(r"[\w$]+")


def silences(hit: Hit, change: Change) -> bool:
    before, after, language = change.blobs.before(hit.path), change.blobs.after(hit.path), language_of(hit.path)
    if hit.rule != "js.cast-any" or before is None or after is None or language is None or not is_product(hit.path):
        return False
    if _other_lines(hit.path, change) > MOST_OTHER:
        return False
    base, head = (_bare(data.decode("utf-8", "replace")) for data in (before, after))
    for source in sources_of(hit.path, language, after):
        found = code(source)
        for node in found.names.of_types(*_CASTS):
            if found.source.text(node) == hit.key and (around := _handed(node, found)):
                text = _bare(_CAST.sub("", found.source.text(around)))
                if base.count(text) > head.count(text) - head.count(f"{text}asany"):
                    return True
    return False


def _other_lines(path: str, change: Change) -> int:
    """Lines of the file's change that are other ones without the casts, too."""
    hunks = [hunk for file in change.files if file.path == path for hunk in file.hunks]
    removed, added = (
        {_bare(_CAST.sub("", line.decode("utf-8", "replace"))) for lines in side for line in lines}
        for side in ([hunk.removed for hunk in hunks], [hunk.added for hunk in hunks])
    )
    return len(removed ^ added)


def _bare(text: str) -> str:
    """Without white space, and the brackets that a cast needs."""
    return _PARENTHESES.sub(r"\1", "".join(text.split()))


def _handed(cast: tree_sitter.Node, code: Code) -> tree_sitter.Node | None:
    """The call or the operation that gets the value; what names it, for one that is written out."""
    parent = code.names.parent(cast)
    while parent is not None and parent.type in WRAPPERS - _CASTS:
        parent = code.names.parent(parent)
    if parent is None:
        return None
    if parent.type == "arguments":
        call = code.names.parent(parent)
        return call if call is not None and not _is_foreign(call, code) else None
    if parent.type == "binary_expression":
        operator = parent.child_by_field_name("operator")
        return parent if operator is not None and operator.type in _COMBINES else None
    value = unwrapped(cast)
    out = value is not None and value.type in _WRITTEN_OUT
    empty = value is not None and value.type in ("object", "array") and not value.named_children
    return parent if parent.type in _GIVEN and out and not empty else None


def _is_foreign(call: tree_sitter.Node, code: Code) -> bool:
    """What is called comes from a package, directly or as what a package's function gave."""
    node = unwrapped(call.child_by_field_name("function") or call.child_by_field_name("constructor"))
    while node is not None and (inner := node.child_by_field_name("object") or node.child_by_field_name("function")):
        node = unwrapped(inner)
    if node is None or node.type != "identifier":
        return False
    foreign = _foreign_names(code)
    name = code.names.name(node)
    binding = code.names.binding(node)
    if binding is None:
        return name not in _BUILT_IN
    texts = [name]
    if binding.kind == "value" and binding.value is not None:
        texts.append(code.source.text(binding.value)[:400])
    if binding.kind == "parameter" and binding.function is not None:
        parameters = binding.function.child_by_field_name("parameters")
        listed = parameters.named_children if parameters is not None else []
        texts += [code.source.text(each) for each in listed[binding.position : binding.position + 1]]
    return any(foreign & set(_WORD.findall(text)) for text in texts)


def _foreign_names(code: Code) -> set[str]:
    data = code.source.data
    found = (match for pattern in (_NAMES, _REQUIRED) for match in pattern.finditer(data))
    return {
        name
        for match in found
        if not LOCAL_MODULE.match(match[2].decode("utf-8", "replace"))
        for name in re.findall(r"[\w$]+", match[1].decode("utf-8", "replace"))
    } - {"as", "type", "default"}
