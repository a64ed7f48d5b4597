"""Workflows, actions and templates that others call, as their inputs make them (policy set v2, classes G09, G10, G16).

Rule: a workflow or an action of GitHub's, or a template of Azure's, that is called with other inputs than before, or
whose inputs have other defaults, is judged as if each input's value stood in its place. What stands there by itself is
judged where it stands.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ralph.guardrails.checks.weaker import Judgement
from ralph.guardrails.config.commands import losses
from ralph.guardrails.config.commands.overriding import unconfigured
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.record import replace
from ralph.system.patterns import later

IN_TEXT = later(r"\$\{\{\s*(?:inputs|parameters)\.(?P<name>[\w-]+)\s*(?:\|\|\s*'(?P<other>[^'\n]*)'\s*)?\}\}")
IN_CONDITION = later(r"(?<![\w.])(?:github\.event\.)?inputs\.(?P<name>[\w-]+)")
AZURE = later(r"(?i)(?:^|/)[^/]*azure[^/]*\.ya?ml$|(?:^|/)\.?(?:pipelines|azure[\w-]*)/")
ENDS = ("", "/action.yml", "/action.yaml")
Inputs = Mapping[str, str]


def reused_hits(change: Change, paths: Sequence[str], before: Side, after: Side) -> Iterator[Hit]:
    if not any(path.endswith((".yml", ".yaml")) for path in paths):
        return
    there = sorted(before.paths & after.paths)
    callers = [path for path in there if "/workflows/" in f"/{path}" or AZURE.search(path)]
    for caller in callers:
        for name, callee, was, now, line in _calls(caller, before, after):
            if caller not in paths and callee not in paths:
                continue
            old, new = (_as_called(side, callee, given) for side, given in ((before, was), (after, now)))
            # What else the callee came to say is told of itself.
            same = _as_called(after, callee, was, _defaults(before, callee))
            if new != same and old:
                where, row = (caller, line) if was != now else (callee, 0)
                yield from _hits(change, callee, same, new, (name, where, row))


def _calls(path: str, before: Side, after: Side) -> Iterator[tuple[str, str, Inputs, Inputs, int]]:
    """(what calls, what is called, inputs before, inputs now, line) of each call of the same as before."""
    old, new = before.node(path), after.node(path)
    if old is None or new is None:
        return
    had = {(name, callee): given for name, callee, given in _called(old, path, before.paths)}
    for name, callee, given in _called(new, path, after.paths):
        if callee in before.paths and (name, callee) in had:
            yield name, callee, _given(had[name, callee]), _given(given), given.line


def _called(node: Node, path: str, paths: frozenset[str]) -> Iterator[tuple[str, str, Node]]:
    """(what calls, what is called, the call) of a pipeline, for calls of what the tree has itself."""
    jobs = node.at("jobs")
    for job, body in jobs.mapping.items() if jobs is not None else ():
        steps = body.at("steps")
        for step in (body, *(steps.items if steps is not None else ())):
            uses = step.at("uses")
            if uses is not None and canonical(uses).startswith("./"):
                start = posixpath.normpath(canonical(uses))
                callee = next((each for end in ENDS if (each := start + end) in paths), None)
                if callee is not None:
                    yield job, callee, step
    for found in _templates(node):
        callee = posixpath.normpath(posixpath.join(posixpath.dirname(path), canonical(found.mapping["template"])))
        if callee in paths:
            yield posixpath.basename(path), callee, found


def _templates(node: Node) -> Iterator[Node]:
    """Where a pipeline of Azure's puts in a template with parameters, or without any."""
    for key in ("stages", "jobs", "steps"):
        listed = node.at(key)
        for item in listed.items if listed is not None and isinstance(listed.value, list) else ():
            if "template" in item.mapping:
                yield item
            else:
                yield from _templates(item)


def _given(call: Node) -> Inputs:
    given = call.at("with") or call.at("parameters")
    return {name: canonical(value) for name, value in given.mapping.items()} if given is not None else {}


def _defaults(side: Side, path: str) -> Inputs:
    node = side.node(path)
    if node is None:
        return {}
    inputs = node.at("on", "workflow_call", "inputs") or node.at("inputs") or node.at("parameters")
    if inputs is None:
        return {}
    named = {canonical(each.mapping["name"]): each for each in inputs.items if "name" in each.mapping}
    found = {name: each.at("default") for name, each in (named or inputs.mapping).items()}
    return {name: canonical(default) for name, default in found.items() if default is not None}


def _as_called(side: Side, path: str, given: Inputs, defaults: Inputs | None = None) -> str:
    """The text of a workflow with what its inputs are in their places."""
    values = {**(_defaults(side, path) if defaults is None else defaults), **given}

    def text(match: re.Match[str]) -> str:
        value = values.get(match["name"])
        return match[0] if value is None else value or match["other"] or ""

    def condition(match: re.Match[str]) -> str:
        value = values.get(match["name"])
        if value is None:
            return match[0]
        return value if value in ("true", "false") or value.isdigit() else f"'{value}'"

    lines = (side.text(path) or "").split("\n")
    return "\n".join(
        IN_CONDITION.sub(condition, line) if re.match(r"\s*(?:- )?if:", line) else IN_TEXT.sub(text, line)
        for line in lines
    )


def _hits(change: Change, path: str, was: str, now: str, place: tuple[str, str, int]) -> Iterator[Hit]:
    job, where, row = place
    paths = change.blobs.paths_before(), change.blobs.paths_after()
    old = _with(change.blobs.before, path, was, paths[0])
    new = _with(change.blobs.after, path, now, paths[1])
    none = "0" * 40
    file = FileChange(path=path, status="M", old_mode="100644", new_mode="100644", old_blob=none, new_blob=none)
    seen = set[str]()
    for hit in Judgement(replace(change, files=(file,)), old, new).hits():
        if hit.rule not in seen:
            seen.add(hit.rule)
            yield hit_at(hit.rule, where, row, f"{job} is called so that {hit.detail}")
    for loss in losses.losses(old, new, frozenset((path,)), unconfigured):
        if loss.rule not in seen:
            seen.add(loss.rule)
            yield hit_at(loss.rule, where, row, f"{job} is called so that {loss.key} {loss.text}")


def _with(read: Callable[[str], bytes | None], path: str, text: str, paths: frozenset[str]) -> Side:
    return Side(lambda each: text.encode("utf-8", "surrogateescape") if each == path else read(each), paths)
