"""Which ends a shell line can come to, as far as its text tells: a gate that cannot fail proves nothing.

Rules (spec: shell verify gates, exit 0 is the proof; research: verify gates, E9 and L10):

- `true`, `exit 0`, `echo done`, `npm test || true`, `pytest; true`, `pytest &`, `echo $(pytest)` end with 0 whatever
  they find. Such a line is never run as a gate.
- `pipefail` is set where it can only turn an end with 0 into a failure: where pipelines stand alone, or in an `&&` list
  that ends the line. Elsewhere something follows from their failure (`!`, `||`, a branch, `a | b && exit 1; c`), and it
  could turn a failure into a 0.
- Whatever the text does not tell may end either way. A line that sets what failing means (`set -e`, `trap`, an alias,
  a function) is not followed.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal

from ralph.record import record
from ralph.shell.model import Group, Node, Simple, Substitution, Unreadable, Word
from ralph.shell.read import read

End = Literal["good", "bad", "exit", "exit good", "exit bad"]
Ends = frozenset[End]

GOOD: Ends = frozenset({"good"})
BAD: Ends = frozenset({"bad"})
EITHER: Ends = GOOD | BAD
EXIT_AS_BEFORE: Ends = frozenset({"exit"})

_ALWAYS_GOOD_PROGRAMS = frozenset(
    {"true", "echo", "printf", "sleep", "pwd", "date", "uname", "whoami", "id", "hostname", "arch", "nproc", "clear"}
)
_ALWAYS_GOOD = _ALWAYS_GOOD_PROGRAMS | {
    ":",
    "export",
    "declare",
    "readonly",
    "typeset",
    "unset",
    "umask",
    "times",
    "disown",
}
_STARTERS = frozenset({"command", "builtin", "env", "nice", "nohup", "setsid", "stdbuf", "timeout", "sudo"})
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_REDEFINES = frozenset({"set", "trap", "alias", "shopt", "source", ".", "return", "enable", "function", "break"})
_FILE_TESTS = frozenset(f"-{letter}" for letter in "abcdefghkprstuwxGLNOSv") | {"-nt", "-ot", "-ef"}
_DEEPEST = 5


def cannot_fail(line: str) -> bool:
    """True if the line ends with 0 whatever the programs in it find."""
    if all(text.lstrip()[:1] in ("", "#") for text in line.split("\n")):
        return True  # nothing but comments
    return _Line(pipefail=pipefail_only_lowers(line)).ends_of(line) <= {"good", "exit good"}


def pipefail_only_lowers(line: str) -> bool:
    """True if `set -o pipefail` can turn no failure of this line into a success."""
    tree = read(line)
    return not isinstance(tree, Unreadable) and not _redefined(tree) and _unasked(tree)


def _unasked(node: Node) -> bool:
    """What fails in a pipeline below makes the line fail, and nothing else follows from it."""
    if isinstance(node, Simple):
        return True
    if node.kind == "pipeline":
        return not node.negated and not any(map(_has_pipeline, node.parts))
    if node.kind not in ("list", "block", "subshell", "timed") or "||" in node.operators:
        return not _has_pipeline(node)
    if set(node.operators) == {"&&"}:
        return all(map(_unasked, node.parts))
    return not any(map(_has_pipeline, node.parts[:-1])) and all(map(_unasked, node.parts[-1:]))


def _has_pipeline(node: Node) -> bool:
    if isinstance(node, Simple):
        return False
    return node.negated or (node.kind == "pipeline" and len(node.parts) > 1) or any(map(_has_pipeline, node.parts))


def _redefined(node: Node) -> bool:
    if isinstance(node, Group):
        return node.kind == "function" or any(map(_redefined, node.parts))
    return bool(node.words) and node.words[0].literal in _REDEFINES


@record
class _Line:
    """A line that is followed: `depth` counts lines within lines, `pipefail` says whether every stage counts."""

    depth: int = 0
    pipefail: bool = False

    def ends_of(self, text: str) -> Ends:
        tree = read(text)
        if isinstance(tree, Unreadable) or self.depth > _DEEPEST or _redefined(tree):
            return EITHER
        found = self.ends(tree)
        return GOOD if found == EXIT_AS_BEFORE else found

    def ends(self, node: Node) -> Ends:
        found = self._simple(node) if isinstance(node, Simple) else self._group(node)
        return found | BAD if _opens_files(node) else found

    def _group(self, node: Group) -> Ends:
        parts = [self.ends(part) for part in node.parts]
        match node.kind:
            case "list" | "block" | "timed":
                return _in_order(parts, node.operators)
            case "subshell":
                return _closed(_in_order(parts, node.operators))
            case "background":
                return GOOD
            case "pipeline":
                return _swapped(self._pipeline(node)) if _is_negated(node) else self._pipeline(node)
            case "test":
                return _test([word.literal for word in node.values])
            case _:
                return frozenset().union(GOOD, *parts)

    def _pipeline(self, node: Group) -> Ends:
        """The end of a pipeline, before a `!` turns it round."""
        parts = [self.ends(part) for part in node.parts]
        if len(parts) == 1:
            return parts[0]
        stages = [_closed(part) for part in parts]
        return stages[-1] | (BAD & frozenset().union(*stages) if self.pipefail else frozenset())

    def _simple(self, node: Simple) -> Ends:
        if not node.words:
            return EITHER if any(_substitutes(each.value) for each in node.assignments) else GOOD
        words = [word.literal for word in node.words]
        name, rest = words[0], words[1:]
        if name is None:
            return EITHER
        if name == "exit":
            return _exit(rest)
        if name == "wait" and not rest:
            return GOOD
        if name == "eval" or (PurePosixPath(name).name in _SHELLS and "-c" in rest):
            code = rest if name == "eval" else rest[rest.index("-c") + 1 :][:1]
            known = [word for word in code if word is not None]
            return _closed(_Line(self.depth + 1).ends_of(" ".join(known))) if known == code and known else EITHER
        if name == "exec" and rest:
            return frozenset("exit good" if end == "good" else "exit bad" for end in _called(rest))
        if name in ("[", "test"):
            return _test(rest[:-1] if name == "[" else rest)
        return _called(words)


def _is_negated(node: Group) -> bool:
    """`! a | b` turns the end of the whole pipeline round, also where the `!` was read as part of its first stage."""
    first = node.parts[0] if len(node.parts) > 1 else None
    return node.negated or (isinstance(first, Group) and first.kind == "pipeline" and first.negated)


def _in_order(parts: list[Ends], operators: tuple[str, ...]) -> Ends:
    """One after the other, as `&&`, `||` and `;` say; what exits ends the line."""
    if not parts:
        return GOOD
    if len(parts) == 1:
        return parts[0]
    now = _as_before(parts[0], EITHER)
    for number, part in enumerate(parts[1:]):
        operator = operators[number] if number < len(operators) else ";"
        gone: Ends = now & {"exit good", "exit bad"}
        stays = now & {"&&": BAD, "||": GOOD}.get(operator, frozenset())
        goes = now & {"&&": GOOD, "||": BAD}.get(operator, EITHER)
        now = gone | stays | (_as_before(part, goes) if goes else frozenset())
    return now


def _as_before(part: Ends, before: Ends) -> Ends:
    """`exit` alone ends the line as the command before it ended."""
    if part != EXIT_AS_BEFORE:
        return part
    return frozenset("exit good" if end == "good" else "exit bad" for end in before)


def _called(words: list[str | None]) -> Ends:
    """A program by its name, behind those that only start another one."""
    behind_starter = False
    for word in words:
        if word is None:
            return EITHER
        name = PurePosixPath(word).name
        if name in _STARTERS:
            behind_starter = True
        elif not (behind_starter and (word.startswith("-") or "=" in word or word[:1].isdigit())):
            known = _ALWAYS_GOOD_PROGRAMS if "/" in word or behind_starter else _ALWAYS_GOOD
            return GOOD if name in known or word == ":" else BAD if name == "false" else EITHER
    return EITHER


def _test(words: list[str | None]) -> Ends:
    """`[ … ]` and `[[ … ]]` of fixed words end as they do; one that looks at a file or a variable, either way."""
    if None in words or _FILE_TESTS & set(words) or words[:1] == ["!"]:
        return EITHER
    match words:
        case [_] | ["-n", _]:
            return GOOD if words[-1] else BAD
        case ["-z", word]:
            return BAD if word else GOOD
        case [left, "=" | "==" | "-eq", right]:
            return GOOD if left == right else BAD
        case _:
            return EITHER


def _exit(words: list[str | None]) -> Ends:
    if not words:
        return EXIT_AS_BEFORE
    if len(words) != 1 or words[0] is None or not words[0].isdigit():
        return frozenset({"exit good", "exit bad"})
    return frozenset({"exit good"}) if int(words[0]) % 256 == 0 else frozenset({"exit bad"})


def _closed(ends: Ends) -> Ends:
    """Seen from outside of a subshell, an exit is an end like others."""
    if "exit" in ends:
        return EITHER
    return frozenset("good" if end in ("good", "exit good") else "bad" for end in ends)


def _swapped(ends: Ends) -> Ends:
    other: dict[End, End] = {"good": "bad", "bad": "good"}
    return frozenset(other.get(end, end) for end in ends)


def _opens_files(node: Node) -> bool:
    """A redirect from or to a file can fail."""
    return any(
        each.target is not None and each.target.literal != "/dev/null" and not (each.target.literal or "x").isdigit()
        for each in node.redirects
    )


def _substitutes(word: Word) -> bool:
    return any(isinstance(part, Substitution) for part in word.parts)
