"""JSON for files that govern: read to the letter, with every doubt an error.

Refused: what is not UTF-8, a byte order mark, NaN and Infinity, numbers beyond measure, deep nesting, and a file that
is too large to be what it claims. A key that stands twice is kept as such, so that the reader can say where.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20


class Object(dict[str, Any]):
    """A JSON object; `repeated` are keys that it has more than once."""

    repeated: tuple[str, ...] = ()


def decoded(data: bytes) -> Any:
    """The value that the bytes hold. Raises ValueError with a clause that says what is wrong and the way out."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"holds more than {MAX_BYTES // 1024} KiB: name another file")
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise ValueError("begins with a byte order mark: save it as UTF-8 without one")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"is not UTF-8 in line {line}: save it as UTF-8") from None
    _refuse_depth(text)
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        found = "is empty" if not text.strip() else f"is not JSON in line {error.lineno}, column {error.colno}"
        raise ValueError(f"{found} ({error.msg}): correct it there") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise ValueError(f"is not JSON that can be read ({error}): correct it") from None


def _object(pairs: list[tuple[str, Any]]) -> Object:
    found = Object(pairs)
    if len(found) != len(pairs):
        found.repeated = tuple(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _refuse_depth(text: str) -> None:
    """Count brackets outside strings: the decoder is recursive and would run out of stack first."""
    depth, in_text, escaped = 0, False, False
    for sign in text:
        if in_text:
            in_text = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            in_text, escaped = True, False
        elif sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"is nested more than {MAX_DEPTH} deep: no key of it is")
        elif sign in "]}":
            depth -= 1
