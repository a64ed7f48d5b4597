"""The first version of a language or package that a project says it works with: what is older needs no checks."""

from __future__ import annotations

import re

from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

SAID = (
    ("go", "go.mod", r"(?m)^go (\d+(?:\.\d+)?)"),
    ("python", "pyproject.toml", r"requires-python\s*=\s*[\"'][^\"']*>=\s*(\d+(?:\.\d+)?)"),
    ("py", "setup.cfg", r"python_requires\s*=\s*>=\s*(\d+(?:\.\d+)?)"),
    ("node", "package.json", r"\"node\":\s*\"[^\"]*>=\s*(\d+)"),
    ("rust", "Cargo.toml", r"(?m)^rust-version\s*=\s*\"(\d+(?:\.\d+)?)"),
    (
        "ruby",
        "*.gemspec",
        r"required_ruby_version\s*=\s*(?:Gem::Requirement\.new)?[(\[\s]*[\"']\s*(?:>=|~>)\s*(\d+(?:\.\d+)?)",
    ),
    ("php", "composer.json", r"\"php\":\s*\"\s*(?:>=|\^|~)\s*(\d+(?:\.\d+)?)"),
    ("java", "pom.xml", r"<(?:maven\.compiler\.(?:release|source)|java\.version)>\s*(?:1\.)?(\d+)"),
    ("elixir", "mix.exs", r"\belixir:\s*\"\s*(?:>=|~>)\s*(\d+(?:\.\d+)?)"),
)
"""How an axis of a matrix begins, and where and how the version is said."""
PACKAGE = later(r"([a-z][a-z0-9._-]*?)(?:[-_]?version)?")
"""An axis that is named after a package."""
REQUIREMENTS = ("pyproject.toml", "setup.cfg")
REQUIRED = r"(?im)(?:^\s*|[\"'])%s(?:\[[\w, -]*\])?\s*>=\s*(\d+(?:\.\d+)?)"


def least_version(side: Side, axis: str) -> list[int]:
    """The parts of that version; none where nothing says it."""
    for name, path, written in SAID:
        text = side.text(_named(path, side)) if axis.lower().startswith(name) else None
        found = re.search(written, text) if text else None
        if found is not None:
            return [int(part) for part in found[1].split(".")]
    return _of_package(side, axis)


def _named(path: str, side: Side) -> str:
    """`*.gemspec` is the one that stands at the top; where there are several, none says it for all."""
    if not path.startswith("*"):
        return path
    found = [each for each in side.paths if each.endswith(path[1:]) and "/" not in each]
    return found[0] if len(found) == 1 else ""


def _of_package(side: Side, axis: str) -> list[int]:
    named = PACKAGE.fullmatch(axis.lower())
    for path in REQUIREMENTS if named is not None else ():
        found = re.findall(REQUIRED % re.escape(named[1]), side.text(path) or "") if named is not None else []
        if len(set(found)) == 1:
            return [int(part) for part in found[0].split(".")]
    return []
