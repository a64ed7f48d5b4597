"""The words of a call of Cypress, with each setting that it gives as an option of its own: `--config.retries=5`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

GIVE = {"--config": "--config", "-c": "--config", "--env": "--env", "-e": "--env"}


def pairs_apart(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    option = ""
    for word in words:
        name, given, value = word.partition("=")
        if option:
            found += _pairs(option, word)
            option = ""
        elif name in GIVE:
            found += _pairs(GIVE[name], value) if given else []
            option = "" if given else GIVE[name]
        else:
            found.append(word)
    return found


def _pairs(option: str, text: str) -> Iterator[str]:
    """`a=1,b=2`, or the same as JSON."""
    text = text.strip("\"'")
    if not text.startswith("{"):
        yield from (f"{option}.{pair}" for pair in text.split(",") if "=" in pair)
        return
    try:
        given = json.loads(text)
    except ValueError:
        return
    yield from _leaves(option, given)


def _leaves(option: str, given: object) -> Iterator[str]:
    if isinstance(given, Mapping):
        for name, value in given.items():
            yield from _leaves(f"{option}.{name}", value)
    else:
        yield f"{option}={given}"
