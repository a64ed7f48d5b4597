"""Arguments of a tool, checked against its JSON Schema before anything happens.

Rules (research of the first implementation: every listed property was required, whatever it was meant to be):

- The schema that clients are shown is the one that is enforced, word for word. What it does not name is refused, also
  where it forgot to say so; what it does not put into `required` may be left out. `null` is no way to leave something
  out, unless the schema says so.
- Types are taken at their word: `true` is no 1, and a number is no text. A number is finite; 3.0 is a whole one.
- The answer is one sentence that names the field and the limit. It never repeats a value: that may be long, or secret.
- Only the words of JSON Schema in `KNOWN` are understood: a tool whose schema has another one cannot be made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

Schema = Mapping[str, Any]

KNOWN = frozenset(
    {"type", "enum", "anyOf", "properties", "required", "additionalProperties", "items"}
    | {"minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"}
    | {"description", "title", "default", "examples"}
)

NOT_BLANK = r"\S"
"""The pattern of a text with something to read in it."""

_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "object": ("an object", lambda value: isinstance(value, Mapping)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "string": ("a text", lambda value: isinstance(value, str)),
    "integer": ("a whole number", lambda value: _is_number(value) and value == int(value)),
    "number": ("a number", lambda value: _is_number(value)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "null": ("null", lambda value: value is None),
}
_SHOWN = 60


def problem(arguments: Any, schema: Schema) -> str | None:
    """What is wrong with the arguments, as a sentence; None if nothing is."""
    found = _problem(arguments, schema, "")
    return found if not found or found.endswith("?") else f"{found}."


def unknown_words(schema: Schema) -> tuple[str, ...]:
    """Words of the schema that are not enforced here."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if "items" in schema:
        inner.append(schema["items"])
    own = [word for word in schema if word not in KNOWN]
    return tuple(sorted({*own, *(word for each in inner for word in unknown_words(each))}))


def _problem(value: Any, schema: Schema, place: str) -> str | None:
    if choices := schema.get("anyOf"):
        found = [_problem(value, each, place) for each in choices]
        return None if None in found else _nearest(value, choices, found, place)
    kind = schema.get("type")
    if kind is not None and not _TYPES[kind][1](value):
        return f"{_name(place)} must be {_TYPES[kind][0]}, and is {_kind(value)}"
    if "enum" in schema and not any(type(each) is type(value) and each == value for each in schema["enum"]):
        return f"{_name(place)} must be one of: {', '.join(map(str, schema['enum']))}"
    if isinstance(value, str):
        return _text(value, schema, place)
    if _is_number(value):
        return _number(value, schema, place)
    if isinstance(value, list):
        return _items(value, schema, place)
    return _fields(value, schema, place) if isinstance(value, Mapping) else None


def _nearest(value: Any, choices: Sequence[Schema], found: list[str | None], place: str) -> str | None:
    """Of several forms none fits: what is wrong with the one whose type does, else which there are."""
    for each, wrong in zip(choices, found, strict=True):
        if "type" in each and _TYPES[each["type"]][1](value):
            return wrong
    forms = " or ".join(dict.fromkeys(_TYPES[each["type"]][0] for each in choices if "type" in each))
    return f"{_name(place)} must be {forms}, and is {_kind(value)}"


def _text(value: str, schema: Schema, place: str) -> str | None:
    least, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if len(value) < least:
        return f"{_name(place)} must not be empty" if least == 1 else f"{_name(place)} needs {least:,} characters"
    if len(value) > most:
        return f"{_name(place)} has {len(value):,} characters, and at most {most:,} are taken"
    if schema.get("pattern") == NOT_BLANK and not value.strip():
        return f"{_name(place)} must not be blank"
    if "pattern" in schema and not _matches(schema["pattern"], value):
        return f"{_name(place)} must match {schema['pattern']}"
    return None


def _matches(pattern: str, value: str) -> bool:
    """As JSON Schema means it: `$` is the end, and not the place before a last line end."""
    return re.search(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern, value) is not None


def _number(value: float, schema: Schema, place: str) -> str | None:
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    if least <= value <= most:
        return None
    if most is math.inf:
        return f"{_name(place)} must be at least {least:,}"
    if least == -math.inf:
        return f"{_name(place)} must be at most {most:,}"
    return f"{_name(place)} must lie between {least:,} and {most:,}"


def _items(value: list[Any], schema: Schema, place: str) -> str | None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    if not least <= len(value) <= most:
        wanted = f"at least {least:,}" if len(value) < least else f"at most {most:,}"
        return f"{_name(place)} holds {len(value):,} items, and {wanted} are taken"
    if "items" not in schema:
        return None
    checked = (_problem(each, schema["items"], f"{place}[{number}]") for number, each in enumerate(value))
    return next(filter(None, checked), None)


def _fields(value: Mapping[str, Any], schema: Schema, place: str) -> str | None:
    known: Schema = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f"{_name(_inside(place, name))} is missing"
    for name in value:
        if name not in known:
            near = get_close_matches(str(name)[:_SHOWN], known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known) or 'none'}"
            return f"{_name(_inside(place, str(name)))} is no argument of it; {hint}"
    checked = (_problem(each, known[name], _inside(place, name)) for name, each in value.items())
    return next(filter(None, checked), None)


def _inside(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _name(place: str) -> str:
    if not place:
        return "The whole of the arguments"
    return repr(place if len(place) <= _SHOWN else f"{place[:_SHOWN]}...")


def _kind(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "not finite"
    return next((name for name, fits in _TYPES.values() if fits(value)), "something else")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
