"""Drawings of a topology: Mermaid, and a tree for a terminal. Pure, and the same for the same hats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ralph.hats.flow import Edge, Flow
from ralph.hats.model import Topology
from ralph.system.text import visible

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "#": "&num;", "|": "&vert;"})


def mermaid(topology: Topology, refusals: Mapping[str, str]) -> str:
    """A Mermaid flowchart. Dotted arrows are claims that a gate refused."""
    flow = Flow(topology, refusals)
    nodes = {hat.id: f"hat{number}" for number, hat in enumerate(topology.hats, start=1)}
    lines = ["flowchart TD", "  start([start])"]
    lines += [f'  {nodes[hat.id]}["{_label(hat.name)}"]' for hat in topology.hats]
    ends: dict[str, str] = {}
    for edge in flow.edges:
        if edge.target is None and edge.topic not in ends:
            ends[edge.topic] = f"end{len(ends) + 1}"
            lines.append(f'  {ends[edge.topic]}(["{_label(_end(edge, flow))}"])')
    for edge in flow.edges:
        source = nodes[edge.source] if edge.source else "start"
        target = nodes[edge.target] if edge.target else ends[edge.topic]
        arrow = "-.->" if edge.refused else "-->"
        lines.append(f'  {source} {arrow}|"{_label(edge.topic)}"| {target}')
    return "\n".join(lines) + "\n"


def text(topology: Topology, refusals: Mapping[str, str]) -> str:
    """A tree for a terminal: each hat is drawn out where it comes first, and only named where it comes again."""
    flow = Flow(topology, refusals)
    names = {hat.id: visible(hat.name) for hat in topology.hats}
    drawn: set[str] = set()
    lines: list[str] = []
    for edge in flow.edges:
        if edge.source is None:
            lines += _tree(edge, flow, names, drawn)
    for hat in topology.hats:
        if hat.id not in drawn:  # what a person or Ralph wakes, and what nothing does
            lines += _tree(Edge(None, ", ".join(hat.triggers), hat.id), flow, names, drawn)
    return "\n".join(lines) + "\n"


def _tree(root: Edge, flow: Flow, names: Mapping[str, str], drawn: set[str]) -> Iterator[str]:
    """The lines from one event on. A stack in place of recursion: a chain of hats may be long."""
    stack = [(root, "", "", "")]
    while stack:
        edge, indent, corner, beside = stack.pop()
        refused = " (refused)" if edge.refused else ""
        yield f"{indent}{corner}{visible(edge.topic)}{refused} ▶ {_target(edge, flow, names, drawn)}"
        if edge.target is None or edge.target in drawn:
            continue
        drawn.add(edge.target)
        further = [each for each in flow.edges if each.source == edge.target]
        corners = [("├─ ", "│  ")] * (len(further) - 1) + [("└─ ", "   ")]
        branches = [(each, indent + beside, *signs) for each, signs in zip(further, corners, strict=False)]
        stack += reversed(branches)


def _target(edge: Edge, flow: Flow, names: Mapping[str, str], drawn: set[str]) -> str:
    if edge.target is None:
        return _end(edge, flow)
    return names[edge.target] + (" ↑" if edge.target in drawn else "")


def _end(edge: Edge, flow: Flow) -> str:
    """Where an event goes that no hat takes."""
    if edge.topic == flow.topology.done:
        return "done"
    return "a person" if edge.topic == "escalate.human" else "end" if edge.topic in flow.ends else "Ralph"


def _label(content: str) -> str:
    return visible(content).translate(_HTML)
