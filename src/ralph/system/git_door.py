"""The one door to the git program (design decisions 4, 5, 8).

The repository under judgement belongs to the agent: its configuration, attributes, hooks and index can run code or
change an answer. So every call

- is an argument list, with an environment made from nothing: no `GIT_*` variable, system or personal configuration
  counts, replace refs and grafts are off, and no transport runs, so that nothing is ever fetched;
- has a time limit, and fails with one sentence (`RepositoryError`);
- reads objects through a git directory of our own (`neutral_dir`), where no configuration of the repository is read
  at all. Only refs are asked of the repository's own directory, with every setting that runs a program switched off.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ralph.errors import MissingToolError, RepositoryError
from ralph.system.scratch import scratch

TIMEOUT_S = 300.0

_ENVIRONMENT = {
    "PATH": os.defpath,
    "LC_ALL": "C",
    "GIT_ADVICE": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}

_OVERRIDES = {
    "advice.graftFileDeprecated": "false",
    "core.alternateRefsCommand": "false",
    "core.askPass": "false",
    "core.attributesFile": os.devnull,
    "core.commitGraph": "false",
    "core.editor": "false",
    "core.excludesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.ignoreCase": "false",
    "core.logAllRefUpdates": "false",
    "core.multiPackIndex": "false",
    "core.pager": "cat",
    "core.quotePath": "false",
    "core.sshCommand": "false",
    "core.untrackedCache": "false",
    "credential.helper": "",
    "gc.auto": "0",
    "gpg.program": "false",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.directory": "*",
}

_NEUTRAL_CONFIG = """\
[core]
	repositoryformatversion = {version}
	bare = {bare}
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	protectHFS = false
	protectNTFS = false
	trustctime = true
	checkStat = default
	preloadIndex = true
	splitIndex = false
	bigFileThreshold = 512m
[index]
	version = 2
	threads = 1
[extensions]
	objectFormat = {object_format}
"""


class GitTimeoutError(RepositoryError):
    """Git did not answer in time; asking again would only wait again."""


class Answer(NamedTuple):
    code: int
    stdout: bytes
    stderr: bytes

    def complaint(self) -> str:
        """What git said, on one line."""
        said = self.stderr.decode("utf-8", "replace").strip() or f"exit code {self.code}"
        return " ".join(said.split())[:400].rstrip(".")


def git(
    args: Sequence[str | bytes],
    *,
    git_dir: Path,
    work_tree: Path | None = None,
    index: Path | None = None,
    objects: Path | None = None,
    stdin: bytes = b"",
    timeout_s: float = TIMEOUT_S,
) -> bytes:
    """Run git and return its output. Raises RepositoryError unless it ended with exit code 0."""
    answer = ask(
        args, git_dir=git_dir, work_tree=work_tree, index=index, objects=objects, stdin=stdin, timeout_s=timeout_s
    )
    if answer.code:
        raise RepositoryError(
            f"`git {os.fsdecode(args[0])}` failed in {work_tree or git_dir} ({answer.complaint()}); mend it first."
        )
    return answer.stdout


def ask(
    args: Sequence[str | bytes],
    *,
    git_dir: Path,
    work_tree: Path | None = None,
    index: Path | None = None,
    objects: Path | None = None,
    stdin: bytes = b"",
    timeout_s: float = TIMEOUT_S,
) -> Answer:
    """Run git where an exit code other than 0 is an answer too."""
    try:
        done = subprocess.run(
            command(args),
            cwd=work_tree or git_dir,
            env=environment(git_dir=git_dir, work_tree=work_tree, index=index, objects=objects),
            input=stdin,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitTimeoutError(
            f"`git {os.fsdecode(args[0])}` did not answer within {timeout_s:g} s in {work_tree or git_dir}; "
            "a named pipe in place of a file of git's makes it wait."
        ) from None
    except (OSError, ValueError) as error:
        raise RepositoryError(f"git cannot be run in {work_tree or git_dir}: {error}.") from None
    return Answer(done.returncode, done.stdout, done.stderr)


def command(args: Sequence[str | bytes]) -> list[str | bytes]:
    return [_program(), "--no-pager", *_switches(), *args]


def environment(
    *, git_dir: Path, work_tree: Path | None = None, index: Path | None = None, objects: Path | None = None
) -> Mapping[str, str]:
    places = {
        "GIT_DIR": git_dir,
        "GIT_WORK_TREE": work_tree,
        "GIT_INDEX_FILE": index,
        "GIT_OBJECT_DIRECTORY": objects,
    }
    return _ENVIRONMENT | {name: str(place) for name, place in places.items() if place is not None}


def neutral_config(object_format: str, *, bare: bool) -> str:
    """The whole configuration of a git directory of our own: nothing is left to a default that a platform changes."""
    return _NEUTRAL_CONFIG.format(
        version=int(object_format != "sha1"), bare="true" if bare else "false", object_format=object_format
    ).replace("[extensions]\n\tobjectFormat = sha1\n", "")


@cache
def neutral_dir(object_format: str) -> Path:
    """An empty bare git directory, for reading objects that lie elsewhere. It is removed when Ralph ends."""
    until_the_end = ExitStack()
    directory = until_the_end.enter_context(scratch("git"))
    atexit.register(until_the_end.close)
    (directory / "refs").mkdir()
    (directory / "HEAD").write_text("ref: refs/heads/none\n")
    (directory / "config").write_text(neutral_config(object_format, bare=True))
    return directory


@cache
def _program() -> str:
    found = shutil.which("git")
    if found is None:
        raise MissingToolError("git is not installed, or not on the PATH: install git 2.31 or newer.")
    return str(Path(found).absolute())


@cache
def _switches() -> tuple[str, ...]:
    return tuple(part for name, value in _OVERRIDES.items() for part in ("-c", f"{name}={value}"))
