"""Lines of a pipeline in which names stand for what is given elsewhere, and those lines with it put in.

Rule: a part that is called in one way, or gives a name one value, has it in the place of the name. A command of a part
that is called in several ways stands there once for each. What only running could tell stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

COMMAND = later(r"(?P<head>\s*(?:-[ \t]+)?(?:[\w-]+:[ \t]+)?)(?P<command>[^\s|>&*!].*)")
SETTING = later(r"\s*(?:-[ \t]+)?(?!(?:run|command|script|bash|sh|pwsh|name|label|displayName)\b)[\w-]+:")
"""A line that is no command, nor just a name: what it says counts elsewhere."""
OPEN = later(r"<<|\$[\[{(]|\$\w|\{\{")
MOST = 256
"""No service runs a job more often."""
Entry = Mapping[str, str]
"""What the names are in one call, or in one run of a matrix."""


@record
class Block:
    """Lines, counted from 0, of which `end` is the first behind it; `hole` finds a `name` in them."""

    start: int
    end: int
    hole: re.Pattern[str]
    entries: Sequence[Entry]
    between: str = " && "
    """What stands between the commands that one line becomes; nothing where it can be one only."""


@record
class Filled:
    """A line in which something was put in: what it comes to in each of the ways."""

    head: str
    texts: tuple[str, ...]
    between: str

    @property
    def text(self) -> str:
        return self.head + self.between.join(self.texts)


def filled(lines: Sequence[str], blocks: Iterable[Block]) -> dict[int, Filled]:
    """By their numbers the lines in which something was put in."""
    found: dict[int, Filled] = {}
    for block in blocks:
        for number in range(block.start, min(block.end, len(lines))):
            line = found[number].text if number in found else lines[number]
            other = _line(line, block) if block.hole.search(line) is not None else None
            if other is not None and other.text != line:
                found[number] = other
    return found


def _line(line: str, block: Block) -> Filled | None:
    command = COMMAND.fullmatch(line)
    texts = tuple(dict.fromkeys(_with(line if command is None else command["command"], block)))
    head = "" if command is None else command["head"]
    if not texts or (len(texts) > 1 and (command is None or not block.between or SETTING.match(head) is not None)):
        return None
    return Filled(head, texts, block.between)


def _with(text: str, block: Block) -> Iterator[str]:
    """What the text is for each of the ways; as it is in one of which nothing is known."""
    for entry in block.entries[:MOST]:
        yield block.hole.sub(lambda found, entry=entry: _value(found, entry), text)  # type: ignore[misc]


def _value(found: re.Match[str], entry: Entry) -> str:
    value = entry.get(found["name"])
    return found[0] if value is None or OPEN.search(value) is not None else value


def end_of(lines: Sequence[str], start: int) -> int:
    """The first line behind a block of YAML that begins with a line, or that stands below it."""
    deep = depth(lines[start])
    for number in range(start + 1, len(lines)):
        if lines[number].strip() and depth(lines[number]) < deep:
            return number
    return len(lines)
