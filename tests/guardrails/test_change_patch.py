"""`ralph scan --diff`: a change read from the text of a diff alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ralph.errors import ConfigError
from ralph.guardrails.change import read_change
from ralph.guardrails.change.patch import read_patch
from ralph.guardrails.model import Hunk
from ralph.system.git import Repository
from tests.system.repositories import WHO, commit, make, write

PLAIN = b"""\
--- old/app.py\t2026-01-01 00:00:00
+++ new/app.py\t2026-01-02 00:00:00
@@ -2,3 +2,4 @@ def f():
 kept
-gone
+came
+too
 end
"""


def diff(repo: Repository, *options: str) -> bytes:
    """What a user pipes in: their own git, their own settings."""
    command = ["git", "-C", str(repo.root), "diff", *options, "HEAD~1", "HEAD"]
    return subprocess.run(command, capture_output=True, check=True, env=WHO).stdout


class TestReading:
    def test_a_plain_diff(self) -> None:
        found = read_patch(PLAIN)
        (file,) = found.files
        assert (file.path, file.status, file.hunks) == ("new/app.py", "M", (Hunk(3, (b"gone",), 3, (b"came", b"too")),))
        assert found.blobs.before(file.path) == b"\nkept\ngone\nend\n"
        assert found.blobs.after(file.path) == b"\nkept\ncame\ntoo\nend\n"

    def test_a_whole_file_is_used_where_it_agrees(self) -> None:
        old, new = b"first\nkept\ngone\nend\nlast", b"first\nkept\ncame\ntoo\nend\nlast"
        for content in (old, new):
            found = read_patch(PLAIN, contents=lambda _, content=content: [b"something else", content])  # type: ignore[misc]
            assert (found.blobs.before("new/app.py"), found.blobs.after("new/app.py")) == (old, new)

    def test_several_runs_in_one_hunk(self) -> None:
        found = read_patch(b"--- a/x\n+++ b/x\n@@ -1,5 +1,4 @@\n-1\n 2\n+2b\n 3\n-4\n-5\n+6\n")
        assert found.files[0].hunks == (
            Hunk(1, (b"1",), 1, ()), Hunk(3, (), 2, (b"2b",)), Hunk(4, (b"4", b"5"), 4, (b"6",))
        )  # fmt: skip

    def test_text_around_and_windows_line_ends(self) -> None:
        mail = (
            b"From: me\nSubject: [PATCH] x\n\n---\n app.py | 2 +-\n\n"
            + PLAIN.replace(b"\n", b"\r\n")
            + b"-- \n2.39.5\n"
        )
        (file,) = read_patch(mail).files
        assert (file.path, file.hunks[0].added) == ("new/app.py", (b"came\r", b"too\r"))

    @pytest.mark.parametrize(
        ("header", "path"),
        [
            (b"--- a/x\n+++ b/x\n", "x"),
            (b"--- x\n+++ x\n", "x"),
            (b"--- a/x\n+++ a/x\n", "a/x"),
            (b"--- /dev/null\n+++ b/x\n", "x"),
            (b"--- i/x\n+++ w/x\n", "x"),
            (b"diff --git w/x w/x\n--- /dev/null\n+++ w/x\n", "w/x"),
            (b"diff --git c/x i/x\nnew file mode 100644\n--- /dev/null\n+++ i/x\n", "x"),
            (b'--- "a/new\\nline\\303\\274\\"\\\\"\n+++ "b/new\\nline\\303\\274\\"\\\\"\n', 'new\nlineü"\\'),
            (b"--- a/with space\t\n+++ b/with space\t\n", "with space"),
            (b"diff --git a/docs.md b/docs.md\n--- a/docs.md\n+++ b/evil.py\n", "evil.py"),
        ],
    )  # fmt: skip
    def test_names(self, header: bytes, path: str) -> None:
        (file,) = read_patch(header + b"@@ -0,0 +1 @@\n+line\n").files
        assert file.path == path

    def test_nothing_at_all(self) -> None:
        assert read_patch(b"").files == ()

    def test_a_side_that_a_diff_does_not_have(self) -> None:
        found = read_patch(b"--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+1\n")
        assert [file.status for file in found.files] == ["D", "A"]
        assert (found.blobs.after("x"), found.blobs.before("y"), found.blobs.after("z")) == (None, None, None)
        assert found.blobs.paths_before() == frozenset({"x"})
        assert found.blobs.paths_after() == frozenset({"y"})


MALFORMED = {
    "a hunk without its lines": (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "line 4 ends inside a hunk"),
    "a hunk that ends early": (b"--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n+b\n", "line 6 ends inside a hunk"),
    "no diff": (b"hello\n", "no unified diff"),
    "cut off": (b"--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-1\n+1\n", "line 6"),
    "ends in the hunk": (b"--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-1\n+1", "line 6"),
    "more lines than counted": (b"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+1\n+hidden\n", "line 5"),
    "more after a marker": (b"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+1\n\\ No newline\n+hidden\n", "line 6"),
    "removed instead of added": (b"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n-1\n", "line 4"),
    "bad header": (b"--- a/x\n+++ b/x\n@@ -a +b @@\n", "line 3"),
    "a hunk without a file": (b"@@ -1 +1 @@\n-1\n+2\n", "line 1"),
    "a merge": (b"diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n", "line 1"),
    "a huge line number": (b"--- a/x\n+++ b/x\n@@ -0,0 +999999999 @@\n+1\n", "line 3"),
    "a huge count": (b"--- a/x\n+++ b/x\n@@ -0,0 +1,99999999999999 @@\n+1\n", "line 3"),
    "overlapping hunks": (b"--- a/x\n+++ b/x\n@@ -5 +5 @@\n-1\n+2\n@@ -5 +5 @@\n-1\n+2\n", "line 6"),
    "one file twice": (PLAIN + PLAIN, "second time"),
    "no name": (b"--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+1\n", "line 1"),
}


@pytest.mark.parametrize(("data", "says"), MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_malformed_is_told_with_its_line(data: bytes, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as error:
        read_patch(data)
    assert "\n" not in str(error.value)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from([*PLAIN.split(b"\n"), b"+", b"-", b"\\ No newline", b"diff --git a/x b/x", b"@@ -1 +1 @@"])
    )
)
def test_any_text_is_a_change_or_one_sentence(lines: list[bytes]) -> None:
    try:
        found = read_patch(b"\n".join(lines))
    except ConfigError:
        return
    for file in found.files:
        found.blobs.before(file.path)
        found.blobs.after(file.path)


class TestAgainstTheTrees:
    """A diff that git wrote reads as the change between the trees it was made of."""

    @pytest.mark.parametrize("context", ["-U0", "-U1", "-U3", "-W"])
    def test_every_kind_of_change(self, tmp_path: Path, context: str) -> None:
        lines = "".join(f"{n}\n" for n in range(40))
        repo = make(
            tmp_path,
            {"m.py": lines, "d": "1\n2\n", "t": "t\n", "mode": "m", "empty": "e", "sp ace": "1\n", "bin": b"\0\1"},
        )
        edited = lines.replace("3\n", "three\n").replace("20\n", "-- a/x\n++ b/y\n")
        write(
            tmp_path,
            {"m.py": edited, "a/new": "n", "sp ace": "2", "empty": "", "mode": "m2", "q\n": "q\n", "bin": b"\0\2"},
        )
        (tmp_path / "d").unlink()
        (tmp_path / "t").unlink()
        (tmp_path / "t").symlink_to("m.py")
        (tmp_path / "mode").chmod(0o755)
        make(tmp_path / "sub", {"x": "x"})
        commit(tmp_path)
        real = read_change(repo, repo.resolve("HEAD~1"), repo.resolve("HEAD"))
        read = read_patch(diff(repo, context, "--no-renames", "--full-index"))
        assert read.files == real.files

    def test_a_mode_alone_tells_no_ids(self, tmp_path: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        (tmp_path / "a").chmod(0o755)
        commit(tmp_path)
        (file,) = read_patch(diff(repo)).files
        assert (file.path, file.old_mode, file.new_mode, file.new_blob) == ("a", "100644", "100755", "0" * 40)

    def test_renames_and_binary_patches(self, tmp_path: Path) -> None:
        text = "".join(f"{n}\n" for n in range(50))
        repo = make(tmp_path, {"old name": text, "bin": b"\0" * 500})
        (tmp_path / "old name").unlink()
        write(tmp_path, {"new name": text + "more\n", "bin": b"\0+\n-\n" * 300})
        commit(tmp_path)
        files = {file.path: file for file in read_patch(diff(repo, "-M", "--binary")).files}
        assert {path: file.status for path, file in files.items()} == {"bin": "M", "new name": "A", "old name": "D"}
        assert files["bin"].binary
        assert files["new name"].hunks == (Hunk(51, (), 51, (b"more",)),)

    @settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_any_text(self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
        lines = st.sampled_from(["a", "b", "c", "", " ", "-", "+", "-- x", "++ y", "@@ -1 +1 @@", "\\ x", "\r"])
        text = st.builds(
            lambda parts, end: "\n".join(parts) + end, st.lists(lines, max_size=15), st.sampled_from(["", "\n"])
        )
        texts = st.fixed_dictionaries({f"f{n}.py": text for n in range(4)})
        repo = make(tmp_path_factory.mktemp("r"), data.draw(texts))
        write(repo.root, data.draw(texts))
        commit(repo.root)
        real = read_change(repo, repo.resolve("HEAD~1"), repo.resolve("HEAD"))
        context = data.draw(st.sampled_from(["-U0", "-U1", "-U3"]))
        read = read_patch(diff(repo, context, "--full-index", "--no-indent-heuristic", "--diff-algorithm=myers"))
        assert read.files == real.files
        for file in read.files:
            whole = read_patch(diff(repo, context), contents=lambda path: [real.blobs.before(path) or b""])
            if file.hunks:
                assert whole.blobs.after(file.path) is not None
