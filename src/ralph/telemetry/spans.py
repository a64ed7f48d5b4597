"""A run as spans and metrics: a view that tells OpenTelemetry what it sees (names in `names`).

Rules:

- run > turn (`invoke_agent`) > tool (`execute_tool`), and run > measurement (`verify`) > step. What is still open when
  something above it ends, ends with it.
- No prompt, text, argument, path or output is sent: they may hold secrets. A tool is told by its name.
- Metrics have labels from closed sets, or the kind of an agent and its model; runs, tasks and tools are in spans alone.
- A view only looks: whatever goes wrong in here stays here.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ralph.agents.base import Decided, Record, Started, ToolCall, ToolResult, Usage
from ralph.loop import effects
from ralph.loop.inputs import BaseMeasured, Input, Judged, TurnEnded, Validated
from ralph.loop.site import View
from ralph.loop.state import State
from ralph.telemetry import names
from ralph.verdict import StepResult

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Span, Tracer

LONGEST = 200
_MEASURING = (effects.Measure, effects.MeasureBase, effects.Validate)
Attributes = Mapping[str, str | int | float | None]


class Spans:
    """The run's view, and spans beside it."""

    def __init__(self, view: View, tracer: Tracer, meter: Meter, state: State) -> None:
        self._view, self._tracer, self._state = view, tracer, state
        self._lock = threading.RLock()
        self._open: dict[str, Span] = {}
        self._tokens = meter.create_histogram(names.TOKENS_METRIC, unit="{token}")
        self._duration = meter.create_histogram(names.DURATION_METRIC, unit="s")
        self._verdicts = meter.create_counter(names.VERDICTS_METRIC, unit="{verdict}")
        self._cost = meter.create_counter(names.COST_METRIC, unit="USD")
        self._model = ""
        self._begin(
            "run",
            "invoke_workflow ralph.loop",
            {names.OPERATION: "invoke_workflow", names.WORKFLOW: "ralph.loop", names.RUN: state.run},
        )

    def moved(self, given: Input | None, state: State) -> None:
        with suppress(Exception), self._lock:
            self._moved(given, state)
        self._view.moved(given, state)

    def record(self, record: Record) -> None:
        with suppress(Exception), self._lock:
            self._record(record)
        self._view.record(record)

    def measured(self, step: str, result: StepResult | None) -> None:
        with suppress(Exception), self._lock:
            self._measured(step, result)
        self._view.measured(step, result)

    def end(self) -> None:
        """The run's process is done with it."""
        with suppress(Exception), self._lock:
            self._end("turn")
            self._end("verify")
            self._end("run", {names.END: self._state.end, names.ITERATION: self._state.iteration})

    def _moved(self, given: Input | None, state: State) -> None:
        self._state = state
        match given:
            case TurnEnded():
                self._turn_ended(given, state)
            case Judged() | Validated():
                told = {names.VERDICT: given.verdict, names.VERDICT_RUN: given.verdict_run}
                outcome = given.outcome if isinstance(given, Judged) else "passed" if given.passed else "failed"
                self._end("verify", {**told, names.OUTCOME: outcome})
                if given.verdict:
                    self._verdicts.add(1, {names.VERDICT: given.verdict})
            case BaseMeasured():
                self._end("verify", {names.OUTCOME: "red" if given.failing else "green"})
        asking = state.awaiting
        if not isinstance(asking, effects.RunAgent):
            self._end("turn")
        if not isinstance(asking, _MEASURING):
            self._end("verify")
        where = {names.RUN: state.run, names.PHASE: str(state.phase)}
        if isinstance(asking, effects.RunAgent):
            agent = names.kind(state.agent)
            who = {names.OPERATION: "invoke_agent", names.AGENT: agent, names.PROVIDER: names.PROVIDERS.get(agent)}
            what = {names.ITERATION: asking.iteration, names.TASK: asking.task}
            self._begin("turn", f"invoke_agent {agent}", {**where, **who, **what}, under="run")
        elif isinstance(asking, _MEASURING):
            self._begin("verify", "verify", {**where, names.ITERATION: state.iteration}, under="run")

    def _turn_ended(self, given: TurnEnded, state: State) -> None:
        usage = given.usage
        who = {names.AGENT: names.kind(state.agent), names.MODEL: self._model or "unknown"}
        used = _used(usage) if usage else {}
        failed = {names.ERROR: given.reason} if given.reason != "completed" else {}
        self._end("turn", {**who, **used, **failed, names.HAT: given.hat, names.CONVERSATION: given.session})
        self._duration.record(given.runtime_s, {**who, names.OPERATION: "invoke_agent", **failed})
        if usage:
            for kind, count in (("input", usage.tokens - usage.output_tokens), ("output", usage.output_tokens)):
                self._tokens.record(count, {**who, names.OPERATION: "invoke_agent", names.TOKEN_TYPE: kind})
            if usage.cost_usd is not None and usage.cost_usd >= 0:
                self._cost.add(usage.cost_usd, who)

    def _record(self, record: Record) -> None:
        match record:
            case Started():
                self._model = (record.model or "")[:60]
                self._tell("turn", {names.MODEL: record.model, names.AGENT_VERSION: record.version})
            case ToolCall():
                name = record.tool[:LONGEST]
                told = {names.OPERATION: "execute_tool", names.TOOL: name, names.TOOL_CALL: record.id}
                self._begin(f"turn/{record.id}", f"execute_tool {name}", told, under="turn")
            case Decided():
                self._tell(f"turn/{record.id}", {names.DECISION: record.outcome})
            case ToolResult():
                self._end(f"turn/{record.id}", {} if record.ok else {names.ERROR: "tool" if record.ran else "refused"})

    def _measured(self, step: str, result: StepResult | None) -> None:
        if result is None:
            self._begin(f"verify/{step}", f"verify {step}", {names.STEP: step}, under="verify")
            return
        failed = None if result.status in ("pass", "not_applicable", "skipped") else str(result.status)
        told = {names.STATUS: str(result.status), names.EXIT_CODE: result.exit_code, names.ERROR: failed}
        self._end(f"verify/{step}", told)

    def _begin(self, key: str, name: str, told: Attributes, *, under: str | None = None) -> None:
        """Begin a span, once: what is asked for again after a pause or a look is still the same."""
        from opentelemetry.trace import set_span_in_context

        if key in self._open and not key.startswith(("turn/", "verify/")):
            return
        self._end(key)
        above = self._open.get(under or "") or self._open.get("run")
        context = set_span_in_context(above) if above else None
        self._open[key] = self._tracer.start_span(name, context=context, attributes=_given(told))

    def _tell(self, key: str, told: Attributes) -> None:
        if span := self._open.get(key):
            span.set_attributes(_given(told))

    def _end(self, key: str, told: Attributes = {}) -> None:  # noqa: B006 - only read
        from opentelemetry.trace import Status, StatusCode

        for below in [each for each in self._open if each.startswith(f"{key}/")]:
            self._end(below)
        if (span := self._open.pop(key, None)) is not None:
            span.set_attributes(_given(told))
            if told.get(names.ERROR):
                span.set_status(Status(StatusCode.ERROR))
            span.end()


def _used(usage: Usage) -> dict[str, int | float | None]:
    return {
        names.INPUT: usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        names.OUTPUT: usage.output_tokens,
        names.CACHE_READ: usage.cache_read_tokens,
        names.CACHE_WRITE: usage.cache_write_tokens,
        names.COST: usage.cost_usd,
    }


def _given(told: Attributes) -> dict[str, Any]:
    """What is known; text that is no UTF-8 cannot be sent."""
    known = {key: value for key, value in told.items() if value is not None}
    return {
        key: value.encode("utf-8", "replace").decode()[:LONGEST] if isinstance(value, str) else value
        for key, value in known.items()
    }
