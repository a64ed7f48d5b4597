"""Where in a command line a tool is started: by its name, through a runner (`uv run pytest`), or by a package script.

Rules:
- A runner is seen through: the first word behind it that names a known tool is the tool.
- A package script is read from package.json and followed (`npm run lint` -> `eslint .`). A package manager appends
  arguments to the end of the script, so the tool must be the script's last command, reached only by `&&`.
- What stands in a loop would write over its own report and is not asked for one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from ralph.record import record
from ralph.steps.commandline import Line, Simple, Word, read_line
from ralph.steps.tools.recipe import Kind, Recipe
from ralph.steps.tools.registry import recipe_of_program

RUNNERS = frozenset(
    [
        "uv",
        "uvx",
        "poetry",
        "pdm",
        "pipenv",
        "hatch",
        "rye",
        "pipx",
        "npx",
        "bunx",
        "env",
        "time",
        "nice",
        "timeout",
        "xvfb-run",
        "cross-env",
        "dotenv",
        "nyc",
        "c8",
        "node",
        "coverage",
        "bundle",
        "dotenvx",
        "direnv",
        "mise",
        "pixi",
    ]
)
_PYTHON = re.compile(r"python[\d.]*|pypy[\d.]*")
MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_EXEC = frozenset({"exec", "x", "dlx"})
_RUN = frozenset({"run", "run-script", "rum", "urn"})
_TEST = frozenset({"test", "t", "tst"})
_WITH_VALUE = frozenset({"--prefix", "-C", "--dir", "--cwd", "-w", "--workspace", "--filter", "-F"})
_ELSEWHERE = frozenset({"-w", "--workspace", "--workspaces", "-ws", "--filter", "-F", "-r", "--recursive"})
MAX_DEPTH = 4
PACKAGE_FILE = "package.json"


@record
class Invocation:
    """One start of a known tool. Arguments go to byte `end`, behind the words of `glue` (npm wants `--`)."""

    recipe: Recipe
    command: Simple
    words: tuple[str, ...]
    end: int
    glue: tuple[str, ...] = ()
    own_words: tuple[Word, ...] = ()
    """The tool's arguments as they stand in the line; empty behind a package script."""


@record
class Found:
    """The starts of known tools in a line, and why a tool that is started could not be asked for a report."""

    line: Line
    invocations: tuple[Invocation, ...]
    obstacle: str | None = None

    @property
    def alone(self) -> bool:
        """Nothing on the line but those tools can have decided the exit code."""
        asked = {id(each.command) for each in self.invocations}
        return all(id(command) in asked or command.neutral for command in self.line.commands)


def find(text: str, kind: Kind, root: Path) -> Found:
    """The known tools of a kind that a shell line starts in the project at `root`."""
    line = read_line(text)
    invocations: list[Invocation] = []
    obstacle: str | None = None
    directory = root
    for command in line.commands:
        if command.name == "cd" and len(command.words) == 2:
            directory = directory / command.words[1].text
            continue
        outcome = _resolve(command, kind, directory)
        if isinstance(outcome, str):
            obstacle = obstacle or outcome
        elif outcome and command.repeated:
            obstacle = obstacle or f"{outcome.recipe.tool} stands in a loop or a function"
        elif outcome:
            invocations.append(outcome)
    return Found(line, tuple(invocations), obstacle)


def runs_script(text: str) -> bool:
    """True if a shell line runs a script of a package."""
    return any(_script_of(command.texts) for command in read_line(text).commands)


def _resolve(command: Simple, kind: Kind, directory: Path) -> Invocation | str | None:
    """The tool that a command starts, an obstacle in words, or None when it starts no known tool."""
    place = _tool_place(command.texts, kind)
    if place:
        index, recipe = place
        return Invocation(recipe, command, command.texts[index:], command.end, (), command.words[index + 1 :])
    script = _script_of(command.texts)
    if script is None:
        return None
    followed = _follow(script, kind, directory, MAX_DEPTH)
    if not isinstance(followed, tuple):
        return followed
    recipe, words, dashes = followed
    given = command.texts.count("--") if script.manager == "npm" else 0
    return Invocation(recipe, command, words, command.end, ("--",) * max(0, dashes - given))


def _tool_place(words: Sequence[str], kind: Kind) -> tuple[int, Recipe] | None:
    """Index and recipe of the tool among a command's words."""
    for index in _candidates(words):
        recipe = recipe_of_program(_program(words[index]), kind)
        if recipe and (recipe.needs is None or recipe.needs in words[index + 1 :]):
            return index, recipe
    return None


def _candidates(words: Sequence[str]) -> Iterator[int]:
    """Indices of words that may be the program that is really run."""
    name = _program(words[0])
    yield 0
    if name in RUNNERS or _PYTHON.fullmatch(name):
        yield from range(1, len(words))
    elif name in MANAGERS:
        index = next((place for place in range(1, len(words)) if not words[place].startswith("-")), len(words))
        if index < len(words) and words[index] in _EXEC:
            yield from range(index + 1, len(words))
        elif name != "npm" and index < len(words):
            yield index


def _program(word: str) -> str:
    name = PurePosixPath(word).name
    return name.removesuffix(".js").removesuffix(".mjs").removesuffix(".cmd")


@record
class _Script:
    manager: str
    name: str
    folder: str
    elsewhere: bool


def _script_of(words: Sequence[str]) -> _Script | None:
    """The package script that a package manager is told to run."""
    manager = _program(words[0])
    if manager not in MANAGERS:
        return None
    names: list[str] = []
    folder, elsewhere, rest = ".", False, iter(words[1:])
    for word in rest:
        if word == "--":
            break
        option, _, value = word.partition("=")
        elsewhere = elsewhere or option in _ELSEWHERE
        if option in _WITH_VALUE:
            value = value or next(rest, "")
            folder = value if option in ("--prefix", "-C", "--dir", "--cwd") else folder
        elif not word.startswith("-"):
            names.append(word)
    if not names or (names[0] in _RUN and len(names) < 2):
        return None
    if names[0] in _RUN:
        return _Script(manager, names[1], folder, elsewhere)
    if names[0] in _TEST:
        return _Script(manager, "test", folder, elsewhere)
    return None if manager == "npm" else _Script(manager, names[0], folder, elsewhere)


def _follow(
    script: _Script, kind: Kind, directory: Path, depth: int
) -> tuple[Recipe, tuple[str, ...], int] | str | None:
    """(recipe, the tool's words, how many `--` npm wants before arguments reach it) of a package script."""
    body = package_script(directory / script.folder, script.name)
    if body is None or depth == 0:
        return None
    if script.elsewhere:
        return f"the script {script.name!r} runs in other packages"
    line = read_line(body)
    last = line.commands[-1] if line.commands else None
    if last is None:
        return None
    dashes = 1 if script.manager == "npm" else 0
    place = _tool_place(last.texts, kind)
    inner = None if place else _script_of(last.texts)
    followed = _follow(inner, kind, directory / script.folder, depth - 1) if inner else None
    if isinstance(followed, str):
        return followed
    starts = place or followed or any(_tool_place(each.texts, kind) for each in line.commands)
    if starts and not (line.chained and (place or followed)):
        return f"the script {script.name!r} of package.json is {body!r}, which does not end with the tool alone"
    if place:
        return place[1], last.texts[place[0] :], dashes
    return (followed[0], followed[1], followed[2] + dashes) if followed else None


def package_script(folder: Path, name: str) -> str | None:
    """The text of a package.json script; None when there is no such file, script, or it cannot be read."""
    try:
        document = json.loads((folder / PACKAGE_FILE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    scripts = document.get("scripts") if isinstance(document, dict) else None
    body = scripts.get(name) if isinstance(scripts, dict) else None
    return body if isinstance(body, str) else None
