"""`find`: tests are harmless; actions write, delete or start commands.

Rules: `{}` stands for the start path and what the names asked for say (`find src -name '*.o'`: `src/*.o`), or for
anything below the start path. `-delete` deletes the same. What `-ok` asks nobody can answer. An expression that is not
read to its end is refused, as it may go on with a command.
Spec: policy engine; research A.1 (CVE-2026-24887).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.model import Arg, Call, Inner, Reader, Use
from ralph.permissions.programs.options import HERE
from ralph.permissions.programs.xargs import replaced
from ralph.record import record

LEADING = re.compile(r"-[HLPEXdsx]+|-O\d*")
NEWER = re.compile(r"-newer[aBcm][aBcm]")
NEWER_TIME = re.compile(r"-newer[aBcm]t")
BARE = frozenset(
    (
        *("-a", "-and", "-daystart", "-follow", "-nowarn", "-warn", "-depth", "-d", "-mount", "-noleaf", "-xdev", "-x"),
        *("-ignore_readdir_race", "-noignore_readdir_race", "-empty", "-false", "-true", "-nouser", "-nogroup", "-ls"),
        *("-readable", "-writable", "-executable", "-print", "-print0", "-prune", "-quit", "-help", "--help"),
        *("-version", "--version"),
    )
)
VALUED = frozenset(
    (
        *("-regextype", "-maxdepth", "-mindepth", "-amin", "-atime", "-cmin", "-context", "-ctime", "-fstype", "-gid"),
        *("-group", "-ilname", "-inum", "-iwholename", "-iregex", "-links", "-lname", "-mmin", "-mtime", "-path"),
        *("-ipath", "-perm", "-regex", "-size", "-type", "-uid", "-used", "-user", "-wholename", "-xtype", "-printf"),
    )
)
READS = frozenset(("-anewer", "-cnewer", "-newer", "-mnewer", "-samefile"))
WRITES = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
RUNS = frozenset(("-exec", "-execdir"))
ASKS = frozenset(("-ok", "-okdir"))
NAMES = frozenset(("-name", "-iname"))
WILDCARD = re.compile(r"[*?\[\\]")
FOUND = "find puts the paths here that it finds"
MAX_COMMANDS = 16


@record
class _Command:
    """A command of `-exec`: `names` bound what it gets, `several` paths at once with `{} +`."""

    words: tuple[Arg, ...]
    names: tuple[Arg, ...]
    several: bool
    in_folder: bool


def find(call: Call) -> Use:
    seen = _Expression(call.args)
    inner = [each for command in seen.commands for each in _inner(command, seen.starts)]
    if len(inner) > MAX_COMMANDS:
        seen.unread = "it runs too many commands to judge"
    deletes = [path for names in seen.deletes for start in seen.starts for path in _found(start, names)]
    acts = bool(seen.refused or seen.unread or seen.writes or inner or deletes)
    return Use(
        reads=tuple(seen.starts + seen.reads),
        writes=tuple(seen.writes),
        deletes=tuple(deletes),
        inner=tuple(inner),
        classes=frozenset((ApprovalClass.DESTRUCTIVE,)) if deletes else frozenset(),
        only_reads=not acts,
        wraps=bool(inner) and not (deletes or seen.writes),
        refused=seen.refused or seen.unread,
    )


class _Expression:
    """What a `find` names and does. An action is bound by the `-name`s before it that must hold for it to happen."""

    def __init__(self, args: tuple[Arg, ...]) -> None:
        self.args = list(args)
        self.starts: list[Arg] = []
        self.reads: list[Arg] = []
        self.writes: list[Arg] = []
        self.deletes: list[tuple[Arg, ...]] = []
        self.commands: list[_Command] = []
        self.refused: str | None = None
        self.unread: str | None = None
        self.names: list[Arg] = []
        self.group: list[Arg] = []
        self.only_names = False
        self.depth = 0
        self.negated = False
        self.read()

    def read(self) -> None:
        while self.args and self.args[0].text is not None and LEADING.fullmatch(self.args[0].text):
            self.args.pop(0)
        while self.args and not (self.args[0].may_be_option() or self.args[0].text in ("(", ")", "!", ",")):
            self.starts.append(self.args.pop(0))
        self.starts = self.starts or [HERE]
        while self.args and not self.unread:
            name = self.args.pop(0).text
            if name is None:
                self.unread = "a part of its expression is known only at run time"
            elif not self.structure(name):
                self.primary(name)
                self.negated = False

    def structure(self, name: str) -> bool:
        """Parentheses and operators; False for anything else."""
        if name == "(":
            self.depth += 1
            if self.depth == 1:
                self.group, self.only_names = [], not self.negated
            self.negated = False
        elif name == ")":
            self.depth -= 1
            if self.depth == 0 and self.only_names:
                self.names = self.names or self.group
        elif name in ("-o", "-or", ","):
            self.names = self.names if self.depth else []
        elif name in ("!", "-not"):
            self.negated, self.only_names = True, False
        else:
            return False
        return True

    def primary(self, name: str) -> None:
        if name in NAMES:
            self.name(self.values(name, 1))
            return
        self.only_names = False
        if name in BARE:
            return
        if name in VALUED or NEWER_TIME.fullmatch(name):
            self.values(name, 1)
        elif name in READS or NEWER.fullmatch(name):
            self.reads += self.values(name, 1)
        elif name in WRITES:
            self.writes += self.values(name, WRITES[name])[:1]
        elif name == "-delete":
            self.deletes.append(self.bounds())
        elif name in RUNS:
            self.command(name)
        elif name in ASKS:
            self.refused = f"{name} asks on a terminal before it runs a command"
        elif name == "-files0-from":
            self.refused = "it takes its start paths from a file"
        else:
            self.unread = f"the expression {name} is not known"

    def name(self, values: list[Arg]) -> None:
        if self.depth:
            self.group += values
        elif not self.negated and not self.names:
            self.names = values

    def bounds(self) -> tuple[Arg, ...]:
        return () if self.depth else tuple(self.names)

    def values(self, name: str, count: int) -> list[Arg]:
        given = self.args[:count]
        del self.args[:count]
        if len(given) < count:
            self.unread = f"{name} has no value"
        if any(not value.known and not value.one_word for value in given):
            self.unread = f"the value of {name} may be several words"
        return given

    def command(self, name: str) -> None:
        """The words of a command, up to `;` or `{} +`."""
        words: list[Arg] = []
        while self.args:
            word = self.args.pop(0)
            several = word.text == "+" and bool(words) and words[-1].text == "{}"
            if word.text == ";" or several:
                self.commands.append(_Command(tuple(words), self.bounds(), several, name == "-execdir"))
                return
            if not word.known and not word.one_word:
                break
            words.append(word)
        self.unread = f"where the command of {name} ends is not certain"


def _found(start: Arg, names: tuple[Arg, ...]) -> list[Arg]:
    """What may be found: these names below the start path, or the start path with all that is in it."""
    texts = [name.text for name in names if name.text is not None]
    if not names or len(texts) < len(names) or start.text is None or WILDCARD.search(start.text):
        return [start]
    folder = start.text.rstrip("/") + "/"
    return [
        Arg(None, start.span, folder, folder + text, FOUND) if WILDCARD.search(text) else Arg(folder + text, start.span)
        for text in texts
    ]


def _inner(command: _Command, starts: list[Arg]) -> Iterator[Inner]:
    """The command with every path that it may get."""
    for start in starts:
        before = start.before if start.text is None else start.text
        folder = Arg(None, start.span, before=before, reason=FOUND, one_word=True)
        for path in _found(start, command.names):
            anything = Arg(None, start.span, before=before, reason=FOUND, one_word=not command.several)
            known = anything if path is start else path
            args = tuple(replaced(word, "{}", FOUND, known) for word in command.words)
            yield Inner(args=args, directory=folder if command.in_folder else None)


PROGRAMS: dict[str, Reader] = {"find": find}
