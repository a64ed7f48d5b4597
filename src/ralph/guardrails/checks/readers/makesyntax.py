"""A Makefile as variables and rules, as far as the commands that it runs need it.

Of two recipes for one target the last holds, unless the rule has two colons or stands in a conditional part. What
`$(foreach)` makes of words that are known is written out (`foreach`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ralph.guardrails.checks.readers.foreach import unrolled
from ralph.record import field, record
from ralph.system.patterns import later

TARGET = later(r"(?P<names>[^\s#:=][^#:=]*?)\s*(?P<colon>::?)(?!=)(?P<rest>[^=].*|)$")
VARIABLE = later(r"\s*(?:export\s+|override\s+)*(?P<name>[\w.-]+)\s*(?P<sign>[?+!]|:{1,3})?=\s*(?P<value>.*)$")
CONDITION = later(r"\s*(?P<word>ifdef|ifndef|ifeq|ifneq|endif)\b")
REFERENCE = later(r"\$(?:\((?P<round>[\w.-]+)\)|\{(?P<curly>[\w.-]+)\})")
CALL = later(r"(?<!\$)\$(?:\((?:[^()]|\([^()]*\))*\)|[@<^?*%+|])")
INCLUDE = later(r"[-s]?include[ \t]+(?P<names>[^#]+)")
WILDCARD = later(r"\$[({]wildcard[ \t]+([^(){}]*)[)}]")
MAX_INCLUDES = 4
MAX_EXPANSIONS, MAX_GROWTH = 6, 10_000

Included = Callable[[str], Iterable[str]]


def nothing(_name: str) -> Iterable[str]:
    return ()


@record
class Line:
    number: int
    text: str
    optional: bool
    """It stands in a conditional part."""


@record
class Rule:
    """One line that names targets, with its recipe."""

    number: int
    needs: list[str]
    adds: bool
    """It adds its recipe to another one's and does not replace it."""
    recipe: list[Line] = field(default_factory=list)


@record
class Makefile:
    variables: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    """Where each variable was set last."""
    rules: dict[str, list[Rule]] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    """Variables of one target and of what it needs: `test: SHELL = /bin/sh`."""

    def targets(self) -> Iterator[tuple[str, list[str], list[Line], int]]:
        """(target, prerequisites, recipe, line) of every target."""
        for name, rules in self.rules.items():
            recipe: list[Line] = []
            for rule in rules:
                recipe = [*recipe, *rule.recipe] if rule.adds or not rule.recipe else rule.recipe
            yield name, [need for rule in rules for need in rule.needs], recipe, rules[-1].number

    def expanded(self, text: str) -> str:
        """The text with variables of known value put in; other references become variables of the shell."""
        for _ in range(MAX_EXPANSIONS):
            made = self._put_in(unrolled(text, self._words))
            if made == text or len(made) > len(text) + MAX_GROWTH:
                break
            text = made
        return CALL.sub("${MADE}", text).replace("$$", "$")

    def _words(self, text: str) -> str:
        for _ in range(MAX_EXPANSIONS):
            if (made := self._put_in(text)) == text or len(made) > len(text) + MAX_GROWTH:
                break
            text = made
        return text

    def _put_in(self, text: str) -> str:
        def value(match: re.Match[str]) -> str:
            name = match["round"] or match["curly"]
            return self.variables.get(name, "make" if name == "MAKE" else f"${{{re.sub(r'[^0-9A-Za-z]', '_', name)}}}")

        return REFERENCE.sub(value, text)


def parse(text: str, included: Included = nothing) -> Makefile:
    """`included`: the texts of the files that an `include` names. Their lines count as the one that names them."""
    made = Makefile()
    _read(made, text, included)
    return made


def _read(made: Makefile, text: str, included: Included, at: int = 0, depth: int = 0) -> None:
    current, conditions = None, 0
    for row, line in _joined(text):
        number = at or row
        if line.startswith("\t") and current:
            current.recipe.append(Line(number, line[1:], conditions > 0))
        elif (match := INCLUDE.match(line)) and depth < MAX_INCLUDES:
            for name in made.expanded(WILDCARD.sub(r"\1", match["names"])).split():
                for other in included(name):
                    _read(made, other, included, number, depth + 1)
        elif match := CONDITION.match(line):
            conditions = max(0, conditions + (-1 if match["word"] == "endif" else 1))
        elif match := VARIABLE.match(line):
            _assign(made.variables, match)
            made.lines[match["name"]] = number
        elif line.strip() and not line.lstrip().startswith("#"):
            current = _rule(made, line, number, conditions > 0)


def _assign(variables: dict[str, str], match: re.Match[str]) -> None:
    name, value = match["name"], match["value"].split(" #")[0].strip()
    if match["sign"] == "+":
        value = f"{variables.get(name, '')} {value}".strip()
    value = re.sub(rf"\$[({{]{re.escape(name)}[)}}]", lambda _: variables.get(name, f"${name}"), value)
    if match["sign"] != "?" or name not in variables:
        variables[name] = value


def _rule(made: Makefile, line: str, number: int, optional: bool) -> Rule | None:
    match = TARGET.match(line)
    if match is None:
        return None
    if own := VARIABLE.fullmatch(match["rest"].strip()):
        for name in made.expanded(match["names"]).split():
            _assign(made.own.setdefault(name, {}), own)
        return None
    needs, _, inline = match["rest"].partition(";")
    wanted = [need for need in made.expanded(needs.split("#")[0]).split() if need != "|"]
    rule = Rule(number, wanted, match["colon"] == "::" or optional)
    if inline.strip():
        rule.recipe.append(Line(number, inline.strip(), optional))
    for name in made.expanded(match["names"]).split():
        made.rules.setdefault(name, []).append(rule)
    return rule


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Logical lines: those that end in a backslash go on."""
    whole, first = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        first = first or number
        line = line.rstrip("\r")
        if line.endswith("\\"):
            whole += line[:-1] + " "
            continue
        yield first, whole + line
        whole, first = "", 0
