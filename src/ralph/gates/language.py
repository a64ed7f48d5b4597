"""The gate language: `>>fix-bug issue:42 :: verify:"pytest -q" --> >>review`. Spec: shell verify gates; decision 27.

    chain    = step { "-->" step }                        ">>" is needed once, in front of the first step
    step     = ">>" name { argument | text } [ "*" N ] { "::" gate }
    argument = key ( ":" | "=" ) ( quoted | word )        each key once
    gate     = 'verify:' quoted { option } | [ name ":" ] quoted

Operators stand between blanks. A text parses, or raises LanguageError with the place and what was expected there:
what could be meant as an operator and is none is never taken for text silently. In quotes everything is text.
"""

from __future__ import annotations

import re

from ralph.gates.forms import NAME, Gate, read_gate
from ralph.gates.model import Chain, Step
from ralph.gates.operators import refuse_beginning, refuse_operator, refuse_swallowed
from ralph.gates.tokens import Cursor, LanguageError, Quoted, Token
from ralph.gates.unparse import unparse, unparse_gate
from ralph.record import field, record

__all__ = ["LanguageError", "parse", "parse_gates", "unparse", "unparse_gate"]

MAX_STEPS = 100
MAX_REPEATS = 20

_PROMPT = re.compile(rf"(?:>>)?({NAME})")
_ARGUMENT = re.compile(rf"({NAME})[:=](?!//|[:=>\\]|$)")
"""An address, `a::b`, `a==b` and `a=>b` are text."""


def parse(text: str) -> Chain:
    """The chain that the text describes. Raises LanguageError."""
    cursor = Cursor(text)
    steps: list[Step] = []
    while True:
        step, times = _step(cursor, first=not steps)
        steps += [step] * times
        if len(steps) > MAX_STEPS:
            cursor.fail(cursor.offset, f"the chain has more than {MAX_STEPS} steps", "split it")
        if cursor.peek() is None:
            return Chain(tuple(steps))
        cursor.take()  # the arrow: a step ends at nothing else


def parse_gates(text: str) -> tuple[Gate, ...]:
    """The gates of a text without a prompt: what may stand behind the first `::` of a step. Raises LanguageError."""
    cursor = Cursor(text)
    gates = [read_gate(cursor)]
    while cursor.at("gate"):
        cursor.take()
        gates.append(read_gate(cursor))
    if cursor.peek() is not None:
        cursor.fail(cursor.offset, "a chain stands where only gates belong", "remove -->")
    return tuple(gates)


def _step(cursor: Cursor, *, first: bool) -> tuple[Step, int]:
    """The next step, and how many times it is taken."""
    name = _name(cursor, first)
    body = _Body(cursor)
    while cursor.at("word"):
        body.read()
    gates: list[Gate] = []
    while cursor.at("gate"):
        cursor.take()
        gates.append(read_gate(cursor))
    step = Step(prompt=name, arguments=tuple(body.arguments.items()), text=body.text(), gates=tuple(gates))
    return step, body.times


def _name(cursor: Cursor, first: bool) -> str:
    if not cursor.at("word"):
        cursor.fail(cursor.offset, "a prompt is missing", "write >>name")
    token = cursor.take()
    found = _PROMPT.fullmatch(token.raw)
    if found is None or (first and not token.raw.startswith(">>")):
        refuse_beginning(cursor, token)
    return found[1]


@record(frozen=False)
class _Body:
    """What stands between the name of a prompt and its gates."""

    cursor: Cursor
    arguments: dict[str, str] = field(default_factory=dict)
    stretches: list[list[Token]] = field(default_factory=list)
    """The words of each stretch of text that no argument interrupts."""
    times: int = 1
    in_text: bool = False

    def read(self) -> None:
        """The next word."""
        token = self.cursor.take()
        refuse_operator(self.cursor, token, behind_text=bool(self.stretches))
        if self._repeats(token):
            return
        found = _ARGUMENT.match(token.head + ('"' if token.quoted else ""))
        if found:
            self._argument(token, found[1])
        elif token.quoted and token.head.endswith((":", "=")):
            way = "use ASCII letters, digits, - and _, or put the whole text into quotes if it is text"
            self.cursor.fail(token.start, "this is no name of an argument", way)
        elif self.in_text:
            self.stretches[-1].append(token)
        else:
            self.stretches.append([token])
        self.in_text = not found

    def _argument(self, token: Token, key: str) -> None:
        cursor = self.cursor
        if key in self.arguments:
            cursor.fail(token.start, f"the argument {key} stands twice", "remove one of them")
        value_at = token.start + len(key) + 1
        if not token.quoted:
            self.arguments[key] = cursor.text[value_at : token.end]
            return
        quoted = token.quoted[0]
        if (quoted.start, quoted.end) != (value_at, token.end):
            cursor.fail(token.start, f"the value of {key} is partly in quotes", f'write {key}:"…" around all of it')
        self.arguments[key] = quoted.value

    def _repeats(self, token: Token) -> bool:
        """Whether this word and the next are `* N`, which is taken then."""
        number = self.cursor.peek()
        if token.raw != "*" or number is None or not re.fullmatch(r"-?[0-9]+", number.raw):
            return False
        behind = self.cursor.peek(1)
        last = behind is None or behind.kind != "word"
        plain_text = bool(self.stretches) and self._quoted_text() is None
        if plain_text and not last:
            return False
        if plain_text:
            self.cursor.fail(token.start, "* could repeat the step or belong to its text", "put the text into quotes")
        if not last:
            self.cursor.fail(
                token.start, "* N is not the last word before the gates", "move it there, or quote the text"
            )
        self.cursor.take()
        if not re.fullmatch(r"[0-9]{1,3}", number.raw) or not 1 <= int(number.raw) <= MAX_REPEATS:
            way = f"write * 1 to * {MAX_REPEATS}"
            self.cursor.fail(number.start, "a step cannot be repeated as many times", way)
        self.times = int(number.raw)
        return True

    def text(self) -> str:
        """The text as it was written; without its quotes if it consists of one quoted text."""
        quoted = self._quoted_text()
        if quoted is not None and self.cursor.text[quoted.start] == '"':
            return quoted.value
        for words in self.stretches:
            refuse_swallowed(self.cursor, words)
        if quoted is not None:
            return quoted.value
        return " ".join(self.cursor.text[words[0].start : words[-1].end] for words in self.stretches)

    def _quoted_text(self) -> Quoted | None:
        """The quote that all of the text consists of."""
        if len(self.stretches) != 1 or len(self.stretches[0]) != 1:
            return None
        return self.stretches[0][0].whole
