"""Parts of a pipeline that it includes, and what it says of the jobs in them (policy set v2, class G16): GitLab's.

Rules:

- A file of the tree with checks, and a template of a scanner, that a pipeline included are included still, by it or by
  another file of the tree; without a new condition, of which a person is told.
- A job of an included file is laid over by one of the same name: that it never runs, that it may fail, that a person
  has to start it, and a script without a check take its check away.
- The scanners of templates have variables that switch them off.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import covers, is_product
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

SCANNERS = later(
    r"(?i)(?:^|/)(?:Security/|Jobs/(?:SAST|Secret-Detection|Dependency-Scanning|Container-Scanning|Code-Quality|Test)"
    r"|Code-Quality|Auto-DevOps|SAST|Secret-Detection|Dependency-Scanning|Container-Scanning|License-Scanning|DAST)"
)
SWITCH = later(
    r"(?:SAST|SECRET_DETECTION|DEPENDENCY_SCANNING|CONTAINER_SCANNING|CODE_QUALITY|DAST|TEST|BROWSER_PERFORMANCE)_DISABLED"
)
LEAVES_OUT = later(r"(?:SAST|SECRET_DETECTION|DS|DAST|CS)_EXCLUDED_PATHS")
OFF = ("true", "1", "yes")


def included_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    old, new = before.side.node(path), after.side.node(path)
    if old is None or new is None:
        return
    was, now = _includes(old), _includes(new)
    for name, node in was.items():
        if name in now:
            rules = now[name].at("rules")
            if rules is not None and node.at("rules") is None and _checks(name, before):
                yield hit_at("check.condition-added", path, rules.line, f"{name} is included under a condition")
        elif (
            _checks(name, before)
            and (name in after.side.paths or SCANNERS.search(name))
            and not any(name in _includes(other) for other in _pipelines(after.side))
        ):
            yield hit_at("check.removed", path, 0, f"{name} is no longer included", name)
    yield from _laid_over(path, old, new, before, after)
    yield from _switched(path, old, new, after)


def _includes(node: Node) -> dict[str, Node]:
    """What a pipeline includes, by its path or the template's name."""
    include = node.at("include")
    listed = include.value if include is not None and isinstance(include.value, list) else [include]
    found: dict[str, Node] = {}
    for each in listed:
        if each is None:
            continue
        said = each if isinstance(each.value, str) else each.at("local") or each.at("template")
        for item in said.items if said is not None else ():
            found[canonical(item).removeprefix("/")] = each
    return found


def _checks(name: str, before: Reach) -> bool:
    return bool(before.of_file(name)) if name in before.side.paths else SCANNERS.search(name) is not None


def _pipelines(side: Side) -> Iterator[Node]:
    for path in sorted(side.paths):
        if path.endswith((".yml", ".yaml")) and "gitlab" in path and (node := side.node(path)) is not None:
            yield node


def _laid_over(path: str, old: Node, new: Node, before: Reach, after: Reach) -> Iterator[Hit]:
    jobs = {
        gate.slot.partition("/")[0]: gate
        for name in _includes(old)
        if name in before.side.paths
        for gate in before.of_file(name)
    }
    checking = {gate.slot.partition("/")[0] for gate in after.of_file(path)}
    for name, gate in jobs.items():
        job = new.at(name)
        if job is None or old.at(name) is not None:
            continue
        when = [canonical(each) for rule in (job, *_list(job.at("rules"))) if (each := rule.at("when")) is not None]
        never = bool(when) and all(each in ("never", "manual") for each in when)
        if never or (job.at("script") is not None and name not in checking):
            yield hit_at("check.switched-off", path, job.line, f"{name} no longer runs {gate.text}")
        elif canonical(job.at("allow_failure") or job.with_value(False)) == "true":
            yield hit_at("check.failure-allowed", path, job.line, f"{name} may fail: {gate.text}")


def _list(node: Node | None) -> list[Node]:
    return node.value if node is not None and isinstance(node.value, list) else []


def _switched(path: str, old: Node, new: Node, after: Reach) -> Iterator[Hit]:
    had = _variables(old)
    for name, node in _variables(new).items():
        value = canonical(node)
        if name in had and canonical(had[name]) == value:
            continue
        if SWITCH.fullmatch(name) and value.lower() in OFF:
            yield hit_at("check.switched-off", path, node.line, f"{name}: {value}")
        elif LEAVES_OUT.fullmatch(name):
            left = [each.strip() for each in value.split(",") if each.strip()]
            lost = next((each for each in sorted(after.side.paths) if is_product(each) and _lies_in(left, each)), None)
            if lost is not None:
                yield hit_at("check.narrowed", path, node.line, f"{name} leaves out {lost}")


def _lies_in(patterns: list[str], path: str) -> bool:
    return any(covers(pattern, path, regex=False) for pattern in patterns)


def _variables(node: Node) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for table in (node.at("variables"), *(job.at("variables") for job in node.mapping.values())):
        for name, value in table.mapping.items() if table is not None else ():
            found[name] = value.at("value") or value
    return found
