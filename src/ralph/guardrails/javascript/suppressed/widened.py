"""Types of existing code that become `any` so that an error goes away (policy set v2, class G01).

Rules, for product code in TypeScript:

- A parameter or an answer of a function whose body stays as it was, and whose type had a name of its own: blocks. Where
  a number or a text becomes `any`, nothing of it is asked that the compiler would miss: the linter judges it.
- A member of an interface or a type whose other members stay, and an index signature of `any` that lets them have any
  member: blocks.
- A parameter that was an object or a function written out, or a type that was written so, and that is now `any` or
  `Function`: for a person. So is such a type that became an object of anything (`Record<string, any>`).
- An overload that takes `any` and nothing else, for a function that had none: blocks. A function that has overloads may
  take anything where it is written out. Types that were loose before, declarations of
  other packages and generated files are left to the linter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.hiding.generated import MADE
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.product.stubs import name_of, padded
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

WORDS = (r"[:<,]\s*any\b", r"[:=]\s*(?:any|Function)\b")
_ANY = later(
    r":?(?:(?:readonly)?any(?:\[\])*|(?:Readonly)?(?:Array|Set|Promise)<any>|(?:Record|Map)<\w+,any>|\{\[\w+:\w+\]:any;?\})"
)
_LOOSE = later(r"\b(?:any|unknown|never|object|Object|Function)\b|\{\}")
_OWN = later(r"(?<![\w.])(?!(?:Array|ReadonlyArray|Promise|Record|Map|Set|Partial|Date|RegExp|Error)\b)[A-Z]\w*")
"""A type with a name of its own, of which members are asked."""
_CALLABLE = later(r":?(?:any|Function)")
_ANY_OR_CALLABLE = later(rf"{_ANY.pattern}|{_CALLABLE.pattern}")
_WRITTEN_OUT = later(r":?\(?(?:\{\w|\([^()]*\)=>|new\()")
_ALIAS = "="
_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})
_INDEX = "[]"


@record
class Typed:
    """Where a type stands: `rest` has to stay as it was."""

    node: tree_sitter.Node
    written: str
    rest: str


Types = dict[tuple[str, str], Typed]


def widened(files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        if not is_product(sides.path) or MADE.search(sides.path):
            continue
        for head, base in zip(sides.after.sources, padded(sides), strict=True):
            if base is not None and head.language != "javascript":
                yield from (sides.after.in_git_lines(hit) for hit in _compared(head, base))


def _compared(head: Source, base: Source) -> Iterator[Hit]:
    yield from _overloaded(head, base)
    types = _types(head)
    new = {key: typed for key, typed in types.items() if key[1] != _ALIAS and _ANY.fullmatch(typed.written)}
    loose = {key: typed for key, typed in types.items() if _takes_anything(key[1], typed.written)}
    old = _types(base) if new or loose else {}
    yield from _loosened(head, loose, old)
    owners = {owner: typed.rest for (owner, _), typed in old.items()}
    for (owner, name), typed in new.items():
        was = old.get((owner, name))
        if name == _INDEX:
            wider = was is None and owners.get(owner) == typed.rest
        else:
            wider = was is not None and was.rest == typed.rest and not _LOOSE.search(was.written)
            wider = wider and was is not None and (not owner.endswith("()") or _OWN.search(was.written) is not None)
        if wider:
            yield head.hit("js.error-cast-away", typed.node, f"{owner} {name}: any", detail=f"{name} of {owner} is any")


def _overloaded(head: Source, base: Source) -> Iterator[Hit]:
    signatures = nodes_of(head, "function_signature")
    had = {_named(base, node) for node in nodes_of(base, "function_signature")} if signatures else set()
    functions = {_named(base, node) for node in nodes_of(base, "function_declaration")} if signatures else set()
    for node in signatures:
        name, listed = _named(head, node), node.child_by_field_name("parameters")
        kinds = [each.child_by_field_name("type") for each in listed.named_children] if listed is not None else []
        loose = kinds and all(kind is not None and _ANY.fullmatch(_folded(head, kind)) for kind in kinds)
        if loose and name in functions and name not in had:
            yield head.hit("js.error-cast-away", node, f"{name}() overload: any", detail=f"{name} takes anything")


def _takes_anything(name: str, written: str) -> bool:
    """`any` and `Function`; of a type of its own also an object whose members may be anything."""
    return (_CALLABLE if name != _ALIAS else _ANY_OR_CALLABLE).fullmatch(written) is not None


def _loosened(head: Source, new: Types, old: Types) -> Iterator[Hit]:
    """Objects and functions that were written out; a type of its own in them is another rule's matter."""
    for (owner, name), typed in new.items():
        was = old.get((owner, name))
        if was is None or was.rest != typed.rest or not _WRITTEN_OUT.match(was.written):
            continue
        plain = not _LOOSE.search(was.written) and (typed.written == ":Function" or not _OWN.search(was.written))
        if name == _ALIAS or (plain and owner.endswith("()") and name != "answer"):
            loose = typed.written.removeprefix(":")
            yield head.hit("js.cast-any", typed.node, f"{owner} {name}: {loose}", detail=f"{owner} takes {loose}")


def _types(source: Source) -> Types:
    found: Types = {}
    overloaded = {_named(source, node) for node in nodes_of(source, "function_signature")}
    for function in nodes_of(source, *FUNCTIONS):
        name = name_of(source, function)
        if name and name not in overloaded:
            found.update(_of_function(source, function, name))
    for node in nodes_of(source, "interface_declaration", "type_alias_declaration"):
        found.update(_of_members(source, node))
    for node in nodes_of(source, "type_alias_declaration"):
        name, value = _named(source, node), node.child_by_field_name("value")
        if value is not None:
            found[(name, _ALIAS)] = Typed(node, _folded(source, value), "")
    return found


def _of_function(source: Source, function: tree_sitter.Node, name: str) -> Iterator[tuple[tuple[str, str], Typed]]:
    body, listed = function.child_by_field_name("body"), function.child_by_field_name("parameters")
    rest = _folded(source, body) if body is not None else ""
    places = [(child.child_by_field_name("pattern"), child) for child in listed.named_children] if listed else []
    for pattern, child in places:
        kind = child.child_by_field_name("type")
        if pattern is not None and kind is not None and child.type in _PARAMETERS:
            yield (f"{name}()", source.text(pattern)), Typed(child, _folded(source, kind), rest)
    answer = function.child_by_field_name("return_type")
    if answer is not None:
        yield (f"{name}()", "answer"), Typed(answer, _folded(source, answer), rest)


def _of_members(source: Source, node: tree_sitter.Node) -> Iterator[tuple[tuple[str, str], Typed]]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body") or node.child_by_field_name("value")
    if name is None or body is None or body.type not in ("interface_body", "object_type"):
        return
    members = [child for child in body.named_children if child.type == "property_signature"]
    names = " ".join(_named(source, child) for child in members)
    for child in members:
        kind = child.child_by_field_name("type")
        if kind is not None:
            key = _named(source, child)
            yield (source.text(name), key), Typed(child, _folded(source, kind), names)
    for child in (each for each in body.named_children if each.type == "index_signature"):
        kind = child.child_by_field_name("type")
        yield (source.text(name), _INDEX), Typed(child, _folded(source, kind or child), names)


def _named(source: Source, node: tree_sitter.Node) -> str:
    name = node.child_by_field_name("name")
    return source.text(name) if name is not None else ""


def _folded(source: Source, node: tree_sitter.Node) -> str:
    return "".join(source.text(node).split())
