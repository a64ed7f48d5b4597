"""Inputs of templates that GitLab's pipelines include (`$[[ inputs.args ]]`), and what `!reference` takes of a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.called.parameters.blocks import Block, Entry, Filled
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

HOLE = later(r"\$\[\[\s*inputs\.(?P<name>[\w-]+)[^\]\n]*\]\]")
VARIABLE = later(r"\$\{?(?P<name>[A-Za-z_]\w*)\}?")
SPEC = later(r"(?s)\A\s*(?:#[^\n]*\n|---\s*\n)*spec:\s*\n(?P<inputs>.*?)\n---[ \t]*\n")
INPUT = later(r"(?m)^ {4}(?P<name>[\w-]+):(?P<rest>[^\n]*(?:\n(?: {5}[^\n]*|[ \t]*(?=\n)))*)")
DEFAULT = later(r"\bdefault:[ \t]*(?P<value>[^\n]*)")
REFERENCE = later(r"(?P<head>\s*(?:-[ \t]+|[\w-]+:[ \t]+))!reference[ \t]*\[(?P<keys>[^\]\n]+)\][ \t]*")
ENDS = (".yml", ".yaml")
MOST_FILES = 100


def is_template(text: str) -> bool:
    return SPEC.match(text) is not None


def template(path: str, lines: Sequence[str], side: Side) -> tuple[list[str], list[Block]]:
    """The lines without the description of the inputs, in as many lines, and what the calls give these."""
    text = "\n".join(lines)
    spec = SPEC.match(text)
    if spec is None:
        return list(lines), []
    usual = {found["name"]: _default(found["rest"]) for found in INPUT.finditer(spec["inputs"])}
    known = {name: value for name, value in usual.items() if value is not None}
    entries = [{**known, **given} for given in _calls(path, side)] or [known]
    head = text.count("\n", 0, spec.end())
    return [*("" for _ in range(head)), *lines[head:]], [Block(head, len(lines), HOLE, entries)]


def _default(rest: str) -> str | None:
    found = DEFAULT.search(rest)
    return found["value"].strip().strip("\"'") if found is not None else None


def called_by(node: Node | None) -> Iterator[tuple[str, Entry]]:
    """The templates of the tree that a pipeline includes, and what it gives them."""
    include = node.at("include") if node is not None else None
    for each in [] if include is None else [include] if include.mapping else include.items:
        local, inputs = each.at("local") if each.mapping else each, each.at("inputs") if each.mapping else None
        if local is not None:
            given = inputs.mapping if inputs is not None else {}
            yield canonical(local).removeprefix("/"), {name: canonical(value) for name, value in given.items()}


def triggered(node: Node | None) -> Iterator[tuple[str, Entry]]:
    """The pipelines of the tree that its jobs start, and the variables that they hand down."""
    for job in node.mapping.values() if node is not None else ():
        include = job.at("trigger", "include") if job.mapping else None
        for each in [] if include is None else [include] if include.mapping else include.items:
            local, given = each.at("local") if each.mapping else each, job.at("variables")
            if local is not None and given is not None:
                yield canonical(local).removeprefix("/"), {name: canonical(one) for name, one in given.mapping.items()}


def handed_down(path: str, lines: Sequence[str], caller: Node | None) -> list[Block]:
    """The variables that a pipeline gets from what starts it."""
    entries = [given for child, given in triggered(caller) if child == path]
    return [Block(0, len(lines), VARIABLE, entries)] if entries else []


def _calls(path: str, side: Side) -> Iterator[Entry]:
    name = path.rpartition("/")[2]
    others = sorted(each for each in side.paths if each.endswith(ENDS) and each != path)
    for other in others[:MOST_FILES]:
        if name in (side.text(other) or ""):
            yield from (given for template, given in called_by(side.node(other)) if template == path)


def referenced(lines: Sequence[str], node: Node) -> dict[int, Filled]:
    """The lines that take a part of another job, with the commands of that part."""
    found: dict[int, Filled] = {}
    for number, line in enumerate(lines):
        match = REFERENCE.fullmatch(line) if "!reference" in line else None
        part = node.at(*(key.strip().strip("\"'") for key in match["keys"].split(","))) if match is not None else None
        if match is None or part is None:
            continue
        if part.mapping:
            pairs = (f"{key}: {canonical(value)}" for key, value in part.mapping.items() if not value.mapping)
            found[number] = Filled(match["head"], (f"{{{', '.join(pairs)}}}",), "")
        elif all("\n" not in canonical(item) and "!reference" not in canonical(item) for item in part.items):
            found[number] = Filled(match["head"], (" && ".join(map(canonical, part.items)),), "")
    return found
