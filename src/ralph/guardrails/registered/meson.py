"""Tests of Meson (see `model`): `test('name', executable)`, and `should_fail`, which turns the result around."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.registered.model import Entry, closing
from ralph.system.patterns import later

FILES = later(r"(?:^|/)meson\.build$")
COMMENT = later(r"'(?:\\.|[^'\\\n])*'|#[^\n]*")
WORD = later(
    r"(?m)^[ \t]*(?P<branch>if|elif|else|endif)\b(?P<condition>[^\n]*)"
    r"|(?<![\w.])(?P<call>test|subdir|executable)[ \t]*\("
    r"|^[ \t]*(?P<ends>subdir_done)\(\)"
)
TEXT = later(r"'((?:\\.|[^'\\\n])*)'")
SHOULD_FAIL = later(r"\bshould_fail\s*:\s*(?P<value>\w+)")
KEYWORD = later(r"\b\w+\s*:")
ASSIGNED = later(r"(?P<name>\w+)\s*\+?=\s*$")


def entries(path: str, text: str) -> Iterator[Entry]:
    text = COMMENT.sub(lambda found: found[0] if found[0][0] == "'" else " " * len(found[0]), text)
    folder = posixpath.dirname(path)
    open_: list[str] = []
    left: list[str] = []
    made: dict[str, frozenset[str]] = {}
    for match in WORD.finditer(text):
        if match["branch"]:
            open_ = _branched(open_, match["branch"], match["condition"].strip())
        elif match["ends"]:
            left.append(f"not ({' and '.join(open_)})" if open_ else "false")
        else:
            inner = text[match.end() : closing(text, match.end() - 1) - 1]
            names = TEXT.findall(inner)
            if match["call"] == "executable":
                given = ASSIGNED.search(text, max(0, match.start() - 80), match.start())
                sources = {posixpath.normpath(posixpath.join(folder, name)) for name in names[1:] if "." in name}
                for name in (*names[:1], *([given["name"]] if given else [])):
                    made[name] = frozenset(sources)
            elif names:
                yield _entry(match, inner, names, made, path, text, (*left, *open_))


def _branched(open_: list[str], word: str, condition: str) -> list[str]:
    if word == "if":
        return [*open_, condition]
    if word == "endif" or not open_:
        return open_[:-1]
    return [*open_[:-1], condition if word == "elif" else f"not ({open_[-1]})"]


def _entry(
    match: re.Match[str],
    inner: str,
    names: list[str],
    made: dict[str, frozenset[str]],
    path: str,
    text: str,
    conditions: tuple[str, ...],
) -> Entry:
    folder, line = posixpath.dirname(path), text.count("\n", 0, match.start("call")) + 1
    if match["call"] == "subdir":
        needs = frozenset({f"{posixpath.normpath(posixpath.join(folder, names[0]))}/"})
        return Entry(name=f"{names[0]}/", path=path, line=line, needs=needs, conditions=conditions, part=True)
    first = KEYWORD.search(inner)
    run = re.findall(r"[A-Za-z_]\w*", TEXT.sub("", inner[: first.start()] if first else inner))
    files = {posixpath.normpath(posixpath.join(folder, name)) for name in names[1:] if "." in name}
    sources = {each for word in (*run, *names) for each in made.get(word, ())}
    asked = SHOULD_FAIL.search(inner)
    return Entry(
        name=names[0],
        path=path,
        line=line,
        needs=frozenset((*files, *sources)) or frozenset(run[:1]),
        conditions=conditions,
        command=" ".join(run),
        traits={"should_fail": asked["value"]} if asked else {},
    )
