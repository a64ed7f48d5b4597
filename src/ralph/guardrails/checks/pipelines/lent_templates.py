"""What jobs of a pipeline take from a template in another file of it (policy set v2, classes G10, G14): GitLab's.

Rules:

- A pipeline is all that its file includes of the tree; a job's `extends` looks for its template in all of it.
- A job that checks, or another one with its program, could fail the pipeline, and takes from a template that it may
  fail, that a person has to start it, or that it is run again: that is shown at the template.
- So does one that a `default` of another file has run again, and that says nothing of it itself.
- What a job says of itself is judged where it stands (`readers.gitlab`), and so is a template in its own file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.reach import Reach, program
from ralph.guardrails.checks.readers.gitlab import MANUAL, MAX_EXTENDS, switches, whole, with_default
from ralph.guardrails.checks.readers.gitlab_parts import Pipeline, pipeline_of, roots
from ralph.guardrails.config.node import Node, canonical, merged
from ralph.guardrails.model import Hit, hit_at

RULES: Mapping[Flaw, str] = {
    "allowed": "check.failure-allowed",
    "allowed-partly": "check.failure-allowed-partly",
    "off": "check.switched-off",
    "retried": "check.retried",
}
SAYS = (b"allow_failure", b"when:", b"retry")


def lent_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    """`path`: a changed file that is a part of a pipeline."""
    text = after.side.bytes(path) or b""
    for root in roots(after.side) if any(word in text for word in SAYS) else ():
        now = pipeline_of(root, after.side)
        if now is None or path not in now.files or len(now.files) == 1:
            continue
        was = pipeline_of(root, before.side)
        could_fail = _programs(was, before) if was is not None else frozenset[str]()
        for name, file in now.places.items():
            if name.startswith(".") or not (checks := _gates(after, file, name) & could_fail):
                continue
            yield from _lent(path, name, min(checks), was, now)
            yield from _by_default(path, name, min(checks), was, now)


def _lent(path: str, name: str, check: str, was: Pipeline | None, now: Pipeline) -> Iterator[Hit]:
    file = now.places[name]
    job = now.jobs.mapping[name]
    own = _flaws(whole(now.files[file], job))
    had = _flaws(whole(was.jobs, was.jobs.mapping[name])) if was is not None and name in was.places else set()
    for flaw in sorted(_flaws(whole(now.jobs, job)) - own - had):
        template = _origin(flaw, job, now)
        if template and now.places[template] == path:
            line = now.jobs.mapping[template].line
            yield hit_at(RULES[flaw], path, line, f"{template} says so of {name}, which runs {check}", name)


def _by_default(path: str, name: str, check: str, was: Pipeline | None, now: Pipeline) -> Iterator[Hit]:
    """What a `default` says that stands in this file and not in that of the job."""
    default = now.files[path].at("default")
    if default is None or now.places[name] == path or default.at("retry") is None:
        return
    if "retried" in _with_defaults(name, now) and (was is None or "retried" not in _with_defaults(name, was)):
        detail = f"default says so of {name}, which runs {check}"
        yield hit_at(RULES["retried"], path, (default.at("retry") or default).line, detail, "default")


def _with_defaults(name: str, pipeline: Pipeline) -> set[Flaw]:
    """What is said of a job with the defaults of all files; the file that includes counts most."""
    job = pipeline.jobs.at(name)
    defaults = [found for node in reversed([*pipeline.files.values()]) if (found := node.at("default")) is not None]
    if job is None or not defaults:
        return set()
    root = pipeline.jobs.with_value({"default": reduce(merged, defaults)})
    return _flaws(with_default(root, whole(pipeline.jobs, job)))


def _flaws(job: Node) -> set[Flaw]:
    found = set(switches(job)) & RULES.keys()
    when = job.at("when")
    return found if when is not None and canonical(when) in MANUAL else found - {"off"}


def _origin(flaw: Flaw, job: Node, pipeline: Pipeline, depth: int = 0) -> str:
    """The template that says it; the last one that a job names counts most."""
    extends = job.at("extends")
    for base in reversed(extends.items if extends is not None and depth < MAX_EXTENDS else ()):
        name = canonical(base)
        template = pipeline.jobs.at(name)
        if template is None:
            continue
        if flaw in _flaws(template):
            return name
        if found := _origin(flaw, template, pipeline, depth + 1):
            return found
    return ""


def _gates(reach: Reach, file: str, job: str) -> frozenset[str]:
    return frozenset(program(gate) for gate in reach.of_file(file) if gate.slot.partition("/")[0] == job)


def _programs(pipeline: Pipeline, before: Reach) -> frozenset[str]:
    """What could fail the pipeline."""
    sound = {name for name in pipeline.places if not _flaws(whole(pipeline.jobs, pipeline.jobs.mapping[name]))}
    return frozenset(
        program(gate)
        for file in pipeline.files
        for gate in before.of_file(file)
        if gate.slot.partition("/")[0] in sound and not gate.flaws
    )
