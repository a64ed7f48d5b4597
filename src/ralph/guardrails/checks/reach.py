"""What a check leads to: the targets, scripts and files that it runs by name, down to the programs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.idle_tasks import is_idle
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.known import identity, without_environment
from ralph.guardrails.checks.programs.services import COMPOSE
from ralph.guardrails.checks.programs.tables import PROGRAMS, RUN_WORDS, RUNS_A_NAME, SUBCOMMANDS
from ralph.guardrails.checks.readers.files import gates_of, may_hold_gates
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.python_tasks.task_words import CALLERS
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

MAX_DEPTH = 5
SCRIPT = later(r"^[\w.-]+\.(?:sh|bash|py|[cm]?js|rb|pl)$")
RUNNERS = {
    "tox": "tox.ini",
    "nox": "noxfile.py",
    "pre-commit": ".pre-commit-config.yaml",
    "prek": ".pre-commit-config.yaml",
}
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
TASKFILES = tuple(f"{name}{end}" for end in (".yml", ".yaml") for name in ("Taskfile", "taskfile"))
READ_FIRST = (MAKEFILES, TASKFILES, ("rakefile", "Rakefile"))
"""Of several in a folder `make`, `task` and `rake` read the first."""
TABLES = {
    **dict.fromkeys(("make", "gmake"), MAKEFILES),
    "just": ("justfile", ".justfile", "Justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml"),
    **dict.fromkeys(("pdm", "rye"), ("pyproject.toml",)),
    "hatch": ("pyproject.toml", "hatch.toml"),
    "poe": ("pyproject.toml", "poe_tasks.toml"),
    "pixi": ("pyproject.toml", "pixi.toml"),
    **dict.fromkeys(("invoke", "inv"), ("tasks.py",)),
    "composer": ("composer.json",),
    "earthly": ("Earthfile",),
    COMPOSE: tuple(f"{name}{end}" for name in ("compose", "docker-compose") for end in (".yaml", ".yml")),
}
DEFAULT_TABLES = ("package.json",)


class Reach:
    """The checks of one tree. Nothing is read before it is asked for."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self._files: dict[str, tuple[Gate, ...]] = {}

    def of_file(self, path: str) -> tuple[Gate, ...]:
        if path not in self._files:
            there = path in self.side.paths and path not in self._hidden
            self._files[path] = gates_of(self.side, path) if there else ()
        return self._files[path]

    @cached_property
    def _hidden(self) -> frozenset[str]:
        first = (path for names in READ_FIRST for name in names for path in self.side.by_name.get(name, ()))
        return frozenset(other for path in first for other in hidden_by(path))

    @cached_property
    def everywhere(self) -> list[Gate]:
        return [gate for path in sorted(self.side.paths) if may_hold_gates(path) for gate in self.of_file(path)]

    def leaves(self, gate: Gate, depth: int = 0) -> Iterator[Gate]:
        """The check itself and everything that it leads to."""
        yield gate
        if depth < MAX_DEPTH:
            for found in self._next(gate):
                if found != gate:
                    yield from self.leaves(found, depth + 1)

    def steps(self, gate: Gate) -> list[Gate]:
        """What it runs by name."""
        return [found for found in self._next(gate) if found != gate]

    def kinds(self, gate: Gate) -> frozenset[Kind]:
        """The kinds of check that it comes to; empty if that is not known."""
        return frozenset(leaf.kind for leaf in self.leaves(gate) if leaf.kind != "named")

    def tools(self, gate: Gate) -> frozenset[str]:
        """The programs that do the checking in the end; the check's own name where that is not known."""
        direct = frozenset(tool(leaf) for leaf in self.leaves(gate) if leaf.kind != "named")
        return direct or frozenset((program(gate),))

    def is_check(self, gate: Gate) -> bool:
        """False for a target or script that neither its name nor what it runs makes a check."""
        return gate.certain or bool(self.kinds(gate))

    def is_idle(self, gate: Gate) -> bool:
        """What it runs by its name is there, and only says something."""
        words = without_environment(gate.words)
        if words[0] not in RUN_WORDS or self.steps(gate):
            return False
        names = [word for word in words[1:] if not word.startswith("-") and word not in RUN_WORDS[words[0]]]
        tables = (self._node(path) for path in self._tables(gate) if path.endswith((".toml", ".json")))
        return len(names) == 1 and is_idle(names[0], [node for node in tables if node is not None])

    def _node(self, path: str) -> Node | None:
        return self.side.node(path) if path in self.side.paths else None

    def _tables(self, gate: Gate) -> Iterator[str]:
        """Where a runner finds its names: beside the file that calls it, and at the root; in the folder that `make -C`
        is told."""
        runner, own = gate.words[0], posixpath.dirname(gate.path)
        told = [folder for option, folder in pairwise(gate.words) if runner == "make" and option == "-C"]
        told = [posixpath.normpath(posixpath.join(start, each)) for each in told for start in (own, "")]
        for directory in dict.fromkeys(told or (own, "")):
            for name in TABLES.get(runner, DEFAULT_TABLES):
                yield posixpath.join(directory, name)

    def _next(self, gate: Gate) -> list[Gate]:
        first, rest = gate.words[0], gate.words[1:]
        if first == "uses":
            path = posixpath.normpath(rest[0])
            return [found for end in ("", "/action.yml", "/action.yaml") for found in self.of_file(path + end)]
        if first in RUNNERS:
            gates = self.of_file(RUNNERS[first])
            return _of_environments(gates, rest) if first == "tox" else list(gates)
        if first in RUNS_A_NAME or first in RUN_WORDS or first in ("npm", "yarn", "pnpm", "bun"):
            told = without_environment(gate.words)[1:]
            names = [word for word in told if not word.startswith("-") and word not in RUN_WORDS.get(first, ())]
            files = [found for path in self._tables(gate) for found in self.of_file(path)]
            handed = {name: told[told.index(name) + 1 :] if first in RUN_WORDS else () for name in names}
            return [
                _given(found, handed[name])
                for name in names
                for found in files
                if found.slot.rpartition("/")[2] == name
            ]
        paths = [word.removeprefix("./") for word in gate.words if re.search(r"\.\w+$", word) or "/" in word]
        found = [found for path in paths[:2] for found in self.of_file(posixpath.normpath(path))]
        return found or [found for path in self._called_by_path(gate) for found in self.of_file(path)]

    def _called_by_path(self, gate: Gate) -> list[str]:
        """`./ci/check.sh` is known by its last name: it is the only file of that name which its caller names."""
        name = gate.words[0]
        if "/" in name or not SCRIPT.search(name) or name in self.side.paths:
            return []
        text = self.side.text(gate.path) or ""
        named = [path for path in self.side.by_name.get(name, ()) if path in text]
        return named if len(named) == 1 else []


def _given(gate: Gate, handed: Sequence[str]) -> Gate:
    """What a script runs where its caller hands something on: in the place that the script has for it."""
    at = gate.words.index(CALLERS) if CALLERS in gate.words and handed else -1
    return gate if at < 0 else replace(gate, words=(*gate.words[:at], *handed, *gate.words[at + 1 :]))


def hidden_by(path: str) -> Iterator[str]:
    """The files that are not read because of this one, if they are there."""
    folder, name = posixpath.split(path)
    for names in READ_FIRST:
        for other in names[names.index(name) + 1 :] if name in names else ():
            yield posixpath.join(folder, other)


def _of_environments(gates: Sequence[Gate], words: Sequence[str]) -> list[Gate]:
    """What the environments run that a call of tox names; all where it names none, or one with no commands."""
    said = {word for option, word in pairwise(words) if option in ("-e", "--env")}
    names = {name for word in said for name in word.split(",")}
    found = [gate for gate in gates if re.split(r"[:/]", gate.slot)[-1] in names]
    missing = names - {re.split(r"[:/]", gate.slot)[-1] for gate in found}
    return found if names and not missing else list(gates)


def program(gate: Gate) -> str:
    """What is run, whatever its options: `mypy` of a hook and of a script are the same."""
    if gate.words[0] == "hook":
        return re.sub(r"-(?:check|mirror|local|system)$", "", gate.words[1])
    if gate.words[0] == "uses":
        parts = [part.removesuffix("-action").removeprefix("action-") for part in gate.words[1].split("/")]
        return next((part for part in reversed(parts) if part in PROGRAMS), parts[-1])
    return identity(gate.words)


def tool(gate: Gate) -> str:
    """The program alone, whatever it is told to do; `go test` and `go vet` are two. A hook's is what its entry runs."""
    own_entry = gate.words[0] == "hook" and len(gate.words) > 2 and gate.kind != "named"
    name = identity(gate.words[2:]) if own_entry else program(gate)
    first = name.partition(" ")[0]
    return name if first in SUBCOMMANDS else first
