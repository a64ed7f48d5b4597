"""The real file system, asked: links are followed as the kernel follows them, and doubt is an error."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.permissions.disk import RealFiles, here

FILES = RealFiles()


def test_links_are_followed_as_the_kernel_does(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").touch()
    (tmp_path / "down").symlink_to("a/b")
    (tmp_path / "absolute").symlink_to(tmp_path / "a")
    (tmp_path / "dangling").symlink_to("a/new/x")
    for path in ("down/../b/file", "absolute/b/./file", "down//file", "a/b/../../down/file"):
        assert FILES.resolve(f"{tmp_path}/{path}") == os.path.realpath(tmp_path / "a/b/file"), path
    assert FILES.resolve(f"{tmp_path}/dangling") == f"{tmp_path}/a/new/x"
    assert FILES.resolve(f"{tmp_path}/no/where/../x") == f"{tmp_path}/no/x"
    assert FILES.resolve("/..") == "/"


@given(st.lists(st.sampled_from(["a", "b", "..", ".", "down", "up", "new", ""]), max_size=8))
def test_it_is_what_the_standard_library_says(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    root = tmp_path_factory.getbasetemp() / "resolving"
    if not root.exists():
        (root / "a" / "b").mkdir(parents=True)
        (root / "down").symlink_to("a/b")
        (root / "a" / "up").symlink_to("..")
    path = "/".join([str(root), *names])
    assert FILES.resolve(path) == os.path.realpath(path)


def test_what_cannot_be_vouched_for_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    (tmp_path / "self").symlink_to("/proc/self/cwd")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-pipe").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
        for name in ("one", "two/x", "self", "self/x", "pipe", "to-pipe", "socket", "x" * 300):
            with pytest.raises(OSError):
                FILES.resolve(f"{tmp_path}/{name}")
    with pytest.raises(OSError):
        FILES.resolve("/dev/zero")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user to be kept out")
def test_a_folder_that_may_not_be_entered_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    os.seteuid(65534)
    try:
        with pytest.raises(PermissionError):
            FILES.resolve(f"{tmp_path}/in/x")
    finally:
        os.seteuid(0)


def test_further_questions(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.link(tmp_path / "file", tmp_path / "other")
    (tmp_path / "gone").symlink_to("nowhere")
    assert FILES.links(f"{tmp_path}/file") == 2
    assert FILES.links(f"{tmp_path}/nothing") == 0
    assert FILES.links(f"{tmp_path}/file/x") == 0
    assert FILES.exists(f"{tmp_path}/gone")
    assert not FILES.exists(f"{tmp_path}/nothing")
    assert FILES.is_directory(str(tmp_path))
    assert FILES.matches(f"{tmp_path}/o*") == [f"{tmp_path}/other"]
    assert FILES.program("sh") == os.path.realpath("/bin/sh")
    assert FILES.program("no-such-program") is None


def test_a_place_is_resolved(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert here(tmp_path / "link").root == os.path.realpath(tmp_path / "real")
