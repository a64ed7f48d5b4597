"""Opens the pull request: by GitHub's API with a token, else by `gh`, which has its own.

Rules: the token comes from the environment of the person, is never shown, and no agent has it: their environment is an
allow-list, and `ralph deliver` refuses to run in it. A pull request that is open for the branch is used.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from ralph.ci.rest import Api, HostError
from ralph.deliver.remote import DeliveryError, outside
from ralph.record import record
from ralph.system import process
from ralph.system.scratch import scratch
from ralph.system.text import visible

TOKENS = ("RALPH_DELIVER_TOKEN", "GH_TOKEN", "GITHUB_TOKEN")
LONGEST_BODY = 60_000
_GITHUB = re.compile(r"(?:https://|ssh://git@|git@)([\w.-]+)[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")


@record(kw_only=True)
class Request:
    """A pull request, as it shall be."""

    title: str
    body: str
    branch: str
    into: str
    commit: str
    draft: bool


@record(kw_only=True)
class Host:
    """Where pull requests are made; `token` empty: by `gh`."""

    api: str
    project: str
    name: str
    token: str


def host_of(url: str, environ: Mapping[str, str], *, api: str | None, project: str | None) -> Host | None:
    """Who makes the pull request; None if nobody here can."""
    found = _GITHUB.fullmatch(url)
    name, named = (found[1], found[2]) if found else ("github.com", "")
    project = project or named
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", project or ""):
        return None
    api = api or ("https://api.github.com" if name == "github.com" else f"https://{name}/api/v3")
    token = next((environ[each] for each in TOKENS if environ.get(each)), "")
    return Host(api=api.rstrip("/"), project=project, name=name, token=token)


def open_request(host: Host, wanted: Request, root: Path, environ: Mapping[str, str]) -> str | None:
    """The page of the pull request; None without a token and without `gh`. Raises DeliveryError, HostError."""
    if host.token:
        return _by_api(host, wanted)
    path = outside(environ.get("PATH", os.defpath), root)
    program = shutil.which("gh", path=path)
    return _by_gh(program, host, wanted, {**environ, "PATH": path}) if program else None


def _by_api(host: Host, wanted: Request) -> str:
    headers = {"Authorization": f"Bearer {host.token}", "X-GitHub-Api-Version": "2022-11-28"}
    api = Api(url=f"{host.api}/repos/{host.project}", headers=headers)
    head = quote(f"{host.project.split('/')[0]}:{wanted.branch}", safe="")
    listed = api.get(f"/pulls?state=open&head={head}&base={quote(wanted.into, safe='')}")
    if not isinstance(listed, list):
        raise HostError("The list of pull requests has an unexpected form, so none is made.")
    mine = [each for each in listed if _is_of(each, wanted)]
    made = (
        mine[0]
        if mine
        else api.send(
            "POST",
            "/pulls",
            {
                "title": wanted.title,
                "head": wanted.branch,
                "base": wanted.into,
                "body": wanted.body,
                "draft": wanted.draft,
            },
        )
    )
    if not isinstance(made, Mapping) or not _is_of(made, wanted):
        raise DeliveryError("The pull request that the host made is not of the delivered commit: look at it there.")
    return visible(str(made.get("html_url", "")))


def _is_of(pull: object, wanted: Request) -> bool:
    """Whether a pull request is that of the delivered commit and its branch."""
    head = pull.get("head") if isinstance(pull, Mapping) else None
    return isinstance(head, Mapping) and (head.get("sha"), head.get("ref")) == (wanted.commit, wanted.branch)


def _by_gh(program: str, host: Host, wanted: Request, environ: Mapping[str, str]) -> str:
    place = host.project if host.name == "github.com" else f"{host.name}/{host.project}"
    line = [program, "pr", "create", "--repo", place, "--head", wanted.branch, "--base", wanted.into]
    line += ["--title", wanted.title, "--body-file", "-", *(["--draft"] if wanted.draft else [])]
    with scratch("gh") as folder:
        command = process.Command(
            line=tuple(line),
            cwd=folder,
            env=environ,
            log=folder / "gh.log",
            timeout_s=60.0,
            stdin=wanted.body.encode("utf-8", "replace"),
        )
        ended = process.run(command)
    if ended.exit_code != 0:
        said = " ".join(ended.output.split())[:300]
        raise DeliveryError(f"`gh pr create` ended with {ended.signal or ended.exit_code}: {visible(said)}.")
    links = [word for word in ended.output.split() if word.startswith("https://")]
    return visible(links[-1]) if links else ""
