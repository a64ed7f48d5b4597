"""Topics and patterns of topics: how they are written, what matches, what only Ralph may publish.

Rules (spec: events; design decision 19, section 8):

- A topic is segments parted by single points; a segment is ASCII letters, digits, `_` and `-`. Topics are compared
  exactly, upper and lower case told apart.
- In a pattern a segment may be `*`: any one segment (`impl.*` matches `impl.done`, not `impl.a.b`). `*` alone is every
  topic, and the last resort: whoever listens to it gets what no other trigger matches.
- Between patterns that match, the more specific one comes first: fewer stars, `*` alone at the end.
- Reserved topics are Ralph's own and a person's. No agent publishes them, in whatever case it writes them.
- Negative topics only lower: they report that something is not done, so nothing needs to be proved.
"""

from __future__ import annotations

import re

EVERY = "*"
RESERVED = ("human.*", "loop.*", "task.*", "build.task")
NEGATIVE = ("*.blocked", "verify.failed")
LONGEST = 200

_SEGMENT = r"[A-Za-z0-9_-]+"
_TOPIC = re.compile(rf"{_SEGMENT}(?:\.{_SEGMENT})*")
_PATTERN = re.compile(rf"(?:\*|{_SEGMENT})(?:\.(?:\*|{_SEGMENT}))*")


def is_topic(text: str) -> bool:
    return len(text) <= LONGEST and _TOPIC.fullmatch(text) is not None


def is_pattern(text: str) -> bool:
    """Whether it may stand where topics are listened to. Every topic is a pattern too."""
    return len(text) <= LONGEST and _PATTERN.fullmatch(text) is not None


def matches(pattern: str, topic: str) -> bool:
    if pattern in (EVERY, topic):
        return True
    if EVERY not in pattern:
        return False
    wanted, given = pattern.split("."), topic.split(".")
    return len(wanted) == len(given) and all(each in (EVERY, part) for each, part in zip(wanted, given, strict=True))


def vagueness(pattern: str) -> int:
    """The sort key of specificity: 0 is a topic, then each star counts. `*` alone is vaguer than anything else."""
    return LONGEST if pattern == EVERY else pattern.split(".").count(EVERY)


def overlap(one: str, other: str) -> bool:
    """Whether some topic matches both patterns."""
    if EVERY in (one, other):
        return True
    left, right = one.split("."), other.split(".")
    if len(left) != len(right):
        return False
    return all(EVERY in (a, b) or a == b for a, b in zip(left, right, strict=True))


def is_reserved(topic: str) -> bool:
    """Whether only Ralph or a person publishes it; whatever lies below a reserved name is reserved with it."""
    return any(f"{topic.lower()}.".startswith(f"{name}.") for name in _RESERVED)


def is_negative(topic: str) -> bool:
    return any(matches(pattern, topic) for pattern in NEGATIVE)


_RESERVED = tuple(pattern.removesuffix(".*") for pattern in RESERVED)
