"""Characters that do not show, or that make others show in another order.

Honest uses are known by their neighbours: joiners in emoji and in scripts that need them, direction marks in a line of
right-to-left text, variation selectors behind what they vary, a byte order mark at the start of a file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum

from ralph.system.patterns import later

PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n\f\r"
UNUSUAL = later(r"[^\x20-\x7e\t\n\f]")
"""Most lines have few such characters, however long they are."""
BLANKS = (b" " * 100, b"\t" * 13)


def is_plain(data: bytes) -> bool:
    """True for a text in which nothing can hide: printable ASCII, usual line ends, no long runs of blanks."""
    if data.translate(None, PLAIN) or BLANKS[0] in data or BLANKS[1] in data:
        return False
    return b"\r" not in data or data.count(b"\r") == data.count(b"\r\n") + data.endswith(b"\r")


class Sort(Enum):
    BIDI = "a character that turns the direction of the text around"
    INVISIBLE = "a character that does not show"
    TAG = "invisible letters"
    CONTROL = "a control character"
    SOFT = "a soft hyphen"
    LINE = "a line end that not every tool knows"


OVERRIDES = "\u202d\u202e"
OPENING = {"\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c"} | dict.fromkeys(
    "\u2066\u2067\u2068", "\u2069"
)
CLOSING = "\u202c\u2069"
MARKS = "\u200e\u200f\u061c"
INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\u180e\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5\ufff9\ufffa\ufffb"
)
LINE_ENDS = "\u2028\u2029"
JOINING = later(
    "[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\u0e00-\u0eff\u2d30-\u2d7f]"
)
"""Arabic, Indic, Tibetan, Myanmar, Khmer, Mongolian, Thai, Lao: joiners and word breaks are spelling in them."""

RIGHT_TO_LEFT = later("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]")
COLOURS = later(r"\x1b\[[\d;]*m")
CONCEALS = later(r"\x1b\[(?:[\d;]*;)?0*8m")


def hidden(text: str, *, first: bool) -> Iterator[tuple[int, Sort]]:
    """Places of such characters in a line; `first`: it begins the file."""
    for match in UNUSUAL.finditer(text):
        index, character = match.start(), match[0]
        if character.isascii():
            if _is_control(text, index):
                yield index, Sort.CONTROL
            continue
        begins = first and index == 0 and character == "\ufeff"
        if not begins and (sort := _sort(text, index, character)):
            yield index, sort


def _sort(text: str, index: int, character: str) -> Sort | None:
    if character in OPENING or character in CLOSING:
        return Sort.BIDI
    if character in MARKS:
        return None if RIGHT_TO_LEFT.search(text) else Sort.INVISIBLE
    if character in LINE_ENDS:
        return Sort.LINE
    if character in INVISIBLE:
        return None if _is_spelling(text, index, character) else Sort.INVISIBLE
    if character == "\u00ad":
        return Sort.SOFT
    code = ord(character)
    if 0xE0000 <= code <= 0xE007F:
        return None if _is_flag(text, index) else Sort.TAG
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180D:
        before = text[index - 1] if index else ""
        keycap = before in "#*0123456789" and before and text[index + 1 : index + 2] == "\u20e3"
        varied = before != "" and not before.isascii() and not _is_selector(before)
        return None if keycap or varied else Sort.INVISIBLE
    return Sort.CONTROL if 0x80 <= code <= 0x9F and code != 0x85 else None


def _is_selector(character: str) -> bool:
    return 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF


def _is_control(text: str, index: int) -> bool:
    character = text[index]
    if character == "\r":
        return bool(text[index + 1 :].strip("\r"))
    return (character < " " and character not in "\t\n\f") or character == "\x7f"


def _is_spelling(text: str, index: int, character: str) -> bool:
    """A joiner in an emoji, or one between letters of a script that needs it."""
    before = text[:index].rstrip("\ufe0f\u200d")[-1:]
    after = text[index + 1 : index + 2]
    if character == "\u200d" and _is_pictorial(before) and _is_pictorial(after):
        return True
    if character in "\u200b\u200c\u200d\u2060\u034f":
        return bool(JOINING.match(before) or JOINING.match(after))
    if character in "\u115f\u1160\u3164":
        return bool(re.match("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]", before + after))
    return character in "\u180e\u17b4\u17b5" and bool(JOINING.match(before))


def _is_pictorial(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) in ("So", "Sk", "Sm")
        or ord(character) >= 0x1F000
        or character in "\u2194\u2195\u203c"
    )


def _is_flag(text: str, index: int) -> bool:
    """The letters of a subdivision's flag stand behind a black flag."""
    start = index
    while start and 0xE0000 <= ord(text[start - 1]) <= 0xE007F:
        start -= 1
    return start > 0 and text[start - 1] == "\U0001f3f4" and index - start < 7


def is_balanced(text: str) -> bool:
    """True if what turns the direction of right-to-left text is closed in the same line, and nothing is overridden."""
    if any(character in OVERRIDES for character in text):
        return False
    waiting: list[str] = []
    for character in text:
        if character in OPENING:
            waiting.append(OPENING[character])
        elif character in CLOSING and (not waiting or waiting.pop() != character):
            return False
    return not waiting and RIGHT_TO_LEFT.search(text) is not None


def is_colour(text: str) -> bool:
    """True if all control characters of a line are colours of a terminal that hide nothing."""
    rest = COLOURS.sub("", text)
    return not CONCEALS.search(text) and not any(_is_control(rest, index) for index in range(len(rest)))
