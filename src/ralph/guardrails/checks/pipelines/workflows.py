"""When and in how many ways checks run in CI: triggers, filters, matrices (classes G09, G16).

Only workflows that hold checks matter. A workflow that is gone is judged by its checks alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.checks.merging.queues import QUEUE, is_handed_over, is_of_the_bot
from ralph.guardrails.checks.merging.shipping import SHIPPING, unguarded
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.pipelines.axes import axis_hits
from ralph.guardrails.checks.pipelines.callers import callers
from ralph.guardrails.checks.pipelines.chosen_parts import left_out
from ralph.guardrails.checks.pipelines.shards import runs_all_parts
from ralph.guardrails.checks.pipelines.supported import least_version
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers.matrix import still_runs
from ralph.guardrails.checks.readers.named_axis import named_for
from ralph.guardrails.checks.readers.numbered_axis import by_rows
from ralph.guardrails.checks.readers.people import is_odd
from ralph.guardrails.checks.readers.renamed_axis import in_other_words
from ralph.guardrails.checks.readers.same_axis import of_a_variable, on_the_same_systems, under_another_name
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import covers, is_output, is_product
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

ASKED = frozenset(("pull_request", "pull_request_target", "merge_group", "workflow_call"))
REQUIRED = ("pull_request", "merge_group", "push")
USUAL_BRANCH = later(
    r"^[*\[+]|^\$default-branch|(?:^|/)(?:main|master|trunk|dev|default|next|release|rel\b|stable|staging|prod|v?\d|hotfix|feat"
    r"|fix|bugfix|beta|alpha|canary|edge|lts|integration|maint|series|version|branch|int\b|qa\b|uat\b|live\b|head\b)",
    re.IGNORECASE,
)
PROSE = later(
    r"(?:^|/)(?:docs?|documentation|handbook|manuals?/|guides?/|wiki|tutorials?/|LICENSE|README|CHANGELOG|\.github/ISSUE"
    r"|\.vscode|\.idea)|\.(?:md|mdx|rst|txt|adoc|png|svg)$",
    re.IGNORECASE,
)
MISSING = "!"


def workflow_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    """Both sides of one GitHub workflow."""
    old, new = before.side.node(path), after.side.node(path)
    if old is None or new is None or not before.of_file(path):
        return
    yield from _triggers(path, old, new, before.side, after)
    yield from unguarded(path, old, new, before.of_file(path), after.of_file(path))
    yield from _matrices(path, old, new, before.of_file(path), after.side)
    yield from _other_code(path, old, new)


def events(node: Node) -> dict[str, Node]:
    """What starts a workflow, with the filters of each."""
    on = node.at("on")
    if on is None:
        return {}
    if on.mapping:
        return on.mapping
    return {canonical(item): item.with_value({}) for item in on.items}


def _triggers(path: str, old: Node, new: Node, before: Side, after: Reach) -> Iterator[Hit]:
    was, now = events(old), events(new)
    place = new.at("on") or new
    called = list(callers(path, new, after.side))
    for name in REQUIRED:
        if name not in was or name in now:
            continue
        started = [(other, whole) for other, whole in called if name in events(whole)]
        if started:
            found = [
                list(filter_hits(other, name, was[name], events(whole)[name], whole, after)) for other, whole in started
            ]
            yield from min(found, key=len)
            continue
        kept = [other for other in ("pull_request", "push") if other in now]
        by_another = (
            ("pull_request_target" in now and name == "pull_request")
            or (QUEUE in now and is_of_the_bot(was[name]) and is_handed_over(before, after.side))
            or ("release" in now and name == "push" and _of_tags_alone(was[name]))
        )
        certain = (name == "pull_request" or not kept) and not by_another
        rule = "ci.trigger-removed" if certain else "ci.trigger-changed"
        yield hit_at(rule, path, place.line, f"{name} no longer starts the checks")
    if "schedule" in was and "schedule" not in now:
        yield hit_at("ci.trigger-changed", path, place.line, "no time of day starts the checks any more")
    if "pull_request_target" in now and "pull_request_target" not in was:
        yield hit_at("ci.trigger-changed", path, place.line, "the base's workflow runs, with its secrets")
    for name in REQUIRED:
        if name in was and name in now:
            yield from filter_hits(path, name, was[name], now[name], new, after)


def _of_tags_alone(push: Node) -> bool:
    """What is pushed under a tag is released: no change that is proposed starts it, and a release is such a tag."""
    return "tags" in push.mapping and not any(key.startswith("branches") for key in push.mapping)


def filter_hits(path: str, name: str, was: Node, now: Node, whole: Node, after: Reach) -> Iterator[Hit]:
    yield from _branches(path, name, was, now, alone=name == "push" and not ASKED & events(whole).keys())
    sources = [source for source in after.side.paths if is_product(source)]
    for item in _added(was.at("paths-ignore"), now.at("paths-ignore")):
        pattern = canonical(item)
        certain = (
            not PROSE.search(pattern)
            and not is_output(pattern)
            and (not re.search(r"\w", pattern) or any(covers(pattern, source) for source in sources) or not sources)
        )
        rule = "ci.paths-narrowed" if certain else "ci.trigger-changed"
        yield hit_at(rule, path, item.line, f"changes of {pattern} do not start the checks on {name}")
    only = now.at("paths")
    if only is None or not only.items:
        return
    wanted = [canonical(item) for item in only.items]
    listed = was.at("paths")
    had = [canonical(item) for item in listed.items] if listed else None
    if had is not None and set(had) <= set(wanted) and not {item for item in wanted if item.startswith("!")} - set(had):
        return
    yield from _only_paths(path, name, only, wanted, had, sources)


def _only_paths(
    path: str, name: str, only: Node, wanted: Sequence[str], had: Sequence[str] | None, sources: Sequence[str]
) -> Iterator[Hit]:
    """A first list of paths may leave out what is no code; a list that holds no code lets every change by."""
    held = [source for source in sources if _starts(wanted, source)]
    before = [source for source in sources if had is None or _starts(had, source)]
    useless = not held if sources else _only_prose(wanted)
    lost = [source for source in before if source not in set(held)] if had is not None else []
    useful = bool(before) if sources else had is None or not _only_prose(had)
    rule = "ci.paths-narrowed" if (useless and useful) or lost else "ci.trigger-changed"
    yield hit_at(rule, path, only.line, f"only changes of {cut(', '.join(wanted), 100)} start the checks on {name}")


def _only_prose(patterns: Sequence[str]) -> bool:
    return all(PROSE.search(pattern) or pattern.startswith(MISSING) for pattern in patterns)


def _starts(patterns: Sequence[str], source: str) -> bool:
    """The last pattern that fits decides; those with `!` take away."""
    held = False
    for pattern in patterns:
        if covers(pattern.removeprefix(MISSING), source, regex=False):
            held = not pattern.startswith(MISSING)
    return held


def _branches(path: str, name: str, was: Node, now: Node, *, alone: bool) -> Iterator[Hit]:
    """Filters on branches and tags. `alone`: what somebody pushes is checked by no other event."""
    for key in ("branches", "branches-ignore", "tags", "types"):
        old, new = was.at(key), now.at(key)
        if new is None or (old is not None and canonical(old) == canonical(new)):
            continue
        values = [canonical(item) for item in new.items]
        had = [canonical(item) for item in old.items] if old is not None else None
        if key == "branches":
            lost = [value for value in had or () if value not in values]
            if had is not None and not lost:
                continue
            usual = any(USUAL_BRANCH.search(value) and not value.startswith("!") for value in values)
            usual = usual and not (alone and any(is_odd(value[1:]) for value in values if value.startswith("!")))
            rule = "ci.trigger-changed" if usual else "ci.trigger-removed"
        elif key == "branches-ignore":
            rule = (
                "ci.trigger-removed"
                if any(re.fullmatch(r"\*\*?|main|master", value) or (alone and is_odd(value)) for value in values)
                else "ci.trigger-changed"
            )
        elif key == "tags":
            rule = (
                "ci.trigger-removed"
                if now.at("branches") is None and name == "push" and old is None and was.at("branches") is None
                else "ci.trigger-changed"
            )
        else:
            rule = "ci.trigger-changed" if {"opened", "synchronize"} & set(values) else "ci.trigger-removed"
        yield hit_at(rule, path, new.line, f"{name} starts the checks only for {key}: {cut(', '.join(values), 100)}")


def _added(was: Node | None, now: Node | None) -> list[Node]:
    old = {canonical(item) for item in was.items} if was else set()
    return [item for item in now.items if canonical(item) not in old] if now else []


BASE = later(r"\bbase\.(?:sha|ref)\b|\bbase_ref\b|\bdefault_branch\b|\bevent\.before\b")
"""What the change is made to, and not the change."""


def _other_code(path: str, old: Node, new: Node) -> Iterator[Hit]:
    """A checkout of something else than the change that is to be checked."""
    before = {canonical(place) for _, place in _checkouts(old)}
    had_change = set(jobs_of(old)) - {job for job, _ in _checkouts(old)}
    for job, place in _checkouts(new):
        text = canonical(place)
        known = text in before or re.search(r"github\.|inputs|needs\.|steps\.|matrix\.|env\.|vars\.", text)
        if known and job in had_change and BASE.search(text) and len(_all_checkouts(new, job)) == 1:
            known = None
        if not known and not SHIPPING.search(job):
            yield hit_at("ci.other-code", path, place.line, f"{job} checks out {cut(text, 80)}")


def _all_checkouts(node: Node, job: str) -> list[Node]:
    steps = jobs_of(node)[job].at("steps")
    uses = (step.at("uses") for step in (steps.items if steps else ()))
    return [each for each in uses if each is not None and canonical(each).startswith("actions/checkout")]


def _checkouts(node: Node) -> Iterator[tuple[str, Node]]:
    for name, job in jobs_of(node).items():
        steps = job.at("steps")
        for step in steps.items if steps else ():
            if canonical(step.at("uses") or step.with_value("")).startswith("actions/checkout"):
                place = step.at("with", "ref")
                if place is not None and not step.at("with", "path"):
                    yield name, place


def _matrices(path: str, old: Node, new: Node, was: Sequence[Gate], side: Side) -> Iterator[Hit]:
    before, after = jobs_of(old), jobs_of(new)
    for name in {gate.slot.removeprefix("jobs/") for gate in was} & before.keys() & after.keys():
        had, has = before[name].at("strategy", "matrix"), after[name].at("strategy", "matrix")
        if had is None or not had.mapping or has is None:
            continue
        for key, values in had.mapping.items():
            if key not in ("include", "exclude") and isinstance(values.value, list):
                yield from _axis(path, name, key, before[name], after[name], side)
                for part in left_out(before[name], after[name], key, side):
                    yield hit_at("ci.matrix-narrowed", path, has.line, f"{name} no longer runs with {key} {part}")
        whole = dict(_whole_values(has))
        for item in _added(had.at("exclude"), has.at("exclude")):
            if (value := whole.get(canonical(item))) is not None and (was_there := had.at(value[0])) is not None:
                left = [each for each in was_there.items if canonical(each) != value[1]]
                fewer = was_there.with_value(left)
                least = least_version(side, value[0])
                yield from axis_hits(path, after[name], name, value[0], was_there, fewer, least)
                continue
            yield hit_at("ci.matrix-changed", path, item.line, f"{name} leaves out {cut(canonical(item), 80)}")
        for item in _added(has.at("include"), had.at("include")):
            yield hit_at("ci.matrix-changed", path, has.line, f"{name} no longer includes {cut(canonical(item), 80)}")


def _axis(path: str, name: str, key: str, was: Node, now: Node, side: Side) -> Iterator[Hit]:
    """One list of values of a job that both sides have."""
    had, has = was.at("strategy", "matrix"), now.at("strategy", "matrix")
    if had is None or has is None:
        return
    new = has.at(key) or under_another_name(key, was, now)
    if new is None and _is_otherwise(key, was, now, side):
        yield hit_at("ci.matrix-changed", path, has.line, f"{name} has another axis in the place of {key}")
    elif runs_all_parts(path, side, name, key):
        return
    elif rows := by_rows(key, was, now):
        for part, each, left in rows:
            yield from axis_hits(path, now, name, part, each, left, least_version(side, part))
    elif still_runs(was, now, key, new):
        yield hit_at("ci.matrix-changed", path, has.line, f"{name} lists some runs by themselves, for each {key}")
    elif new is None and has.at("include") is not None:
        yield hit_at("ci.matrix-changed", path, has.line, f"{name} lists its runs instead of {key}")
    else:
        values = had.mapping[key]
        yield from axis_hits(path, now, name, key, values, new or has.with_value([]), least_version(side, key))


def _whole_values(matrix: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    """What is left out for one value of an axis alone, with the axis and the value: nothing runs with it any more."""
    for item in (matrix.at("exclude") or matrix.with_value([])).items:
        if item.mapping and len(item.mapping) == 1:
            key, value = next(iter(item.mapping.items()))
            yield canonical(item), (key, canonical(value))


def _is_otherwise(key: str, before: Node, after: Node, side: Side) -> bool:
    other = on_the_same_systems(key, before, after) or in_other_words(key, before, after, side)
    return (other or named_for(key, before, after) or of_a_variable(key, before, after)) is not None
