"""Policies for tests: one that is whole, and copies of it with a part replaced."""

from __future__ import annotations

import copy
import json
from typing import Any

from ralph.permissions.loader import parse
from ralph.permissions.model import Permissions

WHOLE: dict[str, Any] = {
    "version": 1,
    "mode": "delivery",
    "files": {
        "allowRead": ["."],
        "allowWrite": ["src", "tests", "docs", "specs", "state"],
        "denyRead": [".env", ".git/objects"],
        "denyWrite": [".git", "node_modules", "dist"],
    },
    "commands": {"allow": ["npm test", "git status"], "deny": ["rm -rf /", "sudo", "curl | sh"]},
    "approval": {
        "requiredFor": ["destructive_ops", "dependency_changes", "production_impacting_edits"],
        "requireReason": True,
    },
    "checks": {"required": ["test", "build"], "rollbackOnFail": True},
}
GONE = object()


def having(path: str = "", value: Any = None) -> dict[str, Any]:
    """The whole policy with the value at `path` ("files.allowRead") replaced, or removed if it is GONE."""
    document = copy.deepcopy(WHOLE)
    if not path:
        return document
    *folders, key = path.split(".")
    at = document
    for folder in folders:
        at = at.setdefault(folder, {})
    if value is GONE:
        del at[key]
    else:
        at[key] = value
    return document


def encoded(document: object) -> bytes:
    return json.dumps(document).encode()


def permissions(path: str = "", value: Any = None, **more: Any) -> Permissions:
    """The policy with this value, and `files` keys given by name."""
    document = having(path, value)
    document["mode"] = more.pop("mode", document["mode"])
    document["files"] |= more
    return parse(encoded(document), "policy")
