"""A run at work is told as it goes, is never held up, and what nobody took is sent later."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from ralph.loop.control import hold
from ralph.loop.inputs import Controlled
from ralph.loop.journal import Journal
from ralph.loop.runner import Runner
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.notify.outbox import Outbox
from ralph.notify.watch import watched
from tests.cli.command import ralph, refused
from tests.cli.runs import BEGUN, begin, happened
from tests.loop.workshop import TASK, Workshop, claim, scripted
from tests.notify.receiver import receiver
from tests.notify.test_sending import ENV, SECRET
from tests.project import git, repository

YML = "notify:\n  ops:\n    webhook: {url}\n    secret: env:S\n"


class Watched(Workshop):
    """A workshop whose runs are watched."""

    last_s = 5.0

    def _run(self, site: Site, found: Journal) -> State:
        with hold(site.root, found.state.run) as alive:
            runner = Runner(site=site, journal=found, alive=alive)
            with watched(runner, ENV, last_s=self.last_s):
                return runner.run()


def shop(tmp_path: Path, url: str) -> Watched:
    root = repository(tmp_path / "project", {"ralph.yml": YML.format(url=url), "a.md": "one\n"})
    made = Watched(root, scripted(claim("build.done", "tests: pass, lint: pass, typecheck: pass, audit: pass")))
    made.plan(TASK)
    return made


def test_the_end_of_a_run_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S", SECRET)
    with receiver(500) as there:
        made = shop(tmp_path, there.url)
        state = made.begin()
        assert len(there.heard) >= 1
        assert ralph("notify", "flush", "-C", made.root).code == 0
        told = [json.loads(body) for _, body in there.taken]
        assert [(each["type"], each["data"]["end"]) for each in told if each["type"] == "ralph.ended"] == [
            ("ralph.ended", state.end)
        ]
        assert len(set(there.ids())) == len(there.ids())
        again = ralph("notify", "flush", "-C", made.root, "--json")
        assert (again.code, again.document) == (0, {"sent": 0, "left": 0, "problems": []})


def test_a_receiver_that_hangs_holds_up_no_run_and_gets_it_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("S", SECRET)
    with receiver() as there:
        there.hang = threading.Event()
        made = shop(tmp_path, there.url)
        made.last_s = 0.2
        began = time.monotonic()
        made.begin()
        assert time.monotonic() - began < 15
        assert there.taken == []
        there.hang.set()
        deadline = time.monotonic() + 120
        while Outbox(made.root).queue()[0] and time.monotonic() < deadline:
            ralph("notify", "flush", "-C", made.root)
        assert len(there.ids()) == len(set(there.ids())) >= 1


def test_what_a_kill_left_untold_is_told_by_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S", SECRET)
    with receiver() as there:
        root = repository(tmp_path / "project", {"ralph.yml": YML.format(url=there.url)})
        happened(begin(root, BEGUN), Controlled(do="stop"))  # and nobody watched
        first = ralph("notify", "flush", "-C", root, "--json")
        assert (first.code, first.document["sent"]) == (0, 1)
        assert ralph("notify", "flush", "-C", root, "--json").document["sent"] == 0
        assert len(there.ids()) == 1
        rows = ralph("notify", "list", "-C", root, "--json").document["messages"]
        assert [(row["state"], row["event"]) for row in rows] == [("sent", "ended")]
        assert "sent" in ralph("notify", "list", "-C", root).out


def test_the_working_copys_own_targets_count_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S", SECRET)
    with receiver() as there:
        root = repository(tmp_path / "project", {"a.md": "one\n"})
        (root / "ralph.yml").write_text(YML.format(url=there.url))
        refused(ralph("notify", "test", "-C", root), "names none")
        git(root, "add", "ralph.yml")
        git(root, "commit", "-qm", "tell")
        assert ralph("notify", "test", "-C", root).out == "ops: taken\n"
        assert ralph("notify", "test", "-C", root, "--json").document["targets"] == {"ops": None}
        assert json.loads(there.taken[0][1])["data"]["test"] is True
        there.refusals.append(503)
        assert ralph("notify", "test", "ops", "-C", root).code == 1
        refused(ralph("notify", "test", "nobody", "-C", root), "no target 'nobody'")
        monkeypatch.setenv("RALPH_AGENT", "1")
        refused(ralph("notify", "flush", "-C", root), "Only a person")
        monkeypatch.delenv("RALPH_AGENT")
        monkeypatch.delenv("S")
        assert "The variable S is not set" in ralph("notify", "test", "-C", root).out
