"""A change in which a name got another value, seen as if the value stood wherever the name does.

`RUN_SLOW = False` and `@skipif(not RUN_SLOW)`, `MIN = 10` and `f"--cov-fail-under={MIN}"`: what got worse stands in a
line that did not change. So a change that gives a name of a file another literal is looked at once more, with the old
literal in the place of the name at the base and the new one in the head. What is found there counts where such a line
is, and, of a switch that conditions ask for, in the whole file (`spelled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, islice

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.common.wanted.carriers import Carrier, carriers, is_declaring
from ralph.guardrails.config.command_files.variables import carried_by, readers
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.spelled import Placed, Spelled
from ralph.guardrails.texts import lines_of
from ralph.record import record
from ralph.system.patterns import later

SWITCH = later(r"(?i)true|false")
ASKS = later(
    r"\b(?:if|unless|elif|and|or|not|when|expression|onlyIf)\b|\?|&&|\|\||(?i:assume|skip|runif|ifnot|enabled|disabled)"
)
"""A line that asks for a condition."""
MOST = 100
"""Names of a file that are followed."""


def by_value(change: Change) -> Spelled | None:
    """None if no name that is used got another value."""
    found = dict(chain.from_iterable(_spelled(file, change) for file in change.files))
    if not found:
        return None
    own = {file.path for file in change.files}
    return Spelled(
        with_texts(change, {path: (sides.old, sides.new) for path, sides in found.items()}, alone=True),
        {path: sides.lines for path, sides in found.items()},
        frozenset(path for path, sides in found.items() if sides.switched),
        {path: Placed(sides.carrier.path, sides.carrier.line) for path, sides in found.items() if path not in own},
    )


@record
class _Sides:
    old: bytes
    new: bytes
    lines: frozenset[int]
    switched: bool
    carrier: Carrier


def _spelled(file: FileChange, change: Change) -> Iterator[tuple[str, _Sides]]:
    """The files in which names stand that a changed file gives a value: itself, and what reads its variables."""
    if file.status != "M" or file.binary:
        return
    head = cache(lambda: lines_of(change.blobs.after(file.path)))
    of_code = carriers(file, head) if language_of(file.path) is not None else ()
    found = [*islice(carried_by(file, head), MOST), *islice(of_code, MOST)]
    if not found:
        return
    old, new = lines_of(change.blobs.before(file.path)), head()
    found = [each for each in found if _is_alone(each, old, new)]
    for path in (file.path, *(readers(file.path, change) if found else ())):
        texts = (
            (old, new)
            if path == file.path
            else (lines_of(change.blobs.before(path)), lines_of(change.blobs.after(path)))
        )
        sides = _sides(found, *texts, own={each.line for each in found} if path == file.path else set())
        if sides is not None:
            yield path, sides


def _sides(found: Sequence[Carrier], old: Sequence[str], new: Sequence[str], own: set[int]) -> _Sides | None:
    lines = {number for number, line in enumerate(new, start=1) if number not in own and _uses(line, found)}
    if not lines:
        return None
    used = [each for each in found if any(_uses(new[number - 1], [each]) for number in lines)]
    was = [_with(line, found, old=True) for line in old]
    now = [line if number in own else _with(line, found, old=False) for number, line in enumerate(new, start=1)]
    return _Sides(
        "\n".join(was).encode(),
        "\n".join(now).encode(),
        frozenset(lines),
        any(SWITCH.fullmatch(each.new) for each in used),
        used[0],
    )


def _is_alone(carrier: Carrier, *sides: Sequence[str]) -> bool:
    return all(sum(len(carrier.given.findall(line)) for line in side if carrier.word in line) == 1 for side in sides)


def _uses(line: str, found: Iterable[Carrier]) -> bool:
    return any(_is_used(line, each) for each in found)


def _is_used(line: str, carrier: Carrier) -> bool:
    if not carrier.is_used_in(line) or is_declaring(line, carrier):
        return False
    return SWITCH.fullmatch(carrier.new) is None or ASKS.search(line) is not None


def _with(line: str, found: Iterable[Carrier], *, old: bool) -> str:
    for each in found:
        if _is_used(line, each):
            line = each.used.sub(partial(_written, each.old if old else each.new), line)
    return line


def _written(value: str, name: re.Match[str]) -> str:
    """In a text that is filled in, a value stands without its quotes."""
    filled = name[0][:1] in "$#{%" and name[0][-1:] in ")}"
    return value.strip("\"'`") if filled else value
