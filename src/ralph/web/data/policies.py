"""The policy sets, the rules of one of them, and the project's permissions with what they say about an action."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ralph.errors import RalphError
from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.loader import POLICY_FILE, load
from ralph.permissions.model import Action, Permissions, ReadPath, RunCommand, WritePath
from ralph.policy import registry
from ralph.policy.model import PolicySet
from ralph.record import record
from ralph.web.shown import NOTHING, Shown, line
from ralph.web.site import Site

KINDS = ("command", "read", "write")
LONGEST_QUESTION = 8000


@record
class SetRow:
    version: str
    state: str
    default: bool
    rules: int
    digest: str


@record
class RuleRow:
    id: str
    kind: str
    severity: str
    reason: str
    fix: str


@record
class PoliciesPage:
    sets: tuple[SetRow, ...]
    chosen: str
    limits: str
    steps: tuple[tuple[str, str], ...]
    rules: tuple[RuleRow, ...]


@record
class Judgement:
    """What would happen, and by which rule; `part` is what of the command decided."""

    outcome: str
    rule: Shown
    reason: Shown
    classes: tuple[str, ...]
    alternative: Shown
    part: Shown


@record
class PermissionsPage:
    """`problem` says why there is no policy; then nothing is allowed.

    `question` is what stands in the box again: nothing if it holds what cannot be seen there, as `asked` shows it.
    """

    problem: Shown
    mode: str
    rules: tuple[tuple[str, tuple[Shown, ...]], ...]
    kind: str
    question: str
    asked: Shown
    judgement: Judgement | None


def page(version: str) -> PoliciesPage:
    """The sets, and the rules of one (the default one for ""). Raises ConfigError."""
    newest = registry.default()
    sets = [registry.load(each) for each in registry.available()]
    chosen = next((each for each in sets if each.version == version), newest)
    limits = chosen.thresholds
    return PoliciesPage(
        sets=tuple(_set(each, newest) for each in sets),
        chosen=chosen.version,
        limits=f"at most {limits.max_lines_added} lines added and {limits.max_files_changed} files changed",
        steps=tuple(_steps(chosen)),
        rules=tuple(
            RuleRow(each.id, each.class_, each.severity, each.reason, each.fix)
            for _, each in sorted(chosen.rules.items())
        ),
    )


def permissions(site: Site, kind: str, question: str) -> PermissionsPage:
    """The permissions here, and the answer to a question. Nothing is run, written or recorded."""
    kind, question = kind if kind in KINDS else "command", question[:LONGEST_QUESTION]
    asked = line(question, 2000)
    again = question if asked.text == question else ""
    try:
        place = here(site.root)
        policy = load(Path(place.root) / POLICY_FILE)
    except RalphError as error:
        return PermissionsPage(line(error, 2000), "", (), kind, again, asked, None)
    judgement = None
    if question.strip():
        action = _action(kind, question, str(site.root))
        told = decide(action, policy, place)
        part = question[slice(*told.span)] if told.span else ""
        judgement = Judgement(
            outcome=str(told.outcome),
            rule=line(told.rule, 600),
            reason=line(told.reason, 1000),
            classes=tuple(str(each) for each in told.classes),
            alternative=line(told.alternative or "", 600),
            part=line(part, 300),
        )
    return PermissionsPage(NOTHING, policy.mode, tuple(_rules(policy)), kind, again, asked, judgement)


def _action(kind: str, text: str, cwd: str) -> Action:
    if kind == "command":
        return RunCommand(text, cwd)
    return ReadPath(text, cwd) if kind == "read" else WritePath(text, cwd)


def _rules(policy: Permissions) -> Iterator[tuple[str, tuple[Shown, ...]]]:
    files, commands = policy.files, policy.commands
    lists = {
        "commands allowed": commands.allow,
        "commands denied": commands.deny,
        "packs": commands.packs,
        "may read": files.allow_read,
        "may write": files.allow_write,
        "never reads": files.deny_read,
        "never writes": files.deny_write,
        "a person is asked about": tuple(sorted(policy.approval.required_for)),
        "checks required": policy.checks.required,
        "network": policy.sandbox.network,
    }
    yield from ((name, tuple(line(each, 200) for each in values)) for name, values in lists.items() if values)


def _set(each: PolicySet, newest: PolicySet) -> SetRow:
    state = f"released {each.released_at}" if each.released else "draft"
    return SetRow(each.version, state, each.version == newest.version, len(each.rules), f"sha256:{each.digest}")


def _steps(chosen: PolicySet) -> Iterator[tuple[str, str]]:
    for name, step in chosen.steps.items():
        asks = {
            "required": "yes" if step.required else "no",
            "errors at most": step.max_errors,
            "all must pass": "yes" if step.must_all_pass else None,
            "percent at least": step.min_percent,
        }
        yield name, ", ".join(f"{what}: {value}" for what, value in asks.items() if value is not None)
