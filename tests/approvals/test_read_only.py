"""A disk that cannot be written: what is there is shown, and everything else is one clear error."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.approvals.situation import Situation

PROGRAM = """
import os, sys
from pathlib import Path
from ralph.errors import StorageError
from tests.approvals.situation import Situation
place = Situation(Path(sys.argv[1]))
seen = place.desk.entries()[0].request
os.setgroups([]); os.setgid(65534); os.setuid(65534)
print(place.desk.entries()[0].status)
for act in (lambda: place.ask(session="s2"), lambda: place.desk.answer(seen, "approved", reason="x")):
    try:
        act()
    except StorageError as error:
        print(error)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_nothing_can_be_written(place: Situation) -> None:
    place.ask()
    for path in [*place.folder.iterdir(), place.folder, *place.folder.parents]:
        if path.parent.parent != path.parent:
            path.chmod(0o755 if path.is_dir() else 0o644)
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(place.root)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    status, *errors = done.stdout.splitlines()
    assert status == "open"
    assert len(errors) == 2
    assert all("permission is denied" in line for line in errors)
