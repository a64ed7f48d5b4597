"""Schemas in which a reference takes the place of all that stands beside it (policy set v2, class G05).

    "$ref": "#/definitions/record",
    "required": ["id", "total"]

In the drafts 3 to 7 of JSON Schema, whatever stands beside a `$ref` is ignored.

Rule: an object of such a schema (JSON, its `$schema` says which) gains a `$ref` beside what it demanded before: those
demands count no more, though they still stand there. In data of tests it blocks, elsewhere it is for a person. Notes
(`description`, `title`) demand nothing, and in `allOf` a reference is one demand among others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

OLD = later(r"json-schema\.org/draft-0[3-7]/")
DEMANDS = frozenset(
    (
        *("required", "properties", "additionalProperties", "patternProperties", "type", "enum", "const", "pattern"),
        *("items", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "minLength", "maxLength", "format"),
        *("allOf", "anyOf", "oneOf", "not", "dependencies", "minProperties", "maxProperties", "multipleOf", "contains"),
    )
)
MOST_DEEP, LONGEST = 40, 1_000_000
Place = tuple[str, ...]


def schema_siblings(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and file.path.endswith(".json") and b'"$ref"' in file.added_text:
            yield from _judged(file, change)


def _judged(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (_read(data) for data in (change.blobs.before(file.path), change.blobs.after(file.path)))
    if after is None or not OLD.search(str(after.get("$schema", ""))):
        return
    old = dict(_objects(before, ())) if before is not None else {}
    for place, found in _objects(after, ()):
        was = old.get(place, {})
        ignored = sorted(DEMANDS & found.keys() & was.keys()) if "$ref" in found and "$ref" not in was else []
        if ignored:
            rule = "test.weakened" if TEST_PLACE.search(file.path) else "test.somewhat-weaker"
            detail = f"beside $ref these are ignored: {', '.join(ignored)}"
            line = next((number for number, text in file.added() if b'"$ref"' in text), 1)
            yield hit_at(rule, file.path, line, detail, str(found["$ref"]), key="/".join(place))


def _read(data: bytes | None) -> dict[str, Any] | None:
    if data is None or len(data) > LONGEST:
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _objects(value: object, place: Place) -> Iterator[tuple[Place, dict[str, Any]]]:
    if len(place) > MOST_DEEP:
        return
    if isinstance(value, dict):
        yield place, value
        for key, each in value.items():
            yield from _objects(each, (*place, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _objects(each, (*place, str(number)))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (schema_siblings,)
