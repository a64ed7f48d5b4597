"""Assertions about types that any type passes (policy set v2, class G05): TypeScript.

Rules, for helpers beside tests:

- `type Expect<T extends true> = T` compiles for what is true. Where it takes any boolean, or anything, it never fails:
  it blocks, also where it is new.
- `Equal<A, B>` that no longer chooses between two answers, or chooses between equal ones, says yes to everything; one
  that asked for the same type and now asks one way only (`A extends B ? true : false`) passes what is narrower.
- `expectType<T>(value: T)` that no longer takes a value of that type takes any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_support
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"\btype\s+\w+|\bextends\b|\bexpect\w*\s*<|\bassert\w*\s*<|<\s*\w+\s*(?:,|>)",)
TYPED = frozenset({"typescript", "tsx"})
DEMANDS = later(r"(?:Expect|Assert|Check|Verify)(?:s|ed|True|ed\w*|Type|That)?|IsTrue|MustBeTrue")
DEMANDING = later(rb"\b(?:Expect|Assert|Check|Verify|IsTrue|MustBeTrue)")
"""What the base had not must be called so to block."""
REFUSES = later(r"extends\s*(?:true|false|never|1|0)\b")
CHOOSES = later(r"\bextends\b")
CHOICE = later(r"\?\s*([^?:\s][^?:]*?)\s*:\s*([^?:]+?)\s*(?=[):;?]|$)")
SAME = later(r"=>\s*\w+ extends \w+ \? ")
OPEN = frozenset({"any", "unknown", "boolean", "true", "object"})


def open_to_all(files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        beside = is_test_file(sides.path) or is_support(sides.path)
        for source in sides.after.sources if beside else ():
            if source.language in TYPED and (sides.before.sources or is_in(DEMANDING, source.data)):
                before = _named([each for each in sides.before.sources if each.language in TYPED])
                yield from (sides.after.in_git_lines(hit) for hit in _opened(source, before))


def _named(sources: Sequence[Source]) -> dict[str, tuple[Code, tree_sitter.Node]]:
    found = {}
    for source in sources:
        read = code(source)
        found.update({name: (read, node) for name, node in _helpers(read)})
    return found


def _helpers(read: Code) -> Iterator[tuple[str, tree_sitter.Node]]:
    """Types and functions that take types."""
    for taken in read.source.captures("(type_parameters) @found", read.source.tree.root_node):
        node = read.names.parent(taken)
        if node is None or node.child_by_field_name("type_parameters") != taken:
            continue
        name = node.child_by_field_name("name")
        parent = read.names.parent(node)
        if name is None and parent is not None and parent.type == "variable_declarator":
            name = parent.child_by_field_name("name")
        if name is not None:
            yield read.text(name), node


def _opened(source: Source, before: Mapping[str, tuple[Code, tree_sitter.Node]]) -> Iterator[Hit]:
    read = code(source)
    for name, node in _helpers(read):
        was = before.get(name)
        why = _why_type(read, name, node, was) if node.type == "type_alias_declaration" else _why_call(read, node, was)
        if why:
            yield source.hit("test.weakened", node, name, detail=f"{name} {why}")


def _why_type(read: Code, name: str, node: tree_sitter.Node, was: tuple[Code, tree_sitter.Node] | None) -> str:
    taken, value = read.text(node.child_by_field_name("type_parameters")), read.text(node.child_by_field_name("value"))
    old_taken = old = ""
    if was is not None and was[1].type == node.type:
        old_taken, old = (was[0].text(was[1].child_by_field_name(part)) for part in ("type_parameters", "value"))
    only = re.fullmatch(r"<\s*(\w+)[^<>,]*>", taken)
    hands_back = only is not None and (value == only[1] or value in OPEN)
    if (
        hands_back
        and not REFUSES.search(taken)
        and (REFUSES.search(old_taken) or (not old and DEMANDS.fullmatch(name)))
    ):
        return "takes any type"
    if not CHOOSES.search(old) or not CHOICE.search(old) or _is_constant(old):
        return ""
    if (not CHOOSES.search(value) and value in OPEN) or _is_constant(value):
        return "says the same of all types"
    one_way = len(CHOOSES.findall(value)) == 1 and re.fullmatch(r"\[?\w+\]? extends \[?\w+\]? \? true : false", value)
    return "asks one way only" if one_way and len(CHOOSES.findall(old)) > 1 and value != old else ""


def _is_constant(value: str) -> bool:
    """Whatever is chosen, it is the same."""
    answers = {part.strip("() ") for pair in CHOICE.findall(value) for part in pair if "extends" not in part}
    plain = {each for each in answers if each in ("true", "false", "any", "unknown", "never", "boolean", "1", "2")}
    return len(answers) == 1 and plain == answers


def _why_call(read: Code, node: tree_sitter.Node, was: tuple[Code, tree_sitter.Node] | None) -> str:
    if was is None or was[1].type == "type_alias_declaration":
        return ""
    held = _takes_its_type(was[0], was[1]) and not _takes_its_type(read, node)
    return "takes a value of any type" if held and node.child_by_field_name("parameters") is not None else ""


def _takes_its_type(read: Code, node: tree_sitter.Node) -> bool:
    types = re.findall(r"[<,]\s*(?:const\s+)?(\w+)", read.text(node.child_by_field_name("type_parameters")))
    parameters = node.child_by_field_name("parameters")
    given = [each.child_by_field_name("type") for each in parameters.named_children] if parameters is not None else []
    return any(re.search(rf"\b{re.escape(each)}\b", read.text(part)) for each in types for part in given)
