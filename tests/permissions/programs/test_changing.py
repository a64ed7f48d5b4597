"""Programs that write and delete: exactly which paths they may change."""

from __future__ import annotations

import pytest

from ralph.permissions.model import ApprovalClass
from tests.permissions.programs.lines import shown, use_of, verdict

CHANGES = {
    "mkdir -p -m 755 src/a src/b": ["src/a", "src/b"],
    "touch -d now src/a": ["src/a"],
    "tee -a out": ["out"],
    "tee -- -a": ["-a"],
    "cp a b": ["b", "b/a"],
    "cp -T a b": ["b"],
    "cp src/a b/": ["b/a"],
    "cp src/a .": ["./a"],
    "cp src/a ..": ["../a"],
    "cp a x/b dir": ["dir/a", "dir/b"],
    "cp -t dir a x/b": ["dir/a", "dir/b"],
    "cp -vt dir a": ["dir/a"],
    "cp --target=dir a": ["dir/a"],
    "cp --parents x/a dir": ["dir", "dir/x/a"],
    "cp -r src/sub/ dir": ["dir", "dir/sub"],
    "cp -a x/. dir/": ["dir/."],
    "cp src/%.ts dir": ["dir", "dir/*.ts"],
    "mv a b": ["a", "b", "b/a"],
    "mv -n x/a y/b dir": ["x/a", "y/b", "dir/a", "dir/b"],
}
OTHERS = {
    "ln -s ../a src/link": ["../a", "src/../a", "src/link/../a", "src/link", "src/link/a"],
    "ln -s /etc src/etc": ["/etc", "/etc", "/etc", "src/etc", "src/etc/etc"],
    "ln a b": ["a", "b", "b/a"],
    "install -m 644 a dir/": ["dir/a"],
    "install -d x y": ["x", "y"],
    "chmod +x a": ["a"],
    "chmod -w a b": ["a", "b"],
    "chmod --reference=r a": ["a"],
    "chmod -R u=rwX,go= src": ["src"],
}
DELETES = {
    "rm -rf a b": ["a", "b"],
    "rm a -rf": ["a"],
    "rm -- -r": ["-r"],
    "rmdir a": ["a"],
    "rmdir -p a/b/c": ["a/b/c", "a/b", "a"],
    "unlink a": ["a"],
    "shred -u a": ["a"],
    "truncate -s 0 a": ["a"],
    "find . -delete": ["."],
    "find src tests -delete": ["src", "tests"],
    "find src -name '%.o' -delete".replace("%", "*"): ["src/*.o"],
    "find src -type f -name a -delete": ["src/a"],
    "find src ( -name a -o -name b ) -delete": ["src/a", "src/b"],
    "find . -name x -prune -o -name y -delete": ["./y"],
    # names that do not bound what is deleted
    "find src -delete -name a": ["src"],
    "find src -name a -o -delete": ["src"],
    "find src ! -name a -delete": ["src"],
    "find src -not ( -name a ) -delete": ["src"],
    "find src ( -name a -o -type f ) -delete": ["src"],
    "find src ( -name a -o ! -name b ) -delete": ["src"],
    "find src ( -name a -delete -o -true )": ["src"],
    "find src -name @x -delete": ["src"],
    "find src -path '*/a' -delete": ["src"],
}
REFUSED = [
    "find src -delete $x",
    "rm --no-preserve-root -r /",
    "cp -s a b",
    "cp -l a b",
    "cp --link a b",
    "install -s a b",
    "install -m 4755 a b",
]
UNKNOWN = ["cp a", "cp $a b", "cp @a b", "mv a", "cp %.ts dir", "mv -t $d a", "rm --frob a", "unlink a b"]


@pytest.mark.parametrize(("line", "writes"), CHANGES.items(), ids=CHANGES)
def test_it_changes_only_these_paths(line: str, writes: list[str]) -> None:
    use = use_of(line)
    assert (verdict(use), shown(use.writes), use.deletes) == ("changes", writes, ())


@pytest.mark.parametrize(("line", "writes"), OTHERS.items(), ids=OTHERS)
def test_it_changes_these_paths_and_more_than_their_contents(line: str, writes: list[str]) -> None:
    use = use_of(line)
    assert (verdict(use), shown(use.writes)) == ("other", writes)


@pytest.mark.parametrize(("line", "deletes"), DELETES.items(), ids=DELETES)
def test_it_deletes(line: str, deletes: list[str]) -> None:
    use = use_of(line)
    assert (verdict(use), shown(use.deletes)) == ("other", deletes)
    assert use.classes == {ApprovalClass.DESTRUCTIVE}


@pytest.mark.parametrize("line", REFUSED)
def test_it_is_refused(line: str) -> None:
    assert verdict(use_of(line)) == "refused"


@pytest.mark.parametrize("line", UNKNOWN)
def test_nobody_can_say(line: str) -> None:
    assert verdict(use_of(line)) == "unknown"


def test_what_is_copied_or_moved_is_read() -> None:
    assert shown(use_of("cp a b dir").reads) == ["a", "b"]
    assert shown(use_of("mv a dir").reads) == ["a"]
    assert shown(use_of("tar cf out a b").reads) == ["a", "b"]


def test_a_tree_may_bring_any_name_with_it() -> None:
    assert shown(use_of("cp -r a dir/").writes_below) == ["dir/a"]
    assert shown(use_of("cp a dir/").writes_below) == []
    assert shown(use_of("mv a dir/").writes_below) == ["a", "dir/a"]


@pytest.mark.parametrize(
    ("line", "folder"),
    [("tar xf a.tar", "."), ("tar -xzf a.tgz -C out", "out"), ("unzip a.zip", "."), ("unzip -o a.zip -d out", "out")],
)
def test_an_archive_may_bring_any_name_with_it(line: str, folder: str) -> None:
    use = use_of(line)
    assert (verdict(use), shown(use.writes), shown(use.writes_below)) == ("unknown", [folder], [folder])
