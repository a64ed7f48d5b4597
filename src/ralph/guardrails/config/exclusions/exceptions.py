"""Exceptions from the rules of a Python checker for one file alone.

Rule: an exception for one product file, which is named by itself and not by a pattern or a folder, is an excuse that
stands where all can see it: it is shown. Exceptions for more than one take away what is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss
from ralph.record import replace


def named_alone(pattern: str, paths: Iterable[str]) -> str:
    """The product file that the pattern is, if it says the name of one; else no text.

    One with its folder is that file, whatever another folder holds.
    """
    name = pattern.removeprefix("./")
    below = [path for path in paths if path == name or path.endswith(f"/{name}")]
    found = [name] if name in below and "/" in name else below
    return found[0] if len(found) == 1 and is_product(found[0]) else ""


def shown(found: Iterable[tuple[Loss, str]]) -> Iterator[Loss]:
    """Losses, each with the one file that it is for, if it is for one alone: all for the same file are for review."""
    losses = list(found)
    alone = len({file for _, file in losses if file}) == 1
    for loss, file in losses:
        yield replace(loss, rule=MINOR_EXCLUSION) if file and alone else loss
