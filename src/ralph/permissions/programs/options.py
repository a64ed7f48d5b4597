"""Describe a program by its options and operands; the description is its reader.

    HEAD = Options((flag("-q -v --quiet --verbose"), value("-c -n --bytes --lines")), rest=Role.READ, only_reads=True)

Rules: every option has a role; one that is not in the table makes the use `unknown`; a refused one makes it `refused`.
Operands have roles by position (`operands`), all further ones are `rest`; more operands than that are `unknown`.
A word known only at run time may be an argument of a program whose every option is harmless; where it may turn out to
be an option that writes or runs something, the use is `unknown`. Spec: policy engine; research A.4 step 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.scan import Habits, Option, Role, Scan, Takes, scan, splits
from ralph.record import record

HERE = Arg(".", (0, 0))
"""The folder a program works in, where it is read without being named (`ls`)."""
DIGITS = "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9"
"""Options for programs that take a bare number (`head -20`)."""


def flag(names: str) -> Option:
    """A harmless option without a value."""
    return Option(tuple(names.split()), Role.FLAG, Takes.NOTHING)


def value(names: str, *, instead: bool = False) -> Option:
    """A harmless option with a value that names no file. `instead`: then the first operand is not text (`grep -e`)."""
    return Option(tuple(names.split()), Role.TEXT, Takes.VALUE, instead=instead)


def optional(names: str) -> Option:
    """A harmless option that may carry a value in the same word (`--color[=WHEN]`)."""
    return Option(tuple(names.split()), Role.TEXT, Takes.ATTACHED)


def reads(names: str, *, instead: bool = False) -> Option:
    return Option(tuple(names.split()), Role.READ, Takes.VALUE, instead=instead)


def writes(names: str) -> Option:
    return Option(tuple(names.split()), Role.WRITE, Takes.VALUE, hazard=True)


def refuse(names: str, reason: str, *, takes: Takes = Takes.NOTHING, hazard: bool = True) -> Option:
    """An option that is never allowed. Without `hazard` it does no more than read (`tail -f`, `wc --files0-from`)."""
    return Option(tuple(names.split()), Role.REFUSED, takes, reason, hazard)


@record(slots=False)
class Options:
    """A program described by a table. Calling it reads an argument list.

    `operands`: roles by position; `rest`: the role of all further ones, None if there may be none.
    `last`: the role of the last of two or more operands (`cp a b`), instead of its place.
    `here`: the current folder is read if no operand is (`ls`).
    `permutes`, `abbreviates`, `clusters`: see `scan.Habits`.
    """

    entries: tuple[Option, ...] = ()
    operands: tuple[Role, ...] = ()
    rest: Role | None = None
    last: Role | None = None
    here: bool = False
    permutes: bool = True
    abbreviates: bool = True
    clusters: bool = True
    only_reads: bool = False
    changes_only_paths: bool = False
    classes: frozenset[ApprovalClass] = frozenset()

    def __call__(self, call: Call) -> Use:
        return self.use(self.scan(call.args))

    def scan(self, args: Sequence[Arg]) -> Scan:
        return scan(args, self.index, Habits(self.permutes, self.abbreviates, self.clusters))

    @cached_property
    def index(self) -> Mapping[str, Option]:
        return {name: option for option in self.entries for name in option.names}

    @cached_property
    def hazardous(self) -> bool:
        """Whether a word that turns out to be an option, or several words, could do more than read."""
        return any(option.hazard for option in self.entries)

    def use(self, scanned: Scan) -> Use:
        """What the sorted words amount to."""
        paths = self.paths(scanned)
        refused = next((given.option.reason for given in scanned.given if given.option.role is Role.REFUSED), None)
        unknown = scanned.unknown or self.doubt(scanned)
        written = bool(paths[Role.WRITE] or paths[Role.DELETE])
        fine = refused is None and unknown is None
        return Use(
            reads=tuple(paths[Role.READ]),
            writes=tuple(paths[Role.WRITE]),
            deletes=tuple(paths[Role.DELETE]),
            directories=tuple(paths[Role.DIRECTORY]),
            classes=self.classes,
            only_reads=self.only_reads and fine and not written,
            changes_only_paths=self.changes_only_paths and fine,
            refused=refused,
            unknown=unknown,
        )

    def doubt(self, scanned: Scan) -> str | None:
        """Why the operands or a word that nobody knows leave the use unknown."""
        if self.rest is None and self.last is None and len(scanned.operands) > len(self.roles(scanned)):
            return "it is given more operands than it takes"
        if scanned.unsure is not None and self.hazardous:
            return f"a word is known only at run time and may be an option{_because(scanned.unsure)}"
        if Role.WRITE in self.operands:
            several = next((word for word in scanned.operands if splits(word) or word.pattern is not None), None)
            if several is not None:
                return f"it is not known which operand is written{_because(several)}"
        return None

    def roles(self, scanned: Scan) -> tuple[Role, ...]:
        instead = any(given.option.instead for given in scanned.given)
        return self.operands[1:] if instead else self.operands

    def paths(self, scanned: Scan) -> dict[Role, list[Arg]]:
        paths: dict[Role, list[Arg]] = {role: [] for role in Role}
        for given in scanned.given:
            if given.value is not None:
                paths[given.option.role].append(given.value)
        roles = self.roles(scanned)
        words = scanned.operands
        for place, word in enumerate(words):
            role = roles[place] if place < len(roles) else self.rest
            if self.last is not None and place == len(words) - 1 and len(words) > 1:
                role = self.last
            if role is not None and not (role is Role.READ and word.text == "-"):
                paths[role].append(word)
        if self.here and len(words) <= len(roles):
            paths[Role.READ].append(HERE)
        return paths


def same(reader: Reader, names: str) -> Iterable[tuple[str, Reader]]:
    """Table rows for programs that share a reader."""
    return ((name, reader) for name in names.split())


def _because(word: Arg) -> str:
    return f" ({word.reason})" if word.reason else ""
