"""The shell's own commands that set variables: `export`, `declare`, `local`, `read`, `mapfile`, `let`, ….

Rules: a name must be plain and harmless (`variables`); attributes that make the shell compute later values (`-i`, `-n`)
are refused, and so is arithmetic with names, whose values the shell would compute in turn.
Spec: policy engine; research A.4 step 3, A.1 (CVE-2026-22708).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, refuse, same, value
from ralph.permissions.programs.scan import Role, Takes
from ralph.permissions.programs.variables import assignment_hazard
from ralph.record import replace

COMPUTES = "it makes the shell compute what is assigned later"
DECLARE = Options(
    (
        flag("-a -A -f -F -g -l -p -r -t -u -x -I"),
        refuse("-i -n", COMPUTES),
    ),
    rest=Role.TEXT,
)
UNSET = Options((flag("-v -f -n"),), rest=Role.TEXT)
READ = Options((flag("-r -s -e -E"), value("-a -d -i -n -N -p -t -u")), rest=Role.TEXT)
MAPFILE = Options(
    (value("-d -n -O -s -u -c -t"), refuse("-C", "it runs a command for every line", takes=Takes.VALUE)), rest=Role.TEXT
)
GETOPTS = Options(rest=Role.TEXT, permutes=False)
ASSIGNS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
NUMBERS_ONLY = re.compile(r"[0-9\s+*/%<>=!&|^~?:(),-]*")


def declare(call: Call) -> Use:
    scanned = DECLARE.scan([_as_read(word) for word in call.args])
    if not scanned.operands and not scanned.has("-f", "-F"):
        return Use(unknown="it prints all variables")
    exported = call.name == "export" or scanned.has("-x")
    return _named(DECLARE.use(scanned), scanned.operands, exported=exported)


def _as_read(word: Arg) -> Arg:
    """`+x` takes an attribute away and is read like `-x`; the value of an assignment is never split."""
    if word.text is None:
        return replace(word, one_word=True) if ASSIGNS.match(word.before) else word
    return Arg("-" + word.text[1:], word.span) if word.text.startswith("+") else word


def _named(use: Use, operands: Iterable[Arg], *, exported: bool) -> Use:
    """The use with the hazards of the variables that it names (`NAME`, `NAME=value`, `NAME+=value`)."""
    if use.refused or use.unknown:
        return use
    for word in operands:
        name, equals, _ = (word.before if word.text is None else word.text).partition("=")
        if word.text is None and not equals:
            return Use(refused="which variable it sets is known only at run time")
        hazard = assignment_hazard(name.removesuffix("+"), exported=exported)
        if hazard is not None:
            return Use(refused=hazard)
    return Use(only_reads=True)


def unset(call: Call) -> Use:
    scanned = UNSET.scan(call.args)
    return _named(UNSET.use(scanned), scanned.operands, exported=False)


def read(call: Call) -> Use:
    scanned = READ.scan(call.args)
    return _named(READ.use(scanned), scanned.operands + scanned.values("-a"), exported=False)


def mapfile(call: Call) -> Use:
    scanned = MAPFILE.scan(call.args)
    return _named(MAPFILE.use(scanned), scanned.operands, exported=False)


def getopts(call: Call) -> Use:
    scanned = GETOPTS.scan(call.args)
    return _named(GETOPTS.use(scanned), scanned.operands[1:2], exported=False)


def let(call: Call) -> Use:
    if all(word.text is not None and NUMBERS_ONLY.fullmatch(word.text) for word in call.args):
        return Use(only_reads=True)
    return Use(refused="arithmetic with names computes what the variables hold")


PROGRAMS: dict[str, Reader] = dict(
    (
        *same(declare, "export declare typeset readonly local"),
        *same(mapfile, "mapfile readarray"),
        ("unset", unset),
        ("read", read),
        ("getopts", getopts),
        ("let", let),
    )
)
