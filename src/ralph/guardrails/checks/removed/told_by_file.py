"""What a program's own configuration file says, as words of its command: for another program that takes its place.

cargo-tarpaulin reads its floor and what it leaves out from `tarpaulin.toml`, cargo-llvm-cov is told both on the
command line, and by a regular expression where that has globs. `coverage report` and mypy say on the command line, or
have from a file, how much they ask for: what replaces tox may move it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

FILES = ("tarpaulin.toml", ".tarpaulin.toml")
OF_COVERAGE = (
    ("pyproject.toml", ("tool", "coverage", "report", "fail_under")),
    (".coveragerc", ("report", "fail_under")),
    ("setup.cfg", ("coverage:report", "fail_under")),
    ("tox.ini", ("coverage:report", "fail_under")),
)
OF_MYPY = (
    ("mypy.ini", ("mypy", "strict")),
    (".mypy.ini", ("mypy", "strict")),
    ("pyproject.toml", ("tool", "mypy", "strict")),
    ("setup.cfg", ("mypy", "strict")),
)
PLACES = {
    "coverage": ("--fail-under", OF_COVERAGE),
    "pytest": ("--cov-fail-under", OF_COVERAGE),
    "mypy": ("--strict", OF_MYPY),
}
"""By program: an option, and where a file says the same, in the order in which it looks for one."""
LEAVES_OUT = frozenset(("--ignore-filename-regex", "--exclude-files"))
SETTINGS = {
    "exclude-files": "--exclude-files",
    "fail-under": "--fail-under",
    "workspace": "--workspace",
    "all-features": "--all-features",
}
FOLDER_BEFORE = later(r"^\^?(?:\(\^\|/\)|\(\?:\^\|/\)|\.\*/?|\*\*/|\./|/)*")


def with_file(words: Sequence[str], side: Side) -> tuple[str, ...]:
    """The words of a command, and those of the file that it reads, if it has one."""
    said = list(words)
    node = next((found for path in FILES if (found := side.node(path)) is not None), None)
    if node is not None and list(words[:2]) == ["cargo", "tarpaulin"]:
        for part in node.mapping.values():
            for name, value in part.mapping.items():
                option = SETTINGS.get(name)
                for item in value.items if option else ():
                    text = canonical(item)
                    said += [] if text == "false" else [str(option)] if text == "true" else [str(option), text]
    return tuple(_plain([*said, *_from_settings(words, side)]))


def _from_settings(words: Sequence[str], side: Side) -> list[str]:
    option, places = PLACES.get(words[0], ("", ()))
    if not option or any(word.partition("=")[0] == option for word in words):
        return []
    for path, keys in places:
        node = side.node(path)
        value = node.at(*keys) if node is not None else None
        if value is not None:
            text = canonical(value).lower()
            return [option] if text == "true" else [] if text == "false" else [f"{option}={text}"]
    return []


def _plain(words: Sequence[str]) -> Iterator[str]:
    """The words, with each pattern that leaves files out by the folder or file that it means."""
    option = ""
    for word in words:
        name, given, value = word.partition("=")
        if given and name in LEAVES_OUT:
            yield from _each(name, value)
        elif option in LEAVES_OUT:
            yield from _each(option, word)
        elif word not in LEAVES_OUT:
            yield word
        option = word


def _each(option: str, pattern: str) -> Iterator[str]:
    """Only alternatives of the whole expression are told apart."""
    bare = re.sub(r"\(\?:\^\|/\)|\(\^\|/\)", "", pattern)
    for part in [pattern] if "(" in bare else bare.split("|"):
        yield option
        yield FOLDER_BEFORE.sub("", part).removesuffix("$").rstrip("/*.").replace("\\.", ".") or part
