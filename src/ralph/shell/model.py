"""A shell line as data: which simple commands it has, in which structure, and what is known of every word.

Nothing here expands or decides. A word is a sequence of parts; what only a running shell can know is a part of its
own kind, never a guess. Spans are character offsets `(start, end)` into the text that was read.
"""

from __future__ import annotations

from typing import Literal as OneOf

from ralph.record import record

Span = tuple[int, int]


@record
class Text:
    """Characters as the shell passes them, quotes and backslashes removed. `quoted` if any of them was quoted."""

    text: str
    quoted: bool = False


@record
class Glob:
    """An unquoted pattern character or bracket (`*`, `?`, `[a-z]`, `@(a|b)`), as written."""

    text: str


@record
class Tilde:
    """`~`, `~user`, `~+`, `~-` at the start of a word; `user` is what follows the tilde."""

    user: str


@record
class Variable:
    """`$name` or `${name}`, nothing more; positional and special parameters have their sign as name."""

    name: str
    quoted: bool


@record
class Substitution:
    """`$(…)`, `<(…)` or `>(…)`: commands of their own, whose output (or a pipe's name) stands here."""

    script: Group
    kind: OneOf["output", "read", "write"]
    quoted: bool = False


@record
class Unknown:
    """Anything else that the shell computes (`${x:-y}`, `$((…))`, an array). `reason` says what it is."""

    reason: str
    scripts: tuple[Group, ...] = ()
    """Commands that run while it is computed, as far as they could be read."""


Part = Text | Glob | Tilde | Variable | Substitution | Unknown


@record
class Word:
    """One word of a command, after brace expansion (`{a,b}` has become two words)."""

    parts: tuple[Part, ...]
    span: Span

    @property
    def literal(self) -> str | None:
        """The word's exact value if nothing in it is left to the shell, else None."""
        if all(isinstance(part, Text) for part in self.parts):
            return "".join(part.text for part in self.parts if isinstance(part, Text))
        return None


@record
class Assignment:
    """`name=value`, `name+=value` before a command or alone. `plain` is False for arrays and subscripts."""

    name: str
    value: Word
    span: Span
    append: bool = False
    plain: bool = True


@record
class Redirect:
    """`operator` as written: `<`, `>`, `>>`, `>|`, `<>`, `&>`, `&>>`, `<&`, `>&`, `<<`, `<<-`, `<<<`.

    `target` is the file, or the descriptor of `<&` and `>&`. For `<<` and `<<-` it is None and `body` is the text that
    is read: one Text part if the delimiter was quoted, else whatever it has. For `<<<`, `body` is the word.
    """

    operator: str
    descriptor: int | None
    target: Word | None
    body: Word | None
    span: Span


@record
class Simple:
    """One simple command. Declarations (`export A=b`, `declare`, `local`, `unset`, `let`) are words like any other.

    `words` may be empty (an assignment or a redirect alone). `[ … ]` is a command whose first word is `[`.
    """

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    span: Span


Kind = OneOf[
    "list",  # parts one after the other: `;`, newline, `&&`, `||`
    "background",  # one part, followed by `&`
    "pipeline",  # parts joined by `|` or `|&`
    "subshell",  # `( … )`
    "block",  # `{ …; }`
    "branch",  # if, case: any of the parts may run
    "loop",  # while, until: any number of times
    "for",  # for, select: `variable` takes the `values`
    "function",  # a definition; `name` says of what
    "test",  # `[[ … ]]`: `values` are its words
    "timed",  # the keyword `time`
]


@record
class Group:
    """Commands in a structure. `redirects` apply to the whole of it."""

    kind: Kind
    parts: tuple[Node, ...]
    span: Span
    redirects: tuple[Redirect, ...] = ()
    name: str | None = None
    """The variable of a `for`, the name of a `function`."""
    values: tuple[Word, ...] = ()
    """The words of a `for`, the subject and patterns of a `case`, the operands of `[[`."""
    operators: tuple[str, ...] = ()
    """What stands between the parts of a `list`: "&&", "||" or ";" (a newline is a ";")."""
    negated: bool = False
    """A pipeline behind `!`: it succeeds when it fails."""


Node = Simple | Group


@record
class Unreadable:
    """The line cannot be read for certain. `code` is stable (`OPAQUE_SYNTAX`), `reason` a clause for people."""

    code: str
    reason: str
    span: Span
