"""What the parts of a list say outright that they leave out: the words of `grep -v`, `:!path`, `-not -path`, `-E`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ralph.guardrails.checks.lists.filters import filter_of
from ralph.guardrails.checks.lists.listers import FDS, FINDS, without
from ralph.guardrails.checks.lists.model import ReadText, Words

NOT = frozenset(("!", "-not"))
NAMES = frozenset(("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"))


def named_by(stages: Sequence[Words], text_of: ReadText) -> set[str]:
    found = set(_of_lister(stages[0]))
    for stage in stages[1:]:
        made = filter_of(stage, text_of)
        found |= {form.pattern for form in made.takes} if made is not None else set()
    return found


def _of_lister(words: Words) -> Iterator[str]:
    name = words[0].rpartition("/")[2]
    if name == "git":
        yield from (text for word in words if (text := without(word)) is not None)
    elif name in FDS:
        yield from (value for option, value in pairwise(words) if option in ("-E", "--exclude"))
        yield from (word.partition("=")[2] for word in words if word.startswith("--exclude="))
    elif name == "rg":
        yield from (value[1:] for option, value in pairwise(words) if option == "-g" and value.startswith("!"))
        yield from (word.partition("=!")[2] for word in words if word.startswith("--glob=!"))
    elif name in FINDS:
        for index, word in enumerate(words[:-1]):
            if word in NAMES and (words[index - 1] in NOT or words[index + 2 : index + 3] == ("-prune",)):
                yield words[index + 1]
