"""Functions that ask about what they are given, and have one answer whatever that is: all languages, by their lines.

Where a function stands, whether each way through it ends in an answer, and the constant in the place of its body. Which
answer that is tells `every_way`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.common.stubbed.every_way import answer_of, is_asked
from ralph.guardrails.common.stubbed.settled_values import EMPTY, NULL, is_constant, settled
from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

_NO_NAME = r"(?!(?:if|for|while|switch|catch|with|when|return|else|foreach|using|lock|match|new|throw)\b)"
HEAD = later(
    r"^\s*(?:[\w@]+\s+)*?(?:def|func|function|fn|fun)\s+(?:\([^()]*\)\s*)?(?:self\.)?(?P<plain>\w+[?!]?)\s*(?:<[^()]*>)?\("
    r"|^\s*(?:export\s+)?(?:default\s+)?(?:const|let|var)\s+(?P<arrow>\w+)[^=\n]*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)"
    rf"|^\s*{_NO_NAME}(?:[\w<>\[\],.:*&?~]+\s+)+[*&]?(?P<typed>[\w:~]+)\s*\("
    rf"|^\s+(?:async\s+|static\s+)*{_NO_NAME}(?P<method>\w+)\("
)
INLINE = later(r"^(?P<head>[^\n]*\)[^()\n=]*?(?:=>|=(?!=))\s*)(?P<expression>[^\s{][^\n]*?)(?P<end>\s*;?\s*)$")
"""A function whose body is one expression behind its head."""
RETURN = later(r"^(?P<head>\s*return\s+)(?P<expression>[^\n]*?)(?P<end>\s*;?\s*)$")
NOTE = later(r"^\s*(?://|#(?!\[)|/\*|\*(?:[\s/]|$)|\"\"\"|''')")
TEXTS = later(r"\"\"\"|'''")
BEHIND = later(r"\s+(?://|#)\s[^\n]*$")
OTHERWISE = later(r"\belse\b(?!\s+if\b)|^(?:default|case _|_)\b|^_|\b(?:catch|except|rescue)\b")
OPENS = later(r"(?:\}\s*)?(?:if|elif|elsif|unless|for|while)\b.*[{:]")
MEMBER = later(r"\.([a-z_]\w*[!?]?)(?![\w(!?])")
LONGEST, LONGEST_LINE = 40, 300
ENDS = frozenset(("javascript", "typescript", "tsx", "vue", "rust", "java", "csharp", "php", "dart", "cpp", "c"))
"""Where a statement ends with a semicolon."""
LISTS = frozenset(("python", "javascript", "typescript", "tsx", "vue", "ruby"))
"""Where a list without anything is a constant for all rules."""


@record
class Body:
    """The lines of a function from below its head to its end, counted from 0."""

    head: int
    first: int
    last: int


def bodies(lines: Sequence[str], touched: AbstractSet[int] | None) -> Iterator[Body]:
    """Those of the functions that hold a line which is touched; all, if none is named."""
    heads = range(len(lines)) if touched is None else _above(touched, len(lines))
    for number in heads:
        line = lines[number]
        match = HEAD.search(line) if "(" in line and len(line) <= LONGEST_LINE else None
        if match is None or line.rstrip().endswith(";"):
            continue
        first, open_ones = number, line.count("(") - line.count(")")
        while open_ones > 0 and first + 1 < len(lines) and first - number < LONGEST:
            first += 1
            open_ones += lines[first].count("(") - lines[first].count(")")
        if first + 1 < len(lines) and lines[first + 1].strip() == "{":
            first += 1
        deep, last = depth(line), first + 1
        while last < len(lines) and (not lines[last].strip() or depth(lines[last]) > deep or lines[last][:1] == "#"):
            last += 1
        if lines[first].rstrip().endswith("{") and not "".join(lines[last : last + 1]).lstrip().startswith("}"):
            continue
        while last > first + 1 and not lines[last - 1].strip():
            last -= 1
        held = touched is None or not touched.isdisjoint(range(number, last))
        if held and first + 1 < last <= first + 1 + LONGEST:
            yield Body(number, first + 1, last)


def _above(touched: AbstractSet[int], end: int) -> Sequence[int]:
    """Where the head of a function may stand that holds one of these lines."""
    return sorted({at for row in touched for at in range(max(row - 2 * LONGEST, 0), min(row + 1, end))})


def with_one_answer(lines: Sequence[str], body: Body, spoken: str) -> list[str] | None:
    """The body as the constant that it always gives; None of one that does more."""
    code, notes = _code(lines[body.first : body.last])
    answer = answer_of([_called(line, spoken) for line in code], spoken)
    told = [each for each in code if each.strip()]
    if answer is None or not _is_complete(told):
        return None
    place = max(at for at, each in enumerate(code) if each.strip())
    indent = min((depth(each) for each in told), default=0)
    end = ";" if spoken in ENDS else ""
    statement = f"{' ' * indent}return {written(answer, spoken)}{end}"
    return [statement if at == place else note for at, note in enumerate(notes)]


def _is_complete(told: Sequence[str]) -> bool:
    """No way leads past its answers: the last one hangs on nothing, or all questions have another side."""
    least = min(map(depth, told))
    ends = [each.strip() for each in told if each.strip(" \t;)]}") not in ("", "end")]
    last = next(each for each in reversed(told) if each.strip(" \t;)]}") not in ("", "end"))
    asked = is_asked(last.strip(" \t;")) or OPENS.match(last.strip())
    return (depth(last) == least and not asked) or any(map(OTHERWISE.search, ends))


def settled_in(line: str, spoken: str) -> str | None:
    """A line whose answer is settled, with the constant in the place of it."""
    if "return" not in line and ")" not in line:
        return None
    for form in (RETURN, INLINE):
        said = form.match(line) if len(line) <= LONGEST_LINE else None
        if said is None or (form is INLINE and HEAD.search(line) is None):
            continue
        expression = _called(BEHIND.sub("", said["expression"]), spoken)
        value = settled(expression)
        if value is not None and not is_constant(expression):
            return f"{said['head']}{written(value, spoken)}{said['end']}"
    return None


def _called(line: str, spoken: str) -> str:
    """With the parentheses of all calls, which Ruby does without."""
    return MEMBER.sub(r".\1()", line) if spoken == "ruby" else line


def written(value: str, spoken: str) -> str:
    """As the rules of that language know a constant: of what is empty they know little but `[]`."""
    empty = EMPTY.fullmatch(value) is not None and NULL.fullmatch(value) is None and value[0] not in "\"'"
    return "0" if empty and spoken not in LISTS else value


def _code(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines without notes, and the notes alone."""
    code, notes, quoted = [], [], False
    for line in lines:
        marks = len(TEXTS.findall(line))
        if quoted or NOTE.match(line):
            quoted = quoted != (marks % 2 == 1)
            code.append("")
            notes.append(line)
            continue
        code.append(BEHIND.sub("", line))
        notes.append("")
    return code, notes
