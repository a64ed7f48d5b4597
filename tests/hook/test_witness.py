"""What a command really did is compared with what was approved: honest work passes, the rest is told and undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.system import ledger
from tests.hook.workshop import CLASSES, execute, executing, governed, records, ticket
from tests.project import commit, git

PACKAGE = '{"name": "a", "dependencies": {"left": "1"}}\n'
FILES = {
    "src/a.py": "one = 1\ntwo = 2\n",
    "src/empty.py": "",
    "src/kept.py": "kept = 1\n",
    "src/package.json": PACKAGE,
    "src/Dockerfile": "FROM a\n",
    ".gitignore": "build/\n",
}
ALL = {"approval": {"requiredFor": CLASSES, "requireReason": False}}
ROLLBACK = {**ALL, "checks": {"required": [], "rollbackOnFail": True}}
UNTIL_TOLD = "touch src/started; while ! test -e src/go; do sleep 0.05; done"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = governed(tmp_path / "project", FILES, **ALL)
    (root / "src" / "untracked").write_text("untracked\n")
    return root


HONEST = {
    "a new file": "echo x > src/new.py",
    "a changed file": "echo three >> src/a.py",
    "a file made and removed": "echo x > src/t; rm src/t",
    "a file written anew": "rm src/a.py; echo 'one = 2' > src/a.py",
    "a moved file": "mkdir src/b && mv src/a.py src/b/a.py",
    "a moved empty file": "mv src/empty.py src/none.py",
    "a file moved and edited": "mv src/a.py src/b.py; sed -i s/two/three/ src/b.py",
    "output that git ignores": "mkdir -p src/build && echo x > src/build/x && rm -r src/build",
    "an ignore rule for a file that is there": "echo untracked > src/.gitignore",
    "a script in the manifest": """sed -i 's/"name"/"scripts": {"x": "y"}, "name"/' src/package.json""",
    "nothing": "cat src/a.py",
}


@pytest.mark.parametrize("command", HONEST.values(), ids=HONEST)
def test_honest_work_is_no_violation(project: Path, command: str) -> None:
    done = execute(ticket(project, command))
    assert (done.returncode, done.stderr) == (0, "")
    assert records(project, "policy_violation") == []
    assert git(project, "for-each-ref", "refs/ralph") == ""


VIOLATIONS = {
    "a deleted file": ("rm src/a.py", "destructive_ops", "src/a.py"),
    "an emptied file": ("true > src/a.py", "destructive_ops", "src/a.py"),
    "a deleted file that is ignored from now on": (
        "rm src/a.py; echo a.py > src/.gitignore",
        "destructive_ops",
        "src/a.py",
    ),
    "a folder in a file's place": ("rm src/a.py; mkdir src/a.py", "destructive_ops", "src/a.py"),
    "a file that was never committed": ("rm src/untracked", "destructive_ops", "src/untracked"),
    "a dependency": ("sed -i s/left/evil/ src/package.json", "dependency_changes", "src/package.json"),
    "a lock file": ("echo x > src/package-lock.json", "dependency_changes", "src/package-lock.json"),
    "a path of production": ("echo RUN evil >> src/Dockerfile", "production_impacting_edits", "src/Dockerfile"),
    "in the background": ("(sleep 0.2; rm src/a.py) & sleep 0.5", "destructive_ops", "src/a.py"),
}


@pytest.mark.parametrize(("command", "name", "path"), VIOLATIONS.values(), ids=VIOLATIONS)
def test_what_nobody_approved_is_recorded_told_and_no_success(
    project: Path, command: str, name: str, path: str
) -> None:
    done = execute(ticket(project, command))
    assert done.returncode == 2
    assert done.stderr.startswith(f"ralph: The command changed {path} ({name}), which no person approved")
    assert done.stderr.count("\n") == 1
    (violation,) = records(project, "policy_violation")
    assert violation["effects"] == {name: [path]}
    assert (violation["target"], violation["sandbox_level"]) == (command, "bubblewrap")
    assert ledger.verify(project / "state" / "progress.jsonl").ok
    before = "untracked" if path == "src/untracked" else FILES.get(path, "").strip()
    assert not before or git(project, "show", f"{violation['checkpoint']}:{path}") == before


@pytest.mark.parametrize(("command", "name", "path"), VIOLATIONS.values(), ids=VIOLATIONS)
def test_what_a_person_approved_is_none(project: Path, command: str, name: str, path: str) -> None:
    done = execute(ticket(project, command, name))
    assert (done.returncode, done.stderr) == (0, "")
    assert records(project, "policy_violation") == []


def test_an_approval_of_another_class_does_not_cover_it(project: Path) -> None:
    done = execute(ticket(project, "rm src/a.py; echo x > src/yarn.lock", "dependency_changes"))
    assert done.returncode == 2
    assert list(records(project, "policy_violation")[0]["effects"]) == ["destructive_ops"]


def test_a_class_that_nobody_is_asked_about_is_none(tmp_path: Path) -> None:
    root = governed(tmp_path / "project", FILES, approval={"requiredFor": [], "requireReason": False})
    assert execute(ticket(root, "rm src/a.py")).returncode == 0


def test_the_commands_own_failure_is_passed_on(project: Path) -> None:
    done = execute(ticket(project, "rm src/a.py; exit 7"))
    assert done.returncode == 7
    assert "src/a.py" in done.stderr


def test_where_the_policy_says_so_the_tree_is_put_back_and_what_was_left_is_kept(tmp_path: Path) -> None:
    root = governed(tmp_path / "project", FILES, **ROLLBACK)
    (root / "src" / "kept.py").write_text("not committed\n")
    done = execute(ticket(root, "rm src/a.py; echo made > src/made; echo more >> src/kept.py"))
    assert done.returncode == 2
    assert (root / "src" / "a.py").read_text() == FILES["src/a.py"]
    assert (root / "src" / "kept.py").read_text() == "not committed\n"
    assert not (root / "src" / "made").exists()
    (undone,) = records(root, "rollback")
    assert undone["rejected"] in done.stderr
    assert git(root, "show", f"{undone['rejected']}:src/made") == "made"
    assert "more" in git(root, "show", f"{undone['rejected']}:src/kept.py")


def test_nothing_is_rolled_back_under_a_persons_hands(tmp_path: Path) -> None:
    """HEAD moved, and the command could not have moved it."""
    root = governed(tmp_path / "project", FILES, **ROLLBACK)
    with executing(ticket(root, f"rm src/a.py; {UNTIL_TOLD}"), root / "src" / "started") as running:
        commit(root, {"src/persons": "work"})
        (root / "src" / "go").touch()
        _, err = running.communicate(timeout=120)
    assert running.returncode == 2
    assert "somebody else works here" in err
    assert (root / "src" / "persons").exists()
    assert records(root, "rollback") == []


def test_an_approval_of_a_command_beside_it_covers_what_it_sees(project: Path) -> None:
    approved = ticket(project, "rm src/a.py; touch src/gone; sleep 3", "destructive_ops")
    with (
        executing(ticket(project, UNTIL_TOLD), project / "src" / "started") as running,
        executing(approved, project / "src" / "gone") as other,
    ):
        (project / "src" / "go").touch()
        _, err = running.communicate(timeout=120)
        other.communicate(timeout=120)
    assert (running.returncode, err, other.returncode) == (0, "", 0)


def test_a_reading_command_may_write_nowhere(project: Path) -> None:
    done = execute(ticket(project, "echo x > src/x; cat src/a.py", only_reads=True))
    assert done.stdout.endswith(FILES["src/a.py"])
    assert not (project / "src" / "x").exists()


def test_every_run_is_recorded_with_the_level_that_held(project: Path) -> None:
    execute(ticket(project, "exit 3"))
    execute(ticket(project, "cat src/a.py", only_reads=True))
    first, second = records(project, "command_run")
    assert (first["command"], first["exit_code"], first["rule"]) == ("exit 3", 3, "r")
    assert {first["sandbox_level"], second["sandbox_level"]} == {"bubblewrap"}
    assert ledger.verify(project / "state" / "progress.jsonl").ok


def test_a_log_from_before_ralph_is_kept(project: Path) -> None:
    (project / "state").mkdir()
    (project / "state" / "progress.jsonl").write_text('{"theirs": 1}\n')
    execute(ticket(project, "true"))
    assert records(project, "log_adopted")
    assert len(records(project, "command_run")) == 1


def test_a_damaged_log_is_an_error_and_no_success(project: Path) -> None:
    execute(ticket(project, "true"))
    log = project / "state" / "progress.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"exit_code":0', b'"exit_code":1'))
    done = execute(ticket(project, "true"))
    assert done.returncode == 2
    assert "damaged" in done.stderr
