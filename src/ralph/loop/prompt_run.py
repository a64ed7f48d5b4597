"""Runs a text of the gate language: each step's prompt goes to the agent, and its gates say when it is done.

Rules (spec: shell verify gates; research: verify gates, 4.2 and 4.5; design decisions 20, 27, 30):

- The verify gates of a step are measured before its first turn (the baseline) and after every turn, whatever the agent
  says or leaves unsaid. The first turn always gets the prompt.
- A failure goes back as the bounce-back text, behind the prompt, until the gate's attempts are used up. Then, or when a
  gate may not be run at all, the run is blocked and a person decides.
- Criteria are judged when every verify gate of the step holds: by the isolated judge, else by the agent in a turn that
  only reviews. What that turn changes re-arms all gates.
- A step is done when all its gates hold on one tree, and the run has passed when every gate of every step holds on the
  last one. What fails there goes back to the agent as well.
- A gate that a person's signed exception covers is left out and shown; the run has then not passed, but is `excepted`.
- Everything is on disk before the next thing starts: a run that was killed goes on with its counts. But nothing that
  stands there passes: a gate holds only if this very process saw it pass, after the last turn of the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ralph.agents.base import Agent, Record, Text, Turn
from ralph.errors import StorageError
from ralph.exceptions.book import Book
from ralph.exceptions.model import Entry
from ralph.gates import progress
from ralph.gates.criteria import judgement, question
from ralph.gates.model import CriteriaGate, GateRun, VerifyGate
from ralph.gates.prompts import PreparedStep
from ralph.gates.shell import Bench, attempt
from ralph.gates.state import ChainRun, RunState, Shelf
from ralph.gates.texts import announced, bounced, named
from ralph.record import field, record, replace
from ralph.system import clock
from ralph.system.git import Repository
from ralph.system.git_diff import text_patch
from ralph.system.records import digest
from ralph.system.scratch import scratch
from ralph.system.text import visible


class _StoppedError(Exception):
    """The run cannot go on by itself."""

    def __init__(self, state: RunState) -> None:
        super().__init__(state)
        self.state: RunState = state


@record(kw_only=True)
class Tools:
    """What a run works with. `watch` sees every record of the agent, `tell` a line for a person."""

    repo: Repository
    bench: Bench
    shelf: Shelf
    book: Book
    agent: Agent
    judge: Agent | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    max_turns: int = 30
    watch: Callable[[Record], None] = lambda record: None
    tell: Callable[[str], None] = lambda line: None


def covers(run: GateRun) -> tuple[str, str]:
    """What an exception for this gate must name, and the digest that binds it to this very command or criterion."""
    return f"gate:{run.id}", digest(run.gate)


def run_prompt(text: str, steps: Sequence[PreparedStep], tools: Tools) -> ChainRun:
    """Run a text to its end, or on from where it was left. Raises RalphError; what was counted stays on disk."""
    gates = [step.gates for step in steps]
    with tools.shelf.driving():
        found = tools.shelf.unfinished(text, gates)
        run = found or tools.shelf.begin(text, gates, now=clock.now(), base_tree=tools.bench.tree())
        if found:
            tools.tell(f"run {run.id} goes on where it was left")
        return _Drive(run, tools).through([step.text for step in steps])


class _Drive:
    """One process that takes a run as far as it goes."""

    def __init__(self, run: ChainRun, tools: Tools) -> None:
        self.begun = run
        self.tools = tools
        self.turns_left = tools.max_turns
        self.ended_well: set[tuple[str, str]] = set()
        """Verify gates that passed, each with its tree. A turn empties it: ignored files may be others now."""
        self.met: set[tuple[str, str]] = set()
        """Criteria that were met, each with its tree, which is all that was judged."""

    def through(self, prompts: Sequence[str]) -> ChainRun:
        try:
            self._set_state("open")
            for stage, prompt in enumerate(prompts, start=1):
                self._step(stage, prompt)
            self._settle(len(prompts) + 1, "Every gate must hold on the result as a whole.")
            skipped = any(each.state == "skipped" for each in self._run().gates)
            return self._set_state("excepted" if skipped else "passed")
        except _StoppedError as stop:
            return self._set_state(stop.state)

    def _step(self, stage: int, prompt: str) -> None:
        if self._run().turns[stage - 1] == 0:
            self._baseline(stage)
            self._turn(stage, f"{prompt}\n\n{announced(self._gates(stage))}".rstrip() + "\n")
        self._settle(stage, prompt)

    def _baseline(self, stage: int) -> None:
        tree = self.tools.bench.tree()
        for gate in self._gates(stage):
            now, before = self._standing(gate, tree), progress.baseline(gate)
            if isinstance(now.gate, VerifyGate) and now.state == "pending" and (before is None or before.refused):
                self._attempt(now, now.gate, baseline=True)
        self._stop_if_stuck(stage)

    def _settle(self, stage: int, prompt: str) -> None:
        """Measure and give back to the agent, until every gate of the stage holds on the tree as it stands."""
        while not self._done(stage):
            self._stop_if_stuck(stage)
            self._measure(stage)
            self._stop_if_stuck(stage)
            failed = [each for each in self._gates(stage) if each.state == "failed" and not _is_unanswered(each)]
            if failed:  # else a review changed the tree, or a judge has to be asked once more
                self._turn(stage, "\n\n".join([prompt.rstrip(), *map(bounced, failed)]) + "\n")

    def _done(self, stage: int) -> bool:
        tree = self.tools.bench.tree()
        gates = [self._standing(each, tree) for each in self._gates(stage)]
        return all(each.state == "skipped" or self._holds(each, tree) for each in gates)

    def _holds(self, gate: GateRun, tree: str) -> bool:
        return progress.holds(gate, tree) and (gate.id, tree) in self.ended_well | self.met

    def _measure(self, stage: int) -> None:
        """Every verify gate that does not hold on the tree; then, if all of them do, every criterion."""
        tree = self.tools.bench.tree()
        for gate in self._gates(stage):
            now = self._standing(gate, tree)
            if isinstance(now.gate, VerifyGate) and progress.can_be_tried(now) and not self._holds(now, tree):
                self._attempt(now, now.gate)
        for gate in self._gates(stage):
            tree = self.tools.bench.tree()
            shell = [each for each in self._gates(stage) if isinstance(each.gate, VerifyGate)]
            if not all(each.state == "skipped" or self._holds(each, tree) for each in shell):
                return
            now = self._standing(gate, tree)
            if isinstance(now.gate, CriteriaGate) and progress.can_be_tried(now) and not self._holds(now, tree):
                self._judge(stage, now, now.gate, tree, shell)

    def _attempt(self, gate: GateRun, verify: VerifyGate, *, baseline: bool = False) -> None:
        number = 0 if baseline else len(progress.work(gate)) + 1
        log = self.tools.shelf.log(gate, "baseline" if baseline else f"attempt-{number}")
        tried = attempt(verify, self.tools.bench, number=number, log=log, baseline=baseline)
        self._change(gate, lambda now: progress.attempted(now, tried))
        if tried.passed and not baseline:
            self.ended_well.add((gate.id, tried.tree))
        when = "before the work" if baseline else f"attempt {number}"
        self.tools.tell(f"{named(gate)}: {when}: {visible(progress.end_of(tried))}")

    def _judge(self, stage: int, gate: GateRun, criterion: CriteriaGate, tree: str, shell: Sequence[GateRun]) -> None:
        run = self._run()
        diff = text_patch(self.tools.repo, run.base_tree, tree, []).decode("utf-8", "replace")
        asked = question(criterion, visible(diff, keep="\n"), shell)
        if self.tools.judge is None:
            answer, by = self._turn(stage, asked), self.tools.agent.name
        else:
            number = 1 + sum(len(each.judgements) for each in run.gates)
            with scratch("judge") as empty:
                answer, by = self._ask(self.tools.judge, asked, empty, number), self.tools.judge.name
        found = judgement(answer, number=len(gate.judgements) + 1, tree=tree, by=by)
        self._change(gate, lambda now: progress.judged(now, found))
        if found.passed:
            self.met.add((gate.id, found.tree))
        self.tools.tell(f"{named(gate)}: {found.verdict}: {visible(found.reason)}")

    def _turn(self, stage: int, prompt: str) -> str:
        """A turn of the agent: counted before it starts. What it said."""
        if self.turns_left == 0:
            raise _StoppedError("limit")
        self.turns_left -= 1
        self.ended_well.clear()
        run = self._write(lambda now: replace(now, turns=_one_more(now.turns, stage)))
        return self._ask(self.tools.agent, prompt, self.tools.bench.root, sum(run.turns))

    def _ask(self, agent: Agent, prompt: str, workdir: Path, iteration: int) -> str:
        said = []
        env = {**self.tools.env, "RALPH_AGENT": agent.name}  # whoever asks for a decision from in there is refused
        turn = Turn(prompt=prompt, workdir=workdir, iteration=iteration, env=env)
        for heard in agent.run(turn):
            self.tools.watch(heard)
            if isinstance(heard, Text):
                said.append(heard.text)
        return "\n".join(said)

    def _standing(self, gate: GateRun, tree: str) -> GateRun:
        """The gate as it stands on this tree and under the exceptions of this moment."""
        found = self._exception(gate)

        def stood(now: GateRun) -> GateRun:
            if now.state == "aborted":
                return now
            if found is not None:
                return progress.skipped(now, found.sentence())
            return progress.on_tree(progress.unskipped(now) if now.state == "skipped" else now, tree)

        return self._change(gate, stood) if stood(gate) != gate else gate

    def _exception(self, gate: GateRun) -> Entry | None:
        name, subject = covers(gate)
        return self.tools.book.covering(name, subject=subject)

    def _stop_if_stuck(self, stage: int) -> None:
        tree = self.tools.bench.tree()
        if any(each.state == "aborted" for each in self._run().gates):
            raise _StoppedError("aborted")
        if any(self._standing(each, tree).state == "blocked" for each in self._gates(stage)):
            raise _StoppedError("blocked")

    def _gates(self, stage: int) -> tuple[GateRun, ...]:
        """The gates of a step as they stand on disk; all of them at the end."""
        run = self._run()
        return run.gates if stage == len(run.turns) else run.of_step(stage)

    def _change(self, gate: GateRun, by: Callable[[GateRun], GateRun]) -> GateRun:
        return self._write(lambda now: now.with_gate(by(now.gate(gate.id)))).gate(gate.id)

    def _set_state(self, state: RunState) -> ChainRun:
        return self._write(lambda now: replace(now, state=state))

    def _write(self, by: Callable[[ChainRun], ChainRun]) -> ChainRun:
        return self.tools.shelf.change(self.begun.id, lambda now: by(self._same(now)))

    def _run(self) -> ChainRun:
        return self._same(self.tools.shelf.load(self.begun.id))

    def _same(self, run: ChainRun) -> ChainRun:
        """The record as it may be: a person's decisions change where gates stand, and never what they are."""
        if _fixed(run) != _fixed(self.begun):
            raise StorageError(
                f"The record of the run {run.id} in .ralph/gates was changed while it was under way, so nothing in it "
                "counts: find out who wrote there, move it away, and start again."
            )
        return run


def _fixed(run: ChainRun) -> tuple[object, ...]:
    gates = tuple((gate.id, gate.step, gate.gate) for gate in run.gates)
    return run.id, run.text, run.base_tree, len(run.turns), gates


def _is_unanswered(gate: GateRun) -> bool:
    return bool(gate.judgements) and gate.judgements[-1].verdict == "unanswered"


def _one_more(turns: tuple[int, ...], stage: int) -> tuple[int, ...]:
    return tuple(count + (number == stage) for number, count in enumerate(turns, start=1))
