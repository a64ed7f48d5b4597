"""Functions that checked something and accept everything now (policy set v2, class G19; see `functions`).

Rules, for functions that are called after a check (`verify`, `validate_name`, `checkSignature`), could refuse what they
were given, and take it as they took it before:

- One that only accepts (`Ok(())`, `nil`, `true`, nothing at all) blocks.
- So does one that stops short of what decided, and accepts: it throws away what it has (`let _ = (body, given)`), or
  says that the work is still to come. Without that a rule was given up, and the others stand.
- It is none of it where the work went elsewhere in the same change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ralph.record import record
from ralph.system.patterns import later

NAMES = r"verif|(?<!in)valid|check(?!point|out|ed)|authenticat|authori[sz]|ensure|enforce|permi(?:t|ssion)|signature"
CHECKS = later(rf"(?i){NAMES}")
REFUSES = {
    "rust": later(r"\bErr\(|\bmap_err\(|\bok_or|\b(?:bail|ensure|panic|assert\w*)!|\?"),
    "go": later(r"\b[eE]rr[A-Z]\w*|\berrors\.|\bErrorf\(|return .*\w\(|return err\b|\bpanic\("),
    "ruby": later(r"\b(?:raise|fail)\b|\bfalse\b"),
    **dict.fromkeys(("java", "kotlin", "csharp"), later(r"\bthrow\b|\brequire\w*\(|\bcheck\w*\(|\b\w+\.ThrowIf\w*\(")),
}
ACCEPTS = later(r"(?:return\b\s*)?(?:Ok\(\(\)\)|Ok\(true\)|true|nil|null|None)?\s*;?")
DISCARDS = later(r"(?:let\s+)?_\s*=\s*(?:&?[\w.]+|\([&\w.,\s]+\))\s*;?")
WORD = later(r"\w+")
SHORTEST = 8
"""A shorter step stands anywhere."""
EMPTIED = later(
    (
        rf"(?im)(?:{NAMES})\w*[!?]?\([^)]{{0,400}}\)[^{{}}\n]*(?:\{{|$)\s*(?:(?://|\#)[^\n]*\n\s*)*(?:return\b\s*)?"
        r"(?:Ok\((?:\(\)|true)\)|nil|null|true)?\s*;?\s*(?:\}|end\b)"
    ).encode()
)
"""One that holds nothing but its answer, somewhere in a file."""


@record
class Side:
    """A function, as texts."""

    whole: str
    steps: Sequence[str]
    given: str
    """Its parameters."""


def accepts_all(name: str, spoken: str, before: Side, after: Side, arrived: Callable[[], str], later_on: str) -> bool:
    """`arrived`: the lines that the change adds; `later_on`: a pattern of what says that work is to come."""
    if not CHECKS.search(name) or not _takes_the_same(before, after) or not before.steps:
        return False
    kept = [step for step in after.steps if not DISCARDS.fullmatch(step)]
    gone = [step for step in before.steps if step not in kept and REFUSES[spoken].search(step)]
    if kept and not ACCEPTS.fullmatch(kept[-1]):
        return False
    if not gone or not (len(kept) <= 1 or _stops_short(before, after, kept, later_on)):
        return False
    lines = arrived()
    return not any(_went_to(step, lines) for step in gone)


def _stops_short(before: Side, after: Side, kept: Sequence[str], later_on: str) -> bool:
    admits = len(kept) < len(after.steps) or (
        re.search(later_on, after.whole) and not re.search(later_on, before.whole)
    )
    decided = not ACCEPTS.fullmatch(before.steps[-1])
    return bool(admits) and decided and all(step in before.steps for step in kept[:-1])


def _takes_the_same(before: Side, after: Side) -> bool:
    """It used what it was given, and no other type came that may have been checked already."""
    old, new = set(WORD.findall(before.given)), {word.lstrip("_") for word in WORD.findall(after.given)}
    used = set(WORD.findall(" ".join(before.steps)))
    return bool((old - {"self", "mut"}) & used) and new - {""} <= {word.lstrip("_") for word in old}


def _went_to(step: str, arrived: str) -> bool:
    plain = "".join(step.split())
    return len(plain) >= SHORTEST and plain in arrived
