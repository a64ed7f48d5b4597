"""The checks of other CI systems, which differ in words only: Azure, Travis, CircleCI, Bitbucket, Buildkite, Drone,
Woodpecker, AppVeyor, Cirrus, Taskfile, lefthook, buildspec.

Commands stand under a few keys at any depth; switches beside them or above them count for them.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator

from ralph.guardrails.checks.failures.judged import LOST, Shell, judged
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers.branches import kept_off
from ralph.guardrails.checks.readers.gitlab import script, variables
from ralph.guardrails.checks.readers.people import is_odd
from ralph.guardrails.checks.readers.switches import switches
from ralph.guardrails.checks.shell.outline import SHELLS, shell_flags
from ralph.guardrails.config.command_files.azure import task_command
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.python_tasks.task_words import of_task
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

COMMANDS = (
    "before_script",
    "before_install",
    "install",
    "script",
    "scripts",
    "commands",
    "command",
    "cmds",
    "cmd",
    "run",
    "bash",
    "pwsh",
    "powershell",
    "ps",
    "test_script",
    "build_script",
    "pre_build",
    "build",
    "post_build",
    "sh",
)
UNHEARD = ("background_script",)
AFTERWARDS = (
    *("after_script", "after_failure", "on_success", "on_failure", "on_finish"),
    *("post-commit", "post-merge", "post-checkout", "post-rewrite"),
)
FOLDERS = ("workingDirectory", "working_directory", "dir")
NEVER = {"unless": "true", "when": "false"}
"""Conditions of steps that keep them from running."""
HALT = later(r"\bcircleci(?:-agent)? step halt\b")
LOOSE = frozenset(("taskfile", "azure-pipelines", "appveyor", "lefthook"))
"""Their shells go on after a failure inside one text."""


def pipeline(collector: Collector, node: Node) -> None:
    name = (
        posixpath.basename(collector.path)
        .lower()
        .split(".")[0 if not posixpath.basename(collector.path).startswith(".") else 1]
    )
    loose = any(word in name for word in LOOSE)
    for key in ("matrix", "jobs"):
        if node.at(key, "allow_failures"):
            _part(collector, node, "", Shell(errexit=not loose), {"allowed": "allow_failures lets it fail"})
            return
    trigger, proposed = (canonical(node.at(key) or node.with_value("")) for key in ("trigger", "pr"))
    if proposed == "none" and trigger and "*" not in trigger:
        nothing = "nothing" if trigger == "none" else "no proposed change"
        _part(collector, node, "", Shell(errexit=not loose), {"off": f"{nothing} starts the pipeline"})
    elif name == "bitbucket-pipelines" and (pipelines := node.at("pipelines")) is not None:
        _bitbucket(collector, pipelines, Shell(errexit=True))
    elif ".circleci/" in collector.path:
        _circle(collector, node, Shell(errexit=True, pipefail=True))
    else:
        _part(collector, node, "", Shell(errexit=not loose), {})


def _bitbucket(collector: Collector, node: Node, shell: Shell) -> None:
    """Only `default` and `pull-requests` run for proposed changes; branches by their names, the rest by hand."""
    for kind, found in node.mapping.items():
        if kind in ("default", "pull-requests"):
            _part(collector, found, f"/{kind}", shell, {})
            continue
        for name, steps in found.mapping.items():
            branch = found.with_value({"branches": found.with_value(name)})
            by_hand: dict[Flaw, str] = {"off": f"it runs for {kind} {name} only"}
            only = kept_off(branch) if kind == "branches" else by_hand
            _part(collector, steps, f"/{kind}/{name}", shell, only)


def _circle(collector: Collector, node: Node, shell: Shell) -> None:
    """With workflows, only the jobs run that one of them names."""
    workflows = [found for found in (node.at("workflows") or node.with_value({})).mapping.values() if found.mapping]
    running = [found for found in workflows if not _is_apart(found)]
    listed = [item for found in running for item in (found.at("jobs") or found.with_value([])).items]
    named = {name for item in listed for name in item.mapping or (canonical(item),)}
    jobs = node.at("jobs")
    for name, job in jobs.mapping.items() if jobs else ():
        runs = [item.at(name) or item for item in listed if name in (item.mapping or (canonical(item),))]
        unused: dict[Flaw, str] = {"off": "no workflow runs it"} if workflows and name not in named else {}
        asked = [found for found in running if _names(found, name)]
        if asked and (told := next(filter(None, map(_keeps_out, asked)), "")):
            unused = {**unused, "run-if": f"its workflow does not run for {cut(told, 100)}"}
        elif asked and all(found.at("when") or found.at("unless") for found in asked):
            unused = {**unused, "run-maybe": "its workflow runs only under a condition"}
        filtered = [{**kept_off(run, of_push=True), **_held_up(run, listed)} for run in runs] or [
            kept_off(job, of_push=True)
        ]
        flaws = {**unused, **(filtered[0] if all(filtered) else {})}
        _part(collector, job, f"/jobs/{name}", shell, flaws)
    rest = {key: value for key, value in node.mapping.items() if key != "jobs"}
    _part(collector, node.with_value(rest), "", shell, {})


def _is_command(node: Node, key: str) -> bool:
    """Cirrus calls its scripts as it likes."""
    named = key in COMMANDS or (key.endswith("_script") and key not in AFTERWARDS)
    return named and not (key == "command" and node.at("image") is not None)


def _containers(node: Node) -> Iterator[tuple[str, int]]:
    """What a container runs: its entry point, or a list of words, and the arguments behind it."""
    entry = node.at("entrypoint") or (node.at("command") if node.at("image") is not None else None)
    given = node.at("args")
    words = [canonical(item) for part in (entry, given) if part is not None for item in part.items]
    place = given or entry
    if entry is not None and place is not None and words:
        yield shlex.join(words), place.line


def _of_first_line(value: Node) -> Shell | None:
    """A script that says itself what runs it."""
    first = value.text.split("\n", 1)[0] if isinstance(value.value, str) else ""
    return Shell(*shell_flags(first.split())) if first.startswith("#!") else None


def _own_shell(node: Node) -> Shell | None:
    """A shell that a step names has the options that stand there, and no others."""
    said = node.at("shell")
    words = canonical(said).split() if said is not None else []
    return Shell(*shell_flags(words)) if words and SHELLS.fullmatch(posixpath.basename(words[0])) else None


def _keeps_out(workflow: Node) -> str:
    """Whose branches the workflow does not run for, by the pattern that its condition is the opposite of."""
    for refused in (workflow.at("when", "not"), workflow.at("unless")):
        value = refused.at("matches", "value") if refused is not None else None
        if refused is not None and value is not None and "pipeline.git.branch" in canonical(value):
            pattern = canonical(refused.at("matches", "pattern") or refused.with_value(""))
            return pattern if is_odd(pattern) else ""
    return ""


def _is_apart(workflow: Node) -> bool:
    """It never runs, or by the clock alone."""
    triggers = workflow.at("triggers")
    by_clock = triggers is not None and triggers.items and all(item.at("schedule") for item in triggers.items)
    return bool(by_clock) or canonical(workflow.at("when") or workflow.with_value("")) == "false"


def _names(workflow: Node, job: str) -> bool:
    jobs = workflow.at("jobs")
    return jobs is not None and any(job in (item.mapping or (canonical(item),)) for item in jobs.items)


def _held_up(run: Node, listed: list[Node]) -> dict[Flaw, str]:
    """Somebody has to approve it first."""
    approvals = {
        name for item in listed for name, job in item.mapping.items() if canonical(job.at("type") or job) == "approval"
    }
    requires = run.at("requires")
    held = approvals & {canonical(item) for item in requires.items} if requires is not None else set()
    return {"off": f"it waits for {min(held)}, which somebody approves"} if held else {}


def _part(collector: Collector, node: Node, slot: str, shell: Shell, outer: dict[Flaw, str]) -> None:
    # Beside CircleCI's jobs stands where their code is put.
    apart = node.at("steps") is not None and node.at("working_directory") is not None
    with collector.within(None if apart else next(filter(None, map(node.at, FOLDERS)), None)):
        _inside(collector, node, slot, shell, outer)


def _inside(collector: Collector, node: Node, slot: str, shell: Shell, outer: dict[Flaw, str]) -> None:
    variables(collector, node)
    flaws = {**outer, **switches(node)}
    if (task := task_command(node)) is not None:
        again = canonical(node.at("inputs", "rerunFailedTests") or node.with_value("")).lower() == "true"
        flaws = {**flaws, **({"retried": "its failed tests are run again"} if again else {})}
        collector.text(task.text, task.line, slot, shell, flaws)
    for text, line in _containers(node):
        collector.text(text, line, slot, shell, flaws)
    for key, value in node.mapping.items():
        if _is_command(node, key) and task is None:
            own = _own_shell(node) if ".circleci/" in collector.path else None
            own = own or _of_first_line(value)
            how = own or Shell(shell.errexit, shell.pipefail, is_named(slot.rpartition("/")[2]))
            texts = _texts(value) if "/plugins" not in slot else _of_words(value)
            script(collector, texts, slot, how, {**flaws, **({"lost": LOST} if key in UNHEARD else {})})
    _needed(collector, node, slot, flaws)
    for key, value in node.mapping.items():
        inner = {**flaws, "lost": LOST} if key in AFTERWARDS else flaws
        if key in NEVER and canonical(value.at("condition") or value.with_value("")).lower() == NEVER[key]:
            inner = {**inner, "off": f"{key}: {NEVER[key]} keeps it from running"}
        _part(collector, value, slot if key == "cmds" else f"{slot}/{key}", shell, inner)
    for item in node.value if isinstance(node.value, list) else ():
        template = item.at("template")
        if template is not None and isinstance(template.value, str) and is_named(canonical(template)):
            collector.add(("argo", canonical(template)), "named", item.line, slot, {**flaws, **switches(item)})
        if item.at("task") and is_named(canonical(item.at("task") or item)):
            collector.add(
                ("task", canonical(item.at("task") or item)), "named", item.line, slot, {**flaws, **switches(item)}
            )
        _part(collector, item, slot, shell, flaws)
        flaws = {**flaws, **_halted(item)}
        if ".buildkite/" in collector.path and item.at("block") is not None:
            flaws = {**flaws, "off": "somebody has to let what stands behind a block run"}


def _needed(collector: Collector, node: Node, slot: str, flaws: dict[Flaw, str]) -> None:
    """The tasks that one of Taskfile needs."""
    for need in (node.at("deps") or node.with_value([])).items:
        name = canonical(need.at("task") or need) if need.mapping else canonical(need)
        if is_named(name):
            collector.add(("task", name), "named", need.line, slot, flaws)


def _halted(step: Node) -> dict[Flaw, str]:
    """CircleCI's jobs end well where a step halts them: what stands behind it is not run, or under a condition."""
    run = step.at("run", "command") or step.at("run")
    if run is None or not isinstance(run.value, str) or not HALT.search(run.text):
        return {}
    *_, (_, flaws) = judged(f"{HALT.sub('exit 0', run.text)}\npytest", Shell(errexit=True, pipefail=True))
    kinds: dict[Flaw, Flaw] = {"not-run": "off", "run-if": "run-if", "run-maybe": "run-maybe"}
    return {kinds[flaw]: "a step before it halts the job" for flaw in flaws if flaw in kinds}


def _of_words(node: Node) -> list[Node]:
    """A plugin of Buildkite's is given one command as a list of its words."""
    words = [canonical(item) for item in node.items]
    return [node.with_value(shlex.join(words))] if len(words) > 1 else _texts(node)


def _texts(node: Node) -> list[Node]:
    found: list[Node] = []
    for item in node.items:
        if isinstance(item.value, str):
            found.append(item.with_value(of_task(item.value)))
        elif isinstance(item.value, list):
            found += _texts(item)
    return found
