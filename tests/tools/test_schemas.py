"""The JSON Schemas are those of the readers: up to date, no stricter than these, and strict where a schema can be."""

from __future__ import annotations

import ast
import copy
import functools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ralph import contracts
from ralph.cli.schema import FILES
from ralph.config import parse_config
from ralph.config.starter import TEXT
from ralph.context import parse_context
from ralph.errors import RalphError
from ralph.events.gate_settings import configured
from ralph.hats.loader import parse_preset
from ralph.loop.plan.reading import read_plan
from ralph.permissions.loader import parse as parse_permissions
from ralph.policy import schema as policy_set
from ralph.system.yaml import load_yaml
from tests.cli.command import ralph, refused
from tools.schemas import FOLDER, ROOT, WRITTEN_BY_HAND, texts

SOURCE = ROOT / "src" / "ralph"


def _config(data: bytes, _: Path) -> object:
    return configured(parse_config(data, "ralph.yml").gates)


def _contract(data: bytes, folder: Path) -> object:
    file = folder / "contract.yaml"
    file.write_bytes(data)
    return contracts.read(file)


READERS: dict[str, Callable[[bytes, Path], object]] = {
    "ralph.yml": _config,
    "ralph-context.yaml": lambda data, _: parse_context(data, "c"),
    "contract": _contract,
    "preset": lambda data, _: parse_preset(data, "p", "p"),
    "policy-set": lambda data, _: policy_set.parse(data.decode(), "p"),
    "plan": lambda data, _: read_plan(data),
    "ralph.policy.json": lambda data, _: parse_permissions(data, "p"),
}
WHOLE: dict[str, Any] = {
    "ralph.yml": {
        "agent": "mine",
        "preset": "tdd",
        "evidence": "measured",
        "event_loop": {"mutation_score_warn_threshold": 70.5, "confidence": 90, "done": "build.done"},
        "gates": {
            "build.done": {"checks": {"complexity": {"at_most": 8}, "docs": {"kind": "percent", "at_least": 90}}},
            "feature.done": {"refusal": "feature.blocked", "checks": {"tests": {}}},
        },
        "hats": {"a": {"name": "A", "triggers": ["x.*"], "publishes": ["y"], "tools": [], "max_activations": 3}},
        "cost_limits": {"per_iteration": 1, "per_session": None, "total": 3.5},
        "limits": {"iterations": 10, "runtime_s": None, "tokens": 1000},
        "breaker": {"failures": 1, "stagnation": 2, "cooldown_s": 0.5},
        "phases": {"planning": {"max_iterations": 3, "require_human_approval": True}},
        "agents": {
            "mine": {"command": "my-agent --quiet", "network": True, "readable": ["~/x"], "writable": ["/y"]},
            "cheap": {"kind": "claude", "model": "haiku", "env": {"A": "1"}, "prices": {"input": 1, "output": 0.5}},
            "claude": {"fallback": ["codex", "cheap"], "context_window": 1, "wait_for_rate_limits": False},
        },
        "sandbox": {"required": "landlock"},
        "queue": "postgresql://me@db/ralph",
        "notify": {
            "chat": {"webhook": "https://example.org/@x", "secret": "env:S", "events": ["blocked"], "private": True},
            "mine": {"command": "notify-send", "timeout_s": 3},
            "all": {"apprise": "keyring:ralph/me"},
            "here": {"webhook": "HTTP://LocalHost:8080/x", "secret": "env:S"},
        },
        "telemetry": {"endpoint": "http://localhost:4318/a@b"},
    },
    "ralph-context.yaml": {
        "project": {"name": "a", "path": ".", "language": "python"},
        "commands": {"lint": "ruff check", "test": None},
        "paths": {"source": ["src"], "coverage_report": "out/coverage.json", "tsconfig": None},
        "context": {"lint_tool": "ruff"},
        "autonomy_level": "L2",
    },
    "contract": {
        "agent": "own",
        "version": "1",
        "limits": {"lines_added": 0, "files_changed": None},
        "steps": {"lint": {"not_applicable": "no code"}},
        "paths": ["src/**"],
        "sandbox": "landlock",
        "network": "open",
        "review": "block",
        "autonomy_level": "L1",
        "controls": {"test_inventory": "unchanged", "rerun_failed_tests": True},
    },
    "preset": {
        "description": "x",
        "hats": {"a": {"triggers": ["build.task"], "publishes": ["b"], "instructions": "c"}},
        "start": "build.task",
        "done": "b",
        "confidence": 100,
    },
    "policy-set": yaml.safe_load((SOURCE / "policy" / "v1.yaml").read_text("utf-8")),
    "plan": {
        "tasks": [
            {"id": "a-1", "description": "x", "priority": 1, "status": "pending", "dependencies": ["b.2"], "mine": {}},
            {"id": "b.2", "description": "", "completed_at": "2026-01-20T10:00:00Z", "actual_tokens_used": None},
        ],
        "created_at": None,
    },
}
WRONG = [
    ("ralph.yml", "agnet", "claude"),
    ("ralph.yml", "agent", " "),
    ("ralph.yml", "agent", 3),
    ("ralph.yml", "preset", "a/b"),
    ("ralph.yml", "evidence", "believed"),
    ("ralph.yml", "event_loop.confidence", 101),
    ("ralph.yml", "event_loop.confidence", 80.5),
    ("ralph.yml", "gates.build.done", {"checkz": {}}),
    ("ralph.yml", "gates", {"feature.done": {"refusal": "human.no", "checks": {"tests": {}}}}),
    ("ralph.yml", "gates", {"feature.done": {"checks": {"tests": {"kind": "percent", "at_least": -1}}}}),
    ("ralph.yml", "hats.a.triggers", "x"),
    ("ralph.yml", "hats.a.color", "red"),
    ("ralph.yml", "cost_limits.total", 0),
    ("ralph.yml", "cost_limits.total", "1"),
    ("ralph.yml", "limits.iterations", -1),
    ("ralph.yml", "limits.iterations", True),
    ("ralph.yml", "breaker.failures", None),
    ("ralph.yml", "breaker.failures", 0),
    ("ralph.yml", "phases.building.max_iterations", 0),
    ("ralph.yml", "phases.cleaning", {}),
    ("ralph.yml", "agents.1x", {"kind": "claude"}),
    ("ralph.yml", "agents.x", {"kind": "gpt"}),
    ("ralph.yml", "agents.x", {"kind": "replay"}),
    ("ralph.yml", "agents.mine.command", ""),
    ("ralph.yml", "agents.mine.readable", ["x"]),
    ("ralph.yml", "agents.cheap.prices", {"input": 1}),
    ("ralph.yml", "agents.cheap.prices.input", -1),
    ("ralph.yml", "agents.cheap.env", {"a-b": "x"}),
    ("ralph.yml", "agents.claude.context_window", 0),
    ("ralph.yml", "sandbox.required", "docker"),
    ("ralph.yml", "notify.chat.events", []),
    ("ralph.yml", "notify.chat.events", ["lunch"]),
    ("ralph.yml", "notify.chat.secret", "hunter2"),
    ("ralph.yml", "notify.chat.webhook", "http://example.org"),
    ("ralph.yml", "notify.chat.webhook", "https://me:secret@example.org"),
    ("ralph.yml", "notify.chat.command", "both"),
    ("ralph.yml", "telemetry.endpoint", "localhost:4318"),
    ("ralph.yml", "telemetry.endpoint", "https://me:secret@example.org"),
    ("ralph.yml", "notify.new", {}),
    ("ralph.yml", "notify.new", {"webhook": "https://example.org"}),
    ("ralph.yml", "notify.mine.timeout_s", 61),
    ("ralph-context.yaml", "thresholds", {}),
    ("ralph-context.yaml", "project.language", "cobol"),
    ("ralph-context.yaml", "project.name", None),
    ("ralph-context.yaml", "commands", None),
    ("ralph-context.yaml", "paths.coverage_report", "/etc/passwd"),
    ("ralph-context.yaml", "paths.test_report", "a/../../b"),
    ("ralph-context.yaml", "paths.test_report", ""),
    ("ralph-context.yaml", "autonomy_level", "L3"),
    ("contract", "limits.lines_added", -1),
    ("contract", "steps.lint", {}),
    ("contract", "steps.lint.not_applicable", ""),
    ("contract", "steps.deploy", {"not_applicable": "x"}),
    ("contract", "version", 1),
    ("contract", "sandbox", "docker"),
    ("contract", "controls.test_inventory", True),
    ("preset", "confidence", 101),
    ("preset", "hats.a.max_activations", "x"),
    ("preset", "colour", "red"),
    ("policy-set", "policy.version", "1"),
    ("policy-set", "policy.released_at", "soon"),
    ("policy-set", "steps.coverage.min_percent", None),
    ("policy-set", "steps.coverage.min_percent", 101),
    ("policy-set", "thresholds.max_lines_added", -1),
    ("policy-set", "rules", {"a": {"class": "G01", "severity": "block", "reason": "x", "fix": "y"}}),
    ("policy-set", "verdicts.MAYBE", {}),
    ("plan", "tasks", {}),
    ("plan", "tasks", [{"id": "a"}]),
    ("plan", "tasks", [{"id": "../a", "description": "x"}]),
    ("plan", "tasks", [{"id": "a", "description": "x", "priority": 0}]),
    ("plan", "tasks", [{"id": "a", "description": "x", "status": "done"}]),
    ("plan", "tasks", [{"id": "a", "description": "x", "dependencies": ["a b"]}]),
    ("plan", "tasks", [{"id": "a", "description": "x", "estimated_tokens": -1}]),
]


@functools.cache
def schema(name: str) -> Any:
    return jsonschema.Draft202012Validator(json.loads((FOLDER / FILES[name].file).read_text("utf-8")))


def fits(name: str, document: object) -> bool:
    return bool(schema(name).is_valid(document))


def reads(name: str, document: object, folder: Path) -> bool:
    return accepted(name, json.dumps(document).encode(), folder)


def accepted(name: str, data: bytes, folder: Path) -> bool:
    try:
        READERS[name](data, folder)
    except (RalphError, ValueError):
        return False
    return True


def having(name: str, place: str, value: object) -> Any:
    document = copy.deepcopy(WHOLE[name])
    *above, last = ["gates", "build.done"] if place == "gates.build.done" else place.split(".")
    inner = document
    for key in above:
        inner = inner.setdefault(key, {})
    inner[last] = value
    return document


def test_they_are_up_to_date() -> None:
    """Otherwise: python -m tools.schemas."""
    for path, text in texts().items():
        assert path.read_text("utf-8") == text, path.name
    assert {path.name for path in FOLDER.iterdir()} == {each.file for each in FILES.values()}
    assert {FILES[WRITTEN_BY_HAND].file, *(path.name for path in texts())} == {each.file for each in FILES.values()}


@pytest.mark.parametrize("name", FILES)
def test_each_is_a_schema_that_ralph_prints(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name).schema)
    assert ralph("schema", name).document == ralph("schema", name, "--json").document == schema(name).schema


def test_they_are_listed() -> None:
    rows = ralph("schema", "--json").document["schemas"]
    assert [row["name"] for row in rows] == list(FILES)
    assert all(Path(row["file"]).is_file() for row in rows)
    assert [line.split()[0] for line in ralph("schema").out.splitlines()] == list(FILES)
    refused(ralph("schema", "package.json"), "package.json")


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_good(name: str, tmp_path: Path) -> None:
    assert reads(name, WHOLE[name], tmp_path)
    schema(name).validate(WHOLE[name])


@pytest.mark.parametrize(("name", "place", "value"), WRONG)
def test_what_is_wrong(name: str, place: str, value: object, tmp_path: Path) -> None:
    document = having(name, place, value)
    assert not reads(name, document, tmp_path)
    assert not fits(name, document)


SHIPPED = [
    *(("preset", path) for path in sorted((SOURCE / "hats" / "presets").glob("*.yml"))),
    *(("contract", path) for path in sorted((SOURCE / "contracts").glob("*.yaml"))),
    *(("policy-set", path) for path in sorted((SOURCE / "policy").glob("v*.yaml"))),
    *(("ralph-context.yaml", path) for path in sorted(SOURCE.rglob("ralph-context.yaml"))),
    *(("ralph.policy.json", path) for path in sorted(SOURCE.rglob("ralph.policy.json"))),
]


@pytest.mark.parametrize(("name", "path"), SHIPPED, ids=lambda value: getattr(value, "stem", value))
def test_what_is_shipped_fits(name: str, path: Path) -> None:
    schema(name).validate(load_yaml(path.read_text("utf-8"), str(path)))


def written() -> Iterator[str]:
    """What could be such a file: in the blocks of the documentation, and in the texts of the tests."""
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        yield from re.findall(r"^```(?:yaml|json)\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for module in (ROOT / "tests").rglob("*.py"):
        if "node_modules" not in module.parts:
            for node in ast.walk(ast.parse(module.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\w:\s", node.value):
                    yield node.value
    yield TEXT


def test_what_a_reader_takes_the_schema_takes(tmp_path: Path) -> None:
    """Every example of the documentation and of the tests."""
    taken = dict.fromkeys(FILES, 0)
    for text in sorted(set(written())):
        try:
            document = load_yaml(text, "x")
        except RalphError:
            continue
        if not isinstance(document, dict):
            continue
        for name in FILES:
            if accepted(name, text.encode("utf-8", "surrogatepass"), tmp_path):
                assert fits(name, document), f"{name}: {text}"
                taken[name] += 1
    assert taken["ralph.yml"] > 20
    assert taken["ralph-context.yaml"] > 5
    assert taken["contract"] > 2
    assert all(taken[name] for name in ("ralph.policy.json", "preset"))


VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    80.5,
    "",
    " ",
    "x",
    "a/b",
    "~/x",
    "2026-01-20",
    [],
    ["x"],
    {},
    {"x": {}},
    ...,
]
"""The last one removes."""


@pytest.mark.parametrize("name", WHOLE)
def test_no_schema_is_stricter_than_its_reader(name: str, tmp_path: Path) -> None:
    """Each value of a good file is replaced by every other, or removed."""
    stricter = []
    for number in range(len(list(places(WHOLE[name])))):
        for value in VALUES:
            document = copy.deepcopy(WHOLE[name])
            holder, key = list(places(document))[number]
            if value is ...:
                del holder[key]
            else:
                holder[key] = value
            if not fits(name, document) and reads(name, document, tmp_path):
                stricter.append((key, value))
    assert stricter == []


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        yield document, key
        if isinstance(value, dict | list):
            yield from places(value)
