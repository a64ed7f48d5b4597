"""Measures criteria in a run: those of a task that is claimed to be done, and all of them at the end (decision 31)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ralph.events.model import CheckState
from ralph.loop.bench import bench
from ralph.loop.phases.validation import Measured
from ralph.loop.plan.criteria import measured
from ralph.loop.plan.measure import CriterionResult, run_criterion
from ralph.loop.site import Site

LOGS = "criteria"
_STANDING: Mapping[str, bool | None] = {"pass": True, "fail": False, "error": None}


def prove(site: Site, criteria: Sequence[str], *, name: str) -> tuple[CriterionResult, ...]:
    """Measure each of these criteria on the tree as it is; output goes to the run's folder, below `name`."""
    commands = [command for text in criteria if (command := measured(text))]
    logs = site.folder / LOGS / name
    with bench(site.repo, commands, site.env, site.permissions) as made:
        numbered = enumerate(dict.fromkeys(criteria), start=1)
        return tuple(run_criterion(text, made, log=logs / f"{number}.log") for number, text in numbered)


def objections(results: Sequence[CriterionResult]) -> list[str]:
    """What those that do not hold say, one paragraph each."""
    return [_objection(each) for each in results if each.state in ("fail", "error")]


def standing(results: Sequence[CriterionResult]) -> CheckState:
    """What they come to; `ABSENT` where none can be measured."""
    states = {each.state for each in results} - {"claimed"}
    if not states:
        return CheckState.ABSENT
    return CheckState.FAIL if "fail" in states else CheckState.INVALID if "error" in states else CheckState.PASS


def standings(results: Sequence[CriterionResult]) -> tuple[dict[str, Measured], dict[str, str]]:
    """What was measured, by criterion, and what the permissions did not allow to be run."""
    found = {
        each.criterion: Measured(holds=_STANDING[each.state], detail=each.reason)
        for each in results
        if each.state in _STANDING
    }
    refused = {each.criterion: each.reason for each in results if each.state == "claimed" and each.command}
    return found, refused


def _objection(result: CriterionResult) -> str:
    what = "does not hold" if result.state == "fail" else "could not be measured"
    said = f"The criterion `{result.criterion}` {what}: {result.reason or 'no reason is known'}."
    return f"{said}\n{result.excerpt}" if result.excerpt else said
