"""Test presets of CMake: a filter, an order to repeat, or a run without tests that ends well (see `model`)."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.registered.model import EXCLUDED, RETRIES, Found
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NOT_RUN = "cfg.test.not-run"
FILES = later(r"(?:^|/)CMake(?:User)?Presets\.json$")
FILTERS = (("exclude", "name"), ("exclude", "label"), ("include", "name"), ("include", "label"), ("include", "index"))


def worse(path: str, before: Side, after: Side) -> Iterator[Found]:
    """What presets of the base say now."""
    old, new = (_by_name(side.node(path)) for side in (before, after))
    for name in old.keys() & new.keys():
        was, now = dict(_said(old[name])), dict(_said(new[name]))
        for key, (rule, node) in now.items():
            if key not in was or canonical(was[key][1]) != canonical(node):
                yield Found(rule=rule, path=path, line=node.line, detail=cut(f"{name}: {key} {canonical(node)}", 200))

    yield from _built_without(path, *(side.node(path) for side in (before, after)))
    yield from _steps_gone(path, *(side.node(path) for side in (before, after)))


def _built_without(path: str, old: Node | None, new: Node | None) -> Iterator[Found]:
    """Presets that no longer build the tests."""
    had, has = _by_name(old, "configurePresets"), _by_name(new, "configurePresets")
    for name in had.keys() & has.keys():
        was, now = (each.at("cacheVariables", "BUILD_TESTING") for each in (had[name], has[name]))
        if now is not None and _is_off(now) and (was is None or not _is_off(was)):
            yield Found(rule=NOT_RUN, path=path, line=now.line, detail=f"{name}: BUILD_TESTING is off")


def _is_off(node: Node) -> bool:
    return canonical(node.at("value") or node).upper() in ("OFF", "FALSE", "0", "NO", "N")


def _steps_gone(path: str, old: Node | None, new: Node | None) -> Iterator[Found]:
    """Workflows that no longer run the tests."""
    had, has = _by_name(old, "workflowPresets"), _by_name(new, "workflowPresets")
    for name in had.keys() & has.keys():
        was, now = (
            [
                step
                for step in (each.at("steps") or each.with_value([])).items
                if canonical(step.at("type") or step) == "test"
            ]
            for each in (had[name], has[name])
        )
        if was and not now:
            yield Found(rule="check.removed", path=path, line=has[name].line, detail=f"{name}: no step runs the tests")


def _by_name(node: Node | None, kind: str = "testPresets") -> dict[str, Node]:
    presets = node.at(kind) if node else None
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
    listed = preset.at("execution", "showOnly")
    if listed is not None:
        yield "showOnly", (NOT_RUN, listed)
    empty = preset.at("execution", "noTestsAction")
    if empty is not None and canonical(empty) == "ignore":
        yield "noTestsAction", ("cfg.test.none-accepted", empty)
