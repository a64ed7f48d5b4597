"""The checks of Makefiles and justfiles: recipe lines, and what an aggregate target leads to by name.

- Each line of a recipe has a shell of its own, without `set -e`; `.ONESHELL` makes them one, `.SHELLFLAGS` sets
  options.
- `-` before a line, `.IGNORE`, `-i` in MAKEFLAGS and a SHELL that is no shell lose every failure.
- A prerequisite is a check of its target where its name says that it checks, or where its recipe does.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.checks.failures.judged import LOST, NO_SHELL, Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.readers import makesyntax
from ralph.guardrails.checks.readers.makesyntax import Included, Line, Makefile
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

IGNORING = later(r"(?:^|\s)(?:-[a-zA-Z]*i[a-zA-Z]*|i\w*|--ignore-errors)(?=\s|$)")
CONDITIONAL = "it runs only under a condition"
UNKNOWN_FOLDER = later(r"^(?:\$\{\w+\}/?)+")
JUST_VARIABLE = later(r"(?m)^(?:export[ \t]+)?(?P<name>[\w-]+)[ \t]*:=[ \t]*([\"'])(?P<value>[^\"'\n]*)\2[ \t]*$")
JUST_DEFAULT = later(r"(?<=[\s*+$])(?P<name>\w+)=(?P<quote>[\"'])(?P<value>[^\"'\n]*)(?P=quote)")
JUST_USE = later(r"\{\{[ \t]*(?P<name>[\w-]+)[ \t]*\}\}")
JUST_SETTING = later(r"^set\s+shell\s*:=\s*\[(?P<words>[^\]]*)\]", re.MULTILINE)
JUST_RECIPE = later(r"@?(?P<name>[A-Za-z_][\w-]*)(?:\s+[^:]*?)?:(?!=)\s*(?P<needs>[^#]*)")


def included_by(side: Side, path: str) -> Included:
    """Of a Makefile: the texts of the files that it includes, as far as they lie in the tree."""

    def texts(name: str) -> Iterator[str]:
        for other in places(side, path, name):
            yield side.text(other) or ""

    return texts


def places(side: Side, path: str, name: str) -> list[str]:
    """The files that a name with patterns stands for; a folder that only running could tell is that of the Makefile."""
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), UNKNOWN_FOLDER.sub("", name)))
    if not re.search(r"[*?\[]", whole):
        return [whole] if whole in side.paths else []
    return sorted(other for other in side.paths if fnmatchcase(other, whole) and other != path)


def makefile(collector: Collector, text: str, included: Included = makesyntax.nothing) -> None:
    """What is included may define a target anew."""
    made = makesyntax.parse(text, included)
    for name, value in made.variables.items():
        collector.variable(name, re.sub(r"\$\((\w+)\)", r"${\1}", value), made.lines.get(name, 0))
        collector.variables[name] = made.expanded(value)
    flags = made.variables.get(".SHELLFLAGS", "")
    ignored = set[str]()
    for rule in made.rules.get(".IGNORE", ()):
        ignored |= set(rule.needs or [""])
    everywhere = "" in ignored or _loses(made.variables)
    for name, variables in made.own.items():
        if _loses(variables):
            ignored |= {name, *(need for rule in made.rules.get(name, ()) for need in rule.needs)}
    for name, needs, recipe, number in made.targets():
        if name.startswith(".") and name[1:].isupper():
            continue
        shell = Shell(bool(re.search(r"-[a-z]*e", flags)), "pipefail" in flags, is_named(name))
        lost: dict[Flaw, str] = {"lost": LOST} if everywhere or name in ignored else {}
        for need in needs:
            if need != name and (is_named(need) or need in made.rules):
                collector.add(("make", need), "named", number, name, lost, is_named(need))
        for line in _shells(recipe, oneshell=".ONESHELL" in made.rules):
            _recipe_line(collector, made, line, name, shell, lost)


def _loses(variables: Mapping[str, str]) -> bool:
    """No command that is run with them can fail."""
    flags = variables.get(".SHELLFLAGS", "")
    return (
        bool(flags and not re.search(r"-[a-z]*c$", flags))
        or IGNORING.search(variables.get("MAKEFLAGS", "")) is not None
        or NO_SHELL.search(variables.get("SHELL", "")) is not None
    )


def _shells(recipe: Sequence[Line], *, oneshell: bool) -> Iterator[Line]:
    if not oneshell or not recipe:
        yield from recipe
        return
    first, *rest = recipe
    yield Line(first.number, "\n".join([first.text, *(line.text.lstrip("-@+ \t") for line in rest)]), first.optional)


def _recipe_line(
    collector: Collector, made: Makefile, line: Line, slot: str, shell: Shell, lost: dict[Flaw, str]
) -> None:
    prefix = re.match(r"[-@+\s]*", line.text)
    flaws: dict[Flaw, str] = {"lost": LOST} if prefix and "-" in prefix[0] else dict(lost)
    if line.optional:
        flaws["run-if"] = CONDITIONAL
    collector.text(made.expanded(line.text.lstrip("-@+ \t")), line.number, slot, shell, flaws)


def justfile(collector: Collector, text: str) -> None:
    """A recipe's lines are shells of their own; one that begins with `#!` is a script."""
    values = {match["name"]: match["value"] for match in JUST_VARIABLE.finditer(text)}
    text = JUST_USE.sub(lambda match: values.get(match["name"], match[0]), text)
    setting = JUST_SETTING.search(text)
    lost: dict[Flaw, str] = {"lost": LOST} if setting and NO_SHELL.search(setting["words"].strip("\"' ")) else {}
    name, body, defaults = "", list[tuple[int, str]](), dict[str, str]()
    for number, line in enumerate([*text.split("\n"), "end:"], 1):
        if line[:1] in (" ", "\t"):
            body.append((number, line.strip()))
            continue
        if name:
            _just_recipe(collector, name, [(row, _with_defaults(each, defaults)) for row, each in body], lost)
        match = JUST_RECIPE.fullmatch(line.rstrip())
        name, body = (match["name"] if match else ""), []
        defaults = {each["name"]: each["value"] for each in JUST_DEFAULT.finditer(line.partition(": ")[0])}
        for need in match["needs"].replace("&&", " ").split() if match else ():
            if need.strip("()"):
                collector.add(("just", need.strip("()")), "named", number, name, lost, is_named(need.strip("()")))


def _with_defaults(text: str, defaults: Mapping[str, str]) -> str:
    """What a recipe runs if nobody hands it anything: as another recipe, or CI, calls it."""
    return JUST_USE.sub(lambda match: defaults.get(match["name"], match[0]), text) if defaults else text


def _just_recipe(collector: Collector, name: str, body: Sequence[tuple[int, str]], lost: dict[Flaw, str]) -> None:
    if body and body[0][1].startswith("#!"):
        collector.text("\n".join(text for _, text in body), body[0][0], name, Shell(named=is_named(name)), lost)
        return
    for number, text in body:
        bare = re.sub(r"\{\{(.*?)\}\}", "$@", text.lstrip("@-"))
        flaws: dict[Flaw, str] = {"lost": LOST} if re.match(r"@?-", text) else dict(lost)
        collector.text(bare, number, name, Shell(named=is_named(name)), flaws)
