"""The checks of Python projects: tox, nox and other task files, pre-commit, and tables of tasks in pyproject.toml."""

from __future__ import annotations

import re

from ralph.guardrails.checks.failures.judged import LOST, Shell, judged
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.programs.tables import IDLE
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers import toxlist
from ralph.guardrails.config.command_files.shellwords import split_words
from ralph.guardrails.config.node import Node, canonical, flat
from ralph.guardrails.config.python_tasks.task_words import declared, of_hatch
from ralph.guardrails.config.python_tasks.tox_variables import filled_in
from ralph.guardrails.config.python_tasks.tox_words import command
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

PLATFORM = later(r"\w+")
SYSTEMS = frozenset(("linux", "linux2", "lin", "darwin", "macos", "win32", "win", "cygwin", "freebsd", "aix"))
"""What tox compares with `sys.platform`, where it is written out."""
REFUSE_NOTHING = frozenset(("manual", "post-checkout", "post-commit", "post-merge", "post-rewrite"))
"""Stages in which a hook runs for nothing that it could refuse."""
COMMAND_KEYS = ("commands", "commands_pre", "commands_post")
FACTORS = later(r"^([\w.{}!-]+(?:, *[\w.{}!-]+)*):\s+")
"""`py311, lint: run` runs in environments with these parts in their names."""
TRUE = frozenset(("true", "1", "yes", "on"))
TASK = later(r"[\w:.-]+")
NO_WORK = ("true", "echo", ":", "exit")
"""Entries of hooks that check nothing."""


NEEDS = ("depends", "dependencies", "depends-on", "deps")
"""Tasks that are run before a task."""
WAYS = frozenset(("cmd", "shell", "sequence", "parallel", "composite", "script", "run", "help", "env"))
"""How a task says what it does: no part of its name."""


def project(collector: Collector, node: Node, side: Side) -> None:
    """tox environments run argv lists; one after a failure does not run, unless `ignore_errors` says so."""
    start = len(collector.gates)
    conditions: dict[int, str] = {}
    for key, value in flat(node).items():
        environment = _environment(key)
        if environment is not None and key[-1] in COMMAND_KEYS:
            flaws = _tox_switches(node, key[:-1])
            for item in value.items:
                text = filled_in(command(item), node, key[:-1])
                own: dict[Flaw, str] = {"lost": LOST} if re.match(r"\s*-\s*[\w./{\"'$]", text) else {}
                how = Shell(errexit=True, named=environment == "testenv" or is_named(environment.rpartition(":")[2]))
                known = len(collector.gates)
                with collector.within(node.at(*key[:-1], "change_dir"), node.at(*key[:-1], "changedir")):
                    collector.text(_for_shell(text.lstrip("-! \t")), item.line, environment, how, {**flaws, **own})
                if environment.startswith("testenv") and (said := FACTORS.match(text)):
                    conditions.update(dict.fromkeys(range(known, len(collector.gates)), said[1]))
        elif key[-1] in ("setenv", "set_env", "passenv"):
            for item in value.items:
                name, given, text = item.text.partition("=")
                if given:
                    collector.variable(name.strip(), text.strip(), item.line)
        elif len(key) > 2 and key[0] == "tool" and {"scripts", "tasks", "commands"} & set(key[1:]):
            _task(collector, node, key, value)
    toxlist.leave_out(collector, start, node, conditions, side)


def _for_shell(text: str) -> str:
    """What tox fills in: arguments of the caller, its interpreter, the folder of its programs."""
    text = FACTORS.sub("", text)
    text = re.sub(r"\{posargs[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\{\}", "$@", text)
    text = re.sub(r"\{env_?python\}", "python", text)
    return re.sub(r"\{[^{}]*\}", "${TOX}", re.sub(r"\{env_?bin_?dir\}/", "", text))


def _environment(key: tuple[str, ...]) -> str | None:
    """The name of a tox environment's section."""
    if len(key) == 2 and key[0].startswith("testenv"):
        return key[0]
    if key[0] == "env" or key[0] == "env_run_base" or key[:2] == ("tool", "tox"):
        return "/".join(key[:-1])
    return None


def _tox_switches(node: Node, section: tuple[str, ...]) -> dict[Flaw, str]:
    found: dict[Flaw, str] = {}
    for place in (section, ("testenv",)):
        value = node.at(*place, "ignore_outcome")
        if value is not None:
            if canonical(value).lower() in TRUE:
                found["allowed"] = "ignore_outcome lets it fail"
            break
    platform = node.at(*section, "platform") or node.at("testenv", "platform")
    if platform is not None and PLATFORM.fullmatch(canonical(platform)) and canonical(platform) not in SYSTEMS:
        found["off"] = f"platform = {canonical(platform)} is that of no system"
    return found


def tasks(collector: Collector, node: Node) -> None:
    """Files of nothing but tasks: hatch.toml, poe_tasks.toml, pixi.toml, mise.toml."""
    for key, value in flat(node).items():
        if {"scripts", "tasks"} & set(key[:-1]):
            _task(collector, node, key, value)


def _task(collector: Collector, node: Node, key: tuple[str, ...], value: Node) -> None:
    """A command, or a list of commands and of names of other tasks."""
    names = [part for part in key[1:] if part not in WAYS]
    if key[-1] in NEEDS:
        for item in value.items:
            if isinstance(item.value, str) and is_named(item.text):
                collector.add(("poe", item.text), "named", item.line, "/".join(names[:-1]), {})
        return
    if key[-1] in ("help", "description", "env_file") or not isinstance(value.value, str | list):
        return
    forgiven = _forgiven(node.at(*key[:-1], "ignore_fail"))
    arguments = node.at(*key[:-1], "args")
    for item in value.items:
        if isinstance(item.value, str):
            own: dict[Flaw, str] = {"lost": LOST} if item.text.startswith("- ") else {}
            text, slot, known = item.text.lstrip("- "), "/".join(names), len(collector.gates)
            run = declared(of_hatch(text), arguments)
            collector.text(run, item.line, slot, Shell(named=is_named(names[-1])), {**forgiven, **own})
            if len(collector.gates) == known and TASK.fullmatch(text) and is_named(text) and len(value.items) > 1:
                collector.add(("poe", text), "named", item.line, slot, {**forgiven, **own})
        elif item.mapping:
            ref = item.at("ref") or item.at("cmd") or item.at("shell")
            if ref is not None:
                text = f"poe {ref.text}" if item.at("ref") else ref.text
                own = _forgiven(item.at("ignore_fail"))
                collector.text(text, ref.line, "/".join(names), Shell(), {**forgiven, **own})


def _forgiven(said: Node | None) -> dict[Flaw, str]:
    """poe's `ignore_fail`: true, a list of statuses that are no failure, or what the sequence returns in the end."""
    if said is None:
        return {}
    some = isinstance(said.value, list) and any(canonical(item) != "0" for item in said.items)
    return {"lost": LOST} if some or canonical(said).lower() in (*TRUE, "return_zero") else {}


def hooks(collector: Collector, node: Node) -> None:
    """A pre-commit hook is a check by its id; its stages, files and exclusions decide whether it runs."""
    skipped = {canonical(item) for item in (node.at("ci", "skip") or node.with_value([])).items}
    for repository in (node.at("repos") or node).items:
        for hook in (repository.at("hooks") or repository.with_value([])).items:
            identity = hook.at("id")
            if identity is None:
                continue
            name, entry = canonical(identity), hook.at("entry")
            flaws = _hook_switches(node, hook)
            if any(
                not IDLE.isdisjoint(split_words(item.text)) for key in ("entry", "args") for item in _items(hook, key)
            ):
                flaws["off"] = "it only says something about itself"
            if name in skipped:
                flaws["run-maybe"] = "pre-commit.ci skips it"
            if entry is not None and canonical(repository.at("repo") or entry) == "local":
                _local_hook(collector, name, entry, identity.line, flaws)
                continue
            if entry is not None and any(
                {"lost", "lost-if"} & own.keys() for _, own in judged(_called(entry), Shell())
            ):
                flaws["lost"] = LOST
            if entry is not None and entry.text.split()[:1] in ([each] for each in NO_WORK):
                flaws["off"] = "its entry does nothing"
            collector.add(("hook", name), "named", identity.line, "hooks", flaws)


def _items(hook: Node, key: str) -> list[Node]:
    found = hook.at(key)
    return found.items if found is not None else []


def _called(entry: Node) -> str:
    """`bash -c TEXT --` gets the files behind it."""
    return re.sub(r"\s--\s*$", "", entry.text)


def _local_hook(collector: Collector, name: str, entry: Node, line: int, flaws: dict[Flaw, str]) -> None:
    """A hook of the project's own is what its entry runs; where that is no known check, its name decides."""
    found = judged(entry.text, Shell(named=True))
    for check, own in found:
        collector.add(("hook", name, *check.words), check.kind, line, "hooks", {**own, **flaws})
    words = split_words(entry.text)
    if not found and is_named(name) and words and words[0] not in NO_WORK:
        collector.add(("hook", name, *words), "named", line, "hooks", flaws)


def _hook_switches(node: Node, hook: Node) -> dict[Flaw, str]:
    found: dict[Flaw, str] = {}
    installed = {canonical(item) for item in (node.at("default_install_hook_types") or node.with_value([])).items}
    if installed and not installed & {"pre-commit", "pre-push", "commit-msg", "pre-merge-commit"}:
        found["off"] = "no hook that could refuse a commit is installed"
    stages = hook.at("stages") or node.at("default_stages")
    if stages is not None and stages.items and all(canonical(item) in REFUSE_NOTHING for item in stages.items):
        found["off"] = f"stages: {canonical(stages)} keeps it from running before a commit"
    files, exclude = hook.at("files") or node.at("files"), hook.at("exclude")
    if files is not None and canonical(files) in ("^$", "$^", "(?!)", "a^"):
        found["off"] = "it runs for no file"
    for pattern in (exclude, node.at("exclude")):
        if (
            pattern is not None
            and re.fullmatch(r"\^?\(?\.[*+]\)?\$?|\^|", canonical(pattern))
            and canonical(pattern) != ""
        ):
            found["off"] = "it leaves every file out"
    return found
