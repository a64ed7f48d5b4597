"""The replay of a policy set as one HTML page, which needs nothing else. Pure; everything in it is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.guardrails.history import Judged

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;"
    "background:#fff}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;"
    "padding:.35rem .6rem;border-bottom:1px solid #ddd}code{font:13px ui-monospace,monospace}"
    ".blocked{color:#a40000}.review{color:#7a5b00}.unjudged{color:#555}.clean{color:#1c6b2c}"
    "@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}td,th{border-color:#3a3a3a}"
    ".blocked{color:#ff8080}.review{color:#f0c674}.unjudged{color:#aaa}.clean{color:#8fd19e}}"
)


def html(rows: Sequence[Judged], version: str, project: str) -> str:
    """The page: the count of each outcome, then every commit that is not clean."""
    title = f"{_text(project)} under policy {_text(version)}"
    counts = {
        outcome: sum(row.outcome == outcome for row in rows) for outcome in ("blocked", "review", "unjudged", "clean")
    }
    told = ", ".join(f'<span class="{outcome}">{count} {outcome}</span>' for outcome, count in counts.items())
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f"<body><h1>{title}</h1>\n<p>{len(rows)} commits: {told}.</p>\n"
        f"<table><thead><tr><th>commit</th><th>date</th><th>outcome</th><th>what</th></tr></thead>\n<tbody>\n"
        f"{''.join(_rows(rows))}</tbody></table></body></html>\n"
    )


def _rows(rows: Sequence[Judged]) -> Iterator[str]:
    for row in rows:
        if row.outcome == "clean":
            continue
        found = "".join(
            f"<br><code>{_text(each.rule)}</code> {_text(each.path)}:{each.line or ''} {_text(each.reason)}"
            for each in row.findings
        )
        yield (
            f"<tr><td><code>{row.commit.id[:12]}</code></td><td>{_text(row.commit.date)}</td>"
            f'<td class="{row.outcome}">{row.outcome}</td>'
            f"<td>{_text(row.commit.subject)}{_text(row.problem)}{found}</td></tr>\n"
        )


def _text(text: str) -> str:
    return escape(visible(text))
