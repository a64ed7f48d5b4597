"""What one check looks at: the paths and names on its command line, and the files that are for it.

- What is handed to a script of a package (`npm test -- a.test.js`) counts if it looks like tests.
- A test is for what runs tests, product code for all else, each in the languages of the program.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.tables import PROGRAM_NEEDS, RUN_WORDS, SCRIPTS, SUBCOMMANDS
from ralph.guardrails.checks.programs.toolchains import arguments
from ralph.guardrails.checks.programs.valued import takes, values_behind
from ralph.guardrails.config.node import names
from ralph.guardrails.config.patterns import covers, is_output, is_product, is_test
from ralph.system.patterns import later

ALWAYS_VALUED = frozenset(
    names("--target --mode --config --reporter --reporters --env --environment --outDir --out-dir")
)
"""Options that no script's program has as switches, or as filters of tests."""
EVERYTHING = frozenset((".", "./", "./...", "...", "*", "**", "all"))
NAMES_TESTS = frozenset(names("manage.py cargo jest vitest mocha ava ginkgo rspec npm pnpm yarn bun"))
MINOR_FILES = frozenset(
    names("setup.py noxfile.py conftest.py tasks.py fabfile.py dodo.py manage.py gulpfile.js Gruntfile.js")
)
MINOR_FOLDERS = frozenset(
    names("docs doc scripts tools examples example benchmarks bench ci .github hack misc contrib samples")
)
UNKNOWN = later(r"\$|\{\{|`")
POSITIONAL = later(r"\{posargs[^}]*\}|\$[@*]|\"?\$\{?[@*]|\$\{?(?:ARGS|EXTRA_ARGS|PYTEST_ARGS|args|FLAGS)\b.*|--")
COLLECT_TESTS = frozenset(names("pytest py.test unittest nose2 nosetests trial stestr"))
SPECIFICATION = later(r"[_-]spec\.py$")
UNREAD = (".exs", ".dart", ".lua", ".t")
"""Files of languages of which nothing else is read."""
NAMED_TEST = later(r"(?:^|/)(?:tests?|specs?|t)/|[_-](?:test|spec)\.\w+$")
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
        names(
            "jest vitest mocha ava eslint oxlint biome prettier oxfmt playwright cypress node tap tape npm pnpm yarn "
            "bun deno"
        ),
        (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".vue"),
    ),
    **dict.fromkeys(names("go golangci-lint staticcheck gosec"), (".go",)),
    **dict.fromkeys(("tsc", "vue-tsc", "tsgo"), (".ts", ".tsx", ".mts", ".cts", ".vue")),
    "cargo": (".rs",),
    **dict.fromkeys(("rspec", "rubocop", "standardrb", "rails"), (".rb",)),
    "mix": (".exs",),
    **dict.fromkeys(("flutter", "dart"), (".dart",)),
    "busted": (".lua",),
    "prove": (".t",),
    **dict.fromkeys(names("phpunit pest phpstan psalm phpcs"), (".php",)),
    **dict.fromkeys(("bats",), (".bats",)),
    "shellcheck": (".sh", ".bash"),
}


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
            found += _of_harness(rest[index - 1 :]) if gate.kind in ("test", "coverage") else ()
            break
        if word.startswith("-"):
            index += values_behind(program, word, rest[index:])
        elif (
            not (word in verbs and not found)
            and not POSITIONAL.fullmatch(word.strip("\"'"))
            and not re.match(r"\d*[<>]|\d+(?:\.\d+)?%?$", word)
        ):
            found.append(word)
    return found


def _of_harness(rest: Sequence[str]) -> list[str]:
    """What `cargo test` hands on to the tests' own main function: names of tests, and options with their values."""
    return [word for before, word in pairwise(rest) if not word.startswith("-") and not takes("cargo", before)]


def _handed_on(gate: Gate) -> Iterator[str]:
    """Tests, and other places that are no option's value."""
    words = script(gate)
    for before, word in pairwise(words):
        place = gate.kind == "test" and "/" in word and not before.startswith("-")
        if before in ALWAYS_VALUED:
            continue
        if not word.startswith("-") and (place or is_test(word) or is_test(f"{word.rstrip('/')}/a.js")):
            yield word


def script(gate: Gate) -> Sequence[str]:
    """The script of a package that a command runs, and what stands behind it."""
    return gate.words[2:] if gate.words[1:2] and gate.words[1] in RUN_WORDS["npm"] else gate.words[1:]


def exists(target: str, paths: frozenset[str]) -> bool:
    wide = plain(target)
    return any(within(path, wide) for path in paths)


def is_minor(path: str) -> bool:
    """Files that many projects leave out of some of their checks."""
    first, _, rest = path.partition("/")
    return first in MINOR_FOLDERS if rest else first in MINOR_FILES


def holds(gate: Gate, target: str, path: str) -> bool:
    wide = plain(target)
    return within(path, wide) or (gate.words[0] in NAMES_TESTS and wide in path)


def within(path: str, wide: str) -> bool:
    if wide in EVERYTHING or path == wide or path.startswith(f"{wide}/"):
        return True
    if "*" in wide or "{" in wide:
        return covers(wide, path, regex=False)
    return path.rpartition(".")[0] == wide


def plain(target: str) -> str:
    bare = target.strip("\"'").split("::")[0]
    if bare.startswith("//"):  # of Bazel: a folder, and what is built in it
        bare = bare[2:].partition(":")[0] or "..."
    bare = bare.removeprefix("./").removesuffix("/...").rstrip("/")
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
    if gate.kind == "test" and path.endswith(UNREAD):
        return _same_language(gate, path) and NAMED_TEST.search(path) is not None
    if gate.kind == "test":
        return is_test(_for_python(path) if gate.words[0] in COLLECT_TESTS else path) and _same_language(gate, path)
    return is_product(path) and _same_language(gate, path)


def _for_python(path: str) -> str:
    """`order_spec.py` is a specification to no runner of Python, unless its folder says that tests are in it."""
    return f"{posixpath.dirname(path)}/it.py" if SPECIFICATION.search(path) else path


def _same_language(gate: Gate, path: str) -> bool:
    suffixes = LANGUAGE.get(gate.words[0])
    return suffixes is None or path.endswith(suffixes)
