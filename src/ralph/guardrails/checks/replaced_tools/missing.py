"""Scripts that stand in a tool's place and end well where the tool is not installed (policy set v2, classes G10, G15).

    if [ ! -x "$cache/$name" ]; then      [ -x "$tool" ] || exit 0
      echo "$name is not installed" >&2   exec "$tool" "$@"
      exit 0
    fi

Rules, for a shell script that hands on what it is given, and that did not end so at the base:

- It stands in a tool's place if it has the tool's name in a folder that a `PATH` names, if a new file does that leads
  to it, or if a command calls it with the name of the tool. The base ran the tool by its name.
- Without the tool the check of the base failed, and now it says nothing: a person is shown the script. Where CI
  installed the tool, and no file of CI names it any more, no run of CI checks anything: it blocks.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.reach import Reach, tool
from ralph.guardrails.checks.readers.files import may_hold_gates
from ralph.guardrails.checks.replaced_tools.wrappers import is_on_path
from ralph.guardrails.config.command_files.embedded import is_image
from ralph.guardrails.config.command_files.scripts import is_ci_file, is_shell
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import FileChange, Hit, hit_at
from ralph.system.patterns import later

HANDS_ON = later(r"\$(?:@|\{@|\*)")
LEAVES = r"(?:exit|return)(?:[ \t]+0)?(?=[ \t]*(?:$|[;}\n#]))"
IN_A_BLOCK = later(
    rf"(?m)^[ \t]*if\b(?P<asked>[^\n]*(?:!\s*-[xefs]\b|!\s*(?:command\s+-v|type|which|hash)\b|-z\b)[^\n]*)\n"
    rf"(?:(?![ \t]*(?:fi|elif|exec)\b)[^\n]*\n){{0,12}}?[ \t]*(?P<leaves>{LEAVES})"
)
IN_A_LINE = later(
    r"(?m)^[ \t]*(?:\[+[ \t]+-[xefs]\b[^\n|]*\]+|(?:command\s+-v|type|which|hash)\b[^\n|]*)\|\|"
    rf"[^\n]*?(?P<leaves>{LEAVES})"
)
ONLY_IF = later(
    r"(?m)^[ \t]*if\b(?:(?!!)[^\n])*(?:-x\b|command\s+-v|\btype\b|\bwhich\b|\bhash\b)[^\n]*\n"
    r"(?P<leaves>[^\n]*\$@[^\n]*)\n[ \t]*fi[ \t]*(?:\n[ \t]*(?:#[^\n]*|(?:exit|return)[ \t]+0)?)*\Z"
)
INSTALLS = r"(?m)^[^\n]*\b(?:install|add|download|curl|wget|uses|get)\b[^\n]*(?<![\w-]){}(?![\w-])"


def missing_hits(file: FileChange, before: Reach, after: Side) -> Iterator[Hit]:
    if file.status not in "AM" or file.binary or not is_shell(after, file.path):
        return
    text = after.text(file.path) or ""
    found = _ends_well(text)
    if found is None or not HANDS_ON.search(text) or _ends_well(before.side.text(file.path) or "") is not None:
        return
    names = sorted(_stands_for(file.path, before, after))
    if not names:
        return
    line = text.count("\n", 0, found.start("leaves")) + 1
    lost = [name for name in names if _no_longer_installed(name, before.side, after)]
    rule = "check.result-lost" if lost else "check.condition-added"
    detail = f"{file.path} ends well where {' or '.join(lost or names)} is not installed"
    yield hit_at(rule, file.path, line, detail, text.split("\n")[line - 1].strip())


def _ends_well(text: str) -> re.Match[str] | None:
    return IN_A_BLOCK.search(text) or IN_A_LINE.search(text) or ONLY_IF.search(text)


def _stands_for(path: str, before: Reach, after: Side) -> Iterator[str]:
    """The tools that the base ran by their names, and in whose place the script is run."""
    ran = {tool(gate) for gate in before.everywhere} & set(PROGRAMS)
    called = posixpath.basename(path)
    word = re.compile(rf"(?<![\w.-])(?:\S*/)?{re.escape(called)}[ \t]+(?P<tool>[\w.-]+)")
    for other in sorted(after.paths):
        folder, name = posixpath.split(other)
        if name in ran and folder and other not in before.side.paths and is_on_path(folder, after):
            if other == path or called in (after.text(other) or ""):
                yield name
        elif may_hold_gates(other) and called in (after.text(other) or ""):
            yield from (match["tool"] for match in word.finditer(after.text(other) or "") if match["tool"] in ran)


def _no_longer_installed(name: str, before: Side, after: Side) -> bool:
    installs, names = (
        re.compile(INSTALLS.format(re.escape(name))),
        re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])"),
    )
    had, has = ([side.text(path) or "" for path in sorted(side.paths) if _of_ci(path)] for side in (before, after))
    return any(map(installs.search, had)) and not any(map(names.search, has))


def _of_ci(path: str) -> bool:
    return is_ci_file(path) or is_image(posixpath.basename(path).lower())
