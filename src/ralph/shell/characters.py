"""Which characters a shell line may have, so that what a person sees is what the shell gets.

- Nowhere: control characters but newline and tab, lone surrogates, line and paragraph separators, bidirectional
  controls, tags, and code points that mean nothing.
- Outside quotes: no blanks beyond ASCII, nothing invisible, and nothing that compatibility normalization changes
  (full-width letters). Letters of any script are fine; they are other letters, so `tеst` is never `test`.
"""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NOWHERE = frozenset({"Cc", "Cs", "Cn", "Zl", "Zp"})
_UNQUOTED = frozenset({"Cf", "Co", "Zs"})
_DIRECTIONS = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})
_MARKS = frozenset("\u200e\u200f\u061c")


def forbidden(text: str) -> int | None:
    """Where the first character stands that a line may have nowhere."""
    if match := _CONTROL.search(text):
        return match.start()
    if text.isascii():
        return None
    return next((at for at, character in enumerate(text) if character > "\x7f" and _is_forbidden(character)), None)


def is_deceptive(text: str) -> bool:
    """True if some unquoted text has characters that may stand only between quotes."""
    if text.isascii():
        return False
    invisible = any(unicodedata.category(character) in _UNQUOTED for character in text)
    return invisible or unicodedata.normalize("NFKC", text) != unicodedata.normalize("NFC", text)


def _is_forbidden(character: str) -> bool:
    return (
        unicodedata.category(character) in _NOWHERE
        or unicodedata.bidirectional(character) in _DIRECTIONS
        or character in _MARKS
        or "\U000e0000" <= character <= "\U000e007f"
    )
