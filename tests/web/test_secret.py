"""Where the token lies, and that nothing leads back to it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.system.places import config_home
from ralph.web.secret import Secret, keep, token_file


def test_it_is_for_its_owner_alone_and_outside_of_the_project(tmp_path: Path) -> None:
    os.umask(0)
    try:
        path = keep(secret := Secret(), tmp_path)
    finally:
        os.umask(0o022)
    assert path == token_file(tmp_path)
    assert path.read_text() == secret.token + "\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.is_relative_to(tmp_path)
    assert path.is_relative_to(config_home())  # which the sandbox hides


def test_it_is_not_kept_where_an_agent_could_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with pytest.raises(StorageError, match="inside the repository"):
        keep(Secret(), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_link_at_its_place_leads_nowhere(tmp_path: Path) -> None:
    place = token_file(tmp_path)
    place.parent.mkdir(parents=True)
    (victim := tmp_path / "victim").write_text("as it was")
    place.symlink_to(victim)
    keep(Secret(), tmp_path)
    assert victim.read_text() == "as it was"
    assert not place.is_symlink()


def test_every_start_has_another(tmp_path: Path) -> None:
    one, other = Secret(), Secret()
    for what in ("token", "session", "form", "place"):
        assert getattr(one, what) != getattr(other, what)


def test_nothing_that_is_shown_is_the_token() -> None:
    secret = Secret()
    derived = {secret.session, secret.form, secret.place}
    assert len(derived) == 3
    assert all(secret.token not in each for each in derived)
    assert secret.token not in repr(secret)


def test_only_itself_opens() -> None:
    secret = Secret("right")
    assert secret.opens("right")
    assert not any(secret.opens(each) for each in ("", "righ", "right ", "Right", "\udcff"))
