"""Pagers and editors: made for a person at a terminal, and able to start any program from inside.

Spec: policy engine, pack `readonly-tools` (none of them is a member).
"""

from __future__ import annotations

from ralph.permissions.programs.model import Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, refuse, same, value
from ralph.permissions.programs.scan import Role, Takes

PAGER = Options((flag("-e -E -F -i -I -M -n -N -q -r -R -s -S -X -d -f"),), rest=Role.READ)
MAN = Options(
    (
        flag("-a -f -k -w -W --all --whatis --apropos --where --path --help --version"),
        value("-s -S -L --sections --locale"),
        refuse(
            "-P --pager -H --html -p --preprocessor -C --config-file -M --manpath",
            "it runs a program",
            takes=Takes.VALUE,
        ),
    ),
    rest=Role.TEXT,
)
EDITORS = "vi vim nvim view vimdiff rvim gvim ex ed red emacs emacsclient nano rnano pico micro joe mcedit"


def pager(call: Call) -> Use:
    if any(word.starts("+") for word in call.args):
        return Use(refused="it is given commands, which may start programs")
    return PAGER(call)


def editor(_: Call) -> Use:
    reason = "an editor waits for a person and can start programs"
    return Use(refused=reason, alternative="read the file with cat, and change it with the editing tool")


PROGRAMS: dict[str, Reader] = dict((*same(pager, "less more most"), ("man", MAN), *same(editor, EDITORS)))
