"""The documentation as a site: built without a warning, every page reachable, and nothing loaded from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.schemas import ROOT

LOADED = re.compile(r"""<(?:script|img|iframe|link|source)\b[^>]*?\b(?:src|href)=["'](https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(made)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")
    return made


def test_every_page_is_built(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs")
        built = name.with_name("index.html") if name.name == "README.md" else name.with_suffix(".html")
        assert (site / built).is_file(), name


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        assert not LOADED.search(page.read_text("utf-8")), page.name
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text("utf-8", "replace")), style.name


def test_what_is_loaded_would_be_found() -> None:
    assert LOADED.search('<script defer src="https://cdn.example.org/x.js">')
    assert LOADED.search("<link rel='stylesheet' href='//example.org/x.css'>")
    assert not LOADED.search('<a href="https://example.org">')
