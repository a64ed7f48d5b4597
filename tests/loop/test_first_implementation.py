"""What went wrong in the first version of this system, as far as it was the loop: each of it tried on a whole run.

There, Python drove the loop in name only: what agents said was taken for done, state that one part had cached was
written over what another had done, and what should have stopped a run was counted wrongly or not at all.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Turn
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.control import CONTROL, Control, alive
from ralph.loop.inputs import Judged, Settings
from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task, TaskStatus
from ralph.loop.saved import StateStore
from ralph.loop.words import Phase
from tests.audit.evidence import CONTEXT, CONTRACT
from tests.loop.player import Actions, Part, Player, used
from tests.loop.workshop import TASK, Workshop, claim, tool
from tests.project import repository

GOOD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
DONE: Actions = (used(), *claim("build.done", GOOD))
BAD: Actions = (used(), *claim("build.done", "tests: fail"))
SAYS: Actions = (used(), ("say", "All tasks are complete. Discovery complete! Planning complete! STATUS: PASS"))
LIMITS = Limits(iterations=12)
SPEC = """# Totals

## Problem Statement
Nobody knows the total.

## Success Criteria
- The total is shown.

## Constraints
- No network.

## Acceptance Criteria
- [ ] `total` prints a number
"""
WRITES = ("write", {"path": "specs/total.md", "content": SPEC})


def complete(task: str = "one", **more: Any) -> tuple[str, Any]:
    return tool("ralph_mark_task_complete", task_id=task, verification_notes=GOOD, **more)


def signal(**more: Any) -> tuple[str, Any]:
    return tool("ralph_signal_phase_complete", summary="It is done.", **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "project", {"a.py": "x = 1\n", "a.md": "one\n"})


def shop(root: Path, *parts: Part, repeat: bool = False, **more: Any) -> tuple[Workshop, Player]:
    player = Player(parts, repeat=repeat)
    settings = more.pop("settings", Settings(limits=LIMITS, breaker=BreakerSettings()))
    return Workshop(root, lambda name: player, settings=settings, **more), player


def measured(root: Path, *parts: Part, **more: Any) -> tuple[Workshop, Player]:
    """Where the engine measures: what matters there is that no finding blocks."""
    return shop(root, *parts, evidence="measured", context=CONTEXT, site_with={"contract": CONTRACT}, **more)


@contextmanager
def meanwhile(wait_for: Any, do: Any) -> Iterator[None]:
    """Do something from outside once something is so, as a person in another terminal would."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            if wait_for():
                do()
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


# Done without proof.


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.PLANNING, Phase.BUILDING, Phase.VALIDATION])
def test_a_client_that_is_not_logged_in_ends_the_run_in_every_phase(root: Path, phase: Phase) -> None:
    """There, ten such turns were a discovery that is complete."""
    made, player = shop(root, (("end", {"reason": "login", "detail": "run `claude login`"}),), repeat=True)
    made.plan(TASK)
    state = made.begin(phase)
    assert (state.end, state.phase, len(player.turns)) == ("error", phase, 1)
    assert made.tasks["one"].retry_count == 0


@pytest.mark.parametrize("phase", [Phase.BUILDING, Phase.VALIDATION])
def test_an_empty_plan_is_nothing_that_was_built(root: Path, phase: Phase) -> None:
    """There, it went on to the validation, which found nothing wrong with it."""
    made, _ = measured(root, (used(), signal(passed=True)), repeat=True)
    PlanStore(root).change(lambda plan: replace(plan, frozen_at="2026-01-01T00:00:00Z"))
    state = made.begin(phase)
    assert state.end == "failed"
    assert "no tasks" in state.why or "No task is complete" in state.why


@pytest.mark.parametrize("phase", list(Phase))
def test_words_in_the_output_end_nothing(root: Path, phase: Phase) -> None:
    """There, "I cannot say discovery complete yet" was the end of it."""
    made, _ = shop(root, SAYS, repeat=True)
    made.plan(TASK)
    state = made.begin(phase)
    assert (state.phase, state.end, made.tasks["one"].status.value) == (
        phase,
        "limit",
        "in_progress" if phase is Phase.BUILDING else "pending",
    )


def test_a_phase_without_its_artifacts_is_not_complete_though_the_tool_says_so(root: Path) -> None:
    """There, missing documents were a warning."""
    made, player = shop(root, (used(), signal()), repeat=True)
    state = made.begin(Phase.DISCOVERY)
    assert (state.phase, state.end) == (Phase.DISCOVERY, "limit")
    assert "There is no specification" in player.prompts[1]


FAILED: Mapping[str, Actions] = {
    "it says that it did not pass": (used(), signal(passed=False)),
    "it names an issue, and says that it passed": (used(), signal(passed=True, issues=["The total is wrong."])),
}


@pytest.mark.parametrize("case", FAILED)
def test_an_agent_that_found_the_validation_wanting_is_believed(root: Path, case: str) -> None:
    """There, `passed` was true unless it was read, and it never was."""
    made, player = measured(root, DONE, FAILED[case], repeat=True)
    made.plan(TASK)
    state = made.begin()
    assert state.end != "passed"
    assert state.validations >= 1
    assert "The validation failed" in "\n".join([*player.prompts, state.why])


def test_a_validation_that_fails_goes_back_to_building_and_passes_when_it_is_repaired(root: Path) -> None:
    """There was no way back."""
    wrong: Actions = (used(), signal(issues=["a.md says nothing about totals."]))
    mend: Actions = (used(), ("write", {"path": "a.md", "content": "one total\n"}), *claim("build.done", GOOD))
    made, player = measured(root, DONE, wrong, mend, (used(), signal(passed=True)))
    made.plan(TASK)
    state = made.begin()
    assert (state.end, state.validations) == ("passed", 2)
    assert "a.md says nothing about totals." in player.prompts[2]
    assert [task.status for task in made.tasks.values()] == [TaskStatus.COMPLETE] * 2


@pytest.mark.parametrize("task", ["nobody-knows-it", "two"])
def test_a_call_to_complete_another_task_completes_nothing_and_is_no_progress(root: Path, task: str) -> None:
    """There, the request was counted: three tasks "completed" of a plan in which nothing had changed."""
    made, _ = shop(root, (used(), complete(task)), repeat=True)
    made.plan(TASK, Task(id="two", description="Later."))
    state = made.begin()
    assert state.breaker.halted_by == "stagnation:6"
    assert (state.complete, made.tasks["two"].status) == (0, TaskStatus.PENDING)


def test_only_what_is_at_work_becomes_complete_blocked_or_tried_again(root: Path) -> None:
    """There, any task went from any state to any other by a call."""
    calls: Actions = (
        used(),
        complete("two"),
        tool("ralph_mark_task_blocked", task_id="done", reason="I do not like it."),
        tool("ralph_increment_retry", task_id="done"),
        tool("ralph_mark_task_in_progress", task_id="waits"),
        *claim("build.done", GOOD),
    )
    made, _ = shop(root, calls, (used(),))
    made.plan(
        Task(id="done", description="Was done.", priority=1),
        Task(id="one", description="Do it.", priority=2),
        Task(id="two", description="Later.", priority=3),
        Task(id="waits", description="Waits.", priority=4, dependencies=("two",)),
    )
    made.plan()
    store = PlanStore(root)
    store.change(lambda plan: transitions.complete(transitions.start(plan, "done"), "done", at="2026-01-01T00:00:00Z"))
    made.begin()
    found = made.tasks
    assert (found["done"].status, found["done"].retry_count) == (TaskStatus.COMPLETE, 0)
    assert found["one"].status is TaskStatus.COMPLETE
    assert found["waits"].status is TaskStatus.PENDING


def test_a_third_failed_attempt_blocks_the_task_and_the_run_never_passes(root: Path) -> None:
    """There, a task was tried again for ever."""
    failing = replace(TASK, verification_criteria=('verify:"grep -q total a.md"',))
    made, player = measured(root, DONE, DONE, DONE, DONE, (used(), signal(passed=True)), repeat=True)
    made.plan(failing, Task(id="two", description="Another."))
    state = made.begin()
    one, two = made.tasks["one"], made.tasks["two"]
    assert (one.status, one.retry_count, two.status) == (TaskStatus.BLOCKED, 3, TaskStatus.COMPLETE)
    assert (state.end, "Task one is blocked" in state.why) == ("failed", True)
    assert "grep -q total a.md" in player.prompts[1], "and the agent was told"


def test_a_task_that_a_crashed_run_had_begun_is_done_and_not_passed_over(root: Path) -> None:
    """There, it was neither pending nor open, so building was done."""
    made, _ = measured(root, DONE, (used(), signal(passed=True)))
    made.plan(TASK)
    PlanStore(root).change(lambda plan: transitions.start(plan, "one"))
    state = made.begin()
    assert (state.end, made.tasks["one"].status) == ("passed", TaskStatus.COMPLETE)


# Lost state.


def test_what_the_agent_says_by_a_tool_counts_the_first_time(root: Path) -> None:
    """There, the loop saved the state that it remembered over the one with the signal, and took four turns for one."""
    made, player = shop(root, (used(), WRITES, signal()), (used(),))
    state = made.begin(Phase.DISCOVERY)
    assert (state.phase, "PLANNING MODE" in player.prompts[1]) == (Phase.PLANNING, True)


def test_what_was_planned_by_tools_and_by_others_stays_in_the_plan(root: Path) -> None:
    """There, the plan that was cached before the turn was written over it."""

    def plans(turn: Turn) -> Actions:
        Workshop.plan(made, Task(id="by-a-person", description="Do this as well.", verification_criteria=("it works",)))
        return (
            used(),
            tool("ralph_add_task", task_id="by-a-tool", description="Do it.", verification_criteria=['verify:"false"']),
            signal(),
        )

    made, _ = shop(root, plans, (used(),), repeat=True)
    made.begin(Phase.PLANNING)
    assert set(made.tasks) == {"by-a-person", "by-a-tool"}


def test_a_task_that_is_added_while_another_is_built_is_built_as_well(root: Path) -> None:
    def builds(turn: Turn) -> Actions:
        if "two" not in made.tasks:
            made.plan(Task(id="two", description="And this."))
        return DONE

    made, _ = measured(root, builds, DONE, (used(), signal(passed=True)))
    made.plan(TASK)
    assert made.begin().end == "passed"
    assert [task.status for task in made.tasks.values()] == [TaskStatus.COMPLETE] * 2


def test_a_pause_during_a_turn_is_kept_and_nothing_runs_until_it_is_taken_back(root: Path) -> None:
    """There, two more iterations ran, and the pause was gone afterwards."""

    def pauses(turn: Turn) -> Actions:
        Control(root).post("pause", to=alive(root))
        return BAD

    made, player = shop(root, pauses, DONE, (used(),))
    made.plan(TASK)
    seen: list[tuple[int, bool]] = []

    def is_paused() -> bool:
        saved = StateStore(root).load_or_none()
        return saved is not None and saved.paused

    def go_on() -> None:
        time.sleep(0.4)
        saved = StateStore(root).load()
        seen.append((len(player.turns), saved.paused))
        Control(root).post("resume", to=alive(root))

    with meanwhile(is_paused, go_on):
        state = made.begin()
    assert seen == [(1, True)]
    assert (made.tasks["one"].status, StateStore(root).load().paused) == (TaskStatus.COMPLETE, False)
    assert state.status == "ended"


def test_a_hint_reaches_the_next_prompt_and_no_other_also_behind_a_damaged_line_and_a_handoff(root: Path) -> None:
    """There, hints reached no prompt, a handoff deleted them, and one bad line hid all the others."""
    full: Actions = (used(context=9_000), *claim("build.done", "tests: fail"))

    def is_told(turn: Turn) -> Actions:
        Control(root).post("inject", "Mind the café.", priority=5)
        path = root / CONTROL
        path.write_bytes(path.read_bytes() + b"{ this is no order\n")
        return full

    made, player = shop(root, is_told, (used(), ("say", "I sum up.")), BAD, DONE, (used(),))
    made.plan(TASK)
    made.begin()
    assert ["Mind the café." in prompt for prompt in player.prompts[:4]] == [False, False, True, False]
    assert "This session ends now" in player.prompts[1]


def test_hints_stand_in_the_order_of_their_priorities(root: Path) -> None:
    for text, priority in (("Third.", -1), ("First.", 9), ("Second.", 0)):
        Control(root).post("inject", text, priority=priority)
    made, player = shop(root, DONE, (used(),))
    made.plan(TASK)
    made.begin()
    first, second, third = (player.prompts[0].index(text) for text in ("First.", "Second.", "Third."))
    assert first < second < third


# Breaker and accounting.


def test_an_idle_iteration_counts_once(root: Path) -> None:
    """There, twice, so that three were taken for six and five allowed were none."""
    settings = Settings(limits=LIMITS, breaker=BreakerSettings(stagnation=2))
    made, player = shop(root, (used(), ("say", "I think about it.")), repeat=True, settings=settings)
    made.plan(TASK)
    state = made.begin()
    moved = [each.moved for each in made.view.inputs if isinstance(each, Judged)]
    assert (state.breaker.halted_by, len(player.turns), moved) == ("stagnation:3", 3, [False] * 3)


@pytest.mark.parametrize("reason", ["crashed", "error", "stalled", "timeout", "api_error"])
def test_three_broken_turns_in_a_row_stop_the_run_and_are_no_success(root: Path, reason: str) -> None:
    """There, each was recorded as a success first, so that ten in a row were a failure count of one."""
    made, player = shop(root, (used(), ("end", {"reason": reason, "detail": "it broke"})), repeat=True)
    made.plan(TASK)
    state = made.begin()
    assert (state.end, len(player.turns)) == ("limit", 3)
    assert state.breaker.halted_by == "consecutive_failures:3"
    assert "it broke" in state.why


@pytest.mark.parametrize("phase", list(Phase))
def test_costs_stop_a_run_in_every_phase(root: Path, phase: Phase) -> None:
    """There, two phases never looked: $500 were spent, and it went on."""
    limits = replace(LIMITS, per_iteration_usd=None, total_usd=2.0)
    made, player = shop(
        root, (used(cost_usd=1.5),), repeat=True, settings=Settings(limits=limits, breaker=BreakerSettings())
    )
    made.plan(TASK)
    state = made.begin(phase)
    assert (state.end, len(player.turns), state.breaker.opened_for) == ("limit", 2, "limit")


LIMITED: Mapping[str, tuple[Limits, int]] = {
    "per iteration": (Limits(per_iteration_usd=0.1), 1),
    "per session": (Limits(per_session_usd=0.3), 3),
    "in total": (Limits(total_usd=0.2), 2),
}


@pytest.mark.parametrize("case", LIMITED)
def test_every_limit_of_cost_opens_the_breaker(root: Path, case: str) -> None:
    """There, only a constant in the state file did; those of the configuration were read and never used."""
    limits, turns = LIMITED[case]
    made, player = shop(
        root,
        (used(cost_usd=0.1),),
        repeat=True,
        settings=Settings(limits=limits, breaker=BreakerSettings(stagnation=9)),
    )
    made.plan(TASK)
    state = made.begin()
    assert (state.end, len(player.turns), case in state.why) == ("limit", turns, True)
    assert StateStore(root).load().circuit_breaker.state == "open"


def test_tokens_of_all_sessions_add_up(root: Path) -> None:
    """There, sessions of 5,000 and 1,000 tokens came to 1,000."""
    made, _ = shop(
        root, (used(tokens=5_000), *claim("build.done", GOOD)), (used(tokens=1_000), *claim("build.done", GOOD))
    )
    made.plan(TASK, Task(id="two", description="And this."))
    state = made.begin()
    assert state.session.number >= 3
    assert StateStore(root).load().total_tokens_used >= 6_000


def test_a_new_session_begins_with_no_cost_and_its_tools_are_not_denied(root: Path) -> None:
    """There, the cost of a session was never set back, and at the limit of one iteration every tool was denied."""
    work: Actions = (used(cost_usd=1.5), ("run", "ls"), *claim("build.done", GOOD))
    made, _ = measured(root, work, work, work, (used(), signal(passed=True)))
    made.plan(TASK, *(Task(id=name, description=name) for name in ("two", "three")))
    state = made.begin()
    assert state.end == "passed"
    assert state.total.cost_usd == pytest.approx(4.6)
    assert StateStore(root).load().session_cost_usd == 0.0


def test_at_sixty_percent_the_agent_sums_up_and_the_next_session_reads_it(root: Path) -> None:
    """There, nothing measured the context, and nothing handed over."""
    full: Actions = (used(context=6_000), *claim("build.done", "tests: fail"))
    sums_up: Actions = (
        used(),
        ("say", "## Progress\n- The parser is half done.\n\n## Notes for Next Session\n- Total."),
    )
    made, player = shop(root, full, sums_up, DONE, (used(),))
    made.plan(TASK)
    made.begin()
    assert (player.turns[1].session, player.turns[1].tools) == ("conversation 1", ())
    assert (player.turns[2].session, "The parser is half done." in player.prompts[2]) == (None, True)
    history = (root / ".ralph" / "session_history" / "sessions.jsonl").read_text().splitlines()
    assert json.loads(history[0])["handoff_reason"] == "context_full"


def test_what_a_turn_completed_is_what_its_memory_says(root: Path) -> None:
    """There, it listed every complete task of the plan, each time anew."""
    made, _ = shop(root, DONE, DONE, (used(),))
    made.plan(Task(id="alpha", description="The first."), Task(id="beta", description="The second."))
    made.begin()
    second = (root / ".ralph" / "memory" / "iterations" / "iter-002.md").read_text()
    assert ("beta" in second, "alpha" in second) == (True, False)
