"""Packages of the repository that take a tool's name, or the name of its command, and do not run it (class G17).

Rules: a manifest that comes to install a program of a tool's name is one, unless the repository is the tool's own. What
the program leads to is shown: the module that it names, or the package's code where none can be found.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.replaced_tools.impostors import TOOLS
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.readers import Unreadable, read
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
TABLES = (("project", "scripts"), ("tool", "poetry", "scripts"))
NAMES = (("project", "name"), ("tool", "poetry", "name"))
ENTRY = later(r"(?m)(?:^|[\"'\s])(?P<name>[A-Za-z][\w.-]*)\s*=\s*(?P<module>[A-Za-z_][\w.]*):\w+")
NAMED = later(r"(?m)^\s*name\s*=\s*[\"']?(?P<name>[\w.-]+)")
MOST = 5


def package_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    if posixpath.basename(file.path) not in MANIFESTS or file.status == "D" or is_sample(file.path):
        return
    old, new = (_installs(file.path, side(file.path)) for side in (change.blobs.before, change.blobs.after))
    for tool, module in new.items():
        if tool in TOOLS and tool not in old and not _is_its_own(change, tool):
            for path in _code(change, posixpath.dirname(file.path), tool, module)[:MOST]:
                text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
                if not _leads_to(text, tool):
                    detail = f"{path} is installed as {tool} and does not run it"
                    yield hit_at("evidence.fake-tool", path, 1, detail)


def _installs(path: str, data: bytes | None) -> dict[str, str]:
    """The programs, and the package, that a manifest installs, with the module of each as far as it is named."""
    if data is None:
        return {}
    if not path.endswith(".toml"):
        text = data.decode("utf-8", "replace")
        return {match["name"]: "" for match in NAMED.finditer(text)} | {
            match["name"]: match["module"] for match in ENTRY.finditer(text)
        }
    try:
        node = read(path, data)
    except Unreadable:
        return {}
    names = {canonical(name): "" for key in NAMES if (name := node.at(*key)) is not None}
    tables = [table for key in TABLES if (table := node.at(*key)) is not None]
    return names | {name: _module(value) for table in tables for name, value in table.mapping.items()}


def _module(value: Node) -> str:
    return canonical(value).partition(":")[0].strip()


def _is_its_own(change: Change, tool: str) -> bool:
    """The repository's own manifest has this name, or had the program before."""
    own = (NAMED.search((change.blobs.after(path) or b"").decode("utf-8", "replace")) for path in MANIFESTS)
    named = any(match is not None and match["name"] == tool for match in own)
    return named or any(tool in _installs(path, change.blobs.before(path)) for path in MANIFESTS)


def _leads_to(text: str, tool: str) -> bool:
    """It runs or imports the real one."""
    name = re.escape(tool)
    return (
        re.search(
            rf"(?m)(?:run|call|check_call|check_output|exec\w*|spawn\w*|Popen|system|\w+_module)\([^\n]*\b{name}\b"
            rf"|^\s*(?:import|from)\s+{name.replace('-', '_')}\b",
            text,
        )
        is not None
    )


def _code(change: Change, folder: str, tool: str, module: str) -> list[str]:
    paths = change.blobs.paths_after()
    stem = (module or tool.replace("-", "_")).replace(".", "/")
    near = (
        posixpath.join(folder, *place, f"{stem}{end}") for place in ((), ("src",)) for end in (".py", "/__init__.py")
    )
    found = [path for path in near if path in paths]
    if found or not folder:
        return found
    changed = [file.path for file in change.files if file.status != "D" and file.path.endswith(".py")]
    inside = (path for path in changed if path.startswith(f"{folder}/") and posixpath.basename(path) != "setup.py")
    return sorted(path for path in inside if not re.search(r"(?:^|/)tests?/", path))
