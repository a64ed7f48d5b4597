"""What a pipeline says about its change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.ci.job import NO_COMMIT, read
from ralph.errors import RalphError

A, B = "a" * 40, "b" * 40
PULL = {"pull_request": {"number": 7, "base": {"sha": A}, "head": {"sha": B}}}
LAB = {"GITLAB_CI": "true", "CI_COMMIT_SHA": B, "CI_PROJECT_ID": "9", "CI_JOB_URL": "https://gitlab.example/j/1"}


def github(folder: Path, event: object, **more: str) -> dict[str, str]:
    path = folder / "event.json"
    path.write_text(event if isinstance(event, str) else json.dumps(event))
    given = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_PATH": str(path),
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_SHA": "c" * 40,
    }
    return given | more


EVENTS: Mapping[str, tuple[Any, tuple[str | None, str, int | None]]] = {
    "a pull request": (PULL, (A, B, 7)),
    "a merge queue": ({"merge_group": {"base_sha": A}}, (A, "c" * 40, None)),
    "a push": ({"before": A}, (A, "c" * 40, None)),
    "a push of a new branch": ({"before": NO_COMMIT}, (None, "c" * 40, None)),
}


@pytest.mark.parametrize("case", EVENTS)
def test_github_names_the_base(tmp_path: Path, case: str) -> None:
    event, wanted = EVENTS[case]
    job = read(github(tmp_path, event))
    assert (job.base, job.head, job.number) == wanted


def test_gitlab_names_the_base() -> None:
    assert read(LAB | {"CI_MERGE_REQUEST_DIFF_BASE_SHA": A, "CI_COMMIT_BEFORE_SHA": NO_COMMIT}).base == A
    assert read(LAB | {"CI_COMMIT_BEFORE_SHA": A}).base == A
    assert read(LAB | {"CI_COMMIT_BEFORE_SHA": NO_COMMIT}).base is None


def test_a_token_is_not_shown(tmp_path: Path) -> None:
    job = read(github(tmp_path, PULL, GITHUB_TOKEN="ghs_secret"))
    assert (job.token, "ghs_secret" in repr(job)) == ("ghs_secret", False)


WRONG: Mapping[str, tuple[Any, str]] = {
    "an event without a base": ({"schedule": "daily"}, "names no commit to judge against"),
    "a pull request without a base": ({"pull_request": {"base": {"sha": 5}}}, "names no commit to judge against"),
    "no JSON": ("{", "is damaged"),
    "no object": ([1], "is no JSON object"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_used_is_one_sentence(tmp_path: Path, case: str) -> None:
    event, told = WRONG[case]
    with pytest.raises(RalphError, match=told) as error:
        read(github(tmp_path, event))
    assert error.value.exit_code == 3


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({}, "no job of GitHub Actions or GitLab CI"),
        ({"GITHUB_ACTIONS": "true"}, "GITHUB_EVENT_PATH is not set"),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": "/nothing/here"}, "does not exist"),
        (LAB, "names no commit to judge against"),
    ],
)
def test_outside_of_a_pipeline(env: dict[str, str], told: str) -> None:
    with pytest.raises(RalphError, match=told):
        read(env)
