"""What was spent and what is left, in words (see `loop.standing`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def spent_text(spent: Mapping[str, Any]) -> str:
    """Over all runs, with what of it was this one's."""
    parts = [cost_text(spent), f"{spent['tokens']:,} tokens", span(spent["runtime_s"]), _times(spent["iterations"])]
    here = spent["here"]
    if here["iterations"] != spent["iterations"]:
        parts.append(f"of them in this run {cost_text(here)} and {_times(here['iterations'])}")
    return ", ".join(parts)


def cost_text(spent: Mapping[str, Any]) -> str:
    """What nobody knows is never shown as nothing."""
    if not spent["unpriced"]:
        return f"${spent['cost_usd']:.2f}"
    if not spent["cost_usd"]:
        return "unknown cost"
    return f"${spent['cost_usd']:.2f} and {spent['unpriced']} turn{'s' * (spent['unpriced'] > 1)} of unknown cost"


def left_text(left: Mapping[str, Any]) -> str:
    """Only what there is a limit of."""
    parts = []
    if left["cost_usd"] is not None:
        parts.append(f"${left['cost_usd']:.2f}" + (" by what is known" if left["unpriced"] else ""))
    if left["tokens"] is not None:
        parts.append(f"{left['tokens']:,} tokens")
    if left["runtime_s"] is not None:
        parts.append(span(left["runtime_s"]))
    if left["iterations"] is not None:
        parts.append(_times(left["iterations"]))
    return ", ".join(parts) or "no limit"


def span(seconds: float) -> str:
    """A time that passes."""
    whole = max(0, int(seconds))
    if whole < 120:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 7200 else f"{whole // 3600} h {whole % 3600 // 60} min"


def _times(number: int) -> str:
    return f"{number} iteration{'s' * (number != 1)}"
