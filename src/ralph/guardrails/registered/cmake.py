"""Tests of CMake (see `model`): what a file registers. What it says about tests is for `ctest`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.registered.model import Entry
from ralph.record import record
from ralph.system.patterns import later

FILES = later(r"(?:^|/)CMakeLists\.txt$|\.cmake(?:\.in)?$|(?:^|/)CTestCustom\.\w+$")
COMMENT = later(r"#\[(=*)\[.*?\]\1\]|\"(?:\\.|[^\"\\])*\"|#[^\n]*", re.DOTALL)
CALL = later(r"(?m)^[ \t]*(?P<name>\w+)[ \t\n]*\(")
ARGUMENT = later(
    r"\"(?P<quoted>(?:\\.|[^\"\\])*)\"|\[(?P<sign>=*)\[(?P<raw>.*?)\](?P=sign)\]|(?P<bare>[^\s()\";]+)", re.DOTALL
)
DISCOVERS = later(r"(?i)\w*_?discover_tests?|gtest_add_tests|parseandaddcatchtests|catch_add_tests")
OWN = later(
    r"(?i)(?!(?:enable_testing|get_test_property|set_tests?_properties|ctest_\w+|include_\w+)$)(?:\w+_)?(?:unit_?|g)?tests?(?:_\w+)?"
)
TEST_LIST = later(r"(?i)\w*(?:tests?|specs?)(?:_?(?:srcs?|sources?|files?|names?|list|targets?))?")
TARGET_FILE = later(r"\$<TARGET_(?:FILE|PROPERTY):([\w.:-]+)")
BRACKET = later(r"\"(?:\\.|[^\"\\])*\"|[()]", re.DOTALL)


@record
class Statement:
    name: str
    arguments: tuple[str, ...]
    line: int
    conditions: tuple[str, ...]
    loops: tuple[tuple[str, ...], ...]
    within: str


def plain(text: str) -> str:
    return COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0]), text)


def statements(text: str) -> Iterator[Statement]:
    """Each command with what it hangs on. What stands behind a `return` hangs on what the `return` does not."""
    text = plain(text)
    open_: list[str] = []
    left: list[str] = []
    loops: list[tuple[str, ...]] = []
    functions: list[str] = []
    place, row, seen = 0, 1, 0
    while match := CALL.search(text, place):
        place = _closing(text, match.end() - 1)
        inner = text[match.end() : place - 1]
        name = match["name"].lower()
        arguments = tuple(_arguments(inner))
        shown = " ".join(inner.split())
        if name == "if":
            open_.append(shown)
        elif name in ("else", "elseif") and open_:
            open_[-1] = shown if name == "elseif" else f"NOT ({open_[-1]})"
        elif name == "endif":
            open_ = open_[:-1]
        elif name == "foreach":
            loops.append(arguments[1:])
        elif name == "endforeach":
            loops = loops[:-1]
        elif name in ("function", "macro"):
            functions.append(arguments[0] if arguments else "")
        elif name in ("endfunction", "endmacro"):
            functions = functions[:-1]
        elif name == "return" and not functions:
            left.append(f"NOT ({' AND '.join(open_)})" if open_ else "FALSE")
        else:
            row, seen = row + text.count("\n", seen, match.start("name")), match.start("name")
            yield Statement(name, arguments, row, (*left, *open_), tuple(loops), functions[-1] if functions else "")


def _closing(text: str, start: int) -> int:
    depth = 0
    for match in BRACKET.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def _arguments(inner: str) -> Iterator[str]:
    for match in ARGUMENT.finditer(inner):
        yield next(value for value in (match["quoted"], match["raw"], match["bare"]) if value is not None)


def entries(path: str, text: str) -> Iterator[Entry]:
    said = list(statements(text))
    folder = posixpath.dirname(path)
    made = {
        one.arguments[0]: frozenset(
            posixpath.normpath(posixpath.join(folder, _own(each))) for each in one.arguments[1:]
        )
        for one in said
        if one.arguments and (one.name.endswith(("add_executable", "add_library")) or one.name == "target_sources")
    }
    for one in said:
        for name, needs, part in _registered(one, folder):
            sources = frozenset(each for need in needs for each in made.get(need, ()) if "." in each)
            yield Entry(
                name=name,
                path=path,
                line=one.line,
                needs=frozenset((*needs, *sources)),
                conditions=one.conditions,
                command=" ".join(one.arguments),
                within=one.within,
                part=part,
            )


def _own(word: str) -> str:
    return re.sub(r"^\$\{(?:CMAKE_(?:CURRENT_)?|PROJECT_)SOURCE_DIR\}/", "", word)


def _registered(one: Statement, folder: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    words = one.arguments
    if not words:
        return
    looped = [item for loop in one.loops for item in loop if item not in ("IN", "ITEMS", "LISTS")]
    if one.name == "add_test":
        given = words[1:] if words[0] == "NAME" else words
        rest = given[given.index("COMMAND") + 1 :] if "COMMAND" in given else given[1:]
        files = tuple(posixpath.normpath(posixpath.join(folder, _own(word))) for word in rest[1:] if "." in word)
        named = tuple(match[1] for word in rest for match in TARGET_FILE.finditer(word))
        yield given[0] if given else "", (*rest[:1], *named, *files), False
    elif DISCOVERS.fullmatch(one.name):
        target = words[1] if words[0] == "TARGET" and len(words) > 1 else words[0]
        yield f"the tests of {target}", (target,), False
    elif one.name == "add_subdirectory":
        yield f"{words[0].rstrip('/')}/", (f"{posixpath.normpath(posixpath.join(folder, words[0]))}/",), True
    elif one.name == "set" and TEST_LIST.fullmatch(words[0]):
        looped = list(words[1:])
    elif OWN.fullmatch(one.name) and not one.name.startswith(("set_", "get_")):
        files = tuple(posixpath.normpath(posixpath.join(folder, _own(word))) for word in words[1:] if "." in word)
        yield words[0], (words[0], *files), False
    else:
        return
    for item in looped:
        yield item, (item, posixpath.normpath(posixpath.join(folder, _own(item)))) if "." in item else (item,), True
