"""Programs that show bytes and add them up: `od`, `hexdump`, `xxd`, `base64`, `md5sum`, `strings`, ….

Spec: policy engine, pack `readonly-tools`. `xxd` writes its second operand; checking a list of sums (`-c`) reads the
files that the list names.
"""

from __future__ import annotations

from ralph.permissions.programs.listing import HELP, LIST_OF_NAMES
from ralph.permissions.programs.model import Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, same, value, writes
from ralph.permissions.programs.scan import Role
from ralph.record import replace

OD = Options(
    (
        HELP,
        flag("-v -a -b -c -d -f -i -l -o -s -x --output-duplicates --traditional"),
        value("-A -j -N -t -S --address-radix --endian --skip-bytes --read-bytes --format"),
        optional("-w --strings --width"),
    ),
    rest=Role.READ,
    only_reads=True,
)
HEXDUMP = Options(
    (
        HELP,
        flag("-b -c -C -d -o -x -v -h -V --one-byte-octal --one-byte-char --canonical --two-bytes-decimal"),
        flag("--two-bytes-octal --two-bytes-hex --no-squeezing --one-byte-hex -X"),
        value("-e -n -s --format --length --skip"),
        optional("-L --color"),
        reads("-f --format-file"),
    ),
    rest=Role.READ,
    only_reads=True,
)
XXD = Options(
    (
        flag("-a -autoskip -b -bits -C -capitalize -d -E -EBCDIC -e -h -help -i -include -p -ps -postscript -plain"),
        flag("-r -revert -u -uppercase -v -version"),
        value("-c -cols -g -groupsize -l -len -n -name -o -offset -s -seek -skip -R"),
    ),
    operands=(Role.READ, Role.WRITE),
    permutes=False,
    abbreviates=False,
    clusters=False,
    only_reads=True,
)
BASE64 = Options(
    (
        HELP,
        flag("-d -D -i --decode --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf"),
        flag("--base2lsbf --z85 -h"),
        value("-w -b --wrap --break"),
        reads("--input"),
        writes("-o --output"),
    ),
    rest=Role.READ,
    only_reads=True,
)
SUMS = Options(
    (
        HELP,
        flag("-b -t -z -w --binary --text --tag --untagged --zero --quiet --status --strict --warn --ignore-missing"),
        flag("--debug --base64 --raw -r -s --sysv -U -0"),
        value("-a -l --algorithm --length"),
        refuse("-c -C --check", LIST_OF_NAMES, hazard=False),
    ),
    rest=Role.READ,
    only_reads=True,
)
STRINGS = Options(
    (
        HELP,
        flag("-a -d -f -o -w -v -V -h --all --data --print-file-name --include-all-whitespace"),
        value("-n -t -e -T -s -U -N --bytes --radix --encoding --target --output-separator --unicode"),
    ),
    rest=Role.READ,
    only_reads=True,
)


def strings(call: Call) -> Use:
    """`strings @file` takes its options from a file."""
    use = STRINGS(call)
    if any(word.starts("@") for word in call.args):
        return replace(use, only_reads=False, refused="it takes its options from a file")
    return use


PROGRAMS: dict[str, Reader] = dict(
    (
        ("od", OD),
        *same(HEXDUMP, "hexdump hd"),
        ("xxd", XXD),
        *same(BASE64, "base64 base32 basenc"),
        *same(SUMS, "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum"),
        ("strings", strings),
    )
)
