"""Folders of tests that pytest takes for a virtual environment, in which it looks for none (class G04).

    tests/integration/pyvenv.cfg        tests/integration/conda-meta/history

Rule: such a file arrives, empty or not, in a folder that holds tests of the base, and no command of the project says
`--collect-in-virtualenv`. It blocks. A folder whose tests all arrive with the file is an environment.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.python.layout import TEST_FILE
from ralph.system.patterns import later

MARKS = later(r"(?:^|/)(?:pyvenv\.cfg|conda-meta/history)$")
COMMANDS = later(r"(?:^|/)(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|[^/]+\.(?:sh|ya?ml|toml|cfg|ini|json)|noxfile\.py)$")
COLLECTS = b"collect-in-virtualenv"
MOST_FILES = 1_000


def virtual_folders(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "D" or not MARKS.search(file.path) or file.path in change.blobs.paths_before():
            continue
        folder = posixpath.dirname(file.path.replace("conda-meta/history", "history"))
        after = change.blobs.paths_after()
        lost = sorted(
            path
            for path in change.blobs.paths_before() & after
            if TEST_FILE.search(path) and (not folder or path.startswith(f"{folder}/"))
        )
        if lost and not _collects(change):
            detail = f"pytest takes {folder or 'the project'} for a virtual environment: {lost[0]} is not collected"
            yield hit_at("test.not-run", file.path, 1, detail, lost[0])


def _collects(change: Change) -> bool:
    paths = sorted(path for path in change.blobs.paths_after() if COMMANDS.search(path))[:MOST_FILES]
    return any(COLLECTS in (change.blobs.after(path) or b"") for path in paths)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (virtual_folders,)
