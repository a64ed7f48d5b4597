"""A ticket is used once, by who has it first, and cannot be made by anybody but the hook."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ralph.hook.model import RefusedError
from ralph.hook.tickets import Ticket, folder, issue, new_id, take
from ralph.record import replace


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def ticket(tmp_path: Path) -> Ticket:
    root = tmp_path / "project"
    root.mkdir()
    return Ticket(
        id=new_id(),
        root=str(root),
        command="printf '%s\\n' é",
        cwd=str(root),
        policy="d" * 64,
        rule="commands.allow: printf",
        session="s",
        client="claude",
        made_at=1000.0,
        expires_at=1120.0,
        classes=("destructive_ops",),
    )


def test_it_holds_what_was_judged_and_is_gone_after_use(ticket: Ticket) -> None:
    place = issue(ticket)
    assert take(place, 1001.0) == ticket
    assert list(place.parent.iterdir()) == []
    with pytest.raises(RefusedError, match="used"):
        take(place, 1001.0)


def test_of_many_at_once_one_gets_it(ticket: Ticket) -> None:
    place = issue(ticket)

    def attempt(_: int) -> bool:
        try:
            take(place, 1001.0)
        except RefusedError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(attempt, range(64))) == 1


@pytest.mark.parametrize("now", [999.0, 1120.0, 9e9])
def test_it_expires(ticket: Ticket, now: float) -> None:
    with pytest.raises(RefusedError, match="expired"):
        take(issue(ticket), now)


def test_a_changed_ticket_is_void(ticket: Ticket) -> None:
    place = issue(ticket)
    place.write_bytes(place.read_bytes().replace(b"printf", b"git pu"))
    with pytest.raises(RefusedError, match="not made by Ralph"):
        take(place, 1001.0)
    assert not place.exists()


def test_a_ticket_that_somebody_wrote_is_void(ticket: Ticket) -> None:
    place = issue(ticket)
    forged = place.with_name("forged.json")
    forged.write_text("0" * 64 + "\n" + json.dumps({"command": "git push"}))
    with pytest.raises(RefusedError, match="not made by Ralph"):
        take(forged, 1001.0)


def test_a_ticket_of_another_project_is_void(ticket: Ticket, tmp_path: Path) -> None:
    place = issue(ticket)
    other = folder(tmp_path / "other")
    other.mkdir(parents=True)
    moved = place.rename(other / place.name)
    with pytest.raises(RefusedError, match="another place"):
        take(moved, 1001.0)


def test_a_copy_is_void(ticket: Ticket) -> None:
    """The same ticket twice: the copy under another name is not the ticket."""
    place = issue(ticket)
    copy = place.with_name(f"{new_id()}.json")
    copy.write_bytes(place.read_bytes())
    with pytest.raises(RefusedError, match="another place"):
        take(copy, 1001.0)
    assert take(place, 1001.0) == ticket


def test_a_link_is_not_followed(ticket: Ticket, tmp_path: Path) -> None:
    place = issue(ticket)
    elsewhere = place.rename(tmp_path / "kept.json")
    place.symlink_to(elsewhere)
    with pytest.raises(RefusedError):
        take(place, 1001.0)
    assert elsewhere.exists()


def test_a_folder_that_is_a_link_gets_no_ticket(ticket: Ticket, tmp_path: Path) -> None:
    (Path(ticket.root) / ".ralph").symlink_to(tmp_path)
    with pytest.raises(RefusedError, match="link"):
        issue(ticket)


@pytest.mark.parametrize("place", ["relative/.ralph/tickets/x.json", "/etc/passwd", "/nowhere/.ralph/tickets/x.json"])
def test_what_is_no_place_of_a_ticket_is_left_alone(place: str) -> None:
    with pytest.raises(RefusedError):
        take(Path(place), 1001.0)


def test_the_key_is_for_its_owner_alone(ticket: Ticket, tmp_path: Path) -> None:
    issue(ticket)
    key = tmp_path / "config" / "ralph" / "keys" / "tickets.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert issue(replace(ticket, id=new_id())).stat().st_mode & 0o777 == 0o600
