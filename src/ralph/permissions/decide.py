"""The one way to a decision: what is to happen with an action of an agent, and why.

Pure: everything about the world comes through `place`. Spec: policy engine; design decisions 22 to 27.

- A line is as strict as the strictest thing in it: deny, then ask, then allow.
- Nothing to judge, something unreadable, two readings that differ: denied, with a rule that begins with `OPAQUE_`.
- A tool of a client that is neither shell nor file is denied in delivery mode unless `commands.allow` names it.
"""

from __future__ import annotations

from ralph.permissions import narrowing
from ralph.permissions.access import Accesses
from ralph.permissions.judge import Judge
from ralph.permissions.model import (
    Action,
    ApprovalClass,
    Decision,
    Outcome,
    Permissions,
    ReadPath,
    RunCommand,
    UseTool,
    WritePath,
)
from ralph.permissions.paths import Access
from ralph.permissions.place import Place
from ralph.permissions.state import State
from ralph.permissions.trail import Trail
from ralph.permissions.walk import Walk

_STRICTNESS = {Outcome.DENY: 0, Outcome.APPROVE: 1, Outcome.ALLOW: 2}


def decide(action: Action, permissions: Permissions, place: Place) -> Decision:
    """The decision about one action. Never raises on account of the action's text."""
    match action:
        case RunCommand(text, cwd):
            return _command(text, cwd, permissions, place)
        case ReadPath(path, cwd):
            return _path(path, "read", cwd, permissions, place)
        case WritePath(path, cwd, _, deletes):
            return _path(path, "delete" if deletes else "write", cwd, permissions, place)
        case UseTool(name):
            return _tool(name, permissions)


def _command(text: str, cwd: str | None, permissions: Permissions, place: Place) -> Decision:
    if taken := narrowing.command(permissions, only_reads=True):
        return _denied(taken)
    walk = Walk(Judge(permissions, place))
    walk.line(text, State(cwds=(cwd or place.root,)))
    if not walk.trail.decisions:
        reason = "there is nothing in this line that could be judged"
        return Decision(outcome=Outcome.DENY, rule="OPAQUE_EMPTY", reason=reason, span=(0, len(text)))
    found = _strictest(walk.trail)
    if taken := narrowing.command(permissions, only_reads=found.only_reads):
        return _denied(taken)
    if found.writes_git and found.outcome is not Outcome.DENY and (taken := narrowing.git(permissions)):
        return _denied(taken)
    return found


def _strictest(trail: Trail) -> Decision:
    """The strictest decision, with the classes of all that ask, and what the whole line needs."""
    first = min(trail.decisions, key=lambda each: _STRICTNESS[each.outcome])
    asks = first.outcome is Outcome.APPROVE
    asking = [each for each in trail.decisions if each.outcome is Outcome.APPROVE] if asks else [first]
    classes = tuple(sorted({name for each in asking for name in each.classes}))
    return Decision(
        outcome=first.outcome,
        rule=first.rule,
        reason="; ".join(dict.fromkeys(each.reason for each in asking)),
        classes=classes,
        alternative=first.alternative,
        span=first.span,
        only_reads=trail.only_reads,
        writes_git=trail.writes_git,
    )


def _path(text: str, access: Access, cwd: str | None, permissions: Permissions, place: Place) -> Decision:
    touched = Accesses(permissions, place).path(text, access, cwd or place.root)
    found = touched.decision
    classes = set(touched.classes) | ({ApprovalClass.DESTRUCTIVE} if access == "delete" else set())
    asks = tuple(sorted(classes & permissions.approval.required_for))
    lifted = bool(touched.configured & permissions.approval.required_for)
    if found.outcome is Outcome.DENY:
        return Decision(outcome=Outcome.DENY, rule=found.rule, reason=found.reason)
    if found.outcome is None and not lifted and (permissions.mode == "delivery" or access == "delete"):
        return Decision(outcome=Outcome.DENY, rule=found.rule, reason=f"{found.reason}, and the mode allows no more")
    if asks:
        names = ", ".join(asks)
        reason = f"changing {text} belongs to {names}, and a person decides about that"
        return Decision(outcome=Outcome.APPROVE, rule=f"approval.requiredFor: {names}", reason=reason, classes=asks)
    outcome = found.outcome or Outcome.ALLOW
    return Decision(outcome=outcome, rule=found.rule, reason=found.reason)


def _denied(taken: narrowing.Taken) -> Decision:
    return Decision(outcome=Outcome.DENY, rule=taken.rule, reason=taken.reason)


def _tool(name: str, permissions: Permissions) -> Decision:
    if name in permissions.commands.deny:
        return Decision(outcome=Outcome.DENY, rule=f"commands.deny: {name}", reason=f"the policy denies {name}")
    if taken := narrowing.tool(name, permissions) or narrowing.unknown_tool(name, permissions):
        return _denied(taken)
    if name in permissions.commands.allow:
        return Decision(outcome=Outcome.ALLOW, rule=f"commands.allow: {name}", reason=f"the policy allows {name}")
    if permissions.mode == "delivery":
        reason = f"{name} is not allowed by the policy in delivery mode; a person may add it to commands.allow"
        return Decision(outcome=Outcome.DENY, rule="default: delivery", reason=reason)
    return Decision(outcome=Outcome.ALLOW, rule="default: core", reason="core mode allows what nothing denies")
