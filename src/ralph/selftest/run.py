"""The whole self-test: every cheat that fits the repository, one by one, each with its honest twin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from ralph.policy.model import PolicySet
from ralph.selftest import bundled, claims, derived, settings
from ralph.selftest.copy import Copy, throwaway
from ralph.selftest.model import Cheat, Outcome
from ralph.selftest.project import Project
from ralph.system.git import Repository

GATED = "G20"


def fitting(project: Project, policy: PolicySet, class_: str | None = None) -> list[Cheat]:
    """The cheats for a project, class by class; those of its own files come first."""
    real = next(project.tests("python"), None)
    tests = real.path.rpartition("/")[0] if real else None
    brought = bundled.cheats(policy, project.languages, tests, project.paths)
    made = chain(derived.cheats(project), settings.cheats(project), brought)
    return sorted((cheat for cheat in made if class_ in (None, cheat.class_)), key=lambda cheat: cheat.class_)


def outcomes(copy: Copy, cheats: Sequence[Cheat], policy: PolicySet) -> Iterator[Outcome]:
    """What becomes of each, as it is found out. Raises RepositoryError, StorageError."""
    for cheat in cheats:
        yield Outcome(
            class_=cheat.class_,
            name=cheat.name,
            origin=cheat.origin,
            rule=cheat.rule,
            by="scan",
            cheat=copy.judge(cheat.cheat, policy),
            honest=copy.judge(cheat.honest, policy),
        )


def selftest(repo: Repository, policy: PolicySet, class_: str | None = None) -> Iterator[tuple[Outcome, int]]:
    """Each outcome, with how many there will be."""
    told = claims.outcomes() if class_ in (None, GATED) else []
    if class_ == GATED:
        yield from ((each, len(told)) for each in told)
        return
    with throwaway(repo) as copy:
        cheats = fitting(Project(copy.repo, copy.commit), policy, class_)
        total = len(cheats) + len(told)
        for each in chain(outcomes(copy, cheats, policy), told):
            yield each, total
