"""Further programs that write: `dd`, `split`, `csplit`, `rsync`, `patch`, and programs of their own language (`awk`).

Rules: what is written must be named on the line; what only a file or a program text knows is refused or unknown.
Spec: policy engine; research A.1.
"""

from __future__ import annotations

import re

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, same, value
from ralph.permissions.programs.scan import Option, Role, Takes
from ralph.record import replace

DD_VALUES = frozenset(
    ("bs", "cbs", "ibs", "obs", "conv", "count", "iflag", "oflag", "seek", "oseek", "skip", "iseek", "status")
)
SPLIT = Options(
    (
        flag("--help --version -d -x -e -u --elide-empty-files --unbuffered --verbose"),
        value(
            "-a -b -C -l -n -t --suffix-length --additional-suffix --bytes --line-bytes --lines --number --separator"
        ),
        optional("--numeric-suffixes --hex-suffixes"),
        refuse("--filter", "it runs a shell command", takes=Takes.VALUE),
    ),
    operands=(Role.READ, Role.WRITE),
)
CSPLIT = Options(
    (
        flag("--help --version -k -s -z --keep-files --suppress-matched --quiet --silent --elide-empty-files"),
        value("-b -n --suffix-format --digits"),
        Option(("-f", "--prefix"), Role.TEXT, Takes.VALUE, hazard=True),
    ),
    operands=(Role.READ,),
    rest=Role.TEXT,
)
RSYNC = Options(
    (
        flag("-a -v -r -u -n -c -h -P -z -t -p -l -o -g -i -q -x -S -H -A -X -m --archive --verbose --recursive"),
        flag("--update --dry-run --checksum --human-readable --progress --partial --compress --times --perms --links"),
        flag("--itemize-changes --existing --ignore-existing --stats --prune-empty-dirs --size-only --whole-file"),
        flag("--inplace --quiet --help"),
        value("--exclude --include --max-size --min-size --bwlimit --chmod"),
        reads("--exclude-from --include-from"),
        Option(
            ("--delete", "--del", "--delete-before", "--delete-after", "--delete-during", "--delete-excluded"),
            *(Role.FLAG, Takes.NOTHING),
            hazard=True,
        ),
        refuse("-e --rsh --rsync-path", "it runs a program of its own choice", takes=Takes.VALUE),
        refuse("--remove-source-files", "it deletes what it copies"),
        refuse("--files-from", "it takes its paths from a file", takes=Takes.VALUE),
    ),
    rest=Role.READ,
    last=Role.WRITE,
    abbreviates=False,
)
AWK = Options(
    (
        value("-F -v --field-separator --assign"),
        flag("--posix --traditional --re-interval --sandbox --version --help"),
        refuse(
            "-f --file -i --include -l --load -E --exec",
            "its program stands in a file that nobody read",
            takes=Takes.VALUE,
        ),
    ),
    operands=(Role.TEXT,),
    rest=Role.READ,
    permutes=False,
)
AWK_ACTS = re.compile(r"system|getline|@|\||ENVIRON|PROCINFO|close|fflush")


def dd(call: Call) -> Use:
    found: dict[str, list[Arg]] = {"if": [], "of": []}
    for word in call.args:
        name, equals, _ = (word.before if word.text is None else word.text).partition("=")
        if equals and name in found:
            found[name].append(word.behind(len(name) + 1))
        elif not equals or name not in DD_VALUES:
            return Use(unknown=f"the operand {name} is not known")
    return Use(reads=tuple(found["if"]), writes=tuple(found["of"]))


def split(call: Call) -> Use:
    """The pieces are named after the second operand, or `x`."""
    use = SPLIT(call)
    prefixes = use.writes or (Arg("x", (0, 0)),)
    return replace(use, writes=tuple(_first_piece(prefix, "aa") for prefix in prefixes))


def csplit(call: Call) -> Use:
    scanned = CSPLIT.scan(call.args)
    prefixes = scanned.values("-f", "--prefix") or [Arg("xx", (0, 0))]
    return replace(CSPLIT.use(scanned), writes=tuple(_first_piece(prefix, "00") for prefix in prefixes))


def _first_piece(prefix: Arg, suffix: str) -> Arg:
    return prefix if prefix.text is None else Arg(prefix.text + suffix, prefix.span)


def rsync(call: Call) -> Use:
    scanned = RSYNC.scan(call.args)
    use = RSYNC.use(scanned)
    if any(":" in (word.text if word.text is not None else ":") for word in scanned.operands):
        return replace(use, refused=use.refused or "it may copy from or to another machine")
    if not use.writes:
        return replace(use, unknown=use.unknown or "it names no destination")
    deletes = scanned.has(*(name for option in RSYNC.entries if option.hazard for name in option.names))
    return replace(
        use,
        writes_below=use.writes,
        deletes=use.writes if deletes else (),
        classes=frozenset((ApprovalClass.DESTRUCTIVE,)) if deletes else frozenset(),
    )


def patch(_: Call) -> Use:
    return Use(refused="it writes the files that the patch names", alternative="change the files directly")


def awk(call: Call) -> Use:
    """A program that neither runs, writes nor fetches anything is no more than a filter, but never a known one."""
    scanned = AWK.scan(call.args)
    use = AWK.use(scanned)
    text = scanned.operands[0].text if scanned.operands else None
    if text is None or AWK_ACTS.search(text.replace("||", "")) or ">" in text[text.find("{") :].replace(">=", ""):
        return replace(use, refused=use.refused or "its program is code that may run or write anything")
    return use


PROGRAMS: dict[str, Reader] = dict(
    (
        ("dd", dd),
        ("split", split),
        ("csplit", csplit),
        ("rsync", rsync),
        ("patch", patch),
        *same(awk, "awk gawk mawk nawk original-awk"),
    )
)
