"""Text that came from elsewhere, made safe to show.

A path or a line of code may hold terminal control sequences, bidirectional marks and invisible characters that make
a reader see something else than what stands there: `visible` writes them out.
"""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that a terminal acts on, or shows as nothing."""


def visible(text: str, *, keep: str = "") -> str:
    """The text with every control, format and undecodable character written out, but for those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if character in keep else _shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return "    "
    if unicodedata.category(character) not in _HIDDEN:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
