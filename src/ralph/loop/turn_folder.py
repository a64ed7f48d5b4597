"""The folder of a turn, `.ralph/runs/<run>/turns/<iteration>-<n>`: what is kept of it, and where its inbox is.

Rules (design decisions 30 and 32):

- A turn that was cut off is played again in the next folder of the same iteration; nothing of the first is lost: its
  usage counts, and so does what it had posted, once.
- A turn whose transcript holds its end was over, also if Ralph died before it could say so: it is not played again.
- The inbox lies outside the project, where the agent may write; which one it is, and whose seal counts there, stands in
  `turn.json`, where it may not.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from ralph.agents import recording
from ralph.agents.base import Claim, End, Record
from ralph.agents.base import Usage as TurnUsage
from ralph.events import inbox, tokens
from ralph.events.door import Emission
from ralph.loop.effects import TurnKind
from ralph.loop.judging import Posted
from ralph.record import record
from ralph.system import files, records
from ralph.system.scratch import own_temporary

TURNS = "turns"
_CARD = "turn.json"


@record(kw_only=True)
class Card:
    """What Ralph knows of a turn. `inbox` is its folder, `seal` the digest of its token."""

    turn: inbox.Turn
    inbox: str
    seal: str


@record
class TurnFolder:
    """One playing of a turn."""

    path: Path

    @property
    def transcript(self) -> Path:
        return self.path / recording.TRANSCRIPT

    @property
    def records(self) -> tuple[Record, ...]:
        takes = recording.read(self.transcript) if self.transcript.exists() else ()
        return takes[-1].records if takes else ()

    @property
    def end(self) -> End | None:
        """How the turn ended; None if it was cut off."""
        last = self.records[-1:]
        return last[0] if last and isinstance(last[0], End) else None

    @property
    def usage(self) -> TurnUsage | None:
        """What the turn used, as far as it is known."""
        found: TurnUsage | None = None
        for heard in self.records:
            if isinstance(heard, TurnUsage):
                found = heard
            elif isinstance(heard, End):
                found = heard.usage or found
        return found

    def open(self, turn: inbox.Turn, seal: tokens.Seal) -> Path:
        """Make the folder and say where its inbox is. Raises StorageError."""
        place = own_temporary() / f"inbox-{secrets.token_hex(8)}"
        card = Card(turn=turn, inbox=str(place), seal=seal.digest)
        files.atomic_write(self.path / _CARD, json.dumps(asdict(card)).encode())
        return place

    @property
    def card(self) -> Card | None:
        """None for a turn that was cut off before it began."""
        path = self.path / _CARD
        return records.parse(Card, files.read_json(path), str(path)) if path.exists() else None

    def posted(self, told: list[str]) -> Iterator[Posted]:
        """What the agent claimed and posted; what cannot be read is told."""
        card = self.card
        if card is None:
            return
        seal = tokens.Seal(card.turn.iteration, card.seal)
        for heard in self.records:
            if isinstance(heard, Claim):  # Ralph heard it itself, so it needs no token to show
                own, its_seal = tokens.mint(card.turn.iteration)
                yield Posted(card.turn.emission(heard.topic, heard.payload, own), its_seal)
        if not Path(card.inbox).is_dir():
            return
        for each in inbox.collect(Path(card.inbox), card.turn)[0]:
            if isinstance(each, Emission):
                yield Posted(each, seal)
            else:
                told.append(f"An event could not be read: {each.reason}.")

    def close(self) -> None:
        """Take the inbox away; what was in it is in the run's log by now."""
        if (card := self.card) is not None:
            inbox.close_turn(Path(card.inbox))


def played(run: Path, iteration: int, kind: TurnKind = "work") -> list[TurnFolder]:
    """The folders of an iteration's turn, in their order."""
    stem = _stem(iteration, kind)
    found = [path for path in (run / TURNS).glob(f"{stem}-*") if path.name[len(stem) + 1 :].isdecimal()]
    return [TurnFolder(path) for path in sorted(found, key=lambda path: int(path.name[len(stem) + 1 :]))]


def all_of(run: Path) -> list[TurnFolder]:
    """Every playing of every turn."""
    return [TurnFolder(path) for path in sorted((run / TURNS).glob("*-*"))]


def following(run: Path, iteration: int, kind: TurnKind, before: Sequence[TurnFolder]) -> TurnFolder:
    """A new folder for the turn."""
    path = run / TURNS / f"{_stem(iteration, kind)}-{len(before) + 1}"
    path.mkdir(mode=0o700, parents=True)
    return TurnFolder(path)


def posted(folders: Sequence[TurnFolder], told: list[str]) -> list[Posted]:
    """What was posted in all playings of a turn; what was posted again, word for word, counts once."""
    found: dict[tuple[str, str, str | None], Posted] = {}
    for folder in folders[:-1]:
        for each in folder.posted(told):
            found.setdefault((each.emission.topic, each.emission.payload, each.emission.tool), each)
    last = list(folders[-1].posted(told)) if folders else []
    again = {(each.emission.topic, each.emission.payload, each.emission.tool) for each in last}
    return [*(each for key, each in found.items() if key not in again), *last]


def _stem(iteration: int, kind: TurnKind) -> str:
    return f"{iteration}" if kind == "work" else f"{iteration}h"
