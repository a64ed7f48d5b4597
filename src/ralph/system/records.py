"""Files that people write, read into frozen dataclasses: nothing unknown is ignored, every error is one sentence.

A record class is a dataclass with `__pydantic_config__ = STRICT`. pydantic checks types and refuses unknown
keys; this module turns its first complaint into a sentence with the file, the key's path and the nearest
key that exists.
"""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, Union

import rfc8785
from pydantic import ConfigDict, TypeAdapter, ValidationError

from ralph.errors import ConfigError

STRICT = ConfigDict(extra="forbid", strict=True)

UNKNOWN = ("unexpected_keyword_argument", "extra_forbidden")
"""pydantic's names for a key that is not known. A misspelled key is told before the one that it leaves missing."""

T = TypeVar("T")


def parse(record: type[T], data: object, source: str) -> T:
    """`data` (from YAML or JSON) as a `record`. Raises ConfigError naming `source`, the key and the way out."""
    if not isinstance(data, Mapping):
        raise ConfigError(f"{source} must hold a mapping of keys to values, but holds {_kind(data)}.")
    try:
        # By way of JSON: there strictness refuses a number for a text, but takes a mapping for a dataclass.
        return _adapter(record).validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        raise ConfigError(_sentence(record, error, source)) from None


@cache
def _adapter(record: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(record)


def digest(value: Any) -> str:
    """sha256 over the canonical JSON (RFC 8785) of a dataclass or JSON value."""
    plain = dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value
    return hashlib.sha256(rfc8785.dumps(plain)).hexdigest()


def _sentence(record: type[Any], error: ValidationError, source: str) -> str:
    problems = error.errors(include_url=False, include_context=False)
    first = next((problem for problem in problems if problem["type"] in UNKNOWN), problems[0])
    place = tuple(part for part in first["loc"] if isinstance(part, str | int))
    name = ".".join(str(part) for part in place)
    more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
    if first["type"] in UNKNOWN:
        known = _keys_at(record, place[:-1])
        near = difflib.get_close_matches(str(place[-1]), known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known keys here: {', '.join(known) or 'none'}."
        return f"{source}: unknown key {name!r}; {hint}{more}"
    if first["type"] in ("missing", "missing_argument"):
        return f"{source}: the key {name!r} is missing.{more}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{source}: {name}: {message[:1].lower()}{message[1:]} (found {_short(first['input'])}).{more}"


def _keys_at(record: type[Any], place: tuple[str | int, ...]) -> list[str]:
    """The field names that exist at a path of keys, for suggestions."""
    current: Any = record
    for part in place:
        if not (isinstance(current, type) and dataclasses.is_dataclass(current)):
            return []
        current = _unwrapped(typing.get_type_hints(current).get(str(part)))
    if isinstance(current, type) and dataclasses.is_dataclass(current):
        return [field.name for field in dataclasses.fields(current)]
    return []


def _unwrapped(hint: Any) -> Any:
    """`X | None` as X; everything else as it is."""
    if typing.get_origin(hint) in (Union, types.UnionType):
        return next((arg for arg in typing.get_args(hint) if arg is not types.NoneType), None)
    return hint


def _kind(data: object) -> str:
    return "nothing" if data is None else f"a {type(data).__name__}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
