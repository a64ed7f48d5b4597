"""The commands that builds written in XML run as checks: MSBuild's `Exec`, Ant's and NAnt's `exec`, Ant's `junit`.

- MSBuild stops where a command fails, unless it is told not to look (`IgnoreExitCode`, `ContinueOnError`).
- Ant goes on, unless it is told to stop (`failonerror`, `haltonfailure`), or keeps the outcome in a property that
  something asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.config.node import Node, canonical, occurrences
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

MSBUILD = later(r"\.(?:targets|props|(?:cs|fs|vb|sql|dir|trav)?proj)$")
ANT = later(r"(?:^|/)build(?:-[\w-]+)?\.xml$|\.build$")
HOLDS = later(rb"<(?i:exec|junit)\b")
LETS_FAIL = frozenset(("true", "warnandcontinue"))
PROPERTY = later(r"\$\((\w+)\)")
"""How MSBuild asks for one; a shell would take it for a command."""
ASKED_FOR = ("resultproperty", "errorproperty", "failureproperty")


def is_build(path: str) -> bool:
    return MSBUILD.search(path) is not None or ANT.search(path) is not None


def build(collector: Collector, side: Side, path: str) -> None:
    if not HOLDS.search(side.bytes(path) or b""):
        return
    whole = side.node(path)
    project = next((whole.at(name) for name in ("Project", "project") if whole is not None and whole.at(name)), None)
    if project is None:
        return
    text = side.text(path) or ""
    of_msbuild = MSBUILD.search(path) is not None
    for target in occurrences(project.at("Target" if of_msbuild else "target")):
        name = target.at("@Name") or target.at("@name")
        slot = f"targets/{canonical(name) if name is not None else ''}"
        for command, line, flaws in _of_msbuild(target) if of_msbuild else _of_ant(target, text):
            collector.text(command, line, slot, Shell(errexit=True), flaws)


Commands = Iterator[tuple[str, int, dict[Flaw, str]]]


def _of_msbuild(target: Node) -> Commands:
    for task in occurrences(target.at("Exec")):
        command = task.at("@Command")
        if command is None:
            continue
        flaws: dict[Flaw, str] = {}
        if _says(task, "@IgnoreExitCode") == "true":
            flaws["lost"] = "IgnoreExitCode has its outcome ignored"
        if _says(task, "@ContinueOnError") in LETS_FAIL:
            flaws["allowed"] = "ContinueOnError lets it fail"
        if _says(task, "@Condition") == "false" or _says(target, "@Condition") == "false":
            flaws["off"] = "its condition never holds"
        yield PROPERTY.sub(r"${\1}", command.text), command.line, flaws


def _of_ant(target: Node, text: str) -> Commands:
    for task in occurrences(target.at("exec")):
        program = task.at("@executable") or task.at("@program")
        if program is None:
            continue
        words = [canonical(program)]
        for argument in occurrences(task.at("arg")):
            words += [canonical(said) for key in ("@value", "@line", "@path") if (said := argument.at(key)) is not None]
        stops = task.at("@program") is not None  # NAnt's name for it, which stops unless it is told to go on
        flaws = _forgiven(task, "@failonerror", text, stops=stops)
        yield " ".join(words), program.line, flaws
    for task in occurrences(target.at("junit")):
        halts = _says(task, "@haltonfailure") in ("true", "yes", "on")
        yield "junit", task.line, {} if halts else _forgiven(task, "@haltonerror", text, stops=False)


def _forgiven(task: Node, key: str, text: str, *, stops: bool) -> dict[Flaw, str]:
    said = _says(task, key)
    if said in ("true", "yes", "on") or (stops and not said):
        return {}
    names = [canonical(name) for kept in ASKED_FOR if (name := task.at(f"@{kept}")) is not None]
    if any(re.search(rf"(?:if|property|unless)=\"(?:\$\{{)?{re.escape(name)}\b", text) for name in names):
        return {}
    return {"lost": f"{key.removeprefix('@')} lets the build go on"}


def _says(node: Node, key: str) -> str:
    said = node.at(key)
    return canonical(said).strip().lower() if said is not None else ""
