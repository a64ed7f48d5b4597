"""What one command demands whose failure, or success, fails a script (policy set v2, class G05).

Rules: comparisons are those of Bats (`bats.checks`); where the success of a condition fails the script, its opposite is
demanded. `grep` demands a pattern of a text, `diff` and `cmp` that two files are the same, another command that it ends
well, or not. What asks for the machine or for how the script was called is no assertion.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.bats.checks import ALWAYS, NAMES, Demand, compared, constant, of_condition
from ralph.guardrails.bats.patterns import left_open, searched
from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.model import Grade
from ralph.system.patterns import later

OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
SEARCHES = frozenset(names("grep egrep fgrep zgrep rg"))
COMPARES = frozenset(names("diff cmp colordiff test_cmp"))
LOOSER = later(r"^-(?!-)\w*[wbBiIE]|^--ignore|^--strip")
"""Options with which diff overlooks differences."""
SETTING_UP = frozenset(
    names(
        "cd pushd popd mkdir rmdir rm cp mv ln touch chmod chown cat echo printf sleep true : export unset read local"
        " declare source . pwd dirname basename realpath readlink mktemp tar unzip curl wget apt apt-get brew apk pip"
        " pip3 npm yarn pnpm make cmake cargo go docker docker-compose podman kubectl helm git command which type hash"
        " uname id whoami hostname date nproc tee sed awk sort tr cut head tail wc seq kill wait trap umask ulimit let"
        " getopts shift set shopt mapfile readarray time nice exec sudo ssh scp rsync find xargs ls stat"
    )
)
"""Programs that prepare something or tell something; that they end well is not what a test is about."""
MACHINE = later(
    r"\buname\b|OSTYPE|\bcommand[ \t]+-v\b|\btype\b|\bwhich\b|\bhash\b|\bEUID\b|\bid[ \t]+-u\b|\bnproc\b|\bUID\b"
)
CALLED_WITH = later(r"^\$(?:\d|#|@|\*|\{#|\{\d)")
ENVIRONMENT = later(r"^\$\{?(?P<name>\w+)(?::?[-+?][^}]*)?\}?$")
PROGRAM = later(r"^(?:\.{0,2}/|\$)\S+$")
"""What is run by its path, or through a variable: a program of the project."""
STATUS = later(r"\$\?\((?P<command>.+)\)")
TRUTHS = {"true": True, "success": True, "ok": True, "false": False, "failure": False}
LITTLE = later(r"(?i)not_?(?:null|empty|equal|same|zero)|non_?(?:empty|zero)|exists")
PART = later(r"(?i)contain|match|part|starts|ends")
"""How functions are called that demand little, or a part of a text."""
ASSERTION = later(r"^(?:!\s*)?(?:\[|test\s|[efz]?grep\s|rg\s|diff\s|cmp\s|\(\()")


def sides(left: str, sign: str, right: str, *, wanted: bool, glob: bool) -> Demand:
    """A comparison that has to hold, or (not `wanted`) must not."""
    sign = NAMES.get(sign, sign)
    if sign == "==" and glob and re.search(r"[*?\[]", right) and not wanted:
        return left, "not matches", right, Grade.EXISTS, ""
    if not wanted:
        sign = OPPOSITES.get(sign, f"not {sign}")
    subject, relation, value, grade, why = compared(left, sign, right, glob)
    if value == "0" and relation in ("==", "!=") and (told := of_status(subject, wanted=relation == "==")) is not None:
        return told
    return subject, relation, value, grade, why


def property_of(sign: str, subject: str, *, wanted: bool) -> Demand:
    empty = (sign == "-z") is wanted
    if sign in ("-n", "-z") and constant(subject):
        return subject, sign, "", Grade.NOTHING, ALWAYS
    if sign in ("-n", "-z"):
        return subject, "==" if empty else "true", "", Grade.EXACT if empty else Grade.EXISTS, ""
    return subject, sign if wanted else f"not {sign}", "", Grade.EXISTS, ""


def program(words: Sequence[str], text: str, *, wanted: bool) -> Demand | None:
    """What is demanded of a command; `text`: what it reads from others."""
    name = words[0].rpartition("/")[2]
    if name in SEARCHES or (name == "git" and words[1:2] == ["grep"]):
        return _found(words, text, wanted=wanted)
    if name in COMPARES or (name == "git" and words[1:2] == ["diff"]):
        return _same(words, wanted=wanted)
    if name in SETTING_UP or MACHINE.search(" ".join(words)):
        return None
    return f"$?({' '.join(words)})", "==" if wanted else "!=", "0", Grade.EXISTS, ""


def of_status(subject: str, *, wanted: bool) -> Demand | None:
    """`$?(grep -q x out)`, a status by the command that ended with it, asks what the command asks."""
    command = STATUS.fullmatch(subject)
    if command is None:
        return None
    told = program(command["command"].split(), "", wanted=wanted)
    return told if told is not None else (subject, "==" if wanted else "!=", "0", Grade.EXISTS, "")


def _found(words: Sequence[str], text: str, *, wanted: bool) -> Demand:
    options = [word for word in words[1:] if word.startswith("-")]
    pattern = searched(" ".join(map(_quoted, words[1:])))
    grade = Grade.EXISTS if LITTLE.search(words[0]) else Grade.SHAPE if PART.search(words[0]) else Grade.CLOSE
    given = [word for word in words[1:] if not word.startswith("-") and word != pattern]
    subject = text or " ".join(given) or " ".join(words[1:])
    if pattern is None or any(re.fullmatch(r"-\w*v\w*", each) for each in options):
        relation = "matches" if wanted else "not matches"
        return " ".join((subject, *options)), relation, pattern or "", Grade.CLOSE, ""
    if not wanted:
        return subject, "not matches", pattern, Grade.CLOSE, ""
    whole = any(re.fullmatch(r"-\w*x\w*|--line-regexp", each) for each in options)
    least = left_open(pattern)
    grade = (Grade.EXACT if whole else Grade.CLOSE) if least is None else least
    return subject, "matches", pattern, grade, "" if grade else ALWAYS


def _same(words: Sequence[str], *, wanted: bool) -> Demand:
    files = [word for word in words[1:] if not word.startswith("-")]
    subject = " ".join(files)
    if wanted and len(files) == 2 and files[0] == files[1]:
        return subject, "same", "", Grade.NOTHING, ALWAYS
    grade = Grade.CLOSE if any(map(LOOSER.match, words[1:])) else Grade.EXACT
    return subject, "same" if wanted else "differ", "", grade if wanted else Grade.EXISTS, ""


def equal(words: Sequence[str]) -> Demand | None:
    """What an assertion called like `assertEquals` compares: the message comes first in some, last in others."""
    values = words[1:]
    if len(values) > 2:
        values = values[-2:] if re.search(r"[a-z][A-Z]", words[0]) else values[:2]
    if len(values) != 2:
        return None
    left, right = values if constant(values[1]) else (values[1], values[0])
    different = re.search(r"(?i)not|_ne\b", words[0]) is not None
    return compared(left, "!=" if different else "==", right, glob=False)


def unread(words: Sequence[str]) -> Demand:
    """`assertTrue '[ -f out ]'` demands what the condition does."""
    for end, wanted in TRUTHS.items():
        if not words[0].lower().endswith(end):
            continue
        told = of_condition(words[-1], wanted=wanted) or of_status(words[-1], wanted=wanted)
        if told is not None:
            return told
    return _unread(words)


def _unread(words: Sequence[str]) -> Demand:
    """An assertion that nobody can read: what it is given is looked at, constants are wanted; a text of several words
    beside others is a message."""
    grade = Grade.EXISTS if LITTLE.search(words[0]) else Grade.SHAPE if PART.search(words[0]) else Grade.CLOSE
    given = [word for word in words[1:] if len(words) < 4 or " " not in word or not constant(word)]
    subject = " ".join(word for word in given if not constant(word))
    wanted = " ".join(word for word in given if constant(word))
    return (subject, words[0], wanted, grade, "") if subject else (wanted, words[0], "", grade, "")


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
