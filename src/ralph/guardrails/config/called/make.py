"""Targets of make: `make test ARGS=tests/slow` and its recipe `pytest $(ARGS)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.config.called.call import Call, task_file
from ralph.guardrails.config.called.make_conditions import conditioned
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

TARGET = later(
    r"(?m)^(?P<names>[\w./ %-]+?)[ \t]*::?(?!=)[ \t]*(?P<needs>[^\n#=;|]*)$"
    r"(?P<recipe>(?:\n(?:\t[^\n]*|[ \t]*(?:#[^\n]*)?(?=\n)))*)"
)
CONDITION = later(r"(?m)^[ \t]*(?:ifn?eq|ifn?def)\b")
ENVIRONMENT = frozenset(("-e", "--environment-overrides"))
GIVEN = later(r"(?m)^(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*(?P<how>[?:]{0,2}=)[ \t]*(?P<value>[^\n#]*)")
USED = later(r"\$\((?P<round>\w+)\)|\$\{(?P<curly>\w+)\}|\$\$\{?(?P<shell>[A-Za-z_]\w*)(?::?-(?P<default>[^}\n]*))?\}?")
DEEPEST = 5


def commands(call: Call, side: Side) -> list[str]:
    """The lines of the recipes of what it calls that use a name which a caller may give a value."""
    path = task_file(side, "Makefile", "makefile", "GNUmakefile")
    text = (side.text(path) or "").replace("\\\n", " ") if path is not None else ""
    text = conditioned(text, {**call.environment, **call.assigned}) if CONDITION.search(text) is not None else text
    targets = {name: found for found in TARGET.finditer(text) for name in found["names"].split()}
    first = next((name for name in targets if not name.startswith(".")), "")
    values = _values(text, call)
    lines = [line for name in call.names or (first,) for line in _recipes(name, targets, values, DEEPEST)]
    return [_filled(line, values) for line in lines]


def _recipes(
    name: str, targets: Mapping[str, re.Match[str]], values: Mapping[str, str], deep: int, *, chosen: bool = False
) -> Iterator[str]:
    """Those that a caller has a say in: by a name in them, or by one of what is needed (`chosen`)."""
    found = targets.get(name)
    if found is None or not deep:
        return
    for need in _filled(found["needs"], values).split():
        said = chosen or need not in found["needs"].split()
        yield from _recipes(need, targets, values, deep - 1, chosen=said)
    lines = (line.strip().lstrip("@-+") for line in found["recipe"].split("\n") if line.startswith("\t"))
    yield from (line for line in lines if chosen or USED.search(line) is not None)


def _values(text: str, call: Call) -> dict[str, str]:
    """What stands in the file goes before the environment, but for `?=` and `make -e`; what the call says goes before
    both."""
    values = {"MAKE": "make", **call.environment}
    for found in GIVEN.finditer(text):
        if found["how"] != "?=" or found["name"] not in values:
            values[found["name"]] = found["value"].strip()
    first = call.environment if not ENVIRONMENT.isdisjoint(call.own) else {}
    return {**values, **first, **call.assigned}


def _filled(line: str, values: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        name = found["round"] or found["curly"] or found["shell"]
        return values.get(name) or found["default"] or ""

    return USED.sub(value, line).strip()
