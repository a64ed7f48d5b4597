"""What the first implementation let through, or refused, because it looked for words in the text of a command.

It knew `git push` with one blank and nothing between; any other spelling of the same call ran, and so did everything
that its list did not name. And what only spoke of such a call was refused. (Spec: core concepts, "Command Blocking".)

Two policies: `open` is core mode with the packs that the spec describes, where everything else is allowed; `closed` is
delivery mode with what only reads, where nothing else is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.loader import parse
from ralph.permissions.model import Decision, Outcome, RunCommand
from ralph.permissions.place import Place
from tests.permissions.policies import encoded, permissions

OPEN = parse((Path(__file__).parent.parent / "corpora" / "policies" / "uv-readonly-git.json").read_bytes(), "open")
CLOSED = parse(
    encoded(
        {
            "version": 1,
            "mode": "delivery",
            "files": {"allowRead": ["."], "allowWrite": ["src"], "denyRead": [], "denyWrite": [".git"]},
            "commands": {"allow": ["uv run pytest"], "deny": [], "packs": ["readonly-tools", "uv-python"]},
            "approval": {"requiredFor": ["dependency_changes"], "requireReason": True},
            "checks": {"required": [], "rollbackOnFail": False},
        }
    ),
    "closed",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    root = tmp_path_factory.mktemp("first")
    for folder in (".git", ".ralph", "docs", "src", "pkg"):
        (root / folder).mkdir()
    for name in ("docs/virtualenv.md", "src/a.py", ".ralph/state.json"):
        (root / name).write_text("x")
    return here(root)


GIT = """
    git commit -m wip|git push|git pull|git merge topic|git rebase main|git checkout topic|git reset --hard HEAD~1
    git stash|git cherry-pick abc|git revert abc|git branch -D topic|git branch -d topic
"""
PACKAGES = """
    pip install flask|pip uninstall flask|pip freeze|python -m pip install flask|pip3 install flask|conda install flask
    conda create -n env|poetry install|poetry add flask|pipenv install|virtualenv env|python -m venv env
    python3 -m venv env
"""
INSIDE_OTHERS = """
    ls src && git commit -m wip|ls; git push|true | git push|(git push)|echo $(git push)|echo `git push`
    sh -c 'git push'|bash -lc "git commit -m wip"|GIT_DIR=/tmp/x git push|env git push|sudo git push|xargs git push
    /usr/bin/git push|./git push|GIT COMMIT -m wip|PIP install flask
"""
OTHER_SPELLINGS = r"""
    'git' push|"git" push|g"i"t push|gi\t push|git 'push'|git p"us"h|git   push|git${IFS}push|git -C . commit -m wip
    git -c user.email=a@b commit -m wip|git --git-dir=.git push|git --no-pager push|git --work-tree . checkout topic
    G=git; $G push|X=push; git $X|git -c alias.up=push up|echo Z2l0IHB1c2g= | base64 -d | sh|eval "git pu""sh"
    python -c "import subprocess as s; s.run(['git','push'])"|printf 'git pus''h' | sh
    uv run python -c "import os; os.system('gi'+'t push')"|git $(echo push)|git $'push'|command git -C . push
    exec git -C . push|timeout 5 git -C . push
"""
UNLISTED_GIT = """
    git add -A|git switch main|git restore .|git clean -fdx|git tag v9|git branch --delete topic|git branch -m a b
    git branch topic|git update-ref refs/heads/main HEAD|git am change.patch|git apply change.patch
    git worktree add ../w|git config user.name me|git remote set-url origin x|git fetch|git rm src/a.py
    git filter-branch|git gc --prune=now|git clone x|git init|git submodule update|gh pr merge 7|rm -rf .git
"""
UNLISTED_PACKAGES = """
    python3 -m pip install flask|python3.11 -m pip install flask|pip  install flask|pip --quiet install flask
    pip3.11 install flask|/usr/bin/pip install flask|pip download flask|uv pip install flask|uv venv|conda remove flask
    mamba install flask|pipx install flask|easy_install flask|pip3 freeze|poetry update|pip list
"""
PAST_UV = "pytest|cd pkg && pytest|PYTHONPATH=. pytest|./.venv/bin/pytest"
RECORDS = """
    rm .ralph/state.json|echo {} > .ralph/implementation_plan.json|tee .ralph/MEMORY.md < src/a.py
    cp src/a.py .ralph/runs/r/log.jsonl|mv .ralph .gone|sed -i s/a/b/ .ralph/state.json|ln -sf src .ralph
"""
DANGEROUS = "rm -rf /|curl x | sh"


def lines(text: str) -> list[str]:
    """The commands of a table; a `|` with blanks around it is a pipe, one without parts two commands."""
    shown = text.replace(" | ", " \0 ")
    return [each.strip().replace("\0", "|") for row in shown.splitlines() for each in row.split("|") if each.strip()]


DENIED = [
    *(
        line
        for table in (GIT, PACKAGES, INSIDE_OTHERS, OTHER_SPELLINGS, UNLISTED_GIT, RECORDS)
        for line in lines(table)
    ),
    *(line for table in (UNLISTED_PACKAGES, PAST_UV, DANGEROUS) for line in lines(table)),
    *("ls\ngit push", "git\tpush", "git \\\n push"),
]


def judged(line: str, place: Place) -> tuple[Decision, Decision]:
    return decide(RunCommand(line), OPEN, place), decide(RunCommand(line), CLOSED, place)


def test_no_case_is_lost_by_the_way_the_tables_are_written() -> None:
    assert len(DENIED) == len(set(DENIED)) >= 118


@pytest.mark.parametrize("line", DENIED)
def test_it_is_denied_however_it_is_written(place: Place, line: str) -> None:
    for decision in judged(line, place):
        assert decision.outcome is Outcome.DENY, decision


@pytest.mark.parametrize("line", ["npm install x", "uv add requests", "uv remove requests"])
def test_a_change_of_dependencies_asks(place: Place, line: str) -> None:
    assert [each.outcome for each in judged(line, place)] == [Outcome.APPROVE, Outcome.APPROVE]


def test_where_a_person_need_not_be_asked_uv_adds_packages(place: Place) -> None:
    law = permissions("approval.requiredFor", [], mode="core")
    assert decide(RunCommand("uv add requests"), law, place).outcome is Outcome.ALLOW


CLOSED_ONLY = [
    "docker rm box",
    "python tool.py",
    "python3 tool.py",
    "ruff check .",
    "mypy .",
    "echo git push > x.sh; sh x.sh",
]


@pytest.mark.parametrize("line", CLOSED_ONLY)
def test_in_delivery_mode_a_program_must_be_named(place: Place, line: str) -> None:
    """In core mode these run, or ask: inside the sandbox, where git's folder is closed and nothing is reached."""
    assert decide(RunCommand(line), CLOSED, place).outcome is Outcome.DENY


ALLOWED = [
    *(
        "git status",
        "git log --oneline",
        "git diff",
        "git show HEAD",
        "git ls-files",
        "git blame src/a.py",
        "git branch",
    ),
    *("git branch --list", 'git log --grep "git push"', 'grep -rn "git commit" docs/', "git log -- git-commit.md"),
    *('echo "how to pip install x"', "cat docs/virtualenv.md", 'rg "git merge-base"', "uv run pytest"),
]


@pytest.mark.parametrize("line", ALLOWED)
def test_what_only_reads_or_only_speaks_of_it_is_allowed(place: Place, line: str) -> None:
    for decision in judged(line, place):
        assert decision.outcome is Outcome.ALLOW, decision


@pytest.mark.parametrize("line", ["git merge-base main topic", "git stash list", "git rev-parse HEAD"])
def test_reading_git_is_reading(place: Place, line: str) -> None:
    """The pack `readonly-git` is the spec's short list, and says what to use instead; `readonly-tools` reads it all."""
    by_list, by_effect = judged(line, place)
    assert by_list.outcome is Outcome.DENY
    assert by_list.alternative
    assert by_effect.outcome is Outcome.ALLOW


@pytest.mark.parametrize("line", ["python_helper.sh", "pytest-watch"])
def test_a_name_that_only_begins_alike_is_another_program(place: Place, line: str) -> None:
    by_pack, by_mode = judged(line, place)
    assert by_pack.outcome is Outcome.ALLOW
    assert by_mode.rule == "default: delivery"


INSTEAD = {
    "pytest": "uv run pytest",
    "pip install flask": "uv add",
    "pip uninstall flask": "uv remove",
    "pip freeze": "uv lock",
}


@pytest.mark.parametrize(("line", "way"), INSTEAD.items(), ids=INSTEAD)
def test_a_denial_says_what_to_do_instead(place: Place, line: str, way: str) -> None:
    decision, _ = judged(line, place)
    assert way in str(decision.alternative)
