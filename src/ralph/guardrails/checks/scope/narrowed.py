"""What a check looks at: the paths and names on its command line, and whether they are fewer than before (class G09).

- Without paths a check looks at everything that its configuration names.
- All runs of a program in a file count together, so that a run may be split into several.
- What it looks at in another folder than before, see `went_elsewhere`.
- A path counts by the files of the tree that it holds; one that is gone takes nothing away, nor does a folder that a
  linter was given in vain. Where the tree has no such files, paths are compared as text.
- So do files that have other names now (`scope.moved`), as where all tests are called `*.test.js` from now on.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.tables import SCRIPTS
from ralph.guardrails.checks.programs.toolchains import no_longer_with
from ralph.guardrails.checks.programs.valued import LOOKS_AT_PATHS
from ralph.guardrails.checks.scope.globs import is_shallower
from ralph.guardrails.checks.scope.looked_at import (
    EVERYTHING,
    LANGUAGE,
    UNKNOWN,
    exists,
    holds,
    is_minor,
    matters,
    plain,
    script,
    targets,
    within,
)
from ralph.guardrails.checks.scope.moved import moved
from ralph.guardrails.checks.scope.one_project import one_project
from ralph.guardrails.checks.scope.went_elsewhere import is_elsewhere, left_behind
from ralph.guardrails.config.node import names
from ralph.guardrails.config.patterns import is_test, written_out
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

TEST_FOLDERS = frozenset(names("test tests spec specs __tests__ e2e src lib app packages . unit_tests testing t"))
PATH_PROGRAMS = frozenset(
    names(
        "pytest py.test unittest nose2 jest vitest mocha ava rspec phpunit pest bats go cargo behave cucumber "
        "robot mypy "
        "dmypy pyright basedpyright ty pyrefly ruff flake8 pylint pycodestyle pydocstyle eslint oxlint biome "
        "stylelint "
        "shellcheck bandit black isort prettier oxfmt rubocop standardrb phpstan psalm phpcs vulture interrogate "
        "codespell "
        "yamllint markdownlint markdownlint-cli2 hadolint golangci-lint staticcheck gosec ctest playwright "
        "cypress node tsgo "
        "manage.py swiftlint ktlint detekt clang-format cppcheck clang-tidy semgrep trial stestr nosetests "
        "tap tape npm pnpm yarn bun tsc vue-tsc cspell typos textlint htmlhint html-validate hlint perlcritic luacheck "
        "solhint clj-kondo sqlfluff ansible-lint doc8 rstcheck mdl pymarkdown refurb pydoclint zuban lizard xenon "
        "rails mix flutter dart deno busted prove bazel"
    )
)
FOLDER = later(r"(?:\./)?[\w-]+(?:/[\w-]+)*/?")
MAVEN = frozenset(("mvn", "mvnw", "mvnd"))


class Narrowed(NamedTuple):
    text: str
    certain: bool
    to_one: bool = False
    """It is run in one project of many, as where each has a run of its own."""


def narrowed(
    was: Gate, now: Gate, runs: Sequence[Gate], before: frozenset[str], after: frozenset[str]
) -> Narrowed | None:
    """What the check no longer looks at. `runs`: all that the head's file runs of the program, this one among them."""
    if _lasts(was, "verify") and not any(_lasts(run, "verify", "install", "deploy") for run in (now, *runs)):
        return Narrowed("ends before integration tests and the checks of quality", certain=True)
    if not _alike(was.words[0], now.words[0]) or was.kind == "build":
        return None
    if is_elsewhere(was, now, after):
        left = left_behind(was, now, runs, before, after) or no_longer_with(was, now, runs)
        return None if left is None else Narrowed(*left)
    if (project := one_project(was, now, runs)) is not None:
        return Narrowed(f"runs in {project} only and no longer in all projects", certain=False, to_one=True)
    if was.words[0] not in PATH_PROGRAMS:
        return None
    if _is_program(was, now):
        return None
    places = _fewer_places(was, now, runs, before, after)
    less = no_longer_with(was, now, runs)
    return Narrowed(*less) if less is not None and (places is None or not places.certain) else places


def _fewer_places(
    was: Gate, now: Gate, runs: Sequence[Gate], before: frozenset[str], after: frozenset[str]
) -> Narrowed | None:
    old, new = targets(was), targets(now)
    if old == new or not new:
        return None
    if now.words[0] in SCRIPTS:
        runs = [run for run in runs if script(run)[:1] == script(now)[:1]]
    together = [target for run in runs for target in targets(run)]
    if EVERYTHING & {plain(target) for target in new}:
        return None
    unknown = [target for target in new if UNKNOWN.search(target) and target not in old]
    if unknown:
        return Narrowed(f"looks at {unknown[0]}, which only running could tell", certain=False)
    if old and all(UNKNOWN.search(target) for target in old):
        return Narrowed(f"looks at {cut(' '.join(new), 100)} in the place of {old[0]}", certain=False)
    kept = sorted(path for path in before & after if matters(was, path))
    existing = [target for target in old if exists(target, after) or not exists(target, before)]
    existing = [target for target in existing if not _renamed(was, target, new, before, after)]
    existing = [target for target in existing if not _is_nowhere(was, target, new, before | after)]
    if old and not existing:
        return None
    lost = list(_lost(was, existing, together, kept, moved(was, before, after)))
    if not lost:
        return None
    all_elsewhere = any(not targets(run) for run in runs)
    unclear = any("*" in each and not (_is_part_of_one(each, old) or is_shallower(each, old)) for each in new)
    certain = not all_elsewhere and not unclear and not all(is_minor(path) for path in lost)
    return Narrowed(f"looks at {cut(' '.join(new), 100)} only and no longer at {lost[0]}", certain)


def _is_part_of_one(target: str, old: Sequence[str]) -> bool:
    """Of the patterns that one with braces stood for it is some: `*.js` of `*.{js,ts}`."""
    some = set(written_out(plain(target)))
    return any(some < set(written_out(plain(each))) for each in old)


def _is_program(was: Gate, now: Gate) -> bool:
    """`node scripts/test.js` runs a program of its own in the place of `node --test`, which looks at no file itself."""
    if was.words[0] != "node" or now.words[0] != "node" or "--test" not in was.words or "--test" in now.words:
        return False
    return not any(is_test(target) for target in targets(now))


def _lasts(gate: Gate, *phases: str) -> bool:
    """Maven runs all phases up to the one that is named."""
    return gate.words[0] in MAVEN and not set(phases).isdisjoint(gate.words[1:])


def _alike(program: str, other: str) -> bool:
    """The same program, or another one that takes the same paths: linters and type checkers of one language."""
    both = program in LOOKS_AT_PATHS and other in LOOKS_AT_PATHS
    return program == other or (both and LANGUAGE.get(program) == LANGUAGE.get(other))


def _is_nowhere(gate: Gate, target: str, new: Sequence[str], paths: frozenset[str]) -> bool:
    """A linter was given a folder that the tree never had, beside one that it has and that is still given."""
    if gate.words[0] not in LOOKS_AT_PATHS or not FOLDER.fullmatch(target) or exists(target, paths):
        return False
    return any(exists(each, paths) for each in targets(gate) if each in new)


def _renamed(gate: Gate, target: str, new: Sequence[str], before: frozenset[str], after: frozenset[str]) -> bool:
    """A file beside what runs it has another suffix now, which may go unsaid: `check.mjs` is `check.js`."""
    folder = posixpath.dirname(gate.path)
    was, now = _beside(folder, target), {_beside(folder, each) for each in new}
    stem, held = posixpath.splitext(was)[0], {was, *(f"{was}{suffix}" for suffix in LANGUAGE.get(gate.words[0], ()))}
    gone = any(path in before and path not in after for path in held)
    return gone and any(path in after and posixpath.splitext(path)[0] == stem for path in now)


def _beside(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(folder, target.strip("\"'")))


def _lost(
    was: Gate, old: Sequence[str], new: Sequence[str], kept: Sequence[str], moved: Mapping[str, str]
) -> Iterator[str]:
    if not old or EVERYTHING & {plain(target) for target in old}:
        yield from _lost_of_everything(was, new, kept)
        return
    for target in old:
        if target in new or any(within(plain(target), plain(wide)) for wide in new if not is_shallower(wide, [target])):
            continue
        held = [path for path in kept if within(path, plain(target))]
        held += [path for was_called, path in moved.items() if within(was_called, plain(target))]
        if held:
            yield from (path for path in held if not any(holds(was, wide, path) for wide in new))
        else:
            yield target


def _lost_of_everything(was: Gate, new: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    if kept:
        yield from (path for path in kept if not any(holds(was, wide, path) for wide in new))
    elif not all(plain(target).split("/")[0] in TEST_FOLDERS and "/" not in plain(target) for target in new):
        yield "everything"
