"""What a script knows while it is followed: its words, its variables, and what a word of its text stands for.

What only running could tell is None where it is asked for, and stays as it is written in the words of commands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from fnmatch import translate

import tree_sitter

from ralph.guardrails.checks.shell.numbers import arithmetic
from ralph.guardrails.checks.shell.script import Script
from ralph.record import field, record
from ralph.system.patterns import later

EXPANSION = later(
    r"\$\{(?P<count>#)?(?P<name>\w+|[@*])(?:\[(?P<index>[^\]]*)\])?"
    r"(?:(?P<sign>:?[-=+]|##|#(?!#)|%%|%(?!%))(?P<other>.*))?\}",
    re.DOTALL,
)
NUMBER_OF_WORDS = later(r"\$\{?#\}?")
WORD = later(r"\$\{?(?P<name>\d)\}?")
UNKNOWN = later(r"[$`]")
PLAIN = later(r"[\w@%+=:,./-]+")
ALL = ("@", "*")
Value = str | list[str] | None
"""A text, an array, or what only running could tell."""


@record(frozen=False)
class Names:
    words: list[str]
    """What the script, or the function, was called with."""
    variables: dict[str, Value]
    unset: frozenset[str] = frozenset()
    """Names that are known to have no value."""
    functions: dict[str, tree_sitter.Node] = field(default_factory=dict)
    known: bool = True
    """Whether the words are known."""

    def copied(self) -> Names:
        return Names(list(self.words), dict(self.variables), self.unset, dict(self.functions), self.known)

    def forget(self, one: Names, other: Names) -> None:
        """What two ways agree on is known, and nothing else."""
        names = one.variables.keys() | other.variables.keys()
        self.variables = {
            name: one.variables.get(name) if self._agree(name, one, other) else None for name in sorted(names)
        }
        self.known = one.known and other.known and one.words == other.words
        self.words = list(one.words)
        self.functions = {**one.functions, **other.functions}

    @staticmethod
    def _agree(name: str, one: Names, other: Names) -> bool:
        return name in one.variables and name in other.variables and one.variables[name] == other.variables[name]

    def get(self, name: str) -> Value:
        """'' for what has no value."""
        if name.isdigit() and name != "0":
            return None if not self.known else self.words[int(name) - 1] if len(self.words) >= int(name) else ""
        if name in ALL:
            return list(self.words) if self.known else None
        if name == "#":
            return str(len(self.words)) if self.known else None
        return self.variables.get(name, "" if name in self.unset else None)

    def is_set(self, name: str) -> bool:
        return name.isdigit() or name in self.variables or name in ALL

    def calculated(self, text: str) -> int | None:
        text = NUMBER_OF_WORDS.sub(lambda _: str(self.get("#")), text)
        text = WORD.sub(lambda found: str(self.get(found["name"])), text)
        return arithmetic(text, {name: value for name, value in self.variables.items() if isinstance(value, str)})


def fields(names: Names, script: Script, node: tree_sitter.Node) -> Iterator[str]:
    """The words that one word of a command comes to, written for a shell."""
    spread = _spread(names, script, node)
    if spread is not None:
        yield from map(quoted, spread)
        return
    value = text(names, script, node)
    if value is None:
        yield " ".join(script.of(node).split("\n"))
    elif node.type in ("simple_expansion", "expansion"):
        yield from map(quoted, value.split())
    elif node.type == "word":
        yield script.of(node)
    else:
        yield quoted(value)


def quoted(word: str) -> str:
    """What only running could tell is left to be told."""
    if PLAIN.fullmatch(word):
        return word
    return f'"{word}"' if UNKNOWN.search(word) and '"' not in word else shlex.quote(word)


def _spread(names: Names, script: Script, node: tree_sitter.Node) -> list[str] | None:
    """`"$@"`, `"${args[@]}"`: each of the items is a word."""
    inner = node
    if node.type == "string" and len(node.named_children) == 1 and len(node.children) == 3:
        inner = node.named_children[0]
    if inner.type not in ("simple_expansion", "expansion"):
        return None
    said = script.of(inner)
    if said in ("$@", "$*", "${@}", "${*}"):
        return list(names.words) if names.known else None
    found = EXPANSION.fullmatch(said)
    held = names.get(found["name"]) if found is not None and found["index"] in ALL and not found["count"] else None
    return list(held) if isinstance(held, list) and found is not None and not found["sign"] else None


def text(names: Names, script: Script, node: tree_sitter.Node) -> str | None:
    """The one text that a word stands for."""
    match node.type:
        case "raw_string":
            return script.of(node)[1:-1]
        case "string":
            return _joined(names, script, node)
        case "concatenation":
            return _joined(names, script, node)
        case "simple_expansion":
            return _plain(names.get(script.of(node)[1:]))
        case "expansion":
            return _expanded(names, script.of(node))
        case "arithmetic_expansion":
            found = names.calculated(script.of(node)[3:-2])
            return None if found is None else str(found)
        case "command_substitution" | "process_substitution" | "ansi_c_string" | "translated_string" | "array":
            return None
    said = script.of(node)
    return None if "$" in said or "`" in said else re.sub(r"\\(.)", r"\1", said)


def _joined(names: Names, script: Script, node: tree_sitter.Node) -> str | None:
    """What stands between the parts of a string counts, too."""
    parts: list[str] = []
    at = node.start_byte + (1 if node.type == "string" else 0)
    end = node.end_byte - (1 if node.type == "string" else 0)
    for child in node.named_children:
        between = script.data[at : child.start_byte].decode("utf-8", "replace")
        value = script.of(child) if child.type == "string_content" else text(names, script, child)
        if value is None:
            return None
        parts += (between, value)
        at = child.end_byte
    return "".join((*parts, script.data[at:end].decode("utf-8", "replace")))


def _plain(value: Value) -> str | None:
    return " ".join(value) if isinstance(value, list) else value


def _expanded(names: Names, said: str) -> str | None:
    if said == "${#}":
        return _plain(names.get("#"))
    found = EXPANSION.fullmatch(said)
    if found is None:
        return None
    held = names.get(found["name"])
    if found["count"]:
        return None if held is None else str(len(held))
    value, sign, other = _plain(_item(held, found["index"])), found["sign"] or "", found["other"] or ""
    if sign[-1:] in ("-", "=", "+"):
        return _instead(value, sign, other.strip("\"'"), there=names.is_set(found["name"]))
    if value is None or not sign:
        return value
    return _cut(value, sign, other.strip("\"'"))


def _item(held: Value, index: str | None) -> Value:
    if not isinstance(held, list) or index in ALL:
        return held
    at = int(index) if index and index.isdigit() else 0
    return held[at] if at < len(held) else ""


def _instead(value: str | None, sign: str, other: str, *, there: bool) -> str | None:
    """A name that nothing gives a value has its default; of one that is given something unknown nothing is known."""
    if value is None and there:
        return None
    default = None if UNKNOWN.search(other) else other
    if sign[-1] == "+":
        return default if value else ""
    return value if value else default


def _cut(value: str, sign: str, pattern: str) -> str | None:
    """`${arg#*=}` and its like."""
    if UNKNOWN.search(pattern):
        return None
    form = re.compile(translate(pattern))
    ends = range(len(value) + 1)
    if sign[0] == "#":
        cut = [at for at in ends if form.match(value[:at])]
        return value if not cut else value[max(cut) if len(sign) > 1 else min(cut) :]
    cut = [at for at in ends if form.match(value[at:])]
    return value if not cut else value[: min(cut) if len(sign) > 1 else max(cut)]


def matches(value: str, pattern: str) -> bool:
    return re.match(translate(pattern), value) is not None


def is_known(value: str | None) -> bool:
    return value is not None and UNKNOWN.search(value) is None


def starting(environment: Mapping[str, str], asked: frozenset[str], words: tuple[str, ...]) -> Names:
    """At the start of a script; `asked` is what calls of it set anywhere in the file."""
    variables: dict[str, Value] = {name: value if is_known(value) else None for name, value in environment.items()}
    return Names(list(words), variables, asked - environment.keys())
