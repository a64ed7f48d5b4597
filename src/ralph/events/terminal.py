"""Terminal control sequences in what an agent sends (design section 8, rule 1; ECMA-48).

Rules:
- CSI, OSC and DCS sequences are removed, in seven-bit (`ESC [`) and eight-bit form (U+009B). A tool's colours do not
  hide evidence.
- A sequence ends on its line, and its body holds no control character. Anything else is no sequence: its introducer
  stays, and is a control character that is left.
- What is removed is removed once: the rest never joins into a further sequence that would be removed too.
- A tab is a blank sort of character, and line ends part lines; every other control character is one that is left.
"""

from __future__ import annotations

import re

_BODY = r"[^\x00-\x08\x0a-\x1f\x7f-\x9f]*+"
_STRING_END = r"(?:\x1b\\|\x9c)"
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"  # CSI: parameters, intermediates, one final byte
    rf"|(?:\x1b\]|\x9d){_BODY}(?:\x07|{_STRING_END})"  # OSC
    rf"|(?:\x1bP|\x90){_BODY}{_STRING_END}"  # DCS
)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_SUSPECT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def stripped(text: str) -> str:
    """The text without its terminal control sequences."""
    return _SEQUENCE.sub("", text) if _SUSPECT.search(text) else text


def has_control(text: str) -> bool:
    """Whether a control character stands in it; line ends count, tabs do not."""
    return _CONTROL.search(text) is not None


def has_control_within_lines(text: str) -> bool:
    return _SUSPECT.search(text) is not None


def without_control(text: str) -> str:
    return _CONTROL.sub("", text)
