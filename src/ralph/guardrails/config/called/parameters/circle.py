"""Parameters of CircleCI: of commands, jobs and executors, also of orbs in the file, and of the whole pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from ralph.guardrails.config.called.parameters.blocks import MOST, Block, Entry, end_of
from ralph.guardrails.config.node import Node, canonical
from ralph.record import record
from ralph.system.patterns import later

OWN = later(r"<<\s*parameters\.(?P<name>[\w-]+)\s*>>")
PIPELINE = later(r"<<\s*pipeline\.parameters\.(?P<name>[\w-]+)\s*>>")
KINDS = ("commands", "jobs", "executors")
DEEPEST = 4


@record
class _Called:
    """A call of a part: what it is given, and the part that holds it (None: nothing that has parameters)."""

    name: str
    given: Entry
    holder: str | None


def blocks(lines: Sequence[str], node: Node) -> Iterator[Block]:
    whole = _defaults(node)
    if whole:
        yield Block(0, len(lines), PIPELINE, [whole])
    parts = {name: part for name, part in _parts(node) if part.at("parameters") is not None}
    if parts:
        called = list(_calls(node))
        for name, part in parts.items():
            entries = list(islice(_entries(name, parts, called, DEEPEST), MOST)) or [_defaults(part)]
            yield Block(part.line - 1, end_of(lines, part.line - 1), OWN, entries)


def _parts(node: Node) -> Iterator[tuple[str, Node]]:
    for prefix, owner in (("", node), *((f"{name}/", orb) for name, orb in _below(node, "orbs"))):
        for kind in KINDS:
            for name, part in _below(owner, kind):
                if part.mapping and part.line:
                    yield f"{prefix}{name}", part


def _below(node: Node, key: str) -> list[tuple[str, Node]]:
    found = node.at(key)
    return list(found.mapping.items()) if found is not None else []


def _defaults(part: Node) -> Entry:
    described = ((name, each.at("default")) for name, each in _below(part, "parameters"))
    return {name: canonical(default) for name, default in described if default is not None}


def _entries(name: str, parts: dict[str, Node], called: Sequence[_Called], deep: int) -> Iterator[Entry]:
    """What the part's parameters are in each of its calls; those of what holds a call are put into it."""
    usual = _defaults(parts[name])
    for call in called:
        if call.name != name or not deep:
            continue
        given = {**usual, **call.given}
        if call.holder in parts and call.holder != name and any(map(OWN.search, call.given.values())):
            for outer in islice(_entries(call.holder or "", parts, called, deep - 1), MOST):
                yield {key: _put_in(value, outer) for key, value in given.items()}
        else:
            yield given


def _put_in(value: str, outer: Entry) -> str:
    return OWN.sub(lambda found: outer.get(found["name"], found[0]), value)


def _calls(node: Node) -> Iterator[_Called]:
    for name, part in _parts(node):
        prefix = name.rpartition("/")[0]
        own = {each for each, _ in _parts(node)}
        for call in _inside(part, name):
            local = f"{prefix}/{call.name}"
            yield _Called(local, call.given, call.holder) if prefix and local in own else call
    for _, workflow in _below(node, "workflows"):
        jobs = workflow.at("jobs") if workflow.mapping else None
        for item in jobs.items if jobs is not None else ():
            yield from _call(item, None)


def _inside(node: Node, holder: str) -> Iterator[_Called]:
    for key, value in node.mapping.items():
        if key == "executor":
            named = value.at("name") if value.mapping else value
            if named is not None:
                yield _Called(canonical(named), _given(value), holder)
        if key == "steps":
            for item in value.items if isinstance(value.value, list) else ():
                yield from _call(item, holder)
        yield from _inside(value, holder)
    for item in node.value if isinstance(node.value, list) else ():
        yield from _inside(item, holder)


def _call(item: Node, holder: str | None) -> Iterator[_Called]:
    if not item.mapping:
        yield _Called(canonical(item), {}, holder)
    for name, given in item.mapping.items():
        axes = given.at("matrix", "parameters") if given.mapping else None
        lists = {
            axis: [canonical(value) for value in values.items]
            for axis, values in (axes.mapping if axes else {}).items()
        }
        for chosen in islice(product(*lists.values()), MOST):
            yield _Called(name, {**_given(given), **dict(zip(lists, chosen, strict=True))}, holder)


def _given(node: Node) -> Entry:
    return {key: canonical(value) for key, value in node.mapping.items() if not value.mapping}
