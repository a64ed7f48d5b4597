"""What agents write does nothing: no markup, no control characters, no page that a browser chokes on."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("starlette")

from ralph.agents.base import Claim as Claim_
from ralph.agents.base import Decided, End, Started, Text, ToolCall, ToolResult
from ralph.approvals.answering import Desk
from ralph.approvals.model import Decision
from ralph.approvals.queue import Queue
from ralph.events.honesty import CLAIMS, Claim, Compared, keep
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task, TaskStatus
from ralph.permissions.model import RunCommand
from ralph.record import replace as changed
from ralph.system import clock
from ralph.web import feeds
from ralph.web.render import Renderer
from tests.approvals.situation import JUDGEMENT, POLICY
from tests.cli.command import CONTRACT, ralph, verify
from tests.cli.runs import BEGUN, RUN, begin, happened, judged, turn
from tests.project import repository, write
from tests.web.sites import PERMISSIONS, Browser, browser, said

MARK = "<script>alert(1)</script><img src=x onerror=alert(2)><a href='javascript:alert(3)'>x</a>"
ACTS = "\x1b]0;title\x07\x1b[31m\u202e\u2066\u200b\u2028\x00\x9b"
BREAKS = "\"'>}} {{7*7}}{% raw %} --> ]]> </textarea></title></pre>"
EVIL = MARK + BREAKS + ACTS
LONG = EVIL + "A" * 1_000_000
LARGEST_PAGE = 600_000
SCRIPTS = {"theme.js", "ralph.js"}
CONTEXT = "project: {name: words, path: ., language: other}\ncommands: {}\nautonomy_level: L2\n"


class Reader(HTMLParser):
    """Reads a page as a browser does, and notes whatever could act."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and (given.get("src") or "").rpartition("/")[2] not in SCRIPTS:
            self.wrong.append(f"a script: {given}")
        if tag in ("img", "iframe", "object", "embed", "base", "video", "math", "style"):
            self.wrong.append(f"a {tag}")
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.wrong.append(f"{tag} has {name}")
            if name in ("href", "src", "action") and not (value or "").startswith(("/", "#")):
                self.wrong.append(f"{tag} leads to {value}")

    def handle_comment(self, data: str) -> None:
        self.wrong.append("a comment")


def harmless(html: str) -> None:
    reader = Reader()
    reader.feed(html)
    assert not reader.wrong
    acting = {each for each in html if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
    assert not acting
    assert len(html) < LARGEST_PAGE


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """A project in which every field that an agent writes is hostile."""
    root = repository(
        tmp_path_factory.mktemp("evil") / "<b onclick=x>p\u202e", {"ralph-context.yaml": CONTEXT}
    ).resolve()
    surrogates = LONG + "\udc80"
    journal = begin(root, replace(BEGUN, prompt=LONG, agent=EVIL))
    happened(
        journal,
        turn(detail=LONG, reason="error"),
        judged("refused", told=(LONG, *[EVIL] * 50), reason=surrogates),
    )
    said(
        root / ".ralph" / "runs" / RUN / "turns" / "1-1",
        Started(agent=EVIL, model=LONG),
        *(Text(LONG + "\n" * 5000) for _ in range(40)),
        ToolCall(EVIL, LONG),
        Decided(id=EVIL, tool=EVIL, outcome="deny", reason=EVIL),
        ToolResult(ok=False, output=EVIL),
        Claim_(EVIL, EVIL),
        End("error", EVIL),
    )
    tasks = (
        Task(id="t-1", description=EVIL + "A" * 9000, status=TaskStatus.BLOCKED, blockers=(EVIL,)),
        Task(id="t-2", description="x", status=TaskStatus.COMPLETE, completion_notes=EVIL),
    )
    PlanStore(root).change(lambda plan: replace(plan, tasks=tasks))
    checks = {EVIL: Compared(claimed=EVIL, measured=EVIL, contradiction=True)}
    claim = Claim(
        topic=EVIL, true=False, contradiction=True, checks=checks, hat=LONG, agent=EVIL, model=EVIL, task=EVIL, tree="t"
    )
    keep(root / CLAIMS, claim, time=clock.now())
    (root / "ralph.policy.json").write_text(json.dumps(PERMISSIONS | {"commands": {"allow": [EVIL], "deny": []}}))
    return browser(root)


def asked(shown: Browser, text: str) -> str:
    queue = Queue(shown.site.root)
    judgement = changed(JUDGEMENT, reason=EVIL, rule=EVIL, alternative=EVIL)
    request = queue.ask(RunCommand(text), judgement, POLICY, agent=EVIL, session=EVIL, detail=f"+{EVIL}\n-{LONG}\n" * 3)
    return request.id


@pytest.mark.parametrize(
    "path",
    [
        "/",
        f"/runs/{RUN}",
        f"/runs/{RUN}/lines/1",
        f"/runs/{RUN}/turns/1-1",
        "/claims",
        "/permissions",
        "/audit",
        "/policies",
        "/nowhere",
    ],
)
def test_no_page_acts(shown: Browser, path: str) -> None:
    html = shown.get(path).text
    if "/lines/" in path or "/turns/" in path:
        assert ("more bytes" in html) == ("/turns/" in path)  # the whole is the whole, but no page is endless
        reader = Reader()
        reader.feed(html)
        assert not reader.wrong
        return
    harmless(html)
    assert "&lt;script&gt;" in html or path in ("/audit", "/policies", "/nowhere")


def test_what_is_cut_leads_to_the_whole(shown: Browser) -> None:
    html = shown.get(f"/runs/{RUN}").text
    assert f'/runs/{RUN}/lines/1">' in html
    assert "more characters" in html
    assert "A" * 900_000 in shown.get(f"/runs/{RUN}/lines/1").text


def test_neither_does_a_question(shown: Browser) -> None:
    for question in (EVIL, "A" * 50_000, MARK, "rm -rf $'\\e[31m'"):
        harmless(shown.get("/permissions", params={"kind": "command", "question": question.replace("\x00", "")}).text)


@pytest.mark.parametrize(
    "path", ["/runs/", f"/runs/{RUN}/turns/", "/approvals/", "/verdicts/", "/live/runs/", "/verdicts/x/files/"]
)
def test_neither_does_an_address(shown: Browser, path: str) -> None:
    answer = shown.get(path + quote(MARK, safe="") + quote("\u202e"))
    assert answer.status_code == 404
    if "html" in answer.headers["content-type"]:
        harmless(answer.text)
    else:
        assert answer.headers["content-type"].startswith("text/plain")
        assert "\u202e" not in answer.text


def test_requests_of_an_agent(shown: Browser) -> None:
    name = asked(shown, EVIL.replace("\x00", "") + "A" * 5000)
    for path in ("/approvals", f"/approvals/{name}"):
        harmless(shown.get(path).text)
    whole = shown.get(f"/approvals/{name}/whole").text
    assert "AAAA" in whole
    request = Desk(shown.site.root, {}).find(name).request
    assert request is not None
    Desk(shown.site.root, {}).answer(request, Decision.SUGGESTED, text=LONG[:60_000])
    harmless(shown.get(f"/approvals/{name}").text)


def test_what_is_sent_live(shown: Browser) -> None:
    folder = shown.site.root / ".ralph" / "runs" / RUN
    for feed in (
        feeds.RunFeed(shown.site, Renderer(shown.site), folder),
        feeds.RunsFeed(shown.site, Renderer(shown.site)),
        feeds.InboxFeed(shown.site, Renderer(shown.site)),
    ):
        news = feed.look()
        assert news is not None
        for html in (*news.regions.values(), *(html for _, html in news.rows)):
            harmless(html)


def test_a_verdict_about_hostile_code(tmp_path: Path) -> None:
    root = tmp_path / "p"
    repository(root, {"ralph-context.yaml": CONTEXT})
    write(root.parent, {"contract.yaml": CONTRACT})
    name = "<img src=x onerror=alert(1)>\u202e.py"
    (root / name).write_text(f"x = 1  # type: ignore {MARK}\x1b[31m\u202e\n" + "y = '" + "A" * 1_000_000 + "'\n")
    verify(root)
    run_id = ralph("audit", "list", "-C", root, "--json").document["runs"][0]["run_id"]
    site = browser(root.resolve())
    html = site.get(f"/verdicts/{run_id}").text
    harmless(html)
    assert "BLOCKED" in html
    harmless_whole = site.get(f"/verdicts/{run_id}/files/diff.patch").text
    assert "<img" not in harmless_whole
    assert "\u202e" not in harmless_whole


def test_names_of_files(tmp_path: Path) -> None:
    """Where agents may not write; a page is not the place to rely on that."""
    root = repository(tmp_path / "p", {"ralph-context.yaml": CONTEXT}).resolve()
    name = "<img src=x onerror=alert(1)>\u202e\x1b[31m"
    places = (".ralph/runs", ".ralph/audit", ".ralph/approvals")
    for place in places:
        (root / place / name).mkdir(parents=True)
    (root / ".ralph/runs" / name / "log.jsonl").write_text("x\n")
    (root / ".ralph/audit" / name / f"{name}.log").write_text("x\n")
    (root / ".ralph/approvals" / f"{name}.request.json").write_text("{}")
    seen = browser(root)
    for path in ("/", "/audit", "/approvals"):
        answer = seen.get(path)
        assert answer.status_code == 200
        harmless(answer.text)
        assert "&lt;img src=x" in answer.text
