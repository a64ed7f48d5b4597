"""Names that are given something decoded (see `encoded`).

In lines that people write a name stands for one thing. A line that a tool packed gives the same short names again and
again: there one counts only close behind the place where it is given, as far as one statement reaches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ralph.system.patterns import later

DECODES = later(
    rb"b(?:64|32|16|85)decode|a85decode|standard_b64decode|decodebytes|fromhex|unhexlify|a2b_\w+|\bdecompress\b"
    rb"|codecs\.decode|marshal\.loads"
    rb"|rot_?13|\batob\s*\(|Buffer\.from\s*\([^)]*[\"'](?:base64|hex)|fromCharCode|\bunescape\s*\(|base64_decode"
    rb"|gzinflate|gzuncompress"
    rb"|hex2bin|convert_uu|(?:strict_|urlsafe_)?decode64|unpack1?\s*\(?\s*[\"'][mH]|getDecoder|FromBase64String"
    rb"|\[::-1\]|reverse\(\)\.join"
    rb"|(?:bytes|bytearray)\s*\(\s*[\[(]|\bchr\s*\(\s*\w|join\s*\(\s*map\s*\(\s*chr|DecodeString"
)
ASSIGNED = later(
    rb"(?:.*[;{}(,]|\s*)\s*(?:(?:const|let|var|my|auto|\$)\s*)?\$?([A-Za-z_]\w*)\s*(?::\s*\w+\s*)?:?=(?!=)"
)
PACKED, NEAR = 2000, 300
MARKS = later(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[()]")
REACH = 4000
"""So many bytes behind an opening parenthesis belong to a call at most."""
LONGEST = 100_000
"""What is decoded may be long."""


def closing(data: bytes, opening: int, reach: int = REACH) -> int | None:
    """The parenthesis that closes the one at `opening`; strings are passed over."""
    depth = 0
    for match in MARKS.finditer(data, opening, min(len(data), opening + reach)):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return None


class Given:
    """The names of a file, with the places at which they are given something decoded. `decoders` are in order."""

    def __init__(self, data: bytes, decoders: Iterable[int]) -> None:
        self._data = data
        self._anywhere: dict[bytes, int] = {}
        self._packed: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
        """Where the decoder stands, and where its call ends."""
        for at in decoders:
            self._read(at)

    def line(self, name: bytes, used: int) -> int:
        """The line on which what stands at `used` was given something decoded, or 0."""
        near = (at for at, end in self._packed.get(name, ()) if at <= used <= end + NEAR)
        at = self._anywhere.get(name, next(near, -1))
        return self._data.count(b"\n", 0, at) + 1 if at >= 0 else 0

    def _read(self, at: int) -> None:
        data = self._data
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        end = end if end >= 0 else len(data)
        packed = end - start >= PACKED
        match = ASSIGNED.match(data, max(start, at - NEAR) if packed else start, at)
        if match is None:
            return
        if packed:
            opening = data.find(b"(", at, at + NEAR)
            end = min(end, ((closing(data, opening, LONGEST) if opening >= 0 else None) or at) + 1)
        if DECODES.search(data, match.end(), max(end, at + 1)):
            if packed:
                self._packed[match[1]].append((at, end))
            else:
                self._anywhere.setdefault(match[1], at)
