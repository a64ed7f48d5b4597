"""Lines of what a program wrote, and all of it (policy set v2, class G05).

Rules:

- What is said of a line (`[ "${lines[1]}" = "b" ]`, `out.splitlines()[1] == "b"`, `strings.Split(out, "\\n")[1]`) is
  not missed where the head says what all of the output is (`assert_output $'a\\nb'`, `out == "a\\nb\\n"`): that has
  the line in its place. Where it has another one there, another value is wanted. In bats and Go it is so with how many
  there are.
- Of an output that was compared whole, lines say less, unless each of its lines is asked for.
- The end of the last line says nothing; in bats no empty line counts, as it drops them from `lines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.record import record
from ralph.system.patterns import later

IN_BATS = later(r"\$\{(?P<count>#)?(?P<of>lines|stderr_lines)\[(?P<at>-?\d+|[@*])\]\}")
WHOLES = {"lines": "$output", "stderr_lines": "$stderr"}
ANY_LINE = {"$lines": "$output", "$stderr_lines": "$stderr"}
END = r"(?:\"\\n\"|'\\n'|`\\n`|/\\r\?\\n/|/\\n/)"
PLACE = r"(?:\[(?P<at>-?\d+)\]|\.(?:get|nth|at|elementAt|ElementAt)\((?P<asked>\d+)\)(?:\.unwrap\(\))?)"
ELEMENT = later(
    rf"(?P<of>.+?)\.(?:splitlines\(\)|[sS]plit\({END}\)|lines\(\)(?:\.(?:collect|toList|toArray)\(\))?"
    rf"|lines(?:\(chomp: ?true\))?){PLACE}",
    re.DOTALL,
)
IN_GO = later(
    r"(?P<count>len\()?strings\.Split\((?P<of>.+), ?\"\\n\"\)(?:\[(?P<at>\d+)\]|(?(count)\)|$))",
    re.DOTALL,
)
TRIMMED = later(
    r"(?:strings\.Trim(?:Space|Right|Suffix)\((?P<go>.+?)(?:, ?\"\\n\")?\)"
    r"|(?P<of>.+)\.(?:r?strip|trim(?:_end|End)?|chomp|stripTrailing|trimEnd|TrimEnd|Trim)(?:\(\))?)",
    re.DOTALL,
)
NEXT = later(r"\\n|\n")
QUOTED = later(r"(?P<quote>[\"'`])(?P<text>.*)(?P=quote)", re.DOTALL)
PRINTED = later(r"\$\(printf[ \t]+(?:--[ \t]+)?(?P<quote>[\"'])(?P<text>[^\"'$`%]*)(?P=quote)\)")
EACH_PRINTED = later(r"\$\(printf[ \t]+[\"']?%s\\n[\"']?(?P<words>(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|[\w./:-]+))+)\)")
WORD = later(r"\"([^\"]*)\"|'([^']*)'|([\w./:-]+)")
LONGEST = 4_000


@record
class Line:
    """What an assertion asks of an output: one of its lines; of `at` None, how many there are."""

    of: str
    at: int | None


def whole_with_line(part: Check, before: Facts, after: Facts) -> Check | None:
    """What says now what all of the output is, where the part is about a line of it, or about how many there are."""
    line = _line(part) if part.relation == "==" and part.grade else None
    if line is None:
        return None
    known = {each.key for each in before.checks}
    new = (each for each in after.checks if each.key not in known and _trimmed(each.subject) == line.of)
    return next((each for each in new if _lines(each) is not None), None)


def says_other_line(whole: Check, part: Check) -> bool | None:
    """Whether that line is another one in the whole; None if nobody can tell."""
    line = _line(part)
    lines = _lines(whole) if line is not None and line.of == _trimmed(whole.subject) else None
    if line is None or lines is None:
        return None
    if line.at is None:
        return part.wanted != str(len(lines))
    return not -len(lines) <= line.at < len(lines) or lines[line.at] not in (part.wanted, _text(part))


def asked_by_line(old: Check, gained: Iterable[Check], after: Facts) -> Sequence[Check] | None:
    """The assertions about lines of an output that was compared whole; none if they come to it, None for no such."""
    lines = _lines(old)
    if not lines:
        return None
    whole = _trimmed(old.subject)
    pieces = [each for each in gained if _is_line_of(each, whole) and _text(each) in lines]
    asked = {_text(each) for each in after.checks if _is_line_of(each, whole)} if pieces else ()
    return None if not pieces else [] if set(lines) <= set(asked) else pieces


def _is_line_of(check: Check, whole: str) -> bool:
    if check.relation != "==" or check.grade is not Grade.EXACT:
        return False
    line = _line(check)
    return ANY_LINE.get(check.subject) == whole or (line is not None and line.of == whole and line.at is not None)


def _line(check: Check) -> Line | None:
    subject = check.subject
    if len(subject) > LONGEST or not ("lines" in subject or "plit" in subject):
        return None
    if (match := IN_BATS.fullmatch(subject)) is not None:
        counted = match["at"] in ("@", "*")
        named = bool(match["count"]) is counted
        return Line(WHOLES[match["of"]], None if counted else int(match["at"])) if named else None
    if (match := IN_GO.fullmatch(subject)) is not None:
        asked = match["at"] is not None
        return Line(_trimmed(match["of"]), int(match["at"]) if asked else None) if asked or match["count"] else None
    match = ELEMENT.fullmatch(subject)
    return None if match is None else Line(_trimmed(match["of"]), int(match["at"] or match["asked"]))


def _trimmed(subject: str) -> str:
    match = TRIMMED.fullmatch(subject) if len(subject) <= LONGEST else None
    return subject if match is None else match["go"] or match["of"]


def _lines(check: Check) -> list[str] | None:
    """Those of a text that is written down as one certain output."""
    if check.relation != "==" or check.grade is not Grade.EXACT or check.perhaps or len(check.wanted) > LONGEST:
        return None
    in_bats = check.subject in WHOLES.values()
    text = check.wanted if in_bats else _text(check)
    if in_bats and (each := EACH_PRINTED.fullmatch(text)) is not None:
        return ["".join(groups) for groups in WORD.findall(each["words"]) if any(groups)]
    if in_bats and (printed := PRINTED.fullmatch(text)) is not None:
        text = printed["text"]
    if not in_bats and (not check.known or QUOTED.fullmatch(check.wanted) is None):
        return None
    lines = NEXT.split(text)
    return [line for line in lines if line.strip()] if in_bats else lines[:-1] if lines[-1] == "" else lines


def _text(check: Check) -> str:
    quoted = QUOTED.fullmatch(check.wanted)
    return check.wanted if quoted is None else quoted["text"]
