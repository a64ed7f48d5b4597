"""Tells GitHub the verdict: one comment that is written anew each time, and the status of the commit.

Only a comment that begins with our mark and was written by whoever the token belongs to is replaced: others may quote
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ralph.ci.job import Job
from ralph.ci.page import MARK
from ralph.ci.rest import Api, HostError

CONTEXT = "ralph/verify"
PAGE = 100
MOST_PAGES = 30


class GitHub:
    """The REST API of GitHub, version 2022-11-28."""

    def __init__(self, job: Job) -> None:
        headers = {"Authorization": f"Bearer {job.token}", "X-GitHub-Api-Version": "2022-11-28"}
        self._job, self._api = job, Api(url=f"{job.api}/repos/{job.project}", headers=headers)

    def comment(self, text: str) -> None:
        """Write the comment of the job's pull request, or write it anew."""
        place = f"/issues/{self._job.number}/comments"
        for number in range(1, MOST_PAGES + 1):
            listed = _rows(self._api.get(f"{place}?per_page={PAGE}&page={number}"))
            for each in listed:
                if str(each.get("body", "")).startswith(MARK) and _is_bot(each.get("user")):
                    self._api.send("PATCH", f"/issues/comments/{int(each['id'])}", {"body": text})
                    return
            if len(listed) < PAGE:
                break
        self._api.send("POST", place, {"body": text})

    def status(self, state: str, text: str) -> None:
        """Set the status of the commit: success, failure or error."""
        body = {"state": state, "description": text, "context": CONTEXT}
        if self._job.link:
            body["target_url"] = self._job.link
        self._api.send("POST", f"/statuses/{self._job.head}", body)


def _rows(answer: object) -> list[Mapping[str, Any]]:
    if not isinstance(answer, list) or not all(isinstance(each, Mapping) and "id" in each for each in answer):
        raise HostError("The list of comments has an unexpected form, so none is written.")
    return answer


def _is_bot(user: object) -> bool:
    """Whether a comment is by an app, as those of a job's own token are."""
    return isinstance(user, Mapping) and user.get("type") == "Bot"
