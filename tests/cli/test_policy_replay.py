"""`ralph policy replay`: a policy set held against what was merged before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ralph
from tests.project import commit, git, repository


@pytest.fixture
def past(tmp_path: Path) -> Path:
    """An innocent change, a suppression on a branch that was merged, hostile words, and a commit without a change."""
    root = repository(tmp_path / "past", {"a.py": "x = 1\n"})
    commit(root, {"a.py": "x = 2\n"}, "innocent")
    git(root, "checkout", "-q", "-b", "side")
    commit(root, {"a.py": "x: int = ''  # type: ignore\n"}, "quieten")
    commit(root, {"b.py": "y = 1\n"}, "more")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
    commit(root, {"c.py": "z = 1\n"}, "<script>alert(1)</script>\x1b[31m")
    commit(root, {}, "nothing")
    return root


def test_each_merged_change_is_judged_as_it_was_merged(past: Path) -> None:
    said = ralph("policy", "replay", "--last", "10", "--policy", "v2", "-C", past, "--json").document
    assert [row["outcome"] for row in said["commits"]] == ["clean", "clean", "blocked", "clean"]
    merged = said["commits"][2]
    assert (merged["subject"], merged["files_changed"]) == ("Merge side", 2)
    assert [found["rule"] for found in merged["findings"]] == ["py.type-ignore"]
    assert said["summary"]["outcomes"] == {"blocked": 1, "review": 0, "unjudged": 0, "clean": 3}
    assert said["summary"]["rules"] == {"py.type-ignore": 1}


def test_one_at_a_time_says_the_same(past: Path) -> None:
    several, one = (
        ralph("policy", "replay", "--policy", "v2", "--jobs", jobs, "-C", past, "--json").document
        for jobs in ("3", "1")
    )
    assert several == one


def test_how_far_back_and_from_where(past: Path) -> None:
    said = ralph("policy", "replay", "--last", "1", "--rev", "HEAD~2", "--policy", "v2", "-C", past, "--json").document
    assert [row["subject"] for row in said["commits"]] == ["Merge side"]


def test_the_table_shows_what_is_not_clean(past: Path) -> None:
    told = ralph("policy", "replay", "--policy", "v2", "-C", past).out
    assert "4 commits under policy v2: 1 blocked, 0 review, 0 unjudged, 3 clean." in told
    assert "py.type-ignore  a.py:1" in told
    assert "innocent" not in told


def test_the_page_obeys_nothing_that_a_commit_says(past: Path, tmp_path: Path) -> None:
    commit(
        past, {"a.py": "x: str = 1  # type: ignore\n", "<b>.py": "y = 1  # noqa\n"}, "<script>alert(1)</script>\x1b[31m"
    )
    page = tmp_path / "page.html"
    assert ralph("policy", "replay", "--policy", "v2", "--html", page, "-C", past).code == 0
    text = page.read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "\x1b" not in text
    assert "&lt;b&gt;.py" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(("--rev", "nope"), "nope"), (("--policy", "v9"), "v9"), (("--last", "0"), "--last")],
    ids=["an unknown commit", "an unknown policy set", "no commits"],
)
def test_bad_input_is_one_sentence(past: Path, words: tuple[str, ...], sentence: str) -> None:
    answer = ralph("policy", "replay", *words, "-C", past)
    assert (answer.code, sentence in answer.err, answer.err.count("\n")) == (3, True, 1)
