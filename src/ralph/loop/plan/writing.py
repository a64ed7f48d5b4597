"""A plan as the bytes of its file: indented for people, and written from templates, because the indenting writer of
the standard library takes ten times as long for a plan of 10,000 tasks (design decision 32).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring as quoted
from typing import Any

from ralph.loop.plan.model import ImplementationPlan, Task


def plan_bytes(plan: ImplementationPlan, tasks: Iterable[bytes]) -> bytes:
    """The file; `tasks` are the `task_bytes` of its tasks, in their order."""
    listed = b",\n".join(tasks)
    times = {name: getattr(plan, name) for name in ("created_at", "last_modified", "frozen_at")}
    rest = _fields({**times, **plan.extra}, "  ")
    return b'{\n  "tasks": [' + (b"\n" + listed + b"\n  " if listed else b"") + b"],\n" + _encoded(rest) + b"\n}\n"


def task_bytes(task: Task) -> bytes:
    """One task as it stands in the list of tasks."""
    text = f"""    {{
      "id": {quoted(task.id)},
      "description": {quoted(task.description)},
      "priority": {task.priority},
      "status": "{task.status.value}",
      "dependencies": {_list(task.dependencies)},
      "verification_criteria": {_list(task.verification_criteria)},
      "blockers": {_list(task.blockers)},
      "estimated_tokens": {task.estimated_tokens},
      "actual_tokens_used": {_or_null(task.actual_tokens_used)},
      "completion_notes": {"null" if task.completion_notes is None else quoted(task.completion_notes)},
      "completed_at": {"null" if task.completed_at is None else quoted(task.completed_at)},
      "retry_count": {task.retry_count},
      "spec_files": {_list(task.spec_files)}"""
    more = f",\n{_fields(task.extra, '      ')}" if task.extra else ""
    return _encoded(f"{text}{more}\n    }}")


def _list(texts: tuple[str, ...]) -> str:
    if not texts:
        return "[]"
    return "[\n        " + ",\n        ".join(map(quoted, texts)) + "\n      ]"


def _or_null(number: int | None) -> str:
    return "null" if number is None else str(number)


def _fields(values: Mapping[str, Any], indent: str) -> str:
    return ",\n".join(
        f"{indent}{quoted(name)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for name, value in values.items()
    )


def _encoded(text: str) -> bytes:
    """Half a surrogate pair, which UTF-8 has no place for, becomes the escape that JSON has for it."""
    return text.encode("utf-8", "backslashreplace")
