"""What a pattern, or a part, that a test of bats asks for leaves open (policy set v2, class G05).

Rule: a regular expression that holds for texts which have nothing in common asks for nothing; one that only wants there
to be some text asks whether there is any. A part of a text that is empty stands in every text. What holds a variable is
not known.
"""

from __future__ import annotations

import re
import shlex

from ralph.guardrails.inventory.model import Grade
from ralph.system.patterns import later

TEXTS = ("~", "\t=\n;", "Qx 0\nzj", "é")
"""They share no letter, and stand for any output that is not empty."""
LONGEST = 200
CLASS = later(r"\[:(?P<name>\w+):\]")
CLASSES = {
    "alnum": r"0-9A-Za-z",
    "alpha": r"A-Za-z",
    "blank": r" \t",
    "digit": r"0-9",
    "graph": r"!-~",
    "lower": r"a-z",
    "print": r" -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": r"A-Z",
    "word": r"\w",
    "xdigit": r"0-9A-Fa-f",
}


def left_open(pattern: str) -> Grade | None:
    """What a regular expression asks of a text; None if it asks for something in it, or cannot be read."""
    if "$" in pattern.removesuffix("$") or "`" in pattern or len(pattern) > LONGEST:
        return None
    written = CLASS.sub(lambda match: CLASSES.get(match["name"], ""), pattern)
    try:
        form = re.compile(written, re.DOTALL)
    except re.error:
        return None
    if not all(map(form.search, TEXTS)):
        return None
    return Grade.NOTHING if form.search("") else Grade.EXISTS


def glob_left_open(written: str) -> Grade | None:
    """The same of a pattern of `[[ a == b ]]`, as it is written: quotes of nothing say nothing."""
    bare = re.sub(r"\"\"|''", "", written)
    if not bare or set(bare) - {"*", "?"}:
        return None
    return {0: Grade.NOTHING, 1: Grade.EXISTS}.get(bare.count("?")) if "*" in bare else None


def searched(words: str) -> str | None:
    """The pattern that grep is given; None where a file holds it, or lines without it are wanted."""
    try:
        given = shlex.split(words.partition("<")[0])
    except ValueError:
        return None
    rest = iter(given)
    for word in rest:
        if re.fullmatch(r"-\w*[fv]\w*|--(?:file|invert-match)\b.*", word):
            return None
        if found := re.fullmatch(r"(?:-\w*e|--regexp)(?:=?(?P<pattern>.+))?", word):
            return found["pattern"] if found["pattern"] is not None else next(rest, None)
        if re.fullmatch(r"-\w*[ABCm]", word):
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return None
