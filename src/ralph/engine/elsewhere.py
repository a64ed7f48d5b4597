"""Measures steps on a tree other than the working copy's: the base's, or a recorded one.

The tree is exported to a scratch folder, and the project's own dependencies are linked in. An editable install points
at the user's working copy, so the exported packages are put before it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ralph.engine.case import Case
from ralph.engine.measure import step
from ralph.engine.schedule import Progress
from ralph.steps.base import Workplace
from ralph.system.scratch import scratch
from ralph.verdict import StepResult

LINKED = ("node_modules", ".venv", "venv")


def measure_elsewhere(
    case: Case, tree: str, names: Sequence[str], *, timeout_s: float, progress: Progress
) -> dict[str, StepResult]:
    """Results of these steps on `tree`, one after the other."""
    with scratch("tree") as folder:
        root = folder / "tree"
        root.mkdir()
        case.repo.export(tree, root)
        for name in LINKED:
            if (case.repo.root / name).is_dir() and not os.path.lexists(root / name):
                (root / name).symlink_to(case.repo.root / name)
        place = Workplace(
            root=root,
            evidence=folder / "evidence",
            aside=folder / "aside",
            env=_environment(case, root),
            timeout_s=timeout_s,
        )
        results = {}
        for name in names:
            progress(name, None)
            results[name] = step(case, name, place)
            progress(name, results[name])
        return results


def _environment(case: Case, root: Path) -> Mapping[str, str]:
    if case.context.project.language != "python":
        return case.env
    sources = [str(root / folder) for folder in case.context.paths.source if (root / folder).is_dir()]
    return {**case.env, "PYTHONPATH": os.pathsep.join([*sources, str(root)])}
