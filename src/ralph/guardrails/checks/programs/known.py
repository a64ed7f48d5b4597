"""Which commands are checks: test runners, linters, type checkers, builds, audits, and what leads to them by a name.

A command is given bare (see `shellwords.unwrapped`): its program by its last name. Formatters that rewrite, watchers,
and calls that only ask for help or a version check nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from itertools import pairwise

from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.services import COMPOSE
from ralph.guardrails.checks.programs.tables import (
    IDLE,
    INTERPRETERS,
    NAMED,
    NOT_NAMED,
    OWN_COMMANDS,
    PROGRAM_NEEDS,
    PROGRAMS,
    REWRITERS,
    RUN_WORDS,
    RUNS_A_NAME,
    SCRIPTS,
    SUBCOMMANDS,
)
from ralph.guardrails.config.command_files.shellwords import WITH_VALUES
from ralph.guardrails.config.node import names
from ralph.guardrails.config.patterns import is_test
from ralph.system.patterns import later

SHORT = ("yarn", "pnpm", "bun", "poe")
"""What runs a script with no word before its name."""
VALUED = frozenset(
    names("-C -f -I -o -j --directory --file --jobs -W --filter -F --shell --justfile --working-directory --taskfile")
)
TSC_IDLE = frozenset(("--init", "--showConfig", "--listFilesOnly"))
FORMAT_CHECKED = {
    "dart": ("--set-exit-if-changed",),
    "dotnet": ("--verify-no-changes", "--check"),
    "mix": ("--check-formatted",),
}
"""With one of these words, `format` of these programs checks; else it rewrites."""
VERSIONED = frozenset(("pact-broker",))
"""To these `--version` says of what."""
TELLING = {
    **dict.fromkeys(("task", "go-task"), frozenset(names("--experiments --completion --init"))),
    "just": frozenset(names("--completions --init --variables --groups --changelog --man")),
    **dict.fromkeys(("inv", "invoke"), frozenset(names("--complete --print-completion-script"))),
}
"""With one of these words a runner of tasks tells something, and runs none."""
STARTED = {
    **dict.fromkeys(("cargo",), ("run", "r")),
    **dict.fromkeys(("go", "richgo", "dotnet", "swift", "dart"), ("run",)),
}
"""How a program of the project is started, which has words of its own: `cargo run -- build book` builds a book."""
BUILDS = frozenset(("build", "b"))
OF_TASKS = later(r"(?i)task|make|mage|build|\bci\b|\bdev\b|check|test")
"""A program that builds the project for those who work on it, as its name or place says."""
EXPRESSIONS = {
    "Rscript": later(
        r"\b(?:lintr|testthat|tinytest|rcmdcheck|covr|styler)::|\bdevtools::(?:test|check)|\btest_(?:dir|check)\("
    ),
    "julia": later(r"\bPkg\.test\b|^test/runtests\.jl$|\bAqua\.test|\bJET\.test|\bJuliaFormatter\b"),
}
"""Programs that are told by a text what to check."""
OTHER_WORK = later(
    r"doc|build|release|dist|publish|change|bench|codspeed|deploy|format|fmt|serve|dev|sponsor", re.IGNORECASE
)

OF_AGENTS = later(r"^[\"']?\$\{?RUNNER_TEMP\}?/gh-aw/actions/[\w.-]+[\"']?$")
"""Scripts that GitHub's action for agents brings, whatever they are called: they look at the agent's own place."""


def is_named(name: str) -> bool:
    """True for a script, target or job whose name says that it checks something."""
    name = re.sub(r"(?<=\w)\[.*", "", name.strip("\"'"))  # `rake "spec:part[$INDEX]"` hands something on
    stem = re.sub(r"\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|ps1|yml|yaml)$", "", name)
    return bool(NAMED.search(stem)) and not NOT_NAMED.search(stem)


def kind_of(words: Sequence[str]) -> Kind | None:
    """The kind of check that a bare command is; None if it is none."""
    program, rest = words[0].removesuffix(".exe").removesuffix(".cmd"), words[1:]
    if (IDLE.intersection(rest) and program not in VERSIONED) or not program:
        return None
    if program in TELLING and TELLING[program].intersection(rest):
        return None
    if program in EXPRESSIONS:
        return "test" if any(map(EXPRESSIONS[program].search, rest)) else None
    if program in REWRITERS:
        return "lint" if set(REWRITERS[program]).intersection(rest) else None
    if program in PROGRAMS:
        return _of_program(program, rest)
    return _of_subcommand(program, rest) or _of_name(program, rest)


def _of_program(program: str, rest: Sequence[str]) -> Kind | None:
    if (
        program in ("tox", "nox")
        and _chosen(rest)
        and all(OTHER_WORK.search(name) and "$" not in name for name in _chosen(rest))
    ):
        return None
    if program in PROGRAM_NEEDS:
        given = PROGRAM_NEEDS[program].intersection(rest)
        old_ruff = program == "ruff" and rest and not re.fullmatch(r"[a-z]+", rest[0])
        if PROGRAM_NEEDS[program] and not given and not old_ruff:
            return None
        if given == {"format"} and not _only_looks(program, rest):
            return None
    if program in ("tsc", "vue-tsc", "tsgo") and (
        TSC_IDLE.intersection(rest) or ("--build" in rest and "--clean" in rest)
    ):
        return None
    return PROGRAMS[program]


def _only_looks(program: str, rest: Sequence[str]) -> bool:
    """Biome's formatter rewrites only where it is told to; the others look only where they are."""
    if program == "biome":
        return not {"--write", "--fix", "--apply"}.intersection(rest)
    return bool({"--check", "--diff", "--exit-non-zero-on-format"}.intersection(rest))


def _chosen(rest: Sequence[str]) -> list[str]:
    """The environments or sessions that tox and nox are asked for."""
    return [
        name
        for option, value in pairwise(rest)
        if option in ("-e", "-s", "--env", "--session")
        for name in value.split(",")
    ]


def _of_subcommand(program: str, rest: Sequence[str]) -> Kind | None:
    known = SUBCOMMANDS.get(program, {})
    # Gradle's tasks have their project before them: `:app:test`.
    rest = _names_a_script(program, rest) if program in SCRIPTS else rest
    words = [word.rpartition(":")[2] if program.startswith("gradle") else word for word in rest]
    found = next((known[word] for word in words if word in known), None)
    if found == "build" and _is_own_work(program, rest):
        return None
    formats = {"fmt": ("--check", "-check", "--", "-c"), "makemigrations": ("--check",)}
    if program in FORMAT_CHECKED:
        formats["format"] = FORMAT_CHECKED[program]
    unchecked = any(verb in rest and not set(marks).intersection(rest) for verb, marks in formats.items())
    return None if unchecked else found


def _is_own_work(program: str, rest: Sequence[str]) -> bool:
    """A program of the project is started and told to build something, and its name is not that of a tool for it."""
    if not rest or rest[0] not in STARTED.get(program, ()):
        return False
    last = max((index for index, word in enumerate(rest) if word in BUILDS), default=len(rest))
    return not any(map(OF_TASKS.search, rest[1:last]))


def _names_a_script(program: str, rest: Sequence[str]) -> Sequence[str]:
    """Without what is handed on to a script that goes by its own name: `yarn build --target test` tests nothing."""
    own = list(rest[: rest.index("--")] if "--" in rest else rest)
    at = next((index for index, word in enumerate(own) if word in RUN_WORDS[program]), None)
    if at is not None:
        name = [word for word in own[at + 1 : at + 2] if not word.startswith("-")]
        return [*own[:at], *name] if name else own
    scripted = program in SHORT and own and not own[0].startswith("-") and own[0] not in OWN_COMMANDS
    return own[:1] if scripted else own


def _of_name(program: str, rest: Sequence[str]) -> Kind | None:
    """A target or script that is run by its name, or a file; `says_so` tells whether the name speaks of checks."""
    bare = _bare(without_environment((program, *rest))[1:])
    if program in RUNS_A_NAME:
        return "named" if bare or program in ("make", "gmake", "just", "task", "rake") else None
    if program in RUN_WORDS:
        verbs = RUN_WORDS[program]
        if not verbs or set(verbs).intersection(bare[:1]):
            return "named" if len(bare) > bool(verbs) else None
        return "named" if program in SHORT and bare and (is_named(bare[0]) or _is_script(program, bare[0])) else None
    if INTERPRETERS.fullmatch(program) and bare and not {"-c", "-e"}.intersection(rest):
        if OF_AGENTS.search(bare[0]):
            return None
        if posixpath.basename(bare[0]) in SUBCOMMANDS:
            return _of_subcommand(posixpath.basename(bare[0]), bare[1:])
        return "named" if is_named(posixpath.basename(bare[0])) or is_named_folder(bare[0]) else None
    if re.search(r"\.(?:sh|bash|py|rb|js|mjs|pl)$", program):
        return "named"
    return None


def _is_script(program: str, word: str) -> bool:
    return program != "poe" and re.fullmatch(r"[\w:-]+", word) is not None and word not in OWN_COMMANDS


def says_so(words: Sequence[str]) -> bool:
    """True if the name that a command runs says that it checks something."""
    program, bare = words[0], _bare(without_environment(words)[1:])
    if program == COMPOSE:  # `up test-db` starts what tests need
        return False
    if program in RUNS_A_NAME:
        return not bare or any(is_named(word) for word in bare)
    if program in SHORT and bare and bare[0] not in RUN_WORDS[program]:
        return is_named(bare[0])
    if program in RUN_WORDS:
        return any(is_named(word) for word in (bare[1:] if RUN_WORDS[program] and len(bare) > 1 else bare))
    return is_named(program) or any(is_named(posixpath.basename(word)) or is_named_folder(word) for word in bare[:1])


def _bare(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-") and "=" not in word]


def without_environment(words: Sequence[str]) -> Sequence[str]:
    """`pixi run -e lint check` runs the task `check`: where it does is no task."""
    if words[0] != "pixi":
        return words
    of_options = {at + 1 for at, word in enumerate(words) if word in WITH_VALUES["pixi"]}
    return [word for at, word in enumerate(words) if at not in of_options]


def is_named_folder(path: str) -> bool:
    """A file of a folder of checks (`tests/run.sh`)."""
    return any(is_named(part) for part in posixpath.dirname(path).split("/") if part)


def identity(words: Sequence[str]) -> str:
    """What makes two commands the same check with other options: the program, and the word that says what it does."""
    program = words[0]
    known = SUBCOMMANDS.get(program, {})
    if program in RUNS_A_NAME or program in RUN_WORDS or program in known:
        words = _own(words) if program in SCRIPTS else words
        return " ".join([program, *sorted(word for word in words[1:] if not word.startswith("-") and "=" not in word)])
    verb = next((word for word in words[1:] if word in known or word in PROGRAM_NEEDS.get(program, ())), "")
    if INTERPRETERS.fullmatch(program):
        verb = next((word for word in words[1:] if not word.startswith("-")), "")
    return f"{program} {verb}".strip()


def _own(words: Sequence[str]) -> Sequence[str]:
    """Without what is handed on to a script: with that it is no other one."""
    own = words[: words.index("--")] if "--" in words else words
    return [word for word in own if not is_test(word)]


def one_by_one(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """`make lint test` is two checks."""
    program, rest = words[0], words[1:]
    if program not in RUNS_A_NAME and RUN_WORDS.get(program) != ():
        return [words]
    values = {after for option, after in pairwise(rest) if option in VALUED}
    targets = [word for word in _bare(rest) if word not in values and not word.isdigit()]
    others = [word for word in rest if word not in targets]
    return [(program, *others, target) for target in targets] if len(targets) > 1 else [words]
