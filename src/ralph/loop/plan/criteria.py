"""Verification criteria: which of them Ralph measures, and which are only claimed (design decision 31).

Rules:

- `verify:"command"`, with the options of the gate language, is measured. What resembles it and is not written so is
  `unclear`: a check that nobody runs must not look like one (see `gates.forms`).
- `<command> passes` is measured if it is certain that a command is meant: it stands in backticks, or its program is
  one that checks are made with or a script of the project, or it has options. "file upload passes" could be run, and
  would end well: what might be prose is prose.
- Where there are permissions, they must allow the command. `<command> passes` is then only claimed; a verify gate
  that they do not allow is tried, refused, and so never holds.
- Everything else is claimed: shown as what the agent says. A task without a measured criterion needs the engine's PASS.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from ralph.loop.plan.errors import UnfitTask
from ralph.record import record

if TYPE_CHECKING:
    from ralph.gates.model import VerifyGate
    from ralph.permissions.model import Decision, Permissions
    from ralph.permissions.place import Place
    from ralph.shell.model import Node

TIMEOUT_S = 600.0
"""As long as a step may take: a criterion often is one."""

CHECKERS = frozenset(  # a list would be a page long
    """
    ansible-lint bats bazel biome buck2 bun bundle cargo clang-tidy cmake composer ctest cypress deno docker
    dotnet eslint flake8 flutter go golangci-lint gradle gradlew hadolint hatch jest make meson mocha mvn mvnw
    mypy ninja node nox npm npx pdm phpstan phpunit pipenv playwright pnpm poetry pre-commit prettier pylint
    pyright pytest python python3 rake rspec rubocop ruff rye sbt shellcheck staticcheck stylelint terraform tox
    tsc uv uvx vitest yarn zig
    """.split()  # noqa: SIM905
)
"""Programs that checks are usually made with."""

_VERIFY = re.compile(r"""\W*verify\s*(?:[:="'“‘`]|\Z)""", re.IGNORECASE)
_NAMED_QUOTE = re.compile(r"""\W*([\w-]+)\s*[:=]\s*["'“‘`]""")
_RUNNERS = frozenset({"bash", "cmd", "command", "exec", "run", "sh", "shell"})
_PASSES = re.compile(r"(\S[^\n]*?)[ \t]+passes\.?")
_TICKED = re.compile(r"`([^`\n]+)`")
_PROGRAM = re.compile(r"[a-z0-9_./~+-]*[a-z0-9_+-]")
_OWN_PROGRAM = re.compile(r"(?:\.{0,2}/|\.venv/|node_modules/|bin/|scripts/|tools/).+")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*(?:=.*)?")
_PROSE = re.compile(
    r"make sure|go (?!test|vet|build|run|tool|generate|list)|(?:python|node|docker|make) (?:code|the|all)\b"
)
_JOINS_PROSE = frozenset({"and", "or", "the", "that", "which", "with", "when", "if", "is", "are", "also", "then"})


@record
class Criterion:
    """A criterion as it was read. `gate` is set if it names a command, `problem` if nobody can tell (a sentence)."""

    text: str
    gate: VerifyGate | None = None
    problem: str | None = None
    explicit: bool = False
    """Written as `verify:"…"`."""


@record
class Standing:
    """How a criterion is treated under the law of a project. `why` says, as a clause, what keeps it from being run."""

    criterion: Criterion
    kind: Literal["measured", "claimed", "unclear"]
    why: str | None = None


def read(text: str) -> Criterion:
    """What a criterion says. Pure; never raises."""
    if _resembles_gate(text):
        return _verify(text)
    found = _PASSES.fullmatch(text.strip())
    if found is None:
        return Criterion(text=text)
    ticked = _TICKED.fullmatch(found[1])
    command = ticked[1].strip() if ticked else found[1]
    if not ticked and not _is_command(command):
        return Criterion(text=text)
    from ralph.gates.model import VerifyGate

    return Criterion(text=text, gate=VerifyGate(command=command, timeout_s=TIMEOUT_S))


def measured(text: str) -> str | None:
    """The command by which a criterion is measured where permissions allow it, or None. Pure; never raises."""
    gate = read(text).gate
    return gate.command if gate else None


def looks_measured(text: str) -> bool:
    """Whether somebody who wrote this criterion in words may have meant a command to be run."""
    if "`" in text:
        return any(map(_is_command, _TICKED.findall(text)))
    found = _PASSES.fullmatch(text.strip())
    return found is not None and len(found[1].split()) <= 3 and all(map(_may_be_check, command_words(found[1])))


def judged(criterion: Criterion, law: tuple[Permissions, Place] | None) -> Standing:
    """How a criterion is treated; `law` are the permissions and where they hold, None where the project has none."""
    if criterion.problem:
        return Standing(criterion=criterion, kind="unclear", why=criterion.problem)
    if criterion.gate is None:
        return Standing(criterion=criterion, kind="claimed")
    refusal = _refusal(criterion.gate, law) if law else None
    kind: Literal["measured", "claimed"] = "claimed" if refusal and not criterion.explicit else "measured"
    return Standing(criterion=criterion, kind=kind, why=refusal)


def refuse_unclear(text: str) -> None:
    """Raises UnfitTask for a criterion that resembles a verify gate and is none."""
    if problem := read(text).problem:
        raise UnfitTask(f"The verification criterion {text!r} cannot be read: {problem}")


def _resembles_gate(text: str) -> bool:
    """Whether somebody who wrote this may have meant a verify gate; hidden characters and odd letters hide nothing."""
    from ralph.gates.forms import fold, resembles_verify

    seen = fold(text[:100])
    if not seen.isascii():
        seen = "".join(character for character in seen if character.isprintable() or character.isspace())
    named = _NAMED_QUOTE.match(seen)
    return bool(_VERIFY.match(seen) or (named and (resembles_verify(named[1]) or named[1] in _RUNNERS)))


def _verify(text: str) -> Criterion:
    from ralph.gates.language import LanguageError, parse_gates
    from ralph.gates.model import VerifyGate

    try:
        gates = parse_gates(text.strip())
    except LanguageError as error:
        way = error.expected.replace(":: verify", "verify")
        return Criterion(text=text, problem=f"{error.problem}; {way}.")
    if len(gates) != 1 or not isinstance(gates[0], VerifyGate):
        return Criterion(text=text, problem='write one criterion for each command: verify:"command".')
    return Criterion(text=text, gate=gates[0], explicit=True)


def command_words(line: str) -> list[list[str]]:
    """The words of every simple command of a line; none if it cannot be read. A word that the shell computes is ""."""
    from ralph.shell.model import Unreadable
    from ralph.shell.read import read as read_line

    tree = read_line(line)
    return [] if isinstance(tree, Unreadable) else _simples(tree)


def _is_command(text: str) -> bool:
    """Whether it is certain that this is a shell line: all of it could be, and some of it is nothing else."""
    if _PROSE.match(text):
        return False
    commands = command_words(text)
    return all(map(_may_be_check, commands)) and any(map(_is_check, commands))


def _may_be_check(words: list[str]) -> bool:
    return bool(words) and bool(_PROGRAM.fullmatch(words[0])) and not _JOINS_PROSE.intersection(words)


def _is_check(words: list[str]) -> bool:
    known = words[0].rpartition("/")[2] in CHECKERS or _OWN_PROGRAM.fullmatch(words[0])
    return bool(known) or any(map(_OPTION.fullmatch, words[1:]))


def _simples(node: Node) -> list[list[str]]:
    from ralph.shell.model import Simple

    if isinstance(node, Simple):
        return [[word.literal or "" for word in node.words]]
    return [words for part in node.parts for words in _simples(part)] or [[]]


def _refusal(gate: VerifyGate, law: tuple[Permissions, Place]) -> str | None:
    from ralph.permissions.decide import decide
    from ralph.permissions.model import Outcome, RunCommand

    permissions, place = law
    folder = f"{place.root}/{gate.cwd}" if gate.cwd else place.root
    decision: Decision = decide(RunCommand(gate.command, folder), permissions, place)
    if decision.outcome is Outcome.ALLOW:
        return None
    return f"the permissions do not allow {gate.command!r}: {decision.reason} ({decision.rule})"
