"""`ralph policy`: what there is, and why."""

from __future__ import annotations

import json

import pytest

from ralph.cli.main import run


def policy(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(["policy", *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_list_says_what_is_released(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = policy(capsys, "list", "--json")
    assert code == 0
    by_version = {row["version"]: row for row in json.loads(out)["policies"]}
    assert by_version["v1"]["state"] == "released"
    assert sum(row["default"] for row in by_version.values()) == 1
    text = policy(capsys, "list")[1].splitlines()
    assert [line.split()[0] for line in text] == list(by_version)


@pytest.mark.parametrize("args", [("show",), ("show", "v2"), ("rules",), ("rules", "--policy", "v2")])
def test_text_and_json(capsys: pytest.CaptureFixture[str], args: tuple[str, ...]) -> None:
    assert policy(capsys, *args)[0] == 0
    code, out, _ = policy(capsys, *args, "--json")
    assert code == 0
    assert isinstance(json.loads(out), dict)


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = policy(capsys, "explain", "v1.testing.skip", "--policy", "v1")
    assert code == 0
    assert "Skipped tests indicate incomplete verification" in out
    assert r"\.skip\s*\(" in out


def test_explain_suggests(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = policy(capsys, "explain", "v1.testing.skp", "--policy", "v1")
    assert code == 3
    assert "did you mean 'v1.testing.skip'?" in err
