"""What one argument list does, as far as its words tell: no policy in it.

A program is described by a `Reader` (a function, or an `Options` table called like one). It gets the words behind the
program's name and answers with a `Use`: what is read, written and deleted, which further commands are run, which
classes it belongs to, and what nobody can vouch for. `permissions.judge` weighs a use against a policy.

Fail closed: an option or form that a reader does not know makes the use `unknown`, and no table allows that by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from ralph.permissions.model import ApprovalClass
from ralph.record import field, record

Span = tuple[int, int]


@record
class Arg:
    """One word of an argument list, as far as it is known before anything runs.

    `text` is the exact value, or None: then `before` is what certainly stands at its start, `pattern` the whole word as
    a file pattern if only file names are open (`src/*.ts`), and `reason` says in a clause why it is not known.
    `one_word` says that what is not known is exactly one word (`"$x"`); without it the shell may make none or several
    of it (`$x`), and each of them may be an option.
    """

    text: str | None
    span: Span
    before: str = ""
    pattern: str | None = None
    reason: str = ""
    one_word: bool = False
    maybe: tuple[str, ...] = ()
    """Values that the line itself gives an unknown word, among others that it may have."""

    @property
    def known(self) -> bool:
        return self.text is not None

    def starts(self, prefix: str) -> bool:
        """True only if the word certainly begins so."""
        return (self.before if self.text is None else self.text).startswith(prefix)

    def may_be_option(self) -> bool:
        """True unless the word, and every word the shell may make of it, certainly does not begin with a dash."""
        if self.text is not None:
            return self.text.startswith("-")
        return self.before[:1] in ("", "-") or not (self.one_word or self.pattern is not None)

    def behind(self, characters: int) -> Arg:
        """The rest of the word behind its first `characters`, which must be known (`-ofile` -> `file`)."""
        if self.text is not None:
            return Arg(self.text[characters:], self.span)
        pattern = None if self.pattern is None else self.pattern[characters:]
        maybe = tuple(value[characters:] for value in self.maybe)
        return Arg(None, self.span, self.before[characters:], pattern, self.reason, self.one_word, maybe)


@record(kw_only=True)
class Inner:
    """A command that this one starts: an argument list, or shell code (`bash -c`, `eval`, a trap).

    `open_end`: words known only at run time are added at the end (`xargs`) or put into it (`-exec … {}`).
    `assignments` are set for it (`env A=b`), `directory` is where it runs (`env -C`), if not where this one does.
    """

    args: tuple[Arg, ...] = ()
    code: Arg | None = None
    assignments: tuple[tuple[str, Arg], ...] = ()
    directory: Arg | None = None
    open_end: bool = False
    under: str | None = None
    """The manager in whose environment it runs (`uv run`): a pack that asks for that is satisfied."""


@record(kw_only=True)
class Use:
    """What an argument list does. Paths are words as written; they are resolved by the judge."""

    reads: tuple[Arg, ...] = ()
    writes: tuple[Arg, ...] = ()
    """Files that are created or changed."""
    writes_below: tuple[Arg, ...] = ()
    """Paths that get whole trees (`cp -r`, `mv`): any name below them may be written."""
    deletes: tuple[Arg, ...] = ()
    """Files or folders that are removed, or emptied of what they held."""
    directories: tuple[Arg, ...] = ()
    """Folders that the program works in (`git -C`, `npm --prefix`, `make -C`): must lie inside the project."""
    maybe_reads: tuple[Arg, ...] = ()
    """Words that are files only if such files exist, and names of something else otherwise (git's revisions)."""
    reads_from_top: tuple[Arg, ...] = ()
    """Files named from the top of the work tree, wherever the program runs (`git show HEAD:src/a`)."""
    script: str | None = None
    """The package script that it starts (`npm run NAME`), which may belong to a class by its name."""
    inner: tuple[Inner, ...] = ()
    classes: frozenset[ApprovalClass] = frozenset()
    only_reads: bool = False
    """A known program whose every option here is harmless: what the pack `readonly-tools` allows."""
    changes_only_paths: bool = False
    """A known program that does nothing but write `writes` (`mkdir`, `touch`, `cp`, `mv`, `tee`)."""
    wraps: bool = False
    """It does nothing itself but start `inner` (`timeout`, `env`): the decision is theirs."""
    subcommand: tuple[str, ...] = ()
    """The words that rules name, global options removed: `("git", "push")`, `("npm", "run", "build")`."""
    refused: str | None = None
    """Why this can never be allowed by a name or a mode: it runs code that nobody read, leaves the project, …"""
    unknown: str | None = None
    """An option or form that is not in the tables: not allowed by a pack or an allow rule."""
    alternative: str | None = None
    facts: frozenset[str] = field(default_factory=frozenset)
    """Further facts that packs ask for, each a documented word of its reader (`git:lists-branches`)."""


@record(kw_only=True)
class Stdin:
    """Standard input: nothing special, a known text (`<<EOF`, `<<<`), or something unknown (`piped`)."""

    text: str | None = None
    piped: bool = False


@record(kw_only=True)
class Call:
    """A program's name and the words behind it. `name` is the base name, `path` the word as it was called."""

    name: str
    path: str
    args: tuple[Arg, ...]
    stdin: Stdin = Stdin()


Reader = Callable[[Call], Use]
