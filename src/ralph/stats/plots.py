"""The figures as one HTML file: bars in SVG, with the numbers beside them. No script, no library, no address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from ralph.stats.rows import By, Row
from ralph.system.text import visible

WIDTH, BAR, GAP, NAMES = 560, 18, 8, 170
LONGEST_NAME = 26
MOST = 40
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
svg { width: 100%; height: auto; display: block; margin-bottom: 1.5rem }
text { fill: currentColor; font-size: 13px } rect { fill: #3b74c4 }
"""
FIGURES: Mapping[str, Callable[[Row], float | None]] = {
    "Cost per verified task, $": lambda row: row.cost_per_task_usd,
    "Proven at the first claim, %": lambda row: row.first_pass,
    "Measured claims per verified task": lambda row: row.attempts,
    "New failures in measured trees": lambda row: row.regressions,
    "Claims that were true, %": lambda row: row.honesty,
}


def page(groups: Mapping[By, Sequence[Row]]) -> str:
    """The whole document."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Ralph: statistics</title>',
        '<meta name="viewport" content="width=device-width">',
        f"<style>{_STYLE}</style></head><body><h1>Statistics</h1>",
    ]
    for title, figure in FIGURES.items():
        parts.append(f"<h2>{escape(title)}</h2>")
        for by, rows in groups.items():
            known = [(row.name, value) for row in rows[:MOST] if (value := figure(row)) is not None]
            if known:
                parts.append(f"<h3>{'all' if by == 'all' else f'by {by}'}</h3>{bars(title, known)}")
    return "\n".join([*parts, "</body></html>", ""])


def bars(title: str, known: Sequence[tuple[str, float]]) -> str:
    """One bar for each name; the longest is the largest."""
    top = max((value for _, value in known), default=0.0) or 1.0
    height = len(known) * (BAR + GAP)
    drawn = [f'<svg viewBox="0 0 {NAMES + WIDTH + 90} {height}" role="img" aria-label="{escape(title)}">']
    for number, (name, value) in enumerate(known):
        y = number * (BAR + GAP)
        wide = WIDTH * max(0.0, value) / top
        shown = visible(name)
        short = shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 3]}..."
        drawn.append(
            f'<text x="{NAMES - 8}" y="{y + 14}" text-anchor="end">{escape(short)}<title>{escape(shown)}</title></text>'
            f'<rect x="{NAMES}" y="{y}" width="{wide:.1f}" height="{BAR}"/>'
            f'<text x="{NAMES + wide + 6:.1f}" y="{y + 14}">{value:g}</text>'
        )
    return "".join([*drawn, "</svg>"])
