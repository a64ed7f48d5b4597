"""Git's subcommands with two faces: they list, or they change, depending on their words.

Rules: only the listing form reads; a word that would be a new branch, tag or remote makes it the other form. Settings
are never changed by an agent, because they name programs that git runs. Spec: core concepts, "Command Blocking".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ralph.permissions.programs.arguments import sort_words, table
from ralph.permissions.programs.git_reading import read_with
from ralph.permissions.programs.git_tables import LOG
from ralph.permissions.programs.git_writing import changing
from ralph.permissions.programs.model import Arg, Use
from ralph.permissions.programs.packs import LISTS_BRANCHES
from ralph.record import replace

BRANCHES = table(
    flags="-h -v -vv --verbose -a --all -r --remotes -l --list --show-current -i --ignore-case --no-color --no-column"
    " --no-abbrev --omit-empty -q --quiet",
    values="--sort --format --points-at --contains --no-contains --merged --no-merged --with --without",
    optional="--color --column --abbrev",
)
TAGS = table(
    flags="-h -l --list -i --ignore-case --no-column --no-color --omit-empty",
    values="--sort --format --points-at --contains --no-contains --merged --no-merged",
    optional="-n --color --column",
)
FILTERS = ("--points-at", "--contains", "--no-contains", "--merged", "--no-merged", "--with", "--without")
LAST_DEFAULT = frozenset(FILTERS)
"""Options whose value may be left out at the end of the line: it is HEAD then."""
STASH = LOG.and_also(table(flags="--include-untracked -u --only-untracked"))
WORKTREES = table(flags="-h -v --verbose --porcelain -z", values="--expire")
SECRETS = ("token", "password", "secret", "extraheader", "credential", "passwd", "key")
CONFIG_GET = table(
    flags="-h --get --get-all --get-regexp --local --worktree -z --null --name-only --show-origin"
    " --show-scope --includes"
    " --bool --int --bool-or-int --path --all --regexp",
    values="--type --default --value",
)


def branch(args: tuple[Arg, ...]) -> Use:
    words = sort_words(_completed(args), BRANCHES)
    lists = words.has("-l", "--list", *FILTERS) or not words.operands
    if words.unknown or words.refused or not lists:
        return changing("branch", args)
    return Use(only_reads=True, facts=frozenset({LISTS_BRANCHES}))


def tag(args: tuple[Arg, ...]) -> Use:
    words = sort_words(_completed(args), TAGS)
    lists = words.has("-l", "--list", "-n", *FILTERS) or not words.operands
    return changing("tag", args) if words.unknown or not lists else Use(only_reads=True)


def stash(args: tuple[Arg, ...]) -> Use:
    if _first(args) in {"list", "show"}:
        return read_with("stash", STASH, args[1:])
    return changing("stash", args)


def reflog(args: tuple[Arg, ...]) -> Use:
    word = _first(args)
    if word in {"expire", "delete", "drop", "write"}:
        return changing("reflog", args)
    return read_with("reflog", LOG, args[1:] if word in {"show", "exists", "list"} else args)


def remote(args: tuple[Arg, ...]) -> Use:
    words = [arg.text for arg in args]
    lists = all(word in {"-v", "--verbose", "show"} for word in words) or words[:1] == ["get-url"]
    known = all(
        word is not None and (not word.startswith("-") or word in {"-v", "--verbose", "--all", "--push"})
        for word in words
    )
    return Use(only_reads=True) if lists and known else changing("remote", args)


def notes(args: tuple[Arg, ...]) -> Use:
    if _first(args) in {"list", "show", None} and all(arg.text is not None for arg in args):
        return read_with("notes", LOG, args[1:])
    return changing("notes", args)


def worktree(args: tuple[Arg, ...]) -> Use:
    if _first(args) == "list":
        return read_with("worktree", WORKTREES, args[1:])
    use = changing("worktree", args)
    words = sort_words(
        args[1:], table(values="-b -B --reason", flags="-f --force -d --detach --checkout --lock -q --quiet")
    )
    folders = words.operands[:1]
    if _first(args) == "add":
        return replace(use, writes=folders)
    return replace(use, directories=folders)


def submodule(args: tuple[Arg, ...]) -> Use:
    if _first(args) in {"status", None} and all(arg.text in {"status", "--cached", "--recursive"} for arg in args):
        return Use(only_reads=True)
    return changing("submodule", args)


def symbolic_ref(args: tuple[Arg, ...]) -> Use:
    words = sort_words(args, table(flags="-q --quiet --short --recurse --no-recurse"))
    reads = len(words.operands) == 1 and words.unknown is None
    return Use(only_reads=True) if reads else changing("symbolic-ref", args)


def config(args: tuple[Arg, ...]) -> Use:
    """`git config NAME` and `--get NAME`: everything else changes settings or shows all of them, secrets too."""
    rest = args[1:] if _first(args) == "get" else args
    words = sort_words(rest, CONFIG_GET)
    gets = len(words.operands) == 1 or (_first(args) == "get" or words.has("--get", "--get-all"))
    name = words.operands[0].text if words.operands else None
    if words.unknown or words.refused or not gets or name is None:
        return Use(refused="`git config` changes or shows settings, and settings name programs and hold secrets")
    if words.has("--get-regexp", "--regexp") or "." not in name or any(secret in name.lower() for secret in SECRETS):
        return Use(refused=f"the setting `{name}` may hold a secret")
    return Use(only_reads=True)


def bisect(args: tuple[Arg, ...]) -> Use:
    return Use(only_reads=True) if _first(args) in {"log", "terms"} and len(args) == 1 else changing("bisect", args)


def hash_object(args: tuple[Arg, ...]) -> Use:
    words = sort_words(args, table(flags="--stdin --literally --no-filters", values="-t --path"))
    return replace(changing("hash-object", args), reads=words.operands, only_reads=words.unknown is None)


def clean(args: tuple[Arg, ...]) -> Use:
    words = sort_words(args, table(flags="-n --dry-run -d -x -X -q --quiet", values="-e --exclude"))
    return Use() if words.has("-n", "--dry-run") and not words.unknown else changing("clean", args)


def _first(args: tuple[Arg, ...]) -> str | None:
    return args[0].text if args else None


def _completed(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """With the value that a filter at the end of the line has by default."""
    if args and args[-1].text in LAST_DEFAULT:
        return (*args, Arg("HEAD", args[-1].span))
    return args


LISTING: Mapping[str, Callable[[tuple[Arg, ...]], Use]] = {
    "branch": branch,
    "tag": tag,
    "stash": stash,
    "reflog": reflog,
    "remote": remote,
    "notes": notes,
    "worktree": worktree,
    "submodule": submodule,
    "symbolic-ref": symbolic_ref,
    "config": config,
    "bisect": bisect,
    "hash-object": hash_object,
    "clean": clean,
}
