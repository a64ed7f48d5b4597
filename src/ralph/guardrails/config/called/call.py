"""A call of a task in a line of shell, and what a runner of tasks makes of it.

`make test ARGS=tests/slow` and `just test tests/slow` say what a check looks at, in words that only the task can tell:
it is called as before, and hands on less.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from ralph.guardrails.config.side import Side
from ralph.record import record
from ralph.system.patterns import later

WORD = r"(?:\"[^\"\n]*\"|'[^'\n]*'|\$\{\{[^{}\n]*\}\}|(?!\$\{\{)[^\s\"';&|#<>()])+"
CALL = later(
    rf"(?<![\w./$-])(?P<set>(?:[A-Za-z_]\w*={WORD}[ \t]+)*)"
    r"(?:(?:poetry|uv|pipenv|rye|bundle|hatch|pixi|mise)[ \t]+(?:run|exec|x)[ \t]+(?:--[ \t]+)?"
    r"|npx[ \t]+|python3?[ \t]+-m[ \t]+)?"
    r"(?P<program>just|g?make|go-task|task|tox|nox|poe|(?:pdm|hatch|mise)[ \t]+run|deno[ \t]+task|cargo"
    r"|bazel(?:isk)?|mvn|\./mvnw|inv(?:oke)?|composer(?:[ \t]+run(?:-script)?)?|rake"
    r"|(?:(?:ba|z|da|k)?sh[ \t]+)?(?:\./)?[\w./-]*\.(?:sh|bash)|\./[\w/-]+"
    r"|(?:python3?|node|tsx|bun)[ \t]+(?:\./)?[\w./-]*\.(?:py|[cm]?[jt]s))"
    rf"(?P<words>(?:[ \t]+{WORD})*)(?=[ \t]*(?:[\"';&|#)]|$))"
)
MAY_CALL = later(
    r"just|make|task|tox|nox|poe|pdm|hatch|mise|cargo|bazel|mvn|inv|composer|rake|\.sh|\.bash|\./|\.py|\.[cm]?[jt]s\b"
)
MANY = frozenset(("make", "gmake", "task", "go-task", "rake"))
"""Each of their words is the name of a task;"""
FIRST = frozenset(
    (
        *("just", "poe", "pdm run", "inv", "invoke", "composer", "composer run", "composer run-script"),
        *("hatch run", "mise run", "deno task", "cargo", "bazel", "bazelisk"),
    )
)
"""of theirs the first one is."""
SCRIPTS = (".sh", ".bash", ".py", ".js", ".cjs", ".mjs", ".ts", ".mts")
NOTHING: Mapping[str, str] = MappingProxyType({})
PUT_IN = later(r"\$\{\{[^{}\n]*\}\}")
ASSIGNED = later(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)


@record(slots=False)
class Call:
    program: str
    words: tuple[str, ...]
    environment: Mapping[str, str]
    """What is set for this call and around it."""
    start: int
    end: int
    """Where it stands in its line, counted in characters."""
    asked: frozenset[str] = frozenset()
    """Variables that some call of its file is given: without one of them it has none."""

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The words before a lone `--`."""
        return self.words[: self.words.index("--")] if "--" in self.words else self.words

    @cached_property
    def handed(self) -> tuple[str, ...]:
        """The words behind a lone `--`."""
        return self.words[self.words.index("--") + 1 :] if "--" in self.words else ()

    @cached_property
    def assigned(self) -> dict[str, str]:
        """`NAME=value` among its own words."""
        found = (ASSIGNED.fullmatch(word) for word in self.own)
        return {match["name"]: match["value"] for match in found if match is not None}

    @cached_property
    def keys(self) -> frozenset[tuple[str, str]]:
        """What it calls: programs that run one thing alone have no name for it; a script is the same by any shell."""
        names = self.names if self.program in MANY else self.names[:1] if self.program in FIRST else ()
        program = self.program.split()[-1].removeprefix("./") if self.program.endswith(SCRIPTS) else self.program
        return frozenset((program, name) for name in names or ("",))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its own words that are no options and give no name a value."""
        found = (word for word in self.own if not word.startswith("-") and ASSIGNED.fullmatch(word) is None)
        return tuple(word.partition("[")[0] for word in found)


def calls(line: str, environment: Mapping[str, str] = NOTHING, asked: frozenset[str] = frozenset()) -> Iterator[Call]:
    """`environment` is what is set around the line, `asked` the names of all that is set around such calls."""
    if MAY_CALL.search(line) is None:
        return
    for found in CALL.finditer(line):
        try:
            words, given = (_words(found[part]) for part in ("words", "set"))
        except ValueError:
            continue
        pairs = dict(word.partition("=")[::2] for word in given)
        program = " ".join(found["program"].split())
        yield Call(program, tuple(words), {**environment, **pairs}, found.start("set"), found.end(), asked)


def _words(text: str) -> list[str]:
    """What CI puts in before there is a shell is one word."""
    return shlex.split(PUT_IN.sub(lambda found: found[0].replace(" ", "").replace("'", ""), text))


def written(words: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, words))


def task_file(side: Side, *names: str) -> str | None:
    """The file of tasks at the root, or the only one of its name."""
    for name in names:
        found = side.by_name.get(name, [])
        if name in found or len(found) == 1:
            return name if name in found else found[0]
    return None
