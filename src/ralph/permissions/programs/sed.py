"""`sed`: its program is read (`sed_script`) and is refused if it cannot be, and with `-i` its operands are written.

Spec: policy engine, pack `readonly-tools`; research A.1.
"""

from __future__ import annotations

from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, refuse, same, value
from ralph.permissions.programs.scan import Option, Role, Scan, Takes
from ralph.permissions.programs.sed_script import NotRead, check_script
from ralph.record import replace

IN_PLACE = ("-i", "--in-place")
OPTIONS = Options(
    (
        flag("--help --version -n --quiet --silent --debug --posix -E -r --regexp-extended -s --separate --sandbox"),
        flag("-u --unbuffered --line-buffered -z --null-data --zero-terminated --follow-symlinks"),
        value("-l --line-length"),
        value("-e --expression", instead=True),
        Option(IN_PLACE, Role.TEXT, Takes.ATTACHED, hazard=True),
        refuse("-f --file", "its program stands in a file that nobody read", takes=Takes.VALUE),
    ),
    operands=(Role.TEXT,),
    rest=Role.READ,
    only_reads=True,
)


def sed(call: Call) -> Use:
    scanned = OPTIONS.scan(call.args)
    in_place = scanned.has(*IN_PLACE)
    if in_place and scanned.operands and scanned.operands[0].text == "":
        del scanned.operands[
            0
        ]  # BSD: `sed -i '' PROGRAM FILE`; to GNU the empty word is a program that changes nothing
    use = _with_program(OPTIONS.use(scanned), scanned)
    if not in_place:
        return use
    return replace(use, only_reads=False, writes=use.reads + _backups(scanned, use.reads))


def _with_program(use: Use, scanned: Scan) -> Use:
    """What follows from the program, which options or else the first operand give."""
    parts = scanned.values("-e", "--expression") or scanned.operands[:1]
    if not parts and not scanned.has("--help", "--version"):
        return replace(use, only_reads=False, unknown="it has no program")
    texts = [part.text for part in parts if part.text is not None]
    if len(texts) < len(parts):
        return replace(use, only_reads=False, refused=use.refused or "its program is known only at run time")
    try:
        check_script("\n".join(texts))
    except NotRead as error:
        return replace(use, only_reads=False, refused=use.refused or error.reason)
    return use


def _backups(scanned: Scan, files: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """The copies that `-i.bak` leaves: a star stands for the file's name, and a slash leads to another folder."""
    suffixes = [word for word in scanned.values(*IN_PLACE) if word.text != ""]
    if not suffixes:
        return ()
    suffix = suffixes[-1].text
    if suffix is None or "*" in suffix or "/" in suffix:
        return (Arg(None, suffixes[-1].span, reason="where the copies go is not certain"),)
    return tuple(Arg(file.text + suffix, file.span) for file in files if file.text is not None)


PROGRAMS: dict[str, Reader] = dict(same(sed, "sed gsed"))
