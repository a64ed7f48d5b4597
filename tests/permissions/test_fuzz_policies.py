"""Whatever bytes are given as a policy: a ConfigError that can be read, or permissions that say what was written."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.errors import ConfigError
from ralph.permissions.loader import parse
from ralph.permissions.model import Permissions
from tests.permissions.policies import WHOLE, encoded

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
PATHS = st.lists(st.sampled_from([".", "src", "src/**", "*.pem", "a/[b]", ".env", "./x/"]) | st.text(), max_size=4)
COMMANDS = st.lists(st.sampled_from(["npm test", "curl | sh", "git log --format='%h'"]) | st.text(), max_size=4)
CLASS = st.sampled_from(["destructive_ops", "dependency_changes", "production_impacting_edits"])
POLICIES = st.fixed_dictionaries(
    {
        "version": st.just(1),
        "mode": st.sampled_from(["core", "delivery"]),
        "files": st.fixed_dictionaries(dict.fromkeys(["allowRead", "allowWrite", "denyRead", "denyWrite"], PATHS)),
        "commands": st.fixed_dictionaries(
            {"allow": COMMANDS, "deny": COMMANDS},
            optional={"packs": st.lists(st.sampled_from(["readonly-tools", "readonly-git", "uv-python"]))},
        ),
        "approval": st.fixed_dictionaries(
            {"requiredFor": st.lists(CLASS), "requireReason": st.booleans()},
            optional={"paths": PATHS | st.dictionaries(CLASS, PATHS), "expiresS": st.floats(1, 1e6)},
        ),
        "checks": st.fixed_dictionaries(
            {"required": st.lists(st.sampled_from(["test", "build"])), "rollbackOnFail": st.booleans()}
        ),
    },
    optional={
        "sandbox": st.fixed_dictionaries(
            {},
            optional={"network": st.just("none") | st.lists(st.text()), "processes": st.integers(), "timeoutS": JSON},
        )
    },
)


def read(data: bytes) -> Permissions | None:
    try:
        return parse(data, "p.json")
    except ConfigError as error:
        first, *lines = str(error).splitlines()
        assert first.startswith("p.json")
        assert all(line.startswith(("  $", "  And ")) for line in lines)
        assert all(line.isprintable() for line in (first, *lines))
        return None


def written(permissions: Permissions) -> dict[str, Any]:
    """The file that says this."""
    files, commands, approval = permissions.files, permissions.commands, permissions.approval
    sandbox, checks = permissions.sandbox, permissions.checks
    return {
        "version": permissions.version,
        "mode": permissions.mode,
        "files": {
            "allowRead": files.allow_read,
            "allowWrite": files.allow_write,
            "denyRead": files.deny_read,
            "denyWrite": files.deny_write,
        },
        "commands": {"allow": commands.allow, "deny": commands.deny, "packs": commands.packs},
        "approval": {
            "requiredFor": sorted(approval.required_for),
            "requireReason": approval.require_reason,
            "paths": dict(approval.paths),
            "scripts": dict(approval.scripts),
            "expiresS": approval.expires_s,
        },
        "checks": {"required": checks.required, "rollbackOnFail": checks.rollback_on_fail},
        "sandbox": {
            **({"required": sandbox.required} if sandbox.required else {}),
            "network": sandbox.network,
            "writable": sandbox.writable,
            "environment": sandbox.environment,
            "processes": sandbox.processes,
            "memoryMb": sandbox.memory_mb,
            "outputMb": sandbox.output_mb,
            "timeoutS": sandbox.timeout_s,
        },
    }


def same(one: Permissions, other: Permissions) -> bool:
    return written(one) == written(other)


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes(data: bytes) -> None:
    assert read(data) is None


@given(JSON)
def test_any_json(document: Any) -> None:
    assert read(encoded(document)) is None


@settings(max_examples=300)
@given(POLICIES)
def test_what_is_accepted_says_what_was_written(document: dict[str, Any]) -> None:
    first = read(encoded(document))
    if first is None:
        return
    again = read(encoded(written(first)))
    assert again is not None
    assert same(first, again)
    assert first.files.allow_write == tuple(document["files"]["allowWrite"])
    assert first.commands.deny == tuple(document["commands"]["deny"])


@settings(max_examples=300)
@given(st.data())
def test_a_policy_with_any_part_replaced(data: st.DataObject) -> None:
    document = json.loads(json.dumps(WHOLE))
    at = document
    while isinstance(at, dict) and at and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(at)))
        if not isinstance(at[key], dict):
            break
        at = at[key]
    at[data.draw(st.sampled_from(sorted(at)) | st.text())] = data.draw(JSON)
    read(encoded(document))


@given(st.data())
def test_a_policy_with_any_bytes_replaced(data: st.DataObject) -> None:
    whole = encoded(WHOLE)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 20)))
    read(whole[:start] + data.draw(st.binary(max_size=8)) + whole[end:])
