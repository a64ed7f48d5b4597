"""`$(foreach name,words,text)` of a Makefile: the text once for each word, with the word in the name's place.

Only where the words are known and the folder itself is among them, and where each round must succeed (`&&`): of other
loops it is not said what they run.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from ralph.system.patterns import later

CALL = later(r"\$\(foreach\s+")
NAME = later(r"[\w.-]+")
MOST_WORDS, MOST_CALLS = 20, 5


def unrolled(text: str, expanded: Callable[[str], str]) -> str:
    """`expanded` puts variables of known value in."""
    start = 0
    for _ in range(MOST_CALLS):
        call = CALL.search(text, start)
        parts = _arguments(text, call.end()) if call else []
        if call is None or len(parts) < 3:
            break
        end = call.end() + len(",".join(parts)) + 1
        made = _written(parts[0].strip(), expanded(parts[1]), parts[2]) or text[call.start() : end]
        text, start = f"{text[: call.start()]}{made}{text[end:]}", call.start() + len(made)
    return text


def _written(name: str, words: str, body: str) -> str:
    """Nothing where that cannot be told."""
    known = words.split()
    here = any(posixpath.normpath(word) == "." for word in known)
    if (
        "$" in words
        or not here
        or len(known) > MOST_WORDS
        or not NAME.fullmatch(name)
        or not body.rstrip().endswith("&&")
    ):
        return ""
    use = re.compile(rf"\$\({re.escape(name)}\)|\$\{{{re.escape(name)}\}}")
    return " ".join(use.sub(word.replace("\\", r"\\"), body) for word in known)


def _arguments(text: str, start: int) -> list[str]:
    """What stands between commas up to the parenthesis that ends the call; nothing where none does."""
    parts, depth, begin = list[str](), 0, start
    for at in range(start, len(text)):
        letter = text[at]
        if letter == "," and not depth and len(parts) < 2:
            parts.append(text[begin:at])
            begin = at + 1
        elif letter in "({":
            depth += 1
        elif letter in ")}":
            if not depth:
                return [*parts, text[begin:at]]
            depth -= 1
    return []
