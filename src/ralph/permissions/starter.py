"""The `ralph.policy.json` that `ralph init` proposes for a project. Pure: paths and a reader in, a document out.

It is a start that works: delivery mode, the folders that hold source and tests may be written, the project's own
commands may be run, everything else asks or is denied. What it says, key by key, stands in docs/configuration.md.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ralph.context.detect import Detected, Read
from ralph.permissions import own_files
from ralph.permissions.classes import PRODUCTION, matches_rule
from ralph.permissions.model import ApprovalClass
from ralph.permissions.path_patterns import folded
from ralph.permissions.patterns import PatternError, parse_pattern

SECRETS = (".env", ".env.local", ".env.*.local", ".env.production", "*.pem", "*.key", ".git/objects")
GENERATED = ("node_modules", "dist", "build", "out", "coverage", "target", "vendor", "htmlcov", "__pycache__")
_SCRIPTED = frozenset({"py", "pyi", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "rb", "php", "sh"})
_COMPILED = frozenset({"go", "rs", "java", "kt", "cs", "c", "cc", "cpp", "h", "hpp", "swift"})
SOURCE = _SCRIPTED | _COMPILED
CONFIGURING = ("setup.py", "conftest.py", "noxfile.py", "tasks.py", "manage.py", "gulpfile.js", "build.rs")
USUAL = ("docs", "specs")
DENIED_COMMANDS = ("rm -rf /", "sudo", "curl | sh", "wget | sh")
SCRIPTS = (
    *("test", "test:unit", "test:ci", "build", "lint", "typecheck", "type-check", "check-types", "tsc", "types"),
    *("check", "format", "format:check", "coverage"),
)
CHECKS = ("test", "build", "lint", "typecheck")


def starter(paths: frozenset[str], read: Read, detected: Detected) -> dict[str, Any]:
    """The policy document for the project whose tree holds `paths`."""
    tools = detected.context.context
    packs = ["readonly-tools", *(["uv-python"] if tools.package_manager == "uv" else [])]
    return {
        "version": 1,
        "mode": "delivery",
        "files": {
            "allowRead": ["."],
            "allowWrite": _writable(paths),
            "denyRead": list(SECRETS),
            "denyWrite": [".git", ".ralph", *_generated(paths)],
        },
        "commands": {"allow": _commands(read, detected), "deny": list(DENIED_COMMANDS), "packs": packs},
        "approval": {"requiredFor": [each.value for each in ApprovalClass], "requireReason": True},
        "checks": {"required": _checks(detected), "rollbackOnFail": True},
    }


def text_of(document: Mapping[str, Any]) -> str:
    """The document as a file: a list of short words on one line, as a person would write it."""
    lines = (f"  {json.dumps(key)}: {_section(value)}" for key, value in document.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _section(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    lines = (f"    {json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}" for key, item in value.items())
    return "{\n" + ",\n".join(lines) + "\n  }"


def _writable(paths: Iterable[str]) -> list[str]:
    """The folders of the project's own work; everything that nothing denies where there are none, or where source lies
    beside them."""
    if any(map(_is_source_on_top, paths)):
        return ["."]
    folders = sorted({path.partition("/")[0] for path in paths if "/" in path})
    own = [folder for folder in folders if _is_own_work(folder)]
    return [*own, *(name for name in USUAL if name not in own)] if own else ["."]


def _is_source_on_top(path: str) -> bool:
    """A file of source in the root, which no folder opens; what only configures tools is none."""
    stem, _, suffix = path.rpartition(".")
    configures = path in CONFIGURING or ".config" in stem or stem.startswith(".")
    return "/" not in path and suffix in SOURCE and not configures


def _is_own_work(folder: str) -> bool:
    form = (folded(folder), "any")
    special = folder.startswith(".") or folder in (*GENERATED, "state") or own_files.closed(form)
    plain = not set(folder) & set("*?[]{}\\!~ ") and folder.isprintable()
    return plain and not special and not matches_rule(PRODUCTION, [form])


def _generated(paths: frozenset[str]) -> list[str]:
    node, python = "package.json" in paths, any(path.endswith(".py") for path in paths)
    return [*(["node_modules"] if node else []), "dist", *([".venv"] if python else [])]


def _commands(read: Read, detected: Detected) -> list[str]:
    """What measures the project, and those of its scripts that only build and check."""
    measured = dataclasses.asdict(detected.context.commands).values()
    found = [line for line in measured if line and _usable(line)]
    manager = detected.context.context.package_manager
    if manager in ("npm", "pnpm", "yarn", "bun"):
        have = _scripts(read)
        found += [f"{manager} test" if name == "test" else f"{manager} run {name}" for name in SCRIPTS if name in have]
    return list(dict.fromkeys(found))


def _usable(line: str) -> bool:
    try:
        return not parse_pattern(line).is_pipeline
    except PatternError:
        return False


def _checks(detected: Detected) -> list[str]:
    commands = detected.context.commands
    return [name for name in CHECKS if getattr(commands, name)]


def _scripts(read: Read) -> frozenset[str]:
    try:
        package = json.loads(read("package.json") or b"{}")
        scripts = package.get("scripts") if isinstance(package, dict) else None
    except (ValueError, RecursionError):
        return frozenset()
    if not isinstance(scripts, dict):
        return frozenset()
    return frozenset(name for name, line in scripts.items() if isinstance(line, str) and line.strip())
