"""Any value of a record's type, as strange as clients make them: huge numbers and texts, NaN, text that is no UTF-8."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st

TEXTS = st.one_of(
    st.text(st.characters(), max_size=8),
    st.sampled_from(["\udc80\udcff", "lone \ud800 half", "\x00\x1b[2J", "x" * 100_000, "", "ß→🎉", "\u2028"]),
)
WHOLE = st.one_of(st.integers(-5, 5), st.integers(), st.just(10**30))


def records(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Instances of a dataclass, some fields left at their defaults."""
    hints = typing.get_type_hints(kind)
    given = {field.name: values(hints[field.name]) for field in dataclasses.fields(kind)}
    needed = {
        field.name
        for field in dataclasses.fields(kind)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    }
    optional = {name: strategy for name, strategy in given.items() if name not in needed}
    chosen = st.fixed_dictionaries({name: given[name] for name in needed}, optional=optional)
    return chosen.map(lambda fields: kind(**fields))


def values(hint: Any) -> st.SearchStrategy[Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (each for each in args if each is not types.NoneType)
        unknown = st.floats() if inner is float else st.nothing()
        return st.none() | values(inner) | unknown
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple:
        return st.lists(values(args[0]), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(TEXTS, values(args[1]), max_size=2)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    if dataclasses.is_dataclass(hint):
        return records(typing.cast(type[Any], hint))
    finite = st.floats(allow_nan=False, allow_infinity=False)
    return {str: TEXTS, int: WHOLE, float: finite, bool: st.booleans()}[hint]
