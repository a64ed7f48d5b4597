"""What a `ralph verify` that was killed or interrupted may leave behind, looked at from outside."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

from ralph.audit.check import check
from ralph.audit.keys import trusted_keys
from ralph.audit.store import AuditStore
from ralph.system.git import open_repository
from ralph.system.hold import take_over
from ralph.system.places import audit_dir, shadow_dir
from tests.project import git, repository, write

CONTEXT = """
project: {name: slow, path: ., language: other}
commands:
  lint: "bash tools/lint.sh"
  typecheck: "bash tools/types.sh"
  test: "bash tools/test.sh"
  coverage: "bash tools/coverage.sh"
paths: {source: [src/], coverage_report: coverage.json, test_report: report.xml}
autonomy_level: L2
"""

LINES = {"lines": {"total": 10, "covered": 9}}
FILES = {
    "ralph-context.yaml": CONTEXT,
    "src/a.txt": "one\n",
    ".gitignore": "coverage.json\n",
    "report.xml": "<the report that the user keeps under version control/>\n",
    "tools/lint.sh": "setsid sleep 600 &\nsleep 0.15\n",
    "tools/types.sh": "(setsid bash -c 'trap \"\" TERM; sleep 600; sleep 600' > /dev/null 2>&1 &)\nsleep 0.1\n",
    "tools/test.sh": "sleep 0.2\n"
    'echo \'<testsuite><testcase classname="a" name="b"/></testsuite>\' > report.xml\nsleep 0.1\n',
    "tools/coverage.sh": "sleep 600 &\nsleep 0.1\n"
    f"echo '{json.dumps({'total': LINES, 'src/a.txt': LINES})}' > coverage.json\nsleep 0.1\n",
}


def slow_project(root: Path) -> Path:
    """A project whose steps sleep, leave children behind and write reports where the user has some already."""
    repository(root, FILES)
    git(root, "tag", "v1")
    write(root, {"src/a.txt": "one\ntwo\n", "src/new.txt": "untracked\n", "coverage.json": "the user's own\n"})
    git(root, "add", "src/a.txt")
    return root


def fingerprint(root: Path) -> dict[str, str]:
    """The user's files with their times, the index, HEAD, branches and tags."""
    found = {"refs": git(root, "for-each-ref", "refs/heads", "refs/tags"), "HEAD": (root / ".git/HEAD").read_text()}
    for path in [root / ".git/index", root / ".git/config", *sorted(root.rglob("*"))]:
        inside = path.relative_to(root).parts
        if path.is_file() and (inside[0] not in (".git", ".ralph") or path.name in ("index", "config")):
            state = path.stat()
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found["/".join(inside)] = f"{digest} {state.st_mtime_ns} {state.st_mode:o}"
    return found


def living(place: Path) -> list[str]:
    """Processes that speak of `place` in their arguments or environment, or work in it; but not this one."""
    found = []
    for row in Path("/proc").iterdir():
        if not row.name.isdigit() or int(row.name) == os.getpid():
            continue
        try:
            said = (row / "cmdline").read_bytes() + b"\n" + (row / "environ").read_bytes()
            if os.fsencode(place) in said or (row / "cwd").readlink().is_relative_to(place):
                found.append(f"{row.name}: {(row / 'cmdline').read_bytes()!r}")
        except OSError:
            continue  # it has ended meanwhile
    return found


def wait_until_quiet(place: Path, limit_s: float = 5.0) -> None:
    deadline = time.monotonic() + limit_s
    while rows := living(place):
        assert time.monotonic() < deadline, rows
        time.sleep(0.02)


def whole_runs(root: Path, known: Collection[str] = ()) -> set[str]:
    """The runs that are listed, of which each must hold, but for the `known` ones that were looked at already."""
    store, repo = AuditStore(audit_dir(root)), open_repository(root)
    runs = set(store.runs())
    for run_id in runs.difference(known):
        assert check(store, run_id, trusted_keys(), repo).problems == ()
    return runs


def assert_tidy(root: Path) -> None:
    """Nothing of a run that came to no end is left: in the audit directory, aside, among scratch folders and refs."""
    store = AuditStore(audit_dir(root))
    assert [path.name for path in audit_dir(root).glob(".*")] in ([], [".store.lock"])
    assert list((root / ".ralph" / "aside").glob("*")) == []
    for folder in (Path(tempfile.gettempdir()) / f"ralph-{os.getuid()}", shadow_dir(root)):
        marks = [mark for mark in folder.glob("*.held") if take_over(mark.with_suffix("")) is not None]
        assert marks == [], "nobody holds these any more"
        unmarked = [path for path in folder.glob("*-*") if path.is_dir() and not Path(f"{path}.held").exists()]
        assert unmarked == []
    refs = git(root, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/ralph/").split()
    assert sorted(refs) == store.runs()
    assert len(git(root, "worktree", "list").splitlines()) == 1


def environment(place: Path) -> dict[str, str]:
    """The environment of a `ralph` whose processes are found by `place`."""
    (place / "tmp").mkdir(exist_ok=True)
    return {**os.environ, "TMPDIR": str(place / "tmp"), "RALPH_TEST_PLACE": str(place)}


def start(command: list[str], place: Path) -> subprocess.Popen[bytes]:
    """`ralph` as a user starts it, with its words in `place/said`."""
    with (place / "said").open("wb") as said:
        return subprocess.Popen(
            command, env=environment(place), stdout=said, stderr=said, stdin=subprocess.DEVNULL, start_new_session=True
        )
