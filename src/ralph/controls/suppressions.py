"""Control `suppressions`: the linter itself says how much it was told to overlook, on the base and now.

Rules (research: governance and gaming, facts 4 and 5.5):

- ruff and eslint are run once more in the way in which no comment can silence them, on both trees, and on the head with
  the base's settings. What they find beyond the plain run is suppressed, however the suppression is spelled.
- More of it than on the base breaks the control; a suppression that moved, or was taken away, does not.
- A backstop behind the static rules: what those allow with good reason shows up here too, so it is shown by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from ralph.controls.findings import broken, held, listed, number, unsure
from ralph.guardrails.model import Change
from ralph.results import ControlResult, StepResult

NAME = "suppressions"

_SETTINGS = re.compile(
    r"pyproject\.toml|\.?ruff\.toml|eslint\.config\.[cm]?[jt]s|\.eslintrc[^/]*|\.eslintignore|eslint-suppr.*"
)


def settings_files(change: Change) -> list[str]:
    """Changed files that tell the linters what to look for."""
    return [file.path for file in change.files if _SETTINGS.fullmatch(PurePosixPath(file.path).name)]


def judge(here: StepResult, here_all: StepResult, base: StepResult, base_all: StepResult) -> ControlResult:
    """Plain runs, and those in which nothing is suppressed."""
    for name, result in (("head", here_all), ("base", base), ("base", base_all)):
        if "errors" not in result.counts:
            return unsure(
                NAME, f"the linter could not be asked on the {name} ({result.reason or 'it counted nothing'})"
            )
    before = _hidden(base, base_all)
    now = _hidden(here, here_all)
    if now <= before:
        return held(NAME, f"{number(now, 'finding')} suppressed, {before} on the base")
    new = sorted(_only(here_all.failures, {*here.failures, *base_all.failures}))
    return broken(NAME, f"{now} findings are suppressed, {before} on the base: {listed(new)}".removesuffix(": "), new)


def _hidden(plain: StepResult, whole: StepResult) -> int:
    return max(0, int(whole.counts["errors"] - plain.counts.get("errors", 0)))


def _only(some: Iterable[str], others: set[str]) -> set[str]:
    return {each for each in some if each not in others}
