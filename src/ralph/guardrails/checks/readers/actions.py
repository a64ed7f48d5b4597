"""The checks of GitHub Actions: workflows and composite actions (Gitea and Forgejo read the same files).

A step's shell decides about `set -e` and `pipefail`: none given means `-e`, `bash` means both, a template of one's own
means what it says. `continue-on-error` and `if` count for a step and for its job.
"""

from __future__ import annotations

import re
from typing import Any

from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers.cached_runs import found_already
from ralph.guardrails.checks.readers.called_with import as_called
from ralph.guardrails.checks.readers.occasions import Occasion
from ralph.guardrails.checks.readers.people import kept_out
from ralph.guardrails.checks.readers.task_names import with_tasks
from ralph.guardrails.checks.readers.windows import CMD, POWERSHELL, windows
from ralph.guardrails.checks.shell.commands import parses_only
from ralph.guardrails.checks.shell.outline import shell_flags
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

CHECKING_ACTIONS = later(
    r"codeql-action/analyze|super-linter|dependency-review|codecov/|coveralls|sonar|golangci|trivy|semgrep|gitleaks|trufflehog"
    r"|reviewdog|pre-commit|setup-and-test|jest|pytest|cypress-io|playwright|chromatic|scorecard|zizmor|megalinter|danger"
    r"|link-check|lychee|crate-ci/typos|cspell|vale-action|semantic-pull-request|lighthouse|size-limit|commitlint"
    r"|spectral|buf-action|buf-lint|buf-breaking|oasdiff"
)
NO_CHECK = later(r"(?:upload|init|autobuild|setup|install|cache|comment|report|label)[\w-]*$")
TAG = later(r"(?<=[^/:]):[^/:]+$")
"""The version of an image."""
HARMLESS = later(
    r"(?:true|always\(\)|success\(\)|!\s*cancelled\(\)|success\(\)\s*\|\|\s*failure\(\)|\(|\)|&&|\|\||\s)*"
)
NEVER = later(
    r"(?:false|0|''|null|!\s*true|never\(\)|failure\(\)|cancelled\(\)|(?:always|success)\(\)\s*&&\s*false|false\s*&&.*"
    r"|.*&&\s*false|'[^']*'\s*==\s*'[^']*'|\d+\s*==\s*\d+)"
)
OPT_IN = later(
    r"\b(?:vars|inputs|env|secrets)\.|github\.(?:triggering_)?actor\s*==|github\.event\.inputs|head_commit\.message|pull_request\.(?:title|body|labels)|\.message"
)
OTHER_OCCASION = later(
    r"github\.event_name\s*==\s*'(?:push|workflow_dispatch|schedule|release|repository_dispatch)'"
    r"|github\.(?:ref|ref_name|base_ref|head_ref)\s*==|(?<!!)startsWith\(\s*github\.(?:ref|ref_name|head_ref)\b|github\.ref_type\s*=="
    r"|(?<!!)contains\(\s*github\.(?:ref|head_ref)"
)


SPARSE = later(r"\bgit sparse-checkout (?:set|add)(?: --\S+)*(?P<patterns>(?: [^\s;&|$-][^\s;&|$]*)+)")
ATTEMPTS = ("max_attempts", "attempt_limit", "attempts")
TOLERATING = later(
    r"(?:continue|proceed)[_-]?on[_-]?(?:error|fail(?:ure)?)|(?:ignore|allow)[_-]?(?:errors?|fail(?:ures?)?|exit[_-]?(?:code|status))"
    r"|(?:no|soft|never)[_-]?fail"
)
"""Inputs of actions that run a command: set, the step ends well however the command does."""
FORGIVING = later(r"\{0\}.*(?:\|\||;|&)")
OCCASION_ONLY = later(r"(?:!\s*)?\(?github\.(?:event_name|ref|ref_name|base_ref|head_ref)\s*[!=]=\s*'[^']*'\)?")
"""What hangs on the occasion alone lets every check of that occasion fail."""


def workflow(collector: Collector, node: Node, side: Side) -> None:
    _variables(collector, node)
    shell, folder = (node.at("defaults", "run", key) for key in ("shell", "working-directory"))
    for name, job in (node.at("jobs") or node.with_value({})).mapping.items():
        _variables(collector, job)
        occasion = Occasion(side, node, job, name)
        flaws = switches(job, occasion)
        own = job.at("defaults", "run", "shell") or shell
        if uses := job.at("uses"):
            _used(collector, uses, f"jobs/{name}", flaws)
        collector.checked_out = ()
        with collector.within(job.at("defaults", "run", "working-directory"), folder):
            _steps(collector, job.at("steps"), f"jobs/{name}", own, (flaws, occasion))
    _steps(collector, node.at("runs", "steps"), "runs", shell, ({}, Occasion(side, node)))


Around = tuple[dict[Flaw, str], Occasion]
"""What holds for all steps of a job: its flaws, and what is known of its runs."""


def _steps(collector: Collector, steps: Node | None, slot: str, shell: Node | None, around: Around) -> None:
    outer, occasion = around
    for step in steps.items if steps and isinstance(steps.value, list) else ():
        _variables(collector, step)
        flaws = {**outer, **switches(step, occasion)}
        _steps(collector, step.at("parallel"), slot, shell, (flaws, occasion))
        run, uses = step.at("run"), step.at("uses")
        collector.checked_out = _checked_out(step) or collector.checked_out
        said = step.at("shell") or shell
        if said is not None and FORGIVING.search(canonical(said)):
            flaws["lost"] = "its shell goes on after the script has failed"
        if said is not None and parses_only(canonical(said).split()[1:]):
            flaws["not-run"] = f"{canonical(said)} only parses it"
        if run is not None and said is not None and (POWERSHELL.search(canonical(said)) or CMD.search(canonical(said))):
            windows(collector, run.text, run.line + (1 if "\n" in run.text and run.column > 0 else 0), slot, flaws)
        elif run is not None and (how := _shell(said)):
            first = run.line + (1 if "\n" in run.text and run.column > 0 else 0)
            with collector.within(step.at("working-directory")):
                collector.text(with_tasks(run.text, occasion.job), first, slot, how, flaws)
        if uses is not None:
            _used(collector, uses, slot, flaws)
            _commands_of(collector, step, slot, flaws)


def _checked_out(step: Node) -> tuple[str, ...]:
    """The patterns of a sparse checkout, as an action or a command makes it."""
    said, run = step.at("with", "sparse-checkout"), step.at("run")
    if said is not None and step.at("with", "repository") is None:
        return tuple(canonical(said).split())
    command = SPARSE.search(canonical(run)) if run is not None else None
    return tuple(command["patterns"].split()) if command is not None else ()


def _shell(node: Node | None) -> Shell | None:
    """None for a shell that is none of ours, or that is given other commands than the step's."""
    if node is None:
        return Shell(errexit=True)
    text = canonical(node).strip()
    if text in ("bash", "sh"):
        return Shell(errexit=True, pipefail=text == "bash")
    if not re.search(r"(?:^|/)(?:ba|da|z|k)?sh\b", text) or re.search(r" -[a-z]*c (?!.*\{0\}['\"])", text):
        return None
    return Shell(*shell_flags(text.split()))


def _used(collector: Collector, uses: Node, slot: str, flaws: dict[Flaw, str]) -> None:
    """An action that checks: by its name, or by that of the tool it runs; an image by its name without its tag."""
    name = TAG.sub("", canonical(uses).partition("@")[0].lower())
    parts = re.split(r"[/.]", name)
    tools = {word for part in parts for word in (part, part.removesuffix("-action"), part.removeprefix("action-"))}
    if NO_CHECK.search(name) or (name.startswith(("actions/", "pre-commit-ci/")) and "dependency-review" not in name):
        return
    if (
        CHECKING_ACTIONS.search(name)
        or tools & PROGRAMS.keys()
        or (name.startswith(".") and is_named(name))
        or ("/workflows/" in name and is_named(name))
    ):
        kind: Kind = next((PROGRAMS[tool] for tool in sorted(tools) if tool in PROGRAMS), "named")
        collector.add(("uses", name), kind, uses.line, slot, flaws)


def _commands_of(collector: Collector, step: Node, slot: str, flaws: dict[Flaw, str]) -> None:
    """Actions that run a command given to them; those that repeat it until it succeeds, or let it fail."""
    once = any(canonical(value) == "1" for key in ATTEMPTS if (value := step.at("with", key)) is not None)
    again = "retry" in canonical(step.at("uses") or step.with_value("")) and not once
    inputs = (step.at("with") or step.with_value({})).mapping
    lets = next((key for key, value in inputs.items() if TOLERATING.fullmatch(key.lower()) and _is_set(value)), "")
    tolerated: dict[Flaw, str] = {"allowed": f"{lets} lets it fail"} if lets else {}
    for key in ("command", "run", "cmd", "script", "args"):
        value = inputs.get(key)
        if value is not None and isinstance(value.value, str):
            extra: dict[Flaw, str] = {"retried": "it is run again until it succeeds"} if again else {}
            collector.text(value.text, value.line, slot, Shell(errexit=True), {**flaws, **tolerated, **extra})


def _is_set(value: Node) -> bool:
    return canonical(value).strip("\"'").lower() in ("true", "1", "yes", "on")


def switches(node: Node, occasion: Occasion) -> dict[Flaw, str]:
    """What stands beside a step or a job and keeps its failure, or the run itself, away."""
    found: dict[Flaw, str] = {}
    tolerated = node.at("continue-on-error")
    if tolerated is not None:
        word = bare(tolerated.value).lower()
        if word == "true":
            found["allowed"] = "continue-on-error lets it fail"
        elif OCCASION_ONLY.fullmatch(word):
            found["allowed"] = f"continue-on-error lets it fail where {word} holds"
        elif occasion.always(bare(tolerated.value)):
            found["allowed"] = f"continue-on-error lets it fail, for {word} always holds"
        elif spared := kept_out(f"!({bare(tolerated.value)})", occasion):
            found["allowed"] = f"continue-on-error lets it fail for {cut(spared, 100)}"
        elif word not in ("false", ""):
            found["allowed-partly"] = f"continue-on-error lets it fail where {word} holds"
    if (condition := node.at("if")) is not None:
        text = occasion.written_out(bare(condition.value))
        if kept := kept_out(text, occasion):
            found["run-if"] = f"it does not run for {cut(kept, 100)}"
        elif cached := found_already(text, occasion.steps, occasion.side):
            found.update(cached)
        else:
            found.update(_off(text) if occasion.never(text) else _in_a_call(text, occasion))
    return found


def _in_a_call(text: str, occasion: Occasion) -> dict[Flaw, str]:
    """What an `if` means where another workflow calls this one; what it means by itself if no call decides it."""
    calls = list(as_called(text, occasion.workflow, occasion.side))
    if any(map(occasion.always, calls)):
        return {}
    open_to = [each for each in calls if not occasion.never(each) and not OPT_IN.search(each)]
    left = [flaws for each in open_to if "off" not in (flaws := conditional(each))]
    if left:
        return left[0]
    return conditional(text)


def conditional(text: str) -> dict[Flaw, str]:
    """What an `if` means for a check that has it."""
    if HARMLESS.fullmatch(text):
        return {}
    shown = f"it runs only if {cut(text, 100)}"
    if NEVER.fullmatch(text):
        return _off(text)
    if OPT_IN.search(text) or (OTHER_OCCASION.search(text) and "||" not in text):
        return {"run-if": shown}
    return {"run-maybe": shown}


def _off(text: str) -> dict[Flaw, str]:
    return {"off": f"its condition, {cut(text, 100)}, keeps it from running"}


def bare(value: Any) -> str:
    """A condition without `${{ }}` around it."""
    text = str(value).strip() if not isinstance(value, bool) else str(value).lower()
    inner = re.fullmatch(r"\$\{\{(.*)\}\}", text, re.DOTALL)
    return (inner[1] if inner else text).strip()


def _variables(collector: Collector, node: Node) -> None:
    for name, value in (node.at("env") or node.with_value({})).mapping.items():
        collector.variable(name, canonical(value), value.line)
