"""Git's subcommands that change something: which of them destroy work, and which options run programs.

Rules: what deletes, resets or forces is `destructive_ops`. An option that runs a program or brings settings is refused,
and so are subcommands that exist to run one. An address `NAME::…` starts a helper program and is refused. A subcommand
that git itself does not have is an alias or an extension, which nobody can judge. Spec: policy engine.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.arguments import mentioned
from ralph.permissions.programs.model import Arg, Use
from ralph.record import field, record

RUNS = "runs a program"
SETTINGS = "brings settings or hooks, and those run programs"


@record(kw_only=True)
class Changes:
    """How a subcommand is judged: `always` destructive, or with one of `options` or first `words`."""

    always: bool = False
    options: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    refused: Mapping[str, str] = field(default_factory=dict)
    remote: bool = False


def changes(
    *,
    always: bool = False,
    options: str = "",
    words: str = "",
    refused: Mapping[str, str] | None = None,
    remote: bool = False,
) -> Changes:
    """A row of the table, names parted by blanks."""
    reasons = {name: why for names, why in (refused or {}).items() for name in names.split()}
    return Changes(
        always=always, options=tuple(options.split()), words=frozenset(words.split()), refused=reasons, remote=remote
    )


TRANSPORT = {"--upload-pack --receive-pack --exec": RUNS}
PLAIN = changes()

CHANGING: Mapping[str, Changes] = {
    **dict.fromkeys(
        [
            "add",
            "commit",
            "notes",
            "commit-tree",
            "mktree",
            "mktag",
            "write-tree",
            "pack-refs",
            "repack",
            "fsck",
            "pack-objects",
        ],
        PLAIN,
    ),
    **dict.fromkeys(
        ["index-pack", "unpack-objects", "update-server-info", "commit-graph", "multi-pack-index", "merge-tree"], PLAIN
    ),
    **dict.fromkeys(
        [
            "merge-file",
            "patch-id",
            "stripspace",
            "column",
            "mailsplit",
            "mailinfo",
            "fmt-merge-msg",
            "fast-export",
            "var",
        ],
        PLAIN,
    ),
    **dict.fromkeys(
        ["get-tar-commit-id", "unpack-file", "show-index", "merge-base", "hash-object", "cherry", "bundle", "archive"],
        PLAIN,
    ),
    "reset": changes(always=True),
    "restore": changes(always=True),
    "rm": changes(always=True),
    "prune": changes(always=True),
    "prune-packed": changes(always=True),
    "update-ref": changes(always=True),
    "clean": changes(always=True),
    "checkout": changes(options="-f --force -B -p --patch --ours --theirs --pathspec-from-file"),
    "checkout-index": changes(options="-f --force"),
    "switch": changes(options="-f --force --discard-changes -C --force-create"),
    "read-tree": changes(options="--reset -u"),
    "update-index": changes(options="--force-remove --remove"),
    "mv": changes(options="-f --force"),
    "branch": changes(options="-d -D --delete -M -C -f --force", refused={"--edit-description": "opens an editor"}),
    "tag": changes(options="-d --delete -f --force", refused={"-v --verify": RUNS}),
    "stash": changes(words="drop clear"),
    "reflog": changes(words="expire delete drop"),
    "gc": changes(options="--prune --force"),
    "worktree": changes(words="remove prune", options="-f --force -B"),
    "remote": changes(words="remove rm prune", remote=True),
    "replace": changes(options="-d --delete -f --force", refused={"--edit": "opens an editor"}),
    "symbolic-ref": changes(options="-d --delete"),
    "sparse-checkout": changes(),
    "rerere": changes(words="clear forget gc"),
    "submodule": changes(words="deinit", options="-f --force", refused={"--upload-pack": RUNS}, remote=True),
    "bisect": changes(words="reset"),
    "merge": changes(options="--abort"),
    "rebase": changes(options="--abort --skip", refused={"-x --exec": RUNS}),
    "cherry-pick": changes(options="--abort --skip"),
    "revert": changes(options="--abort --skip"),
    "am": changes(options="--abort --skip"),
    "apply": changes(refused={"--unsafe-paths": "writes outside the work tree"}),
    "push": changes(
        options="-f --force --force-with-lease --force-if-includes -d --delete --mirror --prune",
        refused=TRANSPORT,
        remote=True,
    ),
    "send-pack": changes(options="-f --force --mirror", refused=TRANSPORT, remote=True),
    "fetch": changes(options="-f --force -p --prune -P --prune-tags", refused=TRANSPORT, remote=True),
    "fetch-pack": changes(refused=TRANSPORT, remote=True),
    "pull": changes(options="-f --force -p --prune", refused=TRANSPORT, remote=True),
    "ls-remote": changes(refused=TRANSPORT, remote=True),
    "clone": changes(
        refused={**TRANSPORT, "-u": RUNS, "-c --config --template": SETTINGS, "--separate-git-dir": SETTINGS},
        remote=True,
    ),
    "init": changes(refused={"--template --separate-git-dir": SETTINGS}),
    "format-patch": changes(refused={"--ext-diff --textconv": RUNS}),
    "request-pull": changes(remote=True),
    "show-branch": changes(),
    "verify-commit": changes(),
    "verify-tag": changes(),
    "help": changes(),
    "lfs": changes(words="prune uninstall", remote=True),
}

REFUSED_SUBCOMMANDS: Mapping[str, str] = {
    name: why
    for names, why in (
        (
            "difftool mergetool mergetool--lib filter-branch filter-repo merge-index merge-one-file hook for-each-repo",
            RUNS,
        ),
        ("difftool--helper submodule--helper rebase--interactive sh-setup sh-i18n shell web--browse remote-ext", RUNS),
        ("remote-fd interpret-trailers bugreport diagnose citool gui gitk gitweb instaweb cvsserver maintenance", RUNS),
        ("scalar stage--edit credential credential-cache credential-store", RUNS),
        ("credential-osxkeychain credential-libsecret", RUNS),
        ("daemon http-backend upload-pack receive-pack upload-archive http-push http-fetch imap-send send-email", RUNS),
        (
            "remote-http remote-https remote-ftp remote-ftps svn p4 cvsimport cvsexportcommit archimport quiltimport",
            RUNS,
        ),
        ("fast-import fsmonitor--daemon", RUNS),
    )
    for name in names.split()
}
RUNNING_WORDS = frozenset({("submodule", "foreach"), ("bisect", "run"), ("bisect", "visualize"), ("bisect", "view")})


def changing(name: str, args: tuple[Arg, ...]) -> Use:
    """`git NAME` for a subcommand that is not only reading."""
    if name in REFUSED_SUBCOMMANDS:
        return Use(refused=f"`git {name}` {REFUSED_SUBCOMMANDS[name]}")
    row = CHANGING.get(name)
    if row is None:
        return Use(unknown=f"`git {name}` is an alias or an extension, which may do anything")
    destroys = row.always or _destroys(name, args, row)
    return Use(
        classes=frozenset({ApprovalClass.DESTRUCTIVE}) if destroys else frozenset(),
        refused=_refusal(name, args, row),
        unknown=_unsure(args),
    )


def _destroys(name: str, args: tuple[Arg, ...], row: Changes) -> bool:
    operands = _operands(args)
    if mentioned(args, row.options) or any(word in row.words for word in operands[:1]):
        return True
    if name in {"push", "fetch", "pull", "send-pack"}:
        return any(word.startswith(("+", ":")) for word in operands)
    return name == "checkout" and _takes_paths(args, operands)


def _takes_paths(args: tuple[Arg, ...], operands: list[str]) -> bool:
    """Whether `git checkout` discards edits: paths behind `--`, a second operand, or a word that looks like a file."""
    if any(arg.text == "--" for arg in args):
        return True
    if mentioned(args, ("-b", "--orphan", "--detach")):
        return False
    return len(operands) > 1 or any(
        "." in word or word.endswith("/") or "*" in word or ":" in word for word in operands
    )


def _refusal(name: str, args: tuple[Arg, ...], row: Changes) -> str | None:
    option = mentioned(args, row.refused)
    if option is not None:
        return f"`git {name} {option}` {row.refused[option]}"
    operands = _operands(args)
    if operands and (name, operands[0]) in RUNNING_WORDS:
        return f"`git {name} {operands[0]}` {RUNS}"
    if row.remote and any("::" in (arg.before if arg.text is None else arg.text) for arg in args):
        return "an address with `::` starts a helper program"
    return None


def _unsure(args: tuple[Arg, ...]) -> str | None:
    return next(("a word known only at run time may be an option" for arg in args if _open(arg)), None)


def _open(arg: Arg) -> bool:
    return arg.text is None and arg.may_be_option()


def _operands(args: tuple[Arg, ...]) -> list[str]:
    return [arg.text for arg in args if arg.text is not None and not arg.text.startswith("-")]
