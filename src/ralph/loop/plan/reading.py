"""A plan from the bytes of its file, strictly: whatever is not as it must be is one clause, never a guess.

Rules (spec: core concepts, ImplementationPlan; design decision 32):

- Keys that are missing get their defaults (the spec's example has no status and no dates); only `id` and
  `description` are needed. Keys that nobody knows are kept.
- Types are taken at their word: a text is no number, `null` only stands where nothing is a value.
- Ids are unique. Cycles and unknown dependencies are for `selection.check`: a person must be able to see such a plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from typing import Any

from ralph.loop.plan.limits import ID, ID_RULE
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.system.files import parse_json
from ralph.system.records import LARGEST

_STATES = {str(each): each for each in TaskStatus}
_DEEPEST = 50


def read_plan(data: bytes) -> ImplementationPlan:
    """Raises ValueError with a clause that says what is wrong, and where."""
    try:
        value = parse_json(data.decode("utf-8-sig").encode())
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    if type(value) is not dict:
        raise ValueError(f"it must hold an object with the key 'tasks', but holds {_kind(value)}")
    if type(value.get("tasks")) is not list:
        found = _kind(value["tasks"]) if "tasks" in value else "missing"
        raise ValueError(f"'tasks' must be a list, but is {found}")
    tasks = tuple(_task(each, number) for number, each in enumerate(value["tasks"], start=1))
    _refuse_twins(tasks)
    times = {name: _in("the plan", name, _time, value[name]) for name in _TIMES if name in value}
    return ImplementationPlan(tasks=tasks, **times, extra=_unknown(value, {"tasks", *_TIMES}, "the plan"))


def _task(value: Any, number: int) -> Task:
    where = f"task number {number}"
    if type(value) is not dict:
        raise ValueError(f"{where} must be an object, but is {_kind(value)}")
    fields: dict[str, Any] = {}
    for name, read in _FIELDS.items():
        if name in value:
            try:
                fields[name] = read(value[name])
            except _UnlikeError as unlike:
                known = f" ({fields['id']!r})" if "id" in fields else ""
                raise ValueError(f"{name!r} of {where}{known} must be {unlike}, but is {_short(value[name])}") from None
    for name in ("id", "description"):
        if name not in fields:
            raise ValueError(f"{where} has no {name!r}")
    if len(fields) < len(value):
        fields["extra"] = _unknown(value, _FIELDS.keys(), where)
    return Task(**fields)


def _refuse_twins(tasks: tuple[Task, ...]) -> None:
    if len({each.id for each in tasks}) == len(tasks):
        return
    seen: set[str] = set()
    for each in tasks:
        if each.id in seen:
            raise ValueError(f"two tasks have the id {each.id!r}")
        seen.add(each.id)


class _UnlikeError(Exception):
    """Says what the value should have been."""


def _in(where: str, name: str, read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except _UnlikeError as unlike:
        raise ValueError(f"{name!r} of {where} must be {unlike}, but is {_short(value)}") from None


def _text(value: Any) -> str:
    if type(value) is not str:
        raise _UnlikeError("text")
    return value


def _id(value: Any) -> str:
    if type(value) is not str or not ID.fullmatch(value):
        raise _UnlikeError(f"an id ({ID_RULE})")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if type(value) is not list or any(type(each) is not str for each in value):
        raise _UnlikeError("a list of texts")
    return tuple(value)


def _ids(value: Any) -> tuple[str, ...]:
    if type(value) is not list or any(type(each) is not str or not ID.fullmatch(each) for each in value):
        raise _UnlikeError("a list of task ids")
    return tuple(value)


def _whole(value: Any, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= LARGEST:
        raise _UnlikeError(f"a whole number of at least {least}")
    return value


def _priority(value: Any) -> int:
    return _whole(value, least=1)


def _status(value: Any) -> TaskStatus:
    if type(value) is not str or value not in _STATES:
        raise _UnlikeError(" or ".join(_STATES))
    return _STATES[value]


def _time(value: Any) -> str | None:
    if value is None:
        return None
    try:
        datetime.fromisoformat(_text(value))
    except (_UnlikeError, ValueError):
        raise _UnlikeError("a time such as 2026-01-20T10:00:00Z, or null") from None
    return str(value)


def _or_null(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


_TIMES = ("created_at", "last_modified", "frozen_at")
_FIELDS: dict[str, Callable[[Any], Any]] = {
    "id": _id,
    "description": _text,
    "priority": _priority,
    "status": _status,
    "dependencies": _ids,
    "verification_criteria": _texts,
    "blockers": _texts,
    "estimated_tokens": _whole,
    "actual_tokens_used": _or_null(_whole),
    "completion_notes": _or_null(_text),
    "completed_at": _time,
    "retry_count": _whole,
    "spec_files": _texts,
}


def _unknown(value: dict[str, Any], known: Any, where: str) -> dict[str, Any]:
    """What this version does not know, once it is certain that it can be written again."""
    extra = {name: each for name, each in value.items() if name not in known}
    for name, each in extra.items():
        if problem := _unwritable(each, _DEEPEST):
            raise ValueError(f"{_short(name)} of {where} {problem}")
    return extra


def _unwritable(value: Any, depth: int) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return "holds a number that is too large"
    if depth == 0:
        return "is nested too deeply"
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((problem for each in inner if (problem := _unwritable(each, depth - 1))), None)


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
