"""Words that look like other words: letters of another script, or mathematical ones, among Latin letters.

A word in one foreign script is a word. What blocks is a word with Latin letters whose other letters all look like Latin
ones, and one that looks wholly like another name of the same file. Small Greek letters are notation (`ρ_0` beside
`p_0`): a word with one blocks only if it is a longer one that looks like another name of the file, and no formula of
the file has such letters; else it is shown.
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
NOTATION = dict(zip("ανυρικγητωχςε", "avupikyntwxce", strict=True))
"""Letters that formulas use for themselves, and what they look like."""
LETTERS_BESIDE = 4
"""So many Latin letters beside one of these are a word, and no name of a formula."""
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
        looks = [looks_like(letter) or NOTATION.get(letter) for letter in foreign]
        if foreign and all(looks):
            seen = (looks_like(letter) or NOTATION.get(letter) or letter for letter in word)
            yield match.start(), word, "".join(seen)


def is_notation(word: str) -> bool:
    """It has a letter of a formula."""
    return any(letter in NOTATION for letter in word)


def could_pass(word: str) -> bool:
    """Each part of it with a letter of a formula is a word all the same: so many other letters stand beside it."""
    return all(
        sum(letter.isascii() and letter.isalpha() for letter in part) >= LETTERS_BESIDE
        for part in word.split("_")
        if is_notation(part)
    )


def has_formulas(text: str) -> bool:
    """Somewhere a letter of a formula is a name, or part of a short one."""
    return any(is_notation(word) and not could_pass(word) for word in WORD.findall(text))


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
