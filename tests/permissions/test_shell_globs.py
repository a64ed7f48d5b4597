"""Patterns in a command's words are judged by what they could mean and by what they mean now."""

from __future__ import annotations

import fnmatch
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.permissions.disk import here
from ralph.permissions.model import Outcome
from ralph.permissions.path_patterns import Components, PatternSet, components, matches, may_match_below, may_overlap
from ralph.permissions.paths import Access
from ralph.permissions.place import Place
from ralph.permissions.shell_globs import judge_pattern
from tests.permissions.policies import permissions

ALLOW, DENY = Outcome.ALLOW, Outcome.DENY


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "pro[ject]"
    for folder in ("src/deep", "docs", "state", ".git", "node_modules"):
        (root / folder).mkdir(parents=True)
    for name in (".env", "src/a.ts", "src/b.ts", "src/deep/c.ts", "docs/a.md", "state/progress.jsonl", "README"):
        (root / name).write_text("x")
    (root / "docs" / "link.md").symlink_to("../.env")
    (root / "up").symlink_to("..")
    (root / "docs" / "out.txt").symlink_to("/etc/passwd")
    return here(root)


JUDGED: dict[tuple[Access, str], Outcome | None] = {
    ("read", "*"): DENY,  # a link that leads up is among them
    ("read", "src/*.ts"): ALLOW,
    ("read", "src/*"): ALLOW,
    ("read", "src/**/*.ts"): ALLOW,
    ("read", "src/[ab].ts"): ALLOW,
    ("read", "src/?.ts"): ALLOW,
    ("read", "./src/*.ts"): ALLOW,
    ("read", "nothing/*.ts"): ALLOW,
    ("read", ".e*"): DENY,
    ("read", ".*"): DENY,
    ("read", ".?nv"): DENY,
    ("read", ".[e]nv"): DENY,
    ("read", ".E*"): DENY,
    ("read", ".envr*"): ALLOW,
    ("read", "src/../.e*"): DENY,
    ("read", "*/.env"): DENY,
    ("read", "*/.en*"): DENY,
    ("read", ".git/*"): DENY,
    ("read", ".gi[t]/objects/x"): DENY,
    ("read", "docs/*.md"): DENY,  # a link to the secret
    ("read", "docs/*.txt"): DENY,  # a link that leads out
    ("read", "src/*/../../.env"): DENY,
    ("read", "/etc/*"): DENY,
    ("read", "../*"): DENY,
    ("read", "/proc/*/environ"): DENY,
    ("read", "/dev/*"): DENY,
    ("read", "/*"): DENY,
    ("read", "@(.env|x)"): DENY,
    ("read", "a\\*"): DENY,
    ("read", "[*]"): ALLOW,
    ("write", "src/*.ts"): ALLOW,
    ("write", "*"): DENY,
    ("write", "R*"): None,
    ("delete", "src/*.ts"): ALLOW,
    ("delete", "src/*"): ALLOW,
    ("delete", "docs/*"): ALLOW,
    ("delete", "docs/*.txt"): ALLOW,  # the link alone
    ("delete", "*"): DENY,  # state is among them
    ("delete", "state/*"): DENY,
    ("delete", "state/*.jsonl"): DENY,
    ("delete", "state/*.log"): ALLOW,
    ("delete", "stat*"): DENY,
    ("delete", ".g*"): DENY,
    ("delete", "node_*"): DENY,
    ("delete", "nothing_*"): None,
    ("delete", "../*"): DENY,
    ("delete", "up/.."): DENY,
    ("delete", "up/../*"): DENY,
    ("delete", "up"): None,
}


@pytest.mark.parametrize(("access", "pattern"), JUDGED, ids=[f"{access} {pattern}" for access, pattern in JUDGED])
def test_a_pattern_is_judged(access: Access, pattern: str, place: Place) -> None:
    decision = judge_pattern(pattern, None, access, place, permissions())
    assert decision.outcome is JUDGED[access, pattern], decision


def test_the_folder_of_the_command_counts(place: Place) -> None:
    rules = permissions()
    assert judge_pattern("*.ts", f"{place.root}/src", "read", place, rules).outcome is ALLOW
    assert judge_pattern("../.e*", f"{place.root}/src", "read", place, rules).outcome is DENY


def test_too_many_files_are_not_vouched_for(place: Place) -> None:
    for number in range(2001):
        Path(place.root, "src", f"f{number}").touch()
    assert judge_pattern("src/f*", None, "read", place, permissions()).outcome is DENY


NAMES = [".env", ".envrc", "env", "a", "b.ts", ".git", "x.pem", "A"]
PATTERNS = st.lists(st.sampled_from([".e*", "*", "?", "a*", "*.ts", "[ab]*", ".env", "**", "src", "*.pem"]), min_size=1)
PATHS = list(itertools.chain.from_iterable(itertools.product(NAMES, repeat=size) for size in (1, 2, 3)))


@given(PATTERNS, PATTERNS)
def test_an_overlap_is_never_missed(rule: list[str], words: list[str]) -> None:
    """If some path is what a shell makes of the words and what the rule denies, then they overlap."""
    overlap = may_overlap(tuple(rule), tuple(words))
    for path in PATHS:
        if not overlap and _expands(words, path):
            assert not matches(tuple(rule), path, below=True), path


def _expands(words: list[str], path: tuple[str, ...]) -> bool:
    """As bash does with `globstar` off: component by component, and no leading dot for a wildcard."""
    return len(words) == len(path) and all(
        fnmatch.fnmatchcase(name, word) and (not name.startswith(".") or word.startswith("."))
        for word, name in zip(words, path, strict=True)
    )


@given(PATTERNS, st.sampled_from(PATHS))
def test_what_matches_below_is_found_from_above(rule: list[str], path: tuple[str, ...]) -> None:
    if matches(tuple(rule), path, below=False):
        assert all(may_match_below(tuple(rule), path[:depth]) for depth in range(len(path)))


def _matches(rule: Components, path: Components, below: bool) -> bool:
    """The definition, as plain as can be."""
    if not rule:
        return below or not path
    if rule[0] == "**" and _matches(rule[1:], path, below):
        return True
    first = rule[0] == "**" or (bool(path) and fnmatch.fnmatchcase(path[0], rule[0]))
    return bool(path) and first and _matches(rule if rule[0] == "**" else rule[1:], path[1:], below)


@given(st.lists(PATTERNS, max_size=4), st.sampled_from([(), *PATHS]), st.booleans())
def test_matching_is_as_defined(rules: list[list[str]], path: Components, below: bool) -> None:
    expected = [_matches(tuple(rule), path, below) for rule in rules]
    assert [matches(tuple(rule), path, below=below) for rule in rules] == expected
    assert PatternSet(map(tuple, rules)).covers(path, below=below) == any(expected)


def test_matching_is_quick_however_bad_the_pattern() -> None:
    pattern = components("**/" * 50 + "*a" * 30 + "b")
    assert not matches(pattern, components("/".join(["a" * 40] * 100)), below=True)
