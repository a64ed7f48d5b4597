"""From a file's bytes to nodes: one reader per format, chosen by the file's name.

Readers are named, not imported: what parses a format is loaded when a file needs it. A reader raises `Unreadable` for
a file that its tool could not read either. Byte order marks are dropped; text that is not UTF-8 is read as far as it
goes, because keys and switches are ASCII.
"""

from __future__ import annotations

import codecs
import importlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers.errors import Unreadable

__all__ = ["SCRIPT_SUFFIXES", "Unreadable", "has_reader", "read"]

Reader = Callable[[str, str], Node]


def _reader(module: str, function: str = "read") -> Reader:
    def read(text: str, path: str) -> Node:
        reader: Reader = getattr(importlib.import_module(f"{__name__}.{module}"), function)
        return reader(text, path)

    return read


SCRIPT_SUFFIXES = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
INI = _reader("ini")
FLAT = _reader("ini", "read_flat")
LINES = _reader("ini", "read_lines")
JSON = _reader("script", "read_json")
TOML = _reader("toml")
XML = _reader("xml")
YAML = _reader("yamldoc")
JSON_OR_YAML = _reader("yamldoc", "read_json_or_yaml")

BY_SUFFIX: dict[str, Reader] = {
    ".toml": TOML,
    ".ini": INI,
    ".cfg": INI,
    ".conf": INI,
    ".properties": FLAT,
    ".globalconfig": INI,
    ".json": JSON,
    ".jsonc": JSON,
    ".json5": JSON,
    ".xctestplan": JSON,
    ".yaml": YAML,
    ".yml": YAML,
    ".neon": _reader("neon"),
    ".xml": XML,
    ".csproj": XML,
    ".fsproj": XML,
    ".vbproj": XML,
    ".props": XML,
    ".targets": XML,
    ".ruleset": XML,
    ".editorconfig": INI,
    ".runsettings": XML,
    ".dist": XML,
}
BY_NAME: dict[str, Reader] = {
    ".coveragerc": INI,
    ".flake8": INI,
    ".pylintrc": INI,
    "pylintrc": INI,
    ".bandit": INI,
    ".importlinter": INI,
    ".pydocstyle": INI,
    ".pydocstylerc": INI,
    ".codespellrc": INI,
    ".pyre_configuration": JSON,
    ".pyre_configuration.local": JSON,
    ".editorconfig": INI,
    ".globalconfig": INI,
    ".eslintrc": JSON_OR_YAML,
    ".nycrc": JSON_OR_YAML,
    ".c8rc": JSON_OR_YAML,
    ".mocharc": JSON_OR_YAML,
    ".babelrc": JSON_OR_YAML,
    ".prettierrc": JSON_OR_YAML,
    ".taprc": YAML,
    **dict.fromkeys((".yamllint", ".ansible-lint", ".reek", "config.reek", ".dive-ci"), YAML),
    **dict.fromkeys((".stylelintrc", ".xo-config", ".lintstagedrc", ".huskyrc", ".jshintrc"), JSON_OR_YAML),
    **dict.fromkeys((".sqlfluff", ".gitlint", ".behaverc"), INI),
    ".yarnrc.yml": YAML,
    **dict.fromkeys((".eslintignore", ".prettierignore", ".stylelintignore", ".jshintignore"), LINES),
    ".markdownlintignore": LINES,
    "staticcheck.conf": TOML,
    ".clang-tidy": YAML,
    **dict.fromkeys(
        (".htmlhintrc", ".hintrc", ".markdownlintrc", ".pa11yci", ".tsqllintrc", ".secrets.baseline"), JSON_OR_YAML
    ),
    **dict.fromkeys((".cfnlintrc", ".dclintrc", ".textlintrc", "kics.config"), JSON_OR_YAML),
    **dict.fromkeys((".npmrc", "doxyfile", "doxyfile.in"), FLAT),
}


def has_reader(path: str) -> bool:
    name = PurePosixPath(path).name.lower()
    return _reader_of(name) is not None or name.endswith(SCRIPT_SUFFIXES)


def _reader_of(name: str) -> Reader | None:
    """Of a file that is shipped for others to lay their own over it (`phpstan.neon.dist`) the ending before counts."""
    own = BY_NAME.get(name) or BY_SUFFIX.get(PurePosixPath(name.removesuffix(".dist")).suffix)
    return own or BY_SUFFIX.get(PurePosixPath(name).suffix)


@lru_cache(maxsize=128)
def read(path: str, data: bytes) -> Node:
    """The nodes of a file, which most changes leave as it is. Raises Unreadable when it is not what its name says."""
    name = PurePosixPath(path).name
    reader = _reader_of(name.lower())
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
