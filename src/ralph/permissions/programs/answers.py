"""Small readers and look-ups that several program tables share."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.permissions.programs.model import Arg, Call, Reader, Use


def refuses(reason: str, alternative: str | None = None) -> Reader:
    """The reader of a program that is never for agents, whatever its words are."""

    def read(call: Call) -> Use:
        words = subcommands(call.args, 2)
        return Use(subcommand=(call.name, *words), refused=f"it {reason}", alternative=alternative)

    return read


def refused_programs(rows: Iterable[tuple[str, str]]) -> dict[str, Reader]:
    """A table from rows of (names parted by blanks, reason)."""
    return {name: refuses(reason) for names, reason in rows for name in names.split()}


def named(call: Call) -> Use:
    """A program that may be allowed by its name: nothing is vouched for, nothing is known against it."""
    return Use(subcommand=(call.name, *subcommands(call.args, 3)))


def subcommands(args: tuple[Arg, ...], most: int) -> tuple[str, ...]:
    """The known words at the start that are not options: what a rule may name."""
    found: list[str] = []
    for arg in args[:most]:
        if arg.text is None or arg.text.startswith("-"):
            break
        found.append(arg.text)
    return tuple(found)


def shown(args: Iterable[Arg]) -> str:
    """Words for a message; what is not known is shown as an ellipsis."""
    return " ".join("…" if arg.text is None else arg.text for arg in args)
