"""Which language a path holds, by the name that tools go by (spec: governance engine 1.2, 1.4).

A language is a key of `registry.LANGUAGE_FAMILY`. Suffixes count in any case, because file systems and tools
differ in it. A script without a suffix is what its first line (`#!`) says. Prose, data and unknown files have
no language: a word in them switches nothing off. Configuration is compared as data by `guardrails.config`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath

from ralph.system.patterns import later

SUFFIXES = {
    "python": ".py .pyi .pyw",
    "javascript": ".js .jsx .mjs .cjs",
    "typescript": ".ts .mts .cts",
    "tsx": ".tsx",
    "vue": ".vue .svelte .astro",
    "go": ".go",
    "rust": ".rs",
    "java": ".java",
    "kotlin": ".kt .kts",
    "csharp": ".cs .csx",
    "ruby": ".rb .rake .ru .gemspec",
    "shell": ".sh .bash .bats .zsh .ksh .command",
    "cpp": ".c .cc .cpp .cxx .c++ .h .hh .hpp .hxx .inl",
    "php": ".php .phtml",
}
NAMES = {"ruby": "gemfile rakefile guardfile", "python": "sconstruct sconscript"}
SHELL_HOOK_FOLDERS = frozenset({".husky", ".githooks"})
"""Folders whose files without a suffix are run by a shell, with or without a first line that says so."""

KEPT = 4096
"""Paths of which the answers are remembered: all rules ask about those of a change."""

_BY_SUFFIX = {suffix: language for language, listed in SUFFIXES.items() for suffix in listed.split()}
_BY_NAME = {name: language for language, listed in NAMES.items() for name in listed.split()}
_BY_PROGRAM = {
    "python": later(rb"(?:python|pypy)[0-9.]*"),
    "javascript": later(rb"node|nodejs|bun"),
    "typescript": later(rb"ts-node|tsx|deno"),
    "ruby": later(rb"ruby[0-9.]*"),
    "shell": later(rb"(?:ba|da|z|k|mk|a)?sh|bats"),
    "php": later(rb"php[0-9.]*"),
}


@lru_cache(maxsize=KEPT)
def language_of(path: str, first_line: bytes | None = None) -> str | None:
    """The language of a file; `first_line` is looked at only where `wants_first_line` says so."""
    name = _name(path)
    if name in _BY_NAME:
        return _BY_NAME[name]
    if suffix := _suffix(name):
        return _BY_SUFFIX.get(suffix)
    if first_line and (language := _by_shebang(first_line)):
        return language
    return "shell" if SHELL_HOOK_FOLDERS.intersection(PurePosixPath(path).parts[:-1]) else None


@lru_cache(maxsize=KEPT)
def wants_first_line(path: str) -> bool:
    """True if only the content can tell: the name has no suffix and says nothing itself."""
    name = _name(path)
    return not _suffix(name) and name not in _BY_NAME


def _name(path: str) -> str:
    """As pathlib would have it, which takes ten times as long; it is asked about every path of a tree."""
    return path.rpartition("/")[2].lower()


def _suffix(name: str) -> str:
    point = name.rfind(".")
    return name[point:] if 0 < point < len(name) - 1 else ""


def _by_shebang(line: bytes) -> str | None:
    if not line.startswith(b"#!"):
        return None
    words = [word.rsplit(b"/", 1)[-1] for word in line[2:].split()]
    if words and words[0] == b"env":
        words = [word for word in words[1:] if not word.startswith(b"-") and b"=" not in word]
    program = words[0] if words else b""
    return next((language for language, name in _BY_PROGRAM.items() if name.fullmatch(program)), None)
