"""Commands that edit, overwrite or link over files of an installed tool (see `checks.spoken` for what is read).

The file may be written in a word, be held by a variable, be the folder that the same line went to before, or come
from the program that finds it (`find node_modules/expect -exec sed -i …`). A tool's own file in the place of the same
tool's is a copy of it, and a shebang that is written anew runs what it ran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ralph.guardrails.checks.hooks.files import WRITTEN
from ralph.guardrails.checks.spoken import Spoken, spoken
from ralph.guardrails.config.command_files.shellwords import expanded
from ralph.guardrails.config.side import Side
from ralph.guardrails.rewritten.found import Found
from ralph.guardrails.rewritten.installing import installed
from ralph.guardrails.rewritten.places import tool_at, tools_in
from ralph.guardrails.rewritten.scripts import written
from ralph.system.patterns import later

EDITORS = frozenset(("sed", "gsed", "perl", "ruby", "awk", "gawk", "ed", "ex", "vim", "sd", "yq", "json", "rpl"))
IN_PLACE = later(r"^(?:-\w*i\S*|--in-place\S*|inplace|-\w*[eE]s\w*)$")
ALWAYS = frozenset(("ed", "ex", "vim", "sd", "rpl", "replace-in-file", "replace", "rexreplace"))
"""They write to every file that they are given."""
SCRIPTED = later(r"^-\w*[ef]$|^--(?:expression|file)$")
COPIERS = frozenset(("cp", "mv", "install", "rsync", "ln", "copyfiles", "cpx", "cpy", "ncp", "gcp"))
WRITERS = frozenset(("tee", "sponge", "truncate", "shred"))
INTO = later(r"^(?:-t|--target-directory(?:=.*)?)$")
OUTPUT = later(r"^(?:-o|-O|--output|--output-document)$")
FOLDER_OF = later(r"^(?:-d|-C|--directory)$")
PACKAGES = later(r"(?:^|/)(?:node_modules(?:/@[\w-]+)?|site-packages)/?$")
SHEBANG = later(r"#!")
INTERPRETERS = later(r"(?:node|bun|deno|python|pypy|ruby|perl)[\d.]*$")
LOOP = later(r"\bfor\s+(?P<name>\w+)\s+in\s+(?P<values>[^\n;]+)")
XARGS = frozenset(("xargs", "parallel"))
HERE = later(r"<<-?\s*[\"']?(?P<end>\w+)[\"']?[^\n]*\n(?P<text>.*?)\n\s*(?P=end)\b", re.DOTALL)


def orders(path: str, side: Side, before: Side) -> Iterator[Found]:
    everything = list(spoken(side, path))
    if not everything:
        return
    text = side.text(path) or ""
    lines = text.splitlines()
    values = _values(everything, text)
    went: tuple[int, str] | None = None
    for said in everything:
        if said.variable:
            continue
        words = [expanded(expanded(word, values), values) for word in said.words]
        line = lines[said.line - 1] if 0 < said.line <= len(lines) else ""
        if words[0] in ("cd", "pushd") and len(words) > 1:
            tool = tool_at(words[1])
            went = (said.line, tool) if tool else None
            continue
        for tool in installed(words, before):
            yield Found(path, said.line, line.strip(), tool, "something else is installed as")
        around = went[1] if went is not None and went[0] == said.line else None
        for tool in dict.fromkeys(_tools(words, line, around)):
            yield Found(path, said.line, line.strip(), tool, f"{words[0]} writes to")
    for match in HERE.finditer(text):
        first = text.count("\n", 0, match.start("text"))
        for each in written(path, match["text"]):
            yield Found(path, first + each.line, each.text, each.tool, each.how)


def _values(everything: Sequence[Spoken], text: str) -> Mapping[str, str]:
    """What variables hold. A variable that holds several things holds the one that names a tool."""
    values: dict[str, str] = {}
    for said in everything:
        if said.variable and not (said.words[0] in values and tool_at(values[said.words[0]])):
            values[said.words[0]] = said.words[1]
    for match in LOOP.finditer(text):
        named = (word for word in match["values"].split() if tool_at(expanded(word, values)))
        values[match["name"]] = next(named, match["values"])
    return values


def _tools(words: Sequence[str], line: str, around: str | None) -> Iterator[str]:
    program = words[0].rpartition("/")[2]
    if program in ("shx", "npx", "sudo", "command") and len(words) > 1:
        yield from _tools(words[1:], line, around)
    elif program in XARGS:
        yield from _of_xargs(words, line)
    elif program == "find":
        inner = next((at for at, word in enumerate(words) if word.startswith("-exec")), len(words))
        if _edits(words[inner + 1 :]) and not SHEBANG.search(" ".join(words)):
            yield from filter(None, map(tool_at, _sought(words[1:inner])))
    elif INTERPRETERS.match(program) and not _edits(words):
        for code in (word for before, word in pairwise(words) if re.match(r"-\w*[ecp]$", before)):
            yield from (each.tool for each in written("", code))
    else:
        for target in _targets(program, words):
            tool = tool_at(target)
            if tool is None and around and not re.match(r"[/$~]|.*\.\./", target):
                tool = around
            if tool is not None and not _is_its_own(program, words, target, tool):
                yield tool


def _sought(words: Sequence[str]) -> Iterator[str]:
    """Where `find` looks; a path that it is told to match is one below that."""
    yield from words
    folder = next((word for word in words if word.rstrip("/").endswith("node_modules")), None)
    for before, word in pairwise(words):
        if folder is not None and before in ("-path", "-wholename", "-ipath"):
            yield f"{folder.rstrip('/')}/{word.lstrip('*/')}"


def _of_xargs(words: Sequence[str], line: str) -> Iterator[str]:
    """What is piped in stands on the same line."""
    at = next((at for at, word in enumerate(words) if word in EDITORS or word in ALWAYS), len(words))
    if _edits(words[at:]) and not SHEBANG.search(line):
        yield from tools_in(line.partition("xargs")[0])


def _edits(words: Sequence[str]) -> bool:
    """True for an editor that is told to write to the files that it is given."""
    if not words:
        return False
    program = words[0].rpartition("/")[2]
    return program in ALWAYS or (program in EDITORS and any(IN_PLACE.match(word) for word in words[1:]))


def _targets(program: str, words: Sequence[str]) -> Iterator[str]:
    """The words that a command writes to."""
    given = list(words[1:])
    if program == WRITTEN:
        yield words[1]
    elif _edits(words):
        if not SHEBANG.search(" ".join(words)):
            yield from _edited(program, given)
    elif program in COPIERS:
        yield from _copied(given)
    elif program in WRITERS:
        yield from given
    elif program == "dd":
        yield from (word.removeprefix("of=") for word in given if word.startswith("of="))
    elif program in ("curl", "wget"):
        yield from (word for before, word in pairwise(given) if OUTPUT.match(before))
    elif program == "patch":
        yield from (word.removeprefix("--directory=") for word in given)
    elif program in ("tar", "unzip") or given[:1] == ["apply"]:
        yield from (word for before, word in pairwise(given) if FOLDER_OF.match(before))
        yield from (word.removeprefix("--directory=") for word in given if word.startswith("--directory="))


def _copied(given: Sequence[str]) -> Iterator[str]:
    into = next((at for at, word in enumerate(given) if INTO.match(word)), None)
    if into is not None:
        yield given[into].partition("=")[2] or "".join(given[into + 1 : into + 2])
    elif len(given) > 1:
        yield given[-1]
        if PACKAGES.search(given[-1]):
            yield from (f"{given[-1].rstrip('/')}/{word.rstrip('/').rpartition('/')[2]}" for word in given[:-1])


def _edited(program: str, given: Sequence[str]) -> Iterator[str]:
    """Files among the words of an editor: without options, and without the script, which may name anything."""
    scripted = any(SCRIPTED.match(word) for word in given)
    files, before = [], ""
    for word in given:
        if not word.startswith("-") and not SCRIPTED.match(before):
            files.append(word)
        before = word
    skips = {"sd": 2, "replace": 2, "replace-in-file": 2, "rpl": 2}.get(
        program, 0 if scripted or program == "ed" else 1
    )
    yield from (files[skips:] if program != "ex" and program != "vim" else files)


def _is_its_own(program: str, words: Sequence[str], target: str, tool: str) -> bool:
    """The same tool's file is put in its place."""
    return program in COPIERS and any(tool_at(word) == tool for word in words[1:] if word != target)
