"""Checks of a shell script that is gone, which the script that took its place spells (policy set v2, class G16).

Rule: everything of the base that ran the script runs one of Python or JavaScript in its place, and that one spells the
command, on no fewer paths and with no weaker options. Nothing is caught, and

- each command that it runs raises when it fails (`check=True`, `execSync`); or
- it goes through a table of commands and ends with a code that depends on something, and nothing in the table tells one
  entry from another but its name and its command: no switch (`gate: true`), and no name that is said once more; or
- it runs one command alone, and ends with a code that depends on something.

A script that CI runs in the place of a check elsewhere in its file (`node scripts/ci-test.mjs`) stands for it so, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.known import identity
from ralph.guardrails.checks.programs.spelled_commands import Spelled, commands_in
from ralph.guardrails.checks.reach import Reach, program
from ralph.guardrails.checks.removed.pairs import Pair
from ralph.guardrails.checks.scope.narrowed import narrowed
from ralph.guardrails.common.brackets import closed, opened
from ralph.guardrails.config.commands.losses import weaker_options
from ralph.record import replace
from ralph.system.patterns import later

SCRIPT = later(r"[\w./-]+\.(?:py|[cm]?js)$")
RUN = later(
    r"\b(?:subprocess\.\w+|os\.(?:system|popen|spawn\w*)|(?:exec|spawn)\w*)\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)"
)
RAISES = later(r"\bcheck_(?:call|output)\(|\bexec(?:File)?Sync\(|\bcheck\s*=\s*True\b")
CATCHES = later(r"\b(?:except|suppress|catch|finally|allowFailure|on_error)\b")
ENDS = later(r"\bprocess\.exit(?:Code\s*=\s*|\()(?!\s*\d*\s*[;)\n])|\b(?:sys\.exit|SystemExit)\((?!\s*\d*\s*\))")
SWITCH = later(r"\b\w+[\"']?\s*[=:]\s*(?:[Tt]rue|[Ff]alse)\b")
NAME = later(r"[\"'`]([A-Za-z][\w-]{2,40})[\"'`]")
LARGEST, LONGEST = 60_000, 12_000


def heir_of(was: Gate, pairs: Sequence[Pair], before: Reach, after: Reach) -> Gate | None:
    """What runs the script now that spells the check."""
    if was.place != "local" or was.path in after.side.paths or was.flaws:
        return None
    callers = [pair for pair in pairs if was in before.steps(pair.was)]
    if not callers:
        return None
    spelled = [_spells(was, pair.now, before, after) if pair.now is not None else False for pair in callers]
    return callers[0].now if all(spelled) else None


def spells_all(was: Gate, now: Gate, before: Reach, after: Reach) -> bool:
    """A script spells everything that a check leads to."""
    leaves = [leaf for leaf in before.leaves(was) if not before.steps(leaf)]
    return bool(leaves) and all(_spells(leaf, now, before, after) for leaf in leaves)


def _spells(was: Gate, now: Gate, before: Reach, after: Reach) -> bool:
    path = next((word.removeprefix("./") for word in now.words if SCRIPT.fullmatch(word)), "")
    text = after.side.text(path) if path in after.side.paths and not now.flaws else None
    if text is None or len(text) > LARGEST or CATCHES.search(text):
        return False
    raises = _raises(text)
    if not raises and not ENDS.search(text):
        return False
    sure = raises or len(RUN.findall(text)) == 1
    spelled = (each for each in commands_in(text) if sure or _is_like_others(each, text))
    return any(_is_as_much(was, gate, before, after) for gate in _gates(spelled, was))


def _raises(text: str) -> bool:
    runs = [match[0] for match in RUN.finditer(text)]
    return bool(runs) and all(RAISES.search(run) for run in runs)


def _is_like_others(each: Spelled, text: str) -> bool:
    """It stands in a table of which all entries count alike."""
    place = _table(each, text)
    if place is None:
        return False
    start, end = place
    if SWITCH.search(text, start, end):
        return False
    names = set(NAME.findall(text, start, end))
    return names.isdisjoint(NAME.findall(text, 0, start)) and names.isdisjoint(NAME.findall(text, end))


def _table(each: Spelled, text: str) -> tuple[int, int] | None:
    """The outermost brackets around a command in which another one stands, too."""
    found, at = None, each.start
    while (begin := opened(text, at - 1, LONGEST)) is not None and (end := closed(text, begin, LONGEST)) is not None:
        if any(begin < other.start < end and other.words != each.words for other in commands_in(text)):
            found = begin, end
        at = begin
    return found


def _gates(spelled: Iterable[Spelled], was: Gate) -> Iterator[Gate]:
    for each in spelled:
        if identity(each.words) == program(was):
            yield replace(was, words=each.words)


def _is_as_much(was: Gate, gate: Gate, before: Reach, after: Reach) -> bool:
    if weaker_options(was.words, gate.words):
        return False
    return narrowed(was, gate, [gate], before.side.paths, after.side.paths) is None
