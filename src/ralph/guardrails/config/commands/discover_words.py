"""Where and what `unittest discover` looks for, as options (class G09).

Rule: its bare words are the folder to start in, the pattern and the top folder, in this order, where no option says
them: `discover tests` is `discover -s tests`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

PLACES = (("-s", "--start-directory"), ("-p", "--pattern"), ("-t", "--top-level-directory"))
TAKE = frozenset((*(name for place in PLACES for name in place), "-k", "--durations"))
"""The options that take the next word."""


def placed(words: Sequence[str]) -> Iterator[str]:
    """The words behind the program, each bare one with the option that it stands for."""
    said = {word.partition("=")[0] for word in words}
    free = [names[0] for names in PLACES if said.isdisjoint(names)]
    discovers = taken = False
    for word in words:
        if discovers and not taken and not word.startswith("-") and free:
            yield free.pop(0)
        discovers = discovers or word == "discover"
        taken = word in TAKE
        yield word
