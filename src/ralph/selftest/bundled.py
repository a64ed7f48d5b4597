"""Cheats that come with Ralph: the bad examples of the rules that block, with their good ones as twins.

Those fit a repository whose languages they are written in, or whose tools they configure; what belongs to no language
(CI, scripts, hiding, secrets) fits every repository. They bring the configuration of their tools along, so the
repository's own is set aside for them (`in_the_way`): in the shadow of its `ruff.toml` a key of `pyproject.toml` says
nothing, and a file that its `.gitignore` names is no part of a change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from pathlib import PurePosixPath

from ralph.guardrails.languages import language_of
from ralph.policy import handbook
from ralph.policy.examples import Example
from ralph.policy.model import PolicySet
from ralph.selftest.model import Cheat, Step

ANYWHERE = frozenset({"shell"})
FAMILIES = {"typescript": "javascript", "tsx": "javascript", "vue": "javascript", "kotlin": "java"}
"""Languages that share their tools."""

_PYTHON_TEST = re.compile(r"test_\w+\.py")
_TOOLS = {
    "python": r"pyproject|setup\.cfg|setup\.py|tox\.ini|coveragerc|mypy|flake8|pylint|ruff|pytest|pyright|requirements"
    r"|bandit|\.pth$",
    "javascript": r"package|tsconfig|eslint|jest|vite|biome|next\.config|nycrc|mocha|oxlint|stryker|playwright|cypress"
    r"|\.snap$|\.npmrc|\.css$|yarn\.lock|pnpm-lock|bun\.lock|npm-shrinkwrap",
    "go": r"golangci|go\.(?:mod|sum|work)",
    "rust": r"cargo|clippy|nextest",
    "java": r"pom\.xml|gradle|detekt|checkstyle|lint\.xml|maven",
    "csharp": r"csproj|directory\.build|runsettings|editorconfig|\.sln",
    "ruby": r"rubocop|\.rspec|gemfile|simplecov",
    "php": r"phpstan|psalm|phpunit|composer",
}


def family(language: str) -> str:
    return FAMILIES.get(language, language)


def cheats(
    policy: PolicySet, languages: Set[str], tests: str | None = None, paths: Set[str] = frozenset()
) -> Iterator[Cheat]:
    """`tests`: the folder of the repository's own Python tests, where its runner looks for those of a cheat; `paths`:
    the repository's files.

    A class of which nothing fits is planted all the same, in files of another language.
    """
    known = [
        (rule, entry.examples)
        for rule in sorted(policy.rules.values(), key=lambda rule: (rule.class_, rule.id))
        if rule.severity == "block" and (entry := handbook.entry(rule.id))
    ]
    fitting = {rule.id for rule, (bad, _) in known if _fits(bad, languages)}
    classes = {rule.class_ for rule, _ in known if rule.id in fitting}

    def place(path: str) -> str:
        name = path.rpartition("/")[2]
        return str(PurePosixPath(tests) / name) if tests is not None and _PYTHON_TEST.fullmatch(name) else path

    for rule, (bad, good) in known:
        if rule.id in fitting or rule.class_ not in classes:
            cheat, honest = (Step.of(each, place).without(in_the_way(paths, each)) for each in (bad, good))
            yield Cheat(class_=rule.class_, name=rule.reason, rule=rule.id, cheat=cheat, honest=honest)


def in_the_way(paths: Iterable[str], example: Example) -> Iterator[str]:
    """The files at the top of a repository that configure the tools of an example, and what git is to ignore; in any
    folder those that are called like one of its files, as that of the nearest folder counts."""
    owners = _owners(example)
    names = {PurePosixPath(path).name for path in example.before.keys() | example.after.keys()}
    for path in paths:
        name = PurePosixPath(path).name
        near = "/" not in path or name in names
        if path == ".gitignore" or (near and (_configured(path) or "") in owners):
            yield path


def _fits(example: Example, languages: Set[str]) -> bool:
    return _owners(example) <= languages


def _owners(example: Example) -> Set[str]:
    """The languages of what an example changes."""
    changed = (
        path
        for path in example.before.keys() | example.after.keys()
        if example.before.get(path) != example.after.get(path)
    )
    return {owner for path in changed if (owner := _owner(path))}


def _owner(path: str) -> str | None:
    """The language that a file belongs to; None: it can stand in every repository."""
    language = language_of(path)
    return family(language) if language and language not in ANYWHERE else _configured(path)


def _configured(path: str) -> str | None:
    """The language whose tools a file configures."""
    name = path.rpartition("/")[2].lower()
    return next((owner for owner, form in _TOOLS.items() if re.search(form, name)), None)
