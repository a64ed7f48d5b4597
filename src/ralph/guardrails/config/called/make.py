"""Targets of make: `make test ARGS=tests/slow` and its recipe `pytest $(ARGS)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.config.called.call import Call, task_file
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

TARGET = later(
    r"(?m)^(?P<names>[\w./ %-]+?)[ \t]*::?(?!=)[ \t]*(?P<needs>[^\n#=;|]*)$"
    r"(?P<recipe>(?:\n(?:\t[^\n]*|[ \t]*(?:#[^\n]*)?(?=\n)))*)"
)
GIVEN = later(r"(?m)^(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*(?P<how>[?:]{0,2}=)[ \t]*(?P<value>[^\n#]*)")
USED = later(r"\$\((?P<round>\w+)\)|\$\{(?P<curly>\w+)\}|\$\$\{?(?P<shell>[A-Za-z_]\w*)(?::?-(?P<default>[^}\n]*))?\}?")
DEEPEST = 5


def commands(call: Call, side: Side) -> list[str]:
    """The lines of the recipes of what it calls that use a name which a caller may give a value."""
    path = task_file(side, "Makefile", "makefile", "GNUmakefile")
    text = (side.text(path) or "").replace("\\\n", " ") if path is not None else ""
    targets = {name: found for found in TARGET.finditer(text) for name in found["names"].split()}
    first = next((name for name in targets if not name.startswith(".")), "")
    values = _values(text, call)
    lines = [line for name in call.names or (first,) for line in _recipes(name, targets, DEEPEST)]
    return [_filled(line, values) for line in lines if USED.search(line) is not None]


def _recipes(name: str, targets: Mapping[str, re.Match[str]], deep: int) -> Iterator[str]:
    found = targets.get(name)
    if found is None or not deep:
        return
    for need in found["needs"].split():
        yield from _recipes(need, targets, deep - 1)
    yield from (line.strip().lstrip("@-+") for line in found["recipe"].split("\n") if line.startswith("\t"))


def _values(text: str, call: Call) -> dict[str, str]:
    """What stands in the file goes before the environment, but for `?=`; what the call says goes before both."""
    values = {"MAKE": "make", **call.environment}
    for found in GIVEN.finditer(text):
        if found["how"] != "?=" or found["name"] not in values:
            values[found["name"]] = found["value"].strip()
    return {**values, **call.assigned}


def _filled(line: str, values: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        name = found["round"] or found["curly"] or found["shell"]
        return values.get(name) or found["default"] or ""

    return USED.sub(value, line).strip()
