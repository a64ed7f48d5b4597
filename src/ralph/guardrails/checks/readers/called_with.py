"""Conditions of a workflow that others call, as those calls make them (policy set v2, class G10): GitHub's.

Rule: an input in a condition (`if: inputs.full`) is what a caller gives, or its default. A check under it runs where a
job of a workflow that starts by itself, for a push or a pull request, and that is under no condition, calls it so. What
a caller only knows when it runs (`${{ vars.FULL }}`) tells nothing; each value of its matrix does.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from ralph.guardrails.checks.readers.matrix import entries
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

INPUT = later(r"(?<![\w.])inputs\.(?P<name>[\w-]+)")
OF_MATRIX = later(r"\$\{\{\s*matrix\.(?P<name>[\w-]+)\s*\}\}")
FOLDER = ".github/workflows/"
STARTS = frozenset(("push", "pull_request", "merge_group"))
EMPTY = {"boolean": "false", "number": "0"}
PLAIN = later(r"true|false|\d+")


def as_called(condition: str, workflow: Node, side: Side) -> Iterator[str]:
    """The condition with the inputs of each call in their places."""
    inputs = workflow.at("on", "workflow_call", "inputs") if INPUT.search(condition) else None
    if inputs is None:
        return
    usual = {name: _default(each) for name, each in inputs.mapping.items()}
    for given in _calls(workflow.path, side):
        values = {**usual, **given}
        names = {match["name"] for match in INPUT.finditer(condition)}
        if all("${{" not in values.get(name, "${{") and "'" not in values[name] for name in names):
            yield "".join(_written(values[part]) if odd else part for odd, part in _parts(condition))


def _parts(condition: str) -> Iterator[tuple[bool, str]]:
    """What stands around the names of inputs, and these."""
    for number, part in enumerate(INPUT.split(condition)):
        yield number % 2 == 1, part


def _written(value: str) -> str:
    return value if PLAIN.fullmatch(value) else f"'{value}'"


def _default(described: Node) -> str:
    default, kind = described.at("default"), described.at("type")
    return canonical(default) if default is not None else EMPTY.get(canonical(kind) if kind is not None else "", "")


def _calls(path: str, side: Side) -> Iterator[Mapping[str, str]]:
    """What the jobs of others give it."""
    for other in sorted(each for each in side.paths if each.startswith(FOLDER) and each != path):
        node = side.node(other) if posixpath.basename(path) in (side.text(other) or "") else None
        if node is None or STARTS.isdisjoint(_events(node)):
            continue
        for job in (node.at("jobs") or node.with_value({})).mapping.values():
            uses, given = job.at("uses"), job.at("with")
            if uses is None or job.at("if") is not None or posixpath.normpath(canonical(uses)) != path:
                continue
            said = {name: canonical(value) for name, value in given.mapping.items()} if given is not None else {}
            yield from _of_matrix(job, said)


def _of_matrix(job: Node, said: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    asked = {name: match["name"].lower() for name, each in said.items() if (match := OF_MATRIX.fullmatch(each.strip()))}
    for entry in (entries(job) or []) if asked else []:
        known = {name: entry.get(key, "") for name, key in asked.items()}
        yield {**said, **{name: str(value) for name, value in known.items() if isinstance(value, str | bool)}}
    if not asked:
        yield said


def _events(node: Node) -> frozenset[str]:
    on = node.at("on")
    return frozenset([*on.mapping, *map(canonical, on.items)]) if on is not None else frozenset()
