"""Git as a program: the global options, then the subcommand.

Rules: a subcommand that is not known for certain, a global option that changes which programs or which repository git
uses, and anything that is not in the tables are never harmless. `git-push` and `/usr/lib/git-core/git-push` are
`git push`. Spec: policy engine; core concepts, "Command Blocking"; design decision 26.
"""

from __future__ import annotations

from ralph.permissions.programs.answers import refuses
from ralph.permissions.programs.arguments import sort_words, table
from ralph.permissions.programs.git_listing import LISTING
from ralph.permissions.programs.git_options import before_subcommand, relative_to
from ralph.permissions.programs.git_paths import Named
from ralph.permissions.programs.git_reading import reading
from ralph.permissions.programs.git_tables import READING
from ralph.permissions.programs.git_writing import changing
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.record import replace

HARMLESS_ALONE = frozenset({"--version", "-v", "--html-path", "--man-path", "--info-path"})
ARCHIVE = table(
    flags="-l --list -v --verbose -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --worktree-attributes",
    values="--format --prefix --mtime",
    writes="-o --output",
    reads="--add-file --add-virtual-file",
    refused={"--remote --exec": "runs a program, or talks to another machine"},
)


def git(call: Call) -> Use:
    """What `git …` does."""
    before = before_subcommand(call.args)
    if not before.operands:
        alone = [option.name for option in before.options if option.name not in {"--no-pager", "-P"}]
        fine = before.refused is None and before.unknown is None and set(alone) <= HARMLESS_ALONE and bool(alone)
        return replace(before.use(), subcommand=("git",), only_reads=fine)
    word = before.operands[0]
    if word.text is None or before.unknown:
        why = before.unknown or f"git's subcommand is known only at run time ({word.reason or 'not literal'})"
        return Use(subcommand=("git",), refused=before.refused or why, directories=before.directories)
    use = relative_to(before.directories, _subcommand(word.text, before.operands[1:]))
    return replace(
        use,
        subcommand=("git", word.text, *_action(word.text, before.operands[1:])),
        directories=(*before.directories, *use.directories),
        refused=before.refused or use.refused,
        only_reads=use.only_reads and not before.refused and not use.unknown,
    )


def dashed(name: str) -> Reader | None:
    """The reader of `git-push` and the like; None if the name is not one of git's."""
    if not name.startswith("git-") or len(name) == len("git-"):
        return None
    subcommand = name.removeprefix("git-")

    def read(call: Call) -> Use:
        first = Arg(subcommand, call.args[0].span if call.args else (0, 0))
        return git(replace(call, name="git", args=(first, *call.args)))

    return read


def _subcommand(name: str, args: tuple[Arg, ...]) -> Use:
    if name in LISTING:
        return LISTING[name](args)
    if name in READING:
        return reading(name, args)
    if name == "archive":
        return _archive(args)
    use = changing(name, args)
    if name == "rm" and not any(arg.text == "--cached" for arg in args):
        paths = tuple(arg for arg in args if not arg.may_be_option())
        return replace(use, deletes=paths)
    return use


def _archive(args: tuple[Arg, ...]) -> Use:
    words = sort_words(args, ARCHIVE)
    named = Named()
    for operand in words.operands:
        named.revision_or_path(operand)
    return replace(
        words.use(),
        reads=(*words.reads, *named.reads),
        maybe_reads=tuple(named.maybe),
        reads_from_top=tuple(named.top),
        unknown=words.unknown or named.unknown,
    )


def _action(name: str, args: tuple[Arg, ...]) -> tuple[str, ...]:
    """The second word of subcommands that have one (`git stash list`)."""
    second = args[0].text if args else None
    has_one = name in {
        "stash",
        "remote",
        "worktree",
        "submodule",
        "bisect",
        "notes",
        "reflog",
        "bundle",
        "sparse-checkout",
    }
    return (second,) if has_one and second and not second.startswith("-") else ()


PROGRAMS: dict[str, Reader] = {
    "git": git,
    "hub": git,
    "gitk": refuses("opens a window"),
    "tig": refuses("runs commands that its settings name"),
    "lazygit": refuses("runs commands that its settings name"),
    "scalar": refuses("changes settings and background services of git"),
    "git-shell": refuses("runs commands"),
    "jj": refuses("is another way to change the repository"),
    "gh": refuses("acts on another machine with the person's account"),
    "glab": refuses("acts on another machine with the person's account"),
}
