"""Makes a JSON Schema of the dataclasses that read a file (`ralph.system.records`), so that both say the same.

A key's description is the string below its field: it stands where the field is changed, and costs nothing when Ralph
runs. A key without one is an error. What the readers check beyond types is given as further keywords, by place.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, Union, get_args, get_origin

Schema = dict[str, Any]
Further = Mapping[str, Schema]
"""Keywords by place, as in `agents.*.prices.input`; the star is every key of a mapping or item of a list."""

NAMES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_of(record: type[Any], further: Further, *, leave_out: tuple[str, ...] = (), open_to: bool = False) -> Schema:
    """The schema of a file that is a `record`; `open_to` unknown keys, in itself and in all that it holds."""
    used: set[str] = set()
    made = _Maker(further, used, leave_out, open_to).record(record, "")
    if unused := further.keys() - used:
        raise KeyError(f"there is no such place: {', '.join(sorted(unused))}")
    return made


@dataclasses.dataclass(frozen=True)
class _Maker:
    further: Further
    used: set[str]
    leave_out: tuple[str, ...]
    open_to: bool

    def record(self, record: type[Any], place: str) -> Schema:
        hints, told = typing.get_type_hints(record), descriptions(record)  # type: ignore[arg-type]
        properties: Schema = {}
        required = []
        for field in dataclasses.fields(record):
            if field.name in self.leave_out:
                continue
            key = field.metadata.get("key", field.name)
            if field.name not in told:
                raise KeyError(f"{record.__module__}.{record.__name__}.{field.name} has no description below it")
            value = self.value(hints[field.name], f"{place}.{key}".lstrip("."))
            properties[key] = {"description": told[field.name], **value, **_default(field)}
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                required.append(key)
        found: Schema = {"type": "object", "properties": properties}
        if required:
            found["required"] = required
        return found | {"additionalProperties": self.open_to}

    def value(self, hint: Any, place: str) -> Schema:
        made = self._plain(hint, place)
        if place in self.further:
            self.used.add(place)
            made = made | self.further[place]
        return made

    def _plain(self, hint: Any, place: str) -> Schema:
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            (inner,) = (each for each in args if each is not types.NoneType)
            return _or_null(self._plain(inner, place))
        if origin is Literal:
            return {"enum": list(args)}
        if origin in (list, tuple):
            return {"type": "array", "items": self.value(args[0], f"{place}.*")}
        if origin in (dict, Mapping):
            names = {"propertyNames": {"enum": list(get_args(args[0]))}} if get_origin(args[0]) is Literal else {}
            return {"type": "object", **names, "additionalProperties": self.value(args[1], f"{place}.*")}
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return self.record(hint, place)
        if issubclass(hint, StrEnum):
            return {"enum": [str(each) for each in hint]}
        return {"type": NAMES[hint]}


def _or_null(made: Schema) -> Schema:
    if "enum" in made:
        return made | {"enum": [*made["enum"], None]}
    return made | {"type": [made["type"], "null"]}


def _default(field: dataclasses.Field[Any]) -> Schema:
    """What stands where nothing is given; nothing for what says it by its own keys."""
    if field.default is not dataclasses.MISSING:
        return {"default": list(field.default) if isinstance(field.default, tuple) else field.default}
    if field.default_factory in (list, dict):
        return {"default": field.default_factory()}
    return {}


@functools.cache
def descriptions(record: type[Any]) -> dict[str, str]:
    """The string below each field, by the field's name."""
    found = {}
    for part in reversed([each for each in record.__mro__ if dataclasses.is_dataclass(each)]):
        tree = ast.parse(inspect.getsource(part)).body[0]
        assert isinstance(tree, ast.ClassDef)
        for field, below in zip(tree.body, tree.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    found[name] = " ".join(text.split())
    return found
