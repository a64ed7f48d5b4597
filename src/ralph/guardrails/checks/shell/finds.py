"""Commands that `find` runs for what it finds: `find tests -exec pytest {} +`.

Rule: with `+` it ends as they do. With `;`, one after the other, it ends well whatever they say.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.command_files.shellwords import unwrapped
from ralph.record import record

FINDS = frozenset(("find", "gfind", "bfs"))
RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


@record
class Handed:
    """`words`: the command, with the places that are searched where what is found there would stand."""

    words: tuple[str, ...]
    counts: bool


def handed(words: Sequence[str]) -> list[Handed] | None:
    """What a call of `find` runs; None for any other command."""
    if FINDS.isdisjoint(word.rpartition("/")[2] for word in words):
        return None
    bare = next((bare for bare in unwrapped(list(words)) if bare[0] in FINDS), None)
    if bare is None:
        return None
    starts = [index for index, word in enumerate(bare) if word in RUNS]
    return [found for start in starts if (found := _command(bare, start)) is not None]


def _command(bare: Sequence[str], start: int) -> Handed | None:
    end = next((index for index in range(start + 1, len(bare)) if _ends(bare, index)), len(bare))
    places = _places(bare)
    words = [each for word in bare[start + 1 : end] for each in (places if word == "{}" else [word])]
    return Handed(tuple(words), end == len(bare) or bare[end] == "+") if words else None


def _ends(bare: Sequence[str], index: int) -> bool:
    return bare[index] in (";", "\\;") or (bare[index] == "+" and bare[index - 1] == "{}")


def _places(bare: Sequence[str]) -> list[str]:
    """The folders that are searched, which stand before all that says what for."""
    found: list[str] = []
    for word in bare[1:]:
        if word.startswith(("-", "(", "!")) and word not in ("-H", "-L", "-P"):
            break
        found += [word] if not word.startswith("-") else []
    return found or ["."]
