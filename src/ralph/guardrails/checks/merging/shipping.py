"""Jobs and steps that ship something, and whether they still wait for the checks (class G16).

Rules:

- A job that ships, by its name or by what it runs, waits for the checks that it waited for; so does one that checks
  nothing itself.
- It must not run although one of them failed: its condition is read as if that one had failed and the others had not,
  but for those that wait for it: they are skipped, or gather the results and fail with it.
- In one job the steps behind a check are what waits for it.
- A target of a Makefile that ships or packs makes the checks that it made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.checks.merging.gathering import heard
from ralph.guardrails.checks.merging.jobs import jobs_of, waits
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers import makesyntax
from ralph.guardrails.checks.readers.expressions import Value, truth
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

SHIPPING = later(
    r"deploy|release|publish|ship|promote|upload|production|docker|push|merge|automerge|image|pages", re.IGNORECASE
)
SHIPS = later(
    r"\btwine upload\b|\b(?:docker|podman|helm) (?:image )?push\b|\bgh release create\b|\bgem push\b"
    r"|\b(?:uv|npm|pnpm|yarn|poetry|cargo|flit|hatch|pdm|lerna)\b[^\n&|;]* publish\b|\bkubectl (?:apply|rollout)\b"
    r"|\bterraform apply\b|\bhelm upgrade\b|gh-action-pypi-publish|action-gh-release|build-push-action|deploy-pages"
    r"|\./(?:deploy|publish|release)|\b(?:semantic-release|goreleaser release)\b"
)
PACKS = later(r"^(?:package|pack|dist|wheel|sdist|bundle|tarball|artifacts?)$")
MAKES = later(r"(?:\$[({]MAKE[)}]|\bmake)\s+(?:-\S+\s+)*([\w.-]+)")
REGARDLESS = ("always", "on_failure")
ASKS = later(r"(?:always|cancelled|failure|success)\(\)")


def unguarded(path: str, old: Node, new: Node, was: Sequence[Gate], now: Sequence[Gate]) -> Iterator[Hit]:
    """Both sides of one workflow with the checks in it."""
    before, after = jobs_of(old), jobs_of(new)
    checking = {gate.slot.removeprefix("jobs/") for gate in was if gate.kind != "build"}
    now_checking = {gate.slot.removeprefix("jobs/") for gate in now}
    for name, job in before.items():
        if name in after:
            yield from _steps(path, job, after[name], [gate for gate in now if gate.slot == f"jobs/{name}"])
        if name not in after or (name in checking and not SHIPPING.search(name)):
            continue
        lost = (waits(before, name) & checking & after.keys()) - waits(after, name)
        if lost and not (name in now_checking and not SHIPPING.search(name)):
            place = after[name]
            yield hit_at("ci.needs-dropped", path, place.line, f"{name} no longer waits for {', '.join(sorted(lost))}")
        condition = after[name].at("if")
        if condition is not None and (SHIPPING.search(name) or _ships(after[name])):
            needs = sorted(waits(after, name) & checking)
            passed = [need for need in needs if _runs_without(condition, need, new)]
            if any(not _runs_without(job.at("if"), need, old) for need in passed):
                text = f"{name} runs although the checks failed: {cut(canonical(condition), 80)}"
                yield hit_at("ci.needs-dropped", path, condition.line, text)


def _steps(path: str, was: Node, now: Node, gates: Sequence[Gate]) -> Iterator[Hit]:
    """What ships in the same job, behind a check."""
    if not gates:
        return
    first = min(gate.line for gate in gates)
    had = {canonical(step.at("run") or step.at("uses") or step): step.at("if") for step in _list(was)}
    for step in _list(now):
        condition, work = step.at("if"), canonical(step.at("run") or step.at("uses") or step)
        if condition is None or condition.line < first or work not in had or not SHIPS.search(work):
            continue
        if _runs_without(condition, "") and not _runs_without(had[work], ""):
            text = cut(canonical(condition), 80)
            yield hit_at("ci.needs-dropped", path, condition.line, f"it runs although the checks failed: {text}")


def _list(job: Node) -> list[Node]:
    steps = job.at("steps")
    return steps.items if steps is not None and isinstance(steps.value, list) else []


def _ships(job: Node) -> bool:
    return any(SHIPS.search(canonical(step.at("run") or step.at("uses") or step)) for step in _list(job))


def _runs_without(condition: Node | None, failed: str, workflow: Node | None = None) -> bool:
    """True if it runs, or may run, where this job has failed. A condition that asks for no status asks for success."""
    text = canonical(condition) if condition is not None else ""
    inner = re.fullmatch(r"\s*\$\{\{(.*)\}\}\s*", text, re.DOTALL)
    text = (inner[1] if inner else text).strip()
    if not ASKS.search(text):
        return False
    results = _results(failed, workflow) if workflow is not None else {failed: "failure"}

    def look(name: str) -> Value:
        match = re.fullmatch(r"needs(?:\.(?P<job>[\w*-]+)|\['(?P<quoted>[^']+)'\])\.result", name)
        if match is None:
            return None
        job = match["job"] or match["quoted"]
        return ("failure", "success") if job == "*" else results.get(job, "success")

    return truth(text, look, _asked) is not False


def _results(failed: str, workflow: Node) -> dict[str, str]:
    """Of the jobs that do not succeed where this one has failed: those that wait for it are skipped, unless they run
    all the same; one that does may gather the results, and fail."""
    results, jobs = {failed: "failure"}, jobs_of(workflow)
    for name, job in jobs.items():
        if name == failed or failed not in waits(jobs, name):
            continue
        condition = job.at("if")
        if condition is None or not ASKS.search(canonical(condition)):
            results[name] = "skipped"
        elif failed in heard(workflow, job):
            results[name] = "failure"
    return results


def _asked(name: str, arguments: Sequence[Value]) -> Value:
    if name == "contains" and len(arguments) == 2 and isinstance(arguments[0], tuple):
        return arguments[1] in arguments[0]
    known: Mapping[str, bool] = {"always": True, "failure": True, "success": False, "cancelled": False}
    return known.get(name)


def gitlab_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    """A job that ships something and no longer waits: GitLab's `needs` stands above the order of stages."""
    old, new = before.side.node(path), after.side.node(path)
    checking = {gate.slot for gate in before.of_file(path)}
    if old is None or new is None or not checking:
        return
    yield from _overtaken(path, old, new, checking)
    for name, job in new.mapping.items():
        was, now = old.at(name, "needs"), job.at("needs")
        if old.at(name) is None or not SHIPPING.search(name):
            continue
        when, had_when = (canonical(side.at("when") or side.with_value("")) for side in (job, old.mapping[name]))
        if when in REGARDLESS and had_when not in REGARDLESS:
            text = f"{name} runs although the checks failed"
            yield hit_at("ci.needs-dropped", path, job.mapping["when"].line, text)
        if now is None:
            continue
        had = {_job_name(item) for item in was.items} if was is not None else checking
        lost = (had & checking & new.mapping.keys()) - {_job_name(item) for item in now.items}
        if lost and not ({_job_name(item) for item in now.items} & checking and was is None):
            yield hit_at("ci.needs-dropped", path, now.line, f"{name} no longer waits for {', '.join(sorted(lost))}")


def _overtaken(path: str, old: Node, new: Node, checking: AbstractSet[str]) -> Iterator[Hit]:
    """A check whose stage came before that of a job that ships something, and no longer does."""
    ships = [name for name in new.mapping if SHIPPING.search(name) and new.at(name, "needs") is None]
    for name in sorted(checking & old.mapping.keys() & new.mapping.keys()):
        stage = new.at(name, "stage")
        for other in ships if stage is not None else ():
            was, now = (_stage(side, name) - _stage(side, other) for side in (old, new))
            if other in old.mapping and was < 0 <= now and stage is not None and other != name:
                yield hit_at("ci.needs-dropped", path, stage.line, f"{other} no longer waits for {name}")
                break


def _stage(node: Node, job: str) -> int:
    """The place of a job's stage in their order."""
    listed = node.at("stages")
    order = [canonical(each) for each in listed.items] if listed is not None else ["build", "test", "deploy"]
    order = [".pre", *order, ".post"]
    stage = canonical(node.at(job, "stage") or node.with_value("test"))
    return order.index(stage) if stage in order else 0


def _job_name(node: Node) -> str:
    return canonical(node.at("job") or node)


def make_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    """A target that ships or packs something, and no longer makes the checks that it made before."""
    checking = {gate.slot for gate in before.of_file(path) if gate.kind not in ("named", "build")}
    if not checking or not after.of_file(path):
        return
    old, new = _led_to(before.side.text(path) or ""), _led_to(after.side.text(path) or "")
    for name, (line, makes) in new.items():
        if name not in old or not (SHIPPING.search(name) or PACKS.search(name)):
            continue
        lost = old[name][1] & checking & new.keys() - makes - {name}
        if lost:
            detail = f"{name} no longer waits for {', '.join(sorted(lost))}"
            yield hit_at("ci.needs-dropped", path, line, detail)


def _led_to(text: str) -> dict[str, tuple[int, frozenset[str]]]:
    """The line of each target, and all targets that are made with it."""
    direct = {
        name: (line, {*needs, *(target for each in recipe for target in MAKES.findall(each.text))})
        for name, needs, recipe, line in makesyntax.parse(text).targets()
    }
    found: dict[str, tuple[int, frozenset[str]]] = {}
    for name, (line, _) in direct.items():
        waiting, made = [name], set[str]()
        while waiting:
            fresh = direct.get(waiting.pop(), (0, set()))[1] - made
            made |= fresh
            waiting += fresh
        found[name] = (line, frozenset(made))
    return found
