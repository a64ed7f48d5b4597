"""Words that look like other words: letters of another script, or mathematical ones, among Latin letters.

A word in one foreign script is a word. What blocks is a word with Latin letters whose other letters all look like Latin
ones, and one that looks wholly like another name of the same file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ralph.system.patterns import later

_CYRILLIC = dict(zip("аеорсухіјѕԁԛԝһӏАВЕКМНОРСТУХІЈЅԌѴ", "aeopcyxijsdqwhlABEKMHOPCTYXIJSGV", strict=True))
_GREEK = dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oABEZHIKMNOPTYX", strict=True))
_OTHER = dict(zip("օոսցհɑɡᎪᎢᏟᎬᎻᎫᏦᏞᎷᏢᏒᏚᎳᏃ", "onugha" + "gATCEHJKLMPRSWZ", strict=True))
LOOKS = {**_CYRILLIC, **_GREEK, **_OTHER}
WORD = later(r"[^\W\d]\w*")
FOREIGN = later(r"[^\x00-\x7f]")


def lookalikes(text: str) -> Iterator[tuple[int, str, str]]:
    """Place, word and what it looks like, for words with letters that look like Latin ones."""
    for match in WORD.finditer(text):
        word = match[0]
        if word.isascii():
            continue
        letters = [letter for letter in word if letter.isalpha()]
        foreign = [letter for letter in letters if not letter.isascii()]
        looks = [looks_like(letter) for letter in foreign]
        if foreign and all(looks):
            yield match.start(), word, "".join(looks_like(letter) or letter for letter in word)


def is_mixed(word: str) -> bool:
    """Latin letters and others in one word, or letters that only look like another style of Latin ones."""
    return any(letter.isascii() and letter.isalpha() for letter in word) or is_styled(word)


def is_styled(word: str) -> bool:
    return len(word) > 1 and any(_styled(letter) for letter in word)


def looks_like(letter: str) -> str:
    """The Latin letter, or nothing."""
    return LOOKS.get(letter) or _styled(letter)


def _styled(letter: str) -> str:
    """Mathematical and full-width letters, ligatures, Roman numerals: what compatibility makes Latin letters of."""
    if letter.isascii() or unicodedata.category(letter) == "Lm" or letter in "ªº":
        return ""
    plain = unicodedata.normalize("NFKC", letter)
    return plain if plain.isascii() and plain.isalpha() else ""


def names_in(data: bytes) -> frozenset[str]:
    return frozenset(word.decode() for word in re.findall(rb"[A-Za-z_]\w*", data))
