"""`ralph deliver` with real repositories: what arrives is the attested tree, and what is refused leaves no trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.ci.host import Host, host
from tests.cli.command import ralph, refused, verify, words
from tests.project import commit, git, write

AGENTS = ("RALPH_AGENT", "RALPH_SANDBOX", "RALPH_TICKET", "CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI")

KEY = "AKIA" + "Z7Q4M2XW5T3B6KPD"
"""Nobody's."""


@pytest.fixture(autouse=True)
def _a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*AGENTS, "RALPH_DELIVER_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return words(tmp_path / "project")


@pytest.fixture
def bare(tmp_path: Path, project: Path) -> Path:
    there = tmp_path / "there.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(there))
    git(project, "push", "-q", str(there), "main")
    return there


def passed(project: Path, **files: str) -> str:
    write(project, {name.replace("_", "."): text for name, text in (files or {"a_md": "one\ntwo\n"}).items()})
    answer = verify(project, "--policy", "v1")  # newer sets find secrets themselves
    assert answer.document["type"] == "PASS", answer.out
    return str(answer.document["tree_hash"])


def deliver(project: Path, *options: str | Path) -> Any:
    return ralph("deliver", "-C", project, "--json", *options)


def untouched(project: Path) -> tuple[str, ...]:
    """What is the person's: branches, index, working copy, configuration."""
    asked = (
        ("for-each-ref", "refs/heads", "refs/remotes", "refs/tags"),
        ("status", "--porcelain"),
        ("ls-files", "-s"),
        ("config", "--local", "--list"),
        ("symbolic-ref", "HEAD"),
    )
    return tuple(git(project, *each) for each in asked)


def test_what_arrives_is_the_attested_tree_and_nothing_of_the_persons_moves(project: Path, bare: Path) -> None:
    tree = passed(project)
    write(project, {"a.md": "something else since\n"})
    before, base = untouched(project), git(project, "rev-parse", "HEAD")
    answer = deliver(project, "--to", bare, "--message", "Add a line\n\nIt is needed.")
    told = answer.document
    assert (answer.code, told["delivered"], told["tree"], told["pull_request"]) == (0, True, tree, None)
    assert git(bare, "rev-parse", f"{told['branch']}^{{tree}}", f"{told['branch']}^") == f"{tree}\n{base}"
    assert git(bare, "show", f"{told['branch']}:a.md") == "one\ntwo"
    message = git(bare, "log", "-1", "--format=%B", told["branch"])
    assert message.startswith("Add a line\n\nIt is needed.\n\nRalph-Verdict: ")
    assert f"Ralph-Tree: {tree}" in message
    assert untouched(project) == before


def test_twice_is_once(project: Path, bare: Path) -> None:
    passed(project)
    first, second = deliver(project, "--to", bare), deliver(project)
    assert (first.code, second.code) == (0, 0)
    assert first.document["commit"] == second.document["commit"]


def test_a_dry_run_sends_and_writes_nothing(project: Path, bare: Path) -> None:
    passed(project)
    refs = git(project, "for-each-ref"), git(bare, "for-each-ref")
    answer = deliver(project, "--to", bare, "--dry-run")
    assert (answer.code, answer.document["delivered"], answer.document["to"]) == (0, False, str(bare))
    assert (git(project, "for-each-ref"), git(bare, "for-each-ref")) == refs
    refused(ralph("deliver", "-C", project), "Nobody has said yet where", "--to URL")


@pytest.mark.parametrize(
    ("files", "options", "words_of_it"),
    [
        ({"a_md": f"one\n{KEY}\n"}, (), "holds a secret (AWS access key)"),
        ({"a_md": "one\nthe value is correct-horse-battery\n"}, (), "the value of SOME_TOKEN"),
        ({"a_md": "one\nsometimes it is tr0ub4dor-and-3\n"}, (), "the value of ANTHROPIC_API_KEY"),
        ({"a_md": "one\n" * 30}, ("--max-lines", "0"), ""),
        ({"b_md": "1\n2\n3\n"}, ("--max-lines", "2"), "adds 3 lines"),
        ({"b_md": "1\n", "c_md": "2\n"}, ("--max-files", "1"), "changes 2 files"),
        ({"b_md": "1" * 500}, ("--max-file-bytes", "100"), "has 500 bytes"),
        ({"a_md": "one\ntwo\n"}, ("--message", f"key {KEY}"), "the message holds a secret"),
    ],
)
def test_what_is_refused_is_refused_before_anything_is_sent(
    project: Path,
    bare: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    options: tuple[str, ...],
    words_of_it: str,
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "correct-horse-battery")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "tr0ub4dor-and-3")
    passed(project, **files)
    there = git(bare, "for-each-ref")
    answer = deliver(project, "--to", bare, *options)
    if not words_of_it:
        refused(answer, "--max-lines")
        return
    assert answer.code == 1
    assert any(words_of_it in each for each in answer.document["refusals"]), answer.document["refusals"]
    assert KEY not in json.dumps(answer.document["refusals"])
    assert "correct-horse" not in json.dumps(answer.document["refusals"])
    assert git(bare, "for-each-ref") == there


def test_a_secret_that_was_there_already_is_not_the_changes(project: Path, bare: Path) -> None:
    commit(project, {"a.md": f"{KEY}\n"})
    git(project, "push", "-q", str(bare), "main")
    passed(project, a_md=f"{KEY}\ntwo\n")
    assert deliver(project, "--to", bare).code == 0


def test_only_a_pass_is_delivered_and_only_with_evidence_that_holds(project: Path, bare: Path) -> None:
    refused(deliver(project, "--to", bare), "No run is recorded here yet")
    passed(project)
    write(project, {"ralph-context.yaml": "project: {name: other, path: ., language: other}\n"})
    assert verify(project).code == 2
    answer = deliver(project, "--to", bare)
    assert answer.code == 1
    assert "is BLOCKED" in answer.document["refusals"][0]
    good = sorted(path.name for path in (project / ".ralph" / "audit").iterdir() if path.is_dir())[0]
    verdict = project / ".ralph" / "audit" / good / "verdict.json"
    verdict.write_text(verdict.read_text().replace("PASS", "PASS "))
    refused(deliver(project, good, "--to", bare), "does not hold")


def test_a_base_that_no_branch_holds_is_refused(project: Path, bare: Path) -> None:
    git(project, "checkout", "-q", "-b", "side")
    side = commit(project, {"b.md": "1\n"})
    git(project, "checkout", "-q", "main")
    write(project, {"b.md": "1\n", "a.md": "one\ntwo\n"})
    assert verify(project, "--base", side).code == 0
    answer = deliver(project, "--to", bare)
    assert answer.code == 1
    assert "neither HEAD nor the default branch holds" in answer.document["refusals"][0]


def test_a_branch_that_exists_is_left_alone(project: Path, bare: Path) -> None:
    passed(project)
    there = git(bare, "rev-parse", "main")
    git(bare, "branch", "work", "main")
    refused(deliver(project, "--to", bare, "--branch", "work"), "exists at")
    for name in ("main", "master", "-f", "a..b", "a b", "x.lock", "+x"):
        refused(deliver(project, "--to", bare, f"--branch={name}"))
    assert git(bare, "rev-parse", "main", "work") == f"{there}\n{there}"


@pytest.mark.parametrize("url", ["ext::sh -c true", "-x", "http://example.org/x", "https://a:b@example.org/", "x\ny"])
def test_addresses_that_are_none(project: Path, url: str) -> None:
    passed(project)
    refused(deliver(project, f"--to={url}"), "--to must be an address")


def test_what_the_repository_configures_is_not_run(project: Path, bare: Path, tmp_path: Path) -> None:
    passed(project)
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/trapped\nexit 0\n")
    trap.chmod(0o755)
    hook = project / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to(trap)
    for key in ("core.sshCommand", "credential.helper", "core.fsmonitor", "gpg.program"):
        git(project, "config", key, str(trap))
    git(project, "config", f"url.{tmp_path}/elsewhere.insteadOf", str(bare))
    git(project, "config", "remote.origin.url", f"ext::{trap}")
    assert deliver(project, "--to", bare).code == 0
    assert not (tmp_path / "trapped").exists()
    assert not (tmp_path / "elsewhere").exists()


def test_a_remote_that_changes_what_it_got_is_found_out(project: Path, bare: Path) -> None:
    passed(project)
    hook = bare / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nread old new ref\ngit update-ref $ref main\n")
    hook.chmod(0o755)
    answer = deliver(project, "--to", bare)
    refused(answer, "is not what was attested")
    hook.write_text("#!/bin/sh\nexit 1\n")
    (bare / "hooks" / "pre-receive").symlink_to(hook)
    refused(deliver(project, "--to", bare, "--branch", "other"), "was refused by")


def test_agents_are_refused(project: Path, bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed(project)
    monkeypatch.setenv("CLAUDECODE", "1")
    refused(deliver(project, "--to", bare), "Only a person")


@contextmanager
def pull_requests(bare: Path) -> Iterator[Host]:
    """A host of pull requests, made of the branches in a bare repository."""
    made: list[Any] = []

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        if method == "GET":
            return 200, made
        head = git(bare, "rev-parse", body["head"])
        made.append(
            {"html_url": f"https://example.org/pull/{len(made) + 1}", "head": {"sha": head, "ref": body["head"]}}
        )
        return 201, made[-1]

    with host(answer) as there:
        yield there


def test_the_pull_request_is_made_once_and_of_the_delivered_commit(
    project: Path, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed(project)
    monkeypatch.setenv("GH_TOKEN", "t0k3n-of-a-person")
    with pull_requests(bare) as there:
        options = ("--to", bare, "--project", "ann/words", "--api", there.url)
        first, second = deliver(project, *options), deliver(project, *options)
        assert (first.code, second.code) == (0, 0), first.err + second.err
        assert first.document["pull_request"] == second.document["pull_request"] == "https://example.org/pull/1"
        posted = [body for method, _, _, body in there.asked if method == "POST"]
        assert [(each["head"], each["base"]) for each in posted] == [(first.document["branch"], "main")]
        assert "PASS" in posted[0]["body"]
        assert {token for _, _, token, _ in there.asked} == {"Bearer t0k3n-of-a-person"}
        assert "t0k3n" not in first.out + first.err
        there.refuses["POST"] = 403
        third = deliver(project, *options, "--branch", "other")
        refused(third, "was answered 403")
        assert "t0k3n" not in third.err


def test_gh_makes_it_where_there_is_no_token(
    project: Path, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed(project)
    programs = tmp_path / "programs"
    programs.mkdir()
    gh = programs / "gh"
    gh.write_text(
        f"#!{sys.executable}\nimport sys\n"
        f"open({str(tmp_path / 'asked')!r}, 'w').write(repr(sys.argv[1:]) + sys.stdin.read())\n"
        "print('https://github.com/ann/words/pull/9')\n"
    )
    gh.chmod(0o755)
    own = project / "gh"
    own.write_text("#!/bin/sh\necho trapped\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", f"{project}:{programs}:{os.environ['PATH']}")
    answer = deliver(project, "--to", bare, "--project", "ann/words", "--draft")
    assert answer.document["pull_request"] == "https://github.com/ann/words/pull/9"
    asked = (tmp_path / "asked").read_text()
    assert "'--repo', 'ann/words', '--head'" in asked
    assert "'--draft'" in asked
    gh.write_text("#!/bin/sh\necho no login >&2\nexit 4\n")
    refused(deliver(project, "--to", bare, "--project", "ann/words"), "ended with 4: no login")


def test_a_forged_object_does_not_travel(project: Path, bare: Path) -> None:
    """An object file that holds something else than its name says is refused on the way."""
    passed(project)
    blob = git(project, "hash-object", "a.md")
    place = project / ".git" / "objects" / blob[:2] / blob[2:]
    if not place.exists():
        pytest.skip("the object is packed")
    fake = (
        subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=project, input=b"evil\n", capture_output=True, check=True
        )
        .stdout.decode()
        .strip()
    )
    place.chmod(0o644)
    place.write_bytes((project / ".git" / "objects" / fake[:2] / fake[2:]).read_bytes())
    answer = deliver(project, "--to", bare)
    assert answer.code != 0
    assert "evil" not in git(bare, "for-each-ref")
