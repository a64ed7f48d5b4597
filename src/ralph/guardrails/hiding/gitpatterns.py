"""The patterns of `.gitignore` and `.gitattributes`, and what they are about.

A pattern without a slash (but at its end) holds at any depth below its file; one with a slash is anchored there. `*`
and `?` stay inside one part of a path, `**` crosses parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import cache

from ralph.guardrails.config.node import names
from ralph.guardrails.config.patterns import is_output, is_sample
from ralph.guardrails.languages import SUFFIXES, language_of
from ralph.system.patterns import later

SOURCE_SUFFIXES = frozenset(suffix for listed in SUFFIXES.values() for suffix in listed.split())
SOURCE_FOLDERS = frozenset(
    names(
        "src app apps lib libs pkg pkgs packages internal cmd cli server client backend frontend api core test tests "
        "spec specs __tests__ e2e source sources java main modules components services scripts tools crates .github "
        "workflows ci"
    )
)
CONFIGURES = (".yml", ".yaml", ".toml", ".ini", ".cfg")
"""Pipelines and tools are configured by such files, written by hand."""
CHECKED = later(
    r"(?i)(?:^|/)(?:conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|package\.json|tsconfig[\w.-]*\.json"
    r"|makefile|dockerfile"
    r"|\.github|\.gitlab-ci\.yml|jenkinsfile|[\w.-]*(?:jest|vitest|eslint|playwright|cypress|mocha|babel"
    r"|karma)[\w.-]*|\.pre-commit-config\.yaml"
    r"|codeowners|\.gitattributes|\.gitignore|go\.mod|cargo\.toml|sitecustomize\.py|\.coveragerc|\.?mypy\.ini"
    r"|\.?ruff\.toml|\.golangci\.\w+)/?$"
)
MADE = later(
    r"(?i)snap(?:shots?)?\b|\.min\.|\.map$|lock\b|_pb2|\.pb\.|[._-]gen(?:erated)?\b|zz_generated|\.(?:svg|png|jpe?g"
    r"|gif|ico|pdf|zip|gz|jar|bin|woff2?|ttf|mp4"
    r"|snap|ambr|storyshot|shot|approved|received|verified|har|jsonl|ndjson|tsv|log|out|stdout|stderr|npy|npz|pkl|csv|parquet|ipynb|sum|po|pot|mo|sqlite|db|wasm|so|dll|exe|md|rst|txt|adoc|html|css|scss|xml|drawio"
    r"|excalidraw)$"
    r"|\.expanded\.|\.(?:approved|received|verified)\.|\.expected\b|cassettes?|recordings?|golden|mocks?\b|\.d\.ts$|bundle|_version\.py|\.designer\.cs"
    r"|\.g\.(?:cs|dart)|\.freezed\.dart"
)


class About(Enum):
    SOURCE = "source code, tests or configuration of checks"
    MADE = "generated, sample or binary files"
    UNKNOWN = "something else"


def about(pattern: str) -> About:
    """What a pattern is meant for, by its own words."""
    plain = pattern.strip().rstrip("/").removeprefix("/").removeprefix("./")
    parts = [part for part in plain.lower().split("/") if part not in ("", "**", "*")]
    name = plain.rpartition("/")[2]
    if not parts or (name in ("*", "**", "*.*") and not set(parts) - SOURCE_FOLDERS):
        return About.SOURCE
    if MADE.search(plain) or is_output(plain) or is_sample(plain):
        return About.MADE
    if CHECKED.search(plain):
        return About.SOURCE
    suffixes = re.findall(r"\.[A-Za-z+]+", re.sub(r"\[(\w)\w*\]", r"\1", name))
    listed = re.search(r"\{([^}]*)\}|\[([^\]]*)\]$", name)
    if suffixes and suffixes[-1].lower() in (*SOURCE_SUFFIXES, *CONFIGURES):
        return About.SOURCE
    if listed and any(f".{each.strip('. ')}" in SOURCE_SUFFIXES for each in re.split(r",", listed[1] or listed[2])):
        return About.SOURCE
    if set(parts) & SOURCE_FOLDERS and (name.lower() in SOURCE_FOLDERS or name in ("*", "**") or "*" in name):
        return About.SOURCE
    return About.UNKNOWN


def matches(pattern: str, folder: str, path: str) -> bool:
    """True if a pattern in a file of `folder` holds for the path, or for a folder that it is in."""
    inside = path[len(folder) + 1 :] if folder else path
    if folder and not path.startswith(f"{folder}/"):
        return False
    return _compiled(pattern).fullmatch(inside) is not None


def holds_source(pattern: str, folder: str, paths: Iterable[str]) -> bool:
    """True if the pattern holds for source code in the tree that is neither generated nor a sample."""
    return any(
        language_of(path) is not None and not is_output(path.rpartition("/")[0]) and not MADE.search(path)
        for path in paths
        if matches(pattern, folder, path)
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    glob = pattern.strip().removesuffix("/")
    anchored = "/" in glob.rstrip("/")
    glob = glob.removeprefix("/")
    body = "".join(_translated(part) for part in re.split(r"(\*\*/|/\*\*$|\*\*|\*|\?|\[[^\]]*\])", glob))
    prefix = "" if anchored else "(?:.*/)?"
    try:
        return re.compile(f"{prefix}{body}(?:/.*)?", re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))


def _translated(part: str) -> str:
    special = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if part in special:
        return special[part]
    if part.startswith("[") and part.endswith("]") and len(part) > 2:
        return "[^" + part[2:] if part[1] in "!^" else part
    return re.escape(part)
