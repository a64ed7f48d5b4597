"""Finds out how a project is measured from the files in it. Pure: paths and a reader in, a context out.

What is found is a proposal that works with the project's own tools; a step for which nothing is found has no
command, and the reason is told, so that a person can declare it not applicable in a contract.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ralph.context import detect_node, detect_python
from ralph.context.proposal import Proposal
from ralph.context.schema import AppContext, Commands, Paths, Project, Tools
from ralph.record import field, record

Read = Callable[[str], bytes | None]


@record
class Detected:
    """A detected context; `missing` tells for each required step without a command why there is none."""

    context: AppContext
    missing: Mapping[str, str] = field(default_factory=dict)


def detect(name: str, paths: frozenset[str], read: Read) -> Detected:
    """The context of the project whose tree holds `paths`."""
    proposal = _proposal(paths, read)
    context = AppContext(
        project=Project(name=proposal.name or name, path=".", language=proposal.language),
        commands=Commands(**proposal.commands),
        paths=Paths(
            source=list(proposal.source),
            tests=list(proposal.tests),
            coverage_report=proposal.coverage_report,
            tsconfig="tsconfig.json" if "tsconfig.json" in paths else None,
            pyproject="pyproject.toml" if "pyproject.toml" in paths else None,
        ),
        context=Tools(**proposal.tools),
    )
    return Detected(context, dict(proposal.missing))


def _proposal(paths: frozenset[str], read: Read) -> Proposal:
    if detect_python.applies(paths):
        return detect_python.propose(paths, read)
    if "package.json" in paths:
        return detect_node.propose(paths, read)
    nothing = "no Python or Node project was recognised; write the command into ralph-context.yaml"
    return Proposal(language="other", missing=dict.fromkeys(("lint", "typecheck", "tests", "coverage"), nothing))
