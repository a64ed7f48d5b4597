"""Recipes of just: `just test tests/slow` and `test *args:` with its line `pytest {{args}}`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ralph.guardrails.config.called.call import Call, task_file, written
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

RECIPE = later(
    r"(?m)^@?(?P<name>[A-Za-z_][\w-]*)"
    r"(?P<parameters>(?:[ \t]+[*+]?\$?\w+(?:=(?:'[^'\n]*'|\"[^\"\n]*\"|[\w.{}/-]+))?)*)[ \t]*:(?!=)[^\n]*"
    r"(?P<body>(?:\n(?:[ \t][^\n]*|(?=\n)))*)"
)
PARAMETER = later(r"(?P<many>[*+]?)\$?(?P<name>\w+)(?:=(?P<default>'[^'\n]*'|\"[^\"\n]*\"|[\w.{}/-]+))?")
GIVEN = later(r"(?m)^(?:export[ \t]+)?(?P<name>[A-Za-z_][\w-]*)[ \t]*:=[ \t]*['\"](?P<value>[^'\"\n]*)['\"][ \t]*$")
USED = later(r"\{\{[ \t]*(?P<filled>[\w-]+)[ \t]*\}\}|\"?\$(?:\{?(?P<shell>[A-Za-z_]\w*)\}?|[@*])\"?")


def commands(call: Call, side: Side) -> list[str]:
    """The lines of the recipes that it calls which use what they are handed, or what a caller may set."""
    path = task_file(side, "justfile", "Justfile", ".justfile")
    text = side.text(path) or "" if path is not None else ""
    recipes = {found["name"]: found for found in RECIPE.finditer(text)}
    values = {found["name"]: found["value"] for found in GIVEN.finditer(text)} | call.assigned
    waiting = [word for word in call.words if "=" not in word or word.partition("=")[0] not in values]
    while waiting and waiting[0].startswith("-"):
        waiting.pop(0)
    found: list[str] = []
    while waiting and (recipe := recipes.get(waiting.pop(0))) is not None:
        given, waiting = _given(recipe, waiting)
        lines = (line.strip().lstrip("@-") for line in recipe["body"].split("\n"))
        found += (_filled(line, {**values, **given}) for line in lines if USED.search(line) is not None)
    return found


def _given(recipe: re.Match[str], words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What the recipe's parameters are, and the words that it leaves to the next one. `@` stands for all of them."""
    given, rest = dict[str, str](), list(words)
    for parameter in PARAMETER.finditer(recipe["parameters"]):
        taken, rest = (rest, []) if parameter["many"] else (rest[:1], rest[1:])
        given[parameter["name"]] = written(taken) if taken else (parameter["default"] or "").strip("'\"")
    return {**given, "@": written(words[: len(words) - len(rest)])}, rest


def _filled(line: str, values: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        name = found["filled"] or found["shell"] or "@"
        return values[name] if name in values else found[0]

    return USED.sub(value, line)
