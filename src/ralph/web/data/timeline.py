"""What happened in a run, line by line of its log, in the words of `ralph run`; and what it used on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ralph.errors import UsageError
from ralph.loop.inputs import Judged, TurnEnded, Validated
from ralph.loop.journal import LOG, Moment
from ralph.record import record
from ralph.system import ledger
from ralph.web.shown import Shown, line, whole
from ralph.web.site import Teller

_GOOD = frozenset({"complete", "phase"})
_BAD = frozenset({"refused", "inherited", "blocked", "tampered", "gave up", "abandoned", "thrashing", "stalled"})


@record(kw_only=True)
class Row:
    """One line of the log. `tone` is good, bad, or "" ; `cut`: the page with the whole line says more."""

    number: int
    time: str
    kind: str
    iteration: int
    phase: str
    tone: str
    told: tuple[Shown, ...]
    cut: bool
    verdict: str = ""
    verdict_run: str = ""


@record
class Used:
    """What was used by the end of an iteration; `priced` False: some of its cost is unknown."""

    iteration: int
    cost_usd: float
    tokens: int
    priced: bool


def rows(moments: Iterable[Moment], teller: Teller) -> list[Row]:
    """The lines that say something. The teller remembers what it said, so it is one for all lines of a run."""
    found = (_row(moment, teller) for moment in moments)
    return [row for row in found if row.told or row.verdict]


def usage(moments: Iterable[Moment]) -> list[Used]:
    """One for each turn."""
    spent = [moment.state for moment in moments if isinstance(moment.given, TurnEnded)]
    return [Used(each.iteration, each.here.cost_usd, each.here.tokens, not each.here.unpriced) for each in spent]


def entry(folder: Path, number: int) -> Shown:
    """A whole line of the log, for who wants to see what was cut. Raises UsageError, StorageError."""
    for each in ledger.read(folder / LOG):
        if each.seq == number:
            return whole(json.dumps(each.record, indent=2, ensure_ascii=False).replace("\\n", "\n"))
    raise UsageError(f"The log of {folder.name} has no line {number}.")


def _row(moment: Moment, teller: Teller) -> Row:
    given, state = moment.given, moment.state
    told = [line(each, 600) for each in teller.lines(given, state)]
    verdict, run = "", ""
    if isinstance(given, Judged | Validated):
        verdict, run = given.verdict or "", given.verdict_run or ""
    return Row(
        number=moment.number,
        time=moment.time,
        kind=type(given).__name__,
        iteration=state.iteration,
        phase=str(state.phase),
        tone=_tone(moment),
        told=tuple(told),
        cut=any(each.cut or each.text.endswith(("...", "more lines")) for each in told),
        verdict=verdict,
        verdict_run=run,
    )


def _tone(moment: Moment) -> str:
    given = moment.given
    if isinstance(given, Judged):
        return "good" if given.outcome in _GOOD else "bad" if given.outcome in _BAD else ""
    if isinstance(given, Validated):
        return "good" if given.passed else "bad"
    if isinstance(given, TurnEnded):
        return "" if given.reason == "completed" else "bad"
    return ""
