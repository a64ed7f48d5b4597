"""What the product only calls otherwise now: a name is gone, but not what it stood for (see `context`).

Rules:

- A function or class has another name, or a parameter of it has one, if the head has one that begins with as many new
  names as names went, and says nearly the same.
- It begins on a line that says so, and ends where no deeper line follows: in code that a formatter has written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ralph.record import record
from ralph.system.patterns import later

MOSTLY = 0.6
MOST_TWINS = 3
LONGEST = 400
"""Longer lines no formatter writes."""
BEGINS = later(
    rb"[ \t]*(?:(?:async|export|default|public|private|protected|internal|static|final|abstract|override|sealed|open"
    rb"|suspend|virtual|unsafe|pub(?:\([^()\n]*\))?|const|let|var)[ \t]+)*"
    rb"(?:(?:def|class|func|fn|fun|function|interface|struct|enum|trait|module|object|record)\b"
    rb"|\w[\w<>\[\], ?.]*(?:\([^\n;=]*)?(?:\{|=>[^\n]*)?[ \t]*$"
    rb"|\w+[^\n=]*=[ \t]*(?:async\b[ \t]*)?(?:function\b|[^\n]*=>))"
)
"""The line on which a function or class may begin; what else it takes for one is compared in vain."""
GOES_ON = later(rb"[\])}{]|(?:end|rescue|ensure)\b")
"""A line that is no deeper and still belongs to it."""
WORD = later(rb"[A-Za-z_$][\w$]*")
NAME = later(WORD.pattern.decode())
ONE_LINE = later(rb"(?:=>|\)\s*[:={]|\breturn\b).*\w.*\w")
"""All that a function does stands on the line on which it begins."""
SAYS = later(rb"\w.*\w")
HIDDEN = b"\0"


@record
class Piece:
    """How a function or class begins, and its other lines, without the names that are looked for."""

    names: tuple[bytes, ...]
    """Those that it begins with."""
    lines: Mapping[bytes, int]
    """How often it says what."""


class Names:
    """`gone` and `new` are the names that only one side of the product's changed files defines."""

    def __init__(
        self, before: Sequence[bytes], after: Sequence[bytes], gone: frozenset[str], new: frozenset[str]
    ) -> None:
        self.gone, self.new = gone, new
        self._before, self._after = before, after

    @cached_property
    def renamed(self) -> frozenset[str]:
        """Those that are gone, but not what they stood for."""
        gone, new = (frozenset(word.encode() for word in words) for words in (self.gone, self.new))
        came = [piece for text in self._after for piece in _pieces(text, new)] if gone else []
        places: dict[bytes, list[int]] = defaultdict(list)
        for number, piece in enumerate(came):
            for line in piece.lines:
                places[line].append(number)
        kept, lost = set[bytes](), set[bytes]()
        for piece in (piece for text in self._before for piece in _pieces(text, gone)) if came else ():
            alike = Counter(number for line in piece.lines for number in places.get(line, ()))
            same = any(_is_same(piece, came[number]) for number, _ in alike.most_common(MOST_TWINS))
            (kept if same else lost).update(piece.names)
        return frozenset(word.decode("utf-8", "replace") for word in kept - lost)

    def by_old(self, text: str) -> str:
        """The text without the names that are gone."""
        return _without(text, self.gone)

    def by_new(self, text: str) -> str:
        """The text without the names that are new: the same as `by_old` of one that used the old ones."""
        return _without(text, self.new)


def _without(text: str, names: frozenset[str]) -> str:
    return NAME.sub(lambda match: "" if match[0] in names else match[0], text)


def _is_same(old: Piece, new: Piece) -> bool:
    shared = sum(min(number, new.lines.get(line, 0)) for line, number in old.lines.items())
    most = max(sum(old.lines.values()), sum(new.lines.values()))
    return len(new.names) >= len(old.names) and shared >= MOSTLY * most


def _pieces(text: bytes, names: frozenset[bytes]) -> Iterator[Piece]:
    """Functions and classes that begin with one of the names, if they say anything else."""
    if names.isdisjoint(WORD.findall(text)):
        return
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        named = len(line) < LONGEST and (line.rstrip().endswith(b"(") or not names.isdisjoint(WORD.findall(line)))
        if named and BEGINS.match(line) is not None:
            end = _end(lines, at)
            begin = _beginning(lines, at, end)
            found = tuple(word for each in lines[at:begin] for word in WORD.findall(each) if word in names)
            said = [_hidden(each, names) for each in lines[begin:end] if SAYS.search(each)]
            if not said and ONE_LINE.search(line):
                said = [_hidden(line, names)]
            if found and said:
                yield Piece(names=found, lines=Counter(said))


def _end(lines: Sequence[bytes], at: int) -> int:
    deep, end = _depth(lines[at]), at + 1
    while end < len(lines):
        line = lines[end]
        if line.strip() and _depth(line) <= deep and GOES_ON.match(line.lstrip()) is None:
            break
        end += 1
    return end


def _beginning(lines: Sequence[bytes], at: int, end: int) -> int:
    """Behind the last of its parameters."""
    opened = 0
    for number in range(at, end):
        opened += lines[number].count(b"(") - lines[number].count(b")")
        if opened <= 0:
            return number + 1
    return end


def _depth(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _hidden(line: bytes, names: frozenset[bytes]) -> bytes:
    return WORD.sub(lambda match: HIDDEN if match[0] in names else match[0], line.strip())
