"""To which classes a write belongs, by its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.permissions.classes import classes_of_path, classes_of_write, configured_classes
from ralph.permissions.disk import here
from ralph.permissions.model import ApprovalClass
from ralph.permissions.paths import locate
from tests.permissions.policies import permissions

DESTRUCTIVE, DEPENDENCY, PRODUCTION = ApprovalClass

PATHS: dict[frozenset[ApprovalClass], str] = {
    frozenset({DEPENDENCY}): """
        package.json packages/a/package.json PACKAGE.JSON package-lock.json yarn.lock pnpm-lock.yaml bun.lock uv.lock
        poetry.lock pyproject.toml setup.py Pipfile.lock requirements.txt requirements-dev.txt requirements/dev.txt
        Cargo.toml Cargo.lock go.mod go.sum .npmrc web/.yarnrc.yml pip.conf Gemfile
    """,
    frozenset({PRODUCTION}): """
        infra/main.tf Dockerfile docker/Dockerfile.prod a/b.tf deploy/x .github/workflows/ci.yml .GitHub/x k8s/a.yml
        docker-compose.yml migrations/001.sql terraform/main.tf .gitlab-ci.yml src/../infra/x
    """,
    frozenset({DEPENDENCY, PRODUCTION}): "infra/requirements.txt",
    frozenset(): """
        src/deploy.ts src/deploy.yml docs/release-notes.md src/infra/x.ts src/package.json.md src/requirements.py
        deployment.md state/tasks.jsonl
    """,
}
CLASSES = {path: classes for classes, paths in PATHS.items() for path in paths.split()}


@pytest.mark.parametrize(("path", "classes"), CLASSES.items(), ids=CLASSES)
def test_the_classes_of_a_path(path: str, classes: frozenset[ApprovalClass], tmp_path: Path) -> None:
    assert classes_of_write(locate(path, None, here(tmp_path)), permissions()) == classes


def test_a_link_does_not_change_the_class(tmp_path: Path) -> None:
    (tmp_path / "infra").mkdir()
    (tmp_path / "src").symlink_to("infra")
    assert classes_of_write(locate("src/x", None, here(tmp_path)), permissions()) == {PRODUCTION}


def test_a_policy_adds_to_the_list(tmp_path: Path) -> None:
    rules = permissions("approval.paths", {"production_impacting_edits": ["ops/**"], "destructive_ops": ["data"]})
    place = here(tmp_path)
    for path, classes in {"ops/x": {PRODUCTION}, "data/x/y": {DESTRUCTIVE}, "infra/x": set()}.items():
        assert configured_classes(locate(path, None, place), rules) == classes
    assert classes_of_write(locate("infra/x", None, place), rules) == {PRODUCTION}
    assert classes_of_path("Ops/x", rules) == {PRODUCTION}


def test_what_is_nowhere_has_no_class(tmp_path: Path) -> None:
    for path in ("/etc/package.json", "../infra/x", "/dev/null", "a\0b"):
        assert classes_of_write(locate(path, None, here(tmp_path)), permissions()) == set()
