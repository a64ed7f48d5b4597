"""The checks of any file, by its name: which reader reads it, and whether CI, a hook or a person runs what it holds."""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatch

from ralph.guardrails.checks.code import is_code
from ralph.guardrails.checks.failures.judged import LOST, NO_SHELL, Shell
from ralph.guardrails.checks.model import Gate, Place
from ralph.guardrails.checks.programs.known import is_named, is_named_folder
from ralph.guardrails.checks.reader import NONE, Collector, Flaws
from ralph.guardrails.checks.readers import (
    actions,
    cargomake,
    earth,
    gitlab,
    jenkins,
    make,
    packaging,
    pipelines,
    python,
    rake,
    sessions,
    sourced,
    taskfile,
    windows,
    xml_builds,
)
from ralph.guardrails.checks.readers.gitlab_parts import is_included
from ralph.guardrails.checks.readers.sourced import with_sourced
from ralph.guardrails.checks.shell.commands import parses_only
from ralph.guardrails.checks.shell.outline import SHELLS, shell_flags
from ralph.guardrails.config import CODE, is_python_task
from ralph.guardrails.config.command_files import containers, embedded, staged
from ralph.guardrails.config.command_files.included import included, runs_containers
from ralph.guardrails.config.command_files.scripts import MAKEFILES, is_ci_file, is_shell
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.python_tasks import runs
from ralph.guardrails.config.python_tasks.projects import PROJECT_FILES
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

OTHER_SCRIPT = later(r"@(?!php\b|composer\b|putenv\b)([\w:.-]+)")
"""How a script of Composer calls another one."""
NEVER = "the function is left before it"
BEFORE_TASK = later(r"(?m)^@(?:\w+\.)?task\((?P<tasks>[^()]*)\)\s*\n(?:@.*\n)*def (?P<name>\w+)")
"""A task that names others which have to be run before it or behind it."""
HOOK_FOLDERS = (".husky/", ".githooks/", ".git-hooks/", "githooks/", ".hooks/")
HOOK_FILES = frozenset(
    (
        ".pre-commit-config.yaml",
        ".pre-commit-config.yml",
        "lefthook.yml",
        "lefthook.yaml",
        ".lefthook.yml",
        ".lefthook.yaml",
    )
)
TASK_TABLES = ("hatch.toml", "poe_tasks.toml", "pixi.toml", "mise.toml", ".mise.toml")
PRE_COMMIT = (".pre-commit-config.yaml", ".pre-commit-config.yml")
OF_AZURE = frozenset(("steps", "jobs"))
"""What a part of a pipeline of Azure's has at its top, and none of GitLab's."""
PACKAGES = ("package.json", "composer.json", "deno.json", "deno.jsonc", "devbox.json")
CARGO_MAKE = ("makefile.toml",)
MORE_FILES = (*CARGO_MAKE, "package.json", "composer.json", "devbox.json", "jenkinsfile")


def gates_of(side: Side, path: str) -> tuple[Gate, ...]:
    """The checks of one file, none for a file that runs nothing."""
    collector = Collector(path, "ci" if is_included(path, side) else place_of(path))
    read_into(collector, side, path)
    return tuple(collector.gates)


def read_into(collector: Collector, side: Side, path: str) -> None:
    name = posixpath.basename(path).lower()
    if path in side.paths and not is_code(path):
        _read(collector, side, path, name)


def place_of(path: str) -> Place:
    name = posixpath.basename(path).lower()
    if name in HOOK_FILES or path.startswith(HOOK_FOLDERS) or any(f"/{folder}" in path for folder in HOOK_FOLDERS):
        return "hook"
    ours = re.match(r"\.?taskfile", name) or name.startswith("action.")
    return "ci" if (is_ci_file(path) and not ours) or name == "jenkinsfile" else "local"


def _read(collector: Collector, side: Side, path: str, name: str) -> None:
    if any(name in known for known in (PRE_COMMIT, staged.FILES, PROJECT_FILES, PACKAGES, TASK_TABLES, CARGO_MAKE)):
        node = side.node(path)
        if node is not None:
            _data(collector, node, side, name)
    elif path.endswith((".cargo/config.toml", ".cargo/config")):
        if (node := side.node(path)) is not None:
            cargomake.aliases(collector, node)
    elif xml_builds.is_build(path):
        xml_builds.build(collector, side, path)
    elif is_ci_file(path) or name.endswith((".yml", ".yaml")):
        _yaml(collector, side, path, name)
    elif any(fnmatch(name, glob) for glob in MAKEFILES):
        text = side.text(path) or ""
        if "justfile" in name:
            make.justfile(collector, text)
        else:
            make.makefile(collector, text, make.included_by(side, path))
    elif is_python_task(path):
        _tasks(collector, side, path, name)
    else:
        _text(collector, side, path, name)


def _text(collector: Collector, side: Side, path: str, name: str) -> None:
    """Files whose commands are lines of text."""
    text = side.text(path) or ""
    if name == "jenkinsfile":
        jenkins.pipeline(collector, text)
    elif name.startswith("earthfile"):
        earth.earthfile(collector, text)
    elif embedded.is_image(name):
        _image(collector, text)
    elif name == "rakefile" or name.endswith(".rake"):
        rake.rakefile(collector, text)
    elif packaging.is_recipe(path):
        packaging.recipe(collector, text, path)
    elif name.endswith(windows.SUFFIXES):
        windows.script(collector, text, name)
    elif path.startswith(HOOK_FOLDERS) or is_shell(side, path):
        _script(collector, side, text, path)


def _image(collector: Collector, text: str) -> None:
    """Of the variables only Python's: with others images set up the product, too."""
    for variable, value, line in embedded.variables("dockerfile", text):
        if variable.startswith("PY"):
            collector.variable(variable, value, line)
    for command, line in embedded.commands("dockerfile", text):
        collector.text(command, line, "image", Shell())


def _data(collector: Collector, node: Node, side: Side, name: str) -> None:
    if name in PRE_COMMIT:
        python.hooks(collector, node)
    elif name in staged.FILES:
        collector.place = "hook"
        for slot, table in staged.tables(node, package=False):
            _table(collector, table, slot)
    elif name in PACKAGES:
        _package(collector, node)
    elif name in CARGO_MAKE:
        cargomake.tasks(collector, node)
    elif name in TASK_TABLES:
        python.tasks(collector, node)
    else:
        python.project(collector, node, side)


def _tasks(collector: Collector, side: Side, path: str, name: str) -> None:
    text = side.text(path) or ""
    left_out = sessions.left_out(text, side) if name == "noxfile.py" else frozenset()
    forgiven = runs.forgiven(text)
    unreached = runs.unreached(text)
    for command, line in embedded.commands(name, text):
        flaws: Flaws = {"lost": LOST} if line in forgiven else {"not-run": NEVER} if line in unreached else NONE
        flaws = {**flaws, "off": sessions.LEFT_OUT} if line in left_out else flaws
        collector.text(command, line, name, Shell(), flaws)
    for match in BEFORE_TASK.finditer(text):
        for task in re.findall(r"\b[a-z_]\w*\b(?!\s*=)", re.sub(r"[\"'][^\"']*[\"']", "", match["tasks"])):
            if is_named(task):
                line = text.count("\n", 0, match.start("name")) + 1
                collector.add(("invoke", task), "named", line, match["name"], {})


def _yaml(collector: Collector, side: Side, path: str, name: str) -> None:
    if containers.is_compose(name):
        for service, command, line in containers.services(side.node(path)):
            collector.text(command, line, f"services/{service}", Shell(named=is_named(service)))
        return
    node = side.node(path) if is_ci_file(path) else included(side, path)
    if node is None:
        return
    if runs_containers(node):
        pipelines.pipeline(collector, node)
    elif "/workflows/" in f"/{path}" or re.fullmatch(r"action\.ya?ml", name):
        actions.workflow(collector, node, side)
    elif "gitlab" in name or not (is_ci_file(path) or name.startswith(".") or OF_AZURE & node.mapping.keys()):
        gitlab.pipeline(collector, node)
    else:
        start = len(collector.gates)
        pipelines.pipeline(collector, node)
        if "taskfile" in name:
            taskfile.pass_over(collector, start, node, side)


def _script(collector: Collector, side: Side, text: str, path: str) -> None:
    first = text.split("\n", 1)[0]
    flags = first.split() if first.startswith("#!") else []
    errexit, pipefail = shell_flags(flags)
    at = next((index for index, word in enumerate(flags) if SHELLS.fullmatch(posixpath.basename(word))), len(flags))
    flaws: Flaws = {"not-run": f"{first} only parses it"} if parses_only(flags[at + 1 :]) else NONE
    if at == len(flags) and flags and NO_SHELL.search(flags[-1]):
        flaws = {"not-run": f"{first} runs nothing of it"}
    hook = path.startswith(".husky/")
    named = is_named(posixpath.basename(path)) or is_named_folder(path)
    whole, rows = with_sourced(text, path, side) if sourced.READS.search(text) else (text, [])
    start = len(collector.gates)
    collector.text(whole, 1, "", Shell(errexit or hook, pipefail, named), flaws)
    if rows:
        collector.relocate(start, rows)


def _package(collector: Collector, node: Node | None) -> None:
    tables = [node.at(*key) for key in (("scripts",), ("tasks",), ("shell", "scripts"), ("wireit",))] if node else []
    for name, value in (pair for table in tables if table for pair in table.mapping.items()):
        for item in (value.at("command") or value).items:
            if isinstance(item.value, str) and (other := OTHER_SCRIPT.fullmatch(item.text)) is not None:
                collector.add(("composer", "run", other[1]), "named", item.line, name, {}, certain=False)
            elif isinstance(item.value, str):
                collector.text(item.text, item.line, name, Shell(named=is_named(name)))
        for needed in _waited_for(value):
            if isinstance(needed.value, str) and is_named(needed.text):
                collector.add(("npm", "run", needed.text), "named", needed.line, name, {})
    for slot, table in staged.tables(node, package=True):
        collector.place = "hook"
        _table(collector, table, slot)
        collector.place = "local"


def _waited_for(script: Node) -> list[Node]:
    """What wireit runs before a script."""
    before = script.at("dependencies")
    return before.items if before is not None else []


def _table(collector: Collector, node: Node | None, slot: str) -> None:
    """Commands by name or by pattern, as text or as lists; of a list's names, those of scripts."""
    for item in node.items if node and not node.mapping else ():
        if isinstance(item.value, str) and is_named(item.text):
            collector.add(("npm", "run", item.text), "named", item.line, slot, {})
    for key, value in node.mapping.items() if node else ():
        for item in value.items:
            if isinstance(item.value, str):
                collector.text(item.text, item.line, f"{slot}/{key}", Shell())


def may_hold_gates(path: str) -> bool:
    """True for a file whose name says that it may run checks."""
    name = posixpath.basename(path).lower()
    if name.endswith(CODE) and name not in staged.FILES:
        return is_python_task(path)
    listed = name in (*PROJECT_FILES, *HOOK_FILES, *TASK_TABLES, *MORE_FILES, *staged.FILES) or containers.is_compose(
        name
    )
    return (
        listed
        or is_ci_file(path)
        or path.startswith(HOOK_FOLDERS)
        or name.endswith((".sh", ".bash", *windows.SUFFIXES))
        or name.startswith("earthfile")
        or xml_builds.is_build(path)
        or any(fnmatch(name, glob) for glob in MAKEFILES)
    )
