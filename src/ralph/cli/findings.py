"""Findings as people read them: the line with a caret, the rule, why, and what to do."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import click

from ralph.guardrails.secrets.redact import redacted_bytes
from ralph.results import Finding
from ralph.system.text import visible

WIDTH = 100
"""How much of a long line is shown, around its column."""

Read = Callable[[str], bytes | None]
"""The head's content of a path."""

_COLOURS = {"block": "red", "review": "yellow", "excused": "cyan"}


def print_findings(findings: Sequence[Finding], read: Read) -> None:
    """Every finding, with an empty line after each."""
    for finding in findings:
        where = f"{finding.path}:{finding.line}:{finding.column}" if finding.line else finding.path
        kind = "excused" if finding.excused else finding.severity
        severity = click.style(kind.upper(), fg=_COLOURS[kind], bold=True)
        click.echo(f"{severity}  {click.style(visible(where), bold=True)}  {finding.rule}")
        line, caret = excerpt(finding, read(finding.path) if finding.line else None)
        number = str(finding.line) if finding.line else ""
        if line:
            click.echo(f"  {number:>5} | {line}")
        if caret is not None:
            click.echo(f"        | {' ' * caret}{click.style('^', fg=_COLOURS[kind], bold=True)}")
        click.echo(f"    why | {visible(finding.reason)}")
        if finding.fix:
            click.echo(f"    fix | {visible(finding.fix)}")
        if finding.exception:
            click.echo(f"        | {visible(finding.exception.sentence)}")
        click.echo()


def excerpt(finding: Finding, content: bytes | None) -> tuple[str, int | None]:
    """The line to show, and the cell that the caret stands under; only the snippet where the line is not known."""
    lines = content.split(b"\n") if content is not None else []
    if not 0 < finding.line <= len(lines):
        return visible(finding.snippet), None
    raw = redacted_bytes(lines[finding.line - 1].rstrip(b"\r"))
    at = min(max(finding.column - 1, 0), len(raw))
    first = max(0, at - WIDTH // 2) if len(raw) > WIDTH else 0
    shown = raw[first : first + WIDTH]
    left, right = ("…" if first else ""), ("…" if first + WIDTH < len(raw) else "")
    before = left + _text(raw[first:at])
    return left + _text(shown) + right, _cells(before)


def summary(findings: Sequence[Finding], policy: str, lines_added: int, files_changed: int) -> str:
    """One line: what was found in how much, by which rules."""
    blocking = sum(finding.blocks for finding in findings)
    excused = sum(finding.excused for finding in findings)
    counts = {"blocking": blocking, "to review": len(findings) - blocking - excused, "excused": excused}
    found = " and ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no"
    plural = "finding" if len(findings) == 1 else "findings"
    return (
        f"{found} {plural} in {_count(lines_added, 'added line')} of {_count(files_changed, 'file')} (policy {policy})"
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _text(raw: bytes) -> str:
    return visible(raw.decode("utf-8", "surrogateescape"))


def _cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
