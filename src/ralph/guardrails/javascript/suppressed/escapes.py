"""Code that talks the type checker out of an error (spec: governance engine 1.4; class G01).

- `x as any` and `x as unknown as T` (any spelling: angle brackets, parentheses, `object`, a local alias of `any`)
  turn checking off for a value. In test code they build partial doubles and are shown.
- It is the same cast when only functions inside of what is cast are others, or it is laid out in another way.
- A member that the base asked for plainly, and the head asks for past the compiler (`(x as any).y`), is an error that
  is cast away.
- So is one of a constant that a name, a member or a `return` was given without a cast at the base (`"0" as never`).
- So is one of what is handed on, where nothing but the cast is new (`silenced`).
- `return null as any`, `return undefined!` and their like pass nothing off as a result, in tests for a stand-in.
- `x as never`, `x!` and `let x!: T` claim what the compiler cannot see: shown.
- `declare module "x";`, or one that declares nothing but `any`, makes a whole package `any`. For a pattern such as
  `"*.svg"` it is the documented way to import what is no code: shown.

An annotation (`x: any`) is no escape of this kind: the linter judges it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from ralph.guardrails.javascript.code import looks_like_test
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.suppressed.cast_texts import cast_text
from ralph.guardrails.javascript.suppressed.silenced import silences
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import stripped, without_note
from ralph.record import replace
from ralph.system.patterns import later

CASTS = frozenset({"as_expression", "type_assertion"})
ALIAS = "type_alias_declaration"
_ASKED_PAST = later(r"\((?:<any>\s*)?([\w$.\[\]\"'!]+)(?:\s+as\s+any)?\)(?=\s*(?:\??\.|\[|\())")
_SHOWN = frozenset({"js.cast-any", "js.cast-never"})
_VALUE = r"\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`|-?\d[\d_.]*\b|\b(?:true|false)\b"
_CONSTANT = later(_VALUE)
_CONSTANT_CAST = later(rf"(?:<(?:any|never)>)?\s*({_VALUE})(?:\s+as\s+(?:any|never))?")
_GIVEN = later(r"(?:[:=?]|=>|\breturn|\byield)\s*$")
_CAST = later(r"\bas\s+(?:any|never|unknown)\b|<any>")
_BESIDE_TESTS = later(r"(?:^|/)(?:tests?|test-d|__tests__|__mocks__|e2e)/")
"""Doubles stand there. The name of a single file says nothing: it may be product code all the same."""
_LOOSE = frozenset({"unknown", "any", "never", "object", "{}", "Object"})
_ASSET = later(r"\*\.(?!(?:[cm]?[jt]sx?|json)\b)\w[\w.]*(?:\?\w+)?")


def escapes(source: Source) -> Iterator[Hit]:
    if source.language == "javascript":
        return
    nodes = nodes_of(source, *CASTS, "non_null_expression", "!", "module", ALIAS)  # one pass for all of them
    aliases = _loose_aliases(source, [node for node in nodes if node.type == ALIAS])
    for node in nodes:
        if node.type in CASTS:
            yield from _cast(source, node, aliases)
        elif node.type == "non_null_expression":
            nothing = _is_nothing(node) and not looks_like_test(source)
            yield source.hit("js.nothing-returned" if nothing else "js.non-null", node, source.text(node))
        elif node.type == "!" and node.parent is not None and node.parent.type in _DEFINITE:
            yield source.hit("js.non-null", node, source.text(node.parent).split("=")[0])
        elif node.type == "module":
            yield from _untyped_module(source, node)


def cast_away(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with casts on lines that the base had without them, to ask for a member, as errors cast away."""
    paths = {hit.path for hit in hits if hit.rule in _SHOWN}
    removed = {
        file.path: [without_note(line, "//") for hunk in file.hunks for line in stripped(hunk.removed)]
        for file in change.files
        if file.path in paths
    }
    for hit in hits:
        there = hit.rule in _SHOWN and (
            _asks_past(hit, removed.get(hit.path, ()))
            or _gives_wrong(hit, removed.get(hit.path, ()))
            or silences(hit, change)
        )
        yield replace(hit, rule="js.error-cast-away") if there else hit


def _asks_past(hit: Hit, removed: Sequence[str]) -> bool:
    line = without_note(hit.snippet, "//")
    plain = _ASKED_PAST.sub(r"\1", line)
    return plain != line and "".join(plain.split()) in ("".join(line.split()) for line in removed)


def _gives_wrong(hit: Hit, removed: Sequence[str]) -> bool:
    """A constant for a name, a member or an answer, that was one without the cast before."""
    cast = _CONSTANT_CAST.fullmatch(hit.key)
    at = hit.snippet.find(hit.key)
    if cast is None or at < 0 or not is_product(hit.path) or not _GIVEN.search(hit.snippet[:at]):
        return False
    plain = _without_values(without_note(hit.snippet, "//").replace(hit.key, cast[1]))
    return any(_without_values(line) == plain for line in removed if not _CAST.search(line))


def _without_values(line: str) -> str:
    return "".join(_CONSTANT.sub("0", line).split())


_DEFINITE = frozenset({"variable_declarator", "public_field_definition"})


def _cast(source: Source, node: tree_sitter.Node, aliases: dict[str, str]) -> Iterator[Hit]:
    if _is_inner(node):
        return
    kind = _type(source, node, aliases)
    inner = _operand(node)
    between = _type(source, inner, aliases) if inner is not None and inner.type in CASTS else None
    if between in _LOOSE and kind != "const":
        rule = "js.double-cast"
    elif kind in ("any", "never"):
        rule = f"js.cast-{kind}"
    else:
        return
    if rule != "js.cast-never" and (looks_like_test(source) or _BESIDE_TESTS.search(source.path)):
        rule = "js.cast-in-test"
    elif _is_nothing(node) and not looks_like_test(source):
        rule = "js.nothing-returned"
    yield source.hit(rule, node, cast_text(source, node) if rule == "js.double-cast" else source.text(node))


def _is_inner(node: tree_sitter.Node) -> bool:
    """True if another cast is put on this one, which is then judged with it."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent is not None and parent.type in CASTS


def _is_nothing(node: tree_sitter.Node) -> bool:
    """`null` or `undefined` as what a function returns."""
    operand: tree_sitter.Node | None = node
    while operand is not None and operand.type in (*CASTS, "non_null_expression"):
        operand = _operand(operand) if operand.type in CASTS else next(iter(operand.named_children), None)
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    returned = parent is not None and parent.type in ("return_statement", "arrow_function")
    return returned and operand is not None and operand.type in ("null", "undefined")


def _operand(node: tree_sitter.Node) -> tree_sitter.Node | None:
    children = [child for child in node.named_children if "comment" not in child.type]
    operand = children[-1] if node.type == "type_assertion" else children[0] if children else None
    while operand is not None and operand.type in ("parenthesized_expression", "non_null_expression"):
        operand = next((child for child in operand.named_children if "comment" not in child.type), None)
    return operand


def _type(source: Source, node: tree_sitter.Node, aliases: dict[str, str]) -> str:
    if node.type == "as_expression" and node.children[-1].type == "const":
        return "const"
    children = [child for child in node.named_children if "comment" not in child.type]
    kind = children[0] if node.type == "type_assertion" else children[-1]
    text = "".join(source.text(kind).split()).strip("<>()")
    return aliases.get(text, text)


def _loose_aliases(source: Source, declared: Iterable[tree_sitter.Node]) -> dict[str, str]:
    """Type names of this file that are another word for `any`, `unknown` and the like."""
    found: dict[str, str] = {}
    for node in declared:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            text = "".join(source.text(value).split())
            found[source.text(name)] = found.get(text, text)
    return {name: value for name, value in found.items() if value in _LOOSE}


def _untyped_module(source: Source, node: tree_sitter.Node) -> Iterator[Hit]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or name.type != "string" or not (body is None or _only_any(source, body)):
        return
    path = source.text(name).strip("\"'")
    rule = "js.untyped-asset-module" if _ASSET.fullmatch(path) else "js.untyped-module"
    yield source.hit(rule, node, f"declare module {path}")


def _only_any(source: Source, body: tree_sitter.Node) -> bool:
    """True if the body declares names, and each of them as `any`."""
    types = [node for node in source.walk(body) if node.type in ("type_annotation", "type_alias_declaration")]
    texts = [re.split(r"[:=]", source.text(node), maxsplit=1)[-1].strip(" ;") for node in types]
    rich = any(
        node.type in ("interface_declaration", "class_declaration", "import_statement") for node in source.walk(body)
    )
    return bool(texts) and not rich and all(text == "any" for text in texts)
