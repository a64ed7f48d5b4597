"""Types of the project that another declaration opens for any member (policy set v2, class G01): TypeScript.

Rule: declarations of one interface are one type. An index signature of `any` that product code adds to an interface of
the project's own, by `declare module "../order.js"` or beside its declaration in the same file, lets the compiler
accept every member of it, misspelt ones, too: it blocks. Members with names, and what belongs to another package or to
the platform (`declare module "express"`, `declare global`), are no matter of this rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.hiding.generated import MADE
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"\[\s*\w+\s*:\s*(?:string|number|symbol|PropertyKey)\s*\]\s*\??:\s*any\b",)
TYPED = frozenset({"typescript", "tsx"})
OPEN = later(r"(?:readonly\s+)?\[\s*\w+\s*:\s*[\w| ]+\]\s*:\s*(?:any|any\[\])\s*;?")
DECLARES = later(r"\.d(?=\.[cm]?ts$)")
"""A file of declarations that stands among sources is written by hand; what a compiler made lies where builds lie."""
OWN = later(r"[\"'](?:\.{1,2}|[@~#])/")
"""A module of the project: a path from here on, or from where its sources are."""


def augmented(files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        if is_product(sides.path) and not MADE.search(DECLARES.sub("", sides.path)):
            known = {key for source in sides.before.sources for key, _ in _opened(source)}
            for source in sides.after.sources:
                for key, hit in _opened(source):
                    if key not in known:
                        yield sides.after.in_git_lines(hit)


def _opened(source: Source) -> Iterator[tuple[str, Hit]]:
    """The interfaces that a declaration beside their own opens."""
    declared = nodes_of(source, "interface_declaration") if source.language in TYPED else ()
    names = [source.text(name) for each in declared if (name := each.child_by_field_name("name")) is not None]
    for node in declared:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            continue
        called = source.text(name)
        signature = next((each for each in body.named_children if each.type == "index_signature"), None)
        if signature is None or not OPEN.fullmatch(source.text(signature)):
            continue
        module = _module_of(source, node)
        if OWN.match(module) or (not module and names.count(called) > 1):
            detail = f"{called} may have any member"
            yield f"{module} {called}", source.hit("js.error-cast-away", signature, f"{called} []: any", detail=detail)


def _module_of(source: Source, node: tree_sitter.Node) -> str:
    """The module whose declarations are extended here, in its quotes; empty for the file's own."""
    above = node.parent
    while above is not None:
        if above.type in ("module", "internal_module"):
            named = above.child_by_field_name("name")
            return source.text(named) if named is not None else "?"
        if above.type == "ambient_declaration" and source.text(above).startswith("declare global"):
            return "global"
        above = above.parent
    return ""
