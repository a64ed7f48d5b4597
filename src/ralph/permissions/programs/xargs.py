"""`xargs`: the command it is given, with words that only standard input knows.

Spec: policy engine; design decision 23. `-I R` puts them where `R` stands, otherwise they come at the end.
Where the command begins must be certain: an option that is not known is refused.
"""

from __future__ import annotations

from ralph.permissions.programs.model import Arg, Call, Inner, Reader, Use
from ralph.permissions.programs.options import Options, flag, optional, refuse, value
from ralph.permissions.programs.scan import Takes

REASON = "xargs takes it from its input"
OPTIONS = Options(
    (
        flag("-0 --null -r --no-run-if-empty -t --verbose -x --exit --show-limits --help --version"),
        value("-d --delimiter -E -L -n --max-args -P --max-procs -s --max-chars -I"),
        optional("-e --eof -i --replace -l --max-lines"),
        refuse("-a --arg-file", "it takes its words from a file", takes=Takes.VALUE),
        refuse("-o --open-tty -p --interactive", "it asks on a terminal"),
        refuse("--process-slot-var", "it sets a variable for the command", takes=Takes.VALUE),
    ),
    permutes=False,
)


def xargs(call: Call) -> Use:
    scanned = OPTIONS.scan(call.args)
    words = tuple(scanned.operands)
    scanned.operands = []
    use = OPTIONS.use(scanned)
    marks = scanned.values("-I", "-i", "--replace")
    replaces = bool(marks) or scanned.has("-i", "--replace")
    mark = (marks[-1].text if marks else "") or "{}"
    if any(not each.known for each in marks):
        return Use(refused="what it replaces is known only at run time")
    if replaces:
        words = tuple(replaced(word, mark, REASON) for word in words)
    inner = Inner(args=words or (Arg("echo", (0, 0)),), open_end=not replaces)
    return Use(inner=(inner,), wraps=True, refused=use.refused or use.unknown)


def replaced(word: Arg, mark: str, reason: str, value: Arg | None = None) -> Arg:
    """The word with a value that only the run knows in the place of `mark`; `value` is what is known of it."""
    if word.text is None or mark not in word.text:
        return word
    before = word.text.partition(mark)[0]
    if value is None:
        return Arg(None, word.span, before=before, reason=reason, one_word=True)
    if value.text is not None:
        return Arg(word.text.replace(mark, value.text), word.span)
    pattern = value.pattern if word.text == mark else None
    return Arg(None, word.span, before + value.before, pattern, reason, value.one_word)


PROGRAMS: dict[str, Reader] = {"xargs": xargs}
