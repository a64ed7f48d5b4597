"""The pictures of the documentation, made anew: `python -m tests.web.pictures [FOLDER]`, by default `docs/pictures`.

Two real runs of the demonstration's project: one that is over, and one that waits for a person. Where the project lies,
and whose it is, is written as it would be at home at somebody's. Needs Playwright, a Chromium of the system, and
pngquant.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from ralph.approvals.answering import Desk
from ralph.approvals.model import Status
from ralph.audit.store import AuditStore
from ralph.demo.stage import SCRIPT, environment
from ralph.loop import journal
from ralph.system.places import audit_dir
from tests.project import git
from tests.web.screenshots import SCREENS
from tests.web.test_command import started

DOCS = Path(__file__).parents[2] / "docs" / "pictures"
PROMPT = "Say in docs/shares.md who pays the odd cents, and remove the draft."
WAIT_S = 600.0
AT_WORK = """
name: scripted
turns:
  - when: {contains: "# DISCOVERY MODE"}
    actions:
      - write:
          path: specs/odd-cents.md
          content: |
            # Who pays the odd cents

            When friends split a bill, they want to know who pays a cent more, so nobody feels cheated.

            ## Problem Statement
            Nothing says that the first people pay the odd cents.

            ## Success Criteria
            - docs/shares.md does.

            ## Constraints
            - No change of the code.

            ## Acceptance Criteria
            - [ ] verify:"grep -q cents docs/shares.md"
      - tool: {name: ralph_signal_phase_complete, arguments: {summary: "One specification."}}
      - usage: {input_tokens: 4000, output_tokens: 600, cost_usd: 0.02, context_tokens: 4000, context_window: 200000}
  - when: {contains: "# PLANNING MODE"}
    actions:
      - tool:
          name: ralph_add_task
          arguments:
            task_id: shares-page
            description: Say who pays the odd cents, and remove the draft.
            priority: 1
            verification_criteria: ['verify:"grep -q cents docs/shares.md"']
            spec_files: ["specs/odd-cents.md"]
      - tool:
          name: ralph_add_task
          arguments:
            task_id: example
            description: Show a bill of 10.01 among three as an example.
            priority: 2
            dependencies: [shares-page]
            verification_criteria: ['verify:"grep -q 10.01 docs/shares.md"']
      - tool: {name: ralph_signal_phase_complete, arguments: {summary: "Two tasks."}}
      - usage: {input_tokens: 5000, output_tokens: 500, cost_usd: 0.03, context_tokens: 5000, context_window: 200000}
  - when: {contains: "# BUILDING MODE"}
    actions:
      - say: "The code gives the odd cents to the first people. I write that down."
      - write:
          path: docs/shares.md
          content: |
            # Shares

            Every share is a whole number of cents. The first people pay the odd ones.
      - run: "pytest -q -p no:cacheprovider tests/test_split.py"
      - say: "The tests still pass. Now the draft goes; removing a file needs a person, so I ask by doing it."
      - run: "rm docs/draft.md"
      - tool: {name: ralph_mark_task_complete, arguments: {task_id: shares-page}}
      - usage: {input_tokens: 6000, output_tokens: 100, cost_usd: 0.02, context_tokens: 6000, context_window: 200000}
"""
NEUTRAL = """(pairs) => {
  const say = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const [found, shown] of pairs) if (node.data.includes(found)) node.data = node.data.replaceAll(found, shown);
  };
  say();
  new MutationObserver(say).observe(document.body, {childList: true, subtree: true});  // what comes live as well
}"""


class Picture(NamedTuple):
    """One of them: its file, which page, how it is looked at, and how much of it is shown."""

    name: str
    page: str
    scheme: Literal["light", "dark"] = "light"
    screen: str = "desktop"
    height: int = 800


PICTURES = (
    Picture("runs", "runs", height=680),
    Picture("runs-phone", "runs", "dark", "phone", 844),
    Picture("run", "run", height=1500),
    Picture("run-dark", "run", "dark", height=1100),
    Picture("run-phone", "run", "light", "phone", 2200),
    Picture("approval", "approval", height=1000),
    Picture("approval-phone", "approval", "dark", "phone", 1370),
    Picture("verdict", "verdict", height=1250),
    Picture("verdict-blocked", "blocked", "dark", height=1250),
    Picture("verdict-phone", "verdict", "dark", "phone", 1390),
    Picture("claims", "claims", height=1850),
    Picture("claims-phone", "claims", "dark", "phone", 1100),
)


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="ralph-pictures-") as made:
        home = Path(made)
        os.environ |= {"LOGNAME": "ann", "XDG_CONFIG_HOME": f"{home}/config", "XDG_STATE_HOME": f"{home}/state"}
        root = home / "fairshare"
        subprocess.run([sys.executable, "-m", "ralph", "demo", str(root)], check=True)
        (root / "docs").mkdir(exist_ok=True)
        (root / "docs" / "draft.md").write_text("# Shares\n\nWho pays the odd cents?\n")
        git(root, "add", "-A")
        git(root, "commit", "--quiet", "--message", "The shares add up")
        with at_work(root), started(root, "--json") as (_, told), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            folder.mkdir(parents=True, exist_ok=True)
            for picture in PICTURES:
                take(browser, json.loads(told)["url"], picture, root, folder)
            browser.close()
    taken = [str(folder / f"{picture.name}.png") for picture in PICTURES]
    subprocess.run(["pngquant", "--force", "--ext", ".png", "--speed", "1", "--strip", "64", *taken], check=True)


@contextmanager
def at_work(root: Path) -> Iterator[None]:
    """A run that waits for a person to answer."""
    script = root.parent / "script.yaml"
    script.write_text(AT_WORK)
    line = [sys.executable, "-m", "ralph", "run", "-C", str(root), "--agent", f"scripted:{script}", PROMPT]
    with subprocess.Popen(line, env=environment()) as run:
        try:
            deadline = time.monotonic() + WAIT_S
            while not waiting(root):
                assert run.poll() is None, "the run ended before it asked"
                assert time.monotonic() < deadline, "nothing is asked"
                time.sleep(0.2)
            yield
        finally:
            run.terminate()


def waiting(root: Path) -> list[str]:
    return [each.id for each in Desk(root, {}).entries() if each.status is Status.OPEN]


def take(browser: Browser, url: str, picture: Picture, root: Path, folder: Path) -> None:
    width = SCREENS[picture.screen][0]
    context = browser.new_context(color_scheme=picture.scheme, viewport={"width": width, "height": picture.height})
    page = context.new_page()
    page.goto(url)
    page.goto(page.url.rstrip("/") + place(root, picture.page))
    known = {str(root): "/home/ann/fairshare", f"{root.parent}/script.yaml": "odd-cents.yaml", str(SCRIPT): "demo.yaml"}
    page.evaluate(NEUTRAL, [*known.items()])
    told = page.inner_text("body")
    assert not any(each in told for each in (str(root.parent), str(SCRIPT.parent), str(Path.cwd())))
    page.screenshot(path=folder / f"{picture.name}.png")
    context.close()


def place(root: Path, page: str) -> str:
    """The address of a page, below the dashboard's own."""
    store = AuditStore(audit_dir(root))
    match page:
        case "run":
            return f"/runs/{journal.runs(root)[-1].name}"
        case "approval":
            return f"/approvals/{waiting(root)[0]}"
        case "verdict":
            moments, _ = journal.moments(journal.runs(root)[0])
            return f"/verdicts/{moments[-1].state.verdict_run}"
        case "blocked":
            kept = (store.path(each) / "verdict.json" for each in store.runs())
            return next(f"/verdicts/{each.parent.name}" for each in kept if '"BLOCKED"' in each.read_text())
        case "claims":
            return "/claims"
    return "/"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
