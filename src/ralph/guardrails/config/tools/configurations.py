"""Configurations of MSBuild that no command builds: `Condition="'$(Configuration)' == 'Release'"`.

Rules:

- `dotnet build`, `test` and `run` build `Debug` unless they are told otherwise; `publish` and `pack` build `Release`.
- A configuration is never built where the tree's commands call `dotnet` by themselves and none of them builds it. Where
  one takes its configuration from a variable, where a file sets one for all, and where another program builds (Cake,
  Nuke, a script that is handed on), nobody can tell.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

ASKS = later(
    r"(?i)\s*'\$\(Configuration\)(?P<with>\|\$\(Platform\))?'\s*(?P<how>==|!=)\s*'(?P<name>\w+)(?(with)\|[\w ]+)'\s*"
)
BUILDS = later(
    r"\bdotnet(?:\.exe)?\s+(?P<what>build|test|run|msbuild|publish|pack|vstest)\b(?P<rest>[^\n]*)|\bmsbuild\b", re.I
)
RELEASES = frozenset({"publish", "pack"})
GIVEN = later(r"(?i)(?:-c|--configuration|[-/]p(?:roperty)?:Configuration)[\s=:]+[\"']?(?P<name>[\w${}.\[\]]+)")
FOR_ALL = later(r"(?im)<Configuration\b|^\s*(?:export\s+)?[\"']?Configuration[\"']?\s*[=:]")
OTHER_BUILD = later(r"(?:^|/)(?:build\.cake|\.nuke(?:/.*)?|build\.fsx|Build\.cs|appveyor\.yml)$")
SETS = (".props", ".targets", ".csproj", ".fsproj", ".vbproj", ".rsp")
DEBUG, RELEASE = "debug", "release"


def is_never_built(side: Side, condition: str) -> bool:
    """The condition asks for a configuration, or for all but one, that no command of the tree builds."""
    asked = ASKS.fullmatch(condition)
    if asked is None:
        return False
    side.touched.update(command_files(side))
    built = _built(side)
    if built is None:
        return False
    name = asked["name"].lower()
    return name not in built if asked["how"] == "==" else built == {name}


@remembered(8)
def _built(side: Side) -> frozenset[str] | None:
    """In small letters; None where nobody can tell."""
    if any(OTHER_BUILD.search(path) for path in side.paths):
        return None
    found: set[str] = set()
    for path in command_files(side):
        text = (side.text(path) or "").replace("\\\n", " ")
        for match in BUILDS.finditer(text):
            what, rest = match["what"], match["rest"] or ""
            given = GIVEN.search(rest)
            if what is None or (given is not None and not given["name"].isalnum()):
                return None
            what = what.lower()
            if what != "vstest" and not (what == "test" and "--no-build" in rest and given is None):
                found.add(given["name"].lower() if given is not None else RELEASE if what in RELEASES else DEBUG)
        if found and FOR_ALL.search(text):
            return None
    if not found or any(FOR_ALL.search(side.text(path) or "") for path in side.paths if path.endswith(SETS)):
        return None
    return frozenset(found)
