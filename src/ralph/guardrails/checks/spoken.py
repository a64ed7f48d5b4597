"""Every command and every variable that a file's shell texts and tables of variables say, with its line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

import tree_sitter

from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.hooks.files import WRITTEN
from ralph.guardrails.checks.reader import NONE, Collector, Flaws
from ralph.guardrails.checks.readers.files import place_of, read_into
from ralph.guardrails.checks.replaced_tools.written import is_tool
from ralph.guardrails.checks.shell.outline import text_of_shell
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.command_files.shellwords import unwrapped
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.record import record, replace
from ralph.system.patterns import later

MAX_DEPTH = 3
HOOKS = later(r"hooks/|\.husky/")
PRIVATE = later(r"(?:^|[/\s])info/(?:attributes|exclude)\b")
"""Git's own attributes and ignored files; what is added to them counts, too."""
REWRITTEN = later(r"hooks/|\.husky/|>.*(?:node_modules|-packages|\$|`|/bin/|pkg/mod|/src/|vendor/|\.m2/)")
"""What may be redirected to a hook, or to a file of an installed tool."""
VARIABLE = later(r"\$\{?(\w+)\}?")
TESTS_RUN = later(r"\s-\w*m (?:pytest|unittest|nose2)\b")
TO_GITHUB = later(r"(?:echo|printf)\s+(?P<text>.+?)\s*>>\s*[\"']?\$\{?GITHUB_(?P<where>PATH|ENV)\b")


@record
class Spoken:
    words: tuple[str, ...]
    """A command's words, bare; or a variable's name and value."""
    line: int
    line_text: str
    variable: bool = False
    exported: bool = False
    in_ci: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that stand before a command."""
    first: int = 0
    """The line on which the text begins that says it."""
    slot: str = ""
    """The script, target or job whose text it is."""

    def hit(self, rule: str, path: str, detail: str) -> Hit:
        """What is wrong with it, told by one text."""
        return hit_at(rule, path, self.line, detail, self.line_text)


class Listener(Collector):
    """Keeps the texts that a reader comes across."""

    def __init__(self, path: str) -> None:
        super().__init__(path, place_of(path))
        self.texts: list[tuple[str, int]] = []
        self.slots: list[str] = []
        """Of each text the script, target or job that it belongs to."""
        self.said: list[tuple[str, str, int]] = []

    def text(self, text: str, line: int, slot: str, _shell: Shell, _flaws: Flaws = NONE, /) -> None:
        self.texts.append((text, line))
        self.slots.append(slot)

    def variable(self, name: str, value: str, line: int) -> None:
        super().variable(name, value, line)
        self.said.append((name, value, line))

    def relocate(self, _start: int, rows: list[int], /) -> None:
        (text, _), slot = self.texts.pop(), self.slots.pop()
        pieces = text.split("\n")
        # One piece for every run of lines that follow each other in the file.
        first = 0
        for index in range(1, len(rows) + 1):
            if index == len(rows) or rows[index] != rows[index - 1] + 1:
                self.texts.append(("\n".join(pieces[first:index]), rows[first]))
                self.slots.append(slot)
                first = index


def spoken(side: Side, path: str) -> Iterator[Spoken]:
    listener = Listener(path)
    read_into(listener, side, path)
    lines = (side.text(path) or "").splitlines() if listener.texts or listener.said else []

    def shown(line: int) -> str:
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    in_ci = listener.place == "ci"
    for name, value, line in listener.said:
        yield Spoken((name, value), line, shown(line), variable=True, exported=True, in_ci=in_ci)
    for (text, first), slot in zip(listener.texts, listener.slots, strict=True):
        for found in _of_text(text, first, in_ci, listener.variables):
            line_text = shown(found.line)
            yield replace(found, line_text=line_text, in_ci=in_ci, first=first, slot=slot)


def newly_spoken(before: Side, after: Side, path: str) -> Iterator[Spoken]:
    """What a file says that it did not say before, however often it did."""
    had = Counter(said.words for said in spoken(before, path))
    for said in spoken(after, path):
        if had[said.words]:
            had[said.words] -= 1
        else:
            yield said


def _of_text(text: str, first: int, in_ci: bool, known: Mapping[str, str | None], depth: int = 0) -> Iterator[Spoken]:
    script = Script(text)
    held: dict[str, str] = {}
    for number, row in enumerate(text.split("\n"), first):
        for match in TO_GITHUB.finditer(row) if "GITHUB_" in row else ():
            text = match["text"]
            bare = text[1:-1] if text[0] in "\"'" and text[-1] == text[0] else text
            yield from _written(bare, match["where"], number)
    for node in script.walk():
        line = first + node.start_point.row
        if node.type == "variable_assignment":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and node.parent is not None:
                exported = node.parent.type in ("declaration_command", "command")
                given = script.of(value).strip("\"'") if value is not None else ""
                held[script.of(name)] = given
                yield Spoken((script.of(name), given), line, "", variable=True, exported=exported)
        elif node.type == "redirected_statement":
            yield from (Spoken(words, line, "") for words in _redirected(script, node, held))
        elif node.type == "command":
            environment = tuple(_environment(script, node))
            words = script.words(node, known)
            levels = list(unwrapped(words)) if words else []
            if any(_strips_assertions(level) for level in levels):
                yield Spoken(("PYTHONOPTIMIZE", "1"), line, "", variable=True, exported=True)
            for bare in levels[-1:]:
                inner = text_of_shell(words)
                if inner is not None and depth < MAX_DEPTH:
                    yield from _of_text(inner, line, in_ci, known, depth + 1)
                yield Spoken(tuple(bare), line, "", environment=environment)


def _redirected(script: Script, node: tree_sitter.Node, held: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """What a redirection writes anew: the file, and the whole statement but for that."""
    rewritten = REWRITTEN.search(script.of(node)) is not None
    for child in node.named_children:
        target = child.child_by_field_name("destination") if child.type == "file_redirect" else None
        path = script.of(target).strip("\"'") if target is not None else ""
        adds = ">>" in script.of(child) and HOOKS.search(path) is not None
        meant = VARIABLE.sub(lambda match: held.get(match[1], match[0]), path)
        meant = f".git/info/{path}" if path in ("attributes", "exclude") and ".git/info" in script.text else meant
        if PRIVATE.search(meant):
            yield WRITTEN, meant, script.of(node).replace(script.of(child), "", 1)
        elif (rewritten and path and not adds) or is_tool(path):
            yield WRITTEN, path, script.of(node).replace(script.of(child), "", 1)


def _strips_assertions(words: Sequence[str]) -> bool:
    """`python -O -m pytest`, which says what the variable PYTHONOPTIMIZE does."""
    if not re.fullmatch(r"python[\d.]*", words[0]) or not TESTS_RUN.search(" ".join(words)):
        return False
    options = takewhile(lambda word: word.startswith("-"), words[1:])
    return any(re.fullmatch(r"-[A-Za-z]*O[A-Za-z]*", word) for word in options)


def _written(text: str, where: str, line: int) -> Iterator[Spoken]:
    name, given, value = text.partition("=")
    if where == "PATH":
        yield Spoken(("PATH", f"{text}:$PATH"), line, "", variable=True, exported=True)
    elif given:
        yield Spoken((name, value), line, "", variable=True, exported=True)


def _environment(script: Script, node: tree_sitter.Node) -> Iterator[tuple[str, str]]:
    for child in node.named_children:
        if child.type == "variable_assignment":
            name, _, value = script.of(child).partition("=")
            yield name, value.strip("\"'")
