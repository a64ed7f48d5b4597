"""Which installed tool a path or a word of a command names: by the folder of packages, or by asking for its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.patterns import written_out
from ralph.system.patterns import later

MODULES = "|".join(sorted(toolnames.PYTHON_MODULES, key=len, reverse=True))
GO_MODULES = "|".join(map(re.escape, sorted(toolnames.GO)))
_NPM = r"(?P<npm>(?:@[\w.*-]+(?:/|__|\+))?[\w.*-]+)"
NODE = later(rf"(?:node_modules|\$\(npm root(?: -g)?\)|`npm root(?: -g)?`)/(?:\.pnpm/)?{_NPM}")
PROGRAM = later(
    r"(?:^|/)(?:node_modules/\.bin|\.?venv/bin|\$\{?VIRTUAL_ENV\}?/bin)/(?P<bin>[\w.-]+)$"
    r"|^[\"]?(?:\$\(|`)\s*(?:which|command -v|type -p)\s+(?P<which>[\w.-]+)\s*[)`][\"]?$"
)
PYTHON = later(
    rf"(?:site|dist)-packages[\"']?/(?P<module>{MODULES})(?:/|\.py|$)"
    r"|/python3(?:\.\d+)?/(?P<standard>unittest|doctest)(?:/|\.py)"
)
ASKED = later(
    r"\b(?:import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*|from\s+|find_spec\(\s*[\\\"']+"
    r"|(?:pip3?|uv pip) show (?:-\S+ )*)"
    rf"(?P<asked>{MODULES})\b"
)
TELLS = later(r"__file__|__path__|getfile|getsourcefile|\.origin|submodule_search_locations|Location")
BELOW = later(rf"(?:\$\(.*\)|`.*`)[\"']?/(?:\S*/)?(?P<below>{MODULES})(?:/|\.py|$)")
FINDS = later(r"site|purelib|platlib|sysconfig|pip|uv|poetry|dirname|purelib|prefix")
GO = later(
    rf"(?:pkg/mod/|GOMODCACHE\)?\}}?/|\bgo list\b.*\{{\{{\s*\.Dir\s*\}}\}}.*|(?:^|/)vendor/)(?P<go>{GO_MODULES})"
    r"|(?:GOROOT\)?\}?|/go|hostedtoolcache/go/[^/]+/[^/]+)/src/(?P<testing>testing|cmd/(?:go|vet|test2json))\b"
)
GEM = later(
    r"(?:\bbundle (?:exec )?(?:show|info (?:--path )?|open)|\bgem (?:which|contents|open)(?: -\S+)*)\s*(?P<gem>[\w-]+)"
    r"|/gems/(?P<in>[a-z][a-z_-]*?)-[\d*$]"
)
CRATE = later(r"registry/src/(?:[^/\s]+/)?(?P<crate>[a-z][a-z0-9_-]*?)-[\d*$]")
JAR = later(
    r"\.m2/repository/\S*?(?P<jar>junit|testng|assertj|mockito|hamcrest|mockk|kotest|spock|jqwik)|\.gradle/caches/\S*?(?P<cached>junit|assertj|mockito|testng)"
)
PHP = later(r"(?:^|/)vendor/(?P<php>[\w.-]+/[\w.-]+)")
RESOLVED = later(r"\bresolve(?:\.sync)?\(\s*\\?[\"'](?P<resolved>(?:@[\w.-]+/)?[\w.-]+)")
WORD = later(r"[^\s'\"|;<>]+")


def tool_at(word: str) -> str | None:
    """The tool whose installed file the word is; None for any other word."""
    for each in written_out(word) if "{" in word and "$" not in word else (word,):
        found = _asked(each) if "$(" in each or "`" in each else None
        if found := found or _path(each.strip("\"'")):
            return found
    return None


def _path(word: str) -> str | None:
    if (match := PROGRAM.search(word)) is not None:
        name = match["bin"] or match["which"]
        return name if name in PROGRAMS or name in ("prettier", "black", "isort", "coverage") else None
    if any(char.isspace() for char in word) and "$(" not in word:
        return None
    for name in reversed(list(_node(word))):
        return name if toolnames.npm(name) else None
    if match := PYTHON.search(word):
        return match["module"] or match["standard"]
    if match := GO.search(word):
        return match["go"] or match["testing"]
    if (match := GEM.search(word)) and (match["gem"] or match["in"]) in toolnames.GEMS:
        return match["gem"] or match["in"]
    if (match := CRATE.search(word)) and match["crate"] in toolnames.CRATES:
        return match["crate"]
    if match := JAR.search(word):
        return match["jar"] or match["cached"]
    match = PHP.search(word)
    return match["php"] if match and toolnames.php(match["php"]) else None


def _node(word: str) -> Iterator[str]:
    """Names of packages below folders of packages; pnpm's store spells a scope with a plus."""
    for match in NODE.finditer(word):
        yield re.sub(r"(?<=.)@.*", "", match["npm"]).replace("+", "/")


def _asked(word: str) -> str | None:
    """A command in the word's place tells where a tool lies."""
    match = ASKED.search(word)
    if match and TELLS.search(word):
        return match["asked"]
    match = BELOW.search(word)
    if match and FINDS.search(word):
        return match["below"]
    match = RESOLVED.search(word)
    return match["resolved"] if match and toolnames.npm(match["resolved"]) else None


def tools_in(text: str) -> Iterator[str]:
    """Of a command's text: each tool whose file a word of it names."""
    for match in WORD.finditer(text):
        if found := tool_at(match[0]):
            yield found
