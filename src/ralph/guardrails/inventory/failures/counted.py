"""How often a loop runs, read off its head as it is written, where the language's own reader does not tell.

`for (int i = 0; i < 3; i++)`, `for (n in 1..3)`, `: List.of(1, 2, 3)`, `in new[] { 1, 2, 3 }`; None for everything
else, as that is nobody's to tell. So is a large number: how often something is tried that is the same each time.
"""

from __future__ import annotations

from ralph.guardrails.commas import between_commas, marks, step
from ralph.system.patterns import later

NUMBER = r"(\d{1,6})"
COUNTS_UP = later(
    rf"=\s*{NUMBER}\s*;\s*\w+\s*(<=?|!=)\s*{NUMBER}\s*;\s*(?:\w+\s*(?:\+\+|\+=\s*{NUMBER})|\+\+\s*\w+)\s*\)?"
)
RANGES = (
    (later(rf"\b{NUMBER}\s*\.\.<\s*{NUMBER}\b|\b{NUMBER}\s+until\s+{NUMBER}\b|\bfor \w+ in {NUMBER}\.\.{NUMBER}\b"), 0),
    (later(rf"\b{NUMBER}\s*\.\.=\s*{NUMBER}\b|\(\s*\w+ in {NUMBER}\s*\.\.\s*{NUMBER}\b"), 1),
)
"""What a range begins and ends with, and whether the end belongs to it: Kotlin's, and Rust's."""
ENUMERATED = later(r"\bEnumerable\.Range\(\s*\d+\s*,\s*(\d{1,6})\s*\)")
LISTED = later(
    r"(?:\b(?:List|Set|Stream)\.of|\bArrays\.asList|\b(?:list|set|sequence|array|intArray|longArray|doubleArray)Of)\("
    r"|\bnew\s*[\w.<>?]*\s*\[\s*\]\s*\{"
)
REST = later(r"[\s)}{]*")
STRING = later(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
LONGEST = 4_000
MOST = 50


def counted(head: str) -> int | None:
    rounds = None if len(head) > LONGEST else _rounds(head)
    return None if rounds is None or rounds > MOST else rounds


def _rounds(head: str) -> int | None:
    if (match := COUNTS_UP.search(head)) is not None:
        first, relation, last, by = match.groups()
        return max(0, -(-(int(last) - int(first) + (relation == "<=")) // max(int(by or 1), 1)))
    for pattern, inclusive in RANGES:
        if (match := pattern.search(head)) is not None and REST.fullmatch(head, match.end()):
            begin, end = (int(each) for each in match.groups() if each is not None)
            return max(0, end - begin + inclusive)
    if (match := ENUMERATED.search(head)) is not None and REST.fullmatch(head, match.end()):
        return int(match[1])
    if (match := LISTED.search(head)) is not None:
        return _listed(head[match.end() - 1 :])
    return None


def _listed(text: str) -> int | None:
    """How many elements stand between the brackets that a text begins with, if nothing is done with them behind."""
    depth = 0
    for at, letter in marks(text, STRING):
        depth += step(letter)
        if not depth:
            plain = REST.fullmatch(text, at + 1) is not None
            return len([each for each in between_commas(text[1:at], STRING) if each]) if plain else None
    return None
