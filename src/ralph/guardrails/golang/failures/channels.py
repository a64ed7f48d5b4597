"""Go: what a test receives through a channel of its own, from a function that runs beside it (see `failing`).

Rule: the test makes the channel, and besides that only one place sends to it, one receives from it, and it may be
closed. What is sent there, under no condition and in no loop, is what is received.

What a test wants to receive, and sends by itself as it is written down, says nothing of the product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import tree_sitter

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import replace
from ralph.system.patterns import later

MADE = later(r"\b(\w+)\s*:?=\s*make\(chan\b")
SENT = later(r"(?<![\w.])(\w+)\s*<-")
RECEIVED = later(r"<-\s*(\w+)\b(?!\s*[.(\[])")
CLOSED = later(r"\bclose\((\w+)\)")
SENDING = frozenset({"send_statement"})
WORD = later(r"\b\w+\b")


class Channels:
    def __init__(self, body: str) -> None:
        made = MADE.findall(body)
        self._known = _used_once(made, body) if made else frozenset()
        self._noted: dict[str, list[tuple[int, frozenset[str], str]]] = {}

    def note(self, send: tree_sitter.Node, holds: frozenset[str], value: str) -> None:
        """Under which conditions a place sends which value."""
        channel = send.child_by_field_name("channel")
        if channel is not None and text_of(channel) in self._known:
            self._noted.setdefault(text_of(channel), []).append((send.start_byte, holds, value))

    def sent_by(self, node: tree_sitter.Node, holds: frozenset[str]) -> Mapping[str, str]:
        """What the function sends that a `go` statement starts, by how it is received."""
        if node.type != "go_statement":
            return {}
        return {
            f"<-{name}": noted[0][2]
            for name, noted in self._noted.items()
            if len(noted) == 1 and node.start_byte < noted[0][0] < node.end_byte and noted[0][1] == holds
        }


def _used_once(made: list[str], body: str) -> frozenset[str]:
    times = Counter(WORD.findall(body))
    ways = [Counter(pattern.findall(body)) for pattern in (SENT, RECEIVED)]
    closed = Counter(CLOSED.findall(body))
    return frozenset(name for name in made if all(way[name] == 1 for way in ways) and times[name] == 3 + closed[name])


def sent_to(sends: Iterable[tree_sitter.Node]) -> Iterator[str]:
    """The channels that a test sends to, by their names: two that are made alike are two."""
    channels = (node.child_by_field_name("channel") for node in sends)
    return (text_of(channel) for channel in channels if channel is not None)


def without_own_sent(checks: Iterable[Check], sends: Iterable[tree_sitter.Node], writing: Writing) -> Iterator[Check]:
    """The assertions of a test, those about what it sent by itself as the nothing that they say."""
    listed = list(checks)
    receiving = any(each.grade and each.known and each.subject.startswith("<-") for each in listed)
    sent = set(_sent(sends, writing)) if receiving else set()
    for each in listed:
        own = each.grade and each.known and (each.subject, each.wanted) in sent
        yield replace(each, grade=Grade.NOTHING, why="the test sent it itself") if own else each


def _sent(sends: Iterable[tree_sitter.Node], writing: Writing) -> Iterator[tuple[str, str]]:
    """How each value is received that a statement sends, and the value."""
    for node in sends:
        channel, value = node.child_by_field_name("channel"), node.child_by_field_name("value")
        if channel is not None and value is not None:
            yield f"<-{writing.of(channel)}", writing.of(value)
