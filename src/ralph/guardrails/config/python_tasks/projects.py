"""The commands, options and variables of a Python project's own files: tox, pytest, Hatch, PDM, Poe, cibuildwheel.

Rules:

- `addopts` are options of every call of pytest, and so are the arguments of Hatch's own test environment.
- tox runs `commands` of its environments, also those of the older text inside `pyproject.toml`; other tools run what
  their tables of scripts or tasks hold, and cibuildwheel its `test-command`.
- What an environment sets (`set_env`, `env`, `env-vars`) counts for the whole file.
"""

from __future__ import annotations

from typing import Protocol

from ralph.guardrails.config.node import Key, Node, canonical, flat, names
from ralph.guardrails.config.python_tasks.task_words import of_hatch
from ralph.guardrails.config.python_tasks.tox_variables import filled_in
from ralph.guardrails.config.python_tasks.tox_words import command
from ralph.guardrails.config.readers import Unreadable, ini

PROJECT_FILES = names("tox.ini setup.cfg pytest.ini .pytest.ini pyproject.toml pytest.toml tox.toml")
OF_ONE_TOOL = frozenset(("hatch.toml", "pixi.toml", "poe_tasks.toml", "mise.toml", ".mise.toml"))
PYTEST_TABLES = (("pytest",), ("tool:pytest",), ("ini_options",))
TOX_ENVIRONMENTS = frozenset(("env", "env_run_base", "env_pkg_base"))
SETS = frozenset(("setenv", "set_env"))
SETS_BY_NAME = frozenset((*SETS, "env", "env-vars", "environment", "test-environment"))
HATCH_TEST = "hatch-test"


class Collector(Protocol):
    slot: str

    def options(self, program: str, node: Node) -> None: ...

    def variable(self, name: str, node: Node) -> None: ...

    def shell(self, text: str, line: int) -> None: ...

    def strings(self, node: Node | None) -> None: ...


def collect(collector: Collector, name: str, node: Node) -> None:
    """`name`: that of the file."""
    for key, value in flat(node).items():
        collector.slot = "/".join(key)
        if key[-1] == "legacy_tox_ini" and isinstance(value.value, str):
            _older(collector, value)
        else:
            _setting(collector, name, key, value, node)


def _older(collector: Collector, text: Node) -> None:
    """A whole `tox.ini` as one value."""
    try:
        inner = ini.read(text.text, text.path)
    except Unreadable:
        return
    for key, value in flat(inner).items():
        collector.slot = "/".join(key)
        _setting(collector, "tox.ini", key, value, inner)


def _setting(collector: Collector, name: str, key: Key, value: Node, whole: Node) -> None:
    if (key[-1] == "addopts" and key[-2:-1] in PYTEST_TABLES) or (
        HATCH_TEST in key and key[-1] in ("extra-args", "default-args")
    ):
        collector.options("pytest", value)
    elif HATCH_TEST in key and key[-1] == "retries":
        collector.options("pytest", value.with_value(f"--reruns={canonical(value)}"))
    elif key[-1] in SETS:
        for item in value.items:
            variable, _, given = item.text.partition("=")
            collector.variable(variable.strip(), item.with_value(given.strip()))
    elif key[-2:-1] and key[-2] in SETS_BY_NAME and (key[-2] in SETS or key[0] in ("tool", "envs")):
        collector.variable(key[-1], value)
    elif key[-1] in ("commands", "commands_pre", "commands_post") and _is_of_tox(key):
        for item in value.items:
            collector.shell(filled_in(command(item), whole, key[:-1]).lstrip("- "), item.line)
    elif _is_task(name, key) and isinstance(value.value, str | list):
        collector.strings(_filled(value))


def _filled(task: Node) -> Node:
    if isinstance(task.value, list):
        return task.with_value(list(map(_filled, task.value)))
    return task.with_value(of_hatch(task.value)) if isinstance(task.value, str) else task


def _is_task(name: str, key: Key) -> bool:
    if "cibuildwheel" in key:
        return key[-1] in ("test-command", "before-test")
    held = key if name in OF_ONE_TOOL else key[1:] if key[0] == "tool" else ()
    return not {"scripts", "tasks"}.isdisjoint(held)


def _is_of_tox(key: Key) -> bool:
    return "testenv" in key[0] or not TOX_ENVIRONMENTS.isdisjoint(key)
