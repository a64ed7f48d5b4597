"""Reading the pipe of a process that may never answer: every wait has a limit."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

_READ = 1 << 18


class TimedPipe:
    """A buffered reader of a pipe. Raises TimeoutError when nothing comes, EOFError when nothing more can."""

    def __init__(self, descriptor: int, timeout_s: float) -> None:
        self._descriptor = descriptor
        self._timeout_ms = timeout_s * 1000
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._buffer = b""
        self._at = 0

    def line(self) -> bytes:
        """The next line, without its end."""
        parts = []
        while (end := self._buffer.find(b"\n", self._at)) < 0:
            parts.append(self._buffer[self._at :])
            self._fill()
        parts.append(self._buffer[self._at : end])
        self._at = end + 1
        return b"".join(parts)

    def chunks(self, size: int) -> Iterator[bytes]:
        """The next `size` bytes, in pieces as they come."""
        while size:
            if self._at == len(self._buffer):
                self._fill()
            piece = self._buffer[self._at : self._at + size]
            self._at += len(piece)
            size -= len(piece)
            yield piece

    def read(self, size: int) -> bytes:
        return b"".join(self.chunks(size))

    def _fill(self) -> None:
        if not self._poll.poll(self._timeout_ms):
            raise TimeoutError
        self._buffer, self._at = os.read(self._descriptor, _READ), 0
        if not self._buffer:
            raise EOFError
