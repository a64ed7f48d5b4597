"""Git: what only reads, which files it names, what destroys, and what is never allowed."""

from __future__ import annotations

import pytest

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.packs import LISTS_BRANCHES
from ralph.permissions.programs.registry import reader_of
from tests.permissions.programs.lines import shown, use_of, verdict

READS = [
    "git status -sb",
    "git status --porcelain=v1 -uall",
    "git log --oneline -20 --graph --all",
    "git log -S foo --since=yesterday --author=me",
    "literally git log --format=%H -1",
    "git diff --stat HEAD~1",
    "git diff main...HEAD --name-only",
    "git diff -U5 --word-diff=color --no-ext-diff",
    "git show HEAD --stat",
    "git show -s --pretty=oneline",
    "git ls-files -o --exclude-standard",
    "git blame -L 1,20 src/a",
    "git shortlog -sn",
    "git grep -n TODO -- src",
    "git rev-parse --abbrev-ref HEAD",
    "git cat-file -p HEAD",
    "git branch -vv",
    "git branch --contains",
    "git branch --merged main",
    "git tag -l v1",
    "git tag -n3",
    "git stash list",
    "git stash show -p",
    "git reflog -5",
    "git remote -v",
    "git worktree list --porcelain",
    "git submodule status",
    "git symbolic-ref --short HEAD",
    "git config --get user.name",
    "git --no-pager -C src log -1",
    "git -P diff",
    "git --version",
    "git-log -3",
]


@pytest.mark.parametrize("line", READS)
def test_reading(line: str) -> None:
    assert verdict(use_of(line)) == "reads"


FILES = {
    "git diff HEAD -- .env": {".env"},
    "git log -p .env": {".env"},
    "git show HEAD:.env": {".env"},
    "git show HEAD:./.env": {"./.env"},
    "git show :.env": {".env"},
    "git show ':/.env'": {".env"},
    "git show 'HEAD^{/a:b}:.env'": {".env"},
    "git cat-file -p HEAD:.env": {".env"},
    "git diff -- ':(top).env'": {".env"},
    "git diff -- ':(glob).e*'": {".e*"},
    "git diff -- '*.env'": {".env", "*/.env"},
    "git diff -- '?env'": {".env"},
    "git diff -- '[.]env'": {".env"},
    r"git diff -- '\.env'": {".env"},
    "git grep x -- .env": {".env"},
    "git grep -e x .env": {".env"},
    "git blame --contents=.env a": {".env"},
    "git log -L1,5:.env": {".env"},
    "git log -L:name:.env": {".env"},
    "git ls-files -X .env": {".env"},
    "git diff --no-index .env b": {".env"},
    "git -C src diff -- ../.env": {"src/../.env"},
    "git -C src -C deep diff -- .env": {"src/deep/.env"},
    "git archive HEAD .env": {".env"},
    "git hash-object .env": {".env"},
}


@pytest.mark.parametrize(("line", "files"), FILES.items(), ids=FILES)
def test_files_are_named_also_out_of_history(line: str, files: set[str]) -> None:
    use = use_of(line)
    assert files <= {*shown(use.reads), *shown(use.maybe_reads), *shown(use.reads_from_top)}


@pytest.mark.parametrize("line", ["git show HEAD:.env", "git diff -- :/.env", "git show :.env"])
def test_names_from_the_top_of_the_tree_are_not_relative_to_the_folder(line: str) -> None:
    assert ".env" in shown(use_of(line).reads_from_top)


def test_what_is_excluded_is_not_read() -> None:
    use = use_of("git diff -- ':!.env' src")
    assert shown(use.reads) == ["src"]


REFUSED = [
    "git -c user.name=x status",
    "git -c",
    "git --config-env=a.b=C status",
    "git --exec-path=/tmp/x status",
    "git --git-dir=.git status",
    "git --work-tree . status",
    "git --namespace=x log",
    "git -p log",
    "git $sub",
    "git diff --ext-diff",
    "git diff --ext",
    "git diff --output=x",
    "git diff --outp x",
    "git log --textconv",
    "git log --show-sig",
    "literally git log --format=%G?",
    "git cat-file --filters HEAD:a",
    "git grep -Oless x",
    "git grep -nOless x",
    "git grep --open x",
    "git config core.pager less",
    "git config --list",
    "git config --get http.extraheader",
    "git rebase -x id HEAD",
    "git rebase --exec=id HEAD",
    "git bisect run id",
    "git submodule foreach id",
    "git difftool -x id",
    "git mergetool",
    "git filter-branch --all",
    "git clone ext::id x",
    "git fetch ext::id",
    "git clone -c a=b x",
    "git clone --templ=x y",
    "git ls-remote --upload-pack=id .",
    "git fetch --upload-p id .",
    "git push --receive-pack=id",
    "git archive --remote=. HEAD",
    "git init --template=x",
    "git branch --edit-description",
    "git credential fill",
    "git hook run pre-commit",
    "gh pr create",
]


@pytest.mark.parametrize("line", REFUSED)
def test_what_runs_programs_or_brings_settings_is_refused(line: str) -> None:
    use = use_of(line)
    assert use.refused
    assert not use.only_reads


UNKNOWN = [
    "git foo",
    "git diff --no-no-ext-diff",
    "git diff $x",
    "git diff @x",
    "git cat-file --batch",
    "git show --stdin",
    "git log --new-option",
    "git diff -- ':(attr:x)a'",
    "git diff -- ':x'",
]


@pytest.mark.parametrize("line", UNKNOWN)
def test_what_no_table_knows_is_not_harmless(line: str) -> None:
    use = use_of(line)
    assert use.unknown
    assert not use.only_reads


def test_a_word_behind_two_dashes_is_no_option() -> None:
    assert verdict(use_of("git diff -- src/%.ts")) == "reads"


DESTROYS = [
    "git reset --hard",
    "git clean -fd",
    "git checkout -- src",
    "git checkout .",
    "git checkout HEAD a",
    "git checkout src/a.ts",
    "git checkout -f main",
    "git restore .",
    "git switch --discard main",
    "git rm a",
    "git branch -D x",
    "git branch -rd origin/x",
    "git branch --del x",
    "git stash drop",
    "git stash clear",
    "git push -f",
    "git push --forc",
    "git push --force-with-lease=x",
    "git push -uf origin x",
    "git push origin +main",
    "git push origin :x",
    "git push --delete origin x",
    "git push --mirror",
    "git push --prune",
    "git reflog expire --all",
    "git gc --prune=now",
    "git prune",
    "git tag -d v1",
    "git update-ref -d refs/heads/x",
    "git worktree remove --force wt",
    "git remote remove origin",
    "git-push --force",
]


@pytest.mark.parametrize("line", DESTROYS)
def test_what_deletes_resets_or_forces_is_destructive(line: str) -> None:
    use = use_of(line)
    assert ApprovalClass.DESTRUCTIVE in use.classes
    assert not use.only_reads


CHANGES = ["git commit -m x", "git push", "git merge main", "git add .", "git tag v1", "git branch x", "git stash"]


@pytest.mark.parametrize("line", [*CHANGES, "git clean -nd", "git checkout main", "git branch -v x", "git help log"])
def test_other_changes_are_neither_reading_nor_of_a_class(line: str) -> None:
    use = use_of(line)
    assert not use.only_reads
    assert not use.classes


LISTS = ["git branch", "git branch -a", "git branch --list x", "git branch --show-current", "git branch --no-merged"]


@pytest.mark.parametrize("line", LISTS)
def test_listing_branches_is_a_fact(line: str) -> None:
    assert LISTS_BRANCHES in use_of(line).facts


@pytest.mark.parametrize(
    "line", ["git branch x", "git branch -l x -d", "git branch -u o/m", "git branch -m x", "git -c a=b branch x"]
)
def test_changing_branches_is_not(line: str) -> None:
    assert LISTS_BRANCHES not in use_of(line).facts


@pytest.mark.parametrize("line", ["git -C src push x", "git --no-pager push x", "git-push x"])
def test_rules_see_the_subcommand_without_global_options(line: str) -> None:
    assert use_of(line).subcommand == ("git", "push")


def test_the_folder_of_an_option_is_named() -> None:
    assert shown(use_of("git -C. -C /tmp status").directories) == [".", "/tmp"]


def test_only_names_of_git_s_form_are_git() -> None:
    assert reader_of("git-push") is not None
    assert reader_of("git-") is None
