"""The shell's own commands that neither run code nor set variables (see `evaluating` and `declaring` for those).

Rules: `echo`, `test` and their like only read. A subscript (`a[…]`) in an operand is computed by the shell and can run
commands, so that `test -v` and everything else that takes a variable's name wants a plain one, and words for `test`
that the shell may split must be quoted. Options that change how the rest of a line is read are refused.
Spec: policy engine; research A.1 (CVE-2026-22708). `cd`, `pushd` and `popd` are the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.permissions.programs.options import Options, flag, optional, reads, refuse, same, value
from ralph.permissions.programs.scan import Role, Takes, splits
from ralph.permissions.programs.variables import NAME
from ralph.record import replace

PRINTF = Options(
    (refuse("-v", "it sets a variable", takes=Takes.VALUE),), rest=Role.TEXT, permutes=False, only_reads=True
)
SEQ = Options((flag("-w --equal-width --help --version"), value("-f -s -t --format --separator")), rest=Role.TEXT)
DATE = Options(
    (
        flag("--help --version --debug -R --rfc-email -u --utc --universal -j -n --resolution"),
        value("-d --date --rfc-3339"),
        optional("-I --iso-8601"),
        reads("-r --reference"),
        refuse("-s --set", "it sets the clock", takes=Takes.VALUE),
        refuse("-f --file", "it reads dates from a file", takes=Takes.VALUE),
    ),
    rest=Role.TEXT,
    only_reads=True,
)
NUMBER = re.compile(r"[-+]?\d*\.?\d+[smhd]?")
SET_LETTERS = frozenset("euxfvCE")
SET_NAMES = frozenset(("errexit", "nounset", "xtrace", "noglob", "verbose", "noclobber", "errtrace", "pipefail"))
SHOPTS = frozenset(("failglob", "inherit_errexit", "lastpipe"))
READS_NAMES = ("-v", "-R")


def harmless(_: Call) -> Use:
    """Whatever it is given, it prints or ends something of this shell."""
    return Use(only_reads=True)


def plain(_: Call) -> Use:
    """It changes something of this shell or its jobs, and nothing that is judged."""
    return Use()


def seq(call: Call) -> Use:
    """A last number without an end would never stop; a number may begin with a dash."""
    words = [word for word in call.args if not (word.text and NUMBER.fullmatch(word.text))]
    use = SEQ(replace(call, args=tuple(words)))
    endless = any((word.text or "").lower().lstrip("+-").startswith(("inf", "nan")) for word in words)
    return replace(use, only_reads=not (use.unknown or endless), refused="it never ends" if endless else None)


def sleep(call: Call) -> Use:
    if any(word.text is not None and not NUMBER.fullmatch(word.text) for word in call.args):
        return Use(refused="it waits for longer than is known")
    return Use(only_reads=True)


def date(call: Call) -> Use:
    """An operand that is no format sets the clock."""
    use = DATE(call)
    if any(not word.starts("+") for word in DATE.scan(call.args).operands):
        return replace(use, only_reads=False, refused=use.refused or "it sets the clock")
    return use


def test(call: Call) -> Use:
    """`test` and `[`."""
    words = call.args[:-1] if call.name == "[" and call.args and call.args[-1].text == "]" else call.args
    for place, word in enumerate(words):
        if splits(word):
            return Use(unknown=f"a word that may become several stands in a test; put quotes round it ({word.reason})")
        if word.text in READS_NAMES and any(not _plain_name(name) for name in words[place + 1 : place + 2]):
            return Use(refused=f"what stands behind {word.text} is computed by the shell")
    open_words = [place for place, word in enumerate(words) if word.text is None and word.before in ("", "-")]
    if any(_computed(word) for place in open_words for word in words[place + 1 : place + 2]):
        return Use(unknown="a word known only at run time may be an operator that computes the next one")
    return Use(only_reads=True)


def _plain_name(word: Arg) -> bool:
    return word.text is not None and NAME.fullmatch(word.text) is not None


def _computed(word: Arg) -> bool:
    """A word that `-v` would compute: with a subscript, or with nobody knows what."""
    return word.text is None or "[" in word.text


def set_(call: Call) -> Use:
    """Options that end a line early or print it, and positional words; without any word it prints all variables."""
    words = iter(call.args)
    for word in words:
        text = word.text
        if text is None:
            return _positional(word, words)
        if text in ("--", "-") or text[:1] not in "-+" or not text:
            return Use(only_reads=True)
        letters = text[1:]
        if letters.endswith("o"):
            name = next(words, None)
            if name is None or name.text not in SET_NAMES:
                return Use(refused="an option of set may change how the line is read")
            letters = letters[:-1]
        if not SET_LETTERS.issuperset(letters):
            return Use(refused=f"set {text} changes how the line is read or what programs see")
    return Use(only_reads=bool(call.args))


def _positional(word: Arg, rest: Iterable[Arg]) -> Use:
    if word.may_be_option():
        return Use(unknown="an option of set is known only at run time; write `set --` before the words")
    return Use(only_reads=True)


def shopt(call: Call) -> Use:
    words = [word.text for word in call.args]
    if all(word in SHOPTS or word in ("-s", "-u", "-q", "-p") for word in words):
        return Use(only_reads=True)
    return Use(refused="it changes how the line is read")


def umask(call: Call) -> Use:
    return Use(only_reads=all((word.text or "x").startswith(("-S", "-p")) for word in call.args))


PROGRAMS: dict[str, Reader] = dict(
    (
        *same(harmless, "echo : true false exit return break continue shift wait jobs times dirs caller"),
        *same(plain, "bg fg disown ulimit unalias suspend"),
        *same(test, "test ["),
        ("printf", PRINTF),
        ("seq", seq),
        ("sleep", sleep),
        ("date", date),
        ("set", set_),
        ("shopt", shopt),
        ("umask", umask),
    )
)
