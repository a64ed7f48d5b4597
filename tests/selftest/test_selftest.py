"""`ralph selftest`: what is planted is caught, its twin is not, and the user's repository is not touched."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ralph.policy import registry
from ralph.selftest import derived, run, settings
from ralph.selftest.copy import throwaway
from ralph.selftest.crafts import CRAFTS
from ralph.selftest.model import Step
from ralph.selftest.project import Project
from ralph.selftest.samples import SAMPLES
from ralph.system.git import open_repository
from ralph.system.scratch import scratch
from tests.cli.command import Answer, ralph, refused
from tests.project import git, repository, write

V2 = registry.load("v2")
OWN = {
    "shop.py": "import os\nfrom pathlib import Path\n\n\ndef total(rows: list[int]) -> int:\n    return sum(rows)\n",
    "tests/test_shop.py": (
        "from shop import total\n\n\nclass TestTotal:\n    def test_adds(self) -> None:\n"
        "        assert total([1, 2]) == 3\n\n    def test_none(self) -> None:\n        assert total([]) == 0\n"
    ),
    "pyproject.toml": (
        '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n[tool.coverage.report]\nfail_under = 85\n'
        "[tool.mypy]\nstrict = true\n"
    ),
    ".github/workflows/ci.yml": (
        "name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n"
        "      - uses: actions/checkout@v4\n      - run: pytest\n"
    ),
    "Makefile": "test:\n\tpytest tests\n",
    "package.json": '{\n  "scripts": {\n    "test": "vitest run"\n  }\n}\n',
    "tsconfig.json": '{\n  "compilerOptions": {\n    "strict": true\n  }\n}\n',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", OWN)


def selftest(root: Path, *options: str) -> Answer:
    return ralph("selftest", "--policy", "v2", "--json", "-C", root, *options)


def everything(root: Path) -> dict[str, str]:
    """Every file, with its content, its mode and its time."""
    return {
        str(path.relative_to(root)): f"{path.lstat().st_mode} {path.lstat().st_mtime_ns} "
        + (hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in sorted(root.rglob("*"))
    }


@pytest.mark.parametrize("class_", ["G02", "G04", "G10", "G11", "g12", "G18"])
def test_every_cheat_is_caught_and_nothing_is_touched(root: Path, class_: str) -> None:
    write(root, {"new.py": "untracked\n"})
    before = everything(root)
    answer = selftest(root, "--class", class_)
    told = answer.document
    assert [each for each in told["cheats"] if not each["caught"] or each["honest"]["caught"]] == []
    assert (answer.code, told["missed"], told["false_alarms"]) == (0, 0, 0)
    assert told["planted"] == told["caught"] == len(told["cheats"]) > 2
    assert {each["class"] for each in told["cheats"]} == {class_.upper()}
    assert all(each["duration_ms"] > 0 for each in told["cheats"])
    assert everything(root) == before


def test_cheats_are_made_of_the_users_own_files(root: Path) -> None:
    with throwaway(open_repository(root)) as copy:
        project = Project(copy.repo, copy.commit)
        made = [*derived.cheats(project), *settings.cheats(project)]
        told = {(cheat.class_, cheat.origin) for cheat in made}
        assert told >= {
            ("G01", "shop.py"),
            ("G02", "tests/test_shop.py"),
            ("G04", "tests/test_shop.py"),
            ("G05", "tests/test_shop.py"),
            ("G10", ".github/workflows/ci.yml"),
            ("G10", "Makefile"),
            ("G10", "package.json"),
            ("G11", "pyproject.toml"),
            ("G12", "pyproject.toml"),
            ("G12", "tsconfig.json"),
        }
        found = list(run.outcomes(copy, made, V2))
    assert [(each.name, each.cheat.rules, each.honest.rules) for each in found if not each.good] == []


@pytest.mark.parametrize("language", sorted(CRAFTS))
def test_a_language_without_tests_gets_some(tmp_path: Path, language: str) -> None:
    suffix = next(iter(SAMPLES[language])).rpartition(".")[2]
    root = repository(tmp_path / "empty", {f"odd.{suffix}": "\n"})
    with throwaway(open_repository(root)) as copy:
        made = list(derived.cheats(Project(copy.repo, copy.commit)))
        assert {cheat.class_ for cheat in made} >= {"G01", "G02", "G04", "G05"}
        found = list(run.outcomes(copy, made, V2))
    assert [(each.name, each.cheat.rules, each.honest.rules) for each in found if not each.good] == []


def test_claims_are_part_of_it(root: Path) -> None:
    told = selftest(root, "--class", "G20")
    assert (told.code, {each["by"] for each in told.document["cheats"]}) == (0, {"gate"})


def test_what_is_missed_is_told(root: Path) -> None:
    answer = ralph("selftest", "--policy", "v1", "--class", "G04", "-C", root)
    assert answer.code == 1
    assert "MISSED  delete a file of tests (python) in tests/test_shop.py: by nothing" in answer.out
    assert "0 caught" in answer.out


def test_a_class_that_no_rule_answers_is_no_success(root: Path) -> None:
    assert ralph("selftest", "--policy", "v1", "--class", "S01", "-C", root).code == 1


def test_bad_input_is_one_sentence(root: Path, tmp_path: Path) -> None:
    refused(selftest(root, "--class", "G99"), "there is no class 'G99'")
    refused(selftest(tmp_path), "repository")
    git(tmp_path, "init", "-q", "unborn")
    refused(selftest(tmp_path / "unborn"), "no commit yet")
    refused(ralph("selftest", "--policy", "v99", "-C", root), "v99")


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """A tree may hold links that lead anywhere; the copy has them, and what is planted must not follow them."""
    outside = tmp_path / "outside"
    write_to = {"test_total.py": "mine\n", "total.py": "mine\n"}
    outside.mkdir()
    write(outside, write_to)
    root = repository(tmp_path / "project", {"a.py": "x = 1\n"})
    for name in ("tests", "src", "selftest", "spec", ".github"):
        (root / name).symlink_to(outside)
    (root / "pyproject.toml").symlink_to(outside / "total.py")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "links")
    before = everything(outside)
    with throwaway(open_repository(root)) as copy:
        step = Step(base={"tests/test_total.py": b"x\n", "src/a/b.py": b"y\n"}, change={"pyproject.toml": b"z\n"})
        copy.judge(step, V2)
        copy.judge(Step(base={"src": b"file\n"}, change={"src": None, "a.py/b": b"x\n"}), V2)
    assert everything(outside) == before


def test_a_copy_is_as_it_was_after_each_step(root: Path) -> None:
    with throwaway(open_repository(root)) as copy:
        before = {path: (copy.repo.root / path).read_bytes() for path in OWN}
        for kind in ("symlink", "submodule", "unwatched", "ignored", ""):
            change = {"shop.py": b"gone\n", "new/one.txt": b"../x\n"}
            copy.judge(Step(base={}, change=change, kinds={"new/one.txt": kind}), V2)
            assert {path: (copy.repo.root / path).read_bytes() for path in OWN} == before
            assert not (copy.repo.root / "new/one.txt").exists()


def test_a_kill_leaves_the_repository_alone_and_the_next_run_cleans_up(root: Path, tmp_path: Path) -> None:
    before = everything(root)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environ = {**os.environ, "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "ralph", "selftest", "--policy", "v2", "-C", str(root)]
    process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    while b"caught" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert everything(root) == before
    assert list(temporary.rglob("selftest-*/copy")), "it was killed in the middle"
    deadline = time.monotonic() + 120
    while list(temporary.rglob("selftest-*")):  # what it had started may still be on its way out
        assert time.monotonic() < deadline
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tempfile.tempdir", str(temporary))
            with scratch("next"):
                pass
