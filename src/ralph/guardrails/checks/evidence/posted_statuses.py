"""Statuses of a commit that a pipeline gives itself (policy set v2, class G17): GitHub's, GitLab's and Bitbucket's.

Whoever may merge looks at these, and branch protection counts them. Rule: a command, a script of `github-script` or an
action that tells of a success as a word, not as the outcome of something, says what nothing measured, if its job runs
no check: that blocks where it is told of tests or checks by its name, and is shown where it is told of something else
(a preview that stands). So it does where its step runs whatever failed before. Behind checks of its job, or of one that
its job waits for, the word is their outcome: it is not reached where they fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.spoken import newly_spoken
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.prefilter import is_in_part
from ralph.record import record
from ralph.system.patterns import later

FORGED, TOLD = "evidence.fake-output", "evidence.report-added"
SPEAKS = later(
    r"(?i)/statuses\b|check-runs|commit[-_]?status|\bchecks\s*\.\s*(?:create|update)\b|github-status|checks-action|/build-?status"
)
POSTS = later(
    r"(?i)/(?:statuses|check-runs)\b|createCommitStatus|\bchecks\s*\.\s*(?:create|update)\s*\(|/commit/[^/\s]+/statuses"
)
ACTIONS = later(
    r"(?i)[\w.-]+/[\w.-]*(?:commit-status|github-status|status-action|checks?-action|create-status|status-create)[\w.-]*@"
)
SUCCESS = later(r"(?i)\b(?:state|conclusion|status)[\"']?\s*[:=]\s*[\"']?(?:success(?:ful)?|passed)\b")
FAILURE = later(r"(?i)[\"'=:\s](?:fail(?:ure|ed)?|error)[\"']?(?=[\s,;)&|}]|$)")
"""The other word that a command, or a branch of a script, may tell."""
ABOUT = later(
    r"(?i)\b(?:context|name|check_name)[\"']?\s*[:=]\s*[\"']?[^\"'\n,}]*?(?:tests?\b|check|lint|\bci\b|ci/|\bbuild|coverage|jenkins"
    r"|circleci|travis|buildkite|gitlab|azure|sonar|codecov|codeql|security|quality|e2e|integration|unit|typecheck|(?<![a-z])review)"
)
OF_DEPLOYMENTS = later(r"(?i)/deployments/|createDeploymentStatus")
WHATEVER = later(r"\b(?:always|failure|cancelled)\(\)")
SENDS = frozenset(("gh", "curl", "wget", "http", "https", "glab", "hub", "xh"))


@record
class Post:
    line: int
    text: str
    slot: str
    whatever: bool = False
    """It is made whatever failed before."""


def posted_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    text = after.side.text(path)
    if text is None or not is_in_part(SPEAKS, text):
        return
    had = {post.text for post in _of_steps(before.side.node(path))} if path in before.side.paths else set()
    posts = [post for post in _of_steps(after.side.node(path)) if post.text not in had]
    posts += list(_of_commands(path, text, before, after))
    for post in {post.text: post for post in reversed(posts)}.values():
        if post.whatever or not any(_measures(gate, post, after) for gate in _before_it(path, post, after)):
            rule = FORGED if ABOUT.search(post.text) else TOLD
            yield hit_at(rule, path, post.line, "a status says success, and nothing measured it", post.text)


def _of_commands(path: str, text: str, before: Reach, after: Reach) -> Iterator[Post]:
    for said in newly_spoken(before.side, after.side, path):
        whole = " ".join(said.words)
        sends = not said.variable and said.words[0] in SENDS
        if (
            sends
            and not OF_DEPLOYMENTS.search(whole)
            and POSTS.search(whole)
            and SUCCESS.search(whole)
            and not FAILURE.search(whole)
        ):
            yield Post(said.line, whole, said.slot, _is_whatever(after.side.node(path), said.slot, text, said.line))


def _is_whatever(node: Node | None, slot: str, text: str, line: int) -> bool:
    """The step that begins last before this line has a condition that holds after failures, too."""
    if node is None or not slot.startswith("jobs/"):
        return False
    lines = text.split("\n")
    start = next((row for row in range(line - 1, -1, -1) if re.match(r"\s*- \w[\w-]*:", lines[row])), 0)
    end = next(
        (row for row in range(line, len(lines)) if re.match(r"\s*- \w[\w-]*:|\s{0,2}\w", lines[row])), len(lines)
    )
    return any(re.match(r"\s*(?:- )?if:", row) and WHATEVER.search(row) for row in lines[start:end])


def _of_steps(node: Node | None) -> Iterator[Post]:
    """Scripts and inputs of actions."""
    for name, job in jobs_of(node).items() if node is not None and node.at("jobs") is not None else ():
        steps = job.at("steps")
        for step in steps.items if steps is not None and isinstance(steps.value, list) else ():
            uses, given = step.at("uses"), step.at("with")
            if uses is None or given is None:
                continue
            script = given.at("script")
            said = canonical(script) if script is not None else canonical(given)
            posts = POSTS.search(said) if script is not None else ACTIONS.match(canonical(uses))
            told = SUCCESS.search(said) or (script is None and _plainly(given))
            if posts and told and not (script is not None and FAILURE.search(said)):
                condition = step.at("if")
                whatever = condition is not None and WHATEVER.search(canonical(condition)) is not None
                yield Post(uses.line, f"{canonical(uses)} {said}", f"jobs/{name}", whatever)


def _plainly(given: Node) -> bool:
    values = (given.at(key) for key in ("state", "status", "conclusion"))
    return any(
        value is not None and canonical(value).lower() in ("success", "successful", "passed") for value in values
    )


def _before_it(path: str, post: Post, reach: Reach) -> Sequence[Gate]:
    """The checks of its job above it, and of all jobs that its job waits for."""
    gates = [gate for gate in reach.of_file(path) if reach.is_check(gate)]
    node = reach.side.node(path)
    jobs = jobs_of(node) if node is not None and post.slot.startswith("jobs/") else {}
    waited, name = set[str](), post.slot.removeprefix("jobs/")
    queue = [name]
    while queue:
        needs = jobs[each].at("needs") if (each := queue.pop()) in jobs else None
        for need in map(canonical, needs.items if needs is not None else ()):
            if need not in waited:
                waited.add(need)
                queue.append(need)
    slots = {f"jobs/{each}" for each in waited}
    return [gate for gate in gates if gate.slot in slots or (gate.slot == post.slot and gate.line <= post.line)]


def _measures(gate: Gate, post: Post, reach: Reach) -> bool:
    """A build is no measure of what is told of tests."""
    kinds = reach.kinds(gate) or {gate.kind}
    return not gate.flaws and (kinds != {"build"} or "build" in post.text.lower().replace("/build.", ""))
