"""A missing extra is one sentence with the command, and nothing else is taken for one."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from ralph.errors import MissingToolError
from ralph.system.extras import needed

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def test_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nowhere", None)
    with pytest.raises(MissingToolError) as caught, needed("The dashboard", "web"):
        __import__("nowhere.inside")
    assert str(caught.value) == "The dashboard needs packages that are missing: pip install 'ralph-governance[web]'."
    assert caught.value.exit_code == 3


def test_a_module_of_our_own_stays_a_defect() -> None:
    with pytest.raises(ModuleNotFoundError), needed("The dashboard", "web"):
        __import__("ralph.nowhere")


def test_a_package_that_is_broken_stays_an_error() -> None:
    with pytest.raises(ImportError) as caught, needed("The dashboard", "web"):
        exec("from json import nothing_like_that")
    assert not isinstance(caught.value, MissingToolError)


def test_every_extra_that_is_named_exists() -> None:
    """In the source and in the documentation."""
    pages = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    named = {name for page in pages for name in re.findall(r"ralph-governance\[(\w+)\]", page.read_text("utf-8"))}
    named |= {
        name
        for page in pages
        for name in re.findall(r'\b(?:needed|missing)\([^()]*?"(\w+)"\)', page.read_text("utf-8"))
    }
    assert named - EXTRAS.keys() == set()
    assert {"claude", "mcp", "web", "fleet", "notify"} <= named


def test_the_documentation_lists_them_all() -> None:
    told = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "installation.md").read_text("utf-8"), re.MULTILINE)
    assert set(told) == EXTRAS.keys()
