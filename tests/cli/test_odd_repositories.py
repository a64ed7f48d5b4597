"""`ralph verify` on repositories that are not as expected: a clear sentence and exit code 3, or a right verdict."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import CONTEXT, ralph, refused, verify, words
from tests.project import commit, git, repository, write

Prepare = Callable[[Path], Path | None]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return words(tmp_path / "project")


def no_repository(root: Path) -> None:
    shutil.rmtree(root / ".git")


def no_directory(root: Path) -> None:
    shutil.rmtree(root)


def a_file(root: Path) -> Path:
    return root / "a.md"


def inside_the_git_directory(root: Path) -> Path:
    return root / ".git" / "objects"


def bare(root: Path) -> Path:
    git(root, "clone", "-q", "--bare", ".", str(root.parent / "bare"))
    return root.parent / "bare"


def sparse(root: Path) -> None:
    commit(root, {"d/x.md": "x\n"})
    git(root, "sparse-checkout", "set", "--no-cone", "/a.md")


def a_broken_index(root: Path) -> None:
    (root / ".git/index").write_bytes(b"noise")


def a_broken_configuration(root: Path) -> None:
    (root / ".git/config").write_text("[broken\n")


def a_configuration_that_is_a_pipe(root: Path) -> None:
    (root / ".git/config").unlink()
    os.mkfifo(root / ".git/config")


def an_exclusion_that_is_a_pipe(root: Path) -> None:
    (root / ".git/info/exclude").unlink()
    os.mkfifo(root / ".git/info/exclude")


def a_broken_head(root: Path) -> None:
    (root / ".git/HEAD").write_text("noise")


def a_branch_that_leads_nowhere(root: Path) -> None:
    (root / ".git/refs/heads/main").write_text("1" * 40 + "\n")


def lost_objects(root: Path) -> None:
    shutil.rmtree(root / ".git/objects")
    (root / ".git/objects").mkdir()


def a_git_file_to_nowhere(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").write_text("gitdir: /nowhere\n")


def a_git_file_of_noise(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").write_bytes(b"\xff\x00")


def a_git_pipe(root: Path) -> None:
    shutil.rmtree(root / ".git")
    os.mkfifo(root / ".git")


def a_pipe_for_a_tracked_file(root: Path) -> None:
    (root / "a.md").unlink()
    os.mkfifo(root / "a.md")


def no_room_for_evidence(root: Path) -> None:
    (root / ".ralph").write_text("")


def evidence_led_elsewhere(root: Path) -> None:
    (root.parent / "elsewhere").mkdir()
    (root / ".ralph").symlink_to(root.parent / "elsewhere")


def a_ledger_that_is_a_pipe(root: Path) -> None:
    (root / ".ralph/audit").mkdir(parents=True)
    os.mkfifo(root / ".ralph/audit/ledger.jsonl")


REFUSED: list[tuple[Prepare, tuple[str, ...]]] = [
    (no_repository, ("not in a git repository", "`git init`")),
    (no_directory, ("does not exist",)),
    (a_file, ("is a file",)),
    (inside_the_git_directory, ("inside a git directory", "working copy")),
    (bare, ("bare repository", "clone it")),
    (sparse, ("sparse checkout", "`git sparse-checkout disable`")),
    (a_broken_index, (".git/index", "mend")),
    (a_broken_configuration, (".git/config", "mend")),
    (a_configuration_that_is_a_pipe, (".git/config", "restore it")),
    (an_exclusion_that_is_a_pipe, ("info/exclude", "remove it")),
    (a_broken_head, ("not a git repository", "mend")),
    (a_branch_that_leads_nowhere, ("is missing", "restore the repository")),
    (lost_objects, ("is missing", "restore the repository")),
    (a_git_file_to_nowhere, ("/nowhere is not a git directory",)),
    (a_git_file_of_noise, ("does not begin with `gitdir: `",)),
    (a_git_pipe, ("neither a directory nor a file",)),
    (a_pipe_for_a_tracked_file, ("a.md", "remove")),
    (no_room_for_evidence, (".ralph", "cannot be written", "make room")),
    (evidence_led_elsewhere, (".ralph is a symbolic link", "remove it")),
    (a_ledger_that_is_a_pipe, ("ledger.jsonl", "remove it")),
]


@pytest.mark.parametrize(("prepare", "said"), REFUSED)
def test_refused(project: Path, prepare: Prepare, said: tuple[str, ...]) -> None:
    place = prepare(project) or project
    refused(verify(place, "--contract", project.parent / "contract.yaml"), *said)
    assert not (project.parent / "elsewhere" / "audit").exists()


def no_commit(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / "ralph-context.yaml").unlink()
    git(root, "init", "-q", "-b", "main")


def detached(root: Path) -> None:
    git(root, "checkout", "-q", "--detach")


def shallow(root: Path) -> Path:
    commit(root, {"a.md": "two\n"})
    git(root, "clone", "-q", "--depth", "1", root.as_uri(), str(root.parent / "shallow"))
    return root.parent / "shallow"


def linked_worktree(root: Path) -> Path:
    git(root, "worktree", "add", "-q", "-b", "side", str(root.parent / "linked"))
    return root.parent / "linked"


def no_index(root: Path) -> None:
    (root / ".git/index").unlink()


def submodule(root: Path) -> None:
    repository(root.parent / "other", {"s.py": "x = 1\n"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root.parent / "other"), "sub")


def tracked_submodule(root: Path) -> None:
    submodule(root)
    git(root, "commit", "-qam", "a submodule")


def changed_submodule(root: Path) -> None:
    tracked_submodule(root)
    write(root, {"sub/s.py": "x = 2\n"})


def moved_submodule(root: Path) -> None:
    tracked_submodule(root)
    commit(root / "sub", {"s.py": "x = 2\n"})


def nested_repository(root: Path) -> None:
    repository(root / "nested", {"s.py": "x = 1\n"})


def a_link_out(root: Path) -> None:
    (root / "out.md").symlink_to("/etc/passwd")


def a_link_to_itself(root: Path) -> None:
    (root / "loop").symlink_to("loop")


def a_context_that_is_a_link(root: Path) -> None:
    (root / "ralph-context.yaml").unlink()
    (root / "ralph-context.yaml").symlink_to("/etc/passwd")


def an_untracked_pipe(root: Path) -> None:
    os.mkfifo(root / "pipe")


def a_large_file(root: Path) -> None:
    with (root / "large.bin").open("wb") as file:
        file.truncate(50 << 20)


def a_long_line(root: Path) -> None:
    (root / "long.py").write_text('x = "' + "a" * (10 << 20) + '"\n')


def deep_files(root: Path) -> None:
    (root / ".eslintrc.yml").write_text("[" * 200_000)
    (root / "package.json").write_text('{"a":' * 100_000)
    (root / "deep.py").write_text("(" * 100_000)


def a_cache_without_room(root: Path) -> None:
    (root / ".ralph").mkdir()
    (root / ".ralph/cache").write_text("")


def a_cache_of_pipes(root: Path) -> None:
    verify(root)
    for path in (root / ".ralph/cache/verdicts").iterdir():
        path.unlink()
        os.mkfifo(path)


JUDGED: list[tuple[Prepare, str, str]] = [
    (no_commit, "PASS", ""),
    (detached, "PASS", ""),
    (shallow, "PASS", ""),
    (linked_worktree, "PASS", ""),
    (no_index, "PASS", ""),
    (submodule, "BLOCKED", "tree.gitlink"),
    (tracked_submodule, "PASS", ""),
    (changed_submodule, "BLOCKED", "tree.gitlink"),
    (moved_submodule, "BLOCKED", "tree.gitlink"),
    (nested_repository, "BLOCKED", "tree.gitlink"),
    (a_link_out, "BLOCKED", "tree.symlink-escape"),
    (a_link_to_itself, "PASS", ""),
    (a_context_that_is_a_link, "BLOCKED", "tree.governance-file"),
    (an_untracked_pipe, "PASS", ""),
    (a_large_file, "PASS", ""),
    (a_long_line, "PASS", ""),
    (a_cache_without_room, "PASS", ""),
    (a_cache_of_pipes, "PASS", ""),
]


@pytest.mark.parametrize(("prepare", "kind", "rule"), JUDGED)
def test_judged(project: Path, prepare: Prepare, kind: str, rule: str) -> None:
    place = prepare(project) or project
    contract = project.parent / "contract.yaml"
    answer = verify(place, "--contract", contract)
    assert answer.err == ""
    verdict = answer.document
    assert verdict["type"] == kind
    assert not rule or rule in [finding["rule"] for finding in verdict["findings"]]
    assert ralph("audit", "verify", "last", "-C", place, "--json").document["holds"]


def test_files_too_deep_for_a_parser_are_unreadable_not_fatal(project: Path) -> None:
    deep_files(project)
    verdict = verify(project, "--policy", "v2").document
    assert verdict["type"] == "BLOCKED"
    assert {"cfg.unreadable"} <= {finding["rule"] for finding in verdict["findings"]}


def test_a_base_that_a_shallow_clone_lacks(project: Path) -> None:
    place = shallow(project)
    refused(verify(place, "--base", "HEAD~1"), "'HEAD~1' names no commit", "shallow")


NAMES = [
    b"with space",
    b"new\nline",
    b"caf\xe9",
    "emoji \U0001f600".encode(),
    b"--help",
    b"tab\t",
    b'"quote"',
    b"back\\slash",
    b"\x1b[31mred",
    b":(glob)x",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_any_name_of_a_file_is_judged_and_shown_safely(project: Path, name: bytes) -> None:
    path = Path(os.fsdecode(os.fsencode(project) + b"/" + name + b".py"))
    path.write_text("x = 1  # noqa\n")
    verdict = verify(project).document
    assert verdict["type"] == "BLOCKED"
    assert {os.fsencode(finding["path"]) for finding in verdict["findings"]} == {name + b".py"}
    assert ralph("audit", "verify", "last", "-C", project, "--json").document["holds"]
    assert ralph("audit", "replay", "last", "-C", project, "--json").document["outcome"] == "same"
    for shown in (ralph("audit", "show", "last", "-C", project), ralph("scan", "-C", project)):
        assert "\x1b" not in shown.out
        shown.out.encode()


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_any_name_of_a_repository(tmp_path: Path, name: bytes) -> None:
    root = words(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)))
    write(root, {"a.md": "two\n"})
    assert verify(root).document["type"] == "PASS"
    assert ralph("audit", "verify", "last", "-C", root, "--json").document["holds"]


REPORTS = (
    CONTEXT.replace("{}", '{lint: "true", coverage: "bash write.sh"}') + "paths: {coverage_report: coverage.json}\n"
)


def report_is_a_folder(root: Path) -> None:
    (root / "coverage.json").mkdir()
    write(root, {"coverage.json/kept.txt": "the user's\n"})


def report_leads_out(root: Path) -> None:
    (root.parent / "secret.json").write_text("the user's\n")
    (root / "coverage.json").symlink_to(root.parent / "secret.json")


@pytest.mark.parametrize("prepare", [report_is_a_folder, report_leads_out])
def test_a_place_for_reports_that_is_taken(tmp_path: Path, prepare: Callable[[Path], None]) -> None:
    root = repository(tmp_path / "project", {"ralph-context.yaml": REPORTS, "write.sh": "echo {} > coverage.json\n"})
    write(root, {".gitignore": "coverage.json\n"})
    prepare(root)
    verdict = ralph("verify", "-C", root, "--json").document
    coverage = next(step for step in verdict["steps"] if step["name"] == "coverage")
    assert coverage["status"] == "error"
    kept = root / "coverage.json/kept.txt" if prepare is report_is_a_folder else tmp_path / "secret.json"
    assert kept.read_text() == "the user's\n"
    assert (root / "coverage.json").is_symlink() == (prepare is report_leads_out)
