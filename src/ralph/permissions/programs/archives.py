"""Archives and compression: `tar`, `zip`, `unzip`, `gzip` and its family.

Rules: listing and printing reads; making an archive reads its operands and writes the archive; unpacking may write any
name below a folder: unknown. `tar` has many options that run programs: what is not in the table is unknown.
Spec: policy engine; research A.1.
"""

from __future__ import annotations

import posixpath

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import HERE, Options, flag, reads, refuse, same, value
from ralph.permissions.programs.scan import Option, Role, Takes
from ralph.record import replace

RUNS = "it runs a program of its own choice"
NAMES_INSIDE = "it writes files whose names stand in the archive"
ARCHIVE = Option(("-f", "--file"), Role.TEXT, Takes.VALUE, hazard=True)
TAR = Options(
    (
        flag(
            "-c --create -t --list -d --diff --compare --help --version -z --gzip --gunzip --ungzip -j --bzip2 -J --xz"
        ),
        flag(
            "--zstd --lzip --lzma --lzop -Z --compress --uncompress -a --auto-compress --no-auto-compress -v --verbose"
        ),
        flag(
            "-p --preserve-permissions --same-permissions -h --dereference --hard-dereference --numeric-owner --utc -k"
        ),
        flag(
            "--no-recursion --recursion --exclude-vcs --exclude-caches --exclude-backups --one-file-system --full-time"
        ),
        flag(
            "--wildcards --no-wildcards --anchored --no-anchored --ignore-case --no-ignore-case --posix --force-local"
        ),
        flag(
            "--ignore-failed-read -O --to-stdout -S --sparse --totals --clamp-mtime --show-defaults -i --ignore-zeros"
        ),
        Option(("-x", "--extract", "--get"), Role.FLAG, Takes.NOTHING, hazard=True),
        value("--exclude --sort --owner --group --mode --mtime --strip-components --format -H --quoting-style"),
        value("-b --blocking-factor -N --newer --after-date --newer-mtime --transform --xform --warning"),
        reads("-X --exclude-from"),
        ARCHIVE,
        Option(("-C", "--directory"), Role.DIRECTORY, Takes.VALUE, hazard=True),
        refuse("-I --use-compress-program -F --info-script --new-volume-script --to-command", RUNS, takes=Takes.VALUE),
        refuse("--rsh-command --rmt-command --checkpoint-action", RUNS, takes=Takes.VALUE),
        refuse("-T --files-from", "it takes its paths from a file", takes=Takes.VALUE),
        refuse("-P --absolute-names", "it leaves the folder it works in"),
        refuse("--remove-files --delete", "it deletes what it packs"),
    ),
    rest=Role.READ,
)
ZIP = Options(
    (
        flag("-r -R -j -q -v -u -f -9 -0 -1 -2 -3 -4 -5 -6 -7 -8 -l -D -X -y -o -h --help --version --recurse-paths"),
        value("-x -i -n -t -b --exclude --include"),
        refuse("-T -TT --test --unzip-command", RUNS),
        refuse("-m --move -d --delete", "it deletes files"),
        refuse("-@ --names-stdin", "it takes its paths from its input"),
    ),
    rest=Role.READ,
    abbreviates=False,
)
DESTINATION = Option(("-d",), Role.TEXT, Takes.VALUE, hazard=True)
UNZIP = Options(
    (flag("-l -t -v -p -c -Z -z -q -1 -h -s -m"), value("-x -P"), DESTINATION),
    operands=(Role.READ,),
    rest=Role.TEXT,
    abbreviates=False,
)
PACK = Options(
    (
        flag("-1 -2 -3 -4 -5 -6 -7 -8 -9 -c --stdout --to-stdout -d --decompress --uncompress -f --force -k --keep -l"),
        flag("--list -t --test -v --verbose -q --quiet -n --no-name -N --name --fast --best -h --help -V --version"),
        value("-T --threads"),
        refuse("-S --suffix", "which file it makes is not certain", takes=Takes.VALUE),
        refuse("-r --recursive", "it replaces every file of a folder"),
        refuse("--files --files0", "it takes its paths from a file", takes=Takes.ATTACHED),
    ),
    rest=Role.READ,
)
SUFFIXES = {"bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}
SHOWS = ("-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test", "-h", "--help", "-V", "--version")


def tar(call: Call) -> Use:
    words = _dashed(call.args)
    scanned = TAR.scan(words)
    use = TAR.use(scanned)
    archive = tuple(scanned.values(*ARCHIVE.names))
    if any(name.text is not None and ":" in name.text and not scanned.has("--force-local") for name in archive):
        return replace(use, refused=use.refused or "its archive is on another machine")
    files = tuple(name for name in archive if name.text != "-")
    if scanned.has("-x", "--extract", "--get"):
        shown = scanned.has("-O", "--to-stdout")
        if shown:
            return replace(use, reads=files)
        return _unpacked(replace(use, reads=files), scanned.values("-C", "--directory"))
    if scanned.has("-c", "--create"):
        return replace(use, writes=files)
    if scanned.has("-t", "--list") and scanned.operands:
        use = replace(use, reads=())
    reading = scanned.has("-t", "--list") and not (use.refused or use.unknown)
    return replace(use, reads=use.reads + files, only_reads=reading)


def _dashed(args: tuple[Arg, ...]) -> list[Arg]:
    """The old spelling without a dash (`tar cfz a.tar.gz src`): the letters' values are the next words, in order."""
    words = list(args)
    if not words or words[0].text is None or not words[0].text.isalpha():
        return words
    first = words.pop(0)
    options: list[Arg] = []
    for letter in first.text or "":
        options.append(Arg(f"-{letter}", first.span))
        option = TAR.index.get(f"-{letter}")
        if option is not None and option.takes is Takes.VALUE and words:
            options.append(words.pop(0))
    return options + words


def zip_(call: Call) -> Use:
    scanned = ZIP.scan(call.args)
    use = ZIP.use(scanned)
    if not scanned.operands:
        return use
    archive = scanned.operands[0]
    written = Arg(archive.text + ".zip", archive.span) if archive.text and "." not in archive.text else archive
    return replace(use, reads=tuple(scanned.operands[1:]), writes=(written,))


def unzip(call: Call) -> Use:
    scanned = UNZIP.scan(call.args)
    use = UNZIP.use(scanned)
    shows = scanned.has("-l", "-t", "-v", "-p", "-c", "-Z", "-z")
    if not shows:
        return _unpacked(use, scanned.values("-d"))
    return replace(use, only_reads=not (use.refused or use.unknown))


def _unpacked(use: Use, folders: list[Arg]) -> Use:
    """Anything may be written below the folder that is unpacked into."""
    target = folders[-1] if folders else HERE
    return replace(use, writes=(target,), writes_below=(target,), unknown=use.unknown or NAMES_INSIDE)


def pack(call: Call) -> Use:
    """`gzip` and its family replace the file that they are given, unless they print."""
    scanned = PACK.scan(call.args)
    use = PACK.use(scanned)
    if scanned.has(*SHOWS) or not scanned.operands:
        return replace(use, only_reads=not (use.refused or use.unknown))
    keeps = scanned.has("-k", "--keep")
    made = [Arg(name, word.span) for word in use.reads if word.text for name in _packed(call.name, word.text)]
    return replace(
        use,
        writes=tuple(made),
        deletes=() if keeps else use.reads,
        classes=frozenset() if keeps else frozenset((ApprovalClass.DESTRUCTIVE,)),
        unknown=use.unknown or ("which file it makes is not certain" if len(made) < len(use.reads) else None),
    )


def _packed(program: str, name: str) -> tuple[str, str]:
    """The file that is made of this one: with a further suffix, or without its last."""
    return name + SUFFIXES.get(program, ".gz"), posixpath.splitext(name)[0]


PROGRAMS: dict[str, Reader] = dict(
    (
        *same(tar, "tar gtar"),
        ("zip", zip_),
        ("unzip", unzip),
        *same(pack, "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd"),
        *same(replace(PACK, only_reads=True), "zcat bzcat xzcat zstdcat gzcat"),
    )
)
