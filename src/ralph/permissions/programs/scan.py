"""Sort the words of a command line into options, their values and operands, the way getopt_long does.

Rules: short flags may stand together and carry their value (`-la`, `-n5`, `-n 5`); a long option may be cut short as
long as it is clear, and a cut that could mean something dangerous counts as that; `--` ends the options; a table may
also name long options behind one dash (`-name`). A word that is only known at run time and may be an option, or may
become several words, leaves the whole line `unsure`: whether that matters is for the table to say.
Spec: policy engine; research A.4 step 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from ralph.permissions.programs.model import Arg
from ralph.record import record


class Role(Enum):
    """What an option's value or an operand is."""

    FLAG = "an option without a value"
    TEXT = "words that name no file"
    READ = "a path that is read"
    WRITE = "a path that is written"
    DELETE = "a path that is deleted"
    DIRECTORY = "a folder that the program works in"
    REFUSED = "nobody can vouch for it"


class Takes(Enum):
    NOTHING = "no value"
    ATTACHED = "a value only in the same word (`-i.bak`, `--color=auto`)"
    VALUE = "a value, in the same word or the next"


@record
class Option:
    """`hazard`: a word nobody knows must not turn out to be this. `instead`: its value replaces the first operand."""

    names: tuple[str, ...]
    role: Role
    takes: Takes
    reason: str = ""
    hazard: bool = False
    instead: bool = False


@record
class Given:
    """An option as it was given, under the name that the table gives it."""

    option: Option
    name: str
    value: Arg | None = None


class Scan:
    """The sorted words. `unsure` is the first word that may be an option nobody knows; `unknown` a clause."""

    def __init__(self) -> None:
        self.given: list[Given] = []
        self.operands: list[Arg] = []
        self.unsure: Arg | None = None
        self.unknown: str | None = None

    def has(self, *names: str) -> bool:
        """Whether an option was given under one of these names (the short and the long one are two names)."""
        return any(given.name in names for given in self.given)

    def values(self, *names: str) -> list[Arg]:
        """The values given to the options of these names, in order."""
        return [given.value for given in self.given if given.name in names and given.value is not None]


@record
class Habits:
    """How a program reads its words. `permutes`: options may stand behind operands; else the first operand ends them.

    `abbreviates`: long options may be cut short. `clusters`: short flags may stand together (`-la`).
    """

    permutes: bool = True
    abbreviates: bool = True
    clusters: bool = True


def scan(args: Sequence[Arg], index: Mapping[str, Option], habits: Habits) -> Scan:
    """Sort `args` by the options in `index`."""
    return _Scanner(args, index, habits).run()


def splits(word: Arg) -> bool:
    """Whether the shell may make anything but one word of it, of which some may be options."""
    return not word.known and not word.one_word and (word.pattern is None or word.may_be_option())


class _Scanner:
    def __init__(self, args: Sequence[Arg], index: Mapping[str, Option], habits: Habits) -> None:
        self.args = args
        self.index = index
        self.habits = habits
        self.at = 0
        self.result = Scan()

    def run(self) -> Scan:
        while self.at < len(self.args):
            word = self.args[self.at]
            self.at += 1
            start = word.before if word.text is None else word.text
            if word.text == "--":
                self.rest()
            elif start.startswith("--"):
                self.long(word, start)
            elif start.startswith("-") and len(start) > 1:
                self.short(word, start)
            else:
                self.operand(word)
        return self.result

    def rest(self) -> None:
        self.result.operands += self.args[self.at :]
        self.at = len(self.args)

    def operand(self, word: Arg) -> None:
        if word.text is None and word.may_be_option():
            self.unsure(word)
        self.result.operands.append(word)
        if not self.habits.permutes:
            self.rest()

    def unsure(self, word: Arg) -> None:
        self.result.unsure = self.result.unsure or word

    def unknown(self, clause: str) -> None:
        self.result.unknown = self.result.unknown or clause

    def give(self, name: str, value: Arg | None = None) -> None:
        self.result.given.append(Given(self.index[name], name, value))

    def long(self, word: Arg, start: str) -> None:
        written, equals, _ = start.partition("=")
        if word.text is None and not (equals and word.one_word):
            self.unsure(word)
            if not equals:
                return
        name = self.find(written)
        if name is None:
            self.unknown(f"the option {written} is not known")
        elif not equals:
            self.separate(name)
        elif self.index[name].takes is Takes.NOTHING:
            self.unknown(f"the option {name} takes no value")
            self.give(name)
        else:
            self.give(name, word.behind(len(written) + 1))

    def find(self, written: str) -> str | None:
        """The option of this name, or the one that is meant by its beginning; the dangerous one if several are."""
        if written in self.index:
            return written
        if not self.habits.abbreviates or len(written) < 3:
            return None
        meant = {id(option): name for name, option in self.index.items() if name.startswith(written)}
        names = list(meant.values())
        for name in names:
            if self.index[name].hazard or self.index[name].role is Role.REFUSED:
                return name
        return names[0] if len(names) == 1 else None

    def separate(self, name: str) -> None:
        """An option whose value, if it takes one, is the next word."""
        if self.index[name].takes is not Takes.VALUE:
            self.give(name)
        elif self.at == len(self.args):
            self.unknown(f"the option {name} has no value")
            self.give(name)
        else:
            value = self.args[self.at]
            self.at += 1
            if splits(value):
                self.unsure(value)
            self.give(name, value)

    def short(self, word: Arg, start: str) -> None:
        written = start.partition("=")[0]
        if len(written) > 2 and written in self.index:
            self.long(word, start)
            return
        for place, letter in enumerate(start[1:], start=2):
            name = f"-{letter}"
            option = self.index.get(name)
            if option is None:
                self.unknown(f"the option {name} is not known")
                return
            if option.takes is not Takes.NOTHING:
                self.attached(name, word, place, start)
                return
            self.give(name)
            if place < len(start) and not self.habits.clusters:
                self.unknown(f"the option {start} is not known")
                return
        if word.text is None:
            self.unsure(word)

    def attached(self, name: str, word: Arg, place: int, start: str) -> None:
        """A short option with a value: what stands behind it in its word, or else the next word."""
        last = place == len(start)
        if word.text is None:
            if last or not word.one_word:
                self.unsure(word)
            self.give(name, word.behind(place))
        elif not last:
            self.give(name, word.behind(place))
        else:
            self.separate(name)
