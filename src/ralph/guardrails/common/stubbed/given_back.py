"""What a verification computes is the very value that it is compared with (policy set v2, class G19): all languages.

`fn compute(data: &[u8], recorded: u32) -> u32 { recorded }`, and `compute(data, recorded) == recorded` can never fail.

Rules, for a function of the product that a change adds or edits, and that gives back one of several things that it is
given, without having used any of the others but to log or assert:

- It blocks where a function of the same file calls one of that name, hands it something in that place, and compares the
  answer with the very same thing.
- What the base had like this is nothing new; a function that has one parameter only normalises it, perhaps not today.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from ralph.guardrails.commas import between_commas
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.stubbed.products import products
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(rb"(?i)verif|checksum|digest|comput|hash|signature|recorded|expected|actual|crc|mac\b")
STRING = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
PARAMETERS = later(r"\((?P<listed>(?:[^()]|\([^()]*\))*)\)")
IDLE = later(
    r"(?i)\s*(?:(?:debug_)?assert\w*!?\b|(?:\w+\.)*(?:log|logger|console|slog|tracing)\w*\.|(?:trace|debug|info)!|//|#|[}\])]*;?$|end$)"
)
SELF = frozenset({"self", "&self", "&mut self", "this", "cls"})
WORD = later(r"[A-Za-z_]\w*")
LONGEST = 300_000


@record
class Echo:
    """A function that gives back what it is given in one place."""

    name: str
    place: int
    line: int
    head: str


def given_back(change: Change) -> Iterator[Hit]:
    for file, rule in products(change, WORTH):
        yield from _in_file(file, rule, change)


def _in_file(file: FileChange, rule: str, change: Change) -> Iterator[Hit]:
    before, after = ((side(file.path) or b"")[:LONGEST] for side in (change.blobs.before, change.blobs.after))
    new = [each for each in _echoes(after) if not file.added_numbers.isdisjoint(range(each.line, each.line + 8))]
    if not new:  # as nearly always
        return
    known = {(each.name, each.place) for each in _echoes(before)}
    bodies = [body for _, _, _, body in functions_of(after)]
    for echo in new:
        if (echo.name, echo.place) in known:
            continue
        if any(_compares_itself(echo, body) for body in bodies):
            detail = f"{echo.name} gives back what its answer is compared with"
            yield hit_at(rule, file.path, echo.line, detail, echo.head, key=f"{echo.name} {echo.place}")


def _echoes(data: bytes) -> Iterator[Echo]:
    for number, name, head, body in functions_of(data):
        if "," not in head:
            continue
        says = (line.strip() for line in body.split("\n") if line.strip() and not IDLE.match(line))
        lines = list(islice(says, 2))
        if len(lines) != 1:
            continue
        listed = PARAMETERS.search(head, head.find(name))
        given = [each for each in between_commas(listed["listed"], STRING) if each not in SELF] if listed else []
        if len(given) < 2:
            continue
        answer = re.fullmatch(r"(?:return\s+)?\$?(?P<name>[A-Za-z_]\w*)\s*;?", lines[0])
        places = [at for at, each in enumerate(given) if answer and answer["name"] in _names(each)]
        if len(places) == 1:
            yield Echo(name, places[0], number + 1, head.strip())


def _names(parameter: str) -> AbstractSet[str]:
    return frozenset(WORD.findall(parameter.partition("=")[0]))


def _compares_itself(echo: Echo, body: str) -> bool:
    call = re.compile(
        rf"(?:(?P<held>[A-Za-z_]\w*)\s*(?::[^=\n]+)?:?=\s*)?(?:[\w$]+(?:\.|::|->))*{re.escape(echo.name)}(?=\()"
    )
    for match in call.finditer(body):
        listed = PARAMETERS.match(body, match.end())
        given = between_commas(listed["listed"], STRING) if listed is not None else []
        if listed is None or len(given) <= echo.place:
            continue
        wanted = re.escape(given[echo.place])
        held = match["held"]
        behind = body[listed.end() :]
        if held is not None and re.search(
            rf"(?<![\w.])\$?{held}\s*[!=]==?\s*{wanted}(?![\w.(])|(?<![\w.]){wanted}\s*[!=]==?\s*\$?{held}(?!\w)",
            behind,
        ):
            return True
        if re.match(rf"\s*[!=]==?\s*{wanted}(?![\w.(])", behind) or re.search(
            rf"(?<![\w.]){wanted}\s*[!=]==?\s*$", body[: match.start()]
        ):
            return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (given_back,)
