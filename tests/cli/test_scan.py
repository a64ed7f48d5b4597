"""`ralph scan` on real repositories: exit codes, the three forms, and what a terminal gets to see."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.cli.findings import excerpt
from ralph.cli.main import run
from ralph.verdict import Finding


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in which a test then changes files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("import os\nx = 1\n")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    monkeypatch.chdir(root)
    return root


def git(root: Path, *args: str) -> str:
    who = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *who, *args], cwd=root, check=True, capture_output=True, text=True).stdout


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "c")


def scan(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(["scan", *args])
    out, err = capsys.readouterr()
    return code, out, err


class TestExitCodes:
    def test_an_unchanged_tree_has_no_findings(self, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert scan(capsys) == (0, "no findings in 0 added lines of 0 files (policy v2)\n", "")

    @pytest.mark.parametrize("version", ["v1", "v2"])
    def test_a_suppression_blocks(self, repo: Path, capsys: pytest.CaptureFixture[str], version: str) -> None:
        (repo / "a.py").write_text("import os  # noqa\nx = 1\n")
        assert scan(capsys, "--policy", version)[0] == 2

    def test_an_untracked_file_counts(self, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (repo / "new.py").write_text("import os  # noqa\n")
        assert scan(capsys)[0] == 2

    def test_what_was_committed_on_a_branch_counts(self, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
        git(repo, "checkout", "-q", "-b", "work")
        (repo / "a.py").write_text("import os  # noqa\nx = 1\n")
        commit(repo)
        assert scan(capsys)[0] == 2
        assert scan(capsys, "--base", "HEAD")[0] == 0
        assert scan(capsys, "--base", "main")[0] == 2

    def test_a_repository_without_a_commit_is_all_new(
        self, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        empty = tmp_path / "empty"
        empty.mkdir()
        git(empty, "init", "-q")
        (empty / "a.py").write_text("import os  # noqa\n")
        assert scan(capsys, "-C", str(empty))[0] == 2

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("--policy", "v0"), "there is no policy set 'v0'; there are: v1, v2"),
            (("--base", "nowhere"), "'nowhere' names no commit"),
            (("--base", "main", "--diff", "x"), "--base and --diff exclude each other"),
            (("--diff", "absent.diff"), "the diff absent.diff cannot be read"),
            (("--diff", "a.py"), "holds no unified diff"),
            (("--format", "xml"), "xml"),
            (("-C", "absent"), "absent"),
        ],
    )
    def test_bad_arguments_are_one_sentence(
        self, repo: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], message: str
    ) -> None:
        code, out, err = scan(capsys, *args)
        assert (code, out) == (3, "")
        assert message in err
        assert err.count("\n") == 1


class TestForms:
    @pytest.fixture(autouse=True)
    def suppression(self, repo: Path) -> None:
        (repo / "a.py").write_text("import os\n\ty = 'é'  # noqa: E1\nx = 1\n")

    @pytest.mark.parametrize("args", [("--json",), ("--format", "json")], ids=["--json", "--format json"])
    def test_json(self, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]) -> None:
        assert json.loads(scan(capsys, *args)[1]) == {
            "policy_version": "v2",
            "lines_added": 1,
            "files_changed": 1,
            "findings": [
                {
                    "rule": "py.noqa",
                    "severity": "block",
                    "reason": "A noqa or ruff comment silences the linter",
                    "path": "a.py",
                    "line": 2,
                    "column": len("\ty = 'é'  ".encode()) + 1,
                    "snippet": "y = 'é'  # noqa: E1",
                }
            ],
        }

    def test_sarif(self, capsys: pytest.CaptureFixture[str]) -> None:
        log = json.loads(scan(capsys, "--format", "sarif")[1])
        assert log["version"] == "2.1.0"
        assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["py.noqa"]

    def test_text_shows_the_line_and_where(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines = scan(capsys)[1].splitlines()
        assert lines[0] == "BLOCK  a.py:2:12  py.noqa"
        assert lines[1].index("# noqa") == lines[2].index("^")
        assert lines[-1] == "1 blocking finding in 1 added line of 1 file (policy v2)"

    def test_text_has_no_colour_when_it_is_no_terminal(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "\x1b" not in scan(capsys)[1]


def test_a_terminal_is_not_obeyed(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / "b\x1b[2J.py").write_text("x = 1  # noqa \x1b]0;t\x07 \u202e\u200b [red]é\n")
    out = scan(capsys)[1]
    assert "\\x1b[2J.py:1:8" in out
    assert "# noqa \\x1b]0;t\\x07 \\u202e\\u200b [red]é" in out
    assert out.replace("\n", "").isprintable()


class TestDiff:
    def diff(self, repo: Path, text: str, *args: str) -> str:
        (repo / "a.py").write_text(text)
        return git(repo, "diff", *args)

    def test_a_diff_of_the_working_tree(self, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "x.diff"
        path.write_text(self.diff(repo, "import os  # noqa\nx = 1\n", "HEAD"))
        for version in ("v1", "v2"):
            code, out, _ = scan(capsys, "--diff", str(path), "--policy", version, "--json")
            (finding,) = json.loads(out)["findings"]
            assert (code, finding["path"], finding["line"]) == (2, "a.py", 1)

    def test_the_rest_of_the_file_is_looked_up(
        self, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The added line stands in a docstring that was opened far above: no comment, no finding."""
        (repo / "a.py").write_text('"""\n' + "text\n" * 9 + '"""\n')
        commit(repo)
        path = tmp_path / "x.diff"
        path.write_text(self.diff(repo, '"""\n' + "text\n" * 8 + 'text # noqa\n"""\n', "-U0"))
        assert scan(capsys, "--diff", str(path), "--policy", "v2")[0] == 0

    def test_a_diff_needs_no_repository(
        self, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "x.diff"
        path.write_text(self.diff(repo, "import os  # noqa\nx = 1\n"))
        monkeypatch.chdir(tmp_path)
        assert scan(capsys, "--diff", "x.diff", "--policy", "v2")[0] == 2

    def test_an_empty_diff_changes_nothing(
        self, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "x.diff").write_text("")
        assert scan(capsys, "--diff", str(tmp_path / "x.diff"))[0] == 0


@given(st.binary(max_size=300), st.integers(0, 400))
def test_any_line_is_shown_printably(raw: bytes, column: int) -> None:
    line = raw.replace(b"\n", b"")
    finding = Finding(
        rule="r", severity="block", reason="", path="p", line=1, column=column, snippet=line.decode("utf-8", "replace")
    )
    shown, caret = excerpt(finding, line + b"\n")
    assert shown.isprintable()
    assert caret is not None
    assert 0 <= caret <= 4 * 110
