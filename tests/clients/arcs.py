"""What a run with a real client is put through, and what has to come of it, whichever client it is."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass

from ralph.loop import journal, wire
from ralph.loop.inputs import Judged, TurnEnded
from ralph.loop.plan.files import PlanStore
from ralph.system import ledger
from tests.clients import small_project
from tests.clients.harness import World
from tests.clients.minds import Mind
from tests.clients.runs import WAIT_S, Command, Person, gone, left

WITHOUT = "(the run began without a context file)"
TOLD = (
    "The configuration is the defaults.",
    "The context is detected from the base tree.",
    "There is no ralph.policy.json, so Ralph's starter policy counts in this run; `ralph init` writes it down.",
    f"typecheck does not apply: neither mypy nor pyright is configured or required {WITHOUT}.",
    f"coverage does not apply: pytest-cov is not among the project's requirements {WITHOUT}.",
)
"""What a person is told of a project that Ralph does not know."""


def fresh(world: World) -> None:
    """A repository of somebody who never heard of Ralph."""
    for name, text in small_project.FILES.items():
        world.write(name, text)
    world.git("add", "--all")
    world.git("commit", "--quiet", "--message", "A converter")


def governed(world: World, more: Mapping[str, str]) -> None:
    """The same, with a policy and a checklist; `more` are further files."""
    for name, text in {**more, "tools/probe.sh": small_project.PROBE, "tasks.md": small_project.CHECKLIST}.items():
        world.write(name, text)
    fresh(world)
    world.commit_policy(small_project.POLICY)


def out_of_the_box(person: Person, agent: str, mind: Mind) -> None:
    """One command in a repository that knows nothing of Ralph, and a client that is logged in: a signed PASS."""
    world = person.world
    run = person.types("run", "--agent", agent, small_project.WISH)
    assert run.process.returncode == 0, run
    assert run.told[:5] == list(TOLD)
    phases = [line for line in run.told if line.startswith("phase: ")]
    assert phases == ["phase: discovery", "phase: planning", "phase: building", "phase: validation"]
    assert "PASSED: Every task is complete" in run.out
    assert len(mind.prompts) == 5
    assert small_project.WISH in mind.prompts[0]
    assert [task.status for task in PlanStore(world.root).load().tasks] == ["complete", "complete"]
    verified = person.types("audit", "verify", "last")
    assert (verified.process.returncode, "every file, signature" in verified.out) == (0, True), verified
    assert world.git("status", "--short").splitlines() == [
        "M src/units/cli.py",
        "?? specs/",
        "?? tests/test_help.py",
        "?? tests/test_json.py",
    ]
    assert gone(world) == []


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """What is special about one: the command line of its process, how its turn ends that costs too much, and of how
    many turns nobody knows what they cost, when two were cut off."""

    process: str
    spent_out: str
    unpriced: int


def through_everything(person: Person, agent: str, mind: Mind, client: Client) -> None:
    """A denied command, a false claim, an order to stop, a dead client, an empty purse, a dead Ralph; then the work."""
    world = person.world
    assert person.types("plan", "import", "tasks.md").process.returncode == 0
    run = person.start("run", "--agent", agent, "--max-cost", "0.1", small_project.WISH)
    _at_work(world, run)
    assert person.types("stop").process.returncode == 0
    assert (run.end(), gone(world)) == (130, []), run
    assert "denied: " in run.text, run
    assert "measured: refused" in run.text, run

    resumed = person.start("resume")
    _at_work(world, resumed)
    _kill(world, client.process)
    assert (resumed.end(), gone(world)) == (5, []), resumed
    assert "crashed: " in resumed.text
    assert "LIMIT: A limit is reached (cost_limit:$0." in resumed.out
    assert "go on with `ralph resume --max-cost USD`" in resumed.out

    again = person.start("resume", "--max-cost", "5")
    _at_work(world, again)
    again.process.kill()
    again.end()
    assert gone(world) == [], again
    status = person.json("status")
    assert (status["status"], status["next"]) == ("interrupted", ["go on: ralph resume"])

    last = person.types("resume", "--max-cost", "6")
    assert last.process.returncode == 0, last
    assert "PASSED: Every task is complete" in last.out
    assert person.types("audit", "verify", "last").process.returncode == 0
    assert gone(world) == []
    _recorded(world, mind, client)


def _recorded(world: World, mind: Mind, client: Client) -> None:
    """What the log says of it, and what the model was told."""
    found = journal.latest(world.root)
    assert found is not None
    log = [wire.from_record(entry.record, "the log") for entry in ledger.follow(found.path, ledger.START)[0]]
    turns = [each.reason for each in log if isinstance(each, TurnEnded)]
    assert turns == ["completed", "interrupted", "crashed", client.spent_out, "completed", "completed", "completed"]
    outcomes = [each.outcome for each in log if isinstance(each, Judged)]
    assert outcomes == ["refused", "open", "open", "complete", "complete", "phase"]
    attempts = [re.search(r"This is attempt (\d)", each) for each in mind.prompts if "Task `flag-1`" in each]
    assert [int(each[1]) if each else 1 for each in attempts] == [1, 2, 2, 3, 3, 3]
    assert "WHAT RALPH FOUND" in mind.prompts[1]
    assert "tests/test_json.py" in mind.prompts[1]
    assert found.state.settings.limits.total_usd == 6
    spent = found.state.total
    assert spent.iterations == 6
    assert spent.unpriced == client.unpriced


def _at_work(world: World, run: Command) -> None:
    """Wait until the slow command runs, in the middle of the agent's turn."""
    until = time.monotonic() + WAIT_S
    while not any("sleep\x00301" in each for each in left(world)):
        assert time.monotonic() < until, run
        assert run.process.poll() is None, run
        time.sleep(0.1)


def _kill(world: World, process: str) -> None:
    """The client itself, not what it started."""
    numbers = [int(each.split()[0]) for each in left(world) if re.search(rf"^\d+ {process}", each)]
    assert numbers
    for number in numbers:
        os.kill(number, signal.SIGKILL)
