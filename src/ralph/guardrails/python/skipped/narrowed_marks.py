"""A mark of a test that gains a condition excuses less than before (policy set v2, classes G02 and G03).

Rule: the base marks the same test, of the same classes, in the same way (`xfail`; `skip`, of which `skipif` is the one
with a condition) whatever holds, or under one half of `one and other`, and has one mark of that kind less to show for
it now. What else the mark says (`strict`, `raises`, `run`) is what it said, or stricter; its reason is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.skipped.new_tests import source_at
from ralph.guardrails.python.words import Node, enclosing
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

RULES = frozenset({"py.xfail", "py.skip"})
KIND = later(r"(?P<of>[\w.]+)\.(?P<kind>skip|skipif|skipIf|skipUnless|xfail)")
ALIKE = {"skipif": "skip", "skipIf": "skip", "skipUnless": "skip"}
CONDITIONAL = frozenset({"xfail", "skipif", "skipIf", "skipUnless"})
"""Marks whose first argument is a condition."""
STRICTER = frozenset({"strict=True", "raises"})
DEFINITIONS = ("function_definition", "class_definition")


@record
class Mark:
    kind: str
    """How it is written, without what tells a condition."""
    condition: str
    """As it is told; empty without one, and where it is told in a way that is not read."""
    halves: frozenset[str]
    """Conditions of which each has to hold."""
    further: frozenset[str]
    """What else it says."""


def without_narrowed(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    sides: dict[str, tuple[Source | None, Source | None]] = {}
    for hit in hits:
        if hit.rule in RULES and hit.line:
            if hit.path not in sides:
                sides[hit.path] = source_at(hit.path, change.blobs.before), source_at(hit.path, change.blobs.after)
            if _is_narrowed(hit, *sides[hit.path]):
                continue
        yield hit


def _is_narrowed(hit: Hit, old: Source | None, new: Source | None) -> bool:
    if old is None or new is None:
        return False
    point = (hit.line - new.first_line, hit.column - 1)
    decorator = enclosing(new.tree.root_node.descendant_for_point_range(point, point), "decorator", "block", "module")
    if decorator is None or decorator.type != "decorator" or decorator.parent is None:
        return False
    mark, owner = _mark(new, decorator), _owner(new, decorator.parent)
    if mark is None or not mark.condition:
        return False
    before, after = list(_marks_of(old, owner)), list(_marks_of(new, owner))
    fresh = [each for each in after if each.kind == mark.kind and each not in before]
    gone = [each for each in before if each.kind == mark.kind and each not in after]
    return len(fresh) <= len(gone) and any(_is_wider(each, mark) for each in gone)


def _is_wider(old: Mark, new: Mark) -> bool:
    if not old.further <= new.further or not all(_is_stricter(each) for each in new.further - old.further):
        return False
    return not old.condition or old.condition in new.halves


def _is_stricter(said: str) -> bool:
    return said in STRICTER or said.partition("=")[0] in STRICTER


def _marks_of(source: Source, owner: tuple[str, ...]) -> Iterator[Mark]:
    for decorator in source.captures("(decorator) @found"):
        same = decorator.parent is not None and _owner(source, decorator.parent) == owner
        if same and (mark := _mark(source, decorator)) is not None:
            yield mark


def _owner(source: Source, node: Node) -> tuple[str, ...]:
    """The names of what is decorated and of the classes and functions around it, the innermost first."""
    definition = node.child_by_field_name("definition")
    found: list[str] = []
    while definition is not None:
        name = definition.child_by_field_name("name")
        found.append(source.text(name) if name is not None else "")
        definition = enclosing(definition.parent, *DEFINITIONS)
    return tuple(found)


def _mark(source: Source, decorator: Node) -> Mark | None:
    written = next((each for each in decorator.named_children if each.type != "comment"), None)
    call = written if written is not None and written.type == "call" else None
    function = call.child_by_field_name("function") if call is not None else written
    match = KIND.fullmatch(source.text(function)) if function is not None else None
    if match is None:
        return None
    given, named = _arguments(source, call)
    conditions = ([given[0]] if given and match["kind"] in CONDITIONAL else []) + (
        [named.pop("condition")] if "condition" in named else []
    )
    named.pop("reason", None)
    told = [source.text(each) for each in conditions]
    halves = frozenset(half for each in conditions for half in _halves(source, each))
    negated = "not " if match["kind"] == "skipUnless" else ""
    return Mark(
        f"{match['of']}.{ALIKE.get(match['kind'], match['kind'])}",
        f"{negated}{', '.join(told)}" if told else "",
        frozenset() if negated else halves,
        frozenset(f"{name}={source.text(value)}" for name, value in named.items()),
    )


def _arguments(source: Source, call: Node | None) -> tuple[list[Node], dict[str, Node]]:
    listed = call.child_by_field_name("arguments") if call is not None else None
    given: list[Node] = []
    named: dict[str, Node] = {}
    for each in listed.named_children if listed is not None else ():
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if each.type == "keyword_argument" and name is not None and value is not None:
            named[source.text(name)] = value
        elif each.type != "comment":
            given.append(each)
    return given, named


def _halves(source: Source, condition: Node) -> Iterator[str]:
    """Of `one and other` both."""
    while condition.type == "parenthesized_expression" and condition.named_children:
        condition = condition.named_children[0]
    operator = condition.child_by_field_name("operator")
    if condition.type == "boolean_operator" and operator is not None and operator.type == "and":
        for side in ("left", "right"):
            half = condition.child_by_field_name(side)
            if half is not None:
                yield from _halves(source, half)
                yield source.text(half)
