"""Tasks of Azure Pipelines that run a program by their inputs, as the command line that they come to.

Tasks that hold a script say it themselves, under `script`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ralph.guardrails.config.node import Node, canonical

Inputs = Mapping[str, Node]


def _given(inputs: Inputs, *names: str) -> list[str]:
    """The inputs that are there; their names are read in any case."""
    found = {name.lower(): canonical(node) for name, node in inputs.items()}
    return [" ".join(found[name].split()) for name in names if found.get(name)]


def _plain(program: str, *names: str) -> Callable[[Inputs], list[str]]:
    return lambda inputs: [program, *_given(inputs, *names)]


def _or(program: str, first: str, default: str, *names: str) -> Callable[[Inputs], list[str]]:
    return lambda inputs: [program, *(_given(inputs, first) or [default]), *_given(inputs, *names)]


def _dotnet(inputs: Inputs) -> list[str]:
    command = _given(inputs, "command") or ["build"]
    verb = _given(inputs, "custom") if command == ["custom"] else command
    return ["dotnet", *verb, *_given(inputs, "projects", "arguments")]


def _npm(inputs: Inputs) -> list[str]:
    command = _given(inputs, "command") or ["install"]
    return ["npm", *(_given(inputs, "customcommand") if command == ["custom"] else command)]


def _published(inputs: Inputs) -> list[str]:
    fails = _given(inputs, "failtaskonfailedtests") == ["true"]
    return ["junit-report", "run", *(["--fail"] if fails else [])]


def _assemblies(inputs: Inputs) -> list[str]:
    criteria = _given(inputs, "testfiltercriteria")
    chosen = ["--filter", f"'{criteria[0]}'"] if criteria and "'" not in criteria[0] else []
    return ["dotnet", "vstest", *chosen]


TASKS: dict[str, Callable[[Inputs], Sequence[str]]] = {
    "dotnetcorecli": _dotnet,
    "npm": _npm,
    "yarn": _plain("yarn", "arguments"),
    "maven": _or("mvn", "goals", "package", "options"),
    "gradle": _or("gradle", "tasks", "build", "options"),
    "go": _or("go", "command", "get", "arguments"),
    "vstest": _assemblies,
    "publishtestresults": _published,
    "xcode": _or("xcodebuild", "actions", "build", "args"),
    "pythonscript": _plain("python", "scriptpath", "arguments"),
    "shellscript": _plain("sh", "scriptpath", "args"),
    "bash": _plain("bash", "filepath", "arguments"),
    "gulp": _plain("gulp", "targets", "arguments"),
    "grunt": _plain("grunt", "targets", "arguments"),
}


def task_command(node: Node) -> Node | None:
    """The command of a task, on the line of the task; None for any other step."""
    task = node.at("task")
    if task is None or not isinstance(task.value, str):
        return None
    name, version, _ = canonical(task).partition("@")
    command = TASKS.get(name.lower())
    inputs = node.at("inputs")
    if command is None or not version or inputs is None or not inputs.mapping:
        return None
    words = command(inputs.mapping)
    return task.with_value(" ".join(words)) if len(words) > 1 else None
