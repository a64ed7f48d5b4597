"""What functions of Python's library make of a constant that was encoded, so that no word stands in one piece.

Only what gives back about as much as it is given: nothing is unpacked.
"""

from __future__ import annotations

import base64
import binascii
import codecs
from collections.abc import Callable
from typing import Any

MODULES = frozenset({"codecs", "base64", "binascii", "bytes", "bytearray"})
"""Where the functions are, if they are not imported by themselves."""

_TEXT_CODES = frozenset({"rot13", "rot_13", "hex", "hex_codec", "base64", "base64_codec", "utf8", "utf_8", "ascii"})


def _coded(change: Callable[[Any, str], Any], given: Any, code: str = "utf-8") -> Any:
    name = code.lower().replace("-", "_")
    return change(given, name) if name in _TEXT_CODES else None


CODECS: dict[str, Callable[..., Any]] = {
    "decode": lambda *given: _coded(codecs.decode, *given),
    "encode": lambda *given: _coded(codecs.encode, *given),
    "b64decode": base64.b64decode,
    "standard_b64decode": base64.b64decode,
    "urlsafe_b64decode": base64.urlsafe_b64decode,
    "b32decode": base64.b32decode,
    "b16decode": base64.b16decode,
    "a2b_base64": binascii.a2b_base64,
    "unhexlify": binascii.unhexlify,
    "a2b_hex": binascii.unhexlify,
    "fromhex": bytes.fromhex,
}
