"""Checks that a pipeline starts only for changes below a folder that does not exist (policy set v2, class G16).

`changes: ["stockroom/**/*.py"]`, and the code lies in `src/stockroom`: the job never runs.

Rules, for a job of GitLab (`rules`, `only`) or a workflow of GitHub (`on.push.paths`, `on.pull_request.paths`) that the
base has, and of which it started a check:

- Each way to start it asks for changes, and each of their patterns begins with a folder or file that the head's tree
  does not have. Where one of them begins with a wildcard or a variable, or something else starts it, it may run.
- What the base said in the same way is nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import written_out
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

GITLAB, GITHUB = later(r"(?:^|/)[^/]*\.gitlab-ci\.ya?ml$"), later(r"^\.github/workflows/[^/]+\.ya?ml$")
WILD = later(r"[*?\[\]{}()!+@$]")
BY_CHANGES = frozenset({"push", "pull_request", "pull_request_target"})
NEVER = frozenset({"never", "manual"})


def nothing_hits(paths: Iterable[str], before: Reach, after: Reach) -> Iterator[Hit]:
    for path in paths:
        gitlab = GITLAB.search(path) is not None
        if not (gitlab or GITHUB.search(path)) or path not in before.side.paths or path not in after.side.paths:
            continue
        old, new = before.side.node(path), after.side.node(path)
        if old is None or new is None:
            continue
        lines = sorted(gate.line for gate in after.of_file(path))
        if gitlab:
            yield from _of_jobs(path, old, new, lines, before.side, after.side)
        elif lines and (pattern := _of_workflow(new, after.side)) and not _of_workflow(old, before.side):
            yield _hit(path, new.at("on") or new, pattern, path)


def _of_jobs(path: str, old: Node, new: Node, lines: Sequence[int], base: Side, head: Side) -> Iterator[Hit]:
    for name, job in new.mapping.items():
        was = old.at(name)
        if was is None or job.at("script") is None:
            continue
        first = min((part.line for part in job.mapping.values()), default=job.line)
        others = (each.line for each in new.mapping.values() if each.line > first and each is not job)
        last = min(others, default=first + len(lines) + 1_000_000)
        pattern = _of_job(job, head)
        if pattern and not _of_job(was, base) and any(first <= line < last for line in lines):
            yield _hit(path, job.at("rules") or job.at("only") or job, pattern, name)


def _of_job(job: Node, side: Side) -> str:
    """The first of the patterns for which alone a job runs, if none can match."""
    rules, only = job.at("rules"), job.at("only")
    if rules is not None:
        ways = [rule for rule in rules.items if rule.mapping and canonical(rule.at("when") or rule) not in NEVER]
        if not ways or len(ways) != len([rule for rule in rules.items if not _is_never(rule)]):
            return ""
        return _none_matches([rule.at("changes") for rule in ways], side)
    return _none_matches([only.at("changes")], side) if only is not None and only.mapping else ""


def _is_never(rule: Node) -> bool:
    when = rule.at("when") if rule.mapping else None
    return when is not None and canonical(when) in NEVER


def _of_workflow(whole: Node, side: Side) -> str:
    events = whole.at("on")
    if events is None or not events.mapping or not set(events.mapping) <= BY_CHANGES:
        return ""
    return _none_matches([event.at("paths") for event in events.mapping.values()], side)


def _none_matches(ways: Sequence[Node | None], side: Side) -> str:
    patterns: list[str] = []
    for changes in ways:
        listed = (changes.at("paths") if changes.mapping else changes) if changes is not None else None
        texts = [canonical(each) for each in listed.items] if listed is not None else []
        if not texts:
            return ""
        patterns += [each for each in texts if not each.startswith("!")]
    alone = [each for text in patterns for each in written_out(text)]
    return patterns[0] if alone and all(_is_of_nothing(each, side) for each in alone) else ""


def _is_of_nothing(pattern: str, side: Side) -> bool:
    """What stands in front of its first wildcard is nowhere in the tree."""
    parts = pattern.removeprefix("./").strip("/").split("/")
    plain = []
    for part in parts:
        if WILD.search(part):
            break
        plain.append(part)
    begins = "/".join(plain)
    return bool(begins) and not any(path == begins or path.startswith(f"{begins}/") for path in side.paths)


def _hit(path: str, node: Node, pattern: str, name: str) -> Hit:
    detail = f"{name} runs only for changes of {pattern}, and there is nothing of that kind"
    return hit_at("check.switched-off", path, node.line, detail, key=f"{name} {pattern}")
