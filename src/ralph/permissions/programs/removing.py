"""Programs that delete, empty or overwrite what they are given, and those that change rights.

Spec: policy engine, class `destructive_ops`; design decision 23.
"""

from __future__ import annotations

import posixpath
import re

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.copying import SETS_ID, VERBOSE
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, value
from ralph.permissions.programs.scan import Role
from ralph.record import replace

DESTRUCTIVE = frozenset((ApprovalClass.DESTRUCTIVE,))
RM = Options(
    (
        VERBOSE,
        flag("-f -i -I -r -R -d -P -x --force --one-file-system --recursive --dir"),
        optional("--interactive --preserve-root"),
        refuse("--no-preserve-root", "it takes away the protection of the root folder"),
    ),
    rest=Role.DELETE,
    classes=DESTRUCTIVE,
)
RMDIR = Options((VERBOSE, flag("-p --parents --ignore-fail-on-non-empty")), rest=Role.DELETE, classes=DESTRUCTIVE)
UNLINK = Options((VERBOSE,), operands=(Role.DELETE,), classes=DESTRUCTIVE)
SHRED = Options(
    (
        VERBOSE,
        flag("-f -u -x -z --force --exact --zero"),
        value("-n -s --iterations --size"),
        optional("--remove"),
        reads("--random-source"),
    ),
    rest=Role.DELETE,
    classes=DESTRUCTIVE,
)
TRUNCATE = Options(
    (VERBOSE, flag("-c -o --no-create --io-blocks"), value("-s --size"), reads("-r --reference")),
    rest=Role.DELETE,
    classes=DESTRUCTIVE,
)
CHMOD = Options(
    (
        VERBOSE,
        flag("-c -f -R --changes --silent --quiet --no-preserve-root --preserve-root --recursive"),
        reads("--reference"),
    ),
    operands=(Role.TEXT,),
    rest=Role.WRITE,
)
TAKES_AWAY = re.compile(r"-[rwxXt]+(,[ugoa]*[-+=][rwxXt]+)*")


def rmdir(call: Call) -> Use:
    """With `-p` the folders above are removed, too."""
    scanned = RMDIR.scan(call.args)
    use = RMDIR.use(scanned)
    if not scanned.has("-p", "--parents"):
        return use
    above = [Arg(folder, word.span) for word in use.deletes for folder in _parents(word.text or "")]
    return replace(use, deletes=use.deletes + tuple(above))


def _parents(path: str) -> list[str]:
    folders = []
    while path := posixpath.dirname(path.rstrip("/")):
        if path == "/":
            break
        folders.append(path)
    return folders


def chmod(call: Call) -> Use:
    """A mode may begin with a dash (`chmod -w FILE`); one that sets the user or group of a run is refused."""
    words = [word for word in call.args if not (word.text and TAKES_AWAY.fullmatch(word.text))]
    scanned = CHMOD.scan(words)
    if len(words) < len(call.args) or scanned.has("--reference"):
        scanned.operands.insert(0, Arg("a-x", (0, 0)))
    use = CHMOD.use(scanned)
    mode = scanned.operands[0] if scanned.operands else None
    if mode is None or mode.text is None or SETS_ID.search(mode.text):
        return replace(use, refused="it may let a file run with another user's rights")
    return replace(use, writes_below=use.writes if scanned.has("-R", "--recursive") else ())


def change_owner(_: Call) -> Use:
    return Use(refused="it changes who owns a file")


PROGRAMS: dict[str, Reader] = {
    "rm": RM,
    "rmdir": rmdir,
    "unlink": UNLINK,
    "shred": SHRED,
    "truncate": TRUNCATE,
    "chmod": chmod,
    "chown": change_owner,
    "chgrp": change_owner,
}
