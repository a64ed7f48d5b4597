"""What a change does to the tree itself, under every policy set."""

from __future__ import annotations

import hashlib

import pytest

from ralph.guardrails.model import Change, FileChange, Hunk
from ralph.guardrails.scan import scan
from ralph.guardrails.tree_rules import governs
from ralph.policy import registry
from tests.guardrails.memory import MemoryBlobs, change

VERSIONS = registry.available()


def rules(subject: Change, version: str = "v1", **accepted: str) -> list[tuple[str, str]]:
    found = scan(subject, registry.load(version), accepted)
    return [(finding.rule, finding.severity) for finding in found if finding.rule.startswith("tree.")]


def entry(
    path: str, new_mode: str, target: str = "", status: str = "A", tree: tuple[str, ...] = ("src/a.py",)
) -> Change:
    """A change of one entry that is no regular file."""
    file = FileChange(
        path=path,
        status=status,  # type: ignore[arg-type]
        old_mode="000000" if status == "A" else "100644",
        new_mode=new_mode,
        old_blob="0" * 40,
        new_blob="1" * 40,
        hunks=(Hunk(1, (), 1, tuple(target.encode().split(b"\n"))),) if target else (),
    )
    return Change(files=(file,), blobs=MemoryBlobs({}, dict.fromkeys(tree, b"")))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("status", ["A", "M", "T"])
def test_a_gitlink_blocks(version: str, status: str) -> None:
    assert rules(entry("vendor/lib", "160000", status=status), version) == [("tree.gitlink", "block")]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "path",
    [
        "ralph-context.yaml",
        "ralph.policy.json",
        "ralph.yml",
        "packages/web/ralph-context.yaml",
        "Ralph.YML",
        ".ralph/state.json",
        "sub/.ralph/prompts/build.md",
        "adapters/x/ralph-context.yml",
    ],
)
def test_governance_files_are_closed_to_the_change(version: str, path: str) -> None:
    for before, after in [({}, {path: "a: 1\n"}), ({path: "a: 1\n"}, {path: "a: 2\n"}), ({path: "a: 1\n"}, {})]:
        assert rules(change(before, after), version) == [("tree.governance-file", "block")]


@pytest.mark.parametrize(
    "path", ["ralph.md", "src/ralph/engine.py", "docs/ralph-context.yaml.md", "context.yaml", "a.ralph/x"]
)
def test_other_files_are_open(path: str) -> None:
    assert not governs(path)


class TestAccepted:
    TEXT = "project: {}\n"
    DIGEST = hashlib.sha256(TEXT.encode()).hexdigest()

    def found(self, before: dict[str, str], text: str) -> list[tuple[str, str]]:
        accepted = {"ralph-context.yaml": self.DIGEST}
        subject = change(before, {"ralph-context.yaml": text})
        return [(each.rule, each.severity) for each in scan(subject, registry.load("v1"), accepted)]

    def test_a_file_that_a_person_accepted_counts_as_base(self) -> None:
        assert self.found({}, self.TEXT) == []

    def test_with_one_byte_changed_it_does_not(self) -> None:
        assert self.found({}, self.TEXT + " ") == [("tree.governance-file", "block")]

    def test_a_file_of_the_base_is_the_base_s(self) -> None:
        assert self.found({"ralph-context.yaml": "old\n"}, self.TEXT) == [("tree.governance-file", "block")]


@pytest.mark.parametrize(
    ("path", "target", "status", "expected"),
    [
        ("data", "/etc/passwd", "A", "tree.symlink-escape"),
        ("src/data", "../../outside", "A", "tree.symlink-escape"),
        ("src/data", "./../../x", "M", "tree.symlink-escape"),
        ("data", "..", "A", "tree.symlink-escape"),
        ("data", ".git/config", "A", "tree.symlink-escape"),
        ("src/data", "../.git/../.git/hooks", "A", "tree.symlink-escape"),
        ("data", "", "A", "tree.symlink-escape"),
        ("data", "a\n/../../b", "A", "tree.symlink-escape"),
        ("src/b.py", "a.py", "A", None),
        ("src/b.py", "notes.txt", "A", "tree.symlink-disguise"),
        ("src/b.py", "gone.py", "A", "tree.symlink-disguise"),
        ("src/b.py", "a.ts", "A", "tree.symlink-disguise"),
        ("src/b.py", "a.py", "T", "tree.symlink-replaces-file"),
        ("README", "docs/index.md", "T", "tree.symlink-replaces-file"),
        ("README", "docs/index.md", "A", None),
        ("docs/current", "v1", "A", None),
    ],
)
def test_symbolic_links(path: str, target: str, status: str, expected: str | None) -> None:
    tree = ("src/a.py", "src/notes.txt", "src/a.ts", "docs/index.md", "docs/v1/x.md")
    found = [rule for rule, _ in rules(entry(path, "120000", target, status, tree))]
    assert found == ([expected] if expected else [])


def test_a_link_that_is_gone_is_no_finding() -> None:
    assert rules(entry("data", "000000", status="D")) == []
