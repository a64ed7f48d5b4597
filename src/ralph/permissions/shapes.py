"""Readers of JSON values that go on after an error, so that a person learns all that is wrong at once.

A reader takes a value, its JSON path and the list of problems, and gives the value as it is used. Where it adds a
problem its result means nothing; whoever started the reading throws it away. Each problem is a clause that begins with
the path: `$.mode must be "core" or "delivery", but is "x"`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ralph.permissions.strict_json import Object
from ralph.record import record

Problems = list[str]
Reader = Callable[[Any, str, Problems], Any]
Objection = Callable[[str], str | None]
"""Why a text will not do, as a clause behind it; None if it will."""

MAX_ITEMS = 1000
REQUIRED = object()


@record
class Field:
    """A key of an object: how its value is read, and what stands for it where it is absent.

    `name` is the argument that it becomes; None for a key that is only looked at.
    """

    reader: Reader
    name: str | None
    default: Any = REQUIRED
    example: str = ""


def shaped(build: Callable[..., Any], fields: Mapping[str, Field]) -> Reader:
    """An object with these keys and no others; keyword arguments of `build`."""

    def read(value: Any, path: str, problems: Problems) -> Any:
        if not isinstance(value, dict):
            return _refuse(path, "must be an object", value, problems)
        _refuse_odd_keys(value, path, fields, problems)
        known = len(problems)
        arguments = {}
        for key, field in fields.items():
            if key in value:
                read = field.reader(value[key], f"{path}.{key}", problems)
                if field.name:
                    arguments[field.name] = read
            elif field.default is REQUIRED:
                problems.append(f"{path}.{key} is missing: add {json.dumps(key)}: {field.example}")
        return build(**arguments) if len(problems) == known else None

    return read


def texts(objection: Objection) -> Reader:
    """A list of texts, each of which must do."""

    def read(value: Any, path: str, problems: Problems) -> tuple[str, ...]:
        if not isinstance(value, list):
            _refuse(path, "must be a list of texts", value, problems)
            return ()
        if len(value) > MAX_ITEMS:
            problems.append(f"{path} has {len(value)} entries: {MAX_ITEMS} are the most")
            return ()
        for number, item in enumerate(value):
            place = f"{path}[{number}]"
            if not isinstance(item, str):
                _refuse(place, "must be a text", item, problems)
            elif clause := objection(item):
                problems.append(f"{place} {shown(item)} {clause}")
        return tuple(value)

    return read


def choices(*allowed: str, plural: str) -> Reader:
    """A list of some of these words."""

    def objection(text: str) -> str | None:
        return None if text in allowed else f"is not one of the {plural}: {_one_of(allowed, text)}"

    return texts(objection)


def choice(*allowed: str) -> Reader:
    def read(value: Any, path: str, problems: Problems) -> Any:
        if not isinstance(value, str) or value not in allowed:
            _refuse(path, f"must be {' or '.join(map(json.dumps, allowed))}", value, problems)
        return value

    return read


def flag(value: Any, path: str, problems: Problems) -> Any:
    return value if isinstance(value, bool) else _refuse(path, "must be true or false", value, problems)


def text(value: Any, path: str, problems: Problems) -> Any:
    return value if isinstance(value, str) else _refuse(path, "must be a text", value, problems)


def whole(least: int, most: int) -> Reader:
    return _number(least, most, (int,), "a whole number")


def number(least: float, most: float) -> Reader:
    return _number(least, most, (int, float), "a number")


def _number(least: float, most: float, kinds: tuple[type, ...], what: str) -> Reader:
    def read(value: Any, path: str, problems: Problems) -> Any:
        if type(value) not in kinds or not least <= value <= most:
            return _refuse(path, f"must be {what} from {least} to {most}", value, problems)
        return value

    return read


def shown(value: Any) -> str:
    """A value for a sentence, short, with nothing hidden in it."""
    if isinstance(value, dict):
        return "an object" if value else "{}"
    if isinstance(value, list):
        return "a list" if value else "[]"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def nearest(word: str, known: Mapping[str, Any] | tuple[str, ...]) -> str | None:
    import difflib  # only on the way to an error: it would slow down every start

    folded, word = {name.casefold(): name for name in known}, word[:100].casefold()
    begun = [name for name in folded if len(word) > 3 and name.startswith(word)]
    near = begun or difflib.get_close_matches(word, folded, n=1)
    return folded[near[0]] if near else None


def _refuse_odd_keys(value: dict[str, Any], path: str, fields: Mapping[str, Field], problems: Problems) -> None:
    for key in value.repeated if isinstance(value, Object) else ():
        problems.append(f"{path} has the key {shown(key)} more than once: keep one")
    for key in value:
        if key not in fields:
            problems.append(f"{path} has the unknown key {shown(key)}: {_one_of(fields, key)}")


def _one_of(known: Mapping[str, Any] | tuple[str, ...], word: str) -> str:
    near = nearest(word, known)
    return f"did you mean {json.dumps(near)}?" if near else f"use {', '.join(known)}"


def _refuse(path: str, wanted: str, value: Any, problems: Problems) -> Any:
    problems.append(f"{path} {wanted}, but is {shown(value)}")
