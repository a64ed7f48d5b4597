"""Steps whose action is the same as before, and whose inputs make it check nothing, or less (classes G09, G10).

Rule: the inputs of an action come to a command line (`config.command_files.actions`). Where that of the base was
a check and that of the head is none (`cargo build` for `cargo clippy`, a formatter without `--check`), it blocks; so
does one that looks at fewer places. Options that forgive are compared by `config.commands.losses`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.known import identity
from ralph.guardrails.checks.scope.narrowed import narrowed
from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.config.command_files.actions import action_command
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.record import record


@record
class Call:
    words: tuple[str, ...]
    check: tuple[tuple[str, ...], Kind] | None
    line: int


def action_hits(path: str, before: Side, after: Side) -> Iterator[Hit]:
    if not path.endswith((".yml", ".yaml")):
        return
    old, new = before.node(path), after.node(path)
    if old is None or new is None:
        return
    had, has = _calls(old), _calls(new)
    paths = before.paths, after.paths
    for place, calls in had.items():
        if len(calls) != len(has.get(place, ())):
            continue
        for was, now in zip(calls, has[place], strict=True):
            if was.check is not None and was.words != now.words:
                yield from _weaker(path, was, now, [call for each in has.values() for call in each], paths)


def _weaker(
    path: str, was: Call, now: Call, calls: Sequence[Call], paths: tuple[frozenset[str], frozenset[str]]
) -> Iterator[Hit]:
    if was.check is None:
        return
    old = _gate(path, was, was.check)
    kind = now.check[1] if now.check is not None else None
    if kind is None or (kind == "build" and old.kind != "build"):
        text = f"{cut(' '.join(now.words), 120)} checks nothing, unlike {cut(old.text, 80)}"
        yield hit_at("check.not-run", path, now.line, text)
    elif now.check is not None:
        new = _gate(path, now, now.check)
        same = [call for call in calls if call.check is not None and identity(call.check[0]) == identity(new.words)]
        less = narrowed(old, new, [_gate(path, call, call.check) for call in same if call.check], *paths)
        if less is not None:
            rule = "check.narrowed" if less.certain else "check.narrowed-unclear"
            yield hit_at(rule, path, now.line, f"{cut(new.text, 120)} {less.text}")


def _gate(path: str, call: Call, check: tuple[tuple[str, ...], Kind]) -> Gate:
    return Gate(words=check[0], kind=check[1], path=path, line=call.line, slot="", place="ci")


def _calls(node: Node) -> dict[tuple[str, str], list[Call]]:
    """By the job and the action, whatever its version."""
    found: dict[tuple[str, str], list[Call]] = defaultdict(list)
    owners = {**jobs_of(node), "runs": node.at("runs") or node.with_value({})}
    for job, owner in owners.items():
        steps = owner.at("steps")
        for step in steps.items if steps is not None and isinstance(steps.value, list) else ():
            uses = step.at("uses")
            name = canonical(uses).partition("@")[0] if uses is not None else ""
            given = (step.at(key) for key in ("env", "with"))
            inputs = {key: value for each in given if each is not None for key, value in each.mapping.items()}
            if uses is not None and (words := action_command(name, inputs)):
                found[job, name].append(Call(tuple(words), check_of(words), uses.line))
    return found
