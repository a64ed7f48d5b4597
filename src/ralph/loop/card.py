"""`run.json` of a run's folder: what a run that goes on needs beside its log (design decisions 5 and 36)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from ralph.record import record
from ralph.system import files, records

CARD = "run.json"


@record(kw_only=True)
class Card:
    """The last two are limits that a person named on the command line: they count until they name others."""

    base: str
    policy: str
    policy_source: str
    contract: str
    preset: str | None
    iterations: int | None = None
    cost_usd: float | None = None


def keep(folder: Path, card: Card) -> None:
    """Raises StorageError."""
    files.atomic_write(folder / CARD, json.dumps(asdict(card), indent=2).encode())


def kept(folder: Path) -> Card:
    """Raises StorageError, ConfigError."""
    return records.parse(Card, files.read_json(folder / CARD), str(folder / CARD))
