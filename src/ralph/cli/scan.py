"""`ralph scan`: the guardrails alone (design section 7). Exit code 2 if a finding blocks, else 0."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ralph.cli.options import base_option, directory_option, json_option, policy_option
from ralph.cli.output import print_json
from ralph.record import asdict

if TYPE_CHECKING:
    from ralph.guardrails.excuses import Excuses
    from ralph.guardrails.model import Change
    from ralph.policy.model import PolicySet
    from ralph.results import Finding

JSON_FIELDS = ("rule", "severity", "reason", "path", "line", "column", "snippet")


class Subject(NamedTuple):
    """What is scanned, the governance files in it that a person accepted, and what a person excuses."""

    change: Change
    accepted: Mapping[str, str]
    exceptions: Excuses


@click.command()
@base_option
@click.option("--diff", metavar="FILE", help="Judge a unified diff instead of the working tree (- is standard input).")
@policy_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="For a person, a program, or code scanning.",
)
@json_option
@directory_option
def scan(base: str | None, diff: str | None, policy: str | None, form: str, as_json: bool, directory: Path) -> int:
    """Look for suppressions, skipped tests and weakened checks in a change: exit 2 if a finding blocks, else 0."""
    from ralph.errors import UsageError
    from ralph.guardrails import scan as guardrails
    from ralph.guardrails.excuses import excused
    from ralph.policy import registry

    if base is not None and diff is not None:
        raise UsageError("--base and --diff exclude each other: a diff brings its own base")
    chosen = registry.load(policy) if policy else registry.default()
    subject = _patch(diff, directory) if diff is not None else working_tree(directory, base)
    findings = excused(
        guardrails.scan(subject.change, chosen, subject.accepted), subject.change, chosen, subject.exceptions
    )
    _show("json" if as_json else form, subject.change, chosen, findings)
    return 2 if any(finding.blocks for finding in findings) else 0


def working_tree(directory: Path, rev: str | None) -> Subject:
    """The change of the working tree since its base. Raises RepositoryError."""
    from ralph.exceptions.excusing import excuses
    from ralph.guardrails.change import beside, read_change
    from ralph.system.base import base_tree, choose_base
    from ralph.system.git import open_repository
    from ralph.system.places import shadow_dir
    from ralph.system.tree import snapshot
    from ralph.system.trusted import accepted

    repo = open_repository(directory)
    judged_against = choose_base(repo, rev)
    before = base_tree(repo, judged_against)
    taken = snapshot(repo, shadow_dir(repo.root), base=judged_against)
    change = read_change(repo, before, taken.tree, beside(taken))
    return Subject(change, accepted(repo.root), excuses(repo.root))


def _patch(name: str, directory: Path) -> Subject:
    """The files that the diff is about are looked for in HEAD and on disk."""
    from ralph.errors import UsageError
    from ralph.exceptions.excusing import excuses
    from ralph.guardrails.change.patch import read_patch
    from ralph.guardrails.excuses import nobody

    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"the diff {name} cannot be read: {error.strerror}") from error
    contents = _Contents(directory)
    change = read_patch(data, "standard input" if name == "-" else name, contents)
    return Subject(change, {}, excuses(contents.root) if contents.repo else nobody)


class _Contents:
    """Finds what a file of a diff may have held."""

    def __init__(self, directory: Path) -> None:
        from ralph.errors import RepositoryError
        from ralph.system.git import Repository, open_repository

        self.repo: Repository | None
        try:
            self.repo = open_repository(directory)
        except RepositoryError:
            self.repo = None
        self.root = (self.repo.root if self.repo else directory).resolve()
        self.head = self.repo.head() if self.repo else None

    def __call__(self, path: str) -> Iterator[bytes]:
        if self.repo and self.head and (content := self.repo.read(self.head, path)) is not None:
            yield content
        file = (self.root / path).resolve()
        if file.is_relative_to(self.root) and file.is_file():
            yield file.read_bytes()


def _show(form: str, change: Change, policy: PolicySet, findings: Sequence[Finding]) -> None:
    if form == "json":
        print_json(document(change, policy, findings))
    elif form == "sarif":
        from ralph.guardrails.sarif import sarif

        print_json(sarif(findings, policy))
    else:
        from ralph.cli.findings import print_findings, summary

        print_findings(findings, change.blobs.after)
        click.echo(summary(findings, policy.version, change.lines_added, change.files_changed))


def document(change: Change, policy: PolicySet, findings: Sequence[Finding]) -> dict[str, Any]:
    """The form that design section 7 gives."""
    return {
        "policy_version": policy.version,
        "lines_added": change.lines_added,
        "files_changed": change.files_changed,
        "findings": [_row(finding) for finding in findings],
    }


def _row(finding: Finding) -> dict[str, Any]:
    """`exception` is there only where one names the finding."""
    row = {name: getattr(finding, name) for name in JSON_FIELDS}
    return {**row, "exception": asdict(finding.exception)} if finding.exception else row
