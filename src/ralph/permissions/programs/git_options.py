"""Git's options before the subcommand.

Rules: an option that gives git a setting, another repository or other programs is refused, whatever follows: settings
name programs that git runs. `-C` names a folder to work in; file names in the rest are relative to it.
Spec: policy engine; research A.2 and A.4 step 4.
"""

from __future__ import annotations

from ralph.permissions.programs.arguments import Sorted, sort_words, table
from ralph.permissions.programs.model import Arg, Use
from ralph.record import replace

SETTING = "gives git a setting, and settings can name programs that git runs"
REPOSITORY = "makes git work on another repository or work tree than the project's"

GLOBAL = table(
    flags="-P --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs"
    " --glob-pathspecs --noglob-pathspecs --icase-pathspecs -v --version -h --help --html-path --man-path --info-path",
    values="-c --config-env --git-dir --work-tree --namespace --super-prefix --attr-source --list-cmds",
    optional="--exec-path",
    directories="-C",
    refused={
        "-c --config-env": SETTING,
        "--exec-path": "makes git run other programs than its own",
        "--git-dir --work-tree --bare --namespace --super-prefix": REPOSITORY,
        "--attr-source": "takes attributes, which name filters, from somewhere else",
        "-p --paginate": "runs the pager",
    },
    shortened=False,
)


def before_subcommand(args: tuple[Arg, ...]) -> Sorted:
    return sort_words(args, GLOBAL, leading=True)


def relative_to(folders: tuple[Arg, ...], use: Use) -> Use:
    """A use whose file names are relative to the folders of `-C`, each relative to the one before."""
    if not folders:
        return use
    known = [folder.text for folder in folders]
    base = "/".join(text for text in known if text is not None)
    if None in known or any(text.startswith("/") for text in known[1:] if text):
        return replace(use, unknown=use.unknown or "the folder it works in is known only at run time")

    def moved(words: tuple[Arg, ...]) -> tuple[Arg, ...]:
        return tuple(_below(base, word) for word in words)

    return replace(
        use,
        reads=moved(use.reads),
        maybe_reads=moved(use.maybe_reads),
        writes=moved(use.writes),
        deletes=moved(use.deletes),
    )


def _below(base: str, word: Arg) -> Arg:
    if word.starts("/"):
        return word
    if word.text is not None:
        return replace(word, text=f"{base}/{word.text}")
    pattern = None if word.pattern is None else f"{base}/{word.pattern}"
    return replace(word, before=f"{base}/{word.before}", pattern=pattern)
