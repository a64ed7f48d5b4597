"""Input schemas, put together from the limits of what is written with them. Only what is needed is required."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ralph.events.topics import LONGEST
from ralph.loop.plan.limits import ID, MAX_CRITERION, MAX_DESCRIPTION, MAX_PRIORITY, MAX_TOKENS
from ralph.mcp.validate import NOT_BLANK

Schema = Mapping[str, Any]

MOST_LISTED = 100
LONGEST_REASON = 2_000
LONGEST_NOTES = 20_000


def arguments(*required: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def text(description: str, most: int) -> Schema:
    """Anything but blanks."""
    return {"type": "string", "pattern": NOT_BLANK, "maxLength": most, "description": description}


def free(description: str, most: int) -> Schema:
    """May be empty."""
    return {"type": "string", "maxLength": most, "description": description}


def choice(description: str, *values: str) -> Schema:
    return {"type": "string", "enum": [str(each) for each in values], "description": description}


def whole(description: str, least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


def texts(description: str, most: int) -> Schema:
    """Several, or a single one."""
    one = {"type": "string", "pattern": NOT_BLANK, "maxLength": most}
    return {"anyOf": [{"type": "array", "items": one, "maxItems": MOST_LISTED}, one], "description": description}


def names(description: str, item: Schema) -> Schema:
    """A list, or a text with commas between."""
    several = {"type": "string", "maxLength": MOST_LISTED * 100}
    return {"anyOf": [{"type": "array", "items": item, "maxItems": MOST_LISTED}, several], "description": description}


NOTHING = arguments()
TASK_ID: Schema = {"type": "string", "maxLength": 100, "pattern": f"^{ID.pattern}$", "description": "The task's id."}
DESCRIPTION = text("What to do, for somebody who knows only this, the criteria and the code.", MAX_DESCRIPTION)
PRIORITY: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": MAX_PRIORITY},
        {"type": "string", "pattern": "^0*(1000|[1-9][0-9]{0,2})$"},
    ],
    "description": f"1 (done first) to {MAX_PRIORITY}; 1 if left out.",
}
DEPENDENCIES = names("Ids of the tasks that must be complete first: a list, or with commas between.", TASK_ID)
CRITERIA = texts(
    'How one sees that it is done; at least one should be a command: `<command> passes` or verify:"<command>".',
    MAX_CRITERION,
)
SPEC_FILES = names(
    "Files of specs/ that it serves: a list, or with commas between.",
    {"type": "string", "pattern": NOT_BLANK, "maxLength": 500},
)
ESTIMATE = whole("Estimated tokens; 30,000 if left out.", 0, MAX_TOKENS)
TOKENS_USED = whole("How many tokens you think it took. Ralph counts for itself.", 0, MAX_TOKENS)
NOTES = free("What you checked, and what came of it.", LONGEST_NOTES)
REASON = text("Why; a person may read it.", LONGEST_REASON)
TOPIC = text("The topic, such as build.done.", LONGEST)
