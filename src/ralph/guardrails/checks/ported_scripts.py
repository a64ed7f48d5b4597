"""Checks of a shell script that is gone, which the script that took its place spells (policy set v2, class G16).

Rule: everything of the base that ran the script runs one of Python or JavaScript in its place, and that one spells the
command, on no fewer paths and with no weaker options. Each command that it runs raises when it fails
(`check=True`, `execSync`), and nothing catches that: what it does with codes that it asks for itself, only running it
could tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.pairs import Pair
from ralph.guardrails.checks.programs import identity
from ralph.guardrails.checks.reach import Reach, program
from ralph.guardrails.checks.scope import narrowed
from ralph.guardrails.checks.spelled_commands import commands_in
from ralph.guardrails.config.commands import weaker_options
from ralph.record import replace
from ralph.system.patterns import later

SCRIPT = later(r"[\w./-]+\.(?:py|[cm]?js)$")
RUN = later(
    r"\b(?:subprocess\.\w+|os\.(?:system|popen|spawn\w*)|(?:exec|spawn)\w*)\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)"
)
RAISES = later(r"\bcheck_(?:call|output)\(|\bexec(?:File)?Sync\(|\bcheck\s*=\s*True\b")
CATCHES = later(r"\b(?:except|suppress|catch|finally|allowFailure|on_error)\b")
LARGEST = 60_000


def heir_of(was: Gate, pairs: Sequence[Pair], before: Reach, after: Reach) -> Gate | None:
    """What runs the script now that spells the check."""
    if was.place != "local" or was.path in after.side.paths or was.flaws:
        return None
    callers = [pair for pair in pairs if was in before.steps(pair.was)]
    if not callers:
        return None
    spelled = [_spells(was, pair.now, before, after) if pair.now is not None else False for pair in callers]
    return callers[0].now if all(spelled) else None


def _spells(was: Gate, now: Gate, before: Reach, after: Reach) -> bool:
    path = next((word.removeprefix("./") for word in now.words if SCRIPT.fullmatch(word)), "")
    text = after.side.text(path) if path in after.side.paths and not now.flaws else None
    if text is None or len(text) > LARGEST or CATCHES.search(text) or not _raises(text):
        return False
    return any(_is_as_much(was, gate, before, after) for gate in _gates(text, was))


def _raises(text: str) -> bool:
    runs = [match[0] for match in RUN.finditer(text)]
    return bool(runs) and all(RAISES.search(run) for run in runs)


def _gates(text: str, was: Gate) -> Iterator[Gate]:
    for each in commands_in(text):
        if identity(each.words) == program(was):
            yield replace(was, words=each.words)


def _is_as_much(was: Gate, gate: Gate, before: Reach, after: Reach) -> bool:
    if weaker_options(was.words, gate.words):
        return False
    return narrowed(was, gate, [gate], before.side.paths, after.side.paths) is None
