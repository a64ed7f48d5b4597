r"""Assertions that say the same of one text, which is spelled in two ways: `r"\d"` and `"\\d"`, `u"a"` and `"a"` (G05).

Rule: of two assertions in a row that are the same but for how their texts are spelled, the second says nothing more:
Python reads the same texts in both. Where they are spelled alike, the second may ask whether a second call gives the
same, and where a variable stands between them, something may have happened.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ralph.guardrails.inventory.model import Check
from ralph.record import replace
from ralph.system.patterns import later

TEXT = later(
    r"(?<!\w)(?P<prefix>[rRbBuU]{0,2})(?P<quotes>\"\"\"|'''|\"|')(?P<body>(?:\\.|(?!(?P=quotes)).)*)(?P=quotes)",
    re.DOTALL,
)
LAYOUT = later(r"[\s()]+")
LONGEST = 20
"""Lines of an assertion that is looked at."""


def forget_prefixes(nodes: Iterable[ast.AST]) -> None:
    """`u"a"` is written as `"a"`: they are one text."""
    for node in nodes:
        if isinstance(node, ast.Constant):
            node.kind = None


def marked(checks: Sequence[Check], nodes: Iterable[ast.AST], first: int, line: Callable[[int], str]) -> list[Check]:
    """`first` is the line before the first one of the text of `nodes`; `line` gives one of the file."""
    found = list(checks)
    again = [
        at for at, (one, other) in enumerate(pairwise(checks), 1) if one.key == other.key and one.line < other.line
    ]
    if not again:
        return found
    asserts = [node for node in nodes if isinstance(node, ast.Assert)]
    ends = {node.lineno + first: (node.end_lineno or node.lineno) + first for node in asserts}
    said = Counter(check.line for check in checks)
    for index in again:
        one, other = checks[index - 1 : index + 1]
        alone = all(each.line in ends and said[each.line] == 1 for each in (one, other))
        if alone and _in_a_row(ends[one.line], other.line, line) and _spelled_apart(one.line, other.line, ends, line):
            found[index] = replace(other, again=True)
    return found


def _in_a_row(end: int, start: int, line: Callable[[int], str]) -> bool:
    """Nothing but comments stands between them."""
    between = (line(number).strip() for number in range(end + 1, start)) if start - end <= LONGEST else ("code",)
    return all(not text or text.startswith("#") for text in between)


def _spelled_apart(one: int, other: int, ends: Mapping[int, int], line: Callable[[int], str]) -> bool:
    if max(ends[one] - one, ends[other] - other) > LONGEST:
        return False
    texts = ["\n".join(map(line, range(start, ends[start] + 1))) for start in (one, other)]
    left, right = (LAYOUT.sub("", TEXT.sub("''", text)) for text in texts)
    return left == right and list(_literals(texts[0])) != list(_literals(texts[1]))


def _literals(text: str) -> Iterator[tuple[str, str]]:
    for match in TEXT.finditer(text):
        yield match["prefix"].lower(), match["body"]
