"""Values of a matrix that are words of a command: `pytest ${{ matrix.args }}`, of any pipeline that has matrices.

Rule: only where the values are options or places of the tree; what else a matrix goes through are configurations.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from ralph.guardrails.checks.readers.copies import AZURE, BUILDKITE, GITHUB, GITLAB
from ralph.guardrails.checks.readers.matrix import entries
from ralph.guardrails.config.called.parameters.blocks import MOST, Block, Entry, end_of
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

OF_GITHUB = later(r"\$\{\{\s*matrix\.(?P<name>[\w-]+)\s*\}\}")
OF_AZURE = later(r"\$\((?P<name>[A-Za-z_]\w*)\)")
OF_SHELL = later(r"\"?\$\{?(?P<name>[A-Za-z_]\w*)\}?\"?")
OF_BUILDKITE = later(r"\{\{\s*matrix(?:\.(?P<name>[\w-]+))?\s*\}\}")
WOODPECKER = later(r"(?:^|/)\.(?:woodpecker|drone)(?:/[^/]+)?\.ya?ml$")
TRAVIS = later(r"(?:^|/)\.travis\.ya?ml$")
Rows = list[Entry]
Found = tuple[int, int, re.Pattern[str], Rows]


def blocks(path: str, lines: Sequence[str], node: Node, side: Side) -> Iterator[Block]:
    for start, end, hole, rows in _all(path, lines, node):
        names = {name for row in rows for name in row}
        kept = {name for name in names if _are_words([row.get(name, "") for row in rows], side)}
        if kept:
            yield Block(
                start, end, hole, [{name: value for name, value in row.items() if name in kept} for row in rows]
            )


def _are_words(values: Sequence[str], side: Side) -> bool:
    said = [word for value in values for word in value.split()[:1]]
    return all(word.startswith("-") or _is_there(word, side) for word in said)


def _is_there(word: str, side: Side) -> bool:
    place = word.removeprefix("./").rstrip("/").partition("::")[0]
    return place == "." or (bool(place) and (place in side.paths or place in side.directories))


def _all(path: str, lines: Sequence[str], node: Node) -> Iterator[Found]:
    """The lines that a matrix is about, what stands for its values there, and its runs."""
    for form, found in PIPELINES:
        if form.search(path) is not None:
            yield from found(lines, node)


def _of_github(lines: Sequence[str], node: Node) -> Iterator[Found]:
    for job in (node.at("jobs") or node.with_value({})).mapping.values():
        yield *_lines(lines, job), OF_GITHUB, [_texts(entry) for entry in entries(job) or ()]


def _of_gitlab(lines: Sequence[str], node: Node) -> Iterator[Found]:
    for job in node.mapping.values():
        rows = job.at("parallel", "matrix") if job.mapping else None
        if rows is not None:
            yield *_lines(lines, job), OF_SHELL, [row for item in rows.items for row in _products(item)]


def _of_azure(lines: Sequence[str], node: Node) -> Iterator[Found]:
    for owner in _owners(node):
        legs = owner.at("strategy", "matrix")
        if legs is not None:
            yield *_lines(lines, owner), OF_AZURE, [_texts_of(leg) for leg in legs.mapping.values()]


def _of_buildkite(lines: Sequence[str], node: Node) -> Iterator[Found]:
    for step in (node.at("steps") or node.with_value([])).items:
        matrix = step.at("matrix")
        if matrix is not None:
            yield *_lines(lines, step), OF_BUILDKITE, _setup(matrix)


def _of_woodpecker(lines: Sequence[str], node: Node) -> Iterator[Found]:
    matrix = node.at("matrix")
    if matrix is not None:
        listed = matrix.at("include")
        yield 0, len(lines), OF_SHELL, [_texts_of(item) for item in listed.items] if listed else _products(matrix)


def _of_travis(lines: Sequence[str], node: Node) -> Iterator[Found]:
    env = node.at("env")
    listed = (env.at("matrix") or env.at("jobs")) if env is not None and env.mapping else env
    if listed is not None and isinstance(listed.value, list):
        rows: Rows = [dict(_pairs(canonical(item))) for item in listed.items if isinstance(item.value, str)]
        yield 0, len(lines), OF_SHELL, rows


PIPELINES = (
    (GITHUB, _of_github),
    (GITLAB, _of_gitlab),
    (AZURE, _of_azure),
    (BUILDKITE, _of_buildkite),
    (WOODPECKER, _of_woodpecker),
    (TRAVIS, _of_travis),
)


def _lines(lines: Sequence[str], node: Node) -> tuple[int, int]:
    start = max(node.line - 1, 0)
    return start, end_of(lines, start)


def _owners(node: Node) -> Iterator[Node]:
    yield node
    for part in (*node.mapping.values(), *(node.value if isinstance(node.value, list) else ())):
        if part.mapping or isinstance(part.value, list):
            yield from _owners(part)


def _texts(entry: Mapping[str, object]) -> Entry:
    return {name: value for name, value in entry.items() if isinstance(value, str)}


def _texts_of(node: Node) -> Entry:
    return {name: canonical(value) for name, value in node.mapping.items()}


def _products(node: Node) -> Rows:
    lists = {name: [canonical(value) for value in values.items] for name, values in node.mapping.items()}
    return [dict(zip(lists, chosen, strict=True)) for chosen in islice(product(*lists.values()), MOST)]


def _setup(matrix: Node) -> Rows:
    setup = matrix.at("setup") if matrix.mapping else matrix
    if setup is None or setup.mapping:
        return [] if setup is None else _products(setup)
    return [{"": canonical(item)} for item in setup.items]


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    try:
        words = shlex.split(text)
    except ValueError:
        return
    for word in words:
        name, given, value = word.partition("=")
        if given:
            yield name, value
