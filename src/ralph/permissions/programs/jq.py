"""`jq`: its filter may not show the environment or load further code.

Spec: policy engine, pack `readonly-tools`. A filter can neither write nor run anything; what it can do is print
variables of the environment and read modules.
"""

from __future__ import annotations

import re

from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, refuse, value
from ralph.permissions.programs.scan import Role, Takes
from ralph.record import replace

TELLS = re.compile(
    r"""(?<![.\w"])env\b|\$ENV\b|\$__prog_args|(?<![.\w"])(?:import|include|modulemeta|get_search_list)\b"""
)
PAIRS = {"--arg": Role.TEXT, "--argjson": Role.TEXT, "--slurpfile": Role.READ, "--rawfile": Role.READ}
OPTIONS = Options(
    (
        flag("-c -n -e -s -r -R -C -M -S -a -j -h -V --compact-output --null-input --exit-status --slurp --raw-output"),
        flag("--raw-input --color-output --monochrome-output --sort-keys --ascii-output --join-output --raw-output0"),
        flag(
            "--args --jsonargs --tab --unbuffered --seq --stream --stream-errors --help --version --build-configuration"
        ),
        value("--indent"),
        refuse("-f --from-file", "its filter stands in a file that nobody read", hazard=False),
        refuse("-L --library-path", "it loads modules", takes=Takes.VALUE, hazard=False),
    ),
    operands=(Role.TEXT,),
    rest=Role.READ,
    abbreviates=False,
    only_reads=True,
)


def jq(call: Call) -> Use:
    words, reads = _without_pairs(call.args)
    scanned = OPTIONS.scan(words)
    use = OPTIONS.use(scanned)
    use = replace(use, reads=(*reads, *use.reads))
    text = scanned.operands[0].text if scanned.operands else "."
    if text is None:
        return replace(use, only_reads=False, unknown="its filter is known only at run time")
    if TELLS.search(text):
        refused = "its filter shows the environment or loads further code"
        return replace(use, only_reads=False, refused=use.refused or refused)
    return use


def _without_pairs(args: tuple[Arg, ...]) -> tuple[list[Arg], list[Arg]]:
    """The words without the options that take a name and a value, and the files that those read."""
    words: list[Arg] = []
    reads: list[Arg] = []
    at = 0
    while at < len(args):
        role = PAIRS.get(args[at].text or "")
        if role is None:
            words.append(args[at])
            at += 1
            continue
        if role is Role.READ:
            reads += args[at + 2 : at + 3]
        at += 3
    return words, reads


PROGRAMS: dict[str, Reader] = {"jq": jq}
