"""What CI runs for every change and fails for, down to what its commands lead to.

Rules: nothing stands beside the command or a step above it that could keep it from running, or keep its failure away; a
workflow is started by all that starts the others which run the same program, and not for some files alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach, program
from ralph.guardrails.config.node import Node, canonical
from ralph.record import replace

STARTS = frozenset(("pull_request", "merge_group", "push"))


def surely_run(reach: Reach, name: str) -> Iterator[Gate]:
    """The runs of a program, with bare words."""
    homes = {path: found for path in sorted(reach.side.paths) if (found := _of_ci(reach, path, name))}
    started = {path: _events(reach.side.node(path)) for path in homes}
    wanted = frozenset().union(*(events.keys() for events in started.values()))
    for path, gates in homes.items():
        if wanted <= started[path].keys() and (len(homes) == 1 or not any(map(_for_some, started[path].values()))):
            yield from (replace(gate, words=tuple(word.strip("\"'") for word in gate.words)) for gate in gates)


def _of_ci(reach: Reach, path: str, name: str) -> list[Gate]:
    if not path.endswith((".yml", ".yaml")):
        return []
    tops = (gate for gate in reach.of_file(path) if gate.place == "ci" and not gate.flaws)
    leaves = (leaf for gate in tops for leaf in reach.leaves(gate) if not leaf.flaws)
    return [leaf for leaf in leaves if program(leaf) == name]


def _events(node: Node | None) -> dict[str, Node]:
    """What starts a workflow for a change; a tag is none."""
    on = node.at("on") if node is not None else None
    if on is None:
        return {}
    found = on.mapping or {canonical(item): item.with_value({}) for item in on.items}
    return {event: given for event, given in found.items() if event in STARTS and list(given.mapping) != ["tags"]}


def _for_some(given: Node) -> bool:
    return any(name.startswith(("paths", "types")) for name in given.mapping)
