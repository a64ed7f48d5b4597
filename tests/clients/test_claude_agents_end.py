"""How turns of `claude` and `claude-cli` end, with the real client: limits, trouble with the model, and deaths."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import EndReason, Record, Text, ToolCall, TurnLimits
from ralph.hook.model import Answer, Call
from tests.clients.anthropic import Answer as Said
from tests.clients.anthropic import Stalled, call, fail, say, scripted
from tests.clients.claude_turns import AGENTS, agent, alive, clients, play, turn
from tests.clients.harness import World, claude

both = pytest.mark.parametrize("name", AGENTS)
QUICK = TurnLimits(stall_s=None)


def bash(command: str) -> tuple[str, dict[str, Any]]:
    return "Bash", {"command": command, "description": "a command"}


PROBE = call(bash("bash tools/probe.sh"))


@contextmanager
def sleeping(world: World) -> Iterator[None]:
    """The probe works for a minute, in a session of its own as well."""
    world.write("tools/probe.sh", "echo started > src/started\nsetsid sleep 61 &\nexec sleep 60\n")
    yield
    assert alive(world) == []


def wait_for(path: Path) -> None:
    for _ in range(2400):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} never came")


def begun(world: World, action: Callable[[], object]) -> None:
    """Do it a moment after the probe has begun; whoever reads the records must not wait."""

    def later() -> None:
        wait_for(world.root / "src" / "started")
        time.sleep(0.2)
        action()

    threading.Thread(target=later, daemon=True).start()


@both
def test_steps_and_cost_are_limited(world: World, name: str) -> None:
    """Cost is looked at after a call: one call too many at most. Both limits are the turn's, also when it goes on."""
    step = call(("Read", {"file_path": str(world.root / "src" / "a.txt")}))
    with scripted(*[step] * 20) as model:
        steps = play(name, turn(world, model.url, 1, limits=TurnLimits(steps=2)))
        asked = len(model.requests)
        cost = play(name, turn(world, model.url, 2, limits=TurnLimits(cost_usd=0.0006), session=steps.session))
    assert (steps.end.reason, asked) == ("limit", 2)
    assert cost.end.reason == "budget"
    assert cost.end.usage is not None
    assert cost.end.usage.cost_usd == pytest.approx(0.0008)
    assert len(model.requests) == asked + 2


TROUBLE: list[tuple[str, Said, EndReason]] = [
    ("overloaded", fail(529, "overloaded_error", "Overloaded"), "api_error"),
    ("broken", fail(500, "api_error", "Broken"), "api_error"),
    ("no key", fail(401, "authentication_error", "invalid x-api-key"), "login"),
    ("no right", fail(403, "permission_error", "not for you"), "login"),
    ("too many", fail(429, "rate_limit_error", "slow down"), "rate_limited"),
    ("too long", fail(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000"), "context_full"),
    ("no money", fail(400, "invalid_request_error", "Your credit balance is too low"), "api_error"),
    ("no model", fail(404, "not_found_error", "model: x"), "api_error"),
]


@pytest.mark.parametrize(("answer", "reason"), [pytest.param(*rest, id=name) for name, *rest in TROUBLE])
def test_trouble_with_the_provider(world: World, answer: Said, reason: EndReason) -> None:
    with scripted(answer, answer, answer) as model:
        played = play("claude-cli", turn(world, model.url))
    assert played.end.reason == reason
    assert played.end.detail
    assert played.end.usage is None or played.end.usage.tokens == 0


def test_the_package_tells_trouble_apart_too(world: World) -> None:
    with scripted(fail(529, "overloaded_error", "Overloaded")) as model:
        assert play("claude", turn(world, model.url)).end.reason == "api_error"


def test_an_overloaded_provider_is_asked_again(world: World) -> None:
    with scripted(fail(529, "overloaded_error", "Overloaded"), say("done")) as model:
        made = turn(world, model.url)
        played = play("claude", turn(world, model.url, 2, env={**made.env, "CLAUDE_CODE_MAX_RETRIES": "2"}))
    assert played.end.reason == "completed"
    assert len(model.requests) == 2


def test_how_long_to_wait_is_passed_on(world: World) -> None:
    """The client would wait by itself for half a minute; Ralph ends it, and waits better."""
    with scripted(*[fail(429, "rate_limit_error", "slow down", retry_after="30")] * 3) as model:
        made = turn(world, model.url)
        played = play("claude-cli", turn(world, model.url, 2, env={**made.env, "CLAUDE_CODE_MAX_RETRIES": "2"}))
    assert played.end.reason == "rate_limited"
    assert played.end.retry_after_s == pytest.approx(34, abs=5)
    assert played.seconds < 8


def test_the_limit_of_a_subscription(world: World) -> None:
    """The client says when it ends."""
    ends = {
        "anthropic_ratelimit_unified_status": "rejected",
        "anthropic_ratelimit_unified_reset": str(int(time.time()) + 3600),
        "anthropic_ratelimit_unified_representative_claim": "five_hour",
    }
    with scripted(fail(429, "rate_limit_error", "slow down", **ends)) as model:
        made = turn(world, model.url)
        env = {**made.env, "ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": "sk-ant-oat01-dummy"}
        played = play("claude-cli", turn(world, model.url, 2, env=env))
    assert played.end.reason == "rate_limited"
    assert played.end.retry_after_s == pytest.approx(3600, abs=60)


def test_nobody_answers(world: World) -> None:
    assert play("claude-cli", turn(world, "http://127.0.0.1:9")).end.reason == "offline"


def test_nobody_is_logged_in(world: World) -> None:
    made = turn(world, "http://127.0.0.1:9")
    env = {key: value for key, value in made.env.items() if key != "ANTHROPIC_API_KEY"}
    played = play("claude-cli", turn(world, "http://127.0.0.1:9", 2, env=env))
    assert played.end.reason == "login"


@both
def test_a_conversation_that_is_gone(world: World, name: str) -> None:
    """A person cleaned up, or has another home: a new one begins."""
    with scripted(say("done")) as model:
        played = play(name, turn(world, model.url, session="11111111-2222-3333-4444-555555555555"))
    assert played.end.reason == "completed"
    assert played.session
    assert Text("done") in played.records


@both
def test_a_model_that_says_no_more(world: World, name: str) -> None:
    """The client itself would wait for minutes."""
    with scripted(Stalled(20)) as model:
        played = play(name, turn(world, model.url, limits=TurnLimits(stall_s=1.5)))
    assert played.end.reason == "stalled"
    assert played.seconds < 8
    assert alive(world) == []


@both
def test_a_command_is_interrupted(world: World, name: str) -> None:
    """By a person or by Ralph; the client says what it cost, and goes on another time."""
    with scripted(PROBE, say("went on")) as model, sleeping(world):
        made = turn(world, model.url, 1, limits=QUICK)

        def stop(record: Record) -> None:
            if isinstance(record, ToolCall):
                begun(world, made.stop.set)

        first = play(name, made, stop)
        assert (first.end.reason, alive(world)) == ("interrupted", [])
        assert first.end.usage is not None
        assert first.end.usage.cost_usd == pytest.approx(0.0004)
        second = play(name, turn(world, model.url, 2, session=first.session))
    assert second.end.reason == "completed"


def test_time_is_limited(world: World) -> None:
    with scripted(PROBE) as model, sleeping(world):
        played = play("claude-cli", turn(world, model.url, limits=TurnLimits(runtime_s=2, stall_s=None)))
    assert played.end.reason == "timeout"
    assert played.seconds < 10


def kill_all(numbers: Iterable[int]) -> None:
    for number in numbers:
        os.kill(number, signal.SIGKILL)


@both
def test_a_client_that_is_killed(world: World, name: str) -> None:
    """Its commands had sessions of their own and went on; the next turn knows that it was cut off."""
    with scripted(PROBE, say("went on")) as model, sleeping(world):

        def kill(record: Record) -> None:
            if isinstance(record, ToolCall):
                begun(world, lambda: kill_all(clients(world)))

        first = play(name, turn(world, model.url, 1, limits=QUICK), kill)
        assert (first.end.reason, alive(world)) == ("crashed", [])
        assert "SIGKILL" in str(first.end.detail)
        assert first.end.usage is not None
        assert first.end.usage.cost_usd is None
        second = play(name, turn(world, model.url, 2, session=first.session))
    assert second.end.reason == "completed"


@both
def test_a_turn_that_nobody_reads_any_more(world: World, name: str) -> None:
    """Whoever reads the records may close the generator at any moment."""
    with scripted(PROBE) as model, sleeping(world):
        records = agent(name).run(turn(world, model.url, limits=QUICK))
        for record in records:
            if isinstance(record, ToolCall):
                break
        records.close()  # type: ignore[attr-defined]


RUN_A_TURN = """
import sys
from pathlib import Path
from tests.clients import claude_turns, harness

world = harness.World(Path(sys.argv[1]), Path(sys.argv[2]), "http://127.0.0.1:9", sys.argv[3])
claude_turns.play(sys.argv[4], claude_turns.turn(world, sys.argv[5]))
"""


@both
def test_ralph_is_killed(world: World, name: str) -> None:
    root = Path(__file__).parents[2]
    with scripted(PROBE) as model, sleeping(world):
        ralph = subprocess.Popen(
            [sys.executable, "-c", RUN_A_TURN, world.root, world.home, world.temporary, name, model.url],
            env={**os.environ, "PYTHONPATH": str(root), "RALPH_TEST_CLAUDE": claude()},
        )
        wait_for(world.root / "src" / "started")
        ralph.kill()
        ralph.wait()
        for _ in range(300):
            if not alive(world):
                break
            time.sleep(0.1)


class Broken:
    """A court that is no longer there."""

    def answer(self, call: Call) -> Answer:
        raise SystemExit("nothing answers")


@both
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_question_that_nobody_answers_is_a_denial(world: World, name: str) -> None:
    with scripted(call(bash("touch src/marker")), say("done")) as model:
        played = play(name, turn(world, model.url, court=Broken()))
    assert played.end.reason == "completed"
    assert not (world.root / "src" / "marker").exists()
    assert not played.result_of("Bash").ran


class Slow:
    """A court that waits for a person who is not there."""

    def __init__(self) -> None:
        self.asked, self.answered = threading.Event(), threading.Event()

    def answer(self, call: Call) -> Answer:
        self.asked.set()
        self.answered.wait(30)
        return Answer(True, "too late")

    def stop_after(self, stop: threading.Event) -> None:
        """Longer than the turn may be silent otherwise."""
        self.asked.wait(20)
        time.sleep(6.5)
        stop.set()


@both
def test_a_turn_is_stopped_while_a_person_is_asked(world: World, name: str) -> None:
    """Waiting for a person is no stall; and what is allowed after the end does not happen."""
    court, stop = Slow(), threading.Event()
    with scripted(call(bash("touch src/marker")), say("done")) as model:
        made = turn(world, model.url, court=court, stop=stop, limits=TurnLimits(stall_s=6))
        threading.Thread(target=court.stop_after, args=(stop,), daemon=True).start()
        played = play(name, made)
    court.answered.set()
    assert played.end.reason == "interrupted"
    assert not played.result_of("Bash").ran
    assert not (world.root / "src" / "marker").exists()


@both
def test_without_a_court_nothing_is_allowed(world: World, name: str) -> None:
    with scripted(call(bash("ls")), say("done")) as model:
        played = play(name, turn(world, model.url, court=None))
    assert "Nobody decides" in played.result_of("Bash").output
    assert played.decision_on("Bash").outcome == "deny"


def wrapper(world: World, line: str) -> Path:
    """A `claude` that does something first."""
    path = world.home / "wrapper"
    path.write_text(f'#!/bin/bash\n{line}\nexec {claude()} "$@"\n')
    path.chmod(0o700)
    return path


EVERY = 'for a in "$@"; do case $a in */{name}) {what};; esac; done'


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        pytest.param(EVERY.format(name="settings.json", what="echo '{}' > $a"), "without asking", id="no hook"),
        pytest.param(EVERY.format(name="mcp.json", what="sed -i s,/mcp,/nothing, $a"), "is failed", id="dead server"),
    ],
)
def test_a_client_that_cannot_be_governed_is_killed(world: World, line: str, detail: str) -> None:
    from ralph.agents.claude_cli import ClaudeCli
    from tests.clients.test_claude_agents import ADD

    world.write("src/b.txt", "b\n")
    step = call(("Read", {"file_path": str(world.root / "src" / "b.txt")}))
    with scripted(*[step] * 50) as model:
        program = wrapper(world, line)
        *_, end = ClaudeCli(program=program).run(turn(world, model.url, tools=(ADD,)))
    assert getattr(end, "reason", None) == "ungoverned"
    assert detail in str(getattr(end, "detail", ""))
    assert len(model.requests) < 10
    assert alive(world) == []


@both
def test_a_prompt_is_taken_as_it_is(world: World, name: str) -> None:
    """Longer than any argument may be; its files are not read, its commands not run."""
    prompt = "/compact now\n@.env\n" + "x" * 300_000
    with scripted(say("done")) as model:
        played = play(name, turn(world, model.url, prompt=prompt))
        told = model.told()
    assert played.end.reason == "completed"
    assert "/compact now\\n@.env\\nxxx" in told
    assert "very-secret" not in told
