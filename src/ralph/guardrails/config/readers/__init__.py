"""From a file's bytes to nodes: one reader per format, chosen by the file's name.

A reader raises `Unreadable` for a file that its tool could not read either. Byte order marks are dropped; text that
is not UTF-8 is read as far as it goes, because keys and switches are ASCII.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers import ini, script, toml, xml, yamldoc
from ralph.guardrails.config.readers.errors import Unreadable

__all__ = ["SCRIPT_SUFFIXES", "Unreadable", "has_reader", "read"]

Reader = Callable[[str, str], Node]

SCRIPT_SUFFIXES = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
BY_SUFFIX: dict[str, Reader] = {
    ".toml": toml.read,
    ".ini": ini.read,
    ".cfg": ini.read,
    ".conf": ini.read,
    ".properties": ini.read_flat,
    ".globalconfig": ini.read,
    ".json": script.read_json,
    ".jsonc": script.read_json,
    ".json5": script.read_json,
    ".yaml": yamldoc.read,
    ".yml": yamldoc.read,
    ".neon": yamldoc.read,
    ".xml": xml.read,
    ".csproj": xml.read,
    ".fsproj": xml.read,
    ".vbproj": xml.read,
    ".props": xml.read,
    ".targets": xml.read,
    ".ruleset": xml.read,
    ".runsettings": xml.read,
    ".dist": xml.read,
}
BY_NAME: dict[str, Reader] = {
    ".coveragerc": ini.read,
    ".flake8": ini.read,
    ".pylintrc": ini.read,
    "pylintrc": ini.read,
    ".bandit": ini.read,
    ".editorconfig": ini.read,
    ".globalconfig": ini.read,
    ".eslintrc": yamldoc.read_json_or_yaml,
    ".nycrc": yamldoc.read_json_or_yaml,
    ".c8rc": yamldoc.read_json_or_yaml,
    ".mocharc": yamldoc.read_json_or_yaml,
    ".eslintignore": ini.read_lines,
}


def has_reader(path: str) -> bool:
    name = PurePosixPath(path).name.lower()
    return name in BY_NAME or PurePosixPath(name).suffix in BY_SUFFIX or name.endswith(SCRIPT_SUFFIXES)


@lru_cache(maxsize=128)
def read(path: str, data: bytes) -> Node:
    """The nodes of a file, which most changes leave as it is. Raises Unreadable when it is not what its name says."""
    name = PurePosixPath(path).name
    reader = BY_NAME.get(name.lower()) or BY_SUFFIX.get(PurePosixPath(name.lower()).suffix)
    if reader is None:
        raise Unreadable(f"no reader for {name}")
    try:
        return reader(decoded(data), path)
    except RecursionError as error:
        raise Unreadable("nested too deeply") from error


def decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")
