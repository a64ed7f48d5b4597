"""`ralph mcp` as a program: its standard output is the protocol's, whoever starts it and wherever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp_types import CallToolResult

from mcp import Client, StdioServerParameters
from ralph.events import inbox
from ralph.loop.plan.files import PlanStore
from ralph.mcp.serve import Address
from tests.cli.command import ralph, refused
from tests.mcp.tools import connected, run, said
from tests.project import commit, repository

POLICY = """{
  "version": 1,
  "mode": "delivery",
  "files": {"allowRead": ["."], "allowWrite": ["src"], "denyRead": [], "denyWrite": []},
  "commands": {"allow": ["pytest"], "deny": []},
  "approval": {"requiredFor": [], "requireReason": true},
  "checks": {"required": [], "rollbackOnFail": false}
}"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "project", {"README.md": "x\n"})


def outside(project: Path, *calls: tuple[str, dict[str, Any]]) -> list[CallToolResult]:
    """The tools of a project where no run is at work."""

    async def talk() -> list[CallToolResult]:
        env = {name: value for name, value in os.environ.items() if not name.startswith("RALPH_")}
        arguments = ["-m", "ralph", "mcp", "-C", str(project)]
        async with Client(StdioServerParameters(command=sys.executable, args=arguments, env=env)) as client:
            assert len((await client.list_tools()).tools) == 14
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return run(talk)


def test_outside_of_a_run_it_works_on_the_projects_files(project: Path) -> None:
    commit(project, {"ralph.policy.json": POLICY})
    added, claimed, allowed, denied = outside(
        project,
        ("ralph_add_task", {"task_id": "a", "description": "Do it."}),
        ("ralph_mark_task_complete", {"task_id": "a"}),
        ("ralph_request_approval", {"command": "pytest", "reason": "x"}),
        ("ralph_request_approval", {"command": "make", "reason": "x"}),
    )
    assert not added.is_error
    assert [each.id for each in PlanStore(project).load().tasks] == ["a"]
    assert claimed.is_error
    assert "speaks for an agent in a turn of `ralph run`, and this is none" in said(claimed)
    assert allowed.structured_content is not None
    assert allowed.structured_content["state"] == "not needed"
    assert denied.is_error


def test_what_is_missing_is_said_when_it_is_needed(project: Path) -> None:
    (asked,) = outside(project, ("ralph_request_approval", {"command": "pytest", "reason": "x"}))
    assert asked.is_error
    assert "ralph.policy.json" in said(asked)


def test_it_measures_as_ralph_verify_does(project: Path) -> None:
    (told,) = outside(project, ("ralph_verify", {}))
    assert told.structured_content is not None
    assert told.structured_content["verdict"] == "FAIL"
    assert told.structured_content["failure_reason"].startswith("could not verify:")


def test_it_ends_with_its_input_and_writes_nothing_but_the_protocol(project: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = [
        "this is no message",
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ralph_emit", "arguments": 7}}',
        '{"jsonrpc": "2.0", "id": 3, "method": "no/such/method"}',
        '{"jsonrpc": "2.0", "id": 4, "method": "ping"}',
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "ralph", "mcp", "-C", str(project)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n".join(lines) + "\n")
    process.stdin.flush()
    answered: dict[Any, dict[str, Any]] = {}
    while 4 not in answered:
        message = json.loads(process.stdout.readline())
        answered[message.get("id")] = message
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "", "")
    assert "error" in answered[2]
    assert "error" in answered[3]
    assert answered[4]["result"] == {}


def served(project: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ralph", "mcp", "--http", "-C", str(project), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def listed(said: Mapping[str, str]) -> int:
    async def talk() -> int:
        async with connected(Address(url=said["url"], token=said["token"])) as client:
            return len((await client.list_tools()).tools)

    return run(talk)


def test_over_http_its_address_is_on_standard_error(project: Path) -> None:
    process = served(project)
    try:
        assert process.stderr is not None
        url, bearer = process.stderr.readline().strip(), process.stderr.readline().strip()
        assert listed({"url": url, "token": bearer.removeprefix("Authorization: Bearer ")}) == 14
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err.strip()) == (130, "", "ralph: interrupted")


def test_over_http_its_address_may_go_into_a_file_for_one_person_alone(project: Path, tmp_path: Path) -> None:
    place = tmp_path / "address.json"
    process = served(project, "--address-file", str(place))
    try:
        until = time.monotonic() + 120
        while not place.exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert place.stat().st_mode & 0o777 == 0o600
        assert listed(json.loads(place.read_text())) == 14
    finally:
        process.terminate()
        out, err = process.communicate(timeout=120)
    assert (out, err.strip()) == ("", "ralph: interrupted")


def test_as_json_the_address_is_one_document(project: Path) -> None:
    process = served(project, "--json")
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "}\n")
    said = json.loads("".join(lines) + "}")
    assert set(said) == {"url", "token"}
    process.terminate()
    assert process.communicate(timeout=120)[0] == ""


def test_standard_output_is_not_for_anything_else(project: Path) -> None:
    refused(ralph("mcp", "-C", project, "--json"), "Standard output belongs to the protocol")


def test_a_turn_that_is_over_is_said_to_be(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(inbox.VARIABLE, str(project / "gone"))
    refused(ralph("mcp", "-C", project), "is the turn over?")


def test_it_needs_a_repository(tmp_path: Path) -> None:
    refused(ralph("mcp", "-C", tmp_path), str(tmp_path))


@pytest.mark.parametrize("options", [[], ["--http"]], ids=["stdio", "http"])
def test_without_the_package_it_says_what_to_install(project: Path, options: list[str]) -> None:
    started = "import sys; sys.modules['mcp'] = None; from ralph.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", started, "mcp", "-C", str(project), *options]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    told = "ralph: MCP needs packages that are missing: pip install 'ralph-governance[mcp]'.\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", told)
