"""Settings that a command gives as a line of TOML (`ruff check --config 'lint.ignore=["F841"]'`), as its own options.

A file that `--config` names stays as it is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator

SPELLS_OUT = frozenset(("ruff", "ty"))
INLINE = {
    "ruff": {
        **{f"{part}{name}": f"--{name}" for part in ("lint.", "") for name in ("ignore", "extend-ignore", "select")},
        **{f"{part}{name}": f"--{name}" for part in ("lint.", "") for name in ("exclude", "extend-exclude")},
    },
}
"""Settings that `--config` takes as a line of TOML, and the options that say the same."""


def spelled_out(program: str, words: Iterable[str]) -> Iterator[str]:
    """The words of a call with such settings as options."""
    waiting = False
    for word in words:
        option, given, value = word.partition("=")
        if waiting:
            waiting = False
            if "=" in word:
                yield from _inline(program, word)
                continue
            yield "--config"
        elif word == "--config" or (word == "-c" and program == "ty"):
            waiting = True
            continue
        elif option == "--config" and given and "=" in value:
            yield from _inline(program, value)
            continue
        yield word
    if waiting:
        yield "--config"


def _inline(program: str, text: str) -> Iterator[str]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        yield f"--config={text}"
        return
    for key, value in _flat(table, ""):
        if program == "ty":
            yield from _of_ty(key, value)
        elif key in INLINE.get(program, {}):
            listed = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            yield f"{INLINE[program][key]}={listed}"


def _of_ty(key: str, value: object) -> Iterator[str]:
    table, _, name = key.partition(".")
    if table == "rules" and value in ("ignore", "warn", "error"):
        yield f"--{value}={name}"
    elif key == "terminal.error-on-warning" and value is True:
        yield "--error-on-warning"
    elif key == "src.exclude" and isinstance(value, list):
        yield from (f"--exclude={each}" for each in value)


def _flat(table: dict[str, object], above: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
