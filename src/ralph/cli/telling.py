"""What happens in a run, in lines for people: one way to say it, for `ralph run` and for `ralph status --follow`.

What an agent or a tool wrote is written out (`visible`), never obeyed; long texts are cut, the run's folder has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ralph.cli.amounts import spent_text
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.agents.base import Record, Usage
    from ralph.loop.inputs import Input
    from ralph.loop.state import State
    from ralph.verdict import StepResult

LONGEST = 400
MOST_LINES = 12
MARKS = {"pass": "✓", "fail": "✗", "error": "!", "skipped": "-", "not_applicable": "-"}


class Teller:
    """Remembers what was said, so that a phase or a warning is told once."""

    def __init__(self) -> None:
        self._phase: str | None = None
        self._warned: set[str] = set()

    def lines(self, given: Input | None, state: State) -> Iterator[str]:
        """What is new: the input, a new phase, a limit that comes near."""
        if given is not None and (tell := _INPUTS.get(type(given).__name__)):
            yield from tell(given, state)
        if state.phase != self._phase:
            self._phase = state.phase
            yield f"phase: {state.phase}"
        yield from self._warnings(state)

    def _warnings(self, state: State) -> Iterator[str]:
        from ralph.loop.budget import nearing
        from ralph.loop.moves import counted

        for each in nearing(state.settings.limits, state.last, state.session.spent, counted(state)):
            limit = each.rpartition(" of ")[2]
            if limit not in self._warned:
                self._warned.add(limit)
                yield f"four fifths of a limit are used: {each}"


def account(state: State) -> Iterator[str]:
    """How a run ended: why, what it cost, where the proof is, and how to go on."""
    from ralph.loop.standing import standing

    if state.status != "ended":
        yield f"The run {state.run} was cut off; `ralph resume` goes on with it."
        return
    now = standing(state)
    yield from cut(f"{str(state.end).upper()}: {state.why}")
    tasks = now["tasks"]
    yield f"  tasks   {tasks['complete']} complete, {tasks['open']} open, {len(tasks['blocked'])} blocked"
    yield f"  spent   {spent_text(now['spent'])}"
    if state.verdict_run:
        yield f"  proof   {state.verdict}, `ralph audit show {state.verdict_run}` (signed)"
    if state.end != "passed":
        yield "→ `ralph status` shows more; `ralph resume` goes on"


def of_record(record: Record) -> Iterator[str]:
    """What an agent does, as lines; nothing for what is only counted."""
    from ralph.agents.base import Claim, Decided, Started, Text, ToolCall

    match record:
        case Started(agent=agent, model=model):
            if who := " ".join(filter(None, (agent, model))):
                yield visible(f"agent: {who}")
        case Text(text):
            yield from cut(text)
        case ToolCall(tool, target):
            yield from cut(f"> {tool} {target}", most=1)
        case Decided(outcome="deny", tool=tool, reason=reason):
            yield from cut(f"denied: {tool}: {reason}", most=3)
        case Claim(topic, payload):
            yield from cut(f"claims {topic} {payload}", most=3)


def of_step(step: str, result: StepResult | None) -> str | None:
    """A step that ended."""
    if result is None:
        return None
    return f"{MARKS[result.status]} {step} {result.status} ({result.duration_ms / 1000:.1f} s)"


def cut(text: str, *, most: int = MOST_LINES) -> Iterator[str]:
    """The first lines of a text, each short enough to be read."""
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()]
    for line in lines[:most]:
        shown = visible(line[: LONGEST + 1])
        yield shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."
    if len(lines) > most > 1:
        yield f"... and {len(lines) - most} more lines"


def used(usage: Usage | None, runtime_s: float) -> str:
    """What a turn used."""
    if usage is None:
        return f"{runtime_s:.0f} s, unknown cost"
    cost = "unknown cost" if usage.cost_usd is None else f"${usage.cost_usd:.2f}"
    return f"{cost}, {usage.tokens:,} tokens, {runtime_s:.0f} s"


def _begun(given: Any, state: State) -> Iterator[str]:
    yield f"run {state.run}, agent {visible(state.agent)}"


def _turn_ended(given: Any, state: State) -> Iterator[str]:
    why = f": {given.detail}" if given.detail and given.reason != "completed" else ""
    yield from cut(f"iteration {state.iteration}: {given.reason}{why} ({used(given.usage, given.runtime_s)})")


def _surveyed(given: Any, state: State) -> Iterator[str]:
    if state.work:
        yield f"task {visible(state.work.task)}, attempt {state.work.attempt}"


def _base_measured(given: Any, state: State) -> Iterator[str]:
    if given.failing:
        yield "this fails already, before any work; nothing is complete until it is repaired:"
        yield from (f"  {visible(each)}" for each in given.failing[:MOST_LINES])
        if len(given.failing) > MOST_LINES:
            yield f"  ... and {len(given.failing) - MOST_LINES} more"


def _judged(given: Any, state: State) -> Iterator[str]:
    from ralph.loop import said

    if given.outcome == "phase":
        yield from cut(f"says that the phase is complete: {said.summary(given.reason)}")
    elif given.outcome != "open" or given.verdict:
        reason = f": {given.reason}" if given.reason and not any(given.reason in told for told in given.told) else ""
        outcome = _OUTCOMES.get(given.outcome, given.outcome)
        yield from cut(f"measured: {outcome}{f' ({given.verdict})' if given.verdict else ''}{reason}")
    for told in given.told:
        yield from (f"  {line}" for line in cut(told))


_OUTCOMES = {"inherited": "refused, for nothing but what failed before"}


def _problems(what: str, given: Any) -> Iterator[str]:
    yield what
    for problem in given.problems:
        yield from (f"  {line}" for line in cut(problem))


def _phase_checked(given: Any, state: State) -> Iterator[str]:
    yield from _problems("the phase is complete" if given.complete else "the phase is not complete yet", given)


def _validated(given: Any, state: State) -> Iterator[str]:
    how = "holds" if given.passed else "is BLOCKED" if given.blocked else "does not hold"
    yield from _problems(f"the validation {how}", given)


def _answered(given: Any, state: State) -> Iterator[str]:
    if given.approved is not None:
        yield from cut(f"a person {'agrees' if given.approved else 'does not agree'}: {given.reason}")


def _rolled_back(given: Any, state: State) -> Iterator[str]:
    yield f"the work was taken back; it is kept as {visible(given.rejected)}" if given.rejected else "taken back"


def _controlled(given: Any, state: State) -> Iterator[str]:
    yield from cut(f"a person says: {given.do.replace('_', ' ')} {given.text}".rstrip(), most=3)


_INPUTS: Mapping[str, Callable[[Any, State], Iterator[str]]] = {
    "Begun": _begun,
    "Resumed": lambda given, state: iter([f"run {state.run} goes on"]),
    "BaseMeasured": _base_measured,
    "TurnEnded": _turn_ended,
    "Surveyed": _surveyed,
    "Judged": _judged,
    "PhaseChecked": _phase_checked,
    "Validated": _validated,
    "Answered": _answered,
    "RolledBack": _rolled_back,
    "Controlled": _controlled,
}
