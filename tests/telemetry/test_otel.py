"""A real run is seen by a real collector: spans in their order, metrics with closed labels, and no secret."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ralph.config import parse_config
from ralph.errors import ConfigError
from ralph.loop.control import hold
from ralph.loop.journal import Journal
from ralph.loop.runner import Runner
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.telemetry.otel import VARIABLES, observed
from tests.audit.evidence import CONTEXT, CONTRACT
from tests.loop.workshop import TASK, Workshop, scripted, tool
from tests.project import repository
from tests.telemetry.collector import Collector, attributes, collector

CLAIM = tool("ralph_mark_task_complete", task_id="one", verification_notes="Done.")
WRITE = ("write", {"path": "b.py", "content": "hushhush = 2\n"})
YML = "telemetry:\n  endpoint: {url}\n"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "OTEL_SDK_DISABLED"):
        monkeypatch.delenv(name, raising=False)


class Observed(Workshop):
    """A workshop whose runs are told to a collector."""

    environ: dict[str, str] = {}

    def _run(self, site: Site, found: Journal) -> State:
        with hold(site.root, found.state.run) as alive:
            runner = Runner(site=site, journal=found, alive=alive)
            with observed(runner, self.environ, lambda sentence: None):
                return runner.run()


def shop(tmp_path: Path, url: str | None) -> Observed:
    files = {"a.md": "one\n"} | ({"ralph.yml": YML.format(url=url)} if url else {})
    root = repository(tmp_path / "project", files)
    made = Observed(
        root,
        scripted((WRITE, ("say", "hushhush"), CLAIM)),
        evidence="measured",
        context=CONTEXT,
        prompt="hushhush",
        site_with={"contract": CONTRACT},
    )
    made.plan(TASK)
    return made


def by_name(there: Collector) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for span in sorted(there.spans, key=lambda each: each.start_time_unix_nano):
        found.setdefault(span.name, []).append(span)
    return found


def test_spans_and_metrics_of_a_run_arrive(tmp_path: Path) -> None:
    with collector() as there:
        state = shop(tmp_path, there.url).begin()
        spans = by_name(there)
        (run,) = spans["invoke_workflow ralph.loop"]
        told = attributes(run)
        assert (told["ralph.run.id"], told["ralph.run.end"], told["gen_ai.operation.name"]) == (
            state.run,
            state.end,
            "invoke_workflow",
        )
        assert there.resources[0]["service.name"] == "ralph"
        turn = spans["invoke_agent scripted"][0]
        told = attributes(turn)
        assert (turn.parent_span_id, turn.trace_id) == (run.span_id, run.trace_id)
        assert (told["gen_ai.operation.name"], told["ralph.task"], told["ralph.iteration"]) == (
            "invoke_agent",
            "one",
            1,
        )
        tools = [span for name, group in spans.items() if name.startswith("execute_tool ") for span in group]
        assert {span.parent_span_id for span in tools} <= {span.span_id for span in spans["invoke_agent scripted"]}
        assert len(tools) >= 2
        verdicts = [attributes(span).get("ralph.verdict") for span in spans["verify"]]
        assert "PASS" in verdicts
        step = spans["verify guardrail"][0]
        assert step.parent_span_id in {span.span_id for span in spans["verify"]}
        assert attributes(step)["ralph.step.status"] == "pass"
        assert all(span.end_time_unix_nano >= span.start_time_unix_nano > 0 for span in there.spans)
        assert len({span.span_id for span in there.spans}) == len(there.spans)
        metrics = {metric.name for metric in there.metrics}
        assert {"gen_ai.client.operation.duration", "ralph.verdicts"} <= metrics
        assert set(there.paths) == {"/v1/traces", "/v1/metrics"}


def test_no_text_of_an_agent_and_no_path_is_sent(tmp_path: Path) -> None:
    with collector() as there:
        made = shop(tmp_path, there.url)
        made.begin()
        assert there.spans
        for data in there.raw:
            assert b"hushhush" not in data
            assert str(made.root).encode() not in data
            assert b"b.py" not in data


def test_labels_of_metrics_are_closed(tmp_path: Path) -> None:
    with collector() as there:
        shop(tmp_path, there.url).begin()
        keys = set[str]()
        for metric in there.metrics:
            for point in getattr(metric, metric.WhichOneof("data")).data_points:
                keys |= attributes(point).keys()
        allowed = {
            "gen_ai.agent.name",
            "gen_ai.response.model",
            "gen_ai.operation.name",
            "gen_ai.token.type",
            "error.type",
            "ralph.verdict",
        }
        assert "ralph.verdict" in keys <= allowed


def test_it_is_off_unless_somebody_asks(tmp_path: Path) -> None:
    with collector() as there:
        shop(tmp_path / "a", None).begin()
        off = shop(tmp_path / "b", there.url)
        off.environ = {"OTEL_SDK_DISABLED": "true"}
        off.begin()
        assert there.paths == []


def test_the_variables_of_opentelemetry_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as there:
        monkeypatch.setenv(VARIABLES[0], there.url)
        made = shop(tmp_path, None)
        made.environ = {VARIABLES[0]: there.url}
        made.begin()
        assert "invoke_agent scripted" in by_name(there)


def test_a_collector_that_hangs_or_is_not_there_holds_up_no_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ends = []
    with collector() as there:
        there.hang = threading.Event()
        for number, url in enumerate((there.url, "http://127.0.0.1:9")):
            began = time.monotonic()
            ends.append(shop(tmp_path / str(number), url).begin().end)
            assert time.monotonic() - began < 40
    assert len(set(ends)) == 1
    assert "Traceback" not in capfd.readouterr().err


def test_nothing_of_it_is_loaded_when_it_is_off() -> None:
    line = "import sys, ralph.telemetry.otel, ralph.telemetry.spans; print('opentelemetry' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    "url", ["ftp://x/", "localhost:4318", "http://", "http://ann:HUSH@x/", "https://x/?key=HUSH", "http://[::1", "''"]
)
def test_an_endpoint_that_is_none(url: str) -> None:
    with pytest.raises(ConfigError, match=r"telemetry\.endpoint") as caught:
        parse_config(YML.format(url=url).encode(), "ralph.yml")
    assert "HUSH" not in str(caught.value)
