"""A real browser, Debian's Chromium, at the dashboard of a real run: it watches, approves, and sees the proof.

Where Playwright or Chromium is missing these tests are skipped, but never in CI. axe-core comes from `npm ci` in this
folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("playwright")
    pytest.importorskip("uvicorn")

from playwright.sync_api import Browser, Page, expect, sync_playwright

from ralph.approvals import person
from ralph.approvals.answering import Desk
from ralph.approvals.model import Status
from ralph.demo.stage import environment, prepare
from tests.cli.runs import RUN, begin, happened, judged, turn
from tests.project import commit
from tests.web.sites import project
from tests.web.test_command import started

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")
WAIT_MS = 120_000
REASON = "The page describes what nobody does any more <b>"
SCRIPT = """
name: scripted
turns:
  - - say: "I look. <script>document.title='owned'</script><img src=x onerror=document.title='owned'> \\x1b[31mred"
    - write:
        path: specs/tidy.md
        content: |
          # A tidy project

          When somebody reads the documents, they want no page about what is gone, so they are not misled.

          ## Problem Statement
          docs/rounding.md describes the former rounding.

          ## Success Criteria
          - The page is gone.

          ## Constraints
          - Nothing else changes.

          ## Acceptance Criteria
          - [ ] verify:"test ! -e docs/rounding.md"
    - tool: {name: ralph_signal_phase_complete, arguments: {summary: "One <script>alert(1)</script> specification."}}
    - usage: {input_tokens: 4000, output_tokens: 600, cost_usd: 0.02, context_tokens: 4000, context_window: 200000}
  - - tool:
        name: ralph_add_task
        arguments:
          task_id: tidy
          description: Remove the page <img src=x onerror=alert(1)> of the former rounding.
          priority: 1
          verification_criteria: ['verify:"test ! -e docs/rounding.md"']
          spec_files: ["specs/tidy.md"]
    - tool: {name: ralph_signal_phase_complete, arguments: {summary: "One task."}}
    - usage: {input_tokens: 5000, output_tokens: 500, cost_usd: 0.02, context_tokens: 5000, context_window: 200000}
  - - say: "I remove <img src=x onerror=document.title='owned'> it. \\x1b[31m"
    - run: "rm docs/rounding.md"
    - tool: {name: ralph_mark_task_complete, arguments: {task_id: tidy, verification_notes: "The page is gone."}}
    - usage: {input_tokens: 6000, output_tokens: 100, cost_usd: 0.02, context_tokens: 6000, context_window: 200000}
  - - tool: {name: ralph_signal_phase_complete, arguments: {summary: "Nothing is missing."}}
    - usage: {input_tokens: 5000, output_tokens: 100, cost_usd: 0.02, context_tokens: 5000, context_window: 200000}
"""
MENDED = '''"""Splits a bill."""


def split(total_cents: int, people: int) -> list[int]:
    """The shares in whole cents; the first people pay the odd ones."""
    if people < 1:
        raise ValueError("a bill needs at least one person")
    share, odd = divmod(total_cents, people)
    return [share + (person < odd) for person in range(people)]
'''


SEES = """
Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}});
document.dispatchEvent(new Event('visibilitychange'));
"""


class Quiet(SimpleHTTPRequestHandler):
    """Another server on this machine."""

    def log_message(self, *_: object) -> None:
        """Nothing is said on the terminal."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    place = shutil.which("chromium") or shutil.which("chromium-browser")
    if place is None and not os.environ.get("CI"):
        pytest.skip("there is no Chromium here")
    with sync_playwright() as playwright:
        # Its own sandbox needs user namespaces, which containers of CI lack; the pages come from this machine.
        browser = playwright.chromium.launch(executable_path=place, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Shown:
    """A project in the browser. `complaints` is what the browser's console said."""

    root: Path
    page: Page
    place: str
    complaints: list[str]

    def goto(self, path: str) -> None:
        answer = self.page.goto(self.place + path)
        assert answer is not None
        assert answer.status == 200


@contextmanager
def shown(browser: Browser, root: Path, **options: Any) -> Iterator[Shown]:
    """The dashboard of a project, entered with the printed address."""
    with started(root, "--json") as (_, told):
        context = browser.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        expect.set_options(timeout=WAIT_MS)
        page, complaints = context.new_page(), list[str]()

        def note(message: ConsoleMessage) -> None:
            complaints.append(f"{message.type}: {message.text}")

        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
        page.goto(json.loads(told)["url"])
        assert "token" not in page.url
        yield Shown(root, page, page.url.rstrip("/"), complaints)
        context.close()


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """The project of the demonstration, mended, so that only the page is left to remove."""
    root = prepare(tmp_path / "project")
    commit(root, {"src/fairshare/split.py": MENDED}, "mended")
    (tmp_path / "script.yaml").write_text(SCRIPT)
    return root


def test_a_person_watches_approves_and_sees_the_proof(chromium: Browser, stage: Path) -> None:
    line = [sys.executable, "-m", "ralph", "run", "-C", str(stage), "--agent", f"scripted:{stage.parent}/script.yaml"]
    with shown(chromium, stage) as seen:
        page = seen.page
        expect(page.get_by_text("Nothing ran here yet")).to_be_visible()
        log = (stage.parent / "run.log").open("wb")
        with log, subprocess.Popen([*line, "Tidy up."], env=environment(), stdout=log, stderr=log) as run:
            try:
                watch_it_begin(page)
                approve(page)
                watch_it_pass(seen)
                assert run.wait(60) == 0
            finally:
                run.kill()
        assert not seen.complaints
        (entry,) = Desk(stage, {}).entries()
        assert entry.status is Status.USED
        assert entry.answer is not None
        assert (entry.answer.reason, entry.answer.who) == (REASON, person.name())


def watch_it_begin(page: Page) -> None:
    """Nobody reloads: the list follows the disk."""
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    page.locator("[data-item]").first.click()
    expect(page.locator("main")).to_have_attribute("data-state", "live")
    expect(page.locator(".timeline")).to_contain_text("One <script>alert(1)</script> specification.")
    expect(page.locator(".board")).to_contain_text("<img src=x onerror=alert(1)>")
    said = page.locator('[data-region="turn"]')
    expect(said).to_contain_text("I remove <img src=x onerror=document.title='owned'> it. \\x1b[31m")
    expect(said).to_contain_text("run rm docs/rounding.md")  # it waits for the person, and is on the page already
    expect(page.get_by_role("link", name="1 request waits for your answer")).to_be_visible()


def approve(page: Page) -> None:
    """By keyboard alone."""
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Approvals", exact=True)).to_be_visible()
    expect(page.locator("[data-item]").first).to_contain_text("rm docs/rounding.md")
    page.wait_for_load_state()  # what hears the keys comes with the page, but last
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert "destructive_ops" in page.locator("main").inner_text()
    page.wait_for_load_state()
    page.keyboard.press("a")
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.type(REASON)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Approve")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What was decided")).to_be_visible()
    expect(page.locator("main")).to_contain_text(REASON)


def watch_it_pass(seen: Shown) -> None:
    page = seen.page
    seen.goto("/")
    page.locator("[data-item]").first.click()
    expect(page.locator('[data-region="facts"] .badge.pass')).to_be_visible()
    expect(page.locator('[data-region="facts"] .badge.passed')).to_be_visible()
    expect(page.locator('[data-region="turn"]')).to_contain_text("ended")
    assert page.title() != "owned"
    page.get_by_role("link", name="evidence", exact=True).click()
    expect(page.locator('[data-signature="holds"]')).to_be_visible()
    page.get_by_role("button", name=re.compile("replay")).click()
    expect(page.locator('[data-replay="same"]')).to_be_visible()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with something on every page."""
    from tests.web.gallery import furnish

    return furnish(tmp_path_factory.mktemp("gallery") / "p")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_everybody_can_use_every_page(chromium: Browser, finished: Path, scheme: str, width: int) -> None:
    if not AXE.exists() and not os.environ.get("CI"):
        pytest.skip("axe-core is not installed: npm ci in tests/web")
    from tests.web.gallery import places

    axe = AXE.read_text()
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    with shown(chromium, finished, **options) as seen:
        for path in places(finished):
            seen.goto(path)
            for details in seen.page.locator("details").all():
                details.evaluate("each => { each.open = true; }")
            seen.page.evaluate(axe)
            found = seen.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            wrong = [
                (each["id"], each["impact"], [node["target"] for node in each["nodes"]][:3])
                for each in found["violations"]
                if each["impact"] in SERIOUS
            ]
            assert not wrong, (path, wrong)
            wide = seen.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} wide on a screen of {width}"
        assert not seen.complaints


def test_pages_work_without_scripts(chromium: Browser, finished: Path) -> None:
    from tests.web.gallery import places

    with shown(chromium, finished, java_script_enabled=False) as seen:
        for path in places(finished):
            seen.goto(path)
            assert seen.page.locator("h1").inner_text()
        seen.goto("/permissions")
        seen.page.get_by_label("Command or path").fill("rm docs/rounding.md")
        seen.page.get_by_role("button", name="Ask").click()
        expect(seen.page.locator("[data-outcome]")).to_be_visible()


def test_light_and_dark_are_remembered(chromium: Browser, finished: Path) -> None:
    with shown(chromium, finished, color_scheme="light") as seen:
        page, colour = seen.page, "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(colour)
        page.get_by_role("button", name="Dark").click()
        dark = page.evaluate(colour)
        assert dark != light
        seen.goto("/claims")
        assert page.evaluate(colour) == dark
        page.get_by_role("button", name="Light").click()
        assert page.evaluate(colour) == light


def test_a_page_that_nobody_sees_lets_go_and_misses_nothing(chromium: Browser, tmp_path: Path) -> None:
    journal = begin(project(tmp_path / "p"))
    with shown(chromium, tmp_path / "p") as seen:
        page = seen.page
        seen.goto(f"/runs/{RUN}")
        happened(journal, turn(detail="the first", reason="error"))
        expect(page.get_by_text("the first")).to_have_count(1)
        page.evaluate(SEES.format("true"))
        happened(journal, judged(told=("the second",)))
        page.wait_for_timeout(1500)
        assert page.get_by_text("the second").count() == 0
        page.evaluate(SEES.format("false"))
        expect(page.get_by_text("the second")).to_have_count(1)
        assert page.get_by_text("the first").count() == 1


def test_no_page_can_frame_it_or_send_for_the_person(chromium: Browser, finished: Path, tmp_path: Path) -> None:
    """A page of another origin, on this very machine, as an agent might serve it."""
    with shown(chromium, finished) as seen:
        (tmp_path / "evil.html").write_text(
            f'<iframe id="f" src="{seen.place}/"></iframe><form id="s" method="post" action="{seen.place}/approvals/x">'
            '<input name="decision" value="approve"></form><p id="told"></p><script>'
            f"fetch('{seen.place}/', {{credentials: 'include'}}).then(() => told.textContent = 'read', "
            "() => told.textContent = 'refused')</script>"
        )
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            page = seen.page.context.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/evil.html")
            expect(page.locator("#told")).to_have_text("refused")
            assert "Runs" not in (page.frames[1].content() if len(page.frames) > 1 else "")
            with page.expect_navigation() as navigation:
                page.evaluate("document.getElementById('s').submit()")
            assert navigation.value.status == 403
        finally:
            server.shutdown()
            server.server_close()
