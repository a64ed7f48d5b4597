"""Files that people write, read into frozen dataclasses: nothing unknown is ignored, every error is one sentence.

Types are taken at their word: a text is no number, `true` is no 1, a whole number may stand for a float. Understood
are `str`, `int`, `float`, `bool`, `Literal`, `StrEnum`, `list[T]`, `dict[str, T]`, `tuple[T, ...]`, `T | None`,
dataclasses and `object`, which is any value, for another reader to understand.
A record class may say in its field's metadata under which `key` a file has it, where Python's own words forbid it.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import hashlib
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import rfc8785

from ralph.errors import ConfigError

T = TypeVar("T")

KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
LARGEST = 2**53 - 1
"""The largest number that every reader of JSON takes for the same."""


def parse(record: type[T], data: object, source: str) -> T:
    """`data` (from YAML or JSON) as a `record`. Raises ConfigError naming `source`, the key and the way out."""
    if not isinstance(data, Mapping):
        raise ConfigError(f"{source} must hold a mapping of keys to values, but holds {_kind(data)}.")
    value: T = _record(record, data, (), source)
    return value


def digest(value: Any) -> str:
    """sha256 over the canonical JSON (RFC 8785) of a dataclass or JSON value."""
    plain = dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value
    return hashlib.sha256(rfc8785.dumps(plain)).hexdigest()


@functools.cache
def _hints(record: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(record)


def _record(record: type[Any], data: Mapping[Any, Any], place: tuple[str, ...], source: str) -> Any:
    hints = _hints(record)  # type: ignore[arg-type]
    known = {field.metadata.get("key", field.name): field for field in dataclasses.fields(record)}
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known keys here: {', '.join(known)}."
            raise ConfigError(f"{source}: unknown key {_name((*place, str(key)))}; {hint}")
    values = {}
    for key, field in known.items():
        if key in data:
            values[field.name] = _value(hints[field.name], data[key], (*place, key), source)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ConfigError(f"{source}: the key {_name((*place, key))} is missing.")
    return record(**values)


def _value(hint: Any, value: object, place: tuple[str, ...], source: str) -> Any:
    if hint is object:  # another reader's business
        return value
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if value is None and types.NoneType in args:
            return None
        (hint,) = (arg for arg in args if arg is not types.NoneType)
        return _value(hint, value, place, source)
    if origin is Literal:
        wanted = " or ".join(repr(arg) for arg in args)
        return _exactly(any(type(value) is type(arg) and value == arg for arg in args), wanted, value, place, source)
    if origin in (list, tuple):
        items = _exactly(isinstance(value, list), "a list", value, place, source)
        return origin(_value(args[0], item, (*place, str(number)), source) for number, item in enumerate(items))
    if origin in (dict, Mapping):
        pairs = _exactly(isinstance(value, Mapping), "a mapping", value, place, source).items()
        return {
            _value(args[0], key, (*place, str(key)), source): _value(args[1], item, (*place, str(key)), source)
            for key, item in pairs
        }
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record(hint, _exactly(isinstance(value, Mapping), "a mapping", value, place, source), place, source)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        wanted = " or ".join(repr(str(each)) for each in hint)
        return hint(_exactly(value in tuple(hint), wanted, value, place, source))
    fits = type(value) is hint or (hint is float and type(value) is int)
    _exactly(fits, KINDS[hint], value, place, source)
    if isinstance(value, int | float):
        _exactly(abs(value) <= LARGEST, f"a number of at most {LARGEST}", value, place, source)
    return value


def _exactly(fits: bool, wanted: str, value: Any, place: tuple[str, ...], source: str) -> Any:
    if not fits:
        raise ConfigError(f"{source}: {_name(place)} must be {wanted}, but is {_short(value)}.")
    return value


def _name(place: tuple[str, ...]) -> str:
    return repr(".".join(place))


def _kind(data: object) -> str:
    return "nothing" if data is None else KINDS.get(type(data), f"a {type(data).__name__}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
