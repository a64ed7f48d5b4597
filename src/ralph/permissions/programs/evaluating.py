"""The shell's own commands that run words as code, or change what a name means.

Rules: literal code is read like any other (`eval 'ls'`, `trap 'ls' EXIT`); what is not literal, and what stands in a
file or changes the table of names, is refused. Spec: policy engine; research A.4 steps 2 and 3.
"""

from __future__ import annotations

from ralph.permissions.programs.model import Arg, Call, Inner, Reader, Use
from ralph.permissions.programs.options import Options, flag, refuse, same, value
from ralph.permissions.programs.scan import Role, Takes, splits
from ralph.record import replace

COMMAND = Options((flag("-p"), flag("-v -V")), permutes=False, rest=Role.TEXT)
EXEC = Options((flag("-c -l"), value("-a")), permutes=False, rest=Role.TEXT)
HASH = Options(
    (flag("-r -l -t -d"), refuse("-p", "it gives a name another program", takes=Takes.VALUE)),
    rest=Role.TEXT,
    only_reads=True,
)
DECLARATIONS = frozenset(("export", "declare", "typeset", "readonly", "local"))
REFUSED = {
    "it runs a file that nobody read": "source .",
    "it changes what a name means": "enable complete compopt bind",
    "it shows or edits what was run before": "history fc",
    "it prints what the shell knows": "compgen",
    "it runs a command beside the line": "coproc",
    "it ends the session": "logout",
}


def eval_(call: Call) -> Use:
    words = call.args[1:] if call.args and call.args[0].text == "--" else call.args
    return _code(words)


def trap(call: Call) -> Use:
    words = call.args
    first = words[0].text if words else None
    if not words or first in ("-p", "-l", "-P"):
        return Use(only_reads=True)
    if first == "--":
        words = words[1:]
        first = words[0].text if words else None
    if first in ("", "-") or len(words) == 1:
        return Use(only_reads=first is not None)
    return _code(words[:1])


def _code(words: tuple[Arg, ...]) -> Use:
    """Words that the shell joins and runs."""
    texts = [word.text for word in words if word.text is not None]
    if len(texts) < len(words):
        return Use(refused="it runs code that is known only at run time")
    if not words:
        return Use(only_reads=True)
    code = Arg(" ".join(texts), (words[0].span[0], words[-1].span[1]))
    return Use(inner=(Inner(code=code),), wraps=True)


def command(call: Call) -> Use:
    scanned = COMMAND.scan(call.args)
    asks = scanned.has("-v", "-V")
    words = tuple(scanned.operands)
    scanned.operands = []
    use = COMMAND.use(scanned)
    if asks or not words:
        return replace(use, only_reads=not use.unknown)
    return _started(use, words)


def builtin(call: Call) -> Use:
    words = call.args[1:] if call.args and call.args[0].text == "--" else call.args
    return _started(Use(), words) if words else Use(only_reads=True)


def _started(use: Use, words: tuple[Arg, ...]) -> Use:
    """The words as a command; behind another word a declaration has no special values: the shell splits them."""
    if words[0].text in DECLARATIONS and any(splits(word) for word in words):
        return Use(unknown="what it declares is not certain; call it directly")
    return replace(use, inner=(Inner(args=words),), wraps=True, unknown=None, refused=use.refused or use.unknown)


def exec_(call: Call) -> Use:
    """Without a command it only applies its redirects."""
    scanned = EXEC.scan(call.args)
    words = tuple(scanned.operands)
    scanned.operands = []
    use = EXEC.use(scanned)
    if not words:
        return replace(use, only_reads=not use.unknown)
    return _started(use, words)


def alias(call: Call) -> Use:
    if all(word.text is not None and "=" not in word.text for word in call.args):
        return Use(only_reads=True)
    return Use(refused="it changes what a name means")


def _refused(reason: str) -> Reader:
    def reader(_: Call) -> Use:
        return Use(refused=reason)

    return reader


PROGRAMS: dict[str, Reader] = dict(
    (
        ("eval", eval_),
        ("trap", trap),
        ("command", command),
        ("builtin", builtin),
        ("exec", exec_),
        ("alias", alias),
        ("hash", HASH),
        *(row for reason, names in REFUSED.items() for row in same(_refused(reason), names)),
    )
)
