"""What the file rules say about a path, on a real disk with real links."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ralph.permissions.disk import here
from ralph.permissions.model import Outcome
from ralph.permissions.paths import Access, PathDecision, judge_path, locate
from ralph.permissions.place import Place
from tests.permissions.policies import permissions

ALLOW, APPROVE, DENY = Outcome.ALLOW, Outcome.APPROVE, Outcome.DENY


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project with a secret, links of all kinds, and something outside."""
    root = tmp_path / "project"
    for folder in ("src/deep", "docs", "config", "state", ".git/hooks", "node_modules/x", "sub/.git", "packages/a"):
        (root / folder).mkdir(parents=True)
    for name in (".env", "config/.env", "src/a.ts", "docs/dist", "package.json", "state/progress.jsonl"):
        (root / name).write_text("x")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("x")
    links = {
        "src/env": "../.env",
        "src/out": "../../outside",
        "src/up": "..",
        "src/loop": "loop",
        "src/gone": "../../outside/new",
        "src/back": "deep",
        "src/null": "/dev/null",
        "src/proc": "/proc/self/cwd/src/a.ts",
        "root-again": ".",
        "hooks": ".git/hooks",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.link(root / ".env", root / "src" / "hard")
    os.mkfifo(root / "src" / "pipe")
    return here(root)


def judged(path: str, access: Access, place: Place, **rules: Any) -> PathDecision:
    return judge_path(locate(path, rules.pop("cwd", None), place), access, permissions(**rules))


READS: dict[str, Outcome | None] = {
    "src/a.ts": ALLOW,
    "./src//a.ts": ALLOW,
    "src/new.ts": ALLOW,
    ".": ALLOW,
    "package.json": ALLOW,
    "src/../package.json": ALLOW,
    "src/up/package.json": ALLOW,
    "root-again/root-again/src/a.ts": ALLOW,
    ".envrc": ALLOW,
    ".environment.md": ALLOW,
    ".env.example": ALLOW,
    ".gitignore": ALLOW,
    ".git/config": ALLOW,
    "/dev/null": ALLOW,
    "/dev/stdin": ALLOW,
    "/dev/fd/0": ALLOW,
    ".env": DENY,
    "./.env": DENY,
    ".//.env": DENY,
    "src/../.env": DENY,
    ".ENV": DENY,
    ".Env": DENY,
    "．env": DENY,  # a full-width stop, which some file systems take for a stop
    ".env\ufe0f": DENY,
    ".env/": DENY,
    ".env/x": DENY,
    ".env\u200b": DENY,
    ".e\u00adnv": DENY,
    ".env\0": DENY,
    ".env\n": DENY,
    "config/.env": DENY,
    "src/env": DENY,
    "src/up/.env": DENY,
    "root-again/.env": DENY,
    "nothing/../.env": DENY,
    ".git/objects/aa/bb": DENY,
    ".git/../.git/objects": DENY,
    "": DENY,
    "..": DENY,
    "../outside/secret": DENY,
    "src/out/secret": DENY,
    "src/gone": DENY,
    "src/loop": DENY,
    "src/loop/../a.ts": DENY,
    "src/pipe": DENY,
    "src/proc": DENY,
    "/etc/passwd": DENY,
    "//etc/passwd": DENY,
    "~/.ssh/id_rsa": DENY,
    "~": DENY,
    "~root/.ssh/id_rsa": DENY,
    "~+/src": DENY,
    "/proc/self/cwd/src/a.ts": DENY,
    "/proc/self/root/etc/shadow": DENY,
    "/proc/1/environ": DENY,
    "//proc/self/environ": DENY,
    "/x/../proc/self/environ": DENY,
    "/sys/kernel": DENY,
    "/dev/tcp/1.2.3.4/80": DENY,
    "/dev/udp/1.2.3.4/53": DENY,
    "/dev/zero": DENY,
    "/dev/random": DENY,
    "/dev/sda": DENY,
    "/dev/fd/3": DENY,
    "/dev/fd/../null": ALLOW,
    "/dev/stdout": DENY,
    "/dev": DENY,
    "x" * 5000: DENY,
    "x" * 300: DENY,
    "\udcff": DENY,
}


@pytest.mark.parametrize(("path", "outcome"), READS.items(), ids=[ascii(path[:40]) for path in READS])
def test_reading(path: str, outcome: Outcome | None, place: Place) -> None:
    decision = judged(path, "read", place)
    assert decision.outcome is outcome, decision
    assert decision.rule
    assert decision.reason.isprintable()


WRITES: dict[str, Outcome | None] = {
    "src/a.ts": ALLOW,
    "src/back/new.ts": ALLOW,
    "SRC/a.ts": None,
    "srcevil/a.ts": None,
    "docs.md": None,
    "package.json": None,
    "src/../package.json": None,
    "README.md": None,
    ".gitignore": None,
    "config/.env": None,
    "distribution.md": None,
    "infra/main.tf": None,
    "state/tasks.jsonl": ALLOW,
    "state/test.log": ALLOW,
    "/dev/null": ALLOW,
    "/dev/stdout": ALLOW,
    "/dev/stderr": ALLOW,
    "/dev/stdin": DENY,
    "/dev/fd/2": ALLOW,
    "/dev/fd/3": DENY,
    "/dev/full": DENY,
    "src/null": DENY,
    "/tmp/x": DENY,
    "src/out/x": DENY,
    "src/gone": DENY,
    "src/hard": DENY,
    "src/pipe": DENY,
    "node_modules/x/index.js": DENY,
    "packages/a/node_modules/x": DENY,
    "dist/x": DENY,
    "DIST/x": DENY,
    "docs/dist": DENY,
    "src/node_modules/x": DENY,
    ".git/config": DENY,
    ".git": DENY,
    ".GIT/hooks/x": DENY,
    "hooks/pre-commit": DENY,
    "src/up/.git/HEAD": DENY,
    "sub/.git/config": DENY,
    "src/../.git/hooks/pre-commit": DENY,
    ".ralph/state.json": DENY,
    ".Ralph/x": DENY,
    "src/.ralph/x": DENY,
    "state/progress.jsonl": DENY,
    "state/Progress.jsonl": DENY,
    "./state//progress.jsonl": DENY,
    "state/progress.jsonl.bak": DENY,
    "state/.progress.jsonl.lock": DENY,
    "state/learning.jsonl": DENY,
    "ralph.policy.json": DENY,
    "src/../ralph.policy.json": DENY,
    "RALPH.POLICY.JSON": DENY,
    "ralph.yml": DENY,
    "ralph-context.yaml": DENY,
    "src/ralph.yml": APPROVE,
    ".claude/settings.json": DENY,
    "src/.claude/settings.json": APPROVE,
    "src/.vscode/tasks.json": APPROVE,
    ".envrc": DENY,
    ".husky/pre-commit": DENY,
    ".mcp.json": DENY,
}


@pytest.mark.parametrize(("path", "outcome"), WRITES.items(), ids=[ascii(path) for path in WRITES])
def test_writing(path: str, outcome: Outcome | None, place: Place) -> None:
    decision = judged(path, "write", place)
    assert decision.outcome is outcome, decision


DELETIONS: dict[str, Outcome | None] = {
    "src/a.ts": ALLOW,
    "src/deep": ALLOW,
    "src": ALLOW,
    "src/env": ALLOW,  # the link, not what it leads to
    "src/out": ALLOW,
    "src/out/": DENY,
    "src/loop": DENY,
    "package.json": None,
    "docs": ALLOW,
    "config": None,
    ".": DENY,
    "./": DENY,
    "src/..": DENY,
    "src/up/": DENY,
    "..": DENY,
    "/": DENY,
    "~": DENY,
    ".git": DENY,
    "state": DENY,
    "State": DENY,
    "state/": DENY,
    "state/progress.jsonl": DENY,
    "node_modules": DENY,
    ".ralph": DENY,
    "/dev/null": DENY,
}


@pytest.mark.parametrize(("path", "outcome"), DELETIONS.items(), ids=DELETIONS)
def test_deleting(path: str, outcome: Outcome | None, place: Place) -> None:
    decision = judged(path, "delete", place)
    assert decision.outcome is outcome, decision


def test_a_folder_goes_only_if_all_in_it_may_go(place: Place) -> None:
    rules = {"allowWrite": ["."], "denyWrite": ["packages/a/keep", "src/*/locked"]}
    assert judged("packages/a", "delete", place, **rules).rule == "files.denyWrite: packages/a/keep"
    assert judged("packages", "delete", place, **rules).outcome is DENY
    assert judged("packages/b", "delete", place, **rules).outcome is ALLOW
    assert judged("src/deep", "delete", place, **rules).outcome is DENY
    assert judged("docs", "delete", place, **rules).outcome is ALLOW


def test_a_folder_of_the_command_counts(place: Place) -> None:
    assert judged("a.ts", "write", place, cwd=f"{place.root}/src").outcome is ALLOW
    assert judged("../.env", "read", place, cwd=f"{place.root}/src").outcome is DENY
    assert judged("config", "write", place, cwd=f"{place.root}/.git").outcome is DENY
    assert judged("pre-commit", "write", place, cwd=f"{place.root}/hooks").outcome is DENY


CORE: dict[str, Outcome | None] = {
    "package.json": None,
    "/etc/passwd": DENY,
    ".git/HEAD": DENY,
    ".ralph/x": DENY,
    "state/learning.jsonl": DENY,
    "ralph.policy.json": APPROVE,
    "ralph.yml": APPROVE,
    ".claude/settings.json": APPROVE,
    ".codex/config.toml": APPROVE,
    ".envrc": APPROVE,
    "node_modules/x": DENY,
}


@pytest.mark.parametrize(("path", "outcome"), CORE.items(), ids=CORE)
def test_core_mode_asks_about_what_delivery_denies(path: str, outcome: Outcome | None, place: Place) -> None:
    assert judged(path, "write", place, mode="core").outcome is outcome


NAMED: dict[tuple[str, str], Outcome | None] = {
    (".husky", ".husky/pre-commit"): ALLOW,
    (".vscode/tasks.json", ".vscode/tasks.json"): ALLOW,
    (".claude", ".claude/settings.json"): APPROVE,
    (".", ".husky/pre-commit"): APPROVE,
    ("**", ".husky/pre-commit"): APPROVE,
    ("src", "src/.husky/x"): APPROVE,
    ("ralph.yml", "ralph.yml"): APPROVE,
    (".ralph", ".ralph/x"): DENY,
    (".git", ".git/config"): DENY,
    ("state/progress.jsonl", "state/progress.jsonl"): DENY,
}


@pytest.mark.parametrize(("rule", "path"), NAMED, ids=["".join(f"{rule}: {path}") for rule, path in NAMED])
def test_what_a_policy_can_open(rule: str, path: str, place: Place) -> None:
    assert judged(path, "write", place, allowWrite=[rule], denyWrite=[]).outcome is NAMED[rule, path]


ALLOWED: dict[tuple[str, str], bool] = {
    ("src", "src/x/y"): True,
    ("./src/", "src/x"): True,
    ("src/*", "src/x"): True,
    ("src/*", "src/x/y"): False,
    ("src/**", "src/x/y"): True,
    ("**/*.md", "docs/a/b.md"): True,
    ("**/*.md", "b.md"): True,
    ("*.md", "b.md"): True,
    ("*.md", "docs/b.md"): False,
    ("packages/*/src", "packages/a/src/x"): True,
    ("packages/*/src", "packages/a/b/src/x"): False,
    ("app/[id]/page.ts", "app/[id]/page.ts"): True,
    ("v[0-9]", "v1"): True,
    ("v[!0-9]", "v1"): False,
    ("a?c", "abc"): True,
    ("a?c", "a/c"): False,
    ("Src", "src/x"): False,
}


@pytest.mark.parametrize(("rule", "path"), ALLOWED, ids=[f"{rule}: {path}" for rule, path in ALLOWED])
def test_allowing_patterns_are_anchored_and_exact(rule: str, path: str, place: Place) -> None:
    decision = judged(path, "write", place, allowWrite=[rule], denyWrite=[])
    assert (decision.outcome is ALLOW) == ALLOWED[rule, path]


DENIED: dict[tuple[str, str], bool] = {
    ("dist", "docs/dist/x"): True,
    ("./dist", "docs/dist/x"): False,
    ("./dist", "dist/x"): True,
    ("*.pem", "a/B.PEM"): True,
    ("*.pem", "a/x.pem/y"): True,
    ("secrets/*", "secrets/a/b"): True,
    ("**/private", "a/b/Private/c"): True,
    ("a/**/z", "a/z"): True,
    ("a/**/z", "a/b/c/z/d"): True,
    (".", "anything"): True,
    ("**", "anything/else"): True,
    (".env*", "config/.env.local"): True,
    ("caf\u00e9", "cafe\u0301/x"): True,
    ("src/secret", "secret"): False,
    ("src/secret", "lib/src/secret"): False,
}


@pytest.mark.parametrize(("rule", "path"), DENIED, ids=[ascii(f"{rule}: {path}") for rule, path in DENIED])
def test_denying_patterns_are_folded_and_mean_all_below(rule: str, path: str, place: Place) -> None:
    decision = judged(path, "read", place, denyRead=[rule])
    assert (decision.outcome is DENY) == DENIED[rule, path], decision


def test_caches_of_tools_may_be_opened(place: Place) -> None:
    rules = permissions("sandbox", {"writable": ["~/.cache/uv", "/var/cache/tool"]})
    outcomes = {
        "~/.cache/uv/x": ALLOW,
        "~/.cache/uv": ALLOW,
        "~/.cache/uvx": DENY,
        "~/.cache/uv/../x": DENY,
        "/var/cache/tool/y": ALLOW,
        "/var/cache": DENY,
    }
    for path, outcome in outcomes.items():
        assert judge_path(locate(path, None, place), "write", rules).outcome is outcome, path
    assert judge_path(locate("/var/cache/tool", None, place), "delete", rules).outcome is DENY


def test_a_home_folder_as_project_keeps_its_secrets(place: Place) -> None:
    home = Place(root=place.root, home=place.root, files=place.files)
    for path in (".ssh/id_rsa", ".config/ralph/keys/x", ".AWS/credentials", "src/../.netrc"):
        assert judged(path, "read", home).rule == "ralph: secrets"
    assert judged(".config/other", "read", home).outcome is ALLOW


def test_what_is_known_of_a_path(place: Place) -> None:
    located = locate("src/env", None, place)
    assert located.relative == ".env"
    assert located.own == f"{place.root}/src/env"
    assert located.lexical == f"{place.root}/src/env"
    assert locate(".", None, place).relative == "."
    assert locate("..", None, place).relative is None
    assert locate(f"{place.root}/src/a.ts", None, place).relative == "src/a.ts"
    assert locate("src/hard", None, place).links == 2
