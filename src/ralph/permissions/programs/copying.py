"""Programs that create and change the files they are told to: `cp`, `mv`, `mkdir`, `touch`, `tee`, `ln`, `install`, ….

Spec: design decision 23. Where a source ends up depends on whether the destination is a folder; both forms are given
unless it is certain. A whole tree that is copied or moved can write any name below its target (`writes_below`).
What `mv` takes away is a change of its source, and reading it, since its contents get a further name. A link gives
its target a further name, through which it can be written: the target counts as read and written.
"""

from __future__ import annotations

import posixpath
import re

from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, value
from ralph.permissions.programs.scan import Option, Role, Scan, Takes
from ralph.record import replace

BACKUP = (flag("-b"), optional("--backup"), value("-S --suffix"))
CONTEXT = refuse("-Z --context", "it sets a security context", takes=Takes.ATTACHED)
INTO = Option(("-t", "--target-directory"), Role.TEXT, Takes.VALUE, hazard=True)
PLAIN = Option(("-T", "--no-target-directory"), Role.FLAG, Takes.NOTHING)
VERBOSE = flag("--help --version -v --verbose")
LINKS = "it makes links, through which a file can be changed under another name"
TREES = ("-a", "--archive", "-R", "-r", "--recursive")

CP = Options(
    (
        *(VERBOSE, *BACKUP, CONTEXT, INTO, PLAIN),
        flag(" ".join(TREES)),
        flag("-d -f -i -H -L -n -P -p -u -x -c --attributes-only --copy-contents --force --interactive --dereference"),
        flag("--no-clobber --no-dereference --remove-destination --strip-trailing-slashes --one-file-system --parents"),
        value("--no-preserve --sparse"),
        optional("--preserve --reflink --update"),
        refuse("-l --link -s --symbolic-link", LINKS),
    ),
    rest=Role.READ,
    changes_only_paths=True,
)
MV = Options(
    (
        *(VERBOSE, *BACKUP, CONTEXT, INTO, PLAIN),
        flag("-f -i -n -u --force --interactive --no-clobber --strip-trailing-slashes"),
        optional("--update"),
    ),
    rest=Role.READ,
    changes_only_paths=True,
)
INSTALL = Options(
    (
        *(VERBOSE, *BACKUP, CONTEXT, INTO, PLAIN),
        flag("-c -C -D -p --compare --preserve-timestamps -d --directory"),
        Option(("-m", "--mode"), Role.TEXT, Takes.VALUE),
        refuse("-g --group -o --owner", "it changes who owns a file", takes=Takes.VALUE),
        refuse("-s --strip", "it starts another program"),
        refuse("--strip-program", "it runs a program of its own choice", takes=Takes.VALUE),
    ),
    rest=Role.READ,
)
LN = Options(
    (
        *(VERBOSE, *BACKUP, INTO, PLAIN),
        flag(
            "-f -i -L -n -h -P -r -s --force --interactive --logical --no-dereference --physical --relative --symbolic"
        ),
        refuse("-d -F --directory", "it makes a second name for a folder"),
    ),
    rest=Role.READ,
)
MKDIR = Options((VERBOSE, CONTEXT, flag("-p --parents"), value("-m --mode")), rest=Role.WRITE, changes_only_paths=True)
TOUCH = Options(
    (
        VERBOSE,
        flag("-a -c -f -h -m --no-create --no-dereference"),
        value("-d -t --date --time"),
        reads("-r --reference"),
    ),
    rest=Role.WRITE,
    changes_only_paths=True,
)
TEE = Options(
    (VERBOSE, flag("-a -i -p --append --ignore-interrupts"), optional("--output-error")),
    rest=Role.WRITE,
    changes_only_paths=True,
)
SETS_ID = re.compile(r"[ugoa]*[-+=][rwxXst]*s|0*[2-7][0-7]{3}")


def cp(call: Call) -> Use:
    scanned = CP.scan(call.args)
    use = _placed(CP, scanned)
    return use if scanned.has(*TREES) else replace(use, writes_below=())


def mv(call: Call) -> Use:
    use = _placed(MV, MV.scan(call.args))
    return replace(use, writes=use.reads + use.writes, writes_below=use.reads + use.writes_below)


def install(call: Call) -> Use:
    scanned = INSTALL.scan(call.args)
    if any(mode.text is None or SETS_ID.search(mode.text) for mode in scanned.values("-m", "--mode")):
        return Use(refused="it lets a file run with another user's rights")
    if scanned.has("-d", "--directory"):
        use = INSTALL.use(scanned)
        return replace(use, reads=(), writes=use.reads)
    return replace(_placed(INSTALL, scanned), writes_below=())


def ln(call: Call) -> Use:
    scanned = LN.scan(call.args)
    if len(scanned.operands) == 1 and not scanned.values("-t", "--target-directory"):
        scanned.operands.append(Arg(".", scanned.operands[0].span))
    use = _placed(LN, scanned)
    targets = use.reads
    if scanned.has("-s", "--symbolic") and not scanned.has("-r", "--relative"):
        targets += tuple(_from(place, target) for target in use.reads for place in use.writes)
    return replace(use, reads=targets, writes=targets + use.writes, writes_below=())


def _from(link: Arg, target: Arg) -> Arg:
    """The target of a symbolic link is named from the folder that the link stands in."""
    if link.text is None or target.text is None:
        return Arg(None, target.span, reason="where the link leads is not certain")
    return Arg(posixpath.join(posixpath.dirname(link.text), target.text), target.span)


def _placed(table: Options, scanned: Scan) -> Use:
    """The use of a program that puts sources at a destination: sources read, every place they may get to written."""
    into = scanned.values("-t", "--target-directory")
    use = table.use(scanned)
    sources = list(scanned.operands)
    if into:
        destination = into[-1]
    elif len(sources) > 1:
        destination = sources.pop()
    else:
        return replace(use, changes_only_paths=False, unknown=use.unknown or "it names no destination")
    folder = (
        bool(into)
        or len(sources) > 1
        or (destination.text or "").endswith(("/", "/.", "/.."))
        or (destination.text in (".", ".."))
    )
    plain = scanned.has("-T", "--no-target-directory")
    places = [] if folder and not plain else [destination]
    if not plain:
        places += [_inside(destination, source, whole=scanned.has("--parents")) for source in sources]
    return replace(use, reads=tuple(sources), writes=tuple(places), writes_below=tuple(places))


def _inside(folder: Arg, source: Arg, *, whole: bool) -> Arg:
    """A source's place in a folder: under its last name, or (`cp --parents`) under its whole one."""
    if folder.text is None:
        return folder
    if source.text is None:
        if source.pattern is None:
            return Arg(None, folder.span, folder.text.rstrip("/") + "/", reason=source.reason)
        name = source.pattern if whole else posixpath.basename(source.pattern)
        return Arg(None, folder.span, folder.text.rstrip("/") + "/", posixpath.join(folder.text, name), source.reason)
    name = source.text.lstrip("/") if whole else posixpath.basename(source.text.rstrip("/"))
    return Arg(posixpath.join(folder.text, name), folder.span)


PROGRAMS: dict[str, Reader] = {
    "cp": cp,
    "mv": mv,
    "install": install,
    "ln": ln,
    "mkdir": MKDIR,
    "touch": TOUCH,
    "tee": TEE,
}
