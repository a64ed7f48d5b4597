"""Projects with something to look at, and a browser without a screen that knows the token."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from ralph.agents.base import Record
from ralph.agents.recording import TRANSCRIPT, to_json
from ralph.cli.web import site_of
from ralph.web.app import application
from ralph.web.site import Site
from tests.cli.runs import begin, happened, judged, turn
from tests.project import repository

PORT = 8000
ORIGIN = f"http://127.0.0.1:{PORT}"
CONFIG = "project: {name: words, path: ., language: other}\ncommands: {}\nautonomy_level: L2\n"


def project(root: Path) -> Path:
    return repository(root, {"ralph-context.yaml": CONFIG, "a.md": "one\n"}).resolve()


def with_a_run(root: Path) -> Path:
    """A project in which a run has played two turns."""
    journal = begin(project(root))
    happened(journal, turn(), judged("refused", told=("The tests fail.",)), turn(0.25), judged())
    return root.resolve()


def said(turn: Path, *records: Record) -> None:
    """Go on with the transcript of a turn."""
    turn.mkdir(parents=True, exist_ok=True)
    with (turn / TRANSCRIPT).open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(to_json(each)) + "\n" for each in records)


PERMISSIONS: dict[str, Any] = {
    "version": 1,
    "mode": "delivery",
    "files": {"allowRead": ["."], "allowWrite": ["src"], "denyRead": [".env"], "denyWrite": []},
    "commands": {"allow": ["npm test"], "deny": ["git push"]},
    "approval": {"requiredFor": ["destructive_ops"], "requireReason": True},
    "checks": {"required": [], "rollbackOnFail": False},
}


class Browser:
    """Entered the dashboard of a site."""

    def __init__(self, site: Site, *, enters: bool = True) -> None:
        self.site = site
        self.client = TestClient(application(site, PORT), base_url=ORIGIN, raise_server_exceptions=True)
        if enters:
            entered = self.client.get(f"/?token={site.secret.token}", follow_redirects=False)
            assert entered.status_code == 303

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(self.site.secret.place + path, **options)

    def post(
        self, path: str, fields: dict[str, str], *, headers: dict[str, str] | None = None, form: bool = True
    ) -> Any:
        data = ({"form": self.site.secret.form} if form else {}) | fields
        return self.client.post(
            self.site.secret.place + path,
            data=data,
            headers={"Origin": ORIGIN} | (headers or {}),
            follow_redirects=False,
        )


def browser(root: Path) -> Browser:
    return Browser(site_of(root))


def text_of(html: str) -> str:
    """What a page says, roughly."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))
