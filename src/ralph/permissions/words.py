"""Words of a shell line as arguments: exact where that is certain, and otherwise what certainly holds.

`~`, `$HOME` and `$PWD` are known. Every other variable is open: it has the values that the line was seen to give it,
and perhaps others.
"""

from __future__ import annotations

import glob
import itertools
from collections.abc import Iterator

from ralph.permissions.place import Place
from ralph.permissions.programs.model import Arg
from ralph.permissions.state import MAX_POSSIBILITIES, State
from ralph.shell.model import Glob, Group, Part, Substitution, Text, Tilde, Unknown, Variable, Word


def argument(word: Word, state: State, place: Place) -> Arg:
    """A word as an argument."""
    exact: list[str] = []
    pattern: list[str] = []
    before: list[str] | None = None
    reason = ""
    only_names_open = one_word = True
    for part in word.parts:
        known = _known(part, state, place)
        if known is not None:
            exact.append(known)
            pattern.append(glob.escape(known))
            continue
        if before is None:
            before = [*exact, *_certain_start(part)]
        reason = reason or _reason(part)
        if isinstance(part, Glob):
            pattern.append(part.text)
        else:
            only_names_open = False
        one_word = one_word and _is_one_word(part)
    if before is None:
        return Arg("".join(exact), word.span)
    return Arg(
        None,
        word.span,
        before="".join(before),
        pattern="".join(pattern) if only_names_open else None,
        reason=reason,
        one_word=one_word,
        maybe=tuple(_candidates(word, state, place)),
    )


def _candidates(word: Word, state: State, place: Place) -> Iterator[str]:
    """Values that a word may well have, as the line itself gives them: `for f in .env; do cat "$f"; done`."""
    choices: list[tuple[str, ...]] = []
    for part in word.parts:
        known = _known(part, state, place)
        if known is not None:
            choices.append((known,))
        elif isinstance(part, Variable) and state.values.get(part.name):
            choices.append(state.values[part.name])
        else:
            return
    for values in itertools.islice(itertools.product(*choices), MAX_POSSIBILITIES**2):
        yield "".join(values)


def scripts(word: Word) -> Iterator[Group]:
    """The commands that run while a word is computed."""
    for part in word.parts:
        if isinstance(part, Substitution):
            yield part.script
        elif isinstance(part, Unknown):
            yield from part.scripts


def is_process(word: Word) -> bool:
    """`<(…)` or `>(…)` and nothing else: a pipe to commands that are judged themselves, never a file."""
    return len(word.parts) == 1 and isinstance(word.parts[0], Substitution) and word.parts[0].kind != "output"


def _known(part: Part, state: State, place: Place) -> str | None:
    if isinstance(part, Text):
        return part.text
    here = state.cwds[0] if len(state.cwds) == 1 else None
    if isinstance(part, Tilde):
        return {"": place.home, "+": here}.get(part.user)
    if isinstance(part, Variable):
        value = {"HOME": place.home, "PWD": here}.get(part.name)
        splits = value is not None and not part.quoted and any(sign in value for sign in " \t\n*?[")
        return None if splits or part.name in state.values else value
    return None


def _is_one_word(part: Part) -> bool:
    """Quoted or a number, so that the shell makes exactly one word of it: `"$x"`, `$?`, but not `"$@"`."""
    if isinstance(part, Variable):
        return part.name in ("?", "#", "$", "!") or (part.quoted and part.name != "@")
    return isinstance(part, Substitution) and (part.quoted or part.kind != "output")


def _certain_start(part: Part) -> tuple[str, ...]:
    """What a part that is not known certainly begins with."""
    if isinstance(part, Tilde) or (isinstance(part, Variable) and part.name in ("PWD", "HOME")):
        return ("/",)
    if isinstance(part, Substitution) and part.kind != "output":
        return ("/dev/fd/",)
    return ()


def _reason(part: Part) -> str:
    match part:
        case Glob(text):
            return f"the pattern `{text}` is expanded by the shell"
        case Tilde(user):
            return f"`~{user}` is somebody's folder"
        case Variable(name):
            return f"the value of `${name}` is known only when it runs"
        case Substitution():
            return "the output of a command is known only when it runs"
        case Unknown(reason):
            return reason
        case Text(text):
            return text
