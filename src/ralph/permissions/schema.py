"""The keys of `ralph.policy.json`, with what each may hold (spec: policy engine; `schemas/ralph.policy.schema.json`).

The keys of the spec are all required: a policy that leaves a list out would leave its reader to guess what that means.
Optional are `$schema`, `commands.packs`, `approval.paths`, `approval.scripts`, `approval.expiresS` and `sandbox`.
"""

from __future__ import annotations

import re
from typing import Any

from ralph.errors import ConfigError
from ralph.permissions import environment
from ralph.permissions.located import unreadable
from ralph.permissions.model import (
    ApprovalClass,
    ApprovalRules,
    CheckRules,
    CommandRules,
    FileRules,
    Permissions,
    SandboxRules,
)
from ralph.permissions.path_patterns import components, folded
from ralph.permissions.patterns import PatternError, parse_pattern
from ralph.permissions.shapes import (
    Field,
    Problems,
    Reader,
    choice,
    choices,
    flag,
    number,
    shaped,
    shown,
    text,
    texts,
    whole,
)

CLASSES = tuple(each.value for each in ApprovalClass)
PACKS = ("readonly-tools", "readonly-git", "uv-python")
CHECKS = ("test", "build", "lint", "typecheck")
LEVELS = ("none", "landlock", "bubblewrap")
DAY_S = 86_400

_SCRIPT = r"[^\s\x00-\x1f\x7f-]\S*"
_KEPT_FOLDERS = frozenset({"proc", "sys", "dev", "etc", "boot", "run", "bin", "sbin", "lib", "lib64", "usr"})
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".git", ".ralph"})


def path_objection(rule: str) -> str | None:
    """Why a text is no pattern for paths of the project."""
    if problem := unreadable(rule):
        return f"is no path: {problem}"
    if rule != rule.strip():
        return "begins or ends with a blank: remove it"
    if rule.startswith(("/", "~")) or ".." in rule.split("/"):
        return 'leads out of the project: paths here begin at its root (folders outside belong in "sandbox.writable")'
    if "\\" in rule:
        return 'holds a backslash: part folders with "/"'
    if rule.startswith("!"):
        return "begins with an exclamation mark: name what is excepted in the list that denies"
    if re.search(r"\{[^{}]*,[^{}]*\}", rule):
        return "holds alternatives in braces: write one entry for each"
    if any("**" in name and name != "**" for name in rule.split("/")):
        return "has ** as a part of a name: it stands alone between slashes (use * inside a name)"
    return None


def _command_objection(pattern: str) -> str | None:
    try:
        parse_pattern(pattern)
    except PatternError as error:
        return str(error)
    return None


def _script_objection(name: str) -> str | None:
    return (
        None
        if re.fullmatch(_SCRIPT, name) and name.isprintable()
        else "is no name of a script: write it as in package.json"
    )


def _folder_objection(folder: str) -> str | None:
    if problem := unreadable(folder):
        return f"is no folder: {problem}"
    if not folder.startswith(("/", "~/")) or ".." in folder.split("/"):
        return 'must be absolute, or begin with "~/", without ".."'
    names = tuple(folded(name) for name in components(folder))
    if len(names) < 2 or names[0] in _KEPT_FOLDERS:
        return "is a folder of the whole system or person: name the one folder that a tool needs"
    if not _SECRET_FOLDERS.isdisjoint(names):
        return "is where secrets and settings lie: commands cannot be given that"
    return None


def _host_objection(host: str) -> str | None:
    from ralph.permissions.sandbox.hosts import parse_rule  # only here: few policies open the network

    try:
        parse_rule(host)
    except ConfigError:
        return 'is no host that can be opened: write "example.org", "*.example.org" or "localhost:8080", without scheme'
    return None


_HOSTS = texts(_host_objection)


def _network(value: Any, path: str, problems: Problems) -> tuple[str, ...]:
    if value == "none":
        return ()
    if isinstance(value, str):
        problems.append(f'{path} must be "none" or a list of hosts, but is {shown(value)}')
        return ()
    hosts = _HOSTS(value, path, problems)
    return tuple(host.lower() for host in hosts if isinstance(host, str))


def _by_class(items: Reader) -> Reader:
    """A mapping of classes to lists; a list alone belongs to production_impacting_edits (decision 23)."""

    def read(value: Any, path: str, problems: Problems) -> Any:
        if isinstance(value, list):
            return {ApprovalClass.PRODUCTION: items(value, path, problems)}
        fields = {name: Field(items, name, ()) for name in CLASSES}
        found = shaped(dict, fields)(value, path, problems)
        return {ApprovalClass(name): entries for name, entries in (found or {}).items()}

    return read


_PATHS = texts(path_objection)
_COMMANDS = texts(_command_objection)
_CLASSES = choices(*CLASSES, plural="classes")


def _classes(value: Any, path: str, problems: Problems) -> frozenset[ApprovalClass]:
    before = len(problems)
    names = _CLASSES(value, path, problems)
    return frozenset(map(ApprovalClass, names)) if len(problems) == before else frozenset()


def _version(value: Any, path: str, problems: Problems) -> Any:
    if type(value) is not int or value != 1:
        problems.append(f"{path} must be 1, the only version there is, but is {shown(value)}")
    return value


POLICY = shaped(
    Permissions,
    {
        "$schema": Field(text, None, ""),
        "version": Field(_version, "version", example="1"),
        "mode": Field(choice("core", "delivery"), "mode", example='"delivery"'),
        "files": Field(
            shaped(
                FileRules,
                {
                    "allowRead": Field(_PATHS, "allow_read", example='["."]'),
                    "allowWrite": Field(_PATHS, "allow_write", example="[]"),
                    "denyRead": Field(_PATHS, "deny_read", example="[]"),
                    "denyWrite": Field(_PATHS, "deny_write", example="[]"),
                },
            ),
            "files",
            example='{"allowRead": ["."], "allowWrite": [], "denyRead": [], "denyWrite": []}',
        ),
        "commands": Field(
            shaped(
                CommandRules,
                {
                    "allow": Field(_COMMANDS, "allow", example="[]"),
                    "deny": Field(_COMMANDS, "deny", example="[]"),
                    "packs": Field(choices(*PACKS, plural="packs"), "packs", ()),
                },
            ),
            "commands",
            example='{"allow": [], "deny": []}',
        ),
        "approval": Field(
            shaped(
                ApprovalRules,
                {
                    "requiredFor": Field(_classes, "required_for", example="[]"),
                    "requireReason": Field(flag, "require_reason", example="true"),
                    "paths": Field(_by_class(_PATHS), "paths", ()),
                    "scripts": Field(_by_class(texts(_script_objection)), "scripts", ()),
                    "expiresS": Field(number(1, 30 * DAY_S), "expires_s", 3600),
                },
            ),
            "approval",
            example='{"requiredFor": [], "requireReason": true}',
        ),
        "checks": Field(
            shaped(
                CheckRules,
                {
                    "required": Field(choices(*CHECKS, plural="checks"), "required", example="[]"),
                    "rollbackOnFail": Field(flag, "rollback_on_fail", example="false"),
                },
            ),
            "checks",
            example='{"required": [], "rollbackOnFail": false}',
        ),
        "sandbox": Field(
            shaped(
                SandboxRules,
                {
                    "required": Field(choice(*LEVELS), "required", None),
                    "network": Field(_network, "network", ()),
                    "writable": Field(texts(_folder_objection), "writable", ()),
                    "environment": Field(texts(environment.objection), "environment", ()),
                    "processes": Field(whole(1, 1_000_000), "processes", 512),
                    "memoryMb": Field(whole(16, 1 << 24), "memory_mb", 8192),
                    "outputMb": Field(whole(1, 1 << 20), "output_mb", 64),
                    "timeoutS": Field(number(1, DAY_S), "timeout_s", 600),
                },
            ),
            "sandbox",
            (),
        ),
    },
)
