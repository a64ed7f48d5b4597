"""`ralph policy`: which policy sets there are, and what their rules say (design section 7)."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import json_option, policy_option
from ralph.cli.output import print_json
from ralph.cli.policy_replay import replay
from ralph.policy.classes import CLASSES
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.policy.model import PolicySet, Rule


@click.group()
def policy() -> None:
    """Show the policy sets and their rules, and hold one against the past."""


policy.add_command(replay)


@policy.command("list")
@json_option
def list_sets(as_json: bool) -> None:
    """List the policy sets, released ones and drafts."""
    from ralph.policy import registry

    newest = registry.default().version
    rows = [
        {
            "version": item.version,
            "state": "released" if item.released else "draft",
            "released_at": item.released_at,
            "default": item.version == newest,
            "rules": len(item.rules),
            "digest": f"sha256:{item.digest}",
        }
        for item in map(registry.load, registry.available())
    ]
    if as_json:
        print_json({"policies": rows})
        return
    for row in rows:
        state = (
            f"released {row['released_at']}"
            if row["state"] == "released"
            else f"draft: only with --policy {row['version']}"
        )
        mark = ", the default" if row["default"] else ""
        click.echo(f"{row['version']}  {state}{mark}, {row['rules']} rules, {row['digest']}")


@policy.command(short_help="Show a policy set: steps, limits, verdicts.")
@click.argument("version", required=False)
@json_option
def show(version: str | None, as_json: bool) -> None:
    """Show a policy set: what each step must reach, the limits, what the verdicts mean."""
    chosen = chosen_policy(version)
    document = _document(chosen)
    if as_json:
        print_json(document)
        return
    click.echo(f"policy set {chosen.version} ({'released ' + str(chosen.released_at) if chosen.released else 'draft'})")
    click.echo(f"sha256:{chosen.digest}\n")
    for name, step in document["steps"].items():
        click.echo(f"  {name:<10} " + ", ".join(f"{key} {value}" for key, value in step.items() if value is not None))
    limits = document["thresholds"]
    click.echo(f"\n  at most {limits['max_lines_added']} lines added and {limits['max_files_changed']} files changed\n")
    for name, meaning in chosen.meanings.items():
        click.echo(
            f"  {name:<8} {meaning.meaning}\n           agent: {meaning.agent_action}; human: {meaning.human_action}"
        )


@policy.command()
@click.option("--class", "class_", metavar="Gxx", help="Only the rules of this class of tricks.")
@policy_option
@json_option
def rules(class_: str | None, policy: str | None, as_json: bool) -> None:
    """List the rules of a policy set."""
    from ralph.policy.classes import known_class

    chosen = chosen_policy(policy)
    wanted = known_class(class_) if class_ else None
    listed = [rule for rule in _sorted(chosen) if wanted in (None, rule.class_)]
    if as_json:
        print_json({"policy_version": chosen.version, "rules": [_rule(rule) for rule in listed]})
        return
    width = max((len(rule.id) for rule in listed), default=0)
    for rule in listed:
        click.echo(f"{rule.id:<{width}}  {rule.class_}  {rule.severity:<6}  {rule.reason}")


@policy.command()
@click.argument("rule")
@policy_option
@json_option
def explain(rule: str, policy: str | None, as_json: bool) -> None:
    """Say why a rule is there and what to do about a finding of it."""
    chosen = chosen_policy(policy)
    entry = rule_of(rule, chosen)
    if as_json:
        print_json({"policy_version": chosen.version, **_rule(entry)})
        return
    kind = "blocks: the verdict is BLOCKED" if entry.severity == "block" else "is shown to a person for review"
    document = _rule(entry)
    click.echo(f"{entry.id} (policy {chosen.version}, class {entry.class_}: {CLASSES[entry.class_]}) {kind}")
    click.echo(f"  why         {entry.reason}\n  fix         {entry.fix}")
    if document["legitimate"]:
        click.echo(f"  legitimate  {document['legitimate']}")
    click.echo(f"  exceptions  {_exceptions(entry)}")
    for pattern in chosen.patterns:
        if pattern.rule == entry.id:
            click.echo(f"  what        {pattern.expression} on added lines of {pattern.group} files")
    for name, told in (("bad", "found"), ("good", "not found")):
        if document[name]:
            click.echo(f"\n  {name}: this is {told}")
            click.echo("\n".join(f"    {visible(line, keep=chr(9))}".rstrip() for line in document[name].splitlines()))


def chosen_policy(version: str | None) -> PolicySet:
    """The policy set of this version, else the default. Raises ConfigError."""
    from ralph.policy import registry

    return registry.load(version) if version else registry.default()


def rule_of(rule: str, chosen: PolicySet) -> Rule:
    """A rule by its id. Raises UsageError that names the nearest one."""
    if rule in chosen.rules:
        return chosen.rules[rule]
    import difflib

    from ralph.errors import UsageError

    near = difflib.get_close_matches(rule, chosen.rules, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"list them: ralph policy rules --policy {chosen.version}"
    raise UsageError(f"policy set {chosen.version} has no rule {rule!r}; {hint}")


def _sorted(chosen: PolicySet) -> list[Rule]:
    return [chosen.rules[name] for name in sorted(chosen.rules)]


def _rule(rule: Rule) -> dict[str, Any]:
    """All that a rule carries; what only the handbook says is null for sets that it does not know."""
    from ralph.policy import handbook

    told = handbook.entry(rule.id)
    return {
        "id": rule.id,
        "class": rule.class_,
        "severity": rule.severity,
        "reason": rule.reason,
        "fix": rule.fix,
        "legitimate": told.legitimate if told else None,
        "excusable": rule.excusable,
        "bad": told.bad if told else None,
        "good": told.good if told else None,
    }


def _exceptions(rule: Rule) -> str:
    if rule.excusable:
        return f'ralph exceptions add {rule.id} PATH --reason "..." --until 7d'
    return "none: a person who wants it so commits it, and the commit becomes the base"


def _document(chosen: PolicySet) -> dict[str, Any]:
    return {
        "version": chosen.version,
        "released": chosen.released,
        "released_at": chosen.released_at,
        "digest": f"sha256:{chosen.digest}",
        "steps": {name: dataclasses.asdict(step) for name, step in chosen.steps.items()},
        "thresholds": dataclasses.asdict(chosen.thresholds),
        "verdicts": {name: dataclasses.asdict(meaning) for name, meaning in chosen.meanings.items()},
        "rules": len(chosen.rules),
    }
