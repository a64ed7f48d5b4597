"""A phase takes away from a policy, and adds nothing but the folder of its own work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ralph.permissions.capabilities import ALL, Capabilities
from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.model import Action, Outcome, Permissions, ReadPath, RunCommand, UseTool, WritePath
from ralph.permissions.narrowing import narrowed
from ralph.permissions.place import Place
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.walls import demanded, walls_for
from tests.permissions.policies import permissions

ALLOW, DENY = Outcome.ALLOW, Outcome.DENY
DISCOVERY = Capabilities(name="discovery", write=("specs",), shell=False)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    root = tmp_path_factory.mktemp("narrow") / "project"
    for folder in ("src/deep", "specs/api", "docs", "tests"):
        (root / folder).mkdir(parents=True)
    for name in ("src/a.py", "src/deep/b.py", "specs/one.md", "specs/api/two.md", "docs/c.md", ".env"):
        (root / name).write_text("x")
    links = {"specs/code": "../src", "src/words": "../specs", "specs/one-link.md": "../src/a.py", "notes": "specs"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    return here(root)


WRITES = {
    "both name the folder": (["specs"], ("specs",), "specs/new.md", ALLOW),
    "the policy is wider": (["."], ("specs",), "specs/new.md", ALLOW),
    "the policy is wider: nothing else": (["."], ("specs",), "src/a.py", DENY),
    "the policy is wider, as a wildcard": (["**"], ("specs",), "src/a.py", DENY),
    "the policy is narrower": (["src/deep"], ("src",), "src/deep/b.py", ALLOW),
    "the policy is narrower: no more than it": (["src/deep"], ("src",), "src/a.py", DENY),
    "they have nothing in common": (["src"], ("tests",), "src/a.py", DENY),
    "they have nothing in common, the other way": (["src"], ("tests",), "tests/t.py", DENY),
    "globs that meet": (["src/**/*.py"], ("src/deep",), "src/deep/b.py", ALLOW),
    "globs that do not": (["src/**/*.py"], ("src/deep",), "src/deep/b.txt", DENY),
    "own work that the policy does not mention": (["src"], ("specs",), "specs/new.md", ALLOW),
    "own work, as a glob": (["src"], ("specs/*.md",), "specs/new.md", ALLOW),
    "own work, beside the glob": (["src"], ("specs/*.md",), "specs/new.py", DENY),
    "a name that only begins alike": (["."], ("specs",), "specs2/x", DENY),
    "out of the folder by name": (["."], ("specs",), "specs/../src/a.py", DENY),
    "out of the folder by a link": (["."], ("specs",), "specs/code/a.py", DENY),
    "out of the folder by a link to a file": (["."], ("specs",), "specs/one-link.md", DENY),
    "into the folder by a link": (["."], ("specs",), "src/words/one.md", ALLOW),
    "a link that stands for the folder": (["."], ("specs",), "notes/one.md", ALLOW),
    "nothing at all": (["."], (), "specs/new.md", DENY),
    "left to the policy": (["src"], None, "src/a.py", ALLOW),
    "left to the policy: no more than it": (["src"], None, "docs/c.md", DENY),
    "Ralph's own folder stays closed": (["."], (".ralph", "."), ".ralph/state.json", DENY),
    "git's too": (["."], ("**",), ".git/config", DENY),
}


@pytest.mark.parametrize(("allowed", "write", "path", "outcome"), WRITES.values(), ids=WRITES)
def test_what_may_be_written(
    place: Place, allowed: list[str], write: tuple[str, ...] | None, path: str, outcome: Outcome
) -> None:
    law = narrowed(permissions(allowWrite=allowed), Capabilities(write=write))
    assert decide(WritePath(path), law, place).outcome is outcome


@pytest.mark.parametrize(("path", "outcome"), [("src/a.py", DENY), ("docs/c.md", DENY), ("specs/new.md", ALLOW)])
def test_in_core_mode_too_nothing_outside_may_be_written(place: Place, path: str, outcome: Outcome) -> None:
    """Core mode allows what no rule names, so there the phase is all that stands in the way."""
    law = narrowed(permissions(mode="core", allowWrite=["src"]), DISCOVERY)
    assert decide(WritePath(path), law, place).outcome is outcome


def test_what_the_policy_denies_stays_denied_in_the_folder_of_its_own_work(place: Place) -> None:
    law = narrowed(permissions(allowWrite=["src"], denyWrite=["specs"]), DISCOVERY)
    assert decide(WritePath("specs/new.md"), law, place).outcome is DENY


def test_a_policy_that_names_another_folder_is_no_way_out_of_the_own_one(place: Place) -> None:
    """Only `specs` is opened by a phase alone; a phase that names the code depends on the policy for it."""
    law = narrowed(permissions(allowWrite=["docs"]), Capabilities(write=("src", "specs")))
    assert decide(WritePath("src/a.py"), law, place).outcome is DENY


COMMANDS = {
    "one that the policy allows": "npm test",
    "one that only reads": "ls",
    "nothing that could be judged": "",
    "what no shell can read": "((",
}


@pytest.mark.parametrize("text", COMMANDS.values(), ids=COMMANDS)
def test_without_a_shell_no_command_runs_and_the_phase_is_named(place: Place, text: str) -> None:
    decision = decide(RunCommand(text), narrowed(permissions(), DISCOVERY), place)
    assert decision.outcome is DENY
    assert decision.rule == "capabilities.shell"
    assert "discovery" in decision.reason


LOOKING = {
    "one that only reads": ("cat src/a.py", ALLOW),
    "several": ("cd src && ls | grep a", ALLOW),
    "what only reads and may not be read": ("cat .env", DENY),
    "one of them does more": ("ls && npm test", DENY),
    "into a file": ("ls > specs/list.md", DENY),
    "one that the policy allows by name": ("npm test", DENY),
    "a change in the own folder": ("touch specs/new.md", DENY),
    "git writes": ("git add specs", DENY),
}


@pytest.mark.parametrize(("text", "outcome"), LOOKING.values(), ids=LOOKING)
def test_a_client_that_reads_by_commands_only_reads(place: Place, text: str, outcome: Outcome) -> None:
    policy = permissions("commands.packs", ["readonly-tools"])
    law = narrowed(policy, Capabilities(name="discovery", write=("specs",), shell=False, look=True))
    assert decide(RunCommand(text), law, place).outcome is outcome
    assert decide(RunCommand(text), narrowed(policy, DISCOVERY), place).outcome is DENY


NARROW_COMMANDS = {
    "a folder outside": ("mkdir src/new", DENY),
    "a folder inside": ("mkdir specs/new", ALLOW),
    "a copy out": ("cp specs/one.md src/one.md", DENY),
    "a redirect out": ("echo x > src/a.py", DENY),
    "a redirect in": ("echo x > specs/one.md", ALLOW),
    "into a folder of a tool": ("touch /srv/caches/tool/x", DENY),
    "git reads": ("git status", ALLOW),
    "git writes": ("git checkout -- src/a.py", DENY),
}


@pytest.mark.parametrize(("text", "outcome"), NARROW_COMMANDS.values(), ids=NARROW_COMMANDS)
def test_commands_write_only_what_the_phase_leaves_open(place: Place, text: str, outcome: Outcome) -> None:
    law = permissions("sandbox", {"writable": ["/srv/caches/tool"]}, allowWrite=["src", "specs"], mode="core")
    law = narrowed(law, Capabilities(write=("specs",)))
    found = decide(RunCommand(text), law, place)
    if outcome is ALLOW and found.outcome is Outcome.APPROVE:  # emptying a file asks, as it does everywhere
        assert "destructive" in found.rule
        return
    assert found.outcome is outcome, found


TOOLS = {
    "fetching": ("WebFetch", Capabilities(web=False), DENY),
    "searching": ("WebSearch", Capabilities(web=False), DENY),
    "the web is open": ("WebFetch", DISCOVERY, ALLOW),
    "another server's tool": ("mcp__db__query", Capabilities(write=()), DENY),
    "another server's tool, without the web": ("mcp__db__query", Capabilities(web=False), DENY),
    "another server's tool, without a shell": ("mcp__db__query", Capabilities(shell=False), DENY),
    "another server's tool, with all but questions": ("mcp__db__query", Capabilities(ask=False), ALLOW),
    "a question": ("AskUserQuestion", Capabilities(ask=False), DENY),
    "a subagent": ("Task", Capabilities(delegate=False), DENY),
}


@pytest.mark.parametrize(("name", "capabilities", "outcome"), TOOLS.values(), ids=TOOLS)
def test_tools(place: Place, name: str, capabilities: Capabilities, outcome: Outcome) -> None:
    law = narrowed(permissions(mode="core"), capabilities)
    assert decide(UseTool(name), law, place).outcome is outcome


def test_a_tool_that_the_policy_denies_stays_denied(place: Place) -> None:
    law = narrowed(permissions("commands.deny", ["WebFetch"], mode="core"), DISCOVERY)
    assert decide(UseTool("WebFetch"), law, place).outcome is DENY


def test_without_reading_no_file_is_read(place: Place) -> None:
    law = narrowed(permissions(), Capabilities(read=False))
    assert decide(ReadPath("src/a.py"), law, place).rule == "capabilities.read"
    assert decide(RunCommand("cat src/a.py"), law, place).outcome is DENY


def test_capabilities_that_take_nothing_away_change_nothing() -> None:
    law = permissions()
    assert narrowed(law, ALL) == law
    assert narrowed(law, Capabilities(name="building")) == law


def test_narrowing_twice_takes_away_twice(place: Place) -> None:
    law = narrowed(
        narrowed(permissions(allowWrite=["."]), Capabilities(write=("specs",))), Capabilities(write=("src",))
    )
    assert decide(WritePath("src/a.py"), law, place).outcome is DENY
    assert decide(WritePath("specs/one.md"), law, place).outcome is DENY


WALLS = {
    "the inner folder of two": (["src"], ("src/deep",), {"src/deep"}),
    "whichever is inner": (["src/deep"], ("src",), {"src/deep"}),
    "nothing in common": (["src"], ("docs",), set()),
    "nothing is open": (["."], (), set()),
    "own work": (["src"], ("specs",), {"specs"}),
    "a link leads elsewhere": (["."], ("specs/code",), set()),
    "a glob of files": (["."], ("specs/*.md",), {"specs/one.md"}),
    "a glob is no folder": (["."], ("specs/*",), {"specs/one.md"}),
}


@pytest.mark.parametrize(("allowed", "write", "open_"), WALLS.values(), ids=WALLS)
def test_the_walls_open_only_what_both_allow(
    place: Place, allowed: list[str], write: tuple[str, ...], open_: set[str]
) -> None:
    law = narrowed(permissions(allowWrite=allowed), Capabilities(write=write))
    root = Path(place.root)
    assert {each.relative_to(root).as_posix() for each in walls_for(law, root, {}).writable} == open_


def test_where_writing_is_narrowed_walls_are_demanded() -> None:
    assert demanded(permissions(mode="core")) is Level.NONE
    assert demanded(narrowed(permissions(mode="core"), Capabilities(write=("src",)))) is Level.LANDLOCK


FOLDERS = ["src", "src/deep", "specs", "docs", "tests", ".", "**/*.md", "src/*", "specs/api", "no"]
FILES = [
    *("src/a.py", "src/deep/b.py", "specs/one.md", "specs/api/two.md", "docs/c.md", ".env", "new.md", "specs", "src"),
    *("specs/code/a.py", "src/words/one.md", "../x", "specs/../src/a.py", ".ralph/state.json", "notes/one.md"),
]
LINES = [
    "ls",
    "npm test",
    "cat src/a.py",
    "echo x > specs/n.md",
    "touch src/n",
    "rm docs/c.md",
    "git status",
    "sudo ls",
]
_LISTS = st.lists(st.sampled_from(FOLDERS), max_size=3, unique=True)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(WritePath, st.sampled_from(FILES), st.none(), st.none(), st.booleans()),
    st.builds(ReadPath, st.sampled_from(FILES)),
    st.builds(RunCommand, st.sampled_from(LINES)),
    st.builds(UseTool, st.sampled_from(["WebFetch", "WebSearch", "mcp__x__y", "Skill"])),
)
GRANTED = st.builds(
    Capabilities,
    read=st.booleans(),
    write=st.none() | _LISTS.map(tuple),
    shell=st.booleans(),
    web=st.booleans(),
    look=st.booleans(),
)
POLICIES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"mode": st.sampled_from(["core", "delivery"]), "allowWrite": _LISTS, "denyWrite": _LISTS}
)
_LENIENCE = {Outcome.DENY: 0, Outcome.APPROVE: 1, Outcome.ALLOW: 2}


@settings(max_examples=800)
@given(POLICIES, GRANTED, ACTIONS)
def test_narrowing_allows_nothing_new_and_nothing_outside(
    place: Place, policy: dict[str, Any], granted: Capabilities, action: Action
) -> None:
    wide = permissions(**policy)
    before, after = decide(action, wide, place), decide(action, narrowed(wide, granted), place)
    assume(after.outcome is not DENY)
    if _LENIENCE[after.outcome] > _LENIENCE[before.outcome]:
        assert _own_work(action, granted, place), (before, after)
    if isinstance(action, RunCommand):
        assert granted.shell or (granted.look and granted.read and after.only_reads)
    assert granted.web or not isinstance(action, UseTool)
    assert granted.read or not isinstance(action, ReadPath)
    if isinstance(action, WritePath) and granted.write is not None:
        assert _inside(action, granted, place), after


def _own_work(action: Action, granted: Capabilities, place: Place) -> bool:
    """The documented exception: what lies in `specs`, and the phase names it."""
    named = [rule for rule in granted.write or () if rule.startswith("specs")]
    touched = action.path if isinstance(action, WritePath) else "specs/n.md"
    return bool(named) and _real(touched, place).is_relative_to(Path(place.root, "specs"))


def _inside(action: WritePath, granted: Capabilities, place: Place) -> bool:
    """Below one of the folders that the phase names; of wildcards only their fixed beginning is looked at."""
    real = _real(action.path, place)
    roots = [Path(place.root, rule.partition("*")[0]) for rule in granted.write or ()]
    return any(real.is_relative_to(root) for root in roots)


def _real(path: str, place: Place) -> Path:
    return Path(place.root, path).resolve()


def test_the_policy_is_not_changed() -> None:
    law: Permissions = permissions(allowWrite=["src"])
    narrowed(law, DISCOVERY)
    assert law.files.allow_write == ("src",)
    assert law.narrowed_to == ()
