"""Ralph's own files: replaced whole, kept as .bak, never damaged further."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.system import files


def test_write_and_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "state.json"
    files.write_json(path, {"b": 1, "a": ["ü", None]})
    assert files.read_json(path) == {"b": 1, "a": ["ü", None]}
    assert sorted(child.name for child in path.parent.iterdir()) == ["state.json"]


def test_the_previous_version_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for number in range(3):
        files.write_json(path, number)
    assert (files.read_json(path), files.read_json(files.backup_of(path))) == (2, 1)


DAMAGED = {
    "cut": b'{"a": 1',
    "empty": b"",
    "not text": b"\xff\xfe",
    "a key twice": b'{"a": 1, "a": 2}',
    "not JSON": b'{"a": NaN}',
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_damage_is_reported_and_never_overwritten(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(data)
    with pytest.raises(StorageError, match=r"state\.json is damaged and was left as it is"):
        files.read_json(path)
    with pytest.raises(StorageError, match="is damaged"):
        files.write_json(path, {})
    assert path.read_bytes() == data
    assert not files.backup_of(path).exists()


def test_a_good_backup_is_offered_and_survives(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    files.write_json(path, 1)
    files.write_json(path, 2)
    path.write_bytes(b"{")
    with pytest.raises(StorageError, match=r"state\.json\.bak is good: to go on with it, copy it to state\.json"):
        files.write_json(path, 3)
    assert files.read_json(files.backup_of(path)) == 1
    path.unlink()
    with pytest.raises(StorageError, match=r"does not exist; .*\.bak is good"):
        files.read_json(path)


def test_symlinks_are_refused(tmp_path: Path) -> None:
    target, path = tmp_path / "target", tmp_path / "state.json"
    target.write_text("{}")
    path.symlink_to(target)
    for call in (
        lambda: files.write_json(path, 1),
        lambda: files.read_json(path),
        lambda: files.atomic_write(path, b""),
    ):
        with pytest.raises(StorageError, match="symbolic link"):
            call()
    assert target.read_text() == "{}"


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"^.*state\.json cannot be (read|written): not a directory\.$"):
        files.write_json(tmp_path / "file" / "state.json", 1)
    with pytest.raises(StorageError, match="no such file"):
        files.write_json(Path("/proc/no-such-place/state.json"), 1)


def test_a_full_disk_leaves_the_old_content_and_no_rubbish(tmp_path: Path) -> None:
    """A limit to the size of files stands in for the disk: the write fails half way."""
    path = tmp_path / "state.json"
    files.write_json(path, "old")
    code = (
        "import resource, signal, sys; from pathlib import Path; from ralph.system import files;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000));"
        "files.write_json(Path(sys.argv[1]), 'x' * 100000)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert "StorageError" in done.stderr
    assert files.read_json(path) == "old"
    assert not [child for child in tmp_path.iterdir() if child.suffix == ".tmp"]


def test_a_lock_names_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    with (
        files.lock(path),
        pytest.raises(StorageError, match=rf"state\.json is in use by process {os.getpid()} \(waited 0\.05 s\)"),
        files.lock(path, timeout_s=0.05),
    ):
        raise AssertionError("two writers at once")
    with files.lock(path, timeout_s=0):
        pass


COUNT = """
import sys
from pathlib import Path
from ralph.system import files
path = Path(sys.argv[1])
print("up", flush=True)
for _ in range(int(sys.argv[2])):
    with files.lock(path, timeout_s=60):
        value = files.read_json(path)
        value["count"] += 1
        files.write_json(path, value)
"""


def _count(path: Path, times: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", COUNT, str(path), str(times)], stdout=subprocess.PIPE)


def test_no_update_is_lost_between_processes(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    files.write_json(path, {"count": 0})
    writers = [_count(path, 25) for _ in range(4)]
    assert [writer.communicate(timeout=60)[0] for writer in writers] == [b"up\n"] * 4
    assert [writer.returncode for writer in writers] == [0] * 4
    assert files.read_json(path) == {"count": 100}


def test_killed_writers_never_leave_damage(tmp_path: Path) -> None:
    """Many writers, each killed at a random moment: file and .bak are whole after each, and the lock is free."""
    path, random_source = tmp_path / "state.json", random.Random(5)
    files.write_json(path, {"count": 0, "padding": "x" * 200_000})
    before = 0
    for _ in range(25):
        with _count(path, 10_000) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"up\n"  # however long a busy machine takes to start it
            time.sleep(random_source.random() * 0.06)
            writer.send_signal(signal.SIGKILL)
        with files.lock(path, timeout_s=1):
            value = files.read_json(path)
        if files.backup_of(path).exists():
            assert json.loads(files.backup_of(path).read_bytes())["count"] in (value["count"], value["count"] - 1)
        assert value["count"] >= before
        before = value["count"]
    assert before > 0
