"""Properties of MSBuild that ask for another one which nothing sets: `Condition="'$(Strict)' == 'true'"`.

Rule: a property that no file of the build, no command and no variable of the tree names is empty: what hangs on its
being true is not said, and what is nothing but its value says nothing. Those that MSBuild, its SDKs and CI set by
themselves, by the way they are called, may have a value. What holds only where CI does not run is not said either, nor
is what holds in a configuration alone that no command builds (`configurations`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.configurations import is_never_built
from ralph.system.patterns import later

TRUE = later(r"\s*'?\$\((?P<name>\w+)\)'?\s*==\s*'?(?i:true|1|yes|on)'?\s*")
NOT_IN_CI = later(
    r"\s*'?\$\((?i:CI|TF_BUILD|GITHUB_ACTIONS|GITLAB_CI|ContinuousIntegrationBuild)\)'?\s*"
    r"(?:!=\s*'?(?i:true|1)'?|==\s*(?:'(?i:false|0)?'|(?i:false)))\s*"
)
VALUE = later(r"\s*\$\((?P<name>\w+)\)\s*")
BY_ITSELF = later(
    r"(?i)CI|TF_BUILD|GITHUB_\w+|BUILD_\w+|Configuration\w*|Platform\w*|OS|Target\w+|MSBuild\w*|Is\w+|Use\w+|Using\w+"
    r"|Building\w+|Design\w+|Enable\w+|Generate\w+|Continuous\w+|Solution\w*|Project\w*|Output\w*|Nuget\w*|\w+Version"
    r"|Implicit\w+|Publish\w*|Pack\w*|Run\w*|Self\w+|Single\w*|Lang\w*|Debug\w*|Optimize|Deterministic|Nullable|Test\w*"
)
BUILD_FILES = (".csproj", ".fsproj", ".vbproj", ".props", ".targets", ".rsp", ".sln", ".proj", ".pubxml")


def is_unset(side: Side, *conditions: Node | None) -> bool:
    """One of the conditions asks for a property that nothing sets, or that CI does not run."""
    said = [canonical(each) for each in conditions if each is not None]
    if any(map(NOT_IN_CI.fullmatch, said)) or any(is_never_built(side, each) for each in said):
        return True
    return any(not _is_set(side, name) for text in said for name in _names(TRUE, text))


def is_empty(side: Side, value: Node) -> bool:
    return any(not _is_set(side, name) for name in _names(VALUE, value.text))


def _names(form: re.Pattern[str], text: str) -> Iterator[str]:
    if (match := form.fullmatch(text)) is not None and not BY_ITSELF.fullmatch(match["name"]):
        yield match["name"]


def _is_set(side: Side, name: str) -> bool:
    written = re.compile(rf"<{name}\b|(?<![$\w(]){name}\s*[=:]|(?<!\$\()\b{name}\b(?!\))(?=\s*[;\"'])")
    files = {path for path in side.paths if path.endswith(BUILD_FILES)}
    return any(written.search(side.text(path) or "") for path in sorted({*files, *command_files(side)}))
