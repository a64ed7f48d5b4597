"""The door to clients whose output is read while they run."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ralph.errors import StorageError
from ralph.system.lines import Line
from ralph.system.process import Ended, SetAside
from ralph.system.stream import MOST_WAITING, Running, start
from tests.system.commands import PYTHON, command, eventually, living, noted, script


def said(running: Running) -> list[bytes]:
    """Everything the client says until it ends."""
    return [line.data for line in running.lines() if line is not None]


def end_of(running: Running) -> Ended:
    assert running.ended is not None
    return running.ended


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - they are no paths


@pytest.mark.parametrize(
    ("line", "lines", "code", "signal"),
    [
        pytest.param("echo a; echo b", [b"a", b"b"], 0, None, id="lines"),
        pytest.param("printf 'a\\nb'; exit 3", [b"a", b"b"], 3, None, id="last line without its end"),
        pytest.param("kill -9 $$", [], None, "SIGKILL", id="killed"),
        pytest.param("printf '\\0\\377\\n'", [b"\0\xff"], 0, None, id="what is no text"),
        pytest.param("true", [], 0, None, id="nothing to say"),
        pytest.param(("sh", "-c", "echo $0", "an argument"), [b"an argument"], 0, None, id="argv"),
    ],
)
def test_what_it_says_and_how_it_ends(
    tmp_path: Path, line: str | tuple[str, ...], lines: list[bytes], code: int | None, signal: str | None
) -> None:
    with start(command(tmp_path, line)) as running:
        assert said(running) == lines
    ended = end_of(running)
    assert (ended.exit_code, ended.signal, ended.timed_out, ended.stopped, ended.trouble) == (
        code,
        signal,
        False,
        False,
        None,
    )


def test_lines_come_as_they_are_written(tmp_path: Path) -> None:
    with start(command(tmp_path, "echo first; read -r _; echo second"), interactive=True) as running:
        lines = (line for line in running.lines() if line is not None)
        assert next(lines) == Line(b"first")
        assert running.write(b"go\n")
        assert list(lines) == [Line(b"second")]


def test_silence_ticks(tmp_path: Path) -> None:
    began = time.monotonic()
    with start(command(tmp_path, "echo a; sleep 0.5; echo b")) as running:
        found = list(running.lines(0.1))
    most = (time.monotonic() - began) / 0.1
    assert [line for line in found if line] == [Line(b"a"), Line(b"b")]
    assert found[0] == Line(b"a")
    assert 2 <= found.count(None) <= most


def test_dots_without_a_line_end_are_no_line_but_are_received(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with start(command(tmp_path, "printf ...; cat fifo > /dev/null")) as running:
        ticks = iter(running.lines(0.1))
        while running.received < 3:
            assert next(ticks) is None
        (tmp_path / "fifo").write_bytes(b"")
        assert [line for line in ticks if line] == [Line(b"...")]


def test_standard_error_goes_to_the_log(tmp_path: Path) -> None:
    with start(command(tmp_path, "echo out; echo err >&2")) as running:
        assert said(running) == [b"out"]
    assert (tmp_path / "log").read_bytes() == b"err\n"
    assert end_of(running).output == "err\n"


def test_both_may_go_to_the_log(tmp_path: Path) -> None:
    with start(command(tmp_path, "echo out; echo err >&2"), to_log=True) as running:
        assert said(running) == []
    assert end_of(running).output == "out\nerr\n"


def test_input_that_is_given_before(tmp_path: Path) -> None:
    with start(command(tmp_path, "wc -c", stdin=b"x" * 300_000)) as running:
        assert said(running) == [b"300000"]


def test_much_input_and_much_output_at_once(tmp_path: Path) -> None:
    """Neither side may wait for the other forever."""
    with start(command(tmp_path, "cat"), interactive=True) as running:
        assert running.write(b"line\n" * 200_000)
        running.close_input()
        assert len(said(running)) == 200_000


def test_input_that_nobody_takes(tmp_path: Path) -> None:
    with start(command(tmp_path, "sleep 60"), interactive=True) as running:
        began = time.monotonic()
        assert not running.write(b"x" * 1_000_000, timeout_s=0.2)
        assert time.monotonic() - began < 5


def test_input_after_the_end(tmp_path: Path) -> None:
    with start(command(tmp_path, "exec 0<&-; sleep 0.1"), interactive=True) as running:
        assert not running.write(b"x" * 1_000_000)
        assert said(running) == []
        assert not running.write(b"more")


def test_input_to_a_client_that_never_stops_talking(tmp_path: Path) -> None:
    """What it says is kept for the reader, but not without end."""
    with start(command(tmp_path, "yes something that nobody reads"), interactive=True) as running:
        assert not running.write(b"x" * 1_000_000, timeout_s=1.5)
        assert running.received < MOST_WAITING


@pytest.mark.parametrize(
    ("line", "changes", "trouble"),
    [
        pytest.param(("no-such-client",), {}, "no-such-client could not be started: No such file", id="no program"),
        pytest.param("true", {"cwd": Path("/no/such/place")}, "/no/such/place could not be started", id="no folder"),
        pytest.param(("echo", "a\0b"), {}, "Invalid argument", id="NUL in an argument"),
    ],
)
def test_what_cannot_be_started_is_trouble(
    tmp_path: Path, line: str | tuple[str, ...], changes: dict[str, Any], trouble: str
) -> None:
    before = descriptors()
    with start(command(tmp_path, line, **changes), interactive=True) as running:
        assert said(running) == []
    assert trouble in (end_of(running).trouble or "")
    assert descriptors() == before


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="The log"), start(command(tmp_path, "true", log=Path("/proc/no/log"))):
        pass


def test_set_aside_files_are_for_commands(tmp_path: Path) -> None:
    aside = (SetAside(path=tmp_path / "a", collect_to=tmp_path / "b"),)
    with pytest.raises(ValueError, match="sets no files aside"), start(command(tmp_path, "true", set_aside=aside)):
        pass


def test_a_client_that_is_asked_to_stop_takes_its_leave(tmp_path: Path) -> None:
    line = "trap 'echo leaving; exit 9' TERM; echo ready; while :; do sleep 0.05; done"
    with start(command(tmp_path, line)) as running:
        lines = running.lines()
        assert next(lines) == Line(b"ready")
        running.stop()
        running.stop()
        said_last = [each for each in lines if each]
    # A child that the shell has forked, and that is no `sleep` yet, has its trap, too.
    assert said_last in ([Line(b"leaving")], [Line(b"leaving")] * 2)
    assert (end_of(running).exit_code, end_of(running).stopped, end_of(running).trouble) == (9, True, None)


def test_a_client_that_does_not_want_to_stop(tmp_path: Path) -> None:
    with start(command(tmp_path, "trap '' TERM; echo ready; while :; do sleep 0.05; done", grace_s=0.2)) as running:
        lines = running.lines()
        next(lines)
        running.stop()
        assert [each for each in lines if each] == []
    assert (end_of(running).signal, end_of(running).stopped) == ("SIGKILL", True)


def test_another_thread_may_stop_it(tmp_path: Path) -> None:
    with start(command(tmp_path, "sleep 60")) as running:
        threading.Timer(0.1, running.stop).start()
        assert said(running) == []
    assert end_of(running).stopped


def test_leaving_ends_the_client(tmp_path: Path) -> None:
    began = time.monotonic()
    with start(command(tmp_path, script(tmp_path, "note(); time.sleep(60)"))) as running:
        assert eventually(lambda: bool(noted(tmp_path)))
    assert living(noted(tmp_path)) == []
    assert "Ralph was interrupted" in (end_of(running).trouble or "")
    assert time.monotonic() - began < 5


def test_an_error_in_between_ends_the_client(tmp_path: Path) -> None:
    def adapter() -> None:
        with start(
            command(tmp_path, script(tmp_path, "note(); print('no JSON', flush=True); time.sleep(60)"))
        ) as client:
            json.loads(next(line.data for line in client.lines() if line))

    with pytest.raises(ValueError):
        adapter()
    assert living(noted(tmp_path)) == []


def test_an_abandoned_reader_ends_the_client(tmp_path: Path) -> None:
    """An adapter is a generator: closing it has to end the client."""

    def adapter() -> Iterator[Line | None]:
        with start(command(tmp_path, script(tmp_path, "note(); print('ready', flush=True); time.sleep(60)"))) as client:
            yield from client.lines()

    played = adapter()
    assert next(line for line in played if line) == Line(b"ready")
    played.close()  # type: ignore[attr-defined]
    assert living(noted(tmp_path)) == []


def test_time_limit(tmp_path: Path) -> None:
    with start(command(tmp_path, "echo a; sleep 60", timeout_s=0.2)) as running:
        assert said(running) == [b"a"]
    assert end_of(running).timed_out


def test_a_client_that_closes_its_output_and_stays(tmp_path: Path) -> None:
    with start(command(tmp_path, "echo a; exec 1>&-; sleep 0.4; exit 5")) as running:
        found = list(running.lines(0.1))
    assert [line for line in found if line] == [Line(b"a")]
    assert found.count(None) >= 2
    assert end_of(running).exit_code == 5


def test_whoever_keeps_the_output_open_is_not_waited_for(tmp_path: Path) -> None:
    began = time.monotonic()
    with start(command(tmp_path, "setsid sleep 60 & echo a")) as running:
        assert said(running) == [b"a"]
    assert time.monotonic() - began < 5
    assert end_of(running).leftovers == 1


def test_a_stopped_warden_is_woken(tmp_path: Path) -> None:
    with start(command(tmp_path, "kill -STOP $PPID; echo a; exit 5")) as running:
        assert said(running) == [b"a"]
    assert end_of(running).exit_code == 5


def test_stopping_the_warden_and_talking_on_is_no_way_out(tmp_path: Path) -> None:
    """Ralph is kept busy reading, and the one who could end the client sleeps."""
    line = "(sleep 0.2; kill -STOP $PPID) & trap '' TERM; while :; do echo talk; done"
    with start(command(tmp_path, line, grace_s=0.2)) as running:
        began = time.monotonic()
        for _ in running.lines():
            if time.monotonic() - began > 0.4:
                running.stop()
    assert time.monotonic() - began < 10
    assert (end_of(running).signal, end_of(running).stopped) == ("SIGKILL", True)


def test_a_killed_warden_is_no_way_out(tmp_path: Path) -> None:
    body = "detach(); note(); os.kill(int(sys.argv[1]), signal.SIGKILL); print('a', flush=True); time.sleep(60)"
    with start(command(tmp_path, f"{script(tmp_path, body)} $PPID & sleep 60")) as running:
        said(running)
    assert "the process that watches over the command was killed" in (end_of(running).trouble or "")
    assert noted(tmp_path)
    assert living(noted(tmp_path)) == []


def test_a_line_without_an_end_takes_no_memory(tmp_path: Path) -> None:
    body = "import resource\npiece = b'x' * (1 << 20)\nfor _ in range(300): sys.stdout.buffer.write(piece)\nprint()"
    line = f"{script(tmp_path, body)}; echo after"
    with start(command(tmp_path, line), longest_line=1000) as running:
        found = [each for each in running.lines() if each]
    assert found == [Line(b"x" * 1000, (300 << 20) - 1000), Line(b"after")]


def test_many_short_lines(tmp_path: Path) -> None:
    with start(command(tmp_path, (PYTHON, "-c", "print('\\n' * 300_000, end='')"))) as running:
        assert said(running) == [b""] * 300_000


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    before = descriptors()
    for _ in range(3):
        with start(command(tmp_path, "cat"), interactive=True) as running:
            running.write(b"a\n")
    assert descriptors() == before


def test_many_at_once(tmp_path: Path) -> None:
    """A pipe that another client inherited would never end."""
    found: list[list[bytes]] = []

    def talk(number: int) -> None:
        place = tmp_path / str(number)
        place.mkdir()
        with start(command(place, "read -r a; echo $a"), interactive=True) as running:
            running.write(f"{number}\n".encode())
            found.append(said(running))

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [[str(number).encode()] for number in range(8)]
