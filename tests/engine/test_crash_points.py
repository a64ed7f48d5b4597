"""Killed before each single thing that `verify` does to the file system, one after the other: no moment is unlucky.

A child process counts what Python does to files (an audit hook) and kills itself before the chosen one. The project
has no steps, so that what is met is the engine's own work: exclusion, snapshot, scratch, evidence, ledger, renaming.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
import signal
import sys
import tempfile
from itertools import count
from pathlib import Path

import pytest

from tests.audit.evidence import verdict, words
from tests.engine.wreckage import assert_tidy, fingerprint, whole_runs

SHARDS = 3


def counts(event: str, details: tuple[object, ...]) -> bool:
    """Whether this is a change in which a kill could matter: of marks, temporary names, folders, ledger and refs."""
    if event == "subprocess.Popen":
        return "update-ref" in str(details[1])
    if event == "os.mkdir":
        return not os.path.lexists(str(details[0]))
    if event == "open":
        name = str(details[0])
        return name.endswith((".held", ".tmp")) and not os.path.lexists(name)
    return event in {"os.rename", "os.remove", "os.rmdir", "os.truncate"}


def verify_until(root: Path, environ: dict[str, str], tempdir: str, fatal: int) -> None:
    """In the child: verify, and die before the change with the number `fatal`."""
    os.environ.update(environ)
    tempfile.tempdir = tempdir
    numbers = count()

    def watch(event: str, details: tuple[object, ...]) -> None:
        if counts(event, details) and next(numbers) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    verdict(root, reuse=False)


@pytest.fixture
def children() -> multiprocessing.context.ForkServerContext:
    """A server of child processes that have Ralph loaded. Its socket needs the system's own short temporary folder."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.audit.evidence"])
    multiprocessing.forkserver.ensure_running()
    return context


@pytest.fixture
def root(children: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return words(tmp_path / "repo", a_md="two\n")


@pytest.mark.parametrize("shard", range(SHARDS))
def test_killed_before_every_change(
    children: multiprocessing.context.ForkServerContext, root: Path, shard: int
) -> None:
    untouched, runs = fingerprint(root), set[str]()
    for fatal in count(shard, SHARDS):
        child = children.Process(target=verify_until, args=(root, dict(os.environ), tempfile.gettempdir(), fatal))
        child.start()
        child.join()
        assert child.exitcode in (0, -signal.SIGKILL)
        assert fingerprint(root) == untouched, f"killed before change {fatal}"
        assert whole_runs(root, runs) >= runs, f"killed before change {fatal}"
        verdict(root)
        assert_tidy(root)
        runs = whole_runs(root, runs)
        if child.exitcode == 0:
            break
    assert fatal > 20
    assert whole_runs(root) == runs
