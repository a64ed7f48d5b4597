"""The specifications of a project, as they lie on the disk: nothing is followed, nothing is left out silently."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph.loop.phases import spec_files
from ralph.loop.phases.check import discovery_complete
from ralph.loop.phases.spec_files import load_specs
from tests.loop.phases.samples import AUTHENTICATION, spec_text


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "authentication.md").write_text(AUTHENTICATION)
    return tmp_path / "specs"


def test_every_page_below_the_folder_in_order(specs: Path) -> None:
    (specs / "billing").mkdir()
    (specs / "billing" / "totals.MD").write_text(spec_text())
    (specs / "sketch.txt").write_text("no page")
    found = load_specs(specs.parent)
    assert [spec.path for spec in found] == ["specs/authentication.md", "specs/billing/totals.MD"]
    assert discovery_complete(found).complete


def test_no_folder_is_no_specification(tmp_path: Path) -> None:
    assert load_specs(tmp_path) == ()
    (tmp_path / "specs").write_text("a file")
    assert load_specs(tmp_path) == ()


def _link(specs: Path) -> None:
    (specs.parent / "secret.md").write_text(AUTHENTICATION)
    (specs / "b.md").symlink_to("../secret.md")


def _linked_folder(specs: Path) -> None:
    (specs.parent / "elsewhere").mkdir()
    (specs.parent / "elsewhere" / "b.md").write_text(AUTHENTICATION)
    (specs / "b").symlink_to("../elsewhere")


def _not_text(specs: Path) -> None:
    (specs / "b.md").write_bytes(AUTHENTICATION.encode("utf-16"))


def _huge(specs: Path) -> None:
    (specs / "b.md").write_text(AUTHENTICATION + "x" * spec_files.LARGEST)


UNREADABLE = {
    "a link": _link,
    "a folder that is a link": _linked_folder,
    "a pipe": lambda specs: os.mkfifo(specs / "b.md"),
    "no UTF-8": _not_text,
    "too large": _huge,
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_keeps_discovery_open(specs: Path, case: str) -> None:
    UNREADABLE[case](specs)
    found = load_specs(specs.parent)
    assert len(found) == 2
    assert found[1].problems[0].startswith("it cannot be read: ")
    assert not discovery_complete(found).complete


def test_the_folder_itself_may_be_no_link(specs: Path) -> None:
    specs.rename(specs.parent / "real")
    specs.symlink_to("real")
    assert [spec.problems != () for spec in load_specs(specs.parent)] == [True]
