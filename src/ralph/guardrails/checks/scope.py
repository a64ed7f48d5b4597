"""What a check looks at: the paths and names on its command line, and whether they are fewer than before (class G09).

- Without paths a check looks at everything that its configuration names.
- All runs of a program in a file count together, so that a run may be split into several.
- What is handed to a script of a package (`npm test -- a.test.js`) counts if it looks like tests.
- A path counts by the files of the tree that it holds; one that is gone takes nothing away, nor does a folder that a
  linter was given in vain. Where the tree has no such files, paths are compared as text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.tables import PROGRAM_NEEDS, RUN_WORDS, SCRIPTS, SUBCOMMANDS
from ralph.guardrails.checks.toolchains import arguments, no_longer_with
from ralph.guardrails.checks.valued import LOOKS_AT_PATHS, takes
from ralph.guardrails.config.node import names
from ralph.guardrails.config.patterns import covers, is_output, is_product, is_test
from ralph.system.patterns import later

EVERYTHING = frozenset((".", "./", "./...", "...", "*", "**", "all"))
TEST_FOLDERS = frozenset(names("test tests spec specs __tests__ e2e src lib app packages . unit_tests testing t"))
NAMES_TESTS = frozenset(names("manage.py cargo jest vitest mocha ava ginkgo rspec npm pnpm yarn bun"))
PATH_PROGRAMS = frozenset(
    names(
        "pytest py.test unittest nose2 jest vitest mocha ava rspec phpunit pest bats go cargo behave cucumber "
        "robot mypy "
        "dmypy pyright basedpyright ty pyrefly ruff flake8 pylint pycodestyle pydocstyle eslint oxlint biome "
        "stylelint "
        "shellcheck bandit black isort prettier rubocop standardrb phpstan psalm phpcs vulture interrogate "
        "codespell "
        "yamllint markdownlint markdownlint-cli2 hadolint golangci-lint staticcheck gosec ctest playwright "
        "cypress node "
        "manage.py swiftlint ktlint detekt clang-format cppcheck clang-tidy semgrep trial stestr nosetests "
        "tap tape npm pnpm yarn bun tsc vue-tsc cspell typos textlint htmlhint html-validate hlint perlcritic luacheck "
        "solhint clj-kondo sqlfluff ansible-lint doc8 rstcheck mdl pymarkdown refurb pydoclint zuban lizard xenon"
    )
)
MINOR_FILES = frozenset(
    names("setup.py noxfile.py conftest.py tasks.py fabfile.py dodo.py manage.py gulpfile.js Gruntfile.js")
)
MINOR_FOLDERS = frozenset(
    names("docs doc scripts tools examples example benchmarks bench ci .github hack misc contrib samples")
)
UNKNOWN = later(r"\$|\{\{|`")
FOLDER = later(r"(?:\./)?[\w-]+(?:/[\w-]+)*/?")
MAVEN = frozenset(("mvn", "mvnw", "mvnd"))
POSITIONAL = later(r"\{posargs[^}]*\}|\$[@*]|\"?\$\{?[@*]|\$\{?(?:ARGS|EXTRA_ARGS|PYTEST_ARGS|args|FLAGS)\b.*|--")


class Narrowed(NamedTuple):
    text: str
    certain: bool


def targets(gate: Gate) -> list[str]:
    """The words of a command that say what it looks at."""
    program, rest = gate.words[0], arguments(gate.words)
    if program in SCRIPTS:
        return list(_handed_on(gate))
    verbs = (
        *SUBCOMMANDS.get(program, {}),
        *PROGRAM_NEEDS.get(program, ()),
        "run",
        "discover",
        "watch",
        "check",
        "lint",
        "--test",
    )
    found: list[str] = []
    index = 0
    while index < len(rest):
        word = rest[index]
        index += 1
        if word == "--" and program == "cargo":
            found += [name for name in rest[index:] if not name.startswith("-") and gate.kind == "test"]
            break
        if word.startswith("-"):
            index += int(takes(program, word) and index < len(rest) and not rest[index].startswith("-"))
        elif (
            not (word in verbs and not found)
            and not POSITIONAL.fullmatch(word.strip("\"'"))
            and not re.match(r"\d*[<>]|\d+(?:\.\d+)?%?$", word)
        ):
            found.append(word)
    return found


def _handed_on(gate: Gate) -> Iterator[str]:
    """Tests, and other places that are no option's value."""
    words = _script(gate)
    for before, word in pairwise(words):
        place = gate.kind == "test" and "/" in word and not before.startswith("-")
        if not word.startswith("-") and (place or is_test(word) or is_test(f"{word.rstrip('/')}/a.js")):
            yield word


def _script(gate: Gate) -> Sequence[str]:
    """The script of a package that a command runs, and what stands behind it."""
    return gate.words[2:] if gate.words[1:2] and gate.words[1] in RUN_WORDS["npm"] else gate.words[1:]


def narrowed(
    was: Gate, now: Gate, runs: Sequence[Gate], before: frozenset[str], after: frozenset[str]
) -> Narrowed | None:
    """What the check no longer looks at. `runs`: all that the head's file runs of the program, this one among them."""
    if _lasts(was, "verify") and not any(_lasts(run, "verify", "install", "deploy") for run in (now, *runs)):
        return Narrowed("ends before integration tests and the checks of quality", certain=True)
    if not _alike(was.words[0], now.words[0]) or was.words[0] not in PATH_PROGRAMS or was.kind == "build":
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
        runs = [run for run in runs if _script(run)[:1] == _script(now)[:1]]
    together = [target for run in runs for target in targets(run)]
    if EVERYTHING & {_plain(target) for target in new}:
        return None
    unknown = [target for target in new if UNKNOWN.search(target) and target not in old]
    if unknown:
        return Narrowed(f"looks at {unknown[0]}, which only running could tell", certain=False)
    if old and all(UNKNOWN.search(target) for target in old):
        return Narrowed(f"looks at {' '.join(new)[:100]} in the place of {old[0]}", certain=False)
    kept = sorted(path for path in before & after if matters(was, path))
    existing = [target for target in old if exists(target, after) or not exists(target, before)]
    existing = [target for target in existing if not _renamed(was, target, new, before, after)]
    existing = [target for target in existing if not _is_nowhere(was, target, new, before | after)]
    if old and not existing:
        return None
    lost = list(_lost(was, existing, together, kept))
    if not lost:
        return None
    all_elsewhere = any(not targets(run) for run in runs)
    certain = (
        not all_elsewhere and not any("*" in target for target in new) and not all(is_minor(path) for path in lost)
    )
    return Narrowed(f"looks at {' '.join(new)[:100]} only and no longer at {lost[0]}", certain)


def _lasts(gate: Gate, *phases: str) -> bool:
    """Maven runs all phases up to the one that is named."""
    return gate.words[0] in MAVEN and not set(phases).isdisjoint(gate.words[1:])


def _alike(program: str, other: str) -> bool:
    """The same program, or another one that takes the same paths: linters and type checkers of one language."""
    both = program in LOOKS_AT_PATHS and other in LOOKS_AT_PATHS
    return program == other or (both and LANGUAGE.get(program) == LANGUAGE.get(other))


def exists(target: str, paths: frozenset[str]) -> bool:
    plain = _plain(target)
    return any(_within(path, plain) for path in paths)


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


def is_minor(path: str) -> bool:
    """Files that many projects leave out of some of their checks."""
    first, _, rest = path.partition("/")
    return first in MINOR_FOLDERS if rest else first in MINOR_FILES


def _lost(was: Gate, old: Sequence[str], new: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    if not old or EVERYTHING & {_plain(target) for target in old}:
        yield from _lost_of_everything(was, new, kept)
        return
    for target in old:
        if target in new or any(_within(_plain(target), _plain(wide)) for wide in new):
            continue
        held = [path for path in kept if _within(path, _plain(target))]
        if held:
            yield from (path for path in held if not any(holds(was, wide, path) for wide in new))
        else:
            yield target


def _lost_of_everything(was: Gate, new: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    if kept:
        yield from (path for path in kept if not any(holds(was, wide, path) for wide in new))
    elif not all(_plain(target).split("/")[0] in TEST_FOLDERS and "/" not in _plain(target) for target in new):
        yield "everything"


def holds(gate: Gate, target: str, path: str) -> bool:
    plain = _plain(target)
    return _within(path, plain) or (gate.words[0] in NAMES_TESTS and plain in path)


def _within(path: str, wide: str) -> bool:
    if wide in EVERYTHING or path == wide or path.startswith(f"{wide}/"):
        return True
    if "*" in wide or "{" in wide:
        return covers(wide, path, regex=False)
    return path.rpartition(".")[0] == wide


def _plain(target: str) -> str:
    bare = target.strip("\"'").split("::")[0].removeprefix("./").removesuffix("/...").rstrip("/")
    if (
        re.fullmatch(r"[A-Za-z_][\w.]*", bare)
        and "." in bare
        and not re.search(r"\.(?:py|js|ts|go|rs|rb|tsx|jsx|mjs)$", bare)
    ):
        bare = bare.replace(".", "/")
    return bare or "."


def matters(gate: Gate, path: str) -> bool:
    if is_output(posixpath.dirname(path)):
        return False
    if gate.kind == "test":
        return is_test(path) and _same_language(gate, path)
    return is_product(path) and _same_language(gate, path)


LANGUAGE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        names(
            "pytest py.test unittest nose2 nosetests trial stestr mypy dmypy pyright basedpyright ty pyrefly "
            "ruff flake8 "
            "pylint pycodestyle pydocstyle bandit black isort vulture interrogate"
        ),
        (".py",),
    ),
    **dict.fromkeys(
        names("jest vitest mocha ava eslint oxlint biome prettier playwright cypress node tap tape npm pnpm yarn bun"),
        (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".vue"),
    ),
    **dict.fromkeys(names("go golangci-lint staticcheck gosec"), (".go",)),
    **dict.fromkeys(("tsc", "vue-tsc"), (".ts", ".tsx", ".mts", ".cts", ".vue")),
    "cargo": (".rs",),
    **dict.fromkeys(("rspec", "rubocop", "standardrb"), (".rb",)),
    **dict.fromkeys(names("phpunit pest phpstan psalm phpcs"), (".php",)),
    **dict.fromkeys(("bats",), (".bats",)),
    "shellcheck": (".sh", ".bash"),
}


def _same_language(gate: Gate, path: str) -> bool:
    suffixes = LANGUAGE.get(gate.words[0])
    return suffixes is None or path.endswith(suffixes)
