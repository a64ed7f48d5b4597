"""Where commands are written: shell scripts, Makefiles, CI files, package scripts, tox, tasks, pre-commit, addopts.

Each file gives the commands that it runs and the coverage floors that it names (`COVERAGE_MIN: 80`, a test against a
number, an input of a CI action), as nodes that know their line.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from typing import NamedTuple

from ralph.guardrails.config import CODE, PYTHON_TASKS, is_python_task
from ralph.guardrails.config.command_files import aliases, embedded, implied, shellwords, staged, tool_variables
from ralph.guardrails.config.command_files.actions import action_command
from ralph.guardrails.config.command_files.azure import task_command
from ralph.guardrails.config.command_files.included import included
from ralph.guardrails.config.node import Key, Node, canonical, names
from ralph.guardrails.config.python_tasks.projects import OF_ONE_TOOL, PROJECT_FILES, collect
from ralph.guardrails.config.side import Side
from ralph.guardrails.languages import language_of, wants_first_line
from ralph.record import record
from ralph.system.patterns import later

_CI_FILE = later(
    r"(^|/)(\.(github|gitea|forgejo)/workflows/[^/]+|\.(circleci|buildkite|woodpecker|semaphore|tekton)/[^/]+|action"
    r"|[^/]*\.gitlab-ci|\.(travis|drone|appveyor|cirrus)|codefresh|codemagic|bitrise"
    r"|azure-pipelines[^/]*|bitbucket-pipelines|taskfile|appveyor|buildspec[^/]*|cloudbuild[^/]*|\.woodpecker[^/]*|lefthook)"
    r"\.ya?ml$"
)
TEST_SCRIPT = later(r"(?:npm|pnpm|yarn|bun) (?:run )?(?:test|t|tst)(?::\w+)?")
"""A script whose options are those of whatever runner it calls."""
MAKEFILES = ("makefile", "gnumakefile", "*.mk", "justfile", ".justfile")
COMMAND_KEYS = frozenset(
    names(
        "run script scripts before_script after_script command commands cmds cmd bash pwsh powershell install "
        "steps_script args ps"
    )
)
PROSE = (".rst", ".txt", ".adoc", ".lock", ".log")
"""Files that may write of a variable without setting it for anything."""
ENVIRONMENT_KEYS = frozenset({"env", "variables", "environment", "vars"})
_FLOOR_NAME = later(r"(?=.*cov)(?=.*(min|thresh|floor|fail|limit|target|require|under|goal))", re.IGNORECASE)
_MAKE_TARGET = later(r"([\w./%-]+)(?![\w./%-])[^:=]*:(?!=)")
_MAKE_VARIABLE = later(
    r"^(?:[\w./% -]+::?(?![=:])\s*)?(?:(?:export|override|private)\s+)*"
    r"(?P<name>[\w.]+)\s*(?:\?|:{1,3}|\+)?=\s*(?P<value>.*)$"
)
"""For all targets, or for some (`test: export A=b`)."""


class Run(NamedTuple):
    """One command: its words, where it stands, and the script, job or target that it belongs to."""

    words: tuple[str, ...]
    node: Node
    slot: str
    implied: bool = False
    """Options that every call of the program gets: a setting or a variable of the environment."""

    def bare(self) -> Run:
        """The program by itself in its place."""
        return Run(self.words[:1], self.node, self.slot)


@record
class Commands:
    """`runs` in order; `floors`: named numbers."""

    runs: tuple[Run, ...]
    floors: Mapping[Key, Node]


def read_commands(side: Side, path: str) -> Commands:
    """The commands of one file; none for a file that holds no commands."""
    collector = _Collector(path)
    name = path.rpartition("/")[2].lower()
    if name.endswith(CODE) and not is_python_task(path) and name not in staged.FILES:
        return Commands((), {})
    if is_ci_file(path):
        collector.ci(side.node(path))
    elif any(fnmatch(name, glob) for glob in MAKEFILES):
        collector.makefile(side.text(path) or "")
    elif name in ("package.json", "composer.json", "deno.json", "deno.jsonc", "devbox.json"):
        collector.named_scripts(side.node(path) or Node({}, path))
    elif name in PROJECT_FILES or name in OF_ONE_TOOL:
        collect(collector, name, side.node(path) or Node({}, path))
    elif name in (".pre-commit-config.yaml", ".pre-commit-config.yml"):
        collector.hooks(side.node(path))
    elif aliases.holds(path, name):
        for collector.slot, text, line in aliases.read(side, path, name):
            collector.shell(text, line)
    elif name.endswith((".yml", ".yaml")):
        collector.ci(included(side, path))
    else:
        _read_text(collector, side, path, name)
    collector.environment(side.bytes(path) or b"", name)
    return Commands(tuple(collector.runs), collector.floors)


def _read_text(collector: _Collector, side: Side, path: str, name: str) -> None:
    """Files that hold commands as lines of text."""
    if implied.holds_options(path):
        for program, line, number in implied.options(path, side.text(path) or ""):
            collector.options(program, Node(line, path, number, 1))
    elif name == "jenkinsfile" or embedded.is_image(name) or is_python_task(path):
        for variable, value, row in embedded.variables(name, side.text(path) or ""):
            collector.variable(variable, Node(value, path, row, 1))
        for text, row in embedded.commands(name, side.text(path) or ""):
            collector.shell(text, row)
    elif path.startswith((".husky/", ".githooks/")) or is_shell(side, path):
        collector.shell(side.text(path) or "", 1)


def command_files(side: Side) -> list[str]:
    """Every file of the tree that by its name holds commands."""
    return [path for path in sorted(side.paths) if _may_run(path)]


def _may_run(path: str) -> bool:
    name = posixpath.basename(path).lower()
    listed = name in (*PROJECT_FILES, *PYTHON_TASKS, "package.json", "jenkinsfile", "dockerfile")
    return listed or is_ci_file(path) or name.endswith(".sh") or any(fnmatch(name, glob) for glob in MAKEFILES)


def is_ci_file(path: str) -> bool:
    return path.endswith((".yml", ".yaml", ".YML", ".YAML")) and bool(_CI_FILE.search(path.lower()))


def is_shell(side: Side, path: str) -> bool:
    first = (side.bytes(path) or b"")[:200].split(b"\n", 1)[0] if wants_first_line(path) else None
    return language_of(path, first) == "shell"


class _Collector:
    def __init__(self, path: str) -> None:
        self.path = path
        self.runs: list[Run] = []
        self.slot = ""
        self.floors: dict[Key, Node] = {}
        self.variables: dict[str, str] = {}

    def shell(self, text: str, line: int) -> None:
        for name, value, row in shellwords.assignments(text):
            self.variable(name, Node(value, self.path, line + row, 1))
        for left, number, row in shellwords.floors(text):
            if "cov" in left.lower():
                self.floors[("test", left)] = Node(number, self.path, line + row, 1)
        for command in shellwords.commands(text, self.variables):
            self._add(command.words, Node(" ".join(command.words), self.path, line + command.row, 1))

    def variable(self, name: str, node: Node) -> None:
        self.variables[name] = node.text
        if _FLOOR_NAME.search(name):
            self.floors[("variable", name)] = node
        if name.startswith(("CIBW_TEST_COMMAND", "CIBW_BEFORE_TEST")):
            self.shell(node.text, node.line)
        if name in tool_variables.HOLDS_OPTIONS:
            self.options(tool_variables.HOLDS_OPTIONS[name], node)
        elif words := tool_variables.words_for(name, node.text):
            self.runs.append(Run(words, node, self.slot, implied=True))

    def environment(self, data: bytes, name: str) -> None:
        """Variables of tools, wherever in the text they are set; those that were read already are not read again."""
        if name.endswith(PROSE):
            return
        for variable, value, line in tool_variables.SET.of(data):
            if variable not in self.variables:
                self.slot = ""
                self.variable(variable, Node(value, self.path, line, 1))

    def options(self, program: str, node: Node) -> None:
        """Options that a program is given by other ways than its command line. A value in a list is one word."""
        whole = isinstance(node.value, list)
        texts = [item.text for item in node.items]
        split = ([text] if whole and not text.startswith("-") else shellwords.split_words(text) for text in texts)
        words = [word for part in split for word in part]
        self.runs.append(Run((program, *words), node, self.slot, implied=True))

    def _add(self, words: tuple[str, ...], node: Node) -> None:
        if words[:1] == ("py.test",):
            words = ("pytest", *words[1:])
        self.runs.append(Run(words, node, self.slot))
        if TEST_SCRIPT.fullmatch(" ".join(words[:3]).split(" -")[0]):
            self.runs.append(Run(("npm test", *words[2:]), node, self.slot))

    def makefile(self, text: str) -> None:
        """Variables first, for they count wherever they stand; then recipe lines, joined and without their prefixes."""
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if not line.startswith("\t") and (match := _MAKE_VARIABLE.match(line)):
                value, at = match["value"], number
                while value.endswith("\\") and at < len(lines):
                    value, lines[at], at = f"{value[:-1].rstrip()} {lines[at].strip()}", "", at + 1
                value = value.split(" #")[0].strip()
                self.variable(match["name"], Node(shellwords.unquoted(value), self.path, number, 1))
        indented = re.compile(r"^(\t|  +)")
        recipe: list[str] = []
        for number, line in enumerate([*lines, ""], 1):
            if not recipe and (target := _MAKE_TARGET.match(line)):
                self.slot = target[1]
            if recipe or indented.match(line):
                recipe.append(line.removesuffix("\\") if line.endswith("\\") else line)
                if not line.endswith("\\"):
                    body = " ".join(part.strip() for part in recipe)
                    self.shell(re.sub(r"^[-@+]+", "", body).replace("$$", "$"), number - len(recipe) + 1)
                    recipe = []

    def ci(self, node: Node | None) -> None:
        """Every text under a key that holds commands; environment variables count for the whole file."""
        if node is not None:
            self._environments(node)
            self._ci(node)

    def _environments(self, node: Node) -> None:
        for key, value in node.mapping.items():
            if key in ENVIRONMENT_KEYS:
                for name, item in value.mapping.items():
                    self.variable(name, item.at("value") or item)
        for child in _children(node):
            self._environments(child)

    def _ci(self, node: Node, slot: str = "") -> None:
        self.slot = slot
        for key, value in node.mapping.items():
            if key in COMMAND_KEYS or key.endswith("_script"):
                self.strings(value)
        if (task := task_command(node)) is not None:
            self.shell(task.text, task.line)
        self._action(node)
        for key, value in node.mapping.items():
            self._ci(value, f"{slot}/{key}")
        for item in node.value if isinstance(node.value, list) else ():
            self._ci(item, slot)

    def _action(self, node: Node) -> None:
        """A CI action's inputs that name a floor, or what a scanner fails for."""
        uses, inputs = node.at("uses"), node.at("with")
        if uses is None:
            return
        name, given = canonical(uses).split("@")[0], inputs.mapping if inputs is not None else {}
        variables = node.at("env")
        if words := action_command(name, {**(variables.mapping if variables is not None else {}), **given}):
            self._add(tuple(words), uses.with_value(" ".join(words)))
        for key, value in given.items():
            covers = "cov" in name.lower() or "cov" in key.lower()
            if covers and re.search(r"min|thresh|fail.?(under|below)|target|require", key, re.IGNORECASE):
                self.floors[("action", name, key)] = value
            elif covers and key == "fail_ci_if_error":
                self.floors[("switch", name, key)] = value

    def named_scripts(self, node: Node) -> None:
        for table in filter(None, (node.at(*key) for key in (("scripts",), ("tasks",), ("shell", "scripts")))):
            for self.slot, script in table.mapping.items():
                self.strings(script)
        wired = node.at("wireit")
        for self.slot, script in wired.mapping.items() if wired is not None else ():
            self.strings(script.at("command"))
        for self.slot, text, line in staged.commands(node, package=True):
            self.shell(text, line)

    def strings(self, node: Node | None) -> None:
        """Commands as text, as lists of text, as maps from name to text."""
        if node is None:
            return
        for item in _texts(node):
            later_line = "\n" in item.text and item.column > 0 and self.path.endswith((".yml", ".yaml"))
            self.shell(item.text, item.line + int(later_line))

    def hooks(self, node: Node | None) -> None:
        """A pre-commit hook runs its id, or its entry, with its arguments."""
        for repository in (node.at("repos") or node).items if node else ():
            hooks = repository.at("hooks")
            for hook in hooks.items if hooks else ():
                entry, arguments = hook.at("entry") or hook.at("id"), hook.at("args")
                if entry:
                    words = (
                        *shellwords.split_words(entry.text),
                        *(canonical(item) for item in (arguments.items if arguments else ())),
                    )
                    place = arguments or entry
                    for bare in shellwords.unwrapped(list(words)):
                        self._add(tuple(bare), place)


def _texts(node: Node) -> Iterator[Node]:
    if isinstance(node.value, str):
        yield node
    for child in _children(node):
        yield from _texts(child)


def _children(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else list(node.mapping.values())
