"""Pictures of every page, light and dark, on a desktop and a phone: `python -m tests.web.screenshots FOLDER [PROJECT]`.

Without a project one is made that has something on every page. Needs Playwright and a Chromium of the system.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web.gallery import furnish, places
from tests.web.test_command import started

SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}


def main(folder: Path, root: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with started(root, "--json") as (_, told), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for screen, (width, height) in SCREENS.items():
                context = browser.new_context(
                    color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": height}
                )
                page = context.new_page()
                page.goto(json.loads(told)["url"])
                place = page.url.rstrip("/")
                for number, path in enumerate(places(root)):
                    page.goto(place + path)
                    words = re.findall(r"[a-z]+", path.partition("?")[0])[:1] or ["runs"]
                    page.screenshot(path=folder / f"{number:02}-{words[0]}-{scheme}-{screen}.png", full_page=True)
                context.close()
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ralph-pictures-") as made:
        main(Path(sys.argv[1]), Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else furnish(Path(made) / "p"))
