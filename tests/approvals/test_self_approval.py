"""An agent inside the sandbox tries to approve what it asked for itself: by shell, by files, by Ralph's own command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import ralph
from ralph.approvals.model import Decision, Status
from ralph.approvals.wire import encode
from ralph.audit.keys import signing_key
from ralph.errors import ApprovalError, RalphError
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.walls import walls_for_steps
from ralph.system import clock
from ralph.system.places import config_home
from ralph.system.process import Command, Ended
from tests.approvals.situation import Situation
from tests.project import repository

ATTEMPTS = {
    "Ralph's own command": "{python} -m ralph approvals approve {id} --reason 'I may'",
    "the same, without marks": "env -u RALPH_SANDBOX {python} -m ralph approvals approve {id} --reason 'I may'",
    "the same, with a key of its own": (
        "mkdir mine; env -u RALPH_SANDBOX XDG_CONFIG_HOME=$PWD/mine {python} -m ralph approvals approve {id} --reason x"
    ),
    "an answer as a file": "echo '{{}}' > .ralph/approvals/{id}.answer.json",
    "another text for the request": "sed -i s/left-pad/evil-pad/ .ralph/approvals/{id}.request.json",
    "the queue moved away": "mv .ralph .away && mkdir -p .ralph/approvals",
    "a link in place of the queue": "rm -rf .ralph; ln -s /tmp .ralph",
    "the person's key": "cat {keys}/*.pem",
    "a key for the person to trust": "mkdir -p {keys}/trusted && echo x > {keys}/trusted/mine.pub && ls {keys}/trusted",
    "the log of decisions": "mkdir -p state && echo '{{}}' >> state/learning.jsonl",
}


def confined(place: Situation, line: str, level: Level) -> Ended:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": os.environ["HOME"],
        "XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"],
        "PYTHONPATH": str(Path(ralph.__file__).parents[1]),
        "RALPH_SANDBOX": str(level),
    }
    readable = [Path(each) for each in (sys.base_prefix, sys.prefix)]
    walls = walls_for_steps(place.root, environment, readable=readable)
    command = Command(line=line, cwd=place.root, env={}, log=place.root.parent / "log", timeout_s=60.0)
    return run_confined(command, walls, level)


@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.LANDLOCK])
@pytest.mark.parametrize("name", ATTEMPTS)
def test_it_cannot(tmp_path: Path, name: str, level: Level) -> None:
    place = Situation(repository(tmp_path / "project", {"a.md": "one\n"}))
    place.clock.time = clock.now()
    request = place.ask()
    secret = signing_key(place.root)
    keys = config_home() / "keys"
    trusted = set(keys.rglob("*.pub"))

    line = ATTEMPTS[name].format(python=sys.executable, id=request.id, keys=keys)
    try:
        ended = confined(place, line, level)
    except RalphError as error:
        pytest.skip(f"this machine has no {level}: {error}")

    log = (place.root.parent / "log").read_text()
    assert "PRIVATE KEY" not in log, log
    assert ended.exit_code != 0 or name == "a key for the person to trust", log
    assert place.entry(request).status is Status.OPEN
    assert place.file(request, "request").read_bytes() == encode(request)
    assert not (place.root / "state" / "learning.jsonl").exists()
    assert set(keys.rglob("*.pub")) == trusted
    with pytest.raises(ApprovalError, match="is not approved"):
        place.queue.consume(request)
    assert place.decide(request).decision is Decision.APPROVED
    assert place.entry(request).answer is not None
    assert secret.public.keyid == place.queue.consume(request).keyid
