"""Whatever is written as a path: never an exception, and never an allow for what lies elsewhere than it seems.

The judge is compared with the kernel: the path is opened with `os.path.realpath` and the inode it reaches.
"""

from __future__ import annotations

import glob
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.permissions.disk import here
from ralph.permissions.model import Outcome
from ralph.permissions.paths import Access, judge_path, locate
from ralph.permissions.place import Place
from ralph.permissions.shell_globs import judge_pattern
from tests.permissions.policies import permissions

RULES = {
    mode: permissions(mode=mode, allowWrite=["."], denyRead=[".env", "keys"], denyWrite=["dist", "keys"])
    for mode in ("core", "delivery")
}
NAMES = ["src", "a.ts", "up", "out", "env", "keys", "k", "dist", ".env", ".ENV", "loop", "new", "..", ".", "", "~"]
PATHS = (
    st.lists(st.sampled_from(NAMES), max_size=7).map("/".join)
    | st.text(max_size=30)
    | st.lists(st.text("./~aenv\0\u200b", max_size=6), max_size=5).map("/".join)
)
PATTERNS = st.lists(st.sampled_from([*NAMES, "*", ".e*", "?nv", "[a-z]*", "s*", "**", ".*"]), max_size=5).map("/".join)
ACCESS = st.sampled_from(["read", "write", "delete"])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    outside = tmp_path_factory.mktemp("fuzz")
    root = outside / "project"
    for folder in ("src/deep", "keys", "dist"):
        (root / folder).mkdir(parents=True)
    for name in (".env", "src/a.ts", "keys/k", "dist/x"):
        (root / name).touch()
    links = {"up": "..", "src/up": "..", "out": "/etc", "src/env": "../.env", "src/keys": "../keys", "loop": "loop"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    return here(root)


def reached(path: str, place: Place, access: Access) -> str:
    """Where the kernel ends up: a deletion stops at the last link."""
    whole = os.path.join(place.root, path)  # noqa: PTH118 - as a program would
    if access != "delete" or whole.endswith(("/", "/.", "/..")):
        return os.path.realpath(whole)
    folder, name = os.path.split(whole)
    return os.path.normpath(f"{os.path.realpath(folder)}/{name}")


def is_forbidden(path: str, place: Place, access: Access) -> bool:
    if locate(path, None, place).stream:
        return False
    real = reached(path, place, access)
    if real != place.root and not real.startswith(f"{place.root}/"):
        return True
    names = [name.casefold() for name in os.path.relpath(real, place.root).split("/")]
    denied = {"read": (".env", "keys"), "write": ("dist", "keys"), "delete": ("dist", "keys")}[access]
    return any(name in names for name in denied)


@settings(max_examples=1500)
@given(PATHS, ACCESS, st.sampled_from(["core", "delivery"]))
def test_no_path_is_allowed_that_leads_elsewhere(place: Place, path: str, access: Access, mode: str) -> None:
    decision = judge_path(locate(path, None, place), access, RULES[mode])
    if decision.outcome is not Outcome.DENY and not path.startswith("~"):
        assert not is_forbidden(path, place, access), decision
    if path.startswith("~"):
        assert decision.outcome is Outcome.DENY


@settings(max_examples=500)
@given(PATTERNS, ACCESS)
def test_no_pattern_is_allowed_that_could_lead_elsewhere(place: Place, pattern: str, access: Access) -> None:
    decision = judge_pattern(pattern, None, access, place, RULES["delivery"])
    if decision.outcome is Outcome.DENY or pattern.startswith("~"):
        return
    for path in glob.glob(f"{glob.escape(place.root)}/{pattern}"):  # noqa: PTH207 - as a shell does
        assert not is_forbidden(path, place, access), decision


@given(st.text(max_size=60), st.text(max_size=30) | st.none(), ACCESS)
def test_nothing_raises(place: Place, text: str, cwd: str | None, access: Access) -> None:
    located = locate(text, cwd and f"/{cwd}", place)
    assert judge_path(located, access, RULES["core"]).reason.isprintable()
    judge_pattern(text, cwd and f"/{cwd}", access, place, RULES["core"])
