"""What package managers have in common: a subcommand is a dependency change, a script, a publication, or only reads.

Rules: every spelling of a subcommand counts as its name. A dependency change belongs to `dependency_changes`, a
publication to `production_impacting_edits`. What changes the manager's own settings, scripts or rights is refused. A
subcommand that no table knows is unknown. Spec: policy engine; research B.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.answers import subcommands
from ralph.permissions.programs.arguments import Sorted, Table, sort_words
from ralph.permissions.programs.model import Arg, Call, Inner, Use
from ralph.permissions.programs.scripts import script_classes
from ralph.record import field, record, replace

DEPENDENCY = frozenset({ApprovalClass.DEPENDENCY})
PRODUCTION = frozenset({ApprovalClass.PRODUCTION})
REMOTE_CODE = "runs code that the project does not hold"
SETTINGS = "changes the package manager's settings or the person's account"
DESCRIPTION = "changes what the project's scripts are"


@record(kw_only=True)
class Manager:
    """A package manager as a table; calling it reads an argument list.

    `bare`: the subcommand that no subcommand means. `special` holds subcommands with a reader of their own: they get
    the words behind the subcommand and those of the whole line sorted. `scripts`: an unknown subcommand is a script.
    """

    name: str
    options: Table
    aliases: Mapping[str, str] = field(default_factory=dict)
    reads: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    publishes: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    """Known, and neither harmless nor of a class: to be allowed by name."""
    refused: Mapping[str, str] = field(default_factory=dict)
    special: Mapping[str, Callable[[tuple[Arg, ...], Sorted], Use]] = field(default_factory=dict)
    bare: str | None = None
    scripts: bool = False
    leading: bool = False
    """Options behind the subcommand belong to it and are not in the table: reading with one of them is not harmless."""
    canonical: Callable[[str], str] | None = None

    def __call__(self, call: Call) -> Use:
        words = sort_words(call.args, self.options, leading=self.leading)
        if not words.operands:
            return self._without(words)
        first = words.operands[0]
        if first.text is None:
            return replace(words.use(), subcommand=(self.name,), refused=words.refused or "its subcommand is not known")
        name = self.canonical(first.text) if self.canonical else self.aliases.get(first.text, first.text)
        use = self._subcommand(name, words.operands[1:], words)
        return replace(
            use,
            directories=(*words.directories, *use.directories),
            reads=(*words.reads, *use.reads),
            writes=(*words.writes, *use.writes),
            subcommand=(self.name, *(use.subcommand or (name, *subcommands(words.operands[1:], 1)))),
            refused=words.refused or use.refused,
            unknown=words.unknown or use.unknown,
            only_reads=use.only_reads and not (words.refused or words.unknown or words.writes),
        )

    def _without(self, words: Sorted) -> Use:
        """No subcommand: `--version`, or what the manager does then."""
        if self.bare is not None and not words.has("--version", "-v", "-V", "--help", "-h"):
            use = self._subcommand(self.bare, (), words)
            return replace(
                use,
                directories=words.directories,
                refused=words.refused,
                unknown=words.unknown,
                subcommand=(self.name, self.bare),
            )
        fine = not (words.refused or words.unknown or words.writes)
        return replace(words.use(), subcommand=(self.name,), only_reads=fine)

    def _subcommand(self, name: str, rest: tuple[Arg, ...], words: Sorted) -> Use:
        if name in self.special:
            return self.special[name](rest, words)
        if name in self.refused:
            return Use(refused=f"`{name}` {self.refused[name]}")
        if name in self.changes:
            return Use(classes=DEPENDENCY)
        if name in self.publishes:
            return Use(classes=PRODUCTION)
        if name in self.reads:
            return Use(only_reads=not (self.leading and any(arg.may_be_option() for arg in rest)))
        if name in self.plain:
            return Use()
        if self.scripts:
            return replace(script(name), subcommand=("run", name))
        return Use(unknown=f"`{self.name} {name}` is not a subcommand that Ralph knows")


def script(name: str) -> Use:
    """A script of the package."""
    return Use(script=name, classes=script_classes(name))


def run_script(rest: tuple[Arg, ...], words: Sorted) -> Use:
    """`run NAME`; without a name it lists the scripts."""
    del words
    if not rest:
        return Use(only_reads=True, subcommand=("run",))
    name = rest[0].text
    if name is None:
        return Use(subcommand=("run",), refused="the script's name is known only at run time")
    return replace(script(name), subcommand=(name,) if name in LIFECYCLE else ("run", name))


LIFECYCLE = frozenset({"test", "start", "stop", "restart"})
"""Scripts that are subcommands themselves: `npm run test` is `npm test`."""


def lifecycle(name: str) -> Callable[[tuple[Arg, ...], Sorted], Use]:
    """The reader of `npm test` and the like."""
    return lambda rest, words: replace(script(name), subcommand=(name,))


def package_program(rest: tuple[Arg, ...], words: Sorted) -> Use:
    """A program out of a package that may be fetched first: a policy may name it, nothing else is known of it."""
    if code := words.values("-c", "--call"):
        return Use(inner=tuple(Inner(code=each) for each in code))
    if not rest or rest[0].text is None:
        return Use(refused=REMOTE_CODE)
    return Use(subcommand=("exec", rest[0].text))


def in_path(rest: tuple[Arg, ...], words: Sorted) -> Use:
    """`exec COMMAND`: any program that is there, in the project's environment."""
    del words
    return Use(inner=(Inner(args=rest),), wraps=True) if rest else Use(unknown="it starts a shell")


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def aliases(rows: Mapping[str, str]) -> dict[str, str]:
    """From rows `name: its other spellings`."""
    return {spelling: name for name, spellings in rows.items() for spelling in spellings.split()}
