"""Comments and statuses, on a host on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ralph.ci.github import GitHub
from ralph.ci.job import Job
from ralph.ci.page import MARK
from ralph.ci.rest import Api, HostError
from ralph.errors import UsageError
from tests.ci.host import Host, host


@pytest.fixture
def there() -> Iterator[Host]:
    with host() as told:
        yield told


def github(there: Host) -> GitHub:
    return GitHub(Job(host="github", base=None, head="b" * 40, project="a/b", api=there.url, number=7, token="t0ken"))


def test_there_is_one_comment_however_often_it_is_written(there: Host) -> None:
    github(there).comment(f"{MARK}\none")
    github(there).comment(f"{MARK}\ntwo")
    assert [each["body"] for each in there.comments] == [f"{MARK}\ntwo"]
    assert {token for _, _, token, _ in there.asked} == {"Bearer t0ken"}


def test_it_is_found_behind_many_others(there: Host) -> None:
    there.comments = [{"id": number, "user": {"type": "User"}, "body": "hm"} for number in range(1, 251)]
    github(there).comment(f"{MARK}\none")
    github(there).comment(f"{MARK}\ntwo")
    assert [each["body"] for each in there.comments[250:]] == [f"{MARK}\ntwo"]


def test_what_people_write_is_theirs(there: Host) -> None:
    """Somebody who begins a comment with our mark would have it replaced, or hide ours behind it."""
    there.comments = [{"id": 1, "user": {"type": "User"}, "body": f"{MARK}\nPASS, believe me"}]
    github(there).comment(f"{MARK}\nFAIL")
    assert [each["body"] for each in there.comments] == [f"{MARK}\nPASS, believe me", f"{MARK}\nFAIL"]


def test_a_status(there: Host) -> None:
    github(there).status("failure", "FAIL: tests: 1 failed")
    assert there.statuses == [
        {"state": "failure", "description": "FAIL: tests: 1 failed", "context": "ralph/verify"},
    ]
    assert there.asked[0][1] == f"/repos/a/b/statuses/{'b' * 40}"


def test_a_refusal_says_what_was_asked_and_not_the_token(there: Host) -> None:
    there.refuses = {"POST": 403}
    with pytest.raises(
        HostError, match=r"POST http://127\.0\.0\.1:\d+/repos/a/b/statuses/b+ was answered 403"
    ) as error:
        github(there).status("error", "x")
    assert "t0ken" not in str(error.value)


def test_a_redirection_is_not_followed(there: Host) -> None:
    """It would take the token along."""
    there.refuses = {"POST": 302}
    with pytest.raises(HostError, match="was answered 302"):
        github(there).status("error", "x")
    assert len(there.asked) == 1


def test_a_host_that_is_not_there() -> None:
    with pytest.raises(HostError, match="failed"):
        Api(url="http://127.0.0.1:1", headers={}).get("/x")


@pytest.mark.parametrize("url", ["http://api.example", "ftp://localhost", "file:///etc", "http://127.0.0.1.example"])
def test_a_token_goes_through_https_or_stays_here(url: str) -> None:
    with pytest.raises(UsageError, match="through https only"):
        Api(url=url, headers={"Authorization": "Bearer x"}).get("/x")
