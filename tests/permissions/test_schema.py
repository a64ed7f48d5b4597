"""The published JSON Schema and the loader say the same of a table of documents.

Only what a schema can say is compared: it knows no repeated keys, no quotes in commands, and takes 1.0 for 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ralph.errors import ConfigError
from ralph.permissions.loader import parse
from ralph.permissions.model import SandboxRules
from tests.permissions.policies import GONE, WHOLE, encoded, having
from tests.permissions.test_loader import POLICIES, WRONG

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "ralph.policy.schema.json").read_text("utf-8"))
BEYOND_A_SCHEMA = frozenset(
    {
        *("network odd address", "version 1.0", "pattern unclosed", "zero width", "half a character"),
        *("writable home", "writable root", "writable system", "writable secrets", "writable keys"),
        *("loader", "loader in lower case", "path", "git", "token", "key"),
    }
)
GOOD: dict[str, tuple[str, Any]] = {
    "whole": ("version", 1),
    "core": ("mode", "core"),
    "$schema": ("$schema", "x"),
    "everything empty": ("files", {"allowRead": [], "allowWrite": [], "denyRead": [], "denyWrite": []}),
    "globs": ("files.denyRead", ["*.pem", "**/x", "a/**", "a/**/b", "[id]", "v?", "./dist", "a b/c", "x/", "a..b"]),
    "commands": ("commands.allow", ["npm test", "curl | sh", "git log --format='%h'"]),
    "packs": ("commands.packs", ["readonly-tools", "readonly-git", "uv-python"]),
    "paths by class": ("approval.paths", {"destructive_ops": ["a"], "production_impacting_edits": []}),
    "paths alone": ("approval.paths", ["infra/**"]),
    "scripts": ("approval.scripts", ["deploy:prod", "ship"]),
    "expiry": ("approval.expiresS", 0.5 + 1),
    "sandbox empty": ("sandbox", {}),
    "network": ("sandbox.network", ["registry.example.org", "*.Example.org", "localhost:8080", "127.0.0.1"]),
    "no network": ("sandbox.network", "none"),
    "writable": ("sandbox.writable", ["~/.cache/uv", "/var/cache/x"]),
    "environment": ("sandbox.environment", ["NODE_ENV", "FORCE_COLOR", "_x1"]),
    "limits": ("sandbox", {"processes": 1, "memoryMb": 16, "outputMb": 1, "timeoutS": 86400}),
}


def fits(document: Any) -> bool:
    jsonschema = pytest.importorskip("jsonschema")
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(document))


def loads(document: Any) -> bool:
    try:
        parse(encoded(document), "p")
    except ConfigError:
        return False
    return True


def test_the_schema_is_one() -> None:
    pytest.importorskip("jsonschema").Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_the_policies_of_the_corpus_fit(path: Path) -> None:
    assert fits(json.loads(path.read_text()))


@pytest.mark.parametrize(("path", "value"), GOOD.values(), ids=GOOD)
def test_what_is_good(path: str, value: Any) -> None:
    assert loads(having(path, value))
    assert fits(having(path, value))


@pytest.mark.parametrize("name", sorted(WRONG.keys() - BEYOND_A_SCHEMA))
def test_what_is_wrong(name: str) -> None:
    path, value, _ = WRONG[name]
    assert not loads(having(path, value))
    assert not fits(having(path, value))


@pytest.mark.parametrize("document", [None, [], "x", 1, {}])
def test_what_is_no_policy(document: Any) -> None:
    assert not loads(document)
    assert not fits(document)


def _objects(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of the schema that has fixed keys, with the path at which it stands in a policy."""
    for key, value in schema.get("properties", {}).items():
        yield from _objects(value, f"{path}.{key}" if path else key)
    if "properties" in schema:
        yield path, schema


def test_both_know_the_same_keys() -> None:
    """Whatever the schema describes the loader reads, what it requires the loader requires, and nothing else."""
    for path, schema in _objects(SCHEMA):
        assert schema["additionalProperties"] is False, path
        for key in schema["required"]:
            assert not loads(having(f"{path}.{key}".strip("."), GONE)), (path, key)
        if path == "":
            assert set(WHOLE) == set(schema["required"])


def test_the_defaults_are_those_of_the_loader() -> None:
    defaults = {key: value.get("default") for key, value in SCHEMA["properties"]["sandbox"]["properties"].items()}
    rules = SandboxRules()
    assert (defaults["required"], defaults["processes"]) == (rules.required, rules.processes) == (None, 512)
    assert (defaults["memoryMb"], defaults["outputMb"]) == (rules.memory_mb, rules.output_mb)
    assert (defaults["timeoutS"], defaults["network"]) == (rules.timeout_s, "none")
