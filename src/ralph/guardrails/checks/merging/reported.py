"""Under which names CI tells of its jobs, where a merge waits for them by name (class G16).

GitHub's workflows (`test (3.12, lint)`: the job, and the values of its entry in the matrix) and CircleCI's
(`ci/circleci: lint`). Rule: a name that no job has any more is waited for in vain, and what it means that the job is
gone is judged where it went. Not so where a job that is new, and may be the same under another name, is not waited for;
nor with a name that may come from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property

from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.checks.readers.matrix import Entry, entries
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.record import record
from ralph.system.patterns import later

WORKFLOW = later(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$")
CIRCLE = later(r"(?:^|/)\.circleci/[^/]+\.ya?ml$")
OF_CIRCLE = "ci/circleci: "
OF_ENTRY = later(r"^(?P<job>[^()]+) \((?P<values>[^()*^$\[\]\\|]+)\)$")
EXPRESSION = later(r"\$\{\{\s*(?P<name>[^{}]*?)\s*\}\}")
NOTHING: frozenset[str] = frozenset()


@record
class Status:
    """What one run of a job is told by."""

    title: str
    """A pattern, for a part of it may be known to a run alone."""
    values: frozenset[str] | None
    """Those of its entry in the matrix, which stand behind the title; None where only a run knows them."""


class Reported:
    """The names of both sides' jobs, read where a name is no longer waited for."""

    def __init__(self, before: Side, after: Side, waited: Collection[str]) -> None:
        self._before, self._after, self._waited = before, after, waited

    def is_gone(self, name: str) -> bool:
        """No job has this name any more, and none that is new may be the one that had it."""
        if name.startswith(OF_CIRCLE):
            return self._is_gone_from_circle(name.removeprefix(OF_CIRCLE))
        job, values = _parts(name)
        if any(_may_be(status, name, job, values) for status in self._now):
            return False
        was = any(_may_be(status, name, job, values) for status in self._then)
        if not was and not (values and any(_titled(status, job) for status in self._now)):
            return False
        return not any(status.values is None or not values or status.values & values for status in self._strangers)

    def _is_gone_from_circle(self, job: str) -> bool:
        then, now = _of_circle(self._before), _of_circle(self._after)
        if then is None or now is None or job in now:
            return False
        return not any(OF_CIRCLE + new not in self._waited for new in now - then) and not self._strangers

    @cached_property
    def _now(self) -> list[Status]:
        return list(_statuses(self._after))

    @cached_property
    def _then(self) -> list[Status]:
        return list(_statuses(self._before))

    @cached_property
    def _strangers(self) -> list[Status]:
        """New ones that nothing waits for."""
        waited = [(name, *_parts(name)) for name in self._waited]
        fresh = [status for status in self._now if status not in self._then]
        return [status for status in fresh if not any(_may_be(status, *parts) for parts in waited)]


def _parts(name: str) -> tuple[str, frozenset[str]]:
    match = OF_ENTRY.match(name)
    return (match["job"], frozenset(match["values"].split(", "))) if match is not None else (name, NOTHING)


def _may_be(status: Status, name: str, job: str, values: frozenset[str]) -> bool:
    """The values may be a part: of a long name, or of what an `include` adds."""
    if re.fullmatch(status.title, name) and not status.values:
        return True
    if not _titled(status, job):
        return False
    return status.values is None or bool(values and (values <= status.values or status.values <= values))


def _titled(status: Status, job: str) -> bool:
    return status.values != NOTHING and re.fullmatch(status.title, job) is not None


def _statuses(side: Side) -> Iterator[Status]:
    for path in sorted(side.paths):
        if not WORKFLOW.search(path) or (node := side.node(path)) is None:
            continue
        for key, job in jobs_of(node).items():
            named = job.at("name")
            title = canonical(named) if named is not None else key
            if job.at("uses") is not None:  # `the caller / the job that it calls`
                yield Status(_pattern(title, {}) + "(?: / .*)?", None)
            elif job.at("strategy", "matrix") is None:
                yield Status(_pattern(title, {}), NOTHING)
            else:
                yield from _of_matrix(title, job)


def _of_matrix(title: str, job: Node) -> Iterator[Status]:
    found = entries(job)
    if found is None:
        yield Status(_pattern(title, {}), None)
    for entry in found or ():
        texts = [value for value in entry.values() if isinstance(value, str)]
        known = frozenset(texts) if len(texts) == len(entry) else None
        yield Status(_pattern(title, entry), NOTHING if EXPRESSION.search(title) else known)


def _pattern(title: str, entry: Entry) -> str:
    """The title with the values of the entry; an expression that only a run can tell stands for any text."""
    parts: list[str] = []
    end = 0
    for match in EXPRESSION.finditer(title):
        value = entry.get(match["name"].lower().removeprefix("matrix."))
        parts += [re.escape(title[end : match.start()]), re.escape(value) if isinstance(value, str) else ".*"]
        end = match.end()
    return "".join([*parts, re.escape(title[end:])])


def _of_circle(side: Side) -> set[str] | None:
    """The jobs of all workflows; None where a file cannot be read, or makes up the names as it runs."""
    found: set[str] = set()
    for path in filter(CIRCLE.search, side.paths):
        node = side.node(path)
        if node is None or "<<" in (side.text(path) or ""):
            return None
        for flow in (node.at("workflows") or node.with_value({})).mapping.values():
            for item in (flow.at("jobs") or flow.with_value([])).items:
                key, job = next(iter(item.mapping.items()), (canonical(item), item))
                named = job.at("name")
                found.add(canonical(named) if named is not None else key)
    return found
