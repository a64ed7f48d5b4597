"""The optional steps (build, audit, complexity, duplication, mutation): a command that ends by itself with 0 passes."""

from __future__ import annotations

from ralph.steps.arming import Armed
from ralph.steps.base import Judgement, Task, could_not_verify, ended_with, execute, mishap, result
from ralph.verdict import StepResult


def measure(task: Task) -> StepResult:
    ended = execute(task, Armed(task.command, {}, (), alone=True))
    why = mishap(ended, task.workplace.timeout_s)
    if why:
        judgement = could_not_verify(task.name, why)
    elif ended.exit_code == 0:
        judgement = Judgement(status="pass")
    else:
        reason = f"{task.name}: the command failed ({ended_with(ended)})"
        judgement = Judgement(status="fail", reason=reason, failures=(f"exit code {ended.exit_code}",))
    return result(task, judgement, ended, None)
