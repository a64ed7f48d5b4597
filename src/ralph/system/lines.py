"""Bytes that come in pieces, as lines of bounded length.

Rules: a line ends at LF and at nothing else, and nothing in it is decoded. Of a longer one the beginning is kept and
the rest counted, so no output, however long, takes more memory than one line and one piece. What comes after the last
LF is a line as well, once nothing more can come.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.record import record

LONGEST = 16 << 20


@record
class Line:
    """A line without its end. `left_out` bytes of it were too many."""

    data: bytes
    left_out: int = 0


class Lines:
    """Takes pieces, gives lines."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[Line]:
        """The lines that this piece completes. To be exhausted before the next piece."""
        *whole, rest = piece.split(b"\n")
        for part in whole:
            self._keep(part)
            yield self._taken()
        self._keep(rest)

    def rest(self) -> Line | None:
        """What came after the last line end, if anything did."""
        return self._taken() if self._size else None

    def _keep(self, part: bytes) -> None:
        room = self._longest - self._size
        if part and room > 0:
            self._parts.append(part[:room])
        self._size += len(part)

    def _taken(self) -> Line:
        line = Line(b"".join(self._parts), max(0, self._size - self._longest))
        self._parts, self._size = [], 0
        return line
