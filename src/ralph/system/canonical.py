"""Canonical JSON (RFC 8785), quickly: what digests are taken of.

Python's own encoder, written in C, gives the same bytes for what Ralph's logs consist of: texts, whole numbers of at
most 53 bits, truth values, null, lists, and objects whose keys are ASCII (there the order by code point is the order
by UTF-16 that the RFC wants). Everything else (fractions above all, whose digits the RFC prescribes) goes to `rfc8785`.
"""

from __future__ import annotations

import json
from typing import Any

import rfc8785

LARGEST = 2**53 - 1

_encoder = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def dumps(value: Any) -> bytes:
    """The one way to write `value`. Raises ValueError (of which `rfc8785.CanonicalizationError` is one) or TypeError
    if it is not plain JSON, and RecursionError if it is nested too deeply."""
    return _encoder.encode(value).encode() if _is_simple(value) else rfc8785.dumps(value)


def _is_simple(value: Any) -> bool:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return bool(-LARGEST <= value <= LARGEST)
    if kind is dict:
        return all(type(key) is str and key.isascii() and _is_simple(each) for key, each in value.items())
    return kind is list and all(_is_simple(each) for each in value)
