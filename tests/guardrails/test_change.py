"""The change between two trees, as git counts it and as nobody can falsify it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ralph.errors import RepositoryError
from ralph.guardrails.change import read_change
from ralph.guardrails.model import Change, FileChange, Hunk
from ralph.system.git import Repository, open_repository
from tests.system.repositories import commit, forge, git, make, trap, write


def change(repo: Repository, old: str = "HEAD~1", new: str = "HEAD") -> Change:
    """It must know every path of both sides, whatever became of each."""
    base, head = repo.resolve(old), repo.resolve(new)
    found = read_change(repo, base, head)
    assert (found.blobs.paths_before(), found.blobs.paths_after()) == (repo.paths(base), repo.paths(head))
    return found


def after(repo: Repository, files: Mapping[str, str | bytes | None]) -> Change:
    """The change from the last commit to one with these files written (None: deleted)."""
    for name, content in files.items():
        if content is None:
            (repo.root / name).unlink()
        else:
            write(repo.root, {name: content})
    commit(repo.root)
    return change(repo)


def only(found: Change) -> FileChange:
    (file,) = found.files
    return file


class TestStatus:
    def test_added_modified_deleted(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"m": "1\n2\n3\n", "d": "x\ny\n"})
        found = after(repo, {"m": "1\n2a\n2b\n3\n", "d": None, "a/b": "new\n"})
        assert [(file.path, file.status, file.hunks) for file in found.files] == [
            ("a/b", "A", (Hunk(1, (), 1, (b"new",)),)),
            ("d", "D", (Hunk(1, (b"x", b"y"), 1, ()),)),
            ("m", "M", (Hunk(2, (b"2",), 2, (b"2a", b"2b")),)),
        ]
        assert (found.lines_added, found.files_changed) == (3, 3)
        modes = [(file.old_mode, file.new_mode) for file in found.files]
        assert modes == [("000000", "100644"), ("100644", "000000"), ("100644", "100644")]
        assert found.files[0].new_blob == git(tmp_path, "rev-parse", "HEAD:a/b")
        assert found.files[0].old_blob == "0" * 40

    def test_nothing(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        assert after(repo, {}).files == ()

    def test_from_the_empty_tree(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a\n", "empty": ""})
        found = read_change(repo, repo.empty_tree, repo.head() or "")
        assert [(file.path, file.lines_added) for file in found.files] == [("a", 1), ("empty", 0)]

    def test_a_rename_is_a_deletion_and_an_addition(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"old": "1\n2\n3\n"})
        found = after(repo, {"old": None, "new": "1\n2\n3\n"})
        assert [(file.path, file.status, file.lines_added) for file in found.files] == [
            ("new", "A", 3),
            ("old", "D", 0),
        ]

    def test_a_mode_alone(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        (tmp_path / "a").chmod(0o755)
        file = only(after(repo, {}))
        assert (file.status, file.old_mode, file.new_mode, file.hunks) == ("M", "100644", "100755", ())

    def test_a_file_that_became_a_link(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "one\ntwo\n", "b": "b"})
        (tmp_path / "a").unlink()
        (tmp_path / "a").symlink_to("b")
        found = after(repo, {})
        file = only(found)
        assert (file.status, file.new_mode) == ("T", "120000")
        assert file.hunks == (Hunk(1, (b"one", b"two"), 1, ()), Hunk(1, (), 1, (b"b",)))
        assert (found.blobs.before("a"), found.blobs.after("a")) == (b"one\ntwo\n", None)

    def test_a_file_that_became_a_folder_and_the_reverse(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a", "d/x": "x"})
        (tmp_path / "d/x").unlink()
        (tmp_path / "d").rmdir()
        found = after(repo, {"a": None} | {"d": "file\n"})
        write(tmp_path, {"a/y": "y"})
        commit(tmp_path)
        found = change(repo, "HEAD~2")
        assert {file.path: file.status for file in found.files} == {"a": "D", "a/y": "A", "d": "A", "d/x": "D"}

    def test_a_gitlink_has_no_lines(self, tmp_path: Path) -> None:
        repo = make(tmp_path / "r", {"a": "a", "f": "one\n"})
        make(tmp_path / "r/sub", {"x": "x"})
        added = only(after(repo, {}))
        assert (added.status, added.new_mode, added.hunks) == ("A", "160000", ())
        commit(tmp_path / "r/sub", "moved on")
        moved = only(after(repo, {}))
        assert (moved.status, moved.hunks) == ("M", ())
        (tmp_path / "r/f").unlink()
        make(tmp_path / "r/f", {"x": "x"})
        changed = only(after(repo, {}))
        assert (changed.status, changed.hunks) == ("T", (Hunk(1, (b"one",), 1, ()),))

    def test_sha256(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "1\n"}, "--object-format=sha256")
        file = only(after(repo, {"a": "2\n"}))
        assert (len(file.old_blob), file.hunks) == (64, (Hunk(1, (b"1",), 1, (b"2",)),))

    @pytest.mark.parametrize(
        "name", ["a b", "new\nline", "tab\t", "-dash", '"q"', "\\", "\udcff", "ü", " b/ b", "a/b b/a/b"]
    )
    def test_any_name(self, tmp_path: Path, name: str) -> None:
        repo = make(tmp_path, {})
        found = after(repo, {name: "1\n", "z": "2\n"})
        assert {file.path: file.hunks[0].added for file in found.files} == {name: (b"1",), "z": (b"2",)}
        assert found.blobs.after(name) == b"1\n"


class TestLines:
    @pytest.mark.parametrize(
        "line",
        ["-- a/x", "++ b/x", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline at end of file",
         "Binary files a/x and b/x differ", "", " ", "\r", "a\rb", "\u2028", "\x0c", "Subproject commit 1"],
    )  # fmt: skip
    def test_a_line_is_only_a_line(self, tmp_path: Path, line: str) -> None:
        repo = make(tmp_path, {"a": f"1\n{line}\n{line}.\n", "b": "b\n"})
        found = after(repo, {"a": f"{line}\n1\n{line}\n{line}\n", "b": f"b\n{line}\n"})
        assert {file.path: file.lines_added for file in found.files} == _numstat(tmp_path)
        assert found.files[1].hunks == (Hunk(2, (), 2, (line.encode(),)),)

    @pytest.mark.parametrize(
        ("old", "new"), [("a", "a\n"), ("a\n", "a"), ("a", "b"), ("", "a"), ("a", ""), ("a\nb", "a\nc")]
    )
    def test_without_a_line_end(self, tmp_path: Path, old: str, new: str) -> None:
        repo = make(tmp_path, {"f": old})
        found = after(repo, {"f": new})
        assert found.lines_added == _numstat(tmp_path)["f"]
        assert only(found).hunks[0].added == tuple(line.encode() for line in new.split("\n")[-2:] if line)[-1:]

    @settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_hunks_make_the_new_file_of_the_old(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        text = st.lists(st.sampled_from(["a", "b", "", "-", "+", "--", "++ x", "@@ -1 +1 @@", "\r", "é"]), max_size=12)
        old, new = data.draw(st.lists(text, min_size=4, max_size=4)), data.draw(st.lists(text, min_size=4, max_size=4))
        repo = make(
            tmp_path_factory.mktemp("r"), {f"f{n}.py": "".join(f"{each}\n" for each in t) for n, t in enumerate(old)}
        )
        found = after(repo, {f"f{n}.py": "".join(f"{each}\n" for each in t) for n, t in enumerate(new)})
        for file in found.files:
            number = int(file.path[1])
            assert applied([each.encode() for each in old[number]], file) == [each.encode() for each in new[number]]


class TestBinary:
    PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8

    def test_a_binary_file_is_a_file_without_lines(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {})
        found = after(repo, {"logo.png": self.PNG})
        file = only(found)
        assert (file.binary, file.hunks, found.lines_added, found.files_changed) == (True, (), 0, 1)
        assert found.blobs.after("logo.png") == self.PNG

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("a.py", b"x = 1\n# \0\nimport os  # noqa\n"),
            ("a.js", b"// \0\xff\xfe\nit.skip()\n//\n"),
            ("a.yaml", b"a: 1\n# \0\xff\nb: 2\n"),
            ("Makefile", b"# \0\xff\ntest:\n\ttrue\n"),
            ("run", b"#!/bin/sh\n# \0\xff\nexit 0\n"),
            ("notes", b"one\n\0two\nthree\n"),
        ],
    )
    def test_a_nul_hides_no_text(self, tmp_path: Path, name: str, content: bytes) -> None:
        repo = make(tmp_path, {"keep": "k"})
        file = only(after(repo, {name: content}))
        assert (file.binary, file.lines_added) == (False, 3)
        assert b"\n".join(file.hunks[0].added) + b"\n" == content

    def test_attributes_make_nothing_binary(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a.txt": "1\n", ".gitattributes": "* -diff\n"})
        write(tmp_path, {".git/info/attributes": "* binary\n"})
        assert only(after(repo, {"a.txt": "2\n"})).hunks == (Hunk(1, (b"1",), 1, (b"2",)),)

    def test_text_and_binaries_mixed(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {})
        found = after(repo, {"a.png": self.PNG, "b.py": "b\0\n", "c": "c\n", "d.png": self.PNG, "e.ts": "e\0\n"})
        assert [file.binary for file in found.files] == [True, False, False, True, False]
        assert [file.lines_added for file in found.files] == [0, 1, 1, 0, 1]

    def test_a_text_with_a_nul_that_took_a_folders_place(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a.js/x": "x\n", "b.js": "b\0\n"})
        (tmp_path / "a.js/x").unlink()
        (tmp_path / "a.js").rmdir()
        (tmp_path / "b.js").unlink()
        found = after(repo, {"a.js": "1\0\n2\n", "b.js/y": "y\n"})
        assert [(file.path, file.status, file.lines_added) for file in found.files] == [
            ("a.js", "A", 2), ("a.js/x", "D", 0), ("b.js", "D", 0), ("b.js/y", "A", 1)
        ]  # fmt: skip

    def test_a_large_one_is_not_dragged_along(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        found = after(repo, {"big.bin": bytes(40 << 20)})
        assert only(found).binary
        assert sum(len(content) for _, content in repo.objects._kept.values()) < 1 << 20


class TestAttacks:
    def test_replace_refs_drivers_and_settings_change_nothing(self, tmp_path: Path) -> None:
        program, mark = trap(tmp_path)
        repo = make(tmp_path / "r", {"a.py": "1\n"})
        settings = {
            **dict.fromkeys(("diff.external", "diff.x.command", "diff.x.textconv", "diff.orderFile"), program),
            **dict.fromkeys(
                ("diff.noprefix", "diff.mnemonicPrefix", "diff.suppressBlankEmpty", "diff.x.binary"), "true"
            ),
            **dict.fromkeys(("diff.context", "diff.interHunkContext"), "9"),
            "diff.renames": "copies",
            "diff.algorithm": "patience",
            "diff.ignoreSubmodules": "all",
            "color.ui": "always",
            "core.quotePath": "true",
            "core.bigFileThreshold": "1",
        }
        for name, value in settings.items():
            git(repo.root, "config", name, str(value))
        write(repo.root, {".git/info/attributes": "* diff=x\n"})
        new = git(repo.root, "hash-object", "-w", "--stdin", stdin=b"1\n2\n")
        found = after(repo, {"a.py": "1\n2\n"})
        git(repo.root, "replace", new, git(repo.root, "rev-parse", "HEAD~1:a.py"))
        assert change(repo).files == found.files
        assert only(found).hunks == (Hunk(2, (), 2, (b"2",)),)
        assert not mark.exists()

    @pytest.mark.parametrize("side", ["HEAD~1", "HEAD"])
    @pytest.mark.parametrize("what", [":a.py", "^{tree}", ":d", ":d/b.py"])
    def test_a_forged_object_hides_no_change(self, tmp_path: Path, side: str, what: str) -> None:
        """Put the other side's content under the id of this side's object: git sees no difference then."""
        repo = make(tmp_path, {"a.py": "1\n", "d/b.py": "1\n"})
        after(repo, {"a.py": "2\n", "d/b.py": "2\n"})
        target = git(tmp_path, "rev-parse", f"{side}{what}")
        kind, content = repo.objects.read(
            git(tmp_path, "rev-parse", f"{'HEAD' if side == 'HEAD~1' else 'HEAD~1'}{what}")
        )
        forge(repo, target, kind, content)
        with pytest.raises(RepositoryError, match="not what its name says"):
            change(open_repository(tmp_path))

    def test_a_tree_with_an_odd_mode_is_still_a_tree(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"d/evil.py": "evil\n"})
        folder = bytes.fromhex(git(tmp_path, "rev-parse", "HEAD:d"))
        args = ("hash-object", "-t", "tree", "-w", "--literally", "--stdin")
        tree = git(tmp_path, *args, stdin=b"040000 d\0" + folder)
        found = read_change(repo, repo.empty_tree, tree)
        assert [(file.path, file.lines_added) for file in found.files] == [("d/evil.py", 1)]


def applied(lines: list[bytes], file: FileChange) -> list[bytes]:
    result: list[bytes] = []
    at = 0
    for hunk in file.hunks:
        result += lines[at : hunk.old_start - 1]
        assert len(result) == hunk.new_start - 1
        assert tuple(lines[hunk.old_start - 1 : hunk.old_start - 1 + len(hunk.removed)]) == hunk.removed
        result += hunk.added
        at = hunk.old_start - 1 + len(hunk.removed)
    return result + lines[at:]


def _numstat(root: Path) -> dict[str, int]:
    listed = git(root, "diff", "--numstat", "--text", "--no-renames", "-z", "HEAD~1", "HEAD")
    return {path: int(added) for added, _, path in (line.split("\t") for line in listed.split("\0") if line)}
