"""Tools of agent clients as actions: what each would do to files, to the shell, or to the world outside.

Rules (spec: policy engine; design decisions 22 and 23):

- A tool that only acts inside the client is no action: a list of things to do, or a subagent (its own calls come here).
- What is not in the tables is `UseTool`: an unknown tool is judged by its name, never taken for a harmless one.
- An argument that is missing, of another type, or no text that a kernel takes makes the call unreadable: denied.
- A search through a folder reads all of it: it must not hold a file that may not be read.
- A path is refused if the client would take another one for it: clients expand `~`, drop blanks at the ends, and put
  characters into their composed form.
"""

from __future__ import annotations

import hashlib
import json
import os.path
import re
from collections.abc import Callable, Mapping

from ralph.hook.model import Call, RefusedError
from ralph.hook.patch import files_of
from ralph.permissions.model import Action, ReadPath, RunCommand, UseTool, WritePath

INSIDE = frozenset(
    {"Agent", "Task", "TodoWrite", "TodoRead", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskOutput"}
    | {"TaskStop", "BashOutput", "KillBash", "KillShell", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"}
    | {"ToolSearch", "StructuredOutput", "ListAgents", "ReportFindings", "DeferredToolPlaceholder"}
    | {"update_plan", "get_goal", "create_goal", "update_goal", "request_user_input", "tool_search"}
)
"""Tools without an effect outside the client."""

SEARCHES = frozenset({"Grep"})
"""Tools that show the content of every file below a folder."""

_PATCH_COMMAND = re.compile(r"apply_patch <<'(?P<mark>[A-Z]+)'\n(?P<patch>(?:(?!(?P=mark)\n).*\n)*)(?P=mark)\n?")
"""Codex applies a patch itself that the model hands to the shell in this form."""


def actions(call: Call) -> list[Action]:
    """What the call would do; an empty list is nothing outside the client. Raises RefusedError."""
    if call.tool in INSIDE:
        return []
    if make := _TOOLS.get(call.tool):
        return make(call)
    return [UseTool(_plain(call.tool, "the tool's name"), _detail(call.arguments))]


def is_patch(call: Call) -> bool:
    """True for a shell call that Codex does not give to a shell, because it is a patch."""
    command = call.arguments.get("command")
    return call.client == "codex" and isinstance(command, str) and _PATCH_COMMAND.fullmatch(command) is not None


def text(call: Call, *names: str) -> str:
    """The argument of one of these names. Raises RefusedError."""
    for name in names:
        value = call.arguments.get(name)
        if isinstance(value, str) and value:
            return _plain(value, f"the argument `{name}` of {call.tool}")
    raise RefusedError(f"The call of {call.tool} has no text `{names[0]}`, so Ralph cannot judge it.")


def path(call: Call, *names: str) -> str:
    """The path that an argument names, to the client as well as to the kernel. Raises RefusedError."""
    value = text(call, *names)
    if value.startswith("~") or value != value.strip() or not _composed(value):
        raise RefusedError(
            f"{call.tool} would take another path for {value!r}: name it in full, without `~`, blanks at its "
            "ends or decomposed characters."
        )
    return value


def _composed(value: str) -> bool:
    if value.isascii():
        return True
    from unicodedata import is_normalized

    return is_normalized("NFC", value)


def _shell(call: Call) -> list[Action]:
    command = text(call, "command", "cmd")
    if call.client == "codex" and (patch := _PATCH_COMMAND.fullmatch(command)):
        return [*files_of(patch["patch"], call.cwd)]
    if call.arguments.get("run_in_background"):
        raise RefusedError(
            "Commands run in the foreground: nothing that an action starts may outlive it; run it without "
            "`run_in_background`, with a limit to its time."
        )
    return [RunCommand(command, call.cwd)]


def _elsewhere(call: Call) -> list[Action]:
    raise RefusedError(f"{call.tool} starts commands that Ralph cannot put into its sandbox: use Bash.")


def _read(call: Call) -> list[Action]:
    return [ReadPath(path(call, "file_path", "notebook_path", "path"), call.cwd)]


def _write(call: Call) -> list[Action]:
    return [WritePath(path(call, "file_path"), call.cwd, _digest(call.arguments))]


def _edit(call: Call) -> list[Action]:
    """An edit shows the lines around it, so it reads as well."""
    file = path(call, "file_path", "notebook_path")
    return [ReadPath(file, call.cwd), WritePath(file, call.cwd, _digest(call.arguments))]


def _patch(call: Call) -> list[Action]:
    return [*files_of(text(call, "command", "input", "patch"), call.cwd)]


def _folder(call: Call) -> list[Action]:
    """A listing or a search below a folder, which is the current one if none is named."""
    if call.arguments.get("path") in (None, ""):
        return [ReadPath(".", call.cwd)]
    return [ReadPath(path(call, "path"), call.cwd)]


def _glob(call: Call) -> list[Action]:
    """A pattern may lead out of its folder: the part before its first wildcard is a folder of its own."""
    (base,) = _folder(call)
    assert isinstance(base, ReadPath)
    pattern = path(call, "pattern")
    fixed = re.split(r"[*?\[{]", pattern, maxsplit=1)[0]
    if ".." in re.split(r"[/{},]", pattern):
        raise RefusedError("A pattern with `..` leads out of the folder: give the folder itself as `path`.")
    return [base, ReadPath(os.path.join(base.path, os.path.dirname(fixed) or "."), call.cwd)]  # noqa: PTH118, PTH120


def _plain(value: str, what: str) -> str:
    """Text as a kernel and a terminal take it. Raises RefusedError for NUL and for halves of characters."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise RefusedError(f"What is given as {what} is no text: it holds half of a character.") from None
    if "\0" in value:
        raise RefusedError(f"What is given as {what} holds a NUL character.")
    return value


def _digest(arguments: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()


def _detail(arguments: Mapping[str, object]) -> str:
    """The subject of a tool: the one address or path that a person would ask for, else all it was given."""
    subject = arguments.get("url") or arguments.get("query")
    return subject if isinstance(subject, str) else json.dumps(arguments, sort_keys=True)


_TOOLS: Mapping[str, Callable[[Call], list[Action]]] = {
    "Bash": _shell,
    "Monitor": _elsewhere,
    "PowerShell": _elsewhere,
    "Read": _read,
    "NotebookRead": _read,
    "view_image": _read,
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _edit,
    "NotebookEdit": _edit,
    "apply_patch": _patch,
    "LS": _folder,
    "Grep": _folder,
    "Glob": _glob,
}
