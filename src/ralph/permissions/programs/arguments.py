"""Words of an argument list sorted after a table that lists a program's options by what they are.

    GLOBAL = table(flags="-P --no-pager", directories="-C", refused={"-c": "gives git a setting"})

The sorting is that of `scan`; this is a shorter way to write long tables, and it keeps the value of every option.
Rules: an option that the table does not name makes the result `unknown`, and so does a word known only at run time
that could turn out to be one. An option with a reason is `refused`. Behind `--` every word is an operand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from ralph.permissions.programs.model import Arg, Use
from ralph.permissions.programs.scan import Given, Habits, Option, Role, Takes, scan
from ralph.record import record

Rows = tuple[tuple[str, Role, Takes], ...]


class Table:
    """The options of a program by their names. Made when it is first looked into: most tables never are."""

    def __init__(self, make: Callable[[], Mapping[str, Option]], *, shortened: bool) -> None:
        self._make = make
        self.shortened = shortened

    @cached_property
    def index(self) -> Mapping[str, Option]:
        return self._make()

    def and_also(self, other: Table) -> Table:
        """Both tables as one; where they differ about a name, the other is right."""
        return Table(lambda: {**self.index, **other.index}, shortened=self.shortened and other.shortened)


def table(
    *,
    flags: str = "",
    values: str = "",
    optional: str = "",
    reads: str = "",
    writes: str = "",
    directories: str = "",
    refused: Mapping[str, str] | None = None,
    negatable: bool = False,
    shortened: bool = True,
    numbers: bool = False,
) -> Table:
    """A table written as lists of names parted by blanks.

    `values` take a value, `optional` only an attached one; `reads`, `writes` and `directories` take a file or folder.
    `refused` maps names to the reason; one that takes a value stands in `values` as well.
    `negatable`: `--no-x` is there for each flag `--x`; `numbers`: `-20` is an option.
    """
    rows = (
        (flags, Role.FLAG, Takes.NOTHING),
        (optional, Role.TEXT, Takes.ATTACHED),
        (values, Role.TEXT, Takes.VALUE),
        (reads, Role.READ, Takes.VALUE),
        (writes, Role.WRITE, Takes.VALUE),
        (directories, Role.DIRECTORY, Takes.VALUE),
    )
    return Table(
        lambda: _index(rows, refused or {}, negatable=negatable, numbers=numbers),
        shortened=shortened,
    )


def _index(rows: Rows, refused: Mapping[str, str], *, negatable: bool, numbers: bool) -> dict[str, Option]:
    index: dict[str, Option] = {}
    if numbers:
        index |= {f"-{digit}": Option((f"-{digit}",), Role.FLAG, Takes.NOTHING) for digit in range(10)}
    for names, role, takes in rows:
        index |= {name: Option((name,), role, takes, hazard=role is Role.WRITE) for name in names.split()}
    if negatable:
        index |= _negations(index)
    for names, reason in refused.items():
        for name in names.split():
            takes = index[name].takes if name in index else Takes.ATTACHED
            index[name] = Option((name,), Role.REFUSED, takes, reason, hazard=True)
    return index


def _negations(index: Mapping[str, Option]) -> dict[str, Option]:
    negative = {
        f"--no-{name[2:]}"
        for name, option in index.items()
        if option.role in (Role.FLAG, Role.TEXT) and name.startswith("--") and not name.startswith("--no-")
    }
    return {name: Option((name,), Role.FLAG, Takes.NOTHING) for name in negative - index.keys()}


@record(kw_only=True)
class Sorted:
    """What was found. `closed` is the number of operands before `--`, None if there is no `--`."""

    options: tuple[Given, ...] = ()
    operands: tuple[Arg, ...] = ()
    closed: int | None = None
    reads: tuple[Arg, ...] = ()
    writes: tuple[Arg, ...] = ()
    directories: tuple[Arg, ...] = ()
    refused: str | None = None
    unknown: str | None = None

    def has(self, *names: str) -> bool:
        return any(option.name in names for option in self.options)

    def values(self, *names: str) -> tuple[Arg, ...]:
        return tuple(option.value for option in self.options if option.name in names and option.value is not None)

    def use(self) -> Use:
        """What the options alone do."""
        return Use(
            reads=self.reads,
            writes=self.writes,
            directories=self.directories,
            refused=self.refused,
            unknown=self.unknown,
        )


def sort_words(args: tuple[Arg, ...], options: Table, *, leading: bool = False) -> Sorted:
    """Sort `args`. With `leading` the first operand ends the options: it and all behind it are the operands."""
    found = scan(args, options.index, Habits(permutes=not leading, abbreviates=options.shortened))
    unsure = found.unsure if not leading or not found.operands or found.unsure is not found.operands[0] else None
    doubt = (
        None if unsure is None else f"a word known only at run time may be an option ({unsure.reason or 'not known'})"
    )
    refusal = next(
        (f"`{each.name}` {each.option.reason}" for each in found.given if each.option.role is Role.REFUSED), None
    )

    def given(role: Role) -> tuple[Arg, ...]:
        return tuple(each.value for each in found.given if each.option.role is role and each.value is not None)

    return Sorted(
        options=tuple(found.given),
        operands=tuple(found.operands),
        closed=_closed(args, len(found.operands)),
        reads=given(Role.READ),
        writes=given(Role.WRITE),
        directories=given(Role.DIRECTORY),
        refused=refusal,
        unknown=found.unknown or doubt,
    )


def _closed(args: tuple[Arg, ...], operands: int) -> int | None:
    """How many operands stand before `--`."""
    end = next((place for place, arg in enumerate(args) if arg.text == "--"), None)
    return None if end is None else max(0, operands - (len(args) - end - 1))


def mentions(arg: Arg, name: str) -> bool:
    """Whether a word could be read as the option: cut short, with a value, or among other letters. Errs towards yes."""
    word = (arg.before if arg.text is None else arg.text).partition("=")[0]
    if name.startswith("--"):
        return len(word) > 3 and word.startswith("--") and name.startswith(word)
    return len(word) > 1 and word[0] == "-" and word[1] != "-" and name[1] in word[1:]


def mentioned(args: tuple[Arg, ...], names: Iterable[str]) -> str | None:
    """The first of the options that a word before `--` could be read as."""
    end = next((place for place, arg in enumerate(args) if arg.text == "--"), len(args))
    return next((name for name in names for arg in args[:end] if mentions(arg, name)), None)
