"""What comes from outside: addresses, repositories, environments, and what the engine below would read."""

from __future__ import annotations

import base64
import os
import pickle
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError, RepositoryError, StorageError, UsageError
from ralph.fleet import address, fetching, home, job, parts, requests
from ralph.fleet.checkout import borrowed
from ralph.fleet.queue import QueueFleet
from ralph.fleet.verifying import verify
from tests.fleet.stage import CHEAP, Stage, eventually
from tests.project import commit, git, repository


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("sqlite:////var/q.db", "sqlite:////var/q.db"),
        ("postgresql://ann@db/q", "postgresql://ann@db/q"),
        ("postgres://ann:pw@db:5432/q?sslmode=require", "postgresql://ann:pw@db:5432/q?sslmode=require"),
        ("sqlite:///relative.db", None),
        ("sqlite:////a.db?mode=memory", None),
        ("mysql://ann@db/q", None),
        ("postgresql://db", None),
        ("postgresql://db:port/q", None),
        ("queue.db", None),
        ("", None),
    ],
)
def test_addresses_of_queues(given: str, taken: str | None) -> None:
    if taken is None:
        with pytest.raises(UsageError):
            address.checked(given)
    else:
        assert address.checked(given) == taken


def test_what_is_given_counts_before_what_is_set_before_what_is_written() -> None:
    option, variable, written = (f"sqlite:////{name}.db" for name in "abc")
    environ = {"RALPH_QUEUE": variable}
    assert address.chosen(option, environ, written) == option
    assert address.chosen(None, environ, written) == variable
    assert address.chosen(None, {}, written) == written
    assert address.chosen(None, {}, None) is None


@given(st.text(st.characters(codec="utf-8"), min_size=6))
def test_no_secret_is_shown(password: str) -> None:
    from urllib.parse import quote

    shown = address.shown(f"postgresql://ann:{quote('s3cr3t' + password, safe='')}@db/q?password=s3cr3t")
    assert "s3cr3t" not in shown
    assert shown == "postgresql://ann@db/q"


def test_a_file_of_the_project_holds_no_password() -> None:
    for written in ("postgresql://ann:topsecret@db/q", "postgresql://ann@db/q?password=topsecret"):
        with pytest.raises(ConfigError, match="holds a secret") as caught:
            address.chosen(None, {}, written)
        assert "topsecret" not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        "ext::sh -c touch% /tmp/x",
        "ext://x",
        "-u./x",
        "--upload-pack=x",
        "https://ann:pw@host/r.git",
        "https://token@host/r.git",
        "ssh://ann:pw@host/r.git",
        "a\nb",
        "",
        "fd://7",
    ],
)
def test_repositories_that_are_not_fetched_from(given: str, tmp_path: Path) -> None:
    with pytest.raises((UsageError, RepositoryError)):
        requests.verification(given, "HEAD") if "::" in given else fetching.address(given, tmp_path)


def test_repositories_that_are(tmp_path: Path) -> None:
    for each in ("https://host/r.git", "ssh://git@host/r.git", "git@host:group/r.git", "file:///r"):
        assert fetching.address(each, tmp_path) == each
    assert fetching.address("r", tmp_path) == str((tmp_path / "r").resolve())


def test_a_copy_holds_the_files_of_the_commit_and_no_others(tmp_path: Path) -> None:
    marker = tmp_path / "a hook ran"
    root = repository(tmp_path / "p", {"a.txt": "one\n", ".gitattributes": "*.txt filter=evil\n", "link": "x"})
    git(root, "config", "filter.evil.smudge", f"touch '{marker}'")
    (root / ".git/hooks/post-checkout").write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    (root / ".git/hooks/post-checkout").chmod(0o755)
    first = git(root, "rev-parse", "HEAD")
    second = commit(root, {"a.txt": "two\n", "link": None, ".gitignore": "cache/\n"})
    here = home.opened(tmp_path / "home")
    fetching.fetch(here.mirror(str(root)), str(root), [first, second])
    with borrowed(here, str(root), second) as copy:
        (copy.root / "cache").mkdir()
        (copy.root / "cache" / "left.txt").write_text("of an earlier job")
        (copy.root / ".ralph").mkdir()
        with borrowed(here, str(root), first) as other:
            assert other.root != copy.root, "what is in use is nobody else's"
    with borrowed(here, str(root), first) as copy:
        assert sorted(path.name for path in copy.root.iterdir()) == [
            ".git",
            ".gitattributes",
            ".ralph",
            "a.txt",
            "link",
        ]
        assert (copy.root / "a.txt").read_text() == "one\n"
        assert (copy.head(), copy.branch()) == (first, None)
        assert git(copy.root, "status", "--porcelain", "--untracked-files=all") == ""
    assert not marker.exists()


def test_a_commit_that_brings_records_of_ralph_is_not_judged(tmp_path: Path) -> None:
    root = repository(tmp_path / "p", {"a.txt": "one\n", ".ralph/audit/ledger.jsonl": "{}\n"})
    here, head = home.opened(tmp_path / "home"), git(root, "rev-parse", "HEAD")
    fetching.fetch(here.mirror(str(root)), str(root), [head])
    with pytest.raises(StorageError, match="Ralph's own"), borrowed(here, str(root), head):
        pass


def test_a_commit_that_is_nowhere_is_one_sentence(tmp_path: Path) -> None:
    root = repository(tmp_path / "p", {"a.txt": "one\n"})
    with pytest.raises(RepositoryError, match="cannot be fetched from"):
        fetching.fetch(home.opened(tmp_path / "home").mirror(str(root)), str(root), ["1" * 40])
    with pytest.raises(RepositoryError, match="cannot be fetched from"):
        fetching.names(f"file://{tmp_path}/nothing")


def test_the_names_of_an_address_become_commits(tmp_path: Path) -> None:
    root = repository(tmp_path / "p", CHEAP)
    first = git(root, "rev-parse", "HEAD")
    git(root, "tag", "-a", "v1", "-m", "one")
    git(root, "checkout", "-q", "-b", "work")
    second = commit(root, {"src/b.txt": "two\n"})
    far = f"file://{root}"
    assert requests.verification(far, "work", base="v1").base == first
    assert requests.verification(far, "main").commit == first
    assert requests.verification(far, second).commit == second
    here = requests.verification(str(root), "HEAD")
    assert (here.commit, here.onto) == (second, first)
    with pytest.raises(UsageError, match="knows no 'nothing'"):
        requests.verification(far, "nothing")


def test_what_a_job_runs_does_not_know_the_queue() -> None:
    known = {"RALPH_QUEUE": "postgresql://ann:pw@db/q", "PGPASSWORD": "pw", "PGPASSFILE": "f", "DBOS_X": "1", "A": "b"}
    assert job.environment(known) == {"A": "b"}


def test_a_job_loads_nothing_that_queues_stand_on() -> None:
    """It would take longer to load than a small verification takes, and without a queue it need not be there."""
    asked = "import sys, ralph.fleet.job, ralph.fleet.verifying, ralph.fleet.running; print(*sys.modules)"
    line = [sys.executable, "-c", asked]
    loaded = subprocess.run(line, cwd="/", capture_output=True, text=True, check=True).stdout.split()
    assert "ralph.fleet.verifying" in loaded
    assert {"sqlalchemy", "dbos", "psycopg"}.isdisjoint(loaded)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"ralph": "0.0.1"}, "is for Ralph 0.0.1, and this worker is"),
        ({"policy_digest": "0" * 64}, "policy set v1 is another one here"),
        ({"contract": "bugfix", "contract_digest": "0" * 64}, "contract 'bugfix' is another one here"),
    ],
)
def test_a_worker_with_other_rules_refuses_the_job(other: dict[str, Any], why: str, tmp_path: Path) -> None:
    work = requests.verification(str(repository(tmp_path / "p", CHEAP)), "HEAD", policy="v1")
    with pytest.raises(ConfigError, match=why):
        verify(home.opened(tmp_path / "home"), replace(work, **other), os.environ)


AWAY = "postgresql://ann:topsecret@127.0.0.1:1/q"


class Planted:
    """Runs something when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.mark),)


def test_a_pickle_in_the_queue_is_never_read(tmp_path: Path) -> None:
    stage = Stage(tmp_path, f"sqlite:///{tmp_path}/queue.db")
    root = stage.project("p")
    found = stage.ralph("submit", "verify", "--repo", str(root))
    planted = base64.b64encode(pickle.dumps(Planted(tmp_path / "planted"))).decode()
    engine = sa.create_engine(stage.queue)
    with engine.begin() as connection:
        rows = connection.execute(
            sa.text("select * from workflow_status join workflow_input using (workflow_uuid)")
        ).mappings()
        written = [(row["workflow_uuid"], row["serialization"]) for row in rows]
        assert written == [(f"{found['id']}.0.0", "portable_json")]
        assert connection.execute(sa.text("select inputs from workflow_input")).scalar_one().startswith("{")
        connection.execute(sa.text("update workflow_status set serialization = 'py_pickle'"))
        connection.execute(sa.text("update workflow_input set inputs = :planted"), {"planted": planted})
    engine.dispose()
    fleet = QueueFleet(stage.queue)
    read = fleet.client.list_workflows()
    fleet.close()
    assert read[0].input is None or "Planted" not in repr(read[0].input)
    later = stage.ralph("submit", "verify", "--repo", str(root), "--fresh")["id"]
    with closing(stage):
        stage.start(1)
        eventually(lambda: stage.show(later)["state"] == "done", "the job behind it is done")
        assert stage.show(found["id"])["state"] == "queued"
    assert not (tmp_path / "planted").exists()


def test_what_submits_runs_nothing(tmp_path: Path) -> None:
    stage = Stage(tmp_path, f"sqlite:///{tmp_path}/queue.db")
    root = stage.project("p")
    first = stage.ralph("submit", "verify", "--repo", str(root))
    fleet = QueueFleet(stage.queue)
    assert (fleet.find(first["id"][:8]).state, fleet.workers()) == ("queued", [])
    status = fleet.client.retrieve_workflow(f"{first['id']}.0.0").get_status()
    fleet.client.cancel_workflow(f"{first['id']}.0.0")
    assert (fleet.forget(3600), fleet.forget(-60), fleet.forget(-60)) == (0, 1, 0)
    assert fleet.find(first["id"]).state == "queued", "our own records stay"
    fleet.close()
    assert (status.status, status.queue_name, status.app_version) == ("ENQUEUED", parts.WORK, parts.VERSION)


def test_without_a_queue_it_is_done_here_and_now(tmp_path: Path) -> None:
    stage = Stage(tmp_path, "")
    root = stage.project("p")
    _, base = stage.change(root, 1)
    done = stage.ralph("submit", "verify", "--repo", str(root), "--base", base)
    assert (done["state"], done["outcome"]) == ("done", "PASS")
    assert "There is no queue here yet" in stage.ralph("queue", "list", code=3)
    assert not address.default_file().exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("submit", "verify", "--queue", "mysql://x"),
        ("submit", "verify", "--repo", "/nowhere"),
        ("submit", "verify", "--commit", "none"),
        ("submit", "run", "x", "--contract", "none"),
        ("queue", "show", "none"),
        ("queue", "answer", "none", "suggest"),
        ("worker", "--queue", "queue.db"),
        ("worker", "--queue", AWAY),
        ("queue", "list", "--queue", AWAY),
        ("submit", "verify", "--queue", AWAY),
        ("worker", "--queue", "postgresql://ann:topsecret@nowhere.invalid/q"),
        ("worker", "--queue", "sqlite:////proc/none/queue.db"),
        ("worker", "--queue", "sqlite:////proc"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], tmp_path: Path) -> None:
    stage = Stage(tmp_path, "")
    stage.project("p")
    line = [sys.executable, "-m", "ralph", *arguments, "-C", str(tmp_path / "p")]
    done = subprocess.run(line, env=stage.env, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (3, "")
    *said, last = done.stderr.splitlines()
    assert last.startswith("ralph: "), done.stderr
    assert [line[:7] for line in said] in ([], ["Queue: "]), done.stderr
    assert "topsecret" not in done.stderr


def test_a_missing_extra_is_one_sentence(tmp_path: Path) -> None:
    for package in ("dbos", "sqlalchemy"):
        (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "RALPH_QUEUE": f"sqlite:///{tmp_path}/q.db"}
    for arguments in (["worker"], ["queue", "list"]):
        line = [sys.executable, "-m", "ralph", *arguments, "-C", str(tmp_path)]
        done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 3
        assert "pip install 'ralph-governance[fleet]'" in done.stderr
        assert done.stderr.count("\n") == 1


def test_an_agent_answers_nothing(tmp_path: Path) -> None:
    stage = Stage(tmp_path, f"sqlite:///{tmp_path}/queue.db")
    env = {**stage.env, "CLAUDECODE": "1"}
    line = [sys.executable, "-m", "ralph", "queue", "answer", "x", "approve", "-C", str(tmp_path)]
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Only a person may decide" in done.stderr
