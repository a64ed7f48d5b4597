"""Measures steps on a tree other than the working copy's: the base's, or a recorded one.

The tree is exported to a scratch folder, and the project's own dependencies are linked in. What is installed may point
at the user's working copy: the exported packages are put before an editable install, and stand in for the packages of
a workspace.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from ralph.engine.case import Case
from ralph.engine.measure import step
from ralph.engine.unrun import Progress
from ralph.record import field, record, replace
from ralph.steps import outcomes
from ralph.steps.base import Workplace
from ralph.steps.reports.tests import TestReport
from ralph.steps.tools.recipe import AS_WRITTEN, Manner
from ralph.system.scratch import scratch
from ralph.system.wardens import Leash
from ralph.verdict import StepResult

LINKED = ("node_modules", ".venv", "venv")
CACHES = frozenset({".cache", ".vite", ".vite-temp", ".vitest"})
"""Folders in `node_modules` that tools write into: those of the working copy are not the tree's."""


@record
class Measured:
    """A step's result and, for tests, what became of each."""

    step: StepResult
    tests: TestReport = field(default_factory=TestReport)


def measure_elsewhere(
    case: Case,
    tree: str,
    names: Sequence[str],
    *,
    timeout_s: float,
    progress: Progress,
    leash: Leash | None = None,
) -> dict[str, Measured]:
    """Results of these steps on `tree`, one after the other."""
    with copy_of(case, tree, timeout_s=timeout_s, leash=leash) as place:
        results = {}
        for name in names:
            progress(name, None)
            results[name] = measured(case, name, place)
            progress(name, results[name].step)
        return results


def measured(case: Case, name: str, place: Workplace, manner: Manner = AS_WRITTEN) -> Measured:
    result = step(case, name, place, manner=manner)
    return Measured(result, outcomes.kept(place.evidence / "steps" / name) if name == "tests" else TestReport())


@contextmanager
def copy_of(
    case: Case, tree: str, *, timeout_s: float, evidence: Path | None = None, leash: Leash | None = None
) -> Iterator[Workplace]:
    """A workplace with the files of `tree`, gone afterwards. What is left in `evidence` stays, if that is given."""
    with scratch("tree") as folder:
        root = folder / "tree"
        root.mkdir()
        case.repo.export(tree, root)
        _link_dependencies(case, root)
        yield Workplace(
            root=root,
            evidence=evidence or folder / "evidence",
            aside=folder / "aside",
            env=_environment(case, root),
            sandbox=replace(case.sandbox, readable=(case.repo.root,)),
            timeout_s=timeout_s,
            leash=leash,
        )


def _link_dependencies(case: Case, root: Path) -> None:
    """Everything installed in the project, at any depth, stands in the tree where it would be looked for."""
    nested = [name.rstrip("/") for name in case.snapshot.ignored if PurePosixPath(name).name in LINKED]
    for name in sorted({*LINKED, *nested}):
        installed, place = case.repo.root / name, root / name
        is_free = place.parent.is_dir() and not os.path.lexists(place)
        # A link of the tree must not lead us out of it.
        if installed.is_dir() and is_free and place.parent.resolve().is_relative_to(root.resolve()):
            if place.name == "node_modules":
                _link_packages(installed, place, case.repo.root.resolve(), root)
            else:
                place.symlink_to(installed)


def _link_packages(installed: Path, place: Path, project: Path, root: Path) -> None:
    """One link for each package; that of a workspace leads to the tree's own copy, not to the working copy's."""
    place.mkdir()
    for entry in installed.iterdir():
        if entry.name in CACHES:
            continue
        if entry.name.startswith("@") and entry.is_dir() and not entry.is_symlink():
            _link_packages(entry, place / entry.name, project, root)
            continue
        target = entry.resolve() if entry.is_symlink() else entry
        inside = target.relative_to(project) if target.is_relative_to(project) else None
        is_own = inside is not None and entry.is_symlink() and "node_modules" not in inside.parts
        (place / entry.name).symlink_to(root / inside if inside and is_own else entry)


def _environment(case: Case, root: Path) -> Mapping[str, str]:
    """That of the steps. Byte code of a copy that is gone soon is not kept, the packages' is used all the same."""
    if case.context.project.language != "python":
        return case.env
    sources = [str(root / folder) for folder in case.context.paths.source if (root / folder).is_dir()]
    path = os.pathsep.join([*sources, str(root)])
    return {**case.env, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
