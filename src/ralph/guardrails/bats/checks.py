"""What one command of a bats test demands (policy set v2, class G05).

Rules:

- `[ a = b ]`, `[[ ]]`, `test` and `(( ))` compare; of `&&` both sides count; what stands before a `||` counts only if
  the other side fails, too. `$status` and lengths lie in a range that is known, and a comparison that no number of it
  can miss demands nothing; nor does one of two constants, or of a value with itself.
- `run -N` demands an exit status; bats-assert and bats-file are known by their names; grep, diff and cmp want a match.
- Any other command is taken for set-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.bats.covering import covered, parted, words_of
from ralph.guardrails.bats.patterns import glob_left_open, left_open, searched
from ralph.guardrails.inventory.model import SWALLOWED, Check, Grade
from ralph.system.patterns import later

TEST = later(r"^(?:\[\[|\[|test)\s+(?P<what>.*?)(?:\s+\]\]|\s+\])?$")
ARITHMETIC = later(r"^\(\(\s*(?P<what>.*?)\s*\)\)$")
BINARY = later(
    r"^(?P<left>\S+)\s+(?P<sign>=~|==|!=|=|-eq|-ne|-lt|-le|-gt|-ge|<=|>=|<|>|-nt|-ot|-ef)"
    r"\s+(?P<right>.+)$"
)
UNARY = later(r"^(?P<sign>-[a-zA-Z])\s+(?P<what>.+)$")
ANSI = later(r"\$'(?P<text>(?:[^'\\]|\\.)*)'")
LOOPS_ON = later(r"&&\s*(?:break|continue)\s*$")
"""Of `[ … ] && break` nobody hears that it did not hold."""
STATUS = later(r"^run\s+(?:--\S+\s+)*(?:-(?P<status>\d+)|(?P<fails>!))\s+(?P<what>.+)$")
LIBRARY = later(r"^(?P<name>(?:assert|refute)(?:_\w+)?)(?:\s+(?P<rest>.*))?$")
MATCHING = later(
    r"^(?:(?:echo|printf|cat)\s[^|]*\|\s*)?(?P<program>[efz]?grep|rg)(?:\s+(?P<rest>.*))?$|^(?:diff|cmp)\b"
)
LOOSE = {"--partial": Grade.SHAPE, "-p": Grade.SHAPE, "--regexp": Grade.CLOSE, "-e": Grade.CLOSE}
SUBJECTS = {
    "assert_output": "$output",
    "assert_line": "$lines",
    "assert_stderr": "$stderr",
    "assert_stderr_line": "$stderr_lines",
}
THERE = later(r"assert_(?:(?P<kind>file|dir|link)_)?(?P<gone>not_)?exists?")
KINDS = {"": "-e", "file": "-f", "dir": "-d", "link": "-L"}
INDEXED = {"assert_line": "lines", "assert_stderr_line": "stderr_lines"}
INDEX = later(r"(?:-n|--index)[ =]?[ \t]*(?P<at>-?\d+)[ \t]+(?:--[ \t]+)?(?P<rest>.+)")
FAILING = later(r"^(?:false|fail\b.*|return\s+[1-9]\d*|exit\s+[1-9]\d*|\{.*\b(?:false|fail|return 1|exit 1)\b.*)")
NAMES = {"=": "==", "-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}
RANGE = later(r"^\$(?:\{?status\}?|\?|\{#)")
STATUS_ONLY = later(r"^\$(?:\{?status\}?|\?)$")
ALWAYS = "it always holds"


def said(statement: str, line: int) -> Iterator[Check]:
    whole, *others = parted(statement, "||")
    other = "||".join(others)
    swallowed = bool(other) and not FAILING.match(other.strip()) and not list(said(other.strip(), line))
    swallowed = swallowed or LOOPS_ON.search(whole) is not None
    for part in parted(whole, "&&"):
        for subject, relation, wanted, grade, why in _one(part.strip()):
            if swallowed:
                grade, why = Grade.NOTHING, SWALLOWED
            elif other and not FAILING.match(other.strip()):
                grade = min(grade, Grade.SHAPE)
            yield Check(
                subject=subject,
                relation=relation,
                wanted=wanted,
                grade=grade,
                line=line,
                column=1,
                known=bool(wanted) and constant(wanted),
                why=why,
                snippet=statement,
            )


Demand = tuple[str, str, str, Grade, str]


def _one(command: str) -> Iterator[Demand]:
    if found := TEST.match(command) or ARITHMETIC.match(command):
        yield from _condition(found["what"].strip(), glob=command.startswith("[["))
    elif found := STATUS.match(command):
        grade = Grade.EXISTS if found["fails"] else Grade.EXACT
        yield "$status", "!=" if found["fails"] else "==", found["status"] or "0", grade, ""
    elif found := LIBRARY.match(command):
        yield from _library(found["name"], found["rest"] or "")
    elif found := MATCHING.match(command):
        pattern = searched(found["rest"] or "") if found["program"] else None
        least = left_open(pattern) if pattern is not None else None
        yield command, "matches", "", Grade.CLOSE if least is None else least, ALWAYS if least is Grade.NOTHING else ""


def of_condition(command: str, *, wanted: bool) -> Demand | None:
    """What `[ … ]` demands where it has to hold, or must not; None if that is not one thing, or it is none."""
    found = TEST.match(command)
    if found is None:
        return None
    what = found["what"].strip()
    if not wanted:
        what = what.removeprefix("! ") if what.startswith("! ") else f"! {what}"
    demands = list(_condition(what, glob=command.startswith("[[")))
    return demands[0] if len(demands) == 1 else None


def _condition(what: str, glob: bool) -> Iterator[Demand]:
    negated = what.startswith("! ")
    what = what.removeprefix("! ").strip()
    if found := BINARY.match(covered(what)):
        sign = NAMES.get(found["sign"], found["sign"])
        sign = {"==": "!=", "!=": "=="}.get(sign, f"not {sign}") if negated else sign
        yield compared(_plain(what[slice(*found.span("left"))]), sign, what[slice(*found.span("right"))].strip(), glob)
    elif found := UNARY.match(what):
        subject, sign = _plain(found["what"]), found["sign"]
        empty = (sign == "-z") != negated
        if constant(subject):
            yield subject, sign, "", Grade.NOTHING if sign in "-n -z" else Grade.EXISTS, ALWAYS
        elif sign in ("-n", "-z"):
            yield subject, "==" if empty else "true", "", Grade.EXACT if empty else Grade.EXISTS, ""
        else:
            yield subject, f"not {sign}" if negated else sign, "", Grade.EXISTS, ""
    elif what:
        subject = _plain(what)
        yield subject, "true", "", Grade.NOTHING if constant(subject) else Grade.EXISTS, ""


def compared(left: str, sign: str, written: str, glob: bool) -> Demand:
    right = _plain(written)
    if constant(left) and not constant(right):
        left, right, sign = right, left, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
    pattern = (glob and written[:1] not in "\"'" and re.search(r"[*?\[]", written)) or sign == "=~"
    if left == right or (constant(left) and constant(right)) or _covers_all(left, sign, right):
        return left, sign, right, Grade.NOTHING, ALWAYS
    if pattern and sign in ("==", "=~"):
        whole = sign == "=~" and right.startswith("^") and right.endswith("$")
        least = left_open(right) if sign == "=~" else glob_left_open(written)
        grade = least if least is not None else Grade.CLOSE if whole else Grade.SHAPE
        return left, "matches", right, grade, "" if grade else ALWAYS
    if sign == "==":
        return left, sign, right, Grade.EXACT, ""
    return left, sign, right, Grade.EXISTS if sign == "!=" else Grade.SHAPE, ""


def _covers_all(left: str, sign: str, right: str) -> bool:
    """An order that no exit status, and no length, misses."""
    if not RANGE.match(left) or not re.fullmatch(r"-?\d+", right):
        return False
    number = int(right)
    if (sign, number) in ((">=", 0), ("!=", -1)) or (sign == ">" and number < 0):
        return True
    top = 255 if STATUS_ONLY.match(left) else None
    return top is not None and ((sign == "<=" and number >= top) or (sign in ("<", "!=") and number > top))


def _library(name: str, rest: str) -> Iterator[Demand]:
    words = words_of(rest)
    if name in ("assert", "refute"):
        inner = list(_one(rest))
        yield from inner if name == "assert" and inner else [(rest, name, "", Grade.CLOSE, "")]
    elif name == "assert_success":
        yield "$status", "==", "0", Grade.EXACT, ""
    elif name == "assert_failure":
        status = words[0].strip("\"'") if words else ""
        yield "$status", "==" if status else "!=", status or "0", Grade.EXACT if status else Grade.EXISTS, ""
    elif name == "assert_equal" and len(words) > 1:
        yield compared(_plain(words[0]), "==", " ".join(words[1:]), False)
    elif name == "assert_not_equal" and len(words) > 1:
        yield compared(_plain(words[0]), "!=", " ".join(words[1:]), False)
    elif name == "refute_output" and not words:
        yield "$output", "==", "", Grade.EXACT, ""
    elif (there := THERE.fullmatch(name)) is not None and words:
        sign = KINDS[there["kind"] or ""]
        yield _plain(words[0]), f"not {sign}" if there["gone"] else sign, "", Grade.EXISTS, ""
    elif name in INDEXED and (line := INDEX.match(rest)) is not None and not LOOSE.keys() & words:
        yield compared(f"${{{INDEXED[name]}[{line['at']}]}}", "==", line["rest"], False)
    elif name in SUBJECTS:
        grade = min((LOOSE[word] for word in words if word in LOOSE), default=Grade.EXACT if words else Grade.EXISTS)
        wanted = _plain(" ".join(word for word in words if word not in LOOSE))
        subject = SUBJECTS[name]
        if (least := _asked(words)) is not None:
            yield subject, "matches", wanted, least, "" if least else ALWAYS
        else:
            yield subject, "==", wanted, grade, ""
    elif name in ("assert_regex", "assert_file_contains") and len(words) > 1:
        asked = left_open(_plain(" ".join(words[1:])))
        yield name, "helper", rest, Grade.CLOSE if asked is None else asked, "" if asked else ALWAYS
    else:
        yield name, "refuted" if name.startswith("refute") else "helper", rest, Grade.CLOSE, ""


def _asked(words: Sequence[str]) -> Grade | None:
    """What is asked of a line or of all lines, where that is a pattern, or a part, which leaves everything open."""
    at = next((index for index, word in enumerate(words) if word in LOOSE), None)
    if at is None:
        return None
    indexed = [index for index, word in enumerate(words) if word in ("--index", "-n")]
    taken = {index + 1 for index in indexed} | {*indexed, at}
    wanted = _plain(" ".join(word for index, word in enumerate(words) if index not in taken and word != "--"))
    if words[at] in ("--partial", "-p"):
        return Grade.NOTHING if not wanted else None
    return left_open(wanted)


def _plain(word: str) -> str:
    """A word without its quotes; `${x}` as `$x`."""
    word = word.strip()
    if (found := ANSI.fullmatch(word)) is not None:
        return found["text"].replace("\\'", "'")
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" and word[0] not in covered(word)[1:-1]:
        word = word[1:-1]
    return re.sub(r"\$\{(\w+)\}", r"$\1", word)


def constant(word: str) -> bool:
    return "$" not in word and "`" not in word
