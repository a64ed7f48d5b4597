"""Inputs as lines of a run's log, and back: the name of the class as `kind`, its fields as they are.

Rules: whatever a client reports can be written down and read again. Text that is no UTF-8 is written out; what is no
number is unknown, and what is larger than a number can be is as large as it can be. So an input is not always what
comes back, and what comes back counts.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, get_args

from ralph.errors import ConfigError, StorageError
from ralph.loop.inputs import Input
from ralph.system import records

KINDS: Mapping[str, type[Any]] = {kind.__name__: kind for kind in get_args(Input)}


def to_record(given: Input) -> dict[str, Any]:
    """What stands in the log. Fields that have their default are left out."""
    return {"kind": type(given).__name__, **_fields(given)}


def from_record(record: object, where: str) -> Input:
    """The input that a line holds. Raises StorageError that names the line."""
    if isinstance(record, dict) and isinstance(kind := record.get("kind"), str) and kind in KINDS:
        try:
            given: Input = records.parse(KINDS[kind], {k: v for k, v in record.items() if k != "kind"}, where)
        except ConfigError as error:
            raise StorageError(f"{str(error).rstrip('.')}; was it written by another version of Ralph?") from None
        return given
    raise StorageError(f"{where} is no line of a run's log: restore the log, or start a new run.")


def _fields(value: Any) -> dict[str, Any]:
    fields = {}
    for field in dataclasses.fields(value):
        held = getattr(value, field.name)
        is_default = field.default is not dataclasses.MISSING and held == field.default
        if not is_default:
            fields[field.name] = _plain(held)
    return fields


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _fields(value)
    if isinstance(value, Mapping):
        return {_plain(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value)
    return value


def _number(value: int | float) -> int | float | None:
    if not math.isfinite(value):
        return None
    return max(-records.LARGEST, min(records.LARGEST, value))
