"""What the controls of all steps share: the case, the runs, the threads, the modes, the form of a result."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import Any, TypeVar

from ralph.contracts import ControlMode, Controls
from ralph.controls import applying
from ralph.controls.findings import idle
from ralph.engine.case import Case
from ralph.engine.control_runs import ControlRuns
from ralph.engine.elsewhere import Measured
from ralph.engine.timed import Timed, since
from ralph.guardrails.model import Change
from ralph.record import record, replace
from ralph.results import ControlResult

DOCUMENTS = frozenset({".md", ".rst", ".adoc", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico"})

T = TypeVar("T")


@record(kw_only=True)
class Bench:
    """`base` gives the base's result of a step. Without a `pool` runs are made when they are asked for."""

    case: Case
    change: Change
    runs: ControlRuns
    base: Callable[[str], Measured]
    jobs: int
    pool: ThreadPoolExecutor | None = None

    @property
    def controls(self) -> Controls:
        return self.case.contract.controls if self.case.contract else Controls()

    @property
    def modes(self) -> dict[str, ControlMode]:
        return applying.modes(self.controls)

    def wants(self, name: str) -> bool:
        return self.modes[name] != "none" and self.nothing_to_do is None

    @property
    def nothing_to_do(self) -> str | None:
        """Why no control of this change could find anything."""
        if not self.change.files:
            return "the tree is that of the base"
        if all(PurePosixPath(file.path).suffix.lower() in DOCUMENTS for file in self.change.files):
            return "only documents were changed"
        return None

    def later(self, work: Callable[[], T]) -> Timed[T]:
        return Timed(work, self.pool)

    def result(self, name: str, run: Timed[Any] | None, judge: Callable[[], ControlResult]) -> ControlResult:
        """What a control found, with the time of its run, whether that was beside the steps or is made now."""
        if self.modes[name] == "none":
            return ControlResult(name=name, status="off", reason="the contract does not want it")
        if self.nothing_to_do:
            return idle(name, self.nothing_to_do)
        began, found = time.monotonic(), judge()
        return replace(found, duration_ms=max(run.duration_ms if run else 0, since(began)))
