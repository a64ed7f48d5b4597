"""The steps of action.yml and of GitLab's template, as the hosts run them: in a shell, one after the other."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from ralph.ci.page import MARK
from tests.ci.host import Host, host
from tests.loop.crash.story import FILES
from tests.project import commit, git, repository

TOP = Path(__file__).parents[2]
ACTION: Mapping[str, Any] = yaml.safe_load((TOP / "action.yml").read_text("utf-8"))
TEMPLATE: Mapping[str, Any] = yaml.safe_load((TOP / "integrations" / "gitlab-ci.yml").read_text("utf-8"))
TOKEN = "ghs_onlyForTheStepThatPublishes"
REPORT = FILES["tools/test.sh"]
SAMPLE = {
    **FILES,
    "tools/test.sh": f"env | grep ghs_ && exit 1\n{REPORT}grep -q good page.txt\n",
    "page.txt": "good\n",
}


@dataclass
class Run:
    """The steps of the action in a checkout, with what GitHub gives them; `code` is how it ends."""

    place: Path
    host: Host
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    said: str = ""
    code: int = 0

    @property
    def root(self) -> Path:
        return self.place / "checkout"

    def steps(self) -> None:
        for step in ACTION["runs"]["steps"]:
            if "run" in step and step["id"] != "install":
                self.code = self._step(step) or self.code

    def _step(self, step: Mapping[str, Any]) -> int:
        outputs = self.place / f"{step['id']}.outputs"
        outputs.touch()
        given = {name: self._filled(value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.root,
            env=environment(self.place, self.host) | {"GITHUB_OUTPUT": str(outputs)} | given,
            capture_output=True,
            text=True,
            check=False,
        )
        self.said += done.stdout + done.stderr
        lines = (line.partition("=") for line in outputs.read_text().splitlines())
        self.outputs[step["id"]] = {name: value for name, _, value in lines}
        return done.returncode

    def _filled(self, value: str) -> str:
        """An expression of the kinds that the action has."""
        for id_, name, default in re.findall(r"steps\.(\w+)\.outputs\.(\w+) \|\| '(\w+)'", value):
            return self.outputs.get(id_, {}).get(name) or str(default)
        if match := re.search(r"inputs\.(\w+) == 'true' && '(\S+)' \|\| '(\S+)'", value):
            return match[2] if ACTION["inputs"][match[1]]["default"] == "true" else match[3]
        match = re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", value)
        assert match, value
        return TOKEN if match[1] == "token" else str(ACTION["inputs"][match[1]]["default"])


def environment(place: Path, there: Host) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in ("PATH", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    }
    return kept | {
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": there.url,
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(place / "event.json"),
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_RUN_ID": "5",
        "GITHUB_SHA": "c" * 40,
        "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
        "RUNNER_TEMP": str(place / "temp"),
    }


def checkout(place: Path, change: Mapping[str, str]) -> str:
    """A checkout of a pull request, and Ralph where the action installs it. Returns the base."""
    root = repository(place / "checkout", SAMPLE)
    base = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-q", "-b", "change")
    commit(root, change)
    event = {"pull_request": {"number": 7, "base": {"sha": base}, "head": {"sha": git(root, "rev-parse", "HEAD")}}}
    (place / "event.json").write_text(json.dumps(event))
    (place / "temp").mkdir()
    (place / "temp" / "ralph-venv").symlink_to(sys.prefix)
    return base


CHANGES: Mapping[str, tuple[Mapping[str, str], int, str, str]] = {
    "good": ({"page.txt": "good and new\n"}, 0, "PASS", "success"),
    "bad": ({"page.txt": "new\n"}, 1, "FAIL", "failure"),
}


@pytest.mark.parametrize("case", ["good", "bad"])
def test_the_verdict_reaches_the_pull_request(tmp_path: Path, case: str) -> None:
    change, code, verdict, state = CHANGES[case]
    checkout(tmp_path, change)
    with host() as there:
        run = Run(tmp_path, there)
        run.steps()
        assert run.code == code, run.said
        assert [each["state"] for each in there.statuses] == [state], run.said
        assert there.comments[0]["body"].startswith(f"{MARK}\n# {verdict}: ")
    published = run.outputs["publish"]
    assert published["verdict"] == verdict
    folder = Path(published["folder"])
    assert json.loads((folder / "results.sarif").read_text())["version"] == "2.1.0"
    assert (folder / "evidence" / "attestation.json").exists()
    assert (tmp_path / "summary.md").read_text().startswith(MARK)


def test_a_change_that_cannot_be_judged_is_no_pass(tmp_path: Path) -> None:
    checkout(tmp_path, {"page.txt": "good\n\n"})
    (tmp_path / "event.json").write_text(json.dumps({"pull_request": {"number": 7, "base": {"sha": "d" * 40}}}))
    with host() as there:
        run = Run(tmp_path, there)
        run.steps()
        assert (run.code, run.outputs["publish"]["verdict"]) == (3, "")
        assert [each["state"] for each in there.statuses] == ["error"]
        assert "Not judged" in there.comments[0]["body"]


def test_what_the_host_refuses_changes_no_verdict(tmp_path: Path) -> None:
    """Pull requests from forks have a token that only reads."""
    checkout(tmp_path, {"page.txt": "good and new\n"})
    with host() as there:
        there.refuses = {"POST": 403}
        run = Run(tmp_path, there)
        run.steps()
    assert (run.code, run.said.count("was answered 403")) == (0, 2)


def test_the_token_is_for_one_step() -> None:
    holding = [step["id"] for step in ACTION["runs"]["steps"] if "inputs.token" in json.dumps(step)]
    assert holding == ["publish"]


def test_no_input_is_pasted_into_a_script() -> None:
    """What stands in an expression there is run as code."""
    assert [step["id"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")] == []


def test_the_steps_of_the_template(tmp_path: Path) -> None:
    base = checkout(tmp_path, {"page.txt": "new\n"})
    job = TEMPLATE["ralph"]
    venv = tmp_path / "temp" / "ralph-venv"
    script = "\n".join(line.replace("/tmp/ralph-venv", str(venv)) for line in job["script"] if "-m " not in line)
    with host() as there:
        given = {name: value for name, value in environment(tmp_path, there).items() if not name.startswith("GITHUB_")}
    given |= {
        "GITLAB_CI": "true",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
        "CI_COMMIT_SHA": "c" * 40,
        "CI_PROJECT_ID": "9",
    }
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path / "checkout",
        env=given | job["variables"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    report = tmp_path / "checkout" / job["artifacts"]["reports"]["codequality"]
    assert json.loads(report.read_text()) == []
