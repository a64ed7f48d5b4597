"""What a pipeline says about the change it runs for, read from its environment (GitHub Actions, GitLab CI).

Pure, but for the one file in which GitHub describes the event.

Rules:

- The base is what the host names: the target of the pull request, of the merge queue, or what a branch held before the
  push. Nothing is guessed: an event that names no base is an error that says what to give instead.
- A token is taken from the environment here and nowhere else, and never shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from ralph.errors import ConfigError, UsageError
from ralph.record import field, record
from ralph.system import files

Host = Literal["github", "gitlab"]
NO_COMMIT = "0" * 40


@record(kw_only=True)
class Job:
    """A pipeline's job. `base` None: the branch is new. `number` is that of the pull request, `summary` and `outputs`
    are files that the host reads afterwards, `link` is the job's page. `token` is for GitHub alone, where one step may
    have it; a variable of GitLab reaches the change's own code."""

    host: Host
    base: str | None
    head: str
    project: str
    api: str = ""
    number: int | None = None
    summary: Path | None = None
    outputs: Path | None = None
    link: str = ""
    token: str = field(default="", repr=False)


def read(env: Mapping[str, str]) -> Job:
    """The job that this process runs in. Raises UsageError outside of a pipeline, and ConfigError for an event that
    cannot be used."""
    if env.get("GITHUB_ACTIONS") == "true":
        return _github(env)
    if env.get("GITLAB_CI") == "true":
        return _gitlab(env)
    raise UsageError(
        "This is no job of GitHub Actions or GitLab CI (neither GITHUB_ACTIONS nor GITLAB_CI is `true`): "
        "use `ralph verify --base COMMIT` here."
    )


def _github(env: Mapping[str, str]) -> Job:
    event = _event(Path(_need(env, "GITHUB_EVENT_PATH")))
    base, number = _base_of(event, env.get("GITHUB_EVENT_NAME", ""))
    server, project = env.get("GITHUB_SERVER_URL", "https://github.com"), _need(env, "GITHUB_REPOSITORY")
    pull = event.get("pull_request")
    return Job(
        host="github",
        base=base,
        head=_text(pull, "head", "sha") or _need(env, "GITHUB_SHA"),
        project=project,
        api=env.get("GITHUB_API_URL", "https://api.github.com").rstrip("/"),
        number=number,
        summary=_path(env, "GITHUB_STEP_SUMMARY"),
        outputs=_path(env, "GITHUB_OUTPUT"),
        link=f"{server}/{project}/actions/runs/{env['GITHUB_RUN_ID']}" if env.get("GITHUB_RUN_ID") else "",
        token=env.get("GITHUB_TOKEN", ""),
    )


def _base_of(event: Mapping[str, Any], name: str) -> tuple[str | None, int | None]:
    """The commit to judge against, and the number of the pull request."""
    pull = event.get("pull_request")
    if base := _text(pull, "base", "sha"):
        number = pull.get("number") if isinstance(pull, Mapping) else None
        return base, number if isinstance(number, int) else None
    if base := _text(event, "merge_group", "base_sha"):
        return base, None
    before = _text(event, "before")
    if before:
        return None if before == NO_COMMIT else before, None
    raise ConfigError(
        f"The event {name or 'of this job'} names no commit to judge against: run on pull_request, merge_group or "
        "push, or give `ralph verify --base COMMIT`."
    )


def _event(path: Path) -> Mapping[str, Any]:
    try:
        event = files.parse_json(files.read_bytes(path))
    except FileNotFoundError:
        raise ConfigError(f"GITHUB_EVENT_PATH names {path}, which does not exist.") from None
    except ValueError as error:
        raise ConfigError(f"{path}, the description of the event, is damaged ({error}).") from None
    if not isinstance(event, Mapping):
        raise ConfigError(f"{path}, the description of the event, is no JSON object.")
    return event


def _gitlab(env: Mapping[str, str]) -> Job:
    base = env.get("CI_MERGE_REQUEST_DIFF_BASE_SHA") or env.get("CI_COMMIT_BEFORE_SHA", "")
    if not base:
        raise ConfigError(
            "This job names no commit to judge against: run it in merge request pipelines, "
            "or give `ralph verify --base COMMIT`."
        )
    return Job(
        host="gitlab",
        base=None if base == NO_COMMIT else base,
        head=_need(env, "CI_COMMIT_SHA"),
        project=_need(env, "CI_PROJECT_ID"),
        link=env.get("CI_JOB_URL", ""),
    )


def _text(value: object, *names: str) -> str:
    """The text under these keys; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


def _need(env: Mapping[str, str], name: str) -> str:
    if not env.get(name):
        raise ConfigError(f"{name} is not set, though this looks like a job of a pipeline: it comes from the host.")
    return env[name]


def _path(env: Mapping[str, str], name: str) -> Path | None:
    return Path(env[name]) if env.get(name) else None
