"""What is wrong with arguments is told in one sentence, by the very schema that clients are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.mcp.model import Tool
from ralph.mcp.validate import problem, unknown_words

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z0-9_-]+$", "maxLength": 5},
        "priority": {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": 1000},
                {"type": "string", "pattern": "^[0-9]{1,4}$"},
            ]
        },
        "tokens": {"type": "integer", "minimum": 0, "maximum": 10_000_000},
        "share": {"type": "number", "minimum": 0},
        "mode": {"type": "string", "enum": ["append", "replace"]},
        "sure": {"type": "boolean"},
        "notes": {"type": "string", "minLength": 1},
        "reason": {"type": "string", "pattern": "\\S"},
        "names": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 2, "minItems": 1},
        "inner": {
            "type": "object",
            "properties": {"x": {"type": "integer"}},
            "required": ["x"],
            "additionalProperties": False,
        },
    },
    "required": ["id"],
    "additionalProperties": False,
}

WRONG = {
    "required and missing": ({}, "'id' is missing."),
    "null is no way to leave it out": ({"id": "a", "notes": None}, "'notes' must be a text, and is null."),
    "unknown, near": ({"id": "a", "note": ""}, "'note' is no argument of it; did you mean 'notes'?"),
    "unknown, far": (
        {"id": "a", "zzzz": 1},
        "'zzzz' is no argument of it; it takes id, priority, tokens, share, mode, sure, notes, reason, names, inner.",
    ),
    "pattern": ({"id": "a b"}, "'id' must match ^[a-z0-9_-]+$."),
    "empty by pattern": ({"id": ""}, "'id' must match ^[a-z0-9_-]+$."),
    "a line end behind it": ({"id": "a\n"}, "'id' must match ^[a-z0-9_-]+$."),
    "too long": ({"id": "aaaaaa"}, "'id' has 6 characters, and at most 5 are taken."),
    "number for a text": ({"id": 7}, "'id' must be a text, and is a whole number."),
    "true is no 1": ({"id": "a", "tokens": True}, "'tokens' must be a whole number, and is true or false."),
    "below": ({"id": "a", "tokens": -1}, "'tokens' must lie between 0 and 10,000,000."),
    "above": ({"id": "a", "tokens": 10_000_001}, "'tokens' must lie between 0 and 10,000,000."),
    "half a token": ({"id": "a", "tokens": 1.5}, "'tokens' must be a whole number, and is a number."),
    "below, without an upper end": ({"id": "a", "share": -0.5}, "'share' must be at least 0."),
    "not a number": ({"id": "a", "share": float("nan")}, "'share' must be a number, and is not finite."),
    "infinite": ({"id": "a", "tokens": float("inf")}, "'tokens' must be a whole number, and is not finite."),
    "form of two, one fits": ({"id": "a", "priority": 0}, "'priority' must lie between 1 and 1,000."),
    "form of two, the other": ({"id": "a", "priority": "high"}, "'priority' must match ^[0-9]{1,4}$."),
    "form of two, none": ({"id": "a", "priority": []}, "'priority' must be a whole number or a text, and is a list."),
    "enum": ({"id": "a", "mode": "bad"}, "'mode' must be one of: append, replace."),
    "enum, upper case": ({"id": "a", "mode": "Append"}, "'mode' must be one of: append, replace."),
    "blank": ({"id": "a", "reason": " \n\t"}, "'reason' must not be blank."),
    "empty": ({"id": "a", "notes": ""}, "'notes' must not be empty."),
    "item of another type": ({"id": "a", "names": ["x", 1]}, "'names[1]' must be a text, and is a whole number."),
    "too many items": ({"id": "a", "names": ["x"] * 3}, "'names' holds 3 items, and at most 2 are taken."),
    "too few items": ({"id": "a", "names": []}, "'names' holds 0 items, and at least 1 are taken."),
    "inside": ({"id": "a", "inner": {}}, "'inner.x' is missing."),
    "unknown inside": ({"id": "a", "inner": {"x": 1, "y": 2}}, "'inner.y' is no argument of it; it takes x."),
    "no object": ([], "The whole of the arguments must be an object, and is a list."),
}


@pytest.mark.parametrize(("arguments", "told"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_sentence(arguments: Any, told: str) -> None:
    assert problem(arguments, SCHEMA) == told


RIGHT = {
    "only what is required": {"id": "a"},
    "priority as a number": {"id": "a", "priority": 1000},
    "priority as a text": {"id": "a", "priority": "12"},
    "a whole number, written with a point": {"id": "a", "tokens": 3.0},
    "everything": {
        "id": "a-_9",
        "priority": 1,
        "tokens": 0,
        "share": 0.5,
        "mode": "replace",
        "sure": False,
        "notes": " ",
        "names": ["x"],
        "inner": {"x": 1},
    },
}


@pytest.mark.parametrize("arguments", RIGHT.values(), ids=RIGHT)
def test_what_is_not_required_may_be_left_out(arguments: Any) -> None:
    """In the first implementation every listed property was required, so a call without an optional one was refused."""
    assert problem(arguments, SCHEMA) is None


def test_a_value_is_never_repeated() -> None:
    secret = "hunter2" * 10
    for arguments in ({"id": secret}, {"id": "a", "mode": secret}, {"id": "a", "tokens": secret}):
        assert "hunter2" not in (problem(arguments, SCHEMA) or "hunter2")


def test_the_name_of_an_unknown_argument_is_cut() -> None:
    assert len(problem({"id": "a", "x" * 100_000: 1}, SCHEMA) or "") < 300


def test_a_schema_that_is_not_enforced_makes_no_tool() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [{"format": "uri"}]}}}}
    assert unknown_words(schema) == ("format",)
    with pytest.raises(ValueError, match="the schema of t holds what nobody checks: format"):
        Tool(name="t", description="", schema=schema, call=lambda given: given)


_SCALARS = st.none() | st.booleans() | st.integers(-2, 10_000_002) | st.sampled_from([0.5, 1.0, -0.0, 1e300])
_TEXTS = st.sampled_from(["", "a", "a\n", "12", "0", "append", "aaaaaa", "é", "x y", "١"])
_VALUES = st.recursive(
    _SCALARS | _TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y", *SCHEMA["properties"]]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["z", *SCHEMA["properties"]]), _VALUES) | _VALUES)
def test_it_agrees_with_json_schema(arguments: Any) -> None:
    """But for a last line end behind `$`, which Python's regular expressions let pass."""
    jsonschema = pytest.importorskip("jsonschema")
    theirs = jsonschema.Draft202012Validator(SCHEMA).is_valid(arguments)
    ours = problem(arguments, SCHEMA) is None
    assert ours == theirs or (theirs and arguments.get("id") == "a\n")
