"""What all steps share: where they run, how a command is run for a step, and when its end says nothing.

Rules (design decisions 1, 2, 7):

- A step without a command, a command that did not end by itself, a tool that is missing (126, 127), a report that
  this run did not write: `could not verify: <step>: ...`, status `error`. Never a pass, never a plain fail.
- A report that the context names is moved aside before the run, so that only a fresh one can be read.
- Logs and reports go to `steps/<name>/` of the evidence directory; a log too long to keep is cut there to its head and
  tail, and kept whole beside it, compressed.
- Processes that a step left behind are ended and counted (`leftovers`); they alone do not fail it.
"""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ralph.guardrails.secrets.redact import redacted
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.walls import walls_for_steps
from ralph.record import field, record
from ralph.steps.arming import Armed
from ralph.steps.named_report import NamedReport
from ralph.steps.sandbox import Sandbox
from ralph.steps.tools.recipe import AS_WRITTEN, Manner
from ralph.system import ends
from ralph.system.process import Command, Ended
from ralph.system.records import digest
from ralph.system.wardens import Leash
from ralph.verdict import COULD_NOT_VERIFY, StepResult, StepStatus

MAX_TEXT_BYTES = 64 << 20
"""A log that a tool's findings are read from may be this large; beyond it they count as unreadable."""

_NPX = "npx canceled due to missing packages"
_FLEETING = re.compile(
    r"\d\d:\d\d|\d{4}-\d\d-\d\d|\d ?(?:[mµn]?s|sec|seconds|min|m)\b|\bwritten to\b|\bline \d+: +\d+ |/\.ralph/|\bpid\b",
    re.IGNORECASE,
)
"""Times, durations, process numbers, paths of this run: a verdict must not depend on them."""

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@record(kw_only=True)
class Workplace:
    """Where steps run: the tree, the run's evidence directory, a place for set-aside files, environment, limit."""

    root: Path
    evidence: Path
    aside: Path
    env: Mapping[str, str]
    sandbox: Sandbox
    timeout_s: float = 600.0
    leash: Leash | None = None
    """Pulled when nobody wants the results any more."""


@record(kw_only=True)
class Requirement:
    """What the policy demands of steps that count something."""

    max_errors: int = 0
    min_percent: float = 80.0


@record(kw_only=True)
class Task:
    """One step to measure. `keep` are other report paths of the context, which the command may write as well."""

    name: str
    command: str
    workplace: Workplace
    hint: str | None = None
    report: NamedReport | None = None
    keep: tuple[NamedReport, ...] = ()
    requirement: Requirement = field(default_factory=Requirement)
    attempt: int = 1
    manner: Manner = AS_WRITTEN

    @property
    def folder(self) -> str:
        """Below the evidence directory; a repeated step has its own."""
        return f"steps/{self.name}" if self.attempt == 1 else f"steps/{self.name}-{self.attempt}"

    @property
    def reports(self) -> Path:
        return self.workplace.evidence / self.folder


@record(kw_only=True)
class Judgement:
    """What a step's measurement comes to, before it is written down."""

    status: StepStatus
    reason: str | None = None
    counts: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    """Ids of the tests that ran."""


def execute(task: Task, armed: Armed) -> Ended:
    """Run an armed command for a step, in its sandbox: fresh reports, log in the evidence, nothing left alive."""
    place = task.workplace
    if task.reports.exists():
        shutil.rmtree(task.reports)  # what an interrupted run left there must not be taken for this one's
    task.reports.mkdir(parents=True)
    named = ([task.report] if task.report else []) + list(task.keep)
    env = {**place.env, **armed.env}
    command = Command(
        line=armed.line,
        cwd=place.root,
        env=env,
        log=task.reports / "output.log",
        timeout_s=place.timeout_s,
        set_aside=tuple(pair for each in named for pair in each.set_aside(task.reports)),
        aside_root=place.aside,
        leash=place.leash,
    )
    walls = walls_for_steps(
        place.root,
        env,
        writable=(*place.sandbox.writable, task.reports),
        readable=place.sandbox.readable,
        open_network=place.sandbox.open_network,
    )
    return run_confined(command, walls, place.sandbox.level)


def result(task: Task, judgement: Judgement, ended: Ended, report: Path | None) -> StepResult:
    """Write a judgement down, with how the command ended and where its evidence stands."""
    log = task.reports / "output.log"
    if ended.truncated:
        _compress(log, ended.output)
    counts = dict(judgement.counts)
    if ended.leftovers:
        counts["leftovers"] = ended.leftovers
    return StepResult(
        name=task.name,
        status=judgement.status,
        exit_code=ended.exit_code,
        signal=ended.signal,
        duration_ms=ended.duration_ms,
        counts=counts,
        failures=tuple(dict.fromkeys(printable(each) for each in judgement.failures)),
        inventory=digest(sorted(set(judgement.tests))) if judgement.tests else None,
        report=f"{task.folder}/{report.name}" if report and report.is_file() else None,
        log=f"{task.folder}/output.log",
        reason=judgement.reason and printable(judgement.reason),
        command=task.command,
        containment=ended.containment,
    )


def mishap(ended: Ended, timeout_s: float) -> str | None:
    """Why the end of a command says nothing about the code; None when it ended by itself and was able to run."""
    if ended.exit_code == 1 and not ended.timed_out and not ended.trouble and _NPX in ended.output:
        return "the tool is not installed (npx would have fetched a package of its name)"
    return ends.mishap(ended, timeout_s, last_line(ended.output))


def could_not_verify(name: str, why: str) -> Judgement:
    return Judgement(status="error", reason=f"{COULD_NOT_VERIFY} {name}: {why}")


def unmeasured(name: str, why: str, command: str | None = None) -> StepResult:
    """The result of a step that was not run at all."""
    return StepResult(name=name, status="error", reason=f"{COULD_NOT_VERIFY} {name}: {why}", command=command)


def ended_with(ended: Ended) -> str:
    """For a sentence: the exit code, and the last thing that the command said."""
    last = last_line(ended.output)
    return f"exit code {ended.exit_code}" + (f"; its last words: {last}" if last else "")


def last_line(output: str) -> str:
    """The last line that says something, fit for one sentence. Lines that differ from run to run are passed over."""
    lines = (printable(line) for line in reversed(output[-8192:].splitlines()))
    return next((line for line in lines if line and not _FLEETING.search(line)), "")[:200]


def listed(ids: Sequence[str], most: int = 3) -> str:
    """The first few ids, and how many more there are."""
    shown = ", ".join(printable(each)[:200] for each in ids[:most])
    return f"{shown} and {len(ids) - most} more" if len(ids) > most else shown


def printable(text: str) -> str:
    """Text of a report or a tool on one line, safe for a terminal and for UTF-8, without secrets, of a sane length."""
    line = redacted(" ".join(_CONTROL.sub("", " ".join(text.split())).split()))
    return line.encode("utf-8", "replace").decode("utf-8")[:1000]


def full_output(task: Task, ended: Ended) -> str | None:
    """All that the command wrote; None when it is too much to be read."""
    if not ended.truncated:
        return ended.output
    if ended.output_bytes > MAX_TEXT_BYTES:
        return None
    return (task.reports / "output.log").read_bytes().decode("utf-8", "replace")


def _compress(log: Path, kept: str) -> None:
    """Keep the whole log compressed, and its head and tail for people to read."""
    with log.open("rb") as plain, gzip.open(log.with_name("output.log.gz"), "wb", compresslevel=1) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)
    log.write_text(kept, encoding="utf-8")
