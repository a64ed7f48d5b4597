"""Test presets of CMake: a filter, an order to repeat, or a run without tests that ends well (see `model`)."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.registered.model import EXCLUDED, RETRIES, Found
from ralph.system.patterns import later

FILES = later(r"(?:^|/)CMake(?:User)?Presets\.json$")
FILTERS = (("exclude", "name"), ("exclude", "label"), ("include", "name"), ("include", "label"), ("include", "index"))


def worse(path: str, before: Side, after: Side) -> Iterator[Found]:
    """What presets of the base say now."""
    old, new = (_by_name(side.node(path)) for side in (before, after))
    for name in old.keys() & new.keys():
        was, now = dict(_said(old[name])), dict(_said(new[name]))
        for key, (rule, node) in now.items():
            if key not in was or canonical(was[key][1]) != canonical(node):
                yield Found(rule=rule, path=path, line=node.line, detail=f"{name}: {key} {canonical(node)}"[:200])


def _by_name(node: Node | None) -> dict[str, Node]:
    presets = node.at("testPresets") if node else None
    named = ((each.at("name"), each) for each in (presets.items if presets else ()))
    return {canonical(name): each for name, each in named if name is not None}


def _said(preset: Node) -> Iterator[tuple[str, tuple[str, Node]]]:
    for keys in FILTERS:
        found = preset.at("filter", *keys)
        if found is not None:
            yield " ".join(keys), (EXCLUDED if keys[0] == "exclude" else "cfg.test.filtered", found)
    repeat = preset.at("execution", "repeat")
    mode = repeat.at("mode") if repeat else None
    if repeat is not None and mode is not None and canonical(mode) != "until-fail":
        yield "repeat", (RETRIES, mode)
    empty = preset.at("execution", "noTestsAction")
    if empty is not None and canonical(empty) == "ignore":
        yield "noTestsAction", ("cfg.test.none-accepted", empty)
