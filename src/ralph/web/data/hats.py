"""The hats of a run, drawn: from the configuration at the commit that the run is judged against."""

from __future__ import annotations

from pathlib import Path

from ralph.config import from_repository
from ralph.errors import RalphError
from ralph.events.gate_settings import configured
from ralph.hats.flow import Flow
from ralph.hats.loader import topology
from ralph.loop import card
from ralph.system.git import open_repository
from ralph.system.trusted import accepted
from ralph.web.drawing import Drawing, draw
from ralph.web.shown import line


def of_run(root: Path, folder: Path) -> tuple[Drawing | None, str]:
    """The drawing, or why there is none."""
    try:
        kept = card.kept(folder)
        sourced = from_repository(open_repository(root), kept.base, accepted(root))
        gates = configured(sourced.config.gates, sourced.source)
        chosen = topology(sourced.config, tuple(gates), kept.preset)
        return draw(Flow(chosen, {topic: gate.refusal for topic, gate in gates.items()})), ""
    except RalphError as error:
        return None, str(line(error))
