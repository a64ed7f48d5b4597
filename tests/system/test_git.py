"""The repository under judgement: what is read of it, and the little that is written."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ralph.errors import RepositoryError
from ralph.system.git import EMPTY_TREE, open_repository
from tests.system.repositories import commit, git, make, trap, write

NOON = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)


class TestRefs:
    def test_head_branch_and_tree(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a.txt": "a\n"})
        assert repo.head() == git(tmp_path, "rev-parse", "HEAD")
        assert repo.branch() == "main"
        assert repo.tree_of(repo.head() or "") == git(tmp_path, "rev-parse", "HEAD^{tree}")

    def test_no_commit_yet(self, tmp_path: Path) -> None:
        repo = make(tmp_path)
        assert repo.head() is None
        assert repo.branch() == "main"
        assert repo.default_branch() is None

    def test_detached(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        git(tmp_path, "checkout", "--quiet", "--detach")
        assert repo.branch() is None

    @pytest.mark.parametrize("object_format", ["sha1", "sha256"])
    def test_the_empty_tree(self, tmp_path: Path, object_format: str) -> None:
        repo = make(tmp_path, {}, f"--object-format={object_format}")
        assert repo.object_format == object_format
        assert repo.empty_tree == EMPTY_TREE[object_format] == git(tmp_path, "rev-parse", "HEAD^{tree}")

    def test_resolve(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        first = repo.head()
        commit(tmp_path)
        git(tmp_path, "tag", "-a", "-m", "annotated", "v1", "HEAD~1")
        assert repo.resolve("HEAD~1") == repo.resolve("v1") == repo.resolve(str(first)[:10]) == first

    @pytest.mark.parametrize(
        "rev",
        [
            "",
            "no-such-branch",
            "--help",
            "-x",
            "--all",
            "^HEAD",
            ":/work",
            ":a",
            "HEAD:a",
            "a b",
            "HEAD\nHEAD",
            "HEAD..",
            "\0",
        ],
    )
    def test_resolve_refuses_everything_else_in_a_sentence(self, tmp_path: Path, rev: str) -> None:
        repo = make(tmp_path, {"a": "a"})
        with pytest.raises(RepositoryError) as error:
            repo.resolve(rev)
        assert repr(rev) in str(error.value)

    def test_merge_base(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        fork = repo.head()
        git(tmp_path, "checkout", "--quiet", "-b", "topic")
        topic = commit(tmp_path, "on topic")
        git(tmp_path, "checkout", "--quiet", "main")
        assert repo.merge_base(commit(tmp_path, "on main"), topic) == fork
        git(tmp_path, "checkout", "--quiet", "--orphan", "other")
        assert repo.merge_base(commit(tmp_path, "on its own"), topic) is None

    @pytest.mark.parametrize(
        ("branches", "remote", "origin_head", "expected"),
        [
            (["main"], [], None, "refs/heads/main"),
            (["master"], [], None, "refs/heads/master"),
            (["main", "master"], [], None, "refs/heads/main"),
            (["topic"], [], None, None),
            (["topic"], ["master"], None, "refs/remotes/origin/master"),
            (["main"], ["develop"], "develop", "refs/remotes/origin/develop"),
            (["main"], [], "gone", "refs/heads/main"),
        ],
    )
    def test_default_branch(
        self, tmp_path: Path, branches: list[str], remote: list[str], origin_head: str | None, expected: str | None
    ) -> None:
        repo = make(tmp_path, {"a": "a"})
        git(tmp_path, "checkout", "--quiet", "--detach")
        git(tmp_path, "branch", "-D", "main")
        for name in branches:
            git(tmp_path, "branch", name)
        for name in remote:
            git(tmp_path, "update-ref", f"refs/remotes/origin/{name}", "HEAD")
        if origin_head:
            git(tmp_path, "symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{origin_head}")
        branch = repo.default_branch()
        assert (branch and branch[0]) == expected

    def test_a_tag_named_like_the_default_branch_changes_nothing(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        fork = repo.head()
        git(tmp_path, "checkout", "--quiet", "-b", "topic")
        git(tmp_path, "tag", "main", commit(tmp_path))
        branch = repo.default_branch()
        assert branch is not None
        assert branch[1] == fork

    def test_shallow(self, tmp_path: Path) -> None:
        make(tmp_path / "origin", {"a": "a"})
        commit(tmp_path / "origin")
        git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{tmp_path}/origin", "copy")
        assert open_repository(tmp_path / "copy").is_shallow()
        assert not open_repository(tmp_path / "origin").is_shallow()


class TestKeep:
    def test_a_tree_is_kept_as_ralph_at_the_given_time(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        head = repo.head() or ""
        first = repo.keep("refs/ralph/audit/x-1", repo.tree_of(head), "Judged: PASS", [head], NOON)
        assert repo.resolve("refs/ralph/audit/x-1") == first
        shown = git(tmp_path, "show", "--no-patch", "--format=%an <%ae> %at %P %s", first)
        assert shown == f"Ralph <ralph@localhost> {int(NOON.timestamp())} {head} Judged: PASS"
        assert git(tmp_path, "fsck", "--strict", "--no-dangling") == ""

    def test_the_same_input_gives_the_same_commit(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        tree = repo.tree_of(repo.head() or "")
        assert repo.keep("refs/ralph/a", tree, "m", [], NOON) == repo.keep("refs/ralph/b", tree, "m", [], NOON)

    @pytest.mark.parametrize(
        "ref",
        [
            "refs/heads/main", "HEAD", "ralph/x", "refs/ralph", "refs/ralph/", "refs/ralph/../heads/main",
            "refs/ralph/a..b", "refs/ralph/.x", "refs/ralph/x.lock", "refs/ralph/a//b", "refs/ralph/-d",
            "refs/ralph/a b", "refs/ralph/a\nb",
        ],
    )  # fmt: skip
    def test_no_other_ref_is_written(self, tmp_path: Path, ref: str) -> None:
        repo = make(tmp_path, {"a": "a"})
        before = git(tmp_path, "for-each-ref")
        with pytest.raises(RepositoryError, match="refs/ralph/"):
            repo.keep(ref, repo.empty_tree, "m", [], NOON)
        assert git(tmp_path, "for-each-ref") == before

    def test_a_planted_symbolic_ref_does_not_move_its_branch(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        head = repo.head()
        git(tmp_path, "symbolic-ref", "refs/ralph/audit/x", "refs/heads/main")
        kept = repo.keep("refs/ralph/audit/x", repo.empty_tree, "m", [], NOON)
        assert (repo.head(), repo.resolve("refs/ralph/audit/x")) == (head, kept)

    def test_a_linked_folder_of_refs_is_refused(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        (tmp_path / ".git/refs/ralph").symlink_to("heads")
        with pytest.raises(RepositoryError, match="symbolic link"):
            repo.keep("refs/ralph/main", repo.empty_tree, "m", [], NOON)

    def test_hooks_signing_and_logs_of_the_repository_take_no_part(self, tmp_path: Path) -> None:
        repo = make(tmp_path / "r", {"a": "a"})
        program, mark = trap(tmp_path)
        hook = tmp_path / "r/.git/hooks/reference-transaction"
        hook.parent.mkdir(exist_ok=True)
        hook.symlink_to(program)
        for name, value in {
            "commit.gpgSign": "true",
            "gpg.program": str(program),
            "core.logAllRefUpdates": "always",
        }.items():
            git(tmp_path / "r", "config", name, value)
        repo.keep("refs/ralph/x", repo.empty_tree, "m", [], NOON)
        assert not mark.exists()
        assert not (tmp_path / "r/.git/logs/refs/ralph").exists()

    def test_drop(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        repo.keep("refs/ralph/x", repo.empty_tree, "m", [], NOON)
        repo.drop("refs/ralph/x")
        repo.drop("refs/ralph/x")
        assert "ralph" not in git(tmp_path, "for-each-ref")


class TestFiles:
    def test_read(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"d/a": b"\xff\0\r\n", "d/b": "b"})
        (tmp_path / "link").symlink_to("d/a")
        head = commit(tmp_path)
        assert repo.read(head, "d/a") == repo.read(repo.tree_of(head), "d/a") == b"\xff\0\r\n"
        assert [repo.read(head, path) for path in ("d", "link", "no", "d/a/b", "link/a", "", "/d/a", "../a")] == [
            None
        ] * 8

    def test_paths(self, tmp_path: Path) -> None:
        names = {"a b", "new\nline", "-dash", "d/e/f", os.fsdecode(b"\xff")}
        repo = make(tmp_path, dict.fromkeys(names, "x"))
        assert repo.paths(repo.head() or "") == names

    def test_exclude_adds_each_line_once(self, tmp_path: Path) -> None:
        repo = make(tmp_path)
        path = tmp_path / ".git/info/exclude"
        path.write_bytes(b"\xff*\n.ralph/")
        path.chmod(0o600)
        for _ in range(2):
            repo.exclude([".ralph/", "state/progress.jsonl"])
        assert path.read_bytes() == b"\xff*\n.ralph/\nstate/progress.jsonl\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert [each.name for each in path.parent.iterdir()] == ["exclude"]

    def test_exclude_does_not_write_through_a_link(self, tmp_path: Path) -> None:
        repo = make(tmp_path / "r")
        (tmp_path / "mine").write_text("mine\n")
        (tmp_path / "r/.git/info/exclude").unlink()
        (tmp_path / "r/.git/info/exclude").symlink_to(tmp_path / "mine")
        repo.exclude([".ralph/"])
        assert (tmp_path / "mine").read_text() == "mine\n"


class TestExport:
    def test_bytes_modes_and_links_are_kept(self, tmp_path: Path) -> None:
        repo = make(
            tmp_path / "r",
            {"a": b"a\r\n$Id$\xff", "d/run.sh": "#!/bin/sh\n", ".gitattributes": "* text eol=crlf ident\n"},
        )
        (tmp_path / "r/d/run.sh").chmod(0o755)
        (tmp_path / "r/out").symlink_to("/etc/passwd")
        commit(tmp_path / "r")
        git(tmp_path / "r", "config", "filter.lie.smudge", "echo lie")
        write(tmp_path / "r", {".gitattributes": "* filter=lie export-ignore\n"})
        repo.export(git(tmp_path / "r", "rev-parse", "HEAD^{tree}"), tmp_path / "o")
        assert (tmp_path / "o/a").read_bytes() == repo.read(repo.head() or "", "a")
        assert (tmp_path / "o/d/run.sh").stat().st_mode & 0o111
        assert (tmp_path / "o/out").readlink() == Path("/etc/passwd")
        assert not (tmp_path / "o/.git").exists()

    def test_a_gitlink_becomes_an_empty_directory(self, tmp_path: Path) -> None:
        repo = make(tmp_path / "r", {"a": "a"})
        make(tmp_path / "r/sub", {"x": "x"})
        repo.export(commit(tmp_path / "r"), tmp_path / "o")
        assert list((tmp_path / "o/sub").iterdir()) == []

    def test_only_an_empty_directory_is_written_to(self, tmp_path: Path) -> None:
        repo = make(tmp_path / "r", {"a": "a"})
        with pytest.raises(RepositoryError, match="not empty"):
            repo.export(repo.head() or "", tmp_path / "r")

    @pytest.mark.parametrize("name", [b"..", b".git", b".GIT", b"a/b", b".", b""])
    def test_a_tree_made_by_hand_cannot_lead_out(self, tmp_path: Path, name: bytes) -> None:
        repo = make(tmp_path / "r", {"a": "a"})
        blob = bytes.fromhex(git(tmp_path / "r", "rev-parse", "HEAD:a"))
        data = b"100644 " + name + b"\0" + blob
        tree = git(tmp_path / "r", "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=data)
        with pytest.raises(RepositoryError):
            repo.export(tree, tmp_path / "o")
        assert [each.name for each in tmp_path.rglob("*") if each.name == "b"] == []

    def test_one_name_as_link_and_folder(self, tmp_path: Path) -> None:
        repo = make(tmp_path / "r", {"d/evil": "evil"})
        folder = bytes.fromhex(git(tmp_path / "r", "rev-parse", "HEAD:d"))
        target = bytes.fromhex(git(tmp_path / "r", "hash-object", "-w", "--stdin", stdin=str(tmp_path).encode()))
        data = b"120000 x\0" + target + b"40000 x\0" + folder
        tree = git(tmp_path / "r", "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=data)
        with pytest.raises(RepositoryError):
            repo.export(tree, tmp_path / "o")
        assert not (tmp_path / "evil").exists()
