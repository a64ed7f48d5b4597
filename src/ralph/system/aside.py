"""Report files that a command must write anew: what stands there before is moved aside, and put back afterwards.

Rules (design decision 2; crash safety as in design decision 32):

- One directory holds one command's files: `journal.json` (what was asked), `lock` (held as long as somebody is in
  charge, touched every second as a sign of life), `moved` (written before the first move: which paths had a file),
  and the files themselves, named by their number.
- What the file system shows decides, so every function may be called again after a crash at any point: a saved file
  that is still there has not been put back yet.
- What the command wrote goes to the evidence if it is a plain file, else it is kept in the directory.
- A file written after the last sign of life is the user's: it stays, the saved one is kept, and the caller is told.

The warden loads this module for every command that has such files: only cheap imports at the top.
"""

# pathlib takes longer to load than all of the warden:
# ruff: noqa: PTH103, PTH104, PTH106, PTH108, PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import os
import stat

MARK, LOCK, JOURNAL = "moved", "lock", "journal.json"
SIGN_OF_LIFE_S = 1.0
Pair = tuple[str, str]  # path in the user's tree, where a fresh file is collected


def move_away(directory: str, pairs: list[Pair]) -> list[str]:
    """Free every path; returns what now waits. Raises OSError; `put_back` then restores what was moved."""
    had = "".join("1" if os.path.lexists(path) else "0" for path, _ in pairs)
    _write(os.path.join(directory, MARK), had.encode("ascii"))
    for number, (path, _) in enumerate(pairs):
        if had[number] == "1":
            _move(path, _saved(directory, number))
    return [_saved(directory, number) for number in range(len(pairs)) if had[number] == "1"]


def lost(waiting: list[str]) -> list[str]:
    """One sentence for each file that waited and was removed by the command."""
    return [f"the command removed {path}, which Ralph kept for you" for path in waiting if not os.path.lexists(path)]


def put_back(directory: str, pairs: list[Pair], *, alive_until: float | None = None) -> list[str]:
    """Collect what is fresh and restore what stood there before. Returns one sentence for each exception.

    `alive_until` is the last sign of life when this is done after a crash, None when the command has just ended.
    """
    had = _read(os.path.join(directory, MARK))
    notes: list[str] = []
    for number, (path, collect_to) in enumerate(pairs[: len(had)]):
        saved = _saved(directory, number)
        if had[number] == "1" and not os.path.lexists(saved):
            continue  # never moved, or back already: what stands there is the user's
        try:
            note = _put_back(path, collect_to, saved, alive_until)
        except OSError as error:  # the others are put back all the same
            note = f"{path} could not be put back ({error.strerror}); what stood there is kept as {saved}"
        notes += [note] if note else []
    return notes


def _put_back(path: str, collect_to: str, saved: str, alive_until: float | None) -> str | None:
    note = None
    if os.path.lexists(path):
        if alive_until is not None and os.lstat(path).st_mtime > alive_until + 2 * SIGN_OF_LIFE_S:
            return f"{path} was written after Ralph was killed and stays; the earlier one is {saved}"
        note = _collect(path, collect_to, f"{saved}.found")
    if os.path.lexists(saved):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _move(saved, path)
    return note


def sign_of_life(directory: str) -> None:
    os.utime(os.path.join(directory, LOCK))


def clear(directory: str) -> None:
    """Remove the directory if nothing of value is left in it."""
    names = os.listdir(directory)
    if any(name.partition(".")[0].isdigit() for name in names):
        return
    for name in sorted(names, key=lambda name: name == LOCK):  # the lock last: until then somebody is in charge
        os.unlink(os.path.join(directory, name))
    os.rmdir(directory)


def _collect(path: str, collect_to: str, kept: str) -> str | None:
    if stat.S_ISREG(os.lstat(path).st_mode):
        os.makedirs(os.path.dirname(collect_to), exist_ok=True)
        _move(path, collect_to)
        return None
    _move(path, kept)
    return f"the command left something that is no plain file at {path}; it is kept as {kept}"


def _move(source: str, target: str) -> None:
    try:
        os.rename(source, target)
    except OSError as error:
        import errno

        if error.errno != errno.EXDEV or not stat.S_ISREG(os.lstat(source).st_mode):
            raise
        import shutil  # only here: it takes longer to load than the rest of the warden

        shutil.copy2(source, target + ".part")
        os.rename(target + ".part", target)
        os.unlink(source)


def _saved(directory: str, number: int) -> str:
    return os.path.join(directory, str(number))


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("ascii")
    except FileNotFoundError:
        return ""


def _write(path: str, data: bytes) -> None:
    with open(path + ".part", "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path + ".part", path)
